"""KEA Explain in the closed domain: the graph of a text against the graph of a document, both read from words.

The kernel decides how alike they are, of the whole text and of each triple (`verifier.kernel.compare`). It tells what
is not borne out, and not what is wrong: a triple that finds no like is open, and is never called contradictory.
"""

from __future__ import annotations

from dataclasses import replace

from kgstore.verifier.claims import Claim, Evidence, Label, Role, Verdict
from kgstore.verifier.document.entailment import Entailed
from kgstore.verifier.document.open_facts import spoken
from kgstore.verifier.document.parts import DocumentParts
from kgstore.verifier.document.sentence_claims import left_out
from kgstore.verifier.document.source import Document, Premise
from kgstore.verifier.document.verdicts import left_open, nearest_numbers, supported
from kgstore.verifier.kernel.compare import DEFAULT, Likeness, Setting, likeness
from kgstore.verifier.kernel.graphs import Triple
from kgstore.verifier.kernel.pairs import contradictory_pairs, contrast, edits
from kgstore.verifier.methods.registry import MethodResult

METHOD = "kernel"
THRESHOLD = 0.5
"""Likeness of a triple from which it is attributable; a tie is not below."""


def judged(text: str, document: Document, parts: DocumentParts) -> MethodResult:
    claims = parts.extractor.extract(text)
    notices = left_out(text, claims)
    if not claims:
        return MethodResult((), notices=notices)
    found = compared(text, claims, document)
    near = document.likeness([claim.text for claim in claims])
    known = [spoken(document.text, one) for one in document.claims]
    verdicts = []
    for claim, score, selected, row in zip(claims, found.each, found.selected, near, strict=True):
        fits = None if selected is None else document.claims[selected]
        verdict = _verdict(claim, score, fits, document, nearest_numbers(row))
        if verdict.label is Label.EXTRAPOLATORY:
            verdict = _contrasted(verdict, spoken(text, claim), known, document)
        verdicts.append(verdict)
    return MethodResult(tuple(verdicts), {METHOD: found.score}, notices)


def _contrasted(verdict: Verdict, said: Triple, known: list[Triple], document: Document) -> Verdict:
    """The verdict with the contradictory pair of the paper as its reason, if there is one."""
    pairs = contradictory_pairs([said], known, document.embedder)
    if not pairs:
        return verdict
    told = contrast(edits([said], [known[pairs[0].known]], document.embedder))
    number = document.number_at(document.claims[pairs[0].known].start)
    return replace(verdict, reason=told, evidence=(Evidence(document.statement(number), Role.RELATED),))


def compared(text: str, claims: list[Claim], document: Document, setting: Setting = DEFAULT) -> Likeness:
    """How alike the claims of a text and what a document says are, whole and one by one."""
    known = [spoken(document.text, one) for one in document.claims]
    return likeness([spoken(text, claim) for claim in claims], known, document.embedder, setting)


def _verdict(claim: Claim, score: float, fits: Claim | None, document: Document, near: list[int]) -> Verdict:
    """
    :param fits: the claim of the document that is closest in meaning
    """
    same = fits is not None and fits.negated == claim.negated
    if not same:
        score = 0.0
    share = score / (2 * THRESHOLD) if score < THRESHOLD else 0.5 + (score - THRESHOLD) / (2 * (1 - THRESHOLD))
    premise: Premise = (document.number_at(fits.start),) if fits is not None else ()
    asked = Entailed((share, 1 - share, 0.0), premise, asked=False)
    if same and score >= THRESHOLD:
        verdict = supported(claim, asked, document, METHOD)
    else:
        verdict = left_open(claim, asked, document, METHOD, near)
    return replace(verdict, scores={**verdict.scores, METHOD: score})
