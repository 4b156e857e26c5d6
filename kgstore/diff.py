"""What differs between two states of a graph: triples, and the statements that they belong to.

Both sides are sorted and merged, in little memory and with scratch space for both. Blank nodes are compared by name.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator
from typing import Any

from kgstore.export import sorted_lines
from kgstore.graph import Graph
from kgstore.model import Statement
from kgstore.prefixes import WELL_KNOWN
from kgstore.sealed import SealedGraph
from kgstore.store import Store

ADDED, REMOVED = "+", "-"
_P, _WDS = WELL_KNOWN["p"], WELL_KNOWN["wds"]
_HELPERS = tuple(f"<{WELL_KNOWN[prefix]}".encode() for prefix in ("wdv", "wdref"))


def changed_lines(before: Graph | SealedGraph, after: Graph | SealedGraph) -> Iterator[tuple[str, bytes]]:
    """Every triple that only one side has, as a line of N-Triples with `ADDED` or `REMOVED`, ascending."""
    with sorted_lines(before) as old, sorted_lines(after) as new:
        left, right = next(old, None), next(new, None)
        while left is not None or right is not None:
            if left == right:
                left, right = next(old, None), next(new, None)
            elif right is None or (left is not None and left < right):
                yield REMOVED, left or b""
                left = next(old, None)
            else:
                yield ADDED, right
                right = next(new, None)


def changed_statements(before: Store, after: Store, counts: Counter[str]) -> Iterator[tuple[str, Statement]]:
    """Every statement that only one side has, subject by subject.

    A statement whose rank, qualifiers or references changed comes twice, as it was and as it is. Names, descriptions
    and the like are no statements: they are only counted.

    :param counts: counts ``triples +``, ``triples -``, ``names +``, ``names -``
    """
    subjects: dict[str, None] = {}
    names = {iri for one in (before.profile, after.profile) for iri in (*one.label, *one.alias, *one.description)}
    for sign, line in changed_lines(before.graph, after.graph):
        counts[f"triples {sign}"] += 1
        node, predicate, _ = line.split(b" ", 2)
        if predicate[1:-1].decode() in names:
            counts[f"names {sign}"] += 1
        elif not node.startswith(_HELPERS):
            subjects.update(dict.fromkeys(_owners(node, before, after)))
    for subject in subjects:
        old, new = (_by_content(store.statements(subject, references=True)) for store in (before, after))
        yield from ((REMOVED, one) for key, one in old.items() if key not in new)
        yield from ((ADDED, one) for key, one in new.items() if key not in old)


def _owners(subject: bytes, before: Store, after: Store) -> list[str]:
    """The entity that a statement node belongs to; any other IRI itself; nobody for a blank node."""
    if not subject.startswith(b"<"):
        return []
    iri = subject[1:-1].decode()
    if not iri.startswith(_WDS):
        return [iri]
    links: list[Any] = [*before.match(obj=iri), *after.match(obj=iri)]
    return sorted({link.subject.value for link in links if link.predicate.value.startswith(_P)})


def _by_content(statements: list[Statement]) -> dict[Hashable, Statement]:
    """Statements by all that they say, whatever the order of their qualifiers and references."""
    return {
        (
            one.predicate,
            one.value,
            one.id,
            one.rank,
            frozenset(one.qualifiers),
            frozenset(frozenset(reference) for reference in one.references),
        ): one
        for one in statements
    }

