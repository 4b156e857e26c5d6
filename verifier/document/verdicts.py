"""From what a judge said of a claim to a verdict, with sentences of the document as evidence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from kgstore.verifier.claims import Claim, Evidence, Label, Role, Verdict
from kgstore.verifier.document.entailment import NOTHING, Entailed
from kgstore.verifier.document.source import SCHEME, Document
from kgstore.verifier.judges.labels import ENTAILS
from kgstore.verifier.report.explain import quote

SUPPORTED = 0.5
"""P(entails) from which a claim is attributable: GraphEval's threshold, a tie is not inconsistent."""
_LONGEST = 240
"""Characters of a sentence that an explanation quotes."""
_SHOWN = 2
"""Sentences shown beside a claim that stays open."""


def supported(
    claim: Claim, entailed: Entailed, document: Document, method: str, supports: float | None = None
) -> Verdict:
    """An attributable claim.

    :param supports: P(attributable), where more than the judge was asked
    """
    e, n, c = entailed.nli
    if supports is not None:
        c = (1 - supports) * c / max(n + c, 1e-9)
        e, n = supports, 1 - supports - c
    evidence = tuple(Evidence(document.statement(number), Role.SUPPORTS) for number in entailed.premise)
    reason = f"In {document.name}: {_quoted(document, entailed.premise)}"
    return _verdict(claim, Label.ATTRIBUTABLE, (e, n, c), method, evidence, reason, entailed)


def denied(claim: Claim, entailed: Entailed, document: Document, method: str, why: str) -> Verdict:
    """A contradictory claim, by the sentence that denies it.

    :param why: what the two differ in
    """
    c = entailed.denial
    probabilities = ((1 - c) * entailed.nli[ENTAILS], (1 - c) * (1 - entailed.nli[ENTAILS]), c)
    evidence = (Evidence(document.statement(entailed.denying), Role.CONTRADICTS),)
    reason = f"The text says “{quote(claim)}”; {document.name} says {_quoted(document, (entailed.denying,))} {why}"
    return _verdict(claim, Label.CONTRADICTORY, probabilities, method, evidence, reason, entailed)


def left_open(
    claim: Claim,
    entailed: Entailed,
    document: Document,
    method: str,
    near: Sequence[int],
    supports: float | None = None,
) -> Verdict:
    """A claim that the document does not decide.

    :param near: the sentences closest in meaning
    :param supports: P(attributable), where more than the judge was asked; less than a half
    """
    e, _, c = entailed.nli
    e = e if supports is None else supports
    c = min(c, (1 - e) / 2, max(0.0, 1 - 2 * e))
    evidence = tuple(Evidence(document.statement(number), Role.RELATED) for number in near[:_SHOWN])
    if not near:
        return _verdict(
            claim, Label.EXTRAPOLATORY, (e, 1 - e - c, c), method, (), f"there is nothing in {document.name}", entailed,
            why_not="no document",
        )  # fmt: skip
    reason = f"“{quote(claim)}” is not borne out by {document.name}; nearest to it is {_quoted(document, near[:1])}"
    return _verdict(claim, Label.EXTRAPOLATORY, (e, 1 - e - c, c), method, evidence, reason, entailed)


def asked_only(claim: Claim, document: Document, method: str) -> Verdict:
    """A question of a text that does nothing but ask: there is nothing in it that the document could bear out."""
    reason = f"“{quote(claim)}” asks, and says nothing that {document.name} could bear out"
    silent = replace(NOTHING, asked=False)
    return _verdict(claim, Label.EXTRAPOLATORY, NOTHING.nli, method, (), reason, silent, why_not="question")


def nearest_numbers(row: np.ndarray) -> list[int]:
    """Sentences by likeness, the best first."""
    return np.argsort(-row, kind="stable").tolist()


def _verdict(
    claim: Claim,
    label: Label,
    probabilities: tuple[float, float, float],
    method: str,
    evidence: tuple[Evidence, ...],
    reason: str,
    entailed: Entailed,
    why_not: str | None = None,
) -> Verdict:
    shares = dict(zip(("nli_entails", "nli_neutral", "nli_contradicts"), entailed.nli, strict=True))
    scores = shares if entailed.asked else {}
    return Verdict(claim, label, probabilities, f"{SCHEME}{method}", evidence, reason, scores=scores, why_not=why_not)


def _quoted(document: Document, premise: Sequence[int]) -> str:
    said = document.read(tuple(premise)).rstrip(".")
    short = said if len(said) <= _LONGEST else said[: said.rfind(" ", 0, _LONGEST)] + " …"
    return f"“{short}”"
