"""The words of English that the grammar and the linking heed: the one reader of ``words.toml``."""

from __future__ import annotations

import tomllib
from functools import lru_cache
from pathlib import Path
from typing import Any


def words(name: str) -> frozenset[str]:
    """A list, by its table and its name.

    >>> sorted(words("pronouns.neutral"))
    ['it', 'its', 'itself']

    :raises KeyError: if there is no such list
    """
    return frozenset(ordered(name))


def ordered(name: str) -> list[str]:
    """A list as it stands there.

    >>> ordered("numbers.tens")[:2]
    ['twenty', 'thirty']

    :raises KeyError: if there is no such list
    """
    found = entry(name)
    return found.split() if isinstance(found, str) else list(found)


def either(name: str) -> str:
    """A list as a part of a regular expression that any of it fits; the first wins, and each may be a pattern itself.

    >>> either("said.now")
    '(?:currently|still|now|today)'

    :raises KeyError: if there is no such list
    """
    return f"(?:{'|'.join(ordered(name))})"


def entry(name: str) -> Any:
    """What stands there, as TOML has it: words in one string, an array, or a table.

    :raises KeyError: if there is none
    """
    table, _, key = name.partition(".")
    return _tables()[table][key]


@lru_cache(maxsize=1)
def peoples() -> dict[str, tuple[str, ...]]:
    """Adjective or name of a people in lower case -> the usual labels of its country.

    >>> peoples()["swiss"], peoples()["south african"]
    (('Switzerland',), ('South Africa',))
    """
    table = tomllib.loads(Path(__file__).with_name("peoples.toml").read_text(encoding="utf-8"))
    found: dict[str, tuple[str, ...]] = {}
    for country, adjectives in table.items():
        for word in adjectives.lower().split():
            name = word.replace("-", " ")
            found[name] = (*found.get(name, ()), country)
    return found


@lru_cache(maxsize=1)
def given_names() -> dict[str, str]:
    """Given name in lower case -> whom English texts mostly call so, ``male`` or ``female``.

    >>> given_names()["ada"]
    'female'
    """
    table = tomllib.loads(Path(__file__).with_name("given.toml").read_text(encoding="utf-8"))
    return {name: gender for gender, names in table.items() for name in names.split()}


@lru_cache(maxsize=1)
def _tables() -> dict[str, dict[str, Any]]:
    return tomllib.loads(Path(__file__).with_name("words.toml").read_text(encoding="utf-8"))
