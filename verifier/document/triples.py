"""GraphEval as a method for `kgstore verify --context`: each triple a claim."""

from __future__ import annotations

from kgstore.verifier.document.deciding import decided
from kgstore.verifier.document.parts import DocumentParts
from kgstore.verifier.document.sentence_claims import left_out
from kgstore.verifier.document.source import Document
from kgstore.verifier.methods.grapheval import grapheval
from kgstore.verifier.methods.registry import MethodResult

METHOD = "grapheval"


def judged(text: str, document: Document, parts: DocumentParts) -> MethodResult:
    judge = parts.needed(METHOD)
    claims = parts.extractor.extract(text)
    notices = left_out(text, claims)
    if not claims:
        return MethodResult((), notices=notices)
    checked = grapheval(text, document, judge, claims=claims)
    likeness = document.likeness([one.hypothesis for one in checked])
    verdicts = tuple(
        decided(one.claim, one.entailed, row, document, METHOD) for one, row in zip(checked, likeness, strict=True)
    )
    return MethodResult(verdicts, notices=notices)
