"""KEA Explain on the graph pairs that its authors stored: is their kernel ours, and how much better is our default?

Run:    python -m tests.bench.bench_kea summeval_graph_pairs.csv.gz --together 16
        python -m tests.bench.bench_kea wikibio_graph_pairs.csv.gz --keep vectors.npz
Prints: one JSON line for each part, so that runs can be appended and compared.

--together 16   rows that are about one article (SummEval); WikiBio's rows name their passage
--keep FILE     keeps the vectors of all texts for the next run
--only PART ... some of the parts, such as: stored paper default

- "stored": the scores in the file; "kernel": ours on the stored graphs as they are (they are selected and clustered
  already), and the largest difference to the stored scores; "best_on_all" is the strict balanced accuracy of the best
  threshold on all rows, as the paper chooses it, "doubled" what counting ties both ways would report
- "paper" and "default": the whole comparison with our embedding model, see `kgstore.verifier.kernel.compare`
- "without ...": the default with one of its choices as in the paper
For each the threshold is chosen on the half "tune" and measured on the half "report"; beside it the thresholds that
need no labels, and which share of the tuned balanced accuracy above one half they keep.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from kgstore.embedding import load_embedder
from kgstore.verifier.kernel.clusters import DISTANCE
from kgstore.verifier.kernel.compare import DEFAULT, PAPER, Setting, likeness
from kgstore.verifier.kernel.graphs import Shape
from kgstore.verifier.kernel.memory import Memory
from kgstore.verifier.kernel.threshold import null_threshold
from kgstore.verifier.kernel.wl import ITERATIONS
from kgstore.verifier.measure.sweep import curves, rates
from kgstore.verifier.measure.sweep_measures import kernel_alone, swept
from kgstore.verifier.measure.sweep_rows import Row, read_rows

VARIANTS: dict[str, Setting] = {
    "paper": PAPER,
    "default": DEFAULT,
    "without edges": replace(DEFAULT, shape=Shape.ENTITIES),
    "with relation nodes": replace(DEFAULT, shape=Shape.RELATIONS),
    "without weakest part": replace(DEFAULT, weakest=0.0),
    "with 5 iterations": replace(DEFAULT, iterations=ITERATIONS),
    "with distance 0.35": replace(DEFAULT, distance=DISTANCE),
}


class Kept(Memory):
    """A memory that is read from a file, and written back."""

    def __init__(self, path: Path | None) -> None:
        super().__init__(load_embedder())
        self.path = path
        if path and path.exists():
            with np.load(path, allow_pickle=False) as found:
                self._known = dict(zip(found["texts"].tolist(), found["vectors"], strict=True))

    def save(self) -> None:
        if self.path:
            np.savez(self.path, texts=np.array(list(self._known)), vectors=np.array(list(self._known.values())))


def setup(path: Path, together: int, keep: Path | None) -> tuple[list[Row], Kept]:
    return read_rows(path, together=together), Kept(keep)


def measure(rows: Sequence[Row], scores: Sequence[float], null: float | None) -> dict[str, object]:
    found = swept(rows, scores, null=lambda _: null)
    tuned = found.thresholds[0].rates.balanced_accuracy
    return {
        "roc_auc": _short(found.roc_auc),
        "roc_auc_interval": [_short(end) for end in found.roc_auc_interval or ()],
        "roc_auc_by_half": {half: _short(_area(rows, scores, half)) for half in ("tune", "report")},
        "pr_auc": _short(found.curves.pr_auc),
        "report": {
            one.source: {
                "threshold": _short(one.rates.threshold),
                "balanced_accuracy": _short(one.rates.balanced_accuracy),
                "interval": [_short(end) for end in one.interval or ()],
                "f1": _short(one.rates.f1),
                "kept": _short((one.rates.balanced_accuracy - 0.5) / (tuned - 0.5)),
            }
            for one in found.thresholds
        },
    }


def _area(rows: Sequence[Row], scores: Sequence[float], half: str) -> float:
    kept = [(score, row.bad) for row, score in zip(rows, scores, strict=True) if row.half == half]
    line = curves([score for score, _ in kept], [bad for _, bad in kept])
    return float(np.trapezoid(line.found, line.accused))


def stored(rows: Sequence[Row]) -> dict[str, object]:
    """The stored scores beside our kernel on the stored graphs."""
    scores, ours = [row.score or 0.0 for row in rows], [kernel_alone(row) for row in rows]
    bad = [row.bad for row in rows]
    best = curves(scores, bad).best()
    ties = np.array([score for score in scores if score == best])
    tied = [b for score, b in zip(scores, bad, strict=True) if score == best]
    strict = rates(scores, bad, best).balanced_accuracy
    doubled = strict + sum(tied) / sum(bad) / 2 if len(ties) else strict
    return {
        "rows": len(rows),
        "bad": sum(bad),
        "largest_difference": float(np.abs(np.array(scores) - np.array(ours)).max()),
        "best_on_all": {"threshold": _short(best), "balanced_accuracy": _short(strict), "doubled": _short(doubled)},
        "best_f1_on_all": _short(rates(scores, bad, curves(scores, bad).best("f1")).f1),
        "flag_all_f1": _short(rates(scores, bad, 2.0).f1),
    }


def _short(value: float | None) -> float | None:
    return None if value is None else round(float(value), 4)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("rows", type=Path)
    parser.add_argument("--together", type=int, default=1)
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--only", nargs="*", help="some of the variants, or stored")
    options = parser.parse_args()
    rows, embedder = setup(options.rows, options.together, options.keep)
    name = options.rows.name.partition("_")[0]
    if not options.only or "stored" in options.only:
        print(json.dumps({"data": name, "part": "kernel", **stored(rows)}))
        print(json.dumps({"data": name, "part": "stored", **measure(rows, [row.score or 0.0 for row in rows], None)}))
    for part, setting in VARIANTS.items():
        if not options.only or part in options.only:
            scores = [likeness(row.claim, row.context, embedder, setting).score for row in rows]
            held = [(row.claim, row.context) for row in rows if row.half == "report"]
            null = null_threshold(held, embedder, setting) if part in ("paper", "default") else None
            print(json.dumps({"data": name, "part": part, **measure(rows, scores, null)}), flush=True)
    embedder.save()


if __name__ == "__main__":
    main()
