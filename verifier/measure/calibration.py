"""Fits `verifier.decide.combine` to labelled claims, and says how well it will do on claims that it has not seen.

All that is reported is out of fold: the rows about one subject are in one fold, and each fold is judged by weights that
were fitted on the others. Weights are drawn towards those that one starts from; how strongly is chosen by the same
folds, so that a few dozen rows change little and many rows decide.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from kgstore.verifier.claims import WORST_FIRST, Label
from kgstore.verifier.decide.combine import Combination, Shares
from kgstore.verifier.decide.features import decided
from kgstore.verifier.measure.judged import spans
from kgstore.verifier.measure.labelled import Json, kind_of
from kgstore.verifier.measure.logistic import fit, log_loss, probabilities
from kgstore.verifier.measure.metrics import match_spans, overlap

STRENGTHS = (1.0, 3.0, 10.0, 30.0, 100.0)
_SAME = 0.8
"""Overlap of a labelled claim and a found one from which they are surely the same."""
_LABELS = tuple(Label)


@dataclass(frozen=True, slots=True)
class Example:
    """A verdict's features, and what is known of its right label.

    :param right: for each label whether it may be the right one; several where a row only says "not attributable"
    :param group: examples of one group (the subject) are never in two folds
    :param source: the file that it is from
    """

    features: Mapping[str, float]
    right: tuple[bool, bool, bool]
    group: str
    source: str = ""

    @property
    def label(self) -> Label:
        """What the tiers said."""
        return decided(self.features)


def examples(
    gold: Sequence[Json], reports: Mapping[str, Json], skipped: Counter[str], source: str = ""
) -> Iterator[Example]:
    """Labelled verdicts; each row or gold claim that gives none is counted in ``skipped`` under its reason.

    A row with one label and several claims says that its worst claim has that label. A claim of a passage is compared
    with the verdict whose words are nearly the same: with less than that in common it is perhaps about something else.

    :param reports: id -> report as `kgstore.verifier.report.report.report_dict` makes it
    """
    for row in gold:
        claims = reports[row["id"]]["claims"]
        group = str(row.get("subject") or row["id"])
        if kind_of([row]) == "passages":
            for right, i in zip(row["claims"], match_spans(spans(row["claims"]), spans(claims)), strict=True):
                if i is None:
                    skipped["claim not found"] += 1
                elif overlap(*spans((right, claims[i]))) < _SAME:
                    skipped["claim found with other words"] += 1
                else:
                    yield _example(claims[i], right["label"], group, source)
        elif claims:
            worst = min(claims, key=lambda one: WORST_FIRST.index(decided(one["features"])))
            yield _example(worst, row["label"], group, source)
        else:
            skipped["no claim found"] += 1


def _example(claim: Json, label: str, group: str, source: str) -> Example:
    values = {name: feature["value"] for name, feature in claim["features"].items()}
    first, second, third = (label == one or (label not in _LABELS and one is not Label.ATTRIBUTABLE) for one in Label)
    return Example(values, (first, second, third), group, source)


# -- fitting ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Fitted:
    """Weights, and the out-of-fold probabilities by which they are judged.

    :param shares: float64 ``(n, 3)``, of each example by weights that have not seen its group
    :param strengths: label of the tiers -> how strongly its weights were drawn to the old ones
    """

    weights: Mapping[str, Shares]
    shares: np.ndarray
    strengths: Mapping[str, float]


def calibrate(
    rows: Sequence[Example], prior: Mapping[str, Shares], folds: int = 5, strengths: Sequence[float] = STRENGTHS
) -> Fitted:
    """Fit to all rows. The verdicts of each label have weights of their own, so there is one fit for each.

    :param prior: the weights to start from
    :param strengths: of the pull to them, to choose from
    :raises ValueError: if the rows have fewer than two groups
    """
    fold = _folds([one.group for one in rows], folds)
    shares, weights, chosen = np.zeros((len(rows), 3)), dict(prior), {}
    for label in Label:
        mine = [i for i, one in enumerate(rows) if one.label is label]
        if mine:
            names, values, right, start = _arrays([rows[i] for i in mine], prior, label)
            strength, shares[mine] = _best(values, right, start, fold[mine], strengths)
            fitted = fit(values, right, start, strength)
            weights |= {name: _rounded(row) for name, row in zip(names, fitted, strict=True)}
            chosen[label.value] = strength
    return Fitted({name: row for name, row in weights.items() if any(row)}, shares, chosen)


def weighed(rows: Sequence[Example], by: Combination) -> np.ndarray:
    """Float64 ``(n, 3)``: the probabilities of each example."""
    return np.array([by.probabilities(one.features) for one in rows]).reshape(-1, 3)


def _arrays(
    rows: Sequence[Example], prior: Mapping[str, Shares], label: Label
) -> tuple[list[str], np.ndarray, np.ndarray, np.ndarray]:
    """Names of features, ``(n, d)`` their values, ``(n, 3)`` what is right, ``(d, 3)`` the weights to start from."""
    known = (name for name in prior if name.startswith(label.value))
    names = sorted({*known, *(name for one in rows for name in one.features)})
    values = np.array([[one.features.get(name, 0.0) for name in names] for one in rows])
    start = np.array([prior.get(name, (0.0, 0.0, 0.0)) for name in names])
    return names, values, np.array([one.right for one in rows]), start


def _best(
    values: np.ndarray, right: np.ndarray, prior: np.ndarray, fold: np.ndarray, strengths: Sequence[float]
) -> tuple[float, np.ndarray]:
    """The strongest pull to the prior that is no worse out of fold than the best one, but for chance (one standard
    error of the difference), and its probabilities.
    """
    tried = {strength: _out_of_fold(values, right, prior, fold, strength) for strength in strengths}
    lost = {strength: log_loss(shares, right) for strength, shares in tried.items()}
    best = lost[min(lost, key=lambda one: lost[one].sum())]
    for strength in sorted(strengths, reverse=True):
        more = lost[strength] - best
        if more.mean() <= more.std() / len(more) ** 0.5:
            return strength, tried[strength]
    raise AssertionError("the best is as good as itself")


def _out_of_fold(
    values: np.ndarray, right: np.ndarray, prior: np.ndarray, fold: np.ndarray, strength: float
) -> np.ndarray:
    shares = np.zeros(right.shape)
    for one in np.unique(fold):
        weights = fit(values[fold != one], right[fold != one], prior, strength)
        shares[fold == one] = probabilities(values[fold == one], weights)
    return shares


def _folds(groups: Sequence[str], folds: int) -> np.ndarray:
    """A fold for each row, ``(n,)``: the groups are dealt out in the order of their hashes."""
    order = sorted(set(groups), key=lambda one: hashlib.md5(one.encode(), usedforsecurity=False).digest())
    if len(order) < 2:
        raise ValueError("labelled claims about two subjects at least are needed")
    dealt = {group: i % min(folds, len(order)) for i, group in enumerate(order)}
    return np.array([dealt[group] for group in groups])


def _rounded(row: np.ndarray) -> Shares:
    first, second, third = (round(float(one), 3) + 0.0 for one in row)
    return first, second, third
