"""From questions to rows: the subgraph, the answer, PRD, SAS and what the features and baselines need."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from kgstore.verifier.grounding.answers import after_prefix, mark, named
from kgstore.verifier.grounding.knowledge import Knowledge
from kgstore.verifier.grounding.lm import Answer, LanguageModel
from kgstore.verifier.grounding.prd import balance
from kgstore.verifier.grounding.prompt import Question, ask, sentence
from kgstore.verifier.grounding.sas import alignment
from kgstore.verifier.grounding.subgraph import TRIPLES, Subgraph, prepare, with_path

ANSWER_TOKENS = 32
"""Longest answer; a small model that has not ended by then is repeating itself."""
BATCH = 16
_DIGITS = 6

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Asked:
    """A question as `read_questions` and the command line give it.

    :param topics: names of what it is about; empty: found in its words
    :param gold: right answers; empty if nobody knows them
    """

    id: str
    question: str
    topics: tuple[str, ...] = ()
    gold: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Looked:
    """One answer, looked into.

    :param begin: the answer's first token behind ``ans:``; 0 if the model did not write that, or nothing behind it
    :param balance: float64 ``(L, H, n)`` for the tokens from ``begin`` on, see `kgstore.verifier.grounding.prd`
    :param alignment: float64 ``(L, n)`` for the same tokens, see `kgstore.verifier.grounding.sas`
    :param mass: float64 ``(K,)``, mean attention to each triple of the subgraph
    """

    asked: Asked
    graph: Subgraph
    output: str
    tokens: tuple[str, ...]
    begin: int
    balance: np.ndarray
    alignment: np.ndarray
    mass: np.ndarray
    chosen: np.ndarray
    highest: np.ndarray

    def prd(self) -> float:
        return float(self.balance.mean())

    def sas(self, layer: int) -> float:
        """:param layer: from 1, the first, to L"""
        return float(self.alignment[layer - 1].mean())

    def row(self) -> Row:
        """All that is kept of it, as JSON."""
        marks = mark(self.output, self.asked.gold) if self.asked.gold else None
        return {
            "id": self.asked.id,
            "question": self.asked.question,
            "topics": list(self.asked.topics),
            "answers": list(self.asked.gold),
            "output": self.output,
            "wrong": None if marks is None else marks.wrong,
            "exact": None if marks is None else marks.exact,
            "f1": None if marks is None else round(marks.f1, _DIGITS),
            "triples": len(self.graph.distinct),
            "on_path": len({t for t, on in zip(self.graph.triples, self.graph.path, strict=True) if on}),
            "begin": self.begin,
            "prd": round(self.prd(), _DIGITS),
            "mass": _rounded(self.mass),
            "prd_layers": _rounded(self.balance.mean(axis=(1, 2))),
            "sas_layers": _rounded(self.alignment.mean(axis=1)),
            "chosen": _rounded(self.chosen),
            "highest": _rounded(self.highest),
        }


def link(graph: Knowledge, asked: Asked) -> list[str]:
    """The nodes that a question is about."""
    if asked.topics:
        return list(dict.fromkeys(node for topic in asked.topics for node in graph.nodes(topic)))
    return graph.linked(asked.question)


def look(
    model: LanguageModel, graph: Knowledge, questions: Sequence[Asked], k: int = TRIPLES, most: int = ANSWER_TOKENS
) -> Iterator[Looked | tuple[Asked, str]]:
    """Answer questions together and look into each answer.

    :return: for each question in order what was seen, or the question and why nothing could be
    """
    prepared = [_prepared(graph, asked, k) for asked in questions]
    prompts: dict[int, Question] = {}
    for number, found in enumerate(prepared):
        if not isinstance(found, str):
            prompt = ask([graph.words(triple) for triple in found[1].triples], questions[number].question)
            if model.fits(prompt, most):
                prompts[number] = prompt
            else:
                prepared[number] = "its prompt is longer than the model can read"
    answered = dict(zip(prompts, model.answer(list(prompts.values()), most) if prompts else [], strict=True))
    said = {number: answer for number, answer in answered.items() if answer.tokens}
    triples = [[sentence(graph.words(triple)) for triple in prepared[number][1].distinct] for number in said]  # type: ignore[union-attr]
    embedded = dict(zip(said, model.embed_each(triples), strict=True))
    for number, (asked, found) in enumerate(zip(questions, prepared, strict=True)):
        if isinstance(found, str):
            yield asked, found
        elif number in said:
            yield _inside(model, graph, asked, *found, said.pop(number), embedded.pop(number))
        else:
            yield asked, "the model said nothing"


def _prepared(graph: Knowledge, asked: Asked, k: int) -> tuple[list[str], Subgraph] | str:
    nodes = link(graph, asked)
    if not nodes:
        return "the question names nothing that the graph knows"
    targets = [node for answer in asked.gold for node in graph.nodes(answer)]
    if asked.gold and not targets:
        return "the graph knows none of the right answers"
    subgraph = prepare(graph, nodes, targets, k, graph.relevance(asked.question))
    if not subgraph.triples:
        return "the graph says nothing about what the question names"
    if asked.gold and not any(subgraph.path):
        return "no path of at most 3 steps leads to a right answer"
    return nodes, subgraph


def _inside(
    model: LanguageModel,
    graph: Knowledge,
    asked: Asked,
    nodes: list[str],
    subgraph: Subgraph,
    answer: Answer,
    embedded: np.ndarray,
) -> Looked:
    output, trace = model.decode(answer.tokens), answer.trace
    if not asked.gold:
        said = [node for name in named(output) for node in graph.nodes(name)]
        subgraph = with_path(subgraph, nodes, said)
    begin = _begin(model, output, answer.tokens)
    aligned = np.stack([alignment(h, e) for h, e in zip(trace.hidden[:, begin:], embedded, strict=True)])
    pieces = tuple(output[start:end] for start, end in model.pieces(answer.tokens))
    return Looked(
        asked,
        subgraph,
        output,
        pieces,
        begin,
        balance(trace.mass[:, :, begin:], trace.total[:, :, begin:], subgraph.path),
        aligned,
        trace.mass[:, :, begin:].mean(axis=(0, 1, 2), dtype=np.float64),
        trace.chosen,
        trace.highest,
    )


def _begin(model: LanguageModel, output: str, answer: Sequence[int]) -> int:
    place = after_prefix(output)
    if place is None:
        return 0
    behind = (number for number, (start, end) in enumerate(model.pieces(answer)) if end > place)
    return next(behind, 0)


def _rounded(values: np.ndarray) -> list[float]:
    return [round(float(one), _DIGITS) for one in values]
