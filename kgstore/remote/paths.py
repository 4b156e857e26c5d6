"""Ways between two entities at an endpoint: a frontier of entities a request, within a budget.

Ways of one hop are exact. For longer ones the entities around both ends are compared, at most `FRONTIER` incoming links
of each end; a hub is therefore no step that is found from the side of its many neighbours.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product

from pyoxigraph import NamedNode

from kgstore.prefixes import WELL_KNOWN
from kgstore.remote.endpoint import Row, terms, union
from kgstore.remote.entities import Entities
from kgstore.topology import MAX_HOPS, Edge

FRONTIER = 1_000
"""Incoming links of one side that are looked at."""
BRIDGED = 150
"""Entities of each side between which a third hop is looked for."""
MOST_KEPT = 5_000
"""Entities whose incoming links are kept; after that all are forgotten."""
_WD, _WDS, _WDT = (WELL_KNOWN[prefix] for prefix in ("wd", "wds", "wdt"))


class Paths:
    def __init__(self, entities: Entities, properties: Iterable[str], uses: dict[str, int]) -> None:
        self._entities, self._properties, self._uses = entities, frozenset(properties), uses
        self._into: dict[str, list[Edge]] = {}

    def between(self, sources: Sequence[str], targets: Sequence[str], max_hops: int, k: int) -> list[tuple[Edge, ...]]:
        """As `kgstore.topology.Topology.paths`."""
        if not 1 <= max_hops <= MAX_HOPS:
            raise ValueError(f"max_hops must be 1 to {MAX_HOPS}, not {max_hops}")
        from_ = sorted(set(sources))
        to = sorted(set(targets) - set(from_))
        if k < 1 or not from_ or not to:
            return []
        self._entities.fetch((*from_, *to))
        out = {iri: self._outgoing(iri) for iri in (*from_, *to)}
        direct = [edge for a in from_ for edge in out[a] if edge.object in to]
        direct += [edge for b in to for edge in out[b] if edge.object in from_]
        direct.sort(key=lambda edge: (edge.subject, edge.object, edge.property))
        found: list[tuple[Edge, ...]] = [(edge,) for edge in direct[:k]]
        if len(found) < k and max_hops >= 2:
            found += self._longer(from_, to, out, max_hops, k - len(found))
        return found

    def _longer(
        self, from_: list[str], to: list[str], out: dict[str, list[Edge]], max_hops: int, k: int
    ) -> list[tuple[Edge, ...]]:
        self._read_incoming([*from_, *to])
        edges = {iri: [*found, *self._into[iri]] for iri, found in out.items()}
        both = {*from_, *to}
        left, right = (self._around(side, edges, both) for side in (from_, to))
        middle = left.keys() & right.keys()
        chains: list[tuple[str, ...]] = [(m,) for m in middle]
        if max_hops >= 3 and len(chains) < k:
            bridges = self._bridges([one for one in left if one not in middle], list(right))
            chains += list(bridges)
        else:
            bridges = {}
        if len(chains) > 1:
            self._entities.fetch_light({one for chain in chains for one in chain})
        chains.sort(key=lambda chain: (len(chain), sum(self._degree(one) for one in chain), chain))
        found: list[tuple[Edge, ...]] = []
        for chain in chains:
            inner = (bridges[chain],) if len(chain) == 2 else ()
            first = [best for a in from_ if (best := self._best(left[chain[0]], a))]
            last = [best for b in to if (best := self._best(right[chain[-1]], b))]
            found += [(begin, *inner, end) for begin, end in product(first, last)]
            if len(found) >= k:
                break
        return found[:k]

    def _outgoing(self, iri: str) -> list[Edge]:
        local, profile = self._entities.local, self._entities.profile
        found = []
        for quad in local.quads_for_pattern(NamedNode(iri), None, None, None):
            prop = profile.property_of(quad.predicate.value)
            if isinstance(quad.object, NamedNode) and self._links(quad.predicate.value, prop, quad.object.value):
                found.append(Edge(iri, prop, quad.object.value))
        return found

    def _links(self, predicate: str, prop: str, value: str) -> bool:
        if self._entities.profile.wikibase:
            return predicate.startswith(_WDT) and value.startswith(_WD) and value not in self._properties
        return prop in self._properties

    def _read_incoming(self, ends: Sequence[str]) -> None:
        """Know the links that lead to some entities, at most `FRONTIER` to each."""
        if len(self._into) > MOST_KEPT:
            self._into.clear()
        new = [one for one in ends if one not in self._into]
        direct = f'FILTER(STRSTARTS(STR(?p), "{_WDT}"))' if self._entities.profile.wikibase else ""
        into = (f"VALUES ?o {{ {terms((one,))} }} ?s ?p ?o {direct}" for one in new)
        ways = [f"SELECT ?s ?p ?o {{ {one} }} LIMIT {FRONTIER}" for one in into]
        found = self._edges(self._entities.endpoint.select(union("?s ?p ?o", ways))) if new else []
        self._into.update((one, []) for one in new)
        for edge in found:
            self._into[edge.object].append(edge)

    def _edges(self, rows: Iterable[Row]) -> list[Edge]:
        profile = self._entities.profile
        found = [(row["s"].value, row["p"].value, row["o"].value) for row in rows if isinstance(row["s"], NamedNode)]
        named = [(s, p, profile.property_of(p), o) for s, p, o in found if s not in self._properties]
        return [Edge(s, prop, o) for s, p, prop, o in named if self._links(p, prop, o)]

    def _around(self, side: Sequence[str], edges: dict[str, list[Edge]], ends: set[str]) -> dict[str, list[Edge]]:
        """Neighbour -> the edges that lead there."""
        found: dict[str, list[Edge]] = {}
        for iri in side:
            for edge in edges[iri]:
                other = edge.object if edge.subject == iri else edge.subject
                if other not in ends:
                    found.setdefault(other, []).append(edge)
        return found

    def _bridges(self, left: Sequence[str], right: Sequence[str]) -> dict[tuple[str, str], Edge]:
        """(one of the left, one of the right) -> the rarest statement between them."""
        left, right = (sorted(side, key=lambda one: (self._degree(one), one))[:BRIDGED] for side in (left, right))
        if not left or not right:
            return {}
        direct = f'FILTER(STRSTARTS(STR(?p), "{_WDT}"))' if self._entities.profile.wikibase else ""
        ends = f"VALUES ?a {{ {terms(left)} }} VALUES ?b {{ {terms(right)} }}"
        ways = f"{{ {ends} ?a ?p ?b {direct} BIND(?a AS ?s) BIND(?b AS ?o) }}"
        ways += f" UNION {{ {ends} ?b ?p ?a {direct} BIND(?b AS ?s) BIND(?a AS ?o) }}"
        rows = self._entities.endpoint.select(f"SELECT ?s ?p ?o {{ {ways} }} LIMIT {FRONTIER}")
        found: dict[tuple[str, str], Edge] = {}
        near = set(left)
        for edge in self._edges(rows):
            pair = (edge.subject, edge.object) if edge.subject in near else (edge.object, edge.subject)
            if pair[0] != pair[1] and (pair not in found or self._rarity(edge) < self._rarity(found[pair])):
                found[pair] = edge
        return found

    def _degree(self, iri: str) -> int:
        return self._entities.weights.get(iri, (1 << 30, 0))[0]

    def _rarity(self, edge: Edge) -> tuple[int, str]:
        return self._uses.get(edge.property, 0), edge.property

    def _best(self, edges: list[Edge], end: str) -> Edge | None:
        return min((one for one in edges if end in (one.subject, one.object)), key=self._rarity, default=None)
