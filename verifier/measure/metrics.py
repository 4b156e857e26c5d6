"""The measures of `kgstore.verifier.measure.evaluate`, each a plain function of numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

Confusion = Mapping[tuple[str, str], int]
"""(gold label, predicted label) -> how often."""


@dataclass(frozen=True, slots=True)
class LabelScore:
    """How well one label is met; ``support`` is how often it is right."""

    precision: float
    recall: float
    f1: float
    support: int


def label_score(confusion: Confusion, label: str) -> LabelScore:
    """Precision, recall and F1 of one label; 0 where nothing can be divided.

    >>> label_score({("a", "a"): 3, ("a", "b"): 1, ("b", "a"): 2}, "a")
    LabelScore(precision=0.6, recall=0.75, f1=0.6666666666666666, support=4)
    """
    hits = confusion.get((label, label), 0)
    support = sum(count for (gold, _), count in confusion.items() if gold == label)
    predicted = sum(count for (_, got), count in confusion.items() if got == label)
    return LabelScore(hits / max(1, predicted), hits / max(1, support), 2 * hits / max(1, predicted + support), support)


def roc_auc(positive: Sequence[float], negative: Sequence[float]) -> float | None:
    """Chance that a positive scores above a negative, ties counting half; None if either is empty.

    >>> roc_auc([0.9, 0.5], [0.5, 0.1])
    0.875
    """
    scores = np.array([*positive, *negative], dtype=float)
    found = weighted_auc(scores, np.arange(len(scores)) < len(positive), np.ones((1, len(scores))))[0]
    return None if np.isnan(found) else float(found)


def weighted_auc(scores: np.ndarray, positive: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """`roc_auc` of cases that count several times or not at all.

    :param scores: float ``(cases,)``
    :param positive: bool ``(cases,)``
    :param weights: float ``(n, cases)``
    :return: float64 ``(n,)``, NaN where positives or negatives are missing
    """
    order = np.argsort(scores, kind="stable")
    ordered = scores[order]
    starts = np.flatnonzero(np.diff(ordered, prepend=-np.inf) > 0)      # of each group of equal scores
    if len(starts) == 0:
        return np.full(len(weights), np.nan)
    good = np.add.reduceat(weights[:, order] * positive[order], starts, axis=1)
    bad = np.add.reduceat(weights[:, order] * ~positive[order], starts, axis=1)
    below = np.cumsum(bad, axis=1) - bad / 2
    pairs = good.sum(axis=1) * bad.sum(axis=1)
    return np.divide((good * below).sum(axis=1), pairs, out=np.full(len(pairs), np.nan), where=pairs > 0)


def balanced_accuracy(risks: Sequence[tuple[float, bool]], threshold: float) -> float:
    """Mean of the share of bad texts above ``threshold`` and of good ones not above it.

    :param risks: (risk, is it good?) of each text
    """
    bad = [risk > threshold for risk, good in risks if not good]
    fine = [risk <= threshold for risk, good in risks if good]
    return (sum(bad) / max(1, len(bad)) + sum(fine) / max(1, len(fine))) / 2


def best_threshold(risks: Sequence[tuple[float, bool]]) -> float:
    """The lowest threshold with the best balanced accuracy.

    >>> best_threshold([(0.9, False), (0.4, True), (0.1, True)])
    0.4
    """
    candidates = sorted({risk for risk, _ in risks} | {-1.0})
    return max(candidates, key=lambda threshold: balanced_accuracy(risks, threshold))


def overlap(first: tuple[int, int], second: tuple[int, int]) -> float:
    """Intersection over union of two spans.

    >>> overlap((0, 10), (5, 10)), overlap((0, 5), (5, 10))
    (0.5, 0.0)
    """
    shared = min(first[1], second[1]) - max(first[0], second[0])
    return max(0, shared) / max(1, max(first[1], second[1]) - min(first[0], second[0]))


def match_spans(gold: Sequence[tuple[int, int]], found: Sequence[tuple[int, int]]) -> list[int | None]:
    """For each gold span the best free found span that overlaps it by half or more; gold spans choose in order."""
    free = list(range(len(found)))
    matches: list[int | None] = []
    for span in gold:
        best = max(free, key=lambda i: overlap(span, found[i]), default=None)
        if best is not None and overlap(span, found[best]) < 0.5:
            best = None
        if best is not None:
            free.remove(best)
        matches.append(best)
    return matches
