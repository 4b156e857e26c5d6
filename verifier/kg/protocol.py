"""What the verifier asks of a graph, whatever holds it: `kgstore.store.Store` is one, a server far away can be another.

A graph answers the same way as long as a verifier is in use, so that answers may be remembered. IRIs are plain strings;
a property goes by its own IRI (``wd:P19`` in Wikibase data, the predicate elsewhere).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import numpy as np

    from kgstore.catalog import Entity, NameHit, Property
    from kgstore.constraints import Conflicts
    from kgstore.embedding import Embedder
    from kgstore.model import BlankNode, Literal, NamedNode, Statement, Triple
    from kgstore.profile import Profile
    from kgstore.topology import Edge
    from kgstore.vectors import Neighbour


class Facts(Protocol):
    """Statements and names: all that a report needs in order to show its evidence. A document has them, too."""

    def statements(self, subject: str, predicate: str | None = None, references: bool = False) -> list[Statement]:
        """What is said about a subject, deprecated statements included.

        :param predicate: only this property
        :param references: read them, too (they cost as much again)
        """

    def label(self, iri: str) -> str:
        """The name of an entity or property, its short id where it has none."""


class KnowledgeGraph(Facts, Protocol):
    """A graph that texts are checked against."""

    # -- the graph itself

    @property
    def path(self) -> Path | None:
        """The folder that holds what was calibrated for this graph, None where there is none."""

    @property
    def identity(self) -> dict[str, str]:
        """``name``, ``generation`` and ``fingerprint``, for reports; empty for a graph that is not kept."""

    @property
    def profile(self) -> Profile:
        """Which predicates mean label, type, part of, and so on."""

    @property
    def languages(self) -> tuple[str, ...]:
        """Of names and descriptions, best first."""

    @property
    def entity_count(self) -> int: ...

    # -- statements

    def incoming(self, obj: str, predicate: str | None = None, limit: int = 200) -> list[Statement]:
        """Statements whose value is this entity, at most ``limit``, in no particular order."""

    def has_incoming(self, obj: str, predicate: str) -> bool:
        """Has any statement of this property this entity as its value?"""

    def paths(
        self, sources: Sequence[str], targets: Sequence[str], max_hops: int = 3, k: int = 4
    ) -> list[tuple[Edge, ...]]:
        """The best ways from any source to any target; with ``max_hops=1`` the links between the two.

        :raises IndexMissing: if the graph cannot tell
        """

    def expect(self, iris: Iterable[str]) -> None:
        """Statements of these entities will be asked for: a graph that is far away fetches them together."""

    def match(
        self,
        subject: NamedNode | BlankNode | str | None = None,
        predicate: NamedNode | str | None = None,
        obj: NamedNode | BlankNode | Literal | str | None = None,
    ) -> Iterator[Triple]:
        """Triples that fit; None fits anything. Asked for the few of one predicate, or of one subject."""

    # -- names and kinds

    def lookup(self, names: Iterable[str], forms: bool = False) -> dict[str, list[NameHit]]:
        """The entities that bear each name, most popular first; names that nobody bears are left out.

        :param forms: also those of whose label it is only a form ("Alien" of "Alien (film)"), after the others
        """

    def entities(self, iris: Iterable[str]) -> dict[str, Entity]:
        """Those of the IRIs that the graph has an entity for."""

    def instance_types(self, iri: str) -> tuple[str, ...]:
        """What an entity is an instance of, as far as the graph says so itself."""

    def supertypes(self, iri: str, depth: int = 8) -> dict[str, int]:
        """A class and all classes above it, with the least number of subclass steps to each; 0 for the class itself."""

    # -- how properties behave

    def properties(self) -> Mapping[str, Property]:
        """All properties by IRI, with what is declared and counted of them."""

    def conflicts(self) -> Conflicts:
        """Statements that exclude each other, as the graph declares it."""

    def disjoint(self) -> Mapping[str, set[str]]:
        """Class -> the classes that the graph declares to have no member in common with it."""

    # -- closeness in meaning

    @property
    def embedder(self) -> Embedder:
        """The model that the vectors below were made with."""

    @property
    def property_names(self) -> tuple[list[tuple[str, str]], np.ndarray]:
        """(property, name) of every used property, and the names' vectors row by row; nothing where none are built."""

    def similar(self, text: str, k: int = 10) -> list[Neighbour]:
        """Stored triples closest in meaning to a text, best first.

        :raises IndexMissing: if the graph has no vectors of its triples
        """
