"""A KG as the source of a question's triples."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache

from kgstore.catalog import fold
from kgstore.model import Literal, Quantity, Rank, Statement, Time
from kgstore.prefixes import compact
from kgstore.store import Store
from kgstore.verbalise import readable, value_text
from kgstore.verifier.grounding.knowledge import MAX_HOPS, Triple
from kgstore.verifier.link.linker import candidates
from kgstore.verifier.link.mentions import find_mentions

AROUND = 500
"""Statements of one entity that are looked at; those with the least known others first."""
_PATHS = 50
_VALUE = '"'
"""Marks a node that is no entity but a date, a number or a text, as it is written."""


class StoreGraph:
    """Statements between entities in both directions, and an entity's own dates, numbers and (plain data only) texts.

    Around an entity, others that the KG has no name for are left out. A date or a number ends a path: only the entity
    that has it leads there.
    """

    def __init__(self, store: Store) -> None:
        self.store = store
        self._texts = store.profile.name != "wikidata"  # there nearly all of them are identifiers
        self._values = lru_cache(1000)(self._read_values)

    def linked(self, question: str) -> list[str]:
        found = find_mentions(question, self.store.catalog, fold).mentions
        hits = self.store.catalog.lookup([one.text for one in found])
        best = (candidates(self.store, one.text, hits.get(one.text, []))[:1] for one in found if one.value is None)
        return list(dict.fromkeys(one.iri for few in best for one in few))

    def nodes(self, name: str) -> list[str]:
        """Entities of that label, else of that alias; and the value that is written so."""
        hits = self.store.catalog.lookup([name]).get(name, [])
        labelled = [hit.iri for hit in hits if hit.kind == "label"] or [hit.iri for hit in hits]
        return [*dict.fromkeys(labelled), _VALUE + name]

    def touching(self, node: str) -> Sequence[Triple]:
        if node.startswith(_VALUE):
            return []
        edges = self.store.topology.neighbours(node, AROUND)
        named = (one for one in edges if self._is_named(one.subject) and self._is_named(one.object))
        return [*(Triple(one.subject, one.property, one.object) for one in named), *self._values(node)]

    def shortest(self, source: str, target: str) -> list[Triple]:
        if target.startswith(_VALUE):
            return [one for one in self._values(source) if one.tail == target]
        ways = self.store.paths([source], [target], MAX_HOPS, _PATHS)
        best = [way for way in ways if len(way) == len(ways[0])]
        return list(dict.fromkeys(Triple(one.subject, one.property, one.object) for way in best for one in way))

    def words(self, triple: Triple) -> tuple[str, str, str]:
        head, tail = (self._name(node) for node in (triple.head, triple.tail))
        return head, readable(self.store.label(triple.relation)), tail

    def relevance(self, question: str) -> Callable[[Triple], float]:
        """Cosine of the question with the relation's name, by the KG's embedding model."""
        [asked] = self.store.embedder.embed([question])

        def fits(triple: Triple) -> float:
            return float(self.store.embedder.embed([readable(self.store.label(triple.relation))])[0] @ asked)

        return fits

    def _is_named(self, node: str) -> bool:
        """Not only by its id, which would mean nothing to a model."""
        return self.store.label(node) != compact(node)

    def _name(self, node: str) -> str:
        return node[1:] if node.startswith(_VALUE) else self.store.label(node)

    def _read_values(self, node: str) -> tuple[Triple, ...]:
        kept = (one for one in self.store.statements(node) if self._is_value(one))
        return tuple(
            Triple(node, one.predicate.value, _VALUE + value_text(one.value, self.store.label)) for one in kept
        )

    def _is_value(self, one: Statement) -> bool:
        kinds = (Time, Quantity, Literal) if self._texts else (Time, Quantity)
        return one.rank is not Rank.DEPRECATED and isinstance(one.value, kinds)
