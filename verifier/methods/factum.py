"""Factum: how close is the closest thing that the KG says about the subject of each fact of a text?

L. Kwan, P. G. Omran, K. Taylor, Using Knowledge Graphs and Agentic LLMs for Factuality Text Assessment and Improvement
(ISWC 2024), section 2. A fact (subject, predicate, object) of the text is compared with all statements about the
linked subject: the three predicates closest to its own are kept, and of their statements that whose predicate and
object together are closest. Its cosine is the fact's score; the mean over all facts is the factuality degree (FD), to
which a fact whose subject is not linked, or of which the KG says nothing, adds 0.

The paper gives no labels. Ours follow from the cosine alone and never accuse: a fact is attributable where a logistic
curve over the cosine says that this is likelier than not. Deprecated statements are left out.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from kgstore.model import Rank, Statement
from kgstore.verbalise import value_text
from kgstore.verifier.claims import Candidate, Claim, Evidence, Label, Role, Verdict
from kgstore.verifier.methods.registry import MethodResult, VerifierParts
from kgstore.verifier.report.report import triple
from kgstore.verifier.report.scores import factuality_degree

if TYPE_CHECKING:
    from kgstore.verifier.kg.protocol import Facts

NAME = "factum"
TOP = 3
"""Predicates kept (section 2)."""

STEEP, MIDDLE = 3.5, 0.71
"""The logistic curve from cosine to P(attributable), fitted by ``tests/bench/bench_factum.py`` on labelled claims."""

_FEW = 64
"""Texts that are embedded at a time where they come again with other subjects: so many an embedder remembers."""

Embed = Callable[[Sequence[str]], np.ndarray]


@dataclass(frozen=True, slots=True)
class Match:
    """The closest of the known facts.

    :param similarity: its cosine to the fact of the text, -1 to 1
    :param at: its position among the known facts
    :param predicates: the `TOP` closest predicates with their cosines, best first
    """

    similarity: float
    at: int
    predicates: tuple[tuple[str, float], ...]


def soft_match(
    relation: str, obj: str, known: Sequence[tuple[str, str]], embed: Embed, top: int = TOP
) -> Match | None:
    """Equation 1's inner maximum, over the ``top`` predicates closest to ``relation``.

    :param known: predicate and object, in words, of every fact about the same subject
    :return: None where nothing is known
    """
    if not known:
        return None
    places: dict[str, list[int]] = {}
    for at, (predicate, _) in enumerate(known):
        places.setdefault(predicate, []).append(at)
    names = list(places)
    asked = embed([relation, f"{relation} {obj}"])
    vectors = np.concatenate([embed(names[at : at + _FEW]) for at in range(0, len(names), _FEW)])
    cosines = vectors @ asked[0]
    nearest = np.argsort(-cosines, kind="stable")[:top]
    found = [
        (float(cosine), at)
        for held in (places[names[p]] for p in nearest)
        for at, cosine in zip(held, embed([" ".join(known[at]) for at in held]) @ asked[1], strict=True)
    ]
    similarity, at = max(found, key=lambda one: one[0])
    return Match(min(1.0, similarity), at, tuple((names[p], round(float(cosines[p]), 4)) for p in nearest))


def judged(text: str, claims: Sequence[Claim], verifier: VerifierParts) -> MethodResult:
    """Every claim with the statement closest to it, and the FD of the text.

    ``scores["similarity"]`` of a verdict is its share of the FD: the cosine, or 0 where there is none.
    """
    verdicts = tuple(_verdict(text, claim, verifier) for claim in claims)
    return MethodResult(verdicts, {"fd": factuality_degree([one.scores["similarity"] for one in verdicts])})


def degree(text: str, verifier: VerifierParts) -> float | None:
    """The FD of a text, None where it states no fact."""
    return judged(text, verifier.claims(text), verifier).scores["fd"]


def facts_about(subject: str, store: Facts) -> list[Statement]:
    """What the KG holds about a subject, without deprecated statements."""
    return [one for one in store.statements(subject) if one.rank is not Rank.DEPRECATED]


def in_words(statement: Statement, store: Facts) -> tuple[str, str]:
    """Predicate and object of a statement."""
    return store.label(statement.predicate.value), value_text(statement.value, store.label)


def _verdict(text: str, claim: Claim, verifier: VerifierParts) -> Verdict:
    store = verifier.store
    head = verifier.judge(claim).head
    if head is None or claim.bridge:
        why = "the subject is described, not named" if claim.bridge else "entity not found"
        return _open(claim, None, why, f"{why[0].upper()}{why[1:]}, so that the KG is not asked, and the fact counts 0")
    statements = facts_about(head.iri, store)
    _, relation, obj = triple(claim, text)
    known = [in_words(one, store) for one in statements]
    match = soft_match(f"not {relation}" if claim.negated else relation, obj, known, store.embedder.embed)
    if match is None:
        return _open(claim, head, "no statements", f"The KG says nothing about {head.label}, and the fact counts 0")
    likely = 1 / (1 + math.exp(-STEEP * (match.similarity - MIDDLE)))
    plain = not (claim.negated or claim.hedged)
    holds = plain and likely > 0.5
    likely = likely if plain else min(likely, 0.5)
    statement = statements[match.at]
    return Verdict(
        claim,
        Label.ATTRIBUTABLE if holds else Label.EXTRAPOLATORY,
        (likely, 1 - likely, 0.0),
        NAME,
        (Evidence(statement, Role.SUPPORTS if holds else Role.RELATED),),
        _reason(head, known[match.at], match),
        statement.predicate.value,
        head,
        scores={"similarity": match.similarity},
    )


def _reason(head: Candidate, fact: tuple[str, str], match: Match) -> str:
    closest = ", ".join(f"{name} ({cosine:.2f})" for name, cosine in match.predicates)
    best = f"of their statements the closest is “{' '.join(fact)}” ({match.similarity:.2f})"
    return f"Of what the KG says about {head.label}, the predicates closest to the text's are {closest}; {best}."


def _open(claim: Claim, head: Candidate | None, why: str, reason: str) -> Verdict:
    return Verdict(
        claim,
        Label.EXTRAPOLATORY,
        (0.0, 1.0, 0.0),
        NAME,
        reason=reason,
        head=head,
        scores={"similarity": 0.0},
        why_not=why,
    )
