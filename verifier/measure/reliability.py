"""Does confidence mean what it says, and from which confidence on may one accuse?

Rows that only say whether a claim is attributable are held against P(attributable), the others against the probability
of the verdict's label, as in `kgstore.verifier.measure.evaluate`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from kgstore.verifier.claims import Label
from kgstore.verifier.decide.combine import Combination
from kgstore.verifier.measure.bootstrap import Interval, exact_interval
from kgstore.verifier.measure.calibration import Example, calibrate, weighed
from kgstore.verifier.measure.logistic import log_loss
from kgstore.verifier.measure.sample import BINS

LEAST = 0.5
"""Nobody is accused of what is more likely true or open, however many false accusations one allows."""
_LABELS = tuple(Label)
_A, _C = _LABELS.index(Label.ATTRIBUTABLE), _LABELS.index(Label.CONTRADICTORY)


@dataclass(frozen=True, slots=True)
class Bin:
    """Verdicts of about the same confidence.

    :param low: from this confidence, up to ``high``
    :param confidence: their mean
    :param right: the share that is right
    """

    low: float
    high: float
    verdicts: int
    confidence: float
    right: float


@dataclass(frozen=True, slots=True)
class Quality:
    """How good probabilities are, less being better in each.

    :param calibration_error: mean distance of confidence and accuracy over ten bins of confidence, 0 to 1
    :param brier: mean squared error of the probabilities, summed over the labels that the rows tell apart
    :param log_loss: mean of ``-log P(the right label)``
    """

    calibration_error: float
    brier: float
    log_loss: float


@dataclass(frozen=True, slots=True)
class Accusations:
    """What a threshold makes of the contradictory verdicts.

    :param innocent: claims that are not contradictory, of which ``false`` are called so: the share is ``rate``
    :param interval: of the rate, 95 %; None without innocent claims
    :param right: contradictions that are called so, ``given_up`` those that the threshold withholds
    """

    threshold: float
    innocent: int
    false: int
    rate: float
    interval: Interval | None
    right: int
    given_up: int


def bins(rows: Sequence[Example], shares: np.ndarray) -> list[Bin]:
    """The bins that hold any verdict, in order of confidence.

    :param shares: float64 ``(n, 3)``, the probabilities of each row
    """
    sure, good = confidences(rows, shares)
    which = np.minimum((sure * BINS).astype(int), BINS - 1)
    found = []
    for i in range(BINS):
        mine = which == i
        if mine.any():
            mean, right = float(sure[mine].mean()), float(good[mine].mean())
            found.append(Bin(i / BINS, (i + 1) / BINS, int(mine.sum()), mean, right))
    return found


def quality(rows: Sequence[Example], shares: np.ndarray) -> Quality:
    """
    :raises ValueError: without rows
    """
    if not rows:
        raise ValueError("no labelled verdicts")
    gaps = sum(one.verdicts * abs(one.confidence - one.right) for one in bins(rows, shares))
    sure, good = confidences(rows, shares)
    right, binary = np.array([one.right for one in rows]), _binary(rows)
    squares = np.where(binary, (sure - good) ** 2, ((shares - right) ** 2).sum(axis=1))
    return Quality(gaps / len(rows), float(squares.mean()), float(log_loss(shares, right).mean()))


def confidences(rows: Sequence[Example], shares: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """A probability for each row, ``(n,)``, and whether what it is about is so."""
    asked = np.where(_binary(rows), _A, [_LABELS.index(one.label) for one in rows])
    lines = np.arange(len(rows))
    return shares[lines, asked], np.array([one.right for one in rows])[lines, asked]


def _binary(rows: Sequence[Example]) -> np.ndarray:
    """For each row whether its file only says what is attributable, bool ``(n,)``."""
    sources = {one.source for one in rows if sum(one.right) > 1}
    return np.array([one.source in sources for one in rows], dtype=bool)


def accusations(rows: Sequence[Example], shares: np.ndarray, threshold: float) -> Accusations:
    """What becomes of the contradictory verdicts if those below a threshold are withheld."""
    accused = np.array([one.label is Label.CONTRADICTORY for one in rows], dtype=bool)
    guilty = np.array([one.right[_C] for one in rows], dtype=bool)
    kept = accused & (shares[:, _C] >= threshold)
    innocent, false = int((~guilty).sum()), int((kept & ~guilty).sum())
    interval = exact_interval(false, innocent) if innocent else None
    right, given_up = int((kept & guilty).sum()), int((accused & guilty & ~kept).sum())
    return Accusations(threshold, innocent, false, false / max(1, innocent), interval, right, given_up)


def threshold_for(rows: Sequence[Example], shares: np.ndarray, most: float) -> float:
    """The lowest threshold, 0.5 or more, with which the share of false accusations is at most ``most``, 0 to 1."""
    accused = [i for i, one in enumerate(rows) if one.label is Label.CONTRADICTORY]
    above = sorted({min(1.0, float(np.ceil(shares[i, _C] * 1e4 + 1) / 1e4)) for i in accused if not rows[i].right[_C]})
    for threshold in [LEAST, *(one for one in above if one > LEAST)]:
        if accusations(rows, shares, threshold).rate <= most:
            return threshold
    return 1.0


@dataclass(frozen=True, slots=True)
class Calibration:
    """New weights, and how good they are on verdicts that they have not seen.

    :param before: with the old weights, ``after`` with new ones, out of fold
    :param bins_before: with the old weights, ``bins`` out of fold
    :param accusations: with the threshold of the new weights, out of fold
    """

    combination: Combination
    verdicts: int
    subjects: int
    before: Quality
    after: Quality
    bins_before: list[Bin]
    bins: list[Bin]
    accusations: Accusations


def recalibrated(
    rows: Sequence[Example], old: Combination, *, folds: int = 5, most: float | None = None
) -> Calibration:
    """Fit to labelled verdicts, starting from old weights.

    :param most: the share of false accusations to allow, 0 to 1; None keeps the old threshold
    :raises ValueError: if the rows are about fewer than two subjects
    """
    fitted = calibrate(rows, old.weights, folds)
    before, after = weighed(rows, old), fitted.shares
    error = quality(rows, after)
    threshold = old.threshold if most is None else threshold_for(rows, after, most)
    about = {
        "fitted_on": [f"{name}: {number} verdicts" for name, number in Counter(one.source for one in rows).items()],
        "calibration_error": round(error.calibration_error, 4),
        "strengths": dict(fitted.strengths),
    }
    return Calibration(
        Combination(fitted.weights, threshold, about),
        len(rows),
        len({one.group for one in rows}),
        quality(rows, before),
        error,
        bins(rows, before),
        bins(rows, after),
        accusations(rows, after, threshold),
    )
