"""The best that we know for documents: the judge, KEA's kernel and plain words, weighed together.

Claims are whole sentences, because that is what the weights were learnt for; of a sentence that is not borne out the
reason names the triple that fits least.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from kgstore.verifier.claims import Label, Verdict
from kgstore.verifier.document import graphs
from kgstore.verifier.document.deciding import decided
from kgstore.verifier.document.entailment import reads_whole
from kgstore.verifier.document.parts import DocumentParts
from kgstore.verifier.document.reading import ReadSentence, read, weakest
from kgstore.verifier.document.sentence_claims import as_written, only_asked, questions
from kgstore.verifier.document.source import Document
from kgstore.verifier.document.verdicts import asked_only
from kgstore.verifier.document.weights import balances, bounded, shipped, supports
from kgstore.verifier.judges.labels import ENTAILS
from kgstore.verifier.methods.registry import AUTO, MethodResult


def judged(text: str, document: Document, parts: DocumentParts) -> MethodResult:
    if parts.judge is None:
        found = graphs.judged(text, document, parts)
        return replace(found, notices=(*found.notices, "there is no judge: the kernel alone decides"))
    known = read(text, document, parts, AUTO)
    if not known.sentences:
        asked = (asked_only(claim, document, AUTO) for claim in only_asked(text))
        return MethodResult(tuple(asked), notices=questions(text))
    weights = shipped(whole=reads_whole(parts.judge))
    values = np.stack([one.features for one in known.sentences])
    every = zip(known.sentences, supports(values, weights).tolist(), balances(values, weights).tolist(), strict=True)
    verdicts = tuple(
        _verdict(text, one, bounded(share, one.entailed.nli[ENTAILS], len(one.strangers), balance), document)
        for one, share, balance in every
    )
    return MethodResult(verdicts, {"kernel": known.kernel}, questions(text))


def _verdict(text: str, sentence: ReadSentence, share: float, document: Document) -> Verdict:
    claim = as_written(text, sentence.claim)
    found = decided(claim, sentence.entailed, sentence.likeness, document, AUTO, share)
    if sentence.kernels:
        kernel = sum(sentence.kernels) / len(sentence.kernels)
        found = replace(found, scores={**found.scores, "kernel": kernel})
    if found.label is not Label.EXTRAPOLATORY or not found.evidence:
        return found
    more = ""
    if sentence.strangers:
        more = f"; not in {document.name}: {', '.join(sentence.strangers)}"
    elif (least := weakest(sentence)) is not None:
        more = f"; what fits least is “{' '.join(text[least.start : least.end].split())}”"
    return replace(found, reason=f"{found.reason.removesuffix('.')}{more}.")
