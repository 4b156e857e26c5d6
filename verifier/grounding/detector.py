"""The GGA detector: boosted trees over a few features of an answer. The one file that knows XGBoost.

Source: GGA, sections 7.1 and B.3. A model is one JSON file; nothing in it can run code.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from kgstore.errors import InputError
from kgstore.verifier.grounding.features import FEATURES, table
from kgstore.verifier.grounding.measure import Row
from kgstore.verifier.grounding.parts import folds
from kgstore.verifier.grounding.rates import best_threshold
from kgstore.verifier.measure.metrics import roc_auc

SCHEMA = "kgstore.gga/1"
ROUNDS = tuple(range(10, 401, 10))
"""Numbers of trees that are tried by cross-validation on the training rows."""
_SETTINGS = {
    "objective": "binary:logistic",
    "eval_metric": "auc",
    "tree_method": "hist",
    "max_depth": 4,
    "eta": 0.05,
    "min_child_weight": 5,
    "subsample": 0.8,
    "seed": 42,
    "nthread": 1,
}


@dataclass(frozen=True, slots=True)
class Detector:
    """Says how likely an answer is wrong.

    :param layer: from 1, whose hidden states SAS is taken of
    :param threshold: answers of at least this risk are called wrong; it gave the best F1 in cross-validation
    :param model: whose answers it was trained on; the values of PRD and SAS mean nothing for another one
    :param rows: how many
    """

    features: tuple[str, ...]
    layer: int
    threshold: float
    model: str
    rows: int
    booster: Any

    def risk(self, rows: Sequence[Row]) -> np.ndarray:
        """Float64 ``(len(rows),)``, 0 to 1."""
        return _predicted(self.booster, table(rows, self.features, self.layer), self.features)

    def importances(self) -> dict[str, float]:
        """Each feature's share of what the trees gained by their splits, largest first; they sum to 1."""
        gains = self.booster.get_score(importance_type="total_gain")
        whole = sum(gains.values()) or 1.0
        shares = {name: float(gains.get(name, 0.0)) / whole for name in self.features}
        return dict(sorted(shares.items(), key=lambda one: -one[1]))

    def save(self, path: Path) -> None:
        """:raises InputError: if the file cannot be written"""
        data = {
            "schema": SCHEMA,
            "features": list(self.features),
            "layer": self.layer,
            "threshold": self.threshold,
            "model": self.model,
            "rows": self.rows,
            "booster": json.loads(self.booster.save_raw("json")),
        }
        try:
            path.write_text(json.dumps(data), encoding="utf-8")
        except OSError as error:
            raise InputError(f"cannot write {path}: {error.strerror or error}", "name another file") from None


def train(rows: Sequence[Row], layer: int, names: Sequence[str] = FEATURES) -> Detector:
    """Learn from answers of which it is known whether they are wrong.

    The number of trees and the threshold come from three-fold cross-validation on these rows; questions about one thing
    are in one fold.

    :raises InputError: if there are too few right or wrong answers to learn from
    """
    values = table(rows, names, layer)
    wrong = np.array([bool(row["wrong"]) for row in rows])
    held = folds(rows)
    if any(min(wrong[held != fold].sum(), (~wrong[held != fold]).sum()) < 1 for fold in set(held.tolist())):
        raise InputError("too few right or wrong answers to learn from", "measure more questions")
    curves, risks = np.zeros(len(ROUNDS)), np.zeros((len(ROUNDS), len(rows)))
    for fold in sorted(set(held.tolist())):
        learnt, test = held != fold, held == fold
        booster = _fitted(values[learnt], wrong[learnt], names, ROUNDS[-1])
        for at, trees in enumerate(ROUNDS):
            risks[at, test] = _predicted(booster, values[test], names, trees)
            curves[at] += roc_auc(risks[at, test & wrong], risks[at, test & ~wrong]) or 0.5
    best = int(curves.argmax())
    threshold = best_threshold(risks[best], wrong)
    model = ", ".join(sorted({str(row.get("model", "")) for row in rows}))
    booster = _fitted(values, wrong, names, ROUNDS[best])
    return Detector(tuple(names), layer, threshold, model, len(rows), booster)


def load(path: Path) -> Detector:
    """
    :raises InputError: if the file holds no detector
    """
    xgboost = _xgboost()
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        if data["schema"] != SCHEMA:
            raise ValueError(f"its schema is {data['schema']}")
        booster = xgboost.Booster()
        booster.load_model(bytearray(json.dumps(data["booster"]).encode()))
        return Detector(
            tuple(data["features"]),
            int(data["layer"]),
            float(data["threshold"]),
            str(data["model"]),
            int(data["rows"]),
            booster,
        )
    except (OSError, ValueError, KeyError, TypeError, xgboost.core.XGBoostError) as error:
        reason = " ".join(str(error).split())[:200]
        raise InputError(f"{path} holds no detector ({reason})", "make one with `kgstore grounding train`") from None


def _xgboost() -> Any:
    try:
        import xgboost
    except ImportError:
        raise InputError("XGBoost is not installed", "install kgstore with the extra grounding") from None
    return xgboost


def _fitted(values: np.ndarray, wrong: np.ndarray, names: Sequence[str], trees: int) -> Any:
    xgboost = _xgboost()
    settings = {**_SETTINGS, "scale_pos_weight": float((~wrong).sum() / max(1, wrong.sum()))}
    data = xgboost.DMatrix(values, label=wrong.astype(np.float32), feature_names=list(names), nthread=1)
    return xgboost.train(settings, data, trees)


def _predicted(booster: Any, values: np.ndarray, names: Sequence[str], trees: int = 0) -> np.ndarray:
    data = _xgboost().DMatrix(values, feature_names=list(names), nthread=1)
    return booster.predict(data, iteration_range=(0, trees)).astype(np.float64)
