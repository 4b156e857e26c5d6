"""KEA Explain: the worked example, and the kernel on the graph pairs that its authors stored."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from kgstore.embedding import load_embedder
from kgstore.verifier.kernel.graphs import Shape, graph_of
from kgstore.verifier.kernel.wl import similarity
from kgstore.verifier.measure.labelled import HALVES
from kgstore.verifier.measure.metrics import roc_auc
from kgstore.verifier.measure.sweep import Rates, curves, rates
from kgstore.verifier.measure.sweep_measures import FLAG_ALL, kernel_alone, scores_of
from kgstore.verifier.measure.sweep_rows import Row, read_rows
from kgstore.verifier.reproduce.table import PAPER, Asked, Line, Result, sample

SUMMARIES = 16
"""Of one article, after one another in SummEval."""
ON_SUMMEVAL = {"balanced_accuracy": 0.761, "accuracy": 0.782, "precision": 0.276, "recall": 0.736, "f1": 0.401}
ON_WIKIBIO = {"precision": 0.734, "recall": 0.984, "f1": 0.841, "accuracy": 0.730, "balanced_accuracy": 0.523}
"""The paper's figures at its thresholds (table 5)."""
COLUMNS = (PAPER, "stored scores", "our kernel", "our default")


def example(asked: Asked) -> Result:
    """France, the Euro and the Franc (appendix)."""
    euro, franc = (
        graph_of([("France", "capital", "Paris"), ("France", "currency", money)], Shape.RELATIONS)
        for money in ("Euro", "Franc")
    )
    line = Line("similarity after 2 iterations", (9 / 15, similarity(euro, franc, 2)))
    return Result((PAPER, "ours"), (line,))


def summeval(asked: Asked, path: Path) -> Result:
    """Tables 2 and 5 and figure 3 on SummEval; our default has its threshold from one half, measured on the other."""
    rows = sample(read_rows(path, together=SUMMARIES), asked.rows)
    scored = _scored(rows, asked)
    bad = [row.bad for row in rows]
    fixed = [rates(scores, bad, 1 - 0.15) for scores in scored[:2]]
    best = [rates(scores, bad, curves(scores, bad).best()) for scores in scored]
    tuned = [_halves(rows, scores, "balanced_accuracy") for scores in scored]
    lines = (
        Line("ROC-AUC", (0.79, *(_auc(scores, bad) for scores in scored))),
        *_fixed(fixed, ON_SUMMEVAL),
        Line("balanced accuracy, best threshold of these rows", (None, *(one.balanced_accuracy for one in best))),
        Line("balanced accuracy, threshold of the other half", (None, *(one.balanced_accuracy for one in tuned))),
    )
    return Result(COLUMNS, lines, (f"{len(rows)} summaries, {sum(bad)} rated below 4",))


def wikibio(asked: Asked, path: Path) -> Result:
    """Tables 3 and 5 and figure 4 on WikiBio."""
    rows = sample(read_rows(path), asked.rows)
    scored = _scored(rows, asked)
    bad = [row.bad for row in rows]
    fixed = [rates(scores, bad, 1 - 0.3) for scores in scored[:2]]
    tuned = [_halves(rows, scores, "f1") for scores in scored]
    all_bad = rates(scored[0], bad, FLAG_ALL)
    lines = (
        Line("area under precision and recall", (0.77, *(curves(scores, bad).pr_auc for scores in scored))),
        *_fixed(fixed, ON_WIKIBIO),
        Line("F1, threshold of the other half", (None, *(one.f1 for one in tuned))),
        Line("F1 if every sentence is flagged", (None, all_bad.f1, all_bad.f1, all_bad.f1)),
        Line("ROC-AUC", (None, *(_auc(scores, bad) for scores in scored))),
    )
    return Result(COLUMNS, lines, (f"{len(rows)} sentences, {sum(bad)} with an inaccuracy",))


def _fixed(found: Sequence[Rates], paper: dict[str, float]) -> list[Line]:
    """At the paper's threshold; none for our default, whose scores are on another scale."""
    return [
        Line(f"{name.replace('_', ' ')}, the paper's threshold", (figure, *(getattr(one, name) for one in found), None))
        for name, figure in paper.items()
    ]


def _scored(rows: Sequence[Row], asked: Asked) -> list[list[float]]:
    """As stored, by our kernel on the graphs as they are, and by our default comparison."""
    default = scores_of(rows, "default", load_embedder(), asked.advance)
    return [[row.score or 0.0 for row in rows], [kernel_alone(row) for row in rows], default]


def _auc(scores: Sequence[float], bad: Sequence[bool]) -> float | None:
    pairs = list(zip(scores, bad, strict=True))
    return roc_auc([score for score, flag in pairs if not flag], [score for score, flag in pairs if flag])


def _halves(rows: Sequence[Row], scores: Sequence[float], measure: str) -> Rates:
    """At the threshold that is best on one half of the articles, measured on the other."""
    tuned, rest = ([at for at, row in enumerate(rows) if row.half == half] for half in HALVES)
    best = curves([scores[at] for at in tuned], [rows[at].bad for at in tuned]).best(measure)
    return rates([scores[at] for at in rest], [rows[at].bad for at in rest], best)
