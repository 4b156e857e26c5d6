"""The whole comparison on rows that nothing was learnt from: GGA, its parts, the baselines, and the measures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from kgstore.embedding import Embedder
from kgstore.errors import InputError
from kgstore.verifier.grounding.baselines import baselines, fit
from kgstore.verifier.grounding.detector import Detector, train
from kgstore.verifier.grounding.differences import Difference, Quadrant, correlation, difference, quadrants
from kgstore.verifier.grounding.features import SETS
from kgstore.verifier.grounding.measure import Row
from kgstore.verifier.grounding.parts import split
from kgstore.verifier.grounding.rates import Rates, ahead, rates
from kgstore.verifier.measure.bootstrap import Interval
from kgstore.verifier.measure.metrics import roc_auc
from kgstore.verifier.protocols import Judge

OURS = "GGA (PRD + SAS)"
_PARTS = 2
_FEWEST = 5
"""Right and wrong answers needed on either side."""


@dataclass(frozen=True, slots=True)
class Method:
    """One line of the comparison.

    :param ahead: by how much the AUC of GGA is above this one's on the same answers, and its 95 % interval
    """

    category: str
    name: str
    rates: Rates
    ahead: tuple[float, Interval | None] | None


@dataclass(frozen=True, slots=True)
class Comparison:
    """What `compare` found; `measures` and what follows are over all rows, the rest over the tested ones.

    :param wrong: share of wrong answers among the learnt and the tested rows
    :param single: PRD and SAS of one layer each, that which tells the learnt answers apart best, as plain scores
    :param correlations: Pearson's r of PRD with SAS, and of each with the answer being right
    """

    learnt: int
    tested: int
    wrong: tuple[float, float]
    layer: int
    methods: tuple[Method, ...]
    ablation: dict[str, Rates]
    single: dict[str, Rates]
    importances: dict[str, float]
    measures: dict[str, Difference]
    correlations: dict[str, float]
    quadrants: tuple[Quadrant, ...]
    by_layer: tuple[tuple[float, float], ...]


def choose_layer(rows: Sequence[Row]) -> int:
    """Of the upper half of the layers the one whose SAS tells the answers of these rows apart best, from 1."""
    return _best_layer(rows, "sas_layers", len(rows[0]["sas_layers"]) // _PARTS)


def judged(rows: Sequence[Row]) -> list[Row]:
    """Those of which it is known whether they are right."""
    return [row for row in rows if row["wrong"] is not None]


def check(rows: Sequence[Row]) -> tuple[list[Row], list[Row]]:
    """Rows to learn from and to test on.

    :raises InputError: if there are too few of either kind on either side
    """
    parts = split(judged(rows))
    for part in parts:
        bad = sum(bool(row["wrong"]) for row in part)
        if min(bad, len(part) - bad) < _FEWEST:
            raise InputError(f"{len(part)} answers of one side have {bad} wrong ones", "measure more questions")
    return parts


def compare(
    rows: Sequence[Row], embedder: Embedder, judge: Judge | None, layer: int | None = None, gga: Detector | None = None
) -> Comparison:
    """Learn from one part of the rows and test on the other.

    :param layer: for SAS; None is the one that `choose_layer` finds in the rows that are learnt from
    :param gga: a detector to test in place of one that is learnt here
    :raises InputError: if there are too few rows, or ``gga`` is for a model with fewer layers
    """
    learnt, tested = check(rows)
    deep = len(tested[0]["sas_layers"])
    if layer is None:
        layer = gga.layer if gga else choose_layer(learnt)
    if layer > deep:
        raise InputError(f"there is no layer {layer}", f"these rows have {deep}")
    wrong, seen = (np.array([bool(row["wrong"]) for row in part]) for part in (tested, learnt))
    trained = {name: train(learnt, layer, names) for name, names in SETS.items()}
    gga = gga or trained["GGA full"]
    risk = gga.risk(tested)
    methods = []
    for one, before in zip(baselines(tested, embedder, judge), baselines(learnt, embedder, judge), strict=True):
        fitted = fit(before.scores, seen)
        score = fitted.sign * one.scores
        methods.append(Method(one.category, one.name, rates(score, wrong, fitted.threshold), ahead(risk, score, wrong)))
    methods.append(Method("our method", OURS, rates(risk, wrong, gga.threshold), None))
    ablation = {name: rates(one.risk(tested), wrong, one.threshold) for name, one in trained.items()}
    kept = [*learnt, *tested]
    bad = np.array([bool(row["wrong"]) for row in kept])
    prd, sas = np.array([row["prd"] for row in kept]), np.array([row["sas_layers"][layer - 1] for row in kept])
    return Comparison(
        len(learnt),
        len(tested),
        (float(seen.mean()), float(wrong.mean())),
        layer,
        tuple(methods),
        ablation,
        _single(learnt, tested),
        gga.importances(),
        {"PRD": difference(prd, bad), "SAS": difference(sas, bad)},
        {"PRD, SAS": correlation(prd, sas), "PRD, right": correlation(prd, ~bad), "SAS, right": correlation(sas, ~bad)},
        tuple(quadrants(prd, sas, bad)),
        tuple((_auc(kept, "prd_layers", at, bad, -1), _auc(kept, "sas_layers", at, bad, 1)) for at in range(deep)),
    )


def _single(learnt: Sequence[Row], tested: Sequence[Row]) -> dict[str, Rates]:
    seen, wrong = (np.array([bool(row["wrong"]) for row in part]) for part in (learnt, tested))
    found = {}
    for name in ("prd", "sas"):
        layer = _best_layer(learnt, f"{name}_layers")
        before, values = (np.array([row[f"{name}_layers"][layer - 1] for row in part]) for part in (learnt, tested))
        fitted = fit(before, seen)
        found[f"{name.upper()} of layer {layer}"] = rates(fitted.sign * values, wrong, fitted.threshold)
    return found


def _best_layer(rows: Sequence[Row], name: str, start: int = 0) -> int:
    wrong = np.array([bool(row["wrong"]) for row in rows])
    values = np.array([row[name] for row in rows])
    return start + int(np.argmax([_apart(one, wrong) for one in values.T[start:]])) + 1


def _auc(rows: Sequence[Row], name: str, at: int, wrong: np.ndarray, sign: int) -> float:
    """How well a measure of one layer tells right answers (SAS high, PRD low) from wrong ones; 0.5 is chance."""
    values = sign * np.array([row[name][at] for row in rows])
    return roc_auc(values[~wrong], values[wrong]) or 0.5


def _apart(values: np.ndarray, wrong: np.ndarray) -> float:
    return abs((roc_auc(values[wrong], values[~wrong]) or 0.5) - 0.5)
