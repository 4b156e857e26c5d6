"""Tuning the relation reader on a user's own graph, and measuring what that gained on subjects that it has not seen."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from kgstore.errors import InputError
from kgstore.store import Store
from verifier.read.asking import Encoder, Question, named
from verifier.read.reader import FOLDER, NativeReader
from verifier.training import reader_fit as fit
from verifier.training.pairs import part_of
from verifier.training.reader_names import Names
from verifier.training.reader_rows import Row, Templates, read

_FEWEST = 100
_HELD = 9
"""Sentences of this tenth are measured, never learnt from."""


@dataclass(frozen=True, slots=True)
class Accuracy:
    """How the reader answers, relation by relation, with P(asserted) of 0.5 as the cut.

    :param recall: share of what is asserted that it finds; ``precision``: share of what it finds that is asserted
    """

    relations: int
    precision: float
    recall: float


@dataclass(frozen=True, slots=True)
class Tuned:
    """What tuning did: rows learnt from, and the reader on held-out sentences before and after."""

    rows: int
    before: Accuracy
    after: Accuracy


def own_rows(store: Store, number: int, seed: int, files: Iterable[Path] = ()) -> tuple[list[Row], list[Row]]:
    """Rows to learn from and rows to measure with: statements of the KG in words, and sentences of the user's own.

    :param files: JSON lines with ``text``, ``head`` and ``tail`` (``[start, end]``) and ``relations``, a list of labels
    :raises InputError: if the graph holds too little to make rows of, or a line is none
    """
    rows = [*Templates(store, seed).make(number), *(row for path in files for row in _given(path))]
    held = [row for row in rows if part_of(row.text) == _HELD]
    learnt = [row for row in rows if part_of(row.text) != _HELD]
    if len(learnt) < _FEWEST or not held:
        why = f"the graph gives {len(rows)} sentences, too few to learn from"
        raise InputError(why, "load more, or give sentences of your own with `--rows`")
    return learnt, held


def _given(path: Path) -> Iterable[Row]:
    for number, line in enumerate(read(path), 1):
        try:
            head, tail = tuple(line["head"]), tuple(line["tail"])
            yield Row(line["text"], head, tail, tuple(line["relations"]), source="own")  # type: ignore[arg-type]
        except (KeyError, TypeError) as error:
            expected = 'each line needs "text", "head", "tail" and "relations"'
            raise InputError(f"{path}, line {number}: {error!r}", expected) from None


def tune(
    store: Store,
    rows: tuple[Sequence[Row], Sequence[Row]],
    target: Path,
    recipe: fit.Recipe,
    work: Path,
    base: Path = FOLDER,
    report: Callable[[fit.Progress], None] = lambda _: None,
) -> Tuned:
    """Train a reader further and write it to a folder.

    :param rows: of `own_rows`
    :param work: for checkpoints
    """
    learnt, held = rows
    names, encoder, model = Names(learnt, store, all_labels=True), Encoder(base / "tokenizer.json"), fit.load(base)
    asked = [(row, names.asked(row, random.Random(row.text))) for row in held]
    before = measure(NativeReader(base), asked)
    fit.train(model, learnt, names, encoder, recipe, work, report)
    fit.save(model, encoder.tokenizer, target, recipe)
    return Tuned(len(learnt), before, measure(NativeReader(target), asked))


def measure(reader: NativeReader, asked: Sequence[tuple[Row, list[tuple[str, bool]]]]) -> Accuracy:
    """How a reader answers rows, each with the labels that it is asked about and whether they are asserted."""
    questions = [
        Question(row.text, row.head, row.tail, tuple(named(label) for label, _ in labels)) for row, labels in asked
    ]
    found = np.concatenate(reader.read(questions)) >= 0.5
    right = np.array([yes for _, labels in asked for _, yes in labels])
    hits = float((found & right).sum())
    return Accuracy(len(right), round(hits / max(1, found.sum()), 4), round(hits / max(1, right.sum()), 4))
