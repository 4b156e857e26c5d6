"""The judge alone: each sentence of a text against a document, without triples. What the other methods are compared
with."""

from __future__ import annotations

from kgstore.verifier.document.deciding import decided
from kgstore.verifier.document.entailment import entailment, premises
from kgstore.verifier.document.parts import DocumentParts
from kgstore.verifier.document.sentence_claims import hypothesis, only_asked, questions, sentence_claims
from kgstore.verifier.document.source import Document
from kgstore.verifier.document.verdicts import asked_only
from kgstore.verifier.methods.registry import MethodResult

METHOD = "nli"


def judged(text: str, document: Document, parts: DocumentParts) -> MethodResult:
    judge = parts.needed(METHOD)
    claims = sentence_claims(text, parts.extractor.extract(text))
    if not claims:
        asked = (asked_only(claim, document, METHOD) for claim in only_asked(text))
        return MethodResult(tuple(asked), notices=questions(text))
    hypotheses = [hypothesis(claim) for claim in claims]
    likeness = document.likeness(hypotheses)
    found = entailment(document, hypotheses, premises(document, likeness, judge), judge)
    verdicts = tuple(decided(*one, document, METHOD) for one in zip(claims, found, likeness, strict=True))
    return MethodResult(verdicts, notices=questions(text))
