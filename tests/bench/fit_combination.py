"""How the shipped weights of `verifier.decide.combine` are made, and how well they do on what they have not seen.

Fits on the half ``tune`` of each labelled file (`verifier.measure.labelled.half_of`: by a hash of the subject), drawn
towards the base rates below, and prints for the half ``report`` of each file how good the probabilities are with the
base rates alone and with the fitted weights.

Run:    OPENBLAS_NUM_THREADS=1 python -m tests.bench.fit_combination --kg medium.kg --kg small.kg claims/*.jsonl -o FILE
        A row with a field ``slice`` is checked against the KG whose folder has that name (``small``: ``small.kg``), the
        others against the first one. Without -o nothing is written; the shipped file is
        verifier/decide/combination.json.
Prints: one JSON line a file, and one for all files together.
"""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path

import numpy as np
import orjson

from kgstore.store import Store
from kgstore.verifier.decide.combine import Combination, Shares
from kgstore.verifier.measure.calibration import Example, calibrate, examples, weighed
from kgstore.verifier.measure.labelled import Json, half_of, read_gold
from kgstore.verifier.measure.metrics import roc_auc
from kgstore.verifier.measure.reliability import LEAST, accusations, quality
from kgstore.verifier.pipeline import Verifier
from kgstore.verifier.report.report import report_dict

BASE: dict[str, Shares] = {
    "attributable": (0.92, 0.05, 0.03),
    "extrapolatory": (0.10, 0.80, 0.10),
    "contradictory": (0.04, 0.08, 0.88),
}
"""How often each label is right where a tier gives one, before anything is counted; the rows sum to 1."""
STRENGTH = 1.0
"""Of the pull to these base rates: as much as one row of each kind."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--kg", action="append", required=True, type=Path)
    parser.add_argument("-o", "--output", type=Path)
    chosen = parser.parse_args()
    start = {name: _centred(shares) for name, shares in BASE.items()}
    verifiers = {kg.stem: Verifier(Store(kg), combination=Combination(start)) for kg in chosen.kg}
    gold = {f"{path.parent.name}/{path.stem}": read_gold(path) for path in chosen.files}
    skipped: Counter[str] = Counter()
    found = {name: _examples(name, rows, verifiers, skipped) for name, rows in gold.items()}
    tune = [one for name in found for one in found[name]["tune"]]
    fitted = calibrate(tune, start, strengths=(STRENGTH,))
    about = {
        "fitted_on": [f"{name}: {len(halves['tune'])} verdicts of the half tune" for name, halves in found.items()],
        "strengths": fitted.strengths,
    }
    combination = Combination(fitted.weights, LEAST, about)
    everything = {name: halves["report"] for name, halves in found.items()}
    everything["all"] = [one for rows in everything.values() for one in rows]
    for name, rows in everything.items():
        print(orjson.dumps({"file": name, **_measured(rows, Combination(start), combination)}).decode())
    print(orjson.dumps({"left_out": skipped}).decode())
    if chosen.output:
        chosen.output.write_text(combination.to_json(), encoding="utf-8")


def _examples(
    name: str, rows: list[Json], verifiers: dict[str, Verifier], skipped: Counter[str]
) -> dict[str, list[Example]]:
    halves: dict[str, list[Example]] = {}
    first = next(iter(verifiers))
    for half in ("tune", "report"):
        mine = [row for row in rows if half_of(row) == half]
        reports = {}
        for row in mine:
            verifier = verifiers[row.get("slice", first)]
            reports[row["id"]] = report_dict(verifier.verify(row["text"], row["id"]), verifier.store)
        halves[half] = list(examples(mine, reports, skipped, name))
    return halves


def _measured(rows: list[Example], start: Combination, fitted: Combination) -> Json:
    shares = weighed(rows, fitted)
    right = np.array([one.right[0] for one in rows])
    accused = accusations(rows, shares, fitted.threshold)
    before, after = quality(rows, weighed(rows, start)), quality(rows, shares)
    return {
        "verdicts": len(rows),
        "calibration_error": [round(before.calibration_error, 4), round(after.calibration_error, 4)],
        "brier": [round(before.brier, 4), round(after.brier, 4)],
        "log_loss": [round(before.log_loss, 4), round(after.log_loss, 4)],
        "roc_auc": roc_auc(shares[right, 0].tolist(), shares[~right, 0].tolist()),
        "false_accusations": [accused.false, accused.innocent],
        "given_up": [accused.given_up, accused.right + accused.given_up],
    }


def _centred(shares: Shares) -> Shares:
    logs = np.log(shares)
    first, second, third = (logs - logs.mean()).tolist()
    return first, second, third


if __name__ == "__main__":
    main()
