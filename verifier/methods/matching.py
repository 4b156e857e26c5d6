"""ClaimVer's scores of verdicts: how closely the triplets of each claim match its words, and what that makes of a text.

P. P. S. Dammu and others, ClaimVer (Findings of EMNLP 2024), section 3.5; the formulas are in
`verifier.report.scores`. A claim's relevant triplets are its evidence and the statements of its paths. Its similarity
is the cosine between the claim, with names in place of pronouns, and its triplets as sentences; its entities are
those that its head and tail were read as.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from kgstore.embedding import rough
from kgstore.model import NamedNode, Statement
from kgstore.verbalise import verbalise
from kgstore.verifier.claims import Claim, Verdict
from kgstore.verifier.judges.hypothesis import hypothesis
from kgstore.verifier.methods.membership import words
from kgstore.verifier.report.scores import attribution, claim_score, entity_presence, triplets_match

if TYPE_CHECKING:
    from kgstore.verifier.kg.protocol import KnowledgeGraph

MOST = 6
"""So many triplets of a claim, the most decisive ones, are put into words for the cosine."""


def triplets(verdict: Verdict) -> tuple[Statement, ...]:
    """The relevant triplets of a claim, each once."""
    steps = (step for path in verdict.paths for step in path)
    return tuple(dict.fromkeys((*(item.statement for item in verdict.evidence), *steps)))


def matched(
    text: str, verdicts: Sequence[Verdict], store: KnowledgeGraph, exact: bool = True
) -> tuple[Verdict, ...]:
    """The verdicts with ``tms`` and ``kas`` in their scores: the TMS, 0 without triplets, and the KAS of each alone.

    All sentences of a text are embedded at once: two a claim that has triplets.

    :param exact: else in half the time, see `kgstore.embedding.rough`
    """
    known = [triplets(verdict) for verdict in verdicts]
    claims = [verdict.claim for verdict in verdicts]
    pairs = [
        (said(text, verdict, claims), " ".join(verbalise(*words(one, store)) for one in found[:MOST]))
        for verdict, found in zip(verdicts, known, strict=True)
        if found
    ]
    vectors = iter(_embedded([part for pair in pairs for part in pair], store, exact) if pairs else ())
    scored = []
    for verdict, found in zip(verdicts, known, strict=True):
        presence = entity_presence(_claimed(verdict), named(found))
        tms = triplets_match(float(next(vectors) @ next(vectors)), presence) if found else 0.0
        kas = attribution([(tms, claim_score(verdict.label, len(found)))])
        scored.append(replace(verdict, scores={**verdict.scores, "tms": tms, "kas": kas}))
    return tuple(scored)


def _embedded(texts: Sequence[str], store: KnowledgeGraph, exact: bool) -> np.ndarray:
    return (store.embedder if exact else rough(store.embedder)).embed(texts)


def text_kas(verdicts: Sequence[Verdict]) -> float | None:
    """The KAS of a text, None without claims.

    From the TMS of its claims where they have it (`matched`); otherwise from the probability of each label, which is
    quicker to have and not the paper's.
    """
    if not verdicts:
        return None
    return attribution(
        (one.scores.get("tms", one.confidence), claim_score(one.label, len(triplets(one)))) for one in verdicts
    )


def said(text: str, verdict: Verdict, claims: Sequence[Claim] = ()) -> str:
    """The claim as a sentence of its own."""
    head = verdict.head.label if verdict.head else verdict.claim.head.text
    return hypothesis(text, verdict.claim, head, verdict.tail.label if verdict.tail else None, claims)


def named(statements: Iterable[Statement]) -> set[str]:
    """The entities that statements are about, by IRI."""
    return {part.value for one in statements for part in (one.subject, one.value) if isinstance(part, NamedNode)}


def _claimed(verdict: Verdict) -> set[str]:
    return {one.iri for one in (verdict.head, verdict.tail) if one is not None}

