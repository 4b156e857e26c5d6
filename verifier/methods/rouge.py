"""ROUGE: how much of one text stands in another (Lin 2004), as GraphCorrect measures what a correction has kept.

Equal to the package ``rouge-score`` without stemming for texts of ASCII letters and digits; where that drops all other
letters, they count here.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class Rouge:
    """F1 of shared words, of shared pairs of words, and of the longest common subsequence; each 0 to 1."""

    rouge_1: float
    rouge_2: float
    rouge_l: float


def rouge(reference: str, text: str) -> Rouge:
    """Compare a text with a reference; the order of the two does not matter for F1.

    >>> rouge("Ada was born in Rome.", "Ada was born in Paris.")
    Rouge(rouge_1=0.8, rouge_2=0.75, rouge_l=0.8)

    :return: 0 where one of the texts has no words (for pairs: fewer than two)
    """
    a, b = words(reference), words(text)
    return Rouge(_shared(a, b, 1), _shared(a, b, 2), _f1(_longest(a, b), len(a), len(b)))


def words(text: str) -> list[str]:
    """Letters and digits in lower case; everything else separates.

    >>> words("The U.S.'s 3-year plan")
    ['the', 'u', 's', 's', '3', 'year', 'plan']
    """
    return _WORD.findall(text.lower())


def _shared(a: Sequence[str], b: Sequence[str], n: int) -> float:
    first, second = (Counter(zip(*(some[i:] for i in range(n)), strict=False)) for some in (a, b))
    return _f1((first & second).total(), first.total(), second.total())


def _f1(shared: int, first: int, second: int) -> float:
    return 2 * shared / (first + second) if shared else 0.0


def _longest(a: Sequence[str], b: Sequence[str]) -> int:
    """Length of the longest common subsequence, in time ``len(a) * len(b)`` and memory ``len(b)``."""
    row = [0] * (len(b) + 1)
    for one in a:
        diagonal = 0
        for at, other in enumerate(b, 1):
            diagonal, row[at] = row[at], diagonal + 1 if one == other else max(row[at], row[at - 1])
    return row[-1]
