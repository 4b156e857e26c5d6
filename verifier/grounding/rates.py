"""How well a score tells wrong answers (class 1) from right ones: the columns of the paper's tables."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kgstore.verifier.measure.bootstrap import Interval, percentiles, row_draws
from kgstore.verifier.measure.metrics import label_score, weighted_auc

_STEPS = 50
_LOW, _HIGH = 0.1, 0.9


@dataclass(frozen=True, slots=True)
class Rates:
    """Measures of one detector on one set of answers; all but ``auc`` depend on its threshold.

    :param interval: 95 %, of ``auc``, from 2,000 draws of the answers with replacement
    """

    auc: float
    interval: Interval | None
    f1: float
    macro_f1: float
    precision: float
    recall: float
    flagged: float


def rates(risk: np.ndarray, wrong: np.ndarray, threshold: float) -> Rates:
    """
    :param risk: float ``(n,)``, more is worse
    :param wrong: bool ``(n,)``
    :param threshold: a risk of at least this is called wrong
    """
    got = risk >= threshold
    pairs = {(str(a), str(b)): int(((wrong == a) & (got == b)).sum()) for a in (True, False) for b in (True, False)}
    one, other = label_score(pairs, "True"), label_score(pairs, "False")
    auc = float(weighted_auc(risk, wrong, np.ones((1, len(risk))))[0])
    drawn = _over_draws(risk, wrong)
    return Rates(auc, percentiles(drawn), one.f1, (one.f1 + other.f1) / 2, one.precision, one.recall, float(got.mean()))


def ahead(first: np.ndarray, second: np.ndarray, wrong: np.ndarray) -> tuple[float, Interval | None]:
    """By how much the AUC of the first score is above that of the second on the same answers, with its interval."""
    once = np.ones((1, len(wrong)))
    point = weighted_auc(first, wrong, once)[0] - weighted_auc(second, wrong, once)[0]
    return float(point), percentiles(_over_draws(first, wrong) - _over_draws(second, wrong))


def _over_draws(risk: np.ndarray, wrong: np.ndarray) -> np.ndarray:
    """The AUC over 2,000 draws of the answers, the same each time, ``(2000,)``."""
    return np.concatenate([weighted_auc(risk, wrong, weights) for weights in row_draws(len(risk))])


def best_threshold(risk: np.ndarray, wrong: np.ndarray) -> float:
    """Of 50 thresholds from the 10th to the 90th percentile of the risks, the lowest with the best F1 of class 1.

    The paper tries 50 probabilities from 0.1 to 0.9 (B.3.3); percentiles do the same for scores of any range.
    """
    tried = np.unique(np.quantile(risk, np.linspace(_LOW, _HIGH, _STEPS)))
    return float(max(tried, key=lambda threshold: _f1(risk >= threshold, wrong)))


def _f1(got: np.ndarray, wrong: np.ndarray) -> float:
    return 2 * float((got & wrong).sum()) / max(1.0, float(got.sum() + wrong.sum()))
