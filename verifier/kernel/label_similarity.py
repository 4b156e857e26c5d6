"""How close two labels are in meaning, with what no vector knows: other numbers and other entities are other things."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence

import numpy as np

from kgstore.embedding import Embedder

_NUMBER = re.compile(r"\d+")


class Labels:
    """Some labels, and how close each two of them are.

    :param names: labels that name one entity each: alike only if they are the same. Empty where nothing is linked.
    """

    def __init__(self, labels: Iterable[str], embedder: Embedder, names: Collection[str] = ()) -> None:
        self.all = list(dict.fromkeys(labels))
        self._at = {label: i for i, label in enumerate(self.all)}
        vectors = embedder.embed(self.all)
        self.cosines = np.clip(vectors @ vectors.T, 0.0, 1.0)
        """Float32 ``(n, n)``, 0 to 1; 0 where the numbers or the entities differ."""
        np.fill_diagonal(self.cosines, 1.0)
        self.kinds = [(numbers(label), label if label in names else "") for label in self.all]
        """Labels of different kinds never mean the same."""
        for part in range(2):
            has = [i for i, kind in enumerate(self.kinds) if kind[part]]
            for i in has:
                self.cosines[i, [j for j in has if self.kinds[i][part] != self.kinds[j][part]]] = 0.0

    def between(self, ones: Sequence[str], others: Sequence[str]) -> np.ndarray:
        """The cosines of some labels with others, ``(len(ones), len(others))``."""
        rows, columns = ([self._at[label] for label in labels] for labels in (ones, others))
        return self.cosines[np.ix_(rows, columns)]


def numbers(label: str) -> tuple[str, ...]:
    """The numbers in a label, sorted.

    >>> numbers("13 May 1970"), numbers("May")
    (('13', '1970'), ())
    """
    return tuple(sorted(_NUMBER.findall(label)))
