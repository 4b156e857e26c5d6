"""The judge alone: each sentence of a text against a document, without triples. What the other methods are compared
with."""

from __future__ import annotations

from kgstore.verifier.document.deciding import decided
from kgstore.verifier.document.entailment import entailment, premises
from kgstore.verifier.document.source import Document
from kgstore.verifier.document.tools import Tools
from kgstore.verifier.document.wholes import questions, sentence_claims
from kgstore.verifier.methods.registry import MethodResult

METHOD = "nli"


def judged(text: str, document: Document, tools: Tools) -> MethodResult:
    judge = tools.needed(METHOD)
    claims = sentence_claims(text, tools.extractor.extract(text))
    if not claims:
        return MethodResult((), notices=questions(text))
    hypotheses = [" ".join(claim.text.split()) for claim in claims]
    likeness = document.likeness(hypotheses)
    found = entailment(document, hypotheses, premises(document, likeness, judge), judge)
    verdicts = tuple(decided(*one, document, METHOD) for one in zip(claims, found, likeness, strict=True))
    return MethodResult(verdicts, notices=questions(text))
