"""What to show beside a claim that stays undecided: ways between its ends, and statements close in meaning."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from kgstore.errors import IndexMissing
from kgstore.model import Rank, Statement
from kgstore.verifier.claims import Evidence, Label, Role, Verdict
from kgstore.verifier.kg.protocol import KnowledgeGraph

MAX_HOPS, MOST_PATHS = 3, 4
"""ClaimVer's choice for its breadth-first search."""
NEAREST = 3
CLOSE = 0.55
"""Cosine from which a statement is worth showing beside a claim whose names the KG does not know."""


def with_context(verdict: Verdict, store: KnowledgeGraph) -> Verdict:
    """The verdict with paths between head and tail, or with the nearest statements where linking failed.

    Only undecided verdicts are touched, and only their evidence with the role ``related``: nearness decides nothing.
    """
    if verdict.label is not Label.EXTRAPOLATORY:
        return verdict
    if verdict.head is not None and verdict.tail is not None:
        return replace(verdict, paths=between([verdict.head.iri], [verdict.tail.iri], store))
    if verdict.why_not == "entity not found" and not verdict.evidence:
        return replace(verdict, evidence=_nearest(verdict, store))
    return verdict


def between(sources: Sequence[str], targets: Sequence[str], store: KnowledgeGraph) -> tuple[tuple[Statement, ...], ...]:
    """The best paths from any source to any target, as chains of statements; none where the KG has no topology."""
    try:
        ways = store.paths(sources, targets, MAX_HOPS, MOST_PATHS)
    except IndexMissing:
        return ()
    found = []
    for way in ways:
        statements = [_statement(store, edge.subject, edge.property, edge.object) for edge in way]
        if all(statements):
            found.append(tuple(one for one in statements if one is not None))
    return tuple(found)


def _nearest(verdict: Verdict, store: KnowledgeGraph) -> tuple[Evidence, ...]:
    try:
        neighbours = store.similar(verdict.claim.text, NEAREST)
    except IndexMissing:
        return ()
    found = []
    for near in neighbours:
        if near.score < CLOSE:
            break
        statement = (
            _statement(store, near.subject, near.predicate, near.object)
            if near.object
            else next(iter(store.statements(near.subject, near.predicate)), None)
        )
        if statement is not None:
            found.append(Evidence(statement, Role.RELATED))
    return tuple(found)


def _statement(store: KnowledgeGraph, subject: str, predicate: str, obj: str) -> Statement | None:
    return next(
        (
            one
            for one in store.statements(subject, predicate)
            if getattr(one.value, "value", None) == obj and one.rank is not Rank.DEPRECATED
        ),
        None,
    )
