"""The measures of labelled claims, as sums over rows, so that a row can count any number of times.

Counting every row once gives the measures themselves; counting rows as often as chance draws them gives what the
measures might have been on other rows like these (`verifier.measure.bootstrap`). The rows of a passage's claims count
together.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from kgstore.verifier.measure.judged import A, C, E, Judged, Reports, confidence, judged, p_attributable, probabilities
from kgstore.verifier.measure.labelled import Json, kind_of
from kgstore.verifier.measure.metrics import weighted_auc

Totals = dict[str, np.ndarray]
"""name -> float64 ``(n, ...)``, added up over rows in ``n`` ways."""

BINS = 10
"""Of calibration: confidences from 0 to 0.1, from 0.1 to 0.2, and so on."""
_GOT = {A: 0, E: 1, C: 2}
_OTHER = 3


@dataclass(frozen=True, slots=True)
class Sample:
    """What each row adds to the measures.

    :param counts: float64 ``(rows, ...)`` by name: ``cells`` (gold label, given label), ``bins`` (confidence's bin; its
        verdicts, the sum of their confidences, how many are right), ``brier`` (sum of squares), and of passages
        ``spans`` (labelled, found, matched)
    :param ranked: of binary sets, P(attributable) of each row that has a report, whether it is so, and its row
    """

    kind: str
    rows: int
    counts: Totals
    ranked: tuple[np.ndarray, np.ndarray, np.ndarray] | None = None

    def measures(self, weights: np.ndarray | None = None) -> dict[str, np.ndarray]:
        """Each measure, counting rows in ``n`` ways.

        :param weights: float64 ``(n, rows)``, how often each row counts; without it each counts once, ``n`` is 1
        :return: name -> float64 ``(n,)``, NaN where a measure is undefined
        """
        weights = np.ones((1, self.rows)) if weights is None else weights
        totals = {name: np.tensordot(weights, counts, axes=(1, 0)) for name, counts in self.counts.items()}
        found: dict[str, np.ndarray] = {}
        if self.kind != "binary":
            found["macro_f1"] = _macro_f1(totals["cells"])
        elif self.ranked is not None:
            scores, positive, rows = self.ranked
            found["roc_auc"] = weighted_auc(scores, positive, weights[:, rows])
        found |= {name: _divided(*parts) for name, parts in ratios(self.kind, totals).items()}
        bins = totals["bins"]
        gaps = np.abs(bins[:, :, 1] - bins[:, :, 2]).sum(axis=1)
        found["calibration_error"] = _divided(gaps, bins[:, :, 0].sum(axis=1))
        found["brier"] = _divided(totals["brier"], bins[:, :, 0].sum(axis=1))
        return found


def ratios(kind: str, totals: Totals) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """The measures that are shares: how many of how many, each ``(n,)``."""
    cells = totals["cells"]
    whole = cells.sum(axis=(1, 2))
    decided = (cells[:, :, _GOT[A]] + cells[:, :, _GOT[C]]).sum(axis=1)
    right_of_decided = cells[:, 0, _GOT[A]] + cells[:, -1, _GOT[C]]
    if kind == "binary":
        right = cells[:, 0, _GOT[A]] + cells[:, 1, _GOT[E]] + cells[:, 1, _GOT[C]]
        accused, innocent = cells[:, 0, _GOT[C]], cells[:, 0].sum(axis=1)
    else:
        right = np.trace(cells, axis1=1, axis2=2)
        accused, innocent = cells[:, :2, _GOT[C]].sum(axis=1), cells[:, :2].sum(axis=(1, 2))
    found = {
        "label_accuracy" if kind == "passages" else "accuracy": (right, whole),
        "false_accusations": (accused, innocent),
        "coverage": (decided, whole),
        "accuracy_of_decided": (right_of_decided, decided),
    }
    if kind != "passages":
        return found
    labelled, claimed, matched = np.moveaxis(totals["spans"], -1, 0)
    return {
        "span_f1": (2 * matched, labelled + claimed),
        "span_precision": (matched, claimed),
        "span_recall": (matched, labelled),
        **found,
    }


def sample(gold: Sequence[Json], reports: Reports) -> Sample:
    """What each row adds to the measures of its kind.

    Calibration is that of the verdicts' confidence and the Brier score sums over the three labels, 0 to 2; in binary
    sets both are of P(attributable), the Brier score is 0 to 1.

    :param gold: rows of the kinds ``labels``, ``binary`` or ``passages``
    """
    kind, rows = kind_of(gold), len(gold)
    cells = np.zeros((rows, 2 if kind == "binary" else 3, 4))
    bins, brier = np.zeros((rows, BINS, 3)), np.zeros(rows)
    counts = {"cells": cells, "bins": bins, "brier": brier}
    all_judged = judged(gold, reports)
    for one in all_judged:
        if one.compared or kind != "passages":
            which = int(one.gold != A) if kind == "binary" else _GOT[one.gold]
            cells[one.row, which, _GOT.get(one.got, _OTHER)] += 1
    if kind == "binary":
        known = [i for i, row in enumerate(gold) if row["id"] in reports]
        scores = np.array([p_attributable(reports[gold[i]["id"]]) for i in known])
        positive = np.array([gold[i]["label"] == A for i in known], dtype=bool)
        for i, p, true in zip(known, scores, positive, strict=True):
            _calibrate(bins[i], p, true)
            brier[i] += (p - true) ** 2
        return Sample(kind, rows, counts, (scores, positive, np.array(known, dtype=np.intp)))
    for one in all_judged:
        if one.compared and one.verdict:
            _calibrate(bins[one.row], confidence(one.verdict), one.right)
            brier[one.row] += _squares(one)
    if kind == "passages":
        found = [len(reports.get(row["id"], {"claims": []})["claims"]) for row in gold]
        labelled = [len(row["claims"]) for row in gold]
        counts["spans"] = np.stack([labelled, found, cells.sum(axis=(1, 2))], axis=1).astype(float)
    return Sample(kind, rows, counts)


def _calibrate(bins: np.ndarray, p: float, right: bool) -> None:
    bins[min(BINS - 1, int(p * BINS))] += (1, p, right)


def _squares(one: Judged) -> float:
    return sum((p - (one.gold == label)) ** 2 for label, p in zip((A, E, C), probabilities(one.verdict), strict=True))


def _macro_f1(cells: np.ndarray) -> np.ndarray:
    """Mean F1 of the labels that the gold has, ``(n,)``; a label that a draw leaves out does not count in it."""
    hits = np.stack([cells[:, i, i] for i in range(3)], axis=1)
    support, predicted = cells.sum(axis=2), cells[:, :, :3].sum(axis=1)
    f1 = 2 * hits / np.maximum(1, support + predicted)
    return _divided((f1 * (support > 0)).sum(axis=1), (support > 0).sum(axis=1).astype(float))


def _divided(part: np.ndarray, whole: np.ndarray) -> np.ndarray:
    return np.divide(part, whole, out=np.full(len(whole), np.nan), where=whole > 0)
