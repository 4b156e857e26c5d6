"""What the graph that is being loaded into knows already of the names in a table."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from kgstore.graph import Graph
from kgstore.model import Literal, NamedNode
from kgstore.prefixes import WELL_KNOWN
from kgstore.profile import BUILT_IN

_LABELS = tuple(dict.fromkeys(iri for profile in BUILT_IN.values() for iri in profile.label))
_TYPE = WELL_KNOWN["rdf"] + "type"
_PROPERTY = "Property"
"""How the types of properties end: rdf:Property, owl:ObjectProperty, wikibase:Property."""


class GraphNames:
    """Names by label (`kgstore.loaders.table_names.Known`), in the languages of a load and without a language.

    An entity that other files of the same load will name later is not known yet.
    """

    def __init__(self, graph: Graph, languages: Sequence[str]) -> None:
        self._graph, self._languages = graph, tuple(languages)
        self.entity = lru_cache(200_000)(self._entity)

    def _entity(self, name: str) -> str | None:
        forms = [Literal(name), *(Literal(name, language=tag) for tag in self._languages)]
        found = {
            triple.subject.value
            for predicate in _LABELS
            for form in forms
            for triple in self._graph.match(None, predicate, form)
            if isinstance(triple.subject, NamedNode)
        }
        things = [iri for iri in found if not self._is_property(iri)]
        return things[0] if len(things) == 1 else None

    def _is_property(self, iri: str) -> bool:
        kinds = (triple.object for triple in self._graph.match(iri, _TYPE))
        return any(isinstance(kind, NamedNode) and kind.value.endswith(_PROPERTY) for kind in kinds)

    def otherwise(self, iri: str, label: str, language: str) -> bool:
        """Has this entity labels, but not this one?"""
        labels = {triple.object for predicate in _LABELS for triple in self._graph.match(iri, predicate)}
        return bool(labels) and Literal(label, language=language) not in labels
