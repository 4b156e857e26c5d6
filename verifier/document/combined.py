"""The best that we know for documents: the judge, GraphEval's triples, KEA's kernel and plain words, weighed together.

Claims are whole sentences, because that is what the weights were learnt for; of a sentence that is not borne out the
reason names the triple that is least so.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from verifier.claims import Claim, Label, Verdict
from verifier.document import graphs
from verifier.document.deciding import decided
from verifier.document.reading import ReadSentence, read, weakest
from verifier.document.source import Document
from verifier.document.tools import Tools
from verifier.document.weights import shipped, supports
from verifier.methods import AUTO, Judged


def judged(text: str, document: Document, tools: Tools) -> Judged:
    if tools.judge is None:
        found = graphs.judged(text, document, tools)
        return replace(found, notices=(*found.notices, "there is no judge: the kernel alone decides"))
    known = read(text, document, tools, AUTO)
    if not known.sentences:
        return Judged(())
    shares = supports(np.stack([one.features for one in known.sentences]), shipped())
    verdicts = tuple(
        _verdict(text, one, float(share), document) for one, share in zip(known.sentences, shares, strict=True)
    )
    return Judged(verdicts, {"kernel": known.kernel})


def _verdict(text: str, sentence: ReadSentence, share: float, document: Document) -> Verdict:
    claim = _as_written(text, sentence.claim)
    found = decided(text, claim, sentence.entailed, sentence.likeness, document, AUTO, share)
    if sentence.kernels:
        found.scores["kernel"] = sum(sentence.kernels) / len(sentence.kernels)
    least = weakest(sentence)
    if found.label is Label.EXTRAPOLATORY and found.evidence and least is not None:
        said = text[least.start : least.end]
        return replace(
            found, reason=f"{found.reason.removesuffix('.')}; least borne out is “{' '.join(said.split())}”."
        )
    return found


def _as_written(text: str, claim: Claim) -> Claim:
    """The claim in the letters of the text, where it was read with other capitals."""
    head, tail = (replace(end, text=text[end.start : end.end]) for end in (claim.head, claim.tail))
    return replace(claim, text=text[claim.start : claim.end], head=head, tail=tail)
