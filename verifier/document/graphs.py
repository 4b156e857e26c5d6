"""KEA Explain in the closed domain: the graph of a text against the graph of a document, both read from words.

The kernel decides how alike they are, of the whole text and of each triple (`verifier.kernel.compare`). It tells what
is not borne out, and not what is wrong: a triple that finds no like is open, and is never called contradictory.
"""

from __future__ import annotations

from verifier.claims import Claim, Verdict
from verifier.document.entailment import Entailed
from verifier.document.source import Document, Premise
from verifier.document.tools import Tools
from verifier.document.verdicts import left_open, nearest_numbers, supported
from verifier.document.wholes import left_out
from verifier.extract.open import spoken
from verifier.kernel.compare import DEFAULT, Likeness, Setting, likeness
from verifier.methods import Judged

METHOD = "kernel"
THRESHOLD = 0.5
"""Likeness of a triple from which it is attributable; a tie is not below."""


def judged(text: str, document: Document, tools: Tools) -> Judged:
    claims = tools.extractor.extract(text)
    notices = left_out(text, claims)
    if not claims:
        return Judged((), notices=notices)
    found = compared(text, claims, document, tools)
    near = document.likeness([claim.text for claim in claims])
    verdicts = []
    for claim, score, selected, row in zip(claims, found.each, found.selected, near, strict=True):
        premise: Premise = () if selected is None else (document.number_at(document.claims[selected].start),)
        verdicts.append(_verdict(claim, score, premise, document, nearest_numbers(row)))
    return Judged(tuple(verdicts), {"kernel": found.score}, notices)


def compared(text: str, claims: list[Claim], document: Document, tools: Tools, setting: Setting = DEFAULT) -> Likeness:
    """How alike the claims of a text and what a document says are, whole and one by one."""
    known = [spoken(document.text, one) for one in document.claims]
    return likeness([spoken(text, claim) for claim in claims], known, tools.embedder, setting)


def _verdict(claim: Claim, score: float, premise: Premise, document: Document, near: list[int]) -> Verdict:
    share = score / (2 * THRESHOLD) if score < THRESHOLD else 0.5 + (score - THRESHOLD) / (2 * (1 - THRESHOLD))
    asked = Entailed((share, 1 - share, 0.0), premise, asked=False)
    if premise and score >= THRESHOLD:
        verdict = supported(claim, asked, document, METHOD)
    else:
        verdict = left_open(claim, asked, document, METHOD, near)
    verdict.scores["kernel"] = score
    return verdict
