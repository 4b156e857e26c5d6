"""What a graph declares to exclude each other: statements (conflicts-with constraints) and classes (disjoint ones)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from kgstore.model import NamedNode, Triple
from kgstore.prefixes import WELL_KNOWN

DISJOINT = WELL_KNOWN["owl"] + "disjointWith"
CONFLICTS = """SELECT ?st ?p ?q ?what {
    ?st ps:P2302 wd:Q21502838 ; pq:P2316 wd:Q21502408 ; wikibase:rank ?rank ; ?q ?what . ?p p:P2302 ?st .
    FILTER(?rank != wikibase:DeprecatedRank && ?q IN (pq:P2306, pq:P2305, pq:P2303) && ISIRI(?what)) }"""
"""Mandatory conflicts-with constraints: other property (P2306), its values (P2305), exceptions (P2303)."""

Conflicts = Mapping[tuple[str, str], list[tuple[str, frozenset[str]]]]
"""(property, value, or empty for any) -> the properties whose subjects cannot have it, each with its exceptions."""


def conflicts_of(rows: Iterable[Mapping[str, str]]) -> Conflicts:
    """The constraints that the solutions of `CONFLICTS` hold, each solution as variable -> IRI."""
    nodes: dict[str, tuple[str, dict[str, set[str]]]] = {}
    for row in rows:
        _, said = nodes.setdefault(row["st"], (row["p"], {}))
        said.setdefault(row["q"].rpartition("/")[2], set()).add(row["what"])
    found: dict[tuple[str, str], list[tuple[str, frozenset[str]]]] = {}
    for prop, said in nodes.values():
        for other in said.get("P2306", ()):
            for value in said.get("P2305", {""}):
                found.setdefault((other, value), []).append((prop, frozenset(said.get("P2303", ()))))
    return found


def disjoint_of(triples: Iterable[Triple]) -> dict[str, set[str]]:
    """Class -> the classes that share no member with it, from the triples of `DISJOINT`."""
    found: dict[str, set[str]] = {}
    for triple in triples:
        if isinstance(triple.subject, NamedNode) and isinstance(triple.object, NamedNode):
            found.setdefault(triple.subject.value, set()).add(triple.object.value)
            found.setdefault(triple.object.value, set()).add(triple.subject.value)
    return found
