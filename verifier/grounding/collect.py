"""Thousands of questions, a few at a time, into a file that a later run takes up where an earlier one ended."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

from kgstore.errors import InputError
from kgstore.verifier.grounding.knowledge import Knowledge
from kgstore.verifier.grounding.lm import LanguageModel
from kgstore.verifier.grounding.measure import ANSWER_TOKENS, BATCH, Asked, Looked, Row, look
from kgstore.verifier.grounding.subgraph import TRIPLES
from kgstore.verifier.measure.labelled import objects


@dataclass(frozen=True, slots=True)
class Plan:
    """How every question of a file is treated; a file holds rows of one plan only."""

    model: str
    triples: int = TRIPLES
    tokens: int = ANSWER_TOKENS


def read_questions(path: Path) -> list[Asked]:
    """JSON lines with ``question``, ``answers``, and if wanted ``id`` and ``topic`` (a name or a list); gzipped or not.

    :raises LoadError: if the file cannot be read
    :raises InputError: naming the first line that lacks a question or answers, or repeats an id
    """
    found: dict[str, Asked] = {}
    for number, row in objects(path):
        question, answers = row.get("question"), row.get("answers")
        topic: Any = row.get("topic", row.get("topics", []))
        topics = [topic] if isinstance(topic, str) else topic
        id_ = str(row.get("id", number))
        if not isinstance(question, str) or not _names(answers) or not answers or not _names(topics):
            instead = 'give each line a "question" and "answers", a list of names'
            raise InputError(f"{path}, line {number} is no question with answers", instead)
        if id_ in found:
            raise InputError(f"{path}, line {number} repeats the id {id_}", "give each question an id of its own")
        found[id_] = Asked(id_, question, tuple(topics), tuple(answers))
    if not found:
        raise InputError(f"{path} holds no questions", "write one JSON object a line")
    return list(found.values())


def read_rows(path: Path) -> list[Row]:
    """What `collect` wrote, without the questions that could not be looked into.

    :raises LoadError: if the file cannot be read
    :raises InputError: if it holds no such rows
    """
    rows = [row for _, row in objects(path) if "left_out" not in row]
    if not rows or not all(isinstance(row.get("sas_layers"), list) and "wrong" in row for row in rows):
        raise InputError(f"{path} holds no measured answers", "make them with `kgstore grounding measure`")
    return rows


def sample(questions: Iterable[Asked], number: int | None) -> list[Asked]:
    """The same questions in an order that hangs on nothing but their ids; the first ``number`` of them.

    A run that is broken off so leaves a fair sample.
    """
    ordered = sorted(questions, key=lambda one: hashlib.sha256(one.id.encode()).digest())
    return ordered[:number]


def collect(
    questions: Sequence[Asked],
    graph: Knowledge,
    open_model: Callable[[], LanguageModel],
    plan: Plan,
    target: Path,
    advance: Callable[[int], None] = lambda done: None,
) -> dict[str, int]:
    """Answer questions, look into the answers and append a row for each to ``target``.

    Questions that are there already are not asked again; a last line that was cut off in writing is replaced.

    :param open_model: called if there is anything left to ask
    :return: how many rows are of each kind: ``measured``, and every reason why a question was left out
    :raises InputError: if ``target`` was made with another plan, or cannot be written
    """
    done = _resumed(target, plan)
    counts: dict[str, int] = {}
    for row in done.values():
        _count(counts, row)
    advance(sum(one.id in done for one in questions))
    left = [one for one in questions if one.id not in done]
    if not left:
        return counts
    model = open_model()
    try:
        with target.open("ab") as file:
            for start in range(0, len(left), BATCH):
                batch = left[start : start + BATCH]
                for found in look(model, graph, batch, plan.triples, plan.tokens):
                    row = found.row() if isinstance(found, Looked) else {"id": found[0].id, "left_out": found[1]}
                    row |= {"model": plan.model, "k": plan.triples, "most": plan.tokens}
                    file.write(orjson.dumps(row) + b"\n")
                    _count(counts, row)
                file.flush()
                advance(len(batch))
    except OSError as error:
        raise InputError(f"cannot write {target}: {error.strerror or error}", "name another file") from None
    return counts


def _count(counts: dict[str, int], row: Row) -> None:
    kind = row.get("left_out", "measured")
    counts[kind] = counts.get(kind, 0) + 1


def _resumed(target: Path, plan: Plan) -> dict[str, Row]:
    if not target.exists():
        return {}
    data = target.read_bytes()
    whole = data[: data.rfind(b"\n") + 1]
    if len(whole) < len(data):
        with target.open("r+b") as file:
            file.truncate(len(whole))
    if not whole:
        return {}
    rows = {str(row.get("id")): row for _, row in objects(target)}
    for row in rows.values():
        if (row.get("model"), row.get("k"), row.get("most")) != (plan.model, plan.triples, plan.tokens):
            made = f"{row.get('model')} with {row.get('k')} triples and {row.get('most')} tokens"
            raise InputError(f"{target} was made by {made}", "use the same, or name another file")
    return rows


def _names(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) and one.strip() for one in value)
