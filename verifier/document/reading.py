"""All that is found out about each sentence of a text before it is weighed: the judge's word, triples, graph, words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from verifier.claims import Claim
from verifier.document.entailment import Entailed, entailment, nearest
from verifier.document.features import features
from verifier.document.graphs import compared
from verifier.document.recase import recased
from verifier.document.source import Document
from verifier.document.tools import Tools
from verifier.document.wholes import sentence_claims
from verifier.faithful import strange
from verifier.grapheval import Checked, grapheval


@dataclass(frozen=True, slots=True)
class ReadSentence:
    """One sentence beside the document.

    :param claim: the whole sentence
    :param entailed: what the judge says of it
    :param triples: those read from it, and what the judge says of each
    :param kernels: how alike each triple is to the document's graph, 0 to 1
    :param likeness: of the sentence and each of the document's, float32 ``(sentences,)``
    :param features: of `verifier.document.features`
    :param strangers: names and numbers that are nowhere in the document
    """

    claim: Claim
    entailed: Entailed
    triples: tuple[Checked, ...]
    kernels: tuple[float, ...]
    likeness: np.ndarray
    features: np.ndarray
    strangers: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ReadText:
    """
    :param kernel: how alike the text's whole graph is to the document's, 0 to 1
    """

    sentences: tuple[ReadSentence, ...]
    kernel: float | None


def read(text: str, document: Document, tools: Tools, method: str) -> ReadText:
    """
    :param method: in whose name a judge is needed
    :raises InputError: if there is no judge
    """
    judge = tools.needed(method)
    shaped = recased(text, document.text)
    claims = tools.extractor.extract(shaped)
    wholes = sentence_claims(shaped, claims)
    if not wholes:
        return ReadText((), None)
    hypotheses = [" ".join(whole.text.split()) for whole in wholes]
    likeness = document.likeness(hypotheses)
    entailed = entailment(document, hypotheses, nearest(likeness), judge)
    checked = grapheval(shaped, document, judge, claims=claims)
    graph = compared(shaped, claims, document) if claims else None
    found = []
    for whole, said, one, row in zip(wholes, hypotheses, entailed, likeness, strict=True):
        inside = [at for at, claim in enumerate(claims) if whole.start <= claim.start < whole.end]
        triples = tuple(checked[at] for at in inside)
        kernels = tuple(graph.each[at] for at in inside) if graph is not None else ()
        numbers = features(said, one, kernels, None if graph is None else graph.score, row, document)
        strangers = tuple(strange(said, [document.text]))
        found.append(ReadSentence(whole, one, triples, kernels, row, numbers, strangers))
    return ReadText(tuple(found), None if graph is None else graph.score)


def weakest(sentence: ReadSentence) -> Claim | None:
    """The triple of a sentence that is least borne out; None where there are fewer than two."""
    least: Sequence[Checked] = sorted(sentence.triples, key=lambda one: -one.probability)
    return least[0].claim if len(least) > 1 else None
