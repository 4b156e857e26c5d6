"""Limits of a rate of which a few draws are known (Clopper and Pearson)."""

from __future__ import annotations

import math

import numpy as np

Interval = tuple[float, float]
TAIL = 0.025
"""What a 95 % interval leaves out on either side."""


def exact_interval(hits: int, n: int) -> Interval:
    """The 95 % interval of Clopper and Pearson for ``hits`` of ``n``; of none, up to about 3.7 in ``n``.

    >>> [round(end, 4) for end in exact_interval(0, 100)], [round(end, 4) for end in exact_interval(5, 100)]
    ([0.0, 0.0362], [0.0164, 0.1128])
    """
    return 1 - highest(n - hits, n), highest(hits, n)


def highest(hits: int, n: int, chance: float = TAIL) -> float:
    """The rate at which so few hits have this chance.

    >>> round(highest(2, 100, 0.05), 4), round(highest(0, 100, 0.05), 4), highest(3, 3)
    (0.0616, 0.0295, 1.0)
    """
    if hits >= n:
        return 1.0
    low, high = hits / n, 1.0
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (middle, high) if _at_most(hits, n, middle) > chance else (low, middle)
    return high


def _at_most(hits: int, n: int, rate: float) -> float:
    """P(X <= hits) of a binomial."""
    i = np.arange(hits + 1)
    logs = np.array([math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1) for k in i])
    return float(np.exp(logs + i * math.log(rate) + (n - i) * math.log1p(-rate)).sum())
