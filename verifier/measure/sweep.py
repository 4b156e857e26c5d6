"""Every threshold of a score that is to tell good texts from bad ones: ROC, precision and recall, the best of them.

A text is flagged where its score is below the threshold. A score that equals the threshold is not below it, and counts
one way only: what counts a tie as right for good and bad texts alike reports more than any threshold can reach.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from kgstore.verifier.measure.bootstrap import Interval, percentiles, row_draws
from kgstore.verifier.measure.metrics import weighted_auc

_BLOCK = 4_000_000
"""Weights held at a time: 32 MB."""


@dataclass(frozen=True, slots=True)
class Rates:
    """How well bad texts (the positives) are found at one threshold; each is 0 to 1, 0 where nothing can be divided."""

    threshold: float
    accuracy: float
    balanced_accuracy: float
    precision: float
    recall: float
    f1: float


@dataclass(frozen=True, slots=True)
class Curves:
    """All thresholds, from the one that flags nothing to the one that flags everything.

    :param thresholds: float64 ``(n,)``, ascending: 0, every score, and one above them
    :param found: share of bad texts that are flagged (recall, true positive rate), ``(n,)``
    :param accused: share of good texts that are flagged (false positive rate), ``(n,)``
    :param precision: share of the flagged that are bad, 1 where nothing is flagged, ``(n,)``
    :param f1: of the bad texts, ``(n,)``
    """

    thresholds: np.ndarray
    found: np.ndarray
    accused: np.ndarray
    precision: np.ndarray
    f1: np.ndarray

    @property
    def pr_auc(self) -> float:
        """Average precision: the sum of precision times what recall gains, without interpolation."""
        return float(np.sum(np.diff(self.found, prepend=0.0) * self.precision))

    def best(self, measure: str = "balanced_accuracy") -> float:
        """The lowest threshold with the best balanced accuracy, or the best ``f1``.

        Where scores lie apart the threshold is the upper of the two, which is a score that is still good.
        """
        values = self.f1 if measure == "f1" else (self.found + 1 - self.accused) / 2
        return float(self.thresholds[int(np.argmax(np.round(values, 12)))])


def curves(scores: Sequence[float], bad: Sequence[bool]) -> Curves:
    """
    >>> found = curves([0.2, 0.5, 0.5, 0.9], [True, True, False, False])
    >>> found.thresholds.tolist(), found.found.tolist(), found.accused.tolist()
    ([0.0, 0.2, 0.5, 0.9, 1.9], [0.0, 0.0, 0.5, 1.0, 1.0], [0.0, 0.0, 0.0, 0.5, 1.0])
    >>> found.best(), round(found.pr_auc, 3)
    (0.5, 0.833)

    :param bad: for each score whether its text is one that should be flagged
    :raises ValueError: if not both kinds are there
    """
    values, flags = np.asarray(scores, dtype=float), np.asarray(bad, dtype=bool)
    if flags.all() or not flags.any():
        raise ValueError("good and bad texts are needed, both")
    thresholds = np.unique(np.concatenate([[0.0], values, [values.max() + 1.0]]))
    hits = np.searchsorted(np.sort(values[flags]), thresholds, side="left")
    false = np.searchsorted(np.sort(values[~flags]), thresholds, side="left")
    flagged = hits + false
    precision = np.divide(hits, flagged, out=np.ones(len(thresholds)), where=flagged > 0)
    f1 = 2 * hits / (flagged + flags.sum())
    return Curves(thresholds, hits / flags.sum(), false / (~flags).sum(), precision, f1)


def rates(scores: Sequence[float], bad: Sequence[bool], threshold: float) -> Rates:
    """
    >>> rates([0.2, 0.5, 0.5, 0.9], [True, True, False, False], 0.5).balanced_accuracy
    0.75
    """
    flagged, flags = np.asarray(scores, dtype=float) < threshold, np.asarray(bad, dtype=bool)
    hits, false = int((flagged & flags).sum()), int((flagged & ~flags).sum())
    recall, spared = hits / max(1, flags.sum()), 1 - false / max(1, (~flags).sum())
    return Rates(
        threshold,
        float((flagged == flags).mean()),
        float((recall + spared) / 2),
        hits / max(1, hits + false),
        float(recall),
        float(2 * hits / max(1, hits + false + flags.sum())),
    )


def roc_interval(
    scores: Sequence[float], bad: Sequence[bool], groups: Sequence[str]
) -> tuple[float | None, Interval | None]:
    """ROC-AUC (ties count half) and its 95 % interval over 2,000 draws of groups.

    :param groups: rows of one group are drawn together
    """
    values, flags = np.asarray(scores, dtype=float), np.asarray(bad, dtype=bool)
    point = weighted_auc(values, flags, np.ones((1, len(values))))[0]
    drawn = [1 - weighted_auc(values, flags, weights) for weights in _draws(groups)]
    return (None if np.isnan(point) else float(1 - point)), percentiles(np.concatenate(drawn))


def balanced_interval(
    scores: Sequence[float], bad: Sequence[bool], groups: Sequence[str], threshold: float
) -> Interval | None:
    """The same interval for the balanced accuracy at a threshold that was chosen elsewhere."""
    flagged, flags = np.asarray(scores, dtype=float) < threshold, np.asarray(bad, dtype=bool)
    drawn = []
    for weights in _draws(groups):
        with np.errstate(invalid="ignore"):
            found = (weights @ (flagged & flags)) / (weights @ flags)
            spared = (weights @ (~flagged & ~flags)) / (weights @ ~flags)
        drawn.append((found + spared) / 2)
    return percentiles(np.concatenate(drawn))


def _draws(groups: Sequence[str]) -> Iterator[np.ndarray]:
    """How often each row is drawn, float64 ``(some, rows)``."""
    _, at = np.unique(np.asarray(groups), return_inverse=True)
    step = max(1, _BLOCK // len(at))
    for weights in row_draws(int(at.max()) + 1):
        for start in range(0, len(weights), step):
            yield weights[start : start + step, at]
