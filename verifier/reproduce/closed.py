"""GraphEval and GraphCorrect on summaries with their articles."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np

from kgstore.embedding import load_embedder
from kgstore.errors import InputError
from kgstore.verifier.document.context import ContextVerifier
from kgstore.verifier.document.source import Document
from kgstore.verifier.judges.opening import open_judge
from kgstore.verifier.measure.metrics import balanced_accuracy, roc_auc
from kgstore.verifier.methods.graphcorrect import Rewritten
from kgstore.verifier.methods.grapheval import Checked, flagged, grapheval
from kgstore.verifier.methods.registry import REWRITING, open_rewriting
from kgstore.verifier.methods.rouge import rouge
from kgstore.verifier.protocols import ChatModel, Judge
from kgstore.verifier.read.reading import Reading
from kgstore.verifier.reproduce.table import PAPER, Asked, Line, Result, objects, sample

KEYS = ("article", "summary", "label")
GOOD = "consistent"
THEIRS = ("HHEM", "TRUE", "TrueTeacher")
ALONE, WITH = (0.660, 0.613, 0.749), (0.715, 0.724, 0.792)
"""Balanced accuracy on SummEval: the judges of the paper alone, and within GraphEval (table 2)."""
NONE = (None,) * len(THEIRS)


def grapheval_summeval(asked: Asked, path: Path) -> Result:
    return _grapheval(asked, path, ALONE, WITH)


def grapheval_qags_x(asked: Asked, path: Path) -> Result:
    return _grapheval(asked, path, NONE, NONE)


def graphcorrect_qags_x(asked: Asked, path: Path) -> Result:
    """Tables 3 and 4, with the judge alone as the detector."""
    model = Reading(gguf=asked.gguf).model()
    if model is None:
        raise InputError("the table needs a language model", "name a GGUF file with --gguf")
    try:
        return corrections(asked, objects(path, *KEYS), model)
    finally:
        model.close()


def corrections(asked: Asked, rows: Sequence[dict], model: ChatModel) -> Result:
    """Share of flagged texts in which nothing is flagged afterwards, and ROUGE between old and new text."""
    judge, embedder = _judge(asked), load_embedder()
    done: dict[str, list[tuple[str, Rewritten]]] = {name: [] for name in REWRITING}
    many = 0
    for row in rows:
        document = Document(row["article"], embedder)

        def detect(text: str, document: Document = document) -> list[Checked]:
            return flagged(grapheval(text, document, judge))

        if detect(row["summary"]):
            for name, some in done.items():
                new = open_rewriting(name)(row["summary"], document, detect, model)
                some.append((row["summary"], new))
            many += 1
            asked.advance(1)
        if many == asked.rows:
            break
    if not many:
        raise InputError("no text is flagged, so that there is nothing to correct", "name another --judge or more rows")
    scores = [[rouge(text, one.text) for text, one in some] for some in done.values()]
    lines = [
        Line("share believed corrected", _means([not one.after for _, one in some] for some in done.values())),
        Line("share of texts changed", _means([one.text != text for text, one in some] for some in done.values())),
    ]
    for name in ("rouge_1", "rouge_2", "rouge_l"):
        label = f"{name.upper().replace('_', '-')} to the original"
        lines.append(Line(label, _means([getattr(one, name) for one in some] for some in scores)))
    note = f"{many} flagged text{'s' * (many != 1)}"
    return Result(("GraphCorrect", "as published", "direct prompt"), tuple(lines), (note,))


def _grapheval(
    asked: Asked, path: Path, alone: tuple[float | None, ...], within: tuple[float | None, ...]
) -> Result:
    """Table 2. Flagged at 0.5, as in the paper; the area under the ROC curve needs no threshold."""
    judge, embedder = _judge(asked), load_embedder()
    rows = sample(objects(path, *KEYS), asked.rows)
    good = [row["label"] == GOOD for row in rows]
    bare = ContextVerifier(judge=asked.judge, method="nli", embedder=embedder)
    risks: list[list[float]] = [[], [], []]
    for row in rows:
        document = Document(row["article"], embedder)
        verdicts = bare.verify(row["summary"], document).verdicts
        risks[0].append(max((1 - one.probabilities[0] for one in verdicts), default=0.0))
        risks[1].append(_risk(row["summary"], document, judge, paper=True))
        risks[2].append(_risk(row["summary"], document, judge, paper=False))
        asked.advance(1)
    ours = [list(zip(some, good, strict=True)) for some in risks]
    accuracy = [balanced_accuracy(some, 0.5) for some in ours]
    auc = [roc_auc([risk for risk, fine in some if not fine], [risk for risk, fine in some if fine]) for some in ours]
    lines = (
        Line("balanced accuracy, judge alone", (*alone, accuracy[0], None)),
        Line("balanced accuracy, GraphEval", (*within, accuracy[1], accuracy[2])),
        Line("ROC-AUC, judge alone", (*NONE, auc[0], None)),
        Line("ROC-AUC, GraphEval", (*NONE, auc[1], auc[2])),
    )
    columns = (*(f"{PAPER}: {name}" for name in THEIRS), "ours, as published", "ours")
    return Result(columns, lines, (f"{len(rows)} texts, {len(rows) - sum(good)} inconsistent",))


def _risk(text: str, document: Document, judge: Judge, paper: bool) -> float:
    """The probability of its worst triple, 0 without triples."""
    return max((one.probability for one in grapheval(text, document, judge, paper=paper)), default=0.0)


def _judge(asked: Asked) -> Judge:
    judge = open_judge(asked.judge)
    if judge is None:
        raise InputError("the table needs a judge, and there is none", "name one with --judge")
    return judge


def _means(columns: Iterable[Sequence[float]]) -> tuple[float, ...]:
    return tuple(float(np.mean(column)) for column in columns)
