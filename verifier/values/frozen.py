"""A dictionary that nobody changes, for values that are passed on."""

from __future__ import annotations

from typing import Any, NoReturn, TypeVar

K = TypeVar("K")
V = TypeVar("V")


class FrozenDict(dict[K, V]):
    """A dictionary once and for all; equal to a plain one with the same items, and JSON like one.

    >>> shares = FrozenDict({"kernel": 0.5})
    >>> shares["kernel"], shares == {"kernel": 0.5}, {**shares, "kas": 1.0}
    (0.5, True, {'kernel': 0.5, 'kas': 1.0})
    >>> shares["kernel"] = 0.6
    Traceback (most recent call last):
    TypeError: this dictionary is not changed: make a new one
    """

    def _never(self, *_: Any, **__: Any) -> NoReturn:
        raise TypeError("this dictionary is not changed: make a new one")

    __setitem__ = __delitem__ = __ior__ = _never  # type: ignore[assignment]
    clear = pop = popitem = setdefault = update = _never  # type: ignore[assignment]

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (dict(self),)
