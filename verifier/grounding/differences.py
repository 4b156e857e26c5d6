"""Do PRD and SAS differ between right and wrong answers, and how do they go together? (GGA, section 6)"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, slots=True)
class Difference:
    """Right against wrong answers in one measure.

    :param t: Student's t of two samples with equal variance; positive where right answers have the higher mean
    :param freedom: degrees of freedom
    :param p: two-sided
    :param d: Cohen's d with the pooled deviation, of the same sign as ``t``
    """

    right: float
    wrong: float
    t: float
    freedom: int
    p: float
    d: float


@dataclass(frozen=True, slots=True)
class Quadrant:
    """The answers above or below the medians of PRD and SAS; ``wrong`` is a share, None where there are none."""

    name: str
    answers: int
    wrong: float | None
    prd: float | None
    sas: float | None


def difference(values: np.ndarray, wrong: np.ndarray) -> Difference:
    """
    :param values: float ``(n,)``, at least two of right and two of wrong answers
    :param wrong: bool ``(n,)``
    """
    from scipy.special import stdtr

    good, bad = values[~wrong].astype(np.float64), values[wrong].astype(np.float64)
    freedom = len(good) + len(bad) - 2
    spread = np.sqrt((((good - good.mean()) ** 2).sum() + ((bad - bad.mean()) ** 2).sum()) / freedom)
    d = float((good.mean() - bad.mean()) / spread) if spread > 0 else 0.0
    t = d / float(np.sqrt(1 / len(good) + 1 / len(bad)))
    p = float(2 * stdtr(freedom, -abs(t)))
    return Difference(float(good.mean()), float(bad.mean()), t, freedom, p, d)


def correlation(one: np.ndarray, other: np.ndarray) -> float:
    """Pearson's r; 0 where one of them is constant."""
    if one.std() == 0 or other.std() == 0:
        return 0.0
    return float(np.corrcoef(one.astype(np.float64), other.astype(np.float64))[0, 1])


def quadrants(prd: np.ndarray, sas: np.ndarray, wrong: np.ndarray) -> list[Quadrant]:
    """The four parts that the medians make, in the paper's order; a value at the median counts as high."""
    strong, grounded = prd >= np.median(prd), sas >= np.median(sas)
    parts: Sequence[tuple[str, np.ndarray]] = (
        ("Q1: high PRD, high SAS", strong & grounded),
        ("Q2: low PRD, high SAS", ~strong & grounded),
        ("Q3: low PRD, low SAS", ~strong & ~grounded),
        ("Q4: high PRD, low SAS", strong & ~grounded),
    )
    return [
        Quadrant(name, int(part.sum()), _mean(wrong[part]), _mean(prd[part]), _mean(sas[part])) for name, part in parts
    ]


def _mean(values: np.ndarray) -> float | None:
    return float(values.mean()) if len(values) else None
