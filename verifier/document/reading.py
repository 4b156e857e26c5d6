"""All that is found out about each sentence of a text before it is weighed: the judge's word, the graph, the words."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kgstore.verifier.claims import Claim
from kgstore.verifier.document.entailment import Entailed, entailment, premises, reads_whole
from kgstore.verifier.document.features import features
from kgstore.verifier.document.graphs import compared
from kgstore.verifier.document.parts import DocumentParts
from kgstore.verifier.document.recase import recased
from kgstore.verifier.document.sentence_claims import as_written, hypothesis, sentence_claims
from kgstore.verifier.document.source import Document
from kgstore.verifier.document.together import joined
from kgstore.verifier.document.verbatim import misquoted
from kgstore.verifier.llm.faithful import strange


@dataclass(frozen=True, slots=True)
class ReadSentence:
    """One sentence beside the document.

    :param claim: the whole sentence
    :param entailed: what the judge says of it
    :param triples: those read from it
    :param kernels: how alike each triple is to the document's graph, 0 to 1
    :param likeness: of the sentence and each of the document's, float32 ``(sentences,)``
    :param features: of `kgstore.verifier.document.features`
    :param strangers: names, numbers and quotations that are nowhere in the document
    """

    claim: Claim
    entailed: Entailed
    triples: tuple[Claim, ...]
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


def read(text: str, document: Document, parts: DocumentParts, method: str) -> ReadText:
    """
    :param method: in whose name a judge is needed
    :raises InputError: if there is no judge
    """
    judge = parts.needed(method)
    shaped = recased(text, document.text)
    claims = parts.extractor.extract(shaped)
    wholes = sentence_claims(shaped, claims)
    if not wholes:
        return ReadText((), None)
    hypotheses = [hypothesis(whole) for whole in wholes]
    written = [hypothesis(as_written(text, whole)) for whole in wholes]  # capitals of ours make no name
    likeness = document.likeness(hypotheses)
    several = None
    if not reads_whole(judge):
        several = [joined(document, said, row) for said, row in zip(hypotheses, likeness, strict=True)]
    entailed = entailment(document, hypotheses, premises(document, likeness, judge), judge, beside=several)
    graph = compared(shaped, claims, document) if claims else None
    found = []
    for whole, said, own, one, row in zip(wholes, hypotheses, written, entailed, likeness, strict=True):
        inside = [at for at, claim in enumerate(claims) if whole.start <= claim.start < whole.end]
        triples = tuple(claims[at] for at in inside)
        kernels = tuple(graph.each[at] for at in inside) if graph is not None else ()
        strangers = (*strange(own, [document.text]), *misquoted(own, document.text))
        score = None if graph is None else graph.score
        numbers = features(said, one, kernels, score, row, document, len(strangers), len(wholes))
        found.append(ReadSentence(whole, one, triples, kernels, row, numbers, strangers))
    return ReadText(tuple(found), None if graph is None else graph.score)


def weakest(sentence: ReadSentence) -> Claim | None:
    """The triple of a sentence that fits least into the document's graph; None where there are fewer than two."""
    if len(sentence.triples) < 2:
        return None
    return min(zip(sentence.kernels, sentence.triples, strict=True), key=lambda pair: pair[0])[1]
