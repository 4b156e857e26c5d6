"""Store: opens the parts of a KG and keeps them in step. Each part is opened when it is first asked for."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from kgstore import layout
from kgstore.errors import IndexMissing, InputError, ModelMissing, QueryRefused, StoreNotFound
from kgstore.layout import Manifest
from kgstore.prefixes import compact, expand

if TYPE_CHECKING:
    import networkx
    import numpy as np
    import rdflib
    from pyoxigraph import BlankNode, Literal, NamedNode, Triple

    from kgstore.catalog import Catalog, Entity, NameHit, Property
    from kgstore.constraints import Conflicts
    from kgstore.embedding import Embedder
    from kgstore.graph import Graph
    from kgstore.model import Statement
    from kgstore.profile import Profile
    from kgstore.sealed import SealedGraph
    from kgstore.sparql import Answer, Stop
    from kgstore.topology import Edge, Topology
    from kgstore.vectors import Neighbour, Vectors
    from kgstore.writer import StoreWriter

_PARTS = ("graph", "catalog", "topology", "vectors", "embedder", "property_names", "profile")

_log = logging.getLogger(__name__)


class Store:
    """One folder, one knowledge graph: triples, catalogue and vector index, kept in step.

    >>> from kgstore.model import Literal, NamedNode, Triple
    >>> ada, born = NamedNode("http://ex/Ada"), NamedNode("http://ex/bornIn")
    >>> with Store() as store:                          # no path: lives in memory
    ...     store.add([Triple(ada, born, Literal("London"))], source="demo")
    ...     [t.object.value for t in store.match(subject=ada)]
    1
    ['London']

    A store in memory has triples, statements, SPARQL and labels; catalog, topology and vectors need a folder.

    :param read_only: any number of readers, also while somebody loads; each keeps the generation it opened. A store in
        memory can always be written to
    :param generation: six digits, one that is kept; the current one unless told
    :param embedder: the model that the KG was loaded with, if that is not the built-in one
    :raises StoreNotFound: if ``read_only`` and there is no such folder
    :raises NotAStore: if the folder is no KG
    :raises FormatTooNew: if a later kgstore wrote it
    :raises InputError: if there is no such generation, or the KG was loaded with another model
    """

    def __init__(
        self,
        path: Path | None = None,
        *,
        read_only: bool = True,
        generation: str | None = None,
        embedder: Embedder | None = None,
    ) -> None:
        self.path = None if path is None else Path(path)
        self._named_embedder = embedder
        self.read_only = read_only and self.path is not None
        self.manifest: Manifest | None = None
        self._pin: layout.Pin | None = None
        self._folder: Path | None = None
        self._labels: dict[str, str] = {}
        if self.path is not None:
            try:
                self._open(self.path, generation)
            except StoreNotFound:
                if read_only:
                    raise
        made_with = self.manifest.embedder if self.manifest else None
        if embedder is not None and made_with not in (None, embedder.fingerprint):
            self.close()
            why = f"the model that is named is not the one that {path} was loaded with"
            raise InputError(why, f"name that one, or run `kgstore index --embedder FOLDER --kg {path}`")

    def _open(self, path: Path, generation: str | None = None) -> None:
        if generation is not None and generation not in (kept := layout.generations(path)):
            raise InputError(f"{path} has no generation {generation}", f"choose one of {', '.join(kept)}")
        for attempt in range(5):
            self.manifest = layout.read_manifest(layout.generation_path(path, generation) if generation else path)
            self._folder = layout.generation_path(path, self.manifest.generation)
            try:
                self._pin = layout.Pin(self._folder)
                triples = self.manifest.counts.get("triples", 0)
                _log.debug("opened %s, generation %s, %d triples", path, self.manifest.generation, triples)
                return
            except FileNotFoundError:  # somebody switched and pruned in between: look again
                if attempt == 4:
                    raise IndexMissing(path, f"generation {self.manifest.generation}") from None

    def __repr__(self) -> str:
        if self.manifest is None:
            return f"Store({str(self.path)!r}, empty)" if self.path else "Store(in memory)"
        counts = self.manifest.counts
        return (
            f"<Store {self.manifest.name} at {self.path}: {counts.get('triples', 0):,} triples, "
            f"generation {int(self.manifest.generation)}, profile {self.profile.name}>"
        )

    def _repr_html_(self) -> str:
        """What a notebook shows: the KG's name, and how much it holds."""
        if self.manifest is None:
            return f"<b>{escape(repr(self))}</b>"
        rows = "".join(f"<tr><td>{escape(what)}</td><td>{n:,}</td></tr>" for what, n in self.manifest.counts.items())
        return f"<b>{escape(self.manifest.name)}</b><table>{rows}</table>"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of all files. Twice is harmless."""
        for part in ("catalog", "topology", "vectors", "graph"):
            if part in self.__dict__ and hasattr(self.__dict__[part], "close"):
                self.__dict__[part].close()
        for part in _PARTS:
            self.__dict__.pop(part, None)
        if self._pin is not None:
            self._pin.close()
            self._pin = None
        self._labels.clear()

    # -- parts ------------------------------------------------------------

    @cached_property
    def profile(self) -> Profile:
        from kgstore.profile import stored

        return self.graph.profile if self.manifest is None else stored(self.manifest.profile)

    @cached_property
    def graph(self) -> Graph | SealedGraph:
        from kgstore.graph import Graph

        if self.path is None or self.manifest is None:
            return Graph()
        if self._folder is not None and (self._folder / "sealed").is_dir():
            from kgstore.sealed import SealedGraph

            return SealedGraph(self._folder / "sealed", self.profile)
        return Graph(self._part("graph"), read_only=True, profile=self.profile)

    @cached_property
    def catalog(self) -> Catalog:
        from kgstore.catalog import Catalog

        return Catalog(self._part("catalog", "catalog.duckdb"))

    @cached_property
    def topology(self) -> Topology:
        from kgstore.topology import Topology

        return Topology(self._part("topology"))

    @cached_property
    def vectors(self) -> Vectors:
        from kgstore.vectors import Vectors

        return Vectors(self._part("vectors"))

    @cached_property
    def embedder(self) -> Embedder:
        """The model that was named, else the built-in one.

        :raises ModelMissing: if the KG was made with another one
        """
        if self._named_embedder is not None:
            return self._named_embedder
        from kgstore.embedding import load_embedder

        model = load_embedder(None)
        if self.manifest is not None and self.manifest.embedder not in (None, model.fingerprint):
            what = f"the embedding model of this KG ({self.manifest.embedder})"
            raise ModelMissing(what, self.path or "memory", "name its folder, or run `kgstore index` without one")
        return model

    @cached_property
    def property_names(self) -> tuple[list[tuple[str, str]], np.ndarray]:
        """(property, name) of every used property, and the names' vectors row by row; nothing where none are built."""
        import numpy as np

        from kgstore.vectors import load_property_names

        try:
            return load_property_names(self._part("vectors"))
        except IndexMissing:
            return [], np.zeros((0, 0), dtype=np.float32)

    @property
    def identity(self) -> dict[str, str]:
        """Name, generation and fingerprint, which tell what was asked; empty for a store in memory."""
        one = self.manifest
        return {} if one is None else {"name": one.name, "generation": one.generation, "fingerprint": one.fingerprint}

    @property
    def languages(self) -> tuple[str, ...]:
        return self.manifest.languages if self.manifest else ("en",)

    def _part(self, part: str, name: str | None = None) -> Path:
        if self._folder is None or not (self._folder / (name or part)).exists():
            raise IndexMissing(self.path or Path("memory"), part)
        return self._folder / (name or part)

    # -- reading ------------------------------------------------------------

    def match(
        self,
        subject: NamedNode | BlankNode | str | None = None,
        predicate: NamedNode | str | None = None,
        obj: NamedNode | BlankNode | Literal | str | None = None,
    ) -> Iterator[Triple]:
        """Triples that fit; None fits anything."""
        return self.graph.match(subject, predicate, obj)

    def statements(self, subject: str, predicate: str | None = None, references: bool = False) -> list[Statement]:
        """What the KG says about a subject, deprecated statements included.

        :param predicate: only this property (``wd:P19`` and ``wdt:P19`` mean the same)
        """
        return self.graph.statements(subject, predicate, references)

    def incoming(self, obj: str, predicate: str | None = None, limit: int = 200) -> list[Statement]:
        """Statements whose value is this entity."""
        return self.graph.incoming(obj, predicate, limit)

    def has_incoming(self, obj: str, predicate: str) -> bool:
        """Has any statement of this property this entity as its value?"""
        return bool(self.graph.incoming(obj, predicate, 1))

    def label(self, iri: str) -> str:
        """The name of an entity or property. Where it has none, the words of a property's IRI, an entity's short id."""
        if len(self._labels) > 50_000:
            self._labels.clear()
        if iri not in self._labels:
            self._labels[iri] = self._read_label(iri)
        return self._labels[iri]

    def _read_label(self, iri: str) -> str:
        if self._folder is None:
            names: list[Any] = [t.object for one in self.profile.label for t in self.match(iri, one)]
            names.sort(key=lambda name: (getattr(name, "language", None) not in (*self.languages, None), name.value))
            return names[0].value if names else compact(iri)
        entity = self.catalog.entity(iri)
        if entity is not None and entity.label != compact(iri):
            return entity.label
        known = self.catalog.properties().get(iri)  # which has words of its identifier for a name at the least
        return known.label if known else compact(iri)

    def entity(self, text: str) -> Entity:
        """The entity with this id, IRI or name; of several with that name the best known one.

        :raises InputError: if there is none
        """
        try:
            if (found := self.catalog.entity(expand(text))) is not None:
                return found
        except InputError:
            pass
        for hit in self.catalog.lookup([text]).get(text, []):
            if (found := self.catalog.entity(hit.iri)) is not None:
                return found
        raise InputError(f"the KG has no entity {text!r}", f"look for it with `kgstore search {text!r}`")

    @property
    def entity_count(self) -> int:
        return len(self.catalog)

    def entities(self, iris: Iterable[str]) -> dict[str, Entity]:
        """Those of the IRIs that the KG has an entity for."""
        return self.catalog.entities(iris)

    def instance_types(self, iri: str) -> tuple[str, ...]:
        """What an entity is an instance of, as far as the KG says so itself."""
        return self.catalog.instance_types(iri)

    def supertypes(self, iri: str, depth: int = 8) -> dict[str, int]:
        """A class and all classes above it, with the number of steps to each; see `kgstore.catalog.Catalog`."""
        return self.catalog.supertypes(iri, depth)

    def lookup(self, names: Iterable[str], forms: bool = False) -> dict[str, list[NameHit]]:
        """The entities that bear each name, most popular first; see `kgstore.catalog.Catalog`."""
        return self.catalog.lookup(names, forms)

    def properties(self) -> dict[str, Property]:
        """All properties by IRI, with how they behave in this KG."""
        return self.catalog.properties()

    def conflicts(self) -> Conflicts:
        """Statements that exclude each other, by the KG's mandatory conflicts-with constraints."""
        from kgstore.constraints import CONFLICTS, conflicts_of

        if not self.profile.wikibase:
            return {}
        rows = self.graph.solutions(CONFLICTS)
        return conflicts_of({name: row[name].value for name in ("st", "p", "q", "what")} for row in rows)

    def disjoint(self) -> dict[str, set[str]]:
        """Class -> the classes that the KG declares to have no member in common with it."""
        from kgstore.constraints import DISJOINT, disjoint_of

        return disjoint_of(self.match(None, DISJOINT))

    def search(self, text: str, k: int = 10) -> list[NameHit]:
        """Entities by name: exact ones first, then prefixes, then similar ones."""
        return self.catalog.search(text, k)

    def paths(
        self, sources: Sequence[str], targets: Sequence[str], max_hops: int = 3, k: int = 4
    ) -> list[tuple[Edge, ...]]:
        """The best ways from any source to any target."""
        return self.topology.paths(sources, targets, max_hops, k)

    def nearest(self, vectors: np.ndarray, *, k: int = 10) -> list[list[Neighbour]]:
        """Stored triples closest in meaning to each query, best first.

        :param vectors: float32 ``(n, dim)``, each row of length 1, made by `embedder`
        :raises WidthMismatch: if ``dim`` is not the index's width
        """
        return self.vectors.nearest(vectors, k)

    def expect(self, iris: Iterable[str]) -> None:
        """Nothing is far away here; see `kgstore.verifier.kg.protocol`."""

    def similar(self, text: str, k: int = 10) -> list[Neighbour]:
        """Stored triples closest in meaning to a text, best first.

        :raises IndexMissing: if the KG was loaded without vectors
        """
        vectors = self.vectors
        return vectors.nearest(self.embedder.embed([text]), k=k)[0]

    def query(
        self, sparql: str, *, timeout: float = 30.0, limit: int = 10_000, stop: Stop | None = None
    ) -> Answer:
        """Anybody's SPARQL, read-only and within limits; see `kgstore.sparql.run`."""
        return self.graph.query(sparql, timeout=timeout, limit=limit, languages=self.languages, stop=stop)

    def to_networkx(self, entity: str, hops: int = 1, *, limit: int = 50, most: int = 2000) -> networkx.MultiDiGraph:
        """What surrounds an entity (extra kea): nodes are IRIs, an edge has its property as key, both have a ``label``.

        :param entity: an id (Q42), an IRI, or a name that only one entity has
        :param hops: how far to go
        :param limit: statements of one entity that are followed, those with the least known others first
        :param most: entities in all
        :raises InputError: if there is no such entity
        """
        from kgstore.networks import around, to_networkx

        found = self.entity(entity)
        graph = to_networkx(around(self.topology, self.label, found.iri, hops, limit, most))
        graph.add_node(found.iri, label=found.label)
        return graph

    def as_rdflib(self) -> rdflib.Graph:
        """The graph behind rdflib's interface (extra rdf): no copy; of a KG that is open for reading, read-only.

        :raises QueryRefused: if the KG is sealed
        """
        from kgstore.networks import as_rdflib

        return as_rdflib(self._open_graph())

    def _open_graph(self) -> Graph:
        """
        :raises QueryRefused: if the KG is sealed
        """
        from kgstore.graph import Graph

        if not isinstance(self.graph, Graph):
            raise QueryRefused("a sealed KG has no graph for rdflib", "make an open one of it with `kgstore unseal`")
        return self.graph

    def ledger(self) -> list[dict[str, Any]]:
        """The sources this KG was made of, oldest first; the keys are in `kgstore.ledger`."""
        from kgstore.ledger import read

        return read(self.graph)

    # -- writing ------------------------------------------------------------

    def add(self, triples: Iterable[Triple], *, source: str) -> int:
        """Add all or none, return how many were new. Holds them in memory; dumps go to `writer`.

        In a folder each call makes a whole new generation: the graph's files are shared, but catalog, topology and
        vectors are derived anew, which takes as long as it took at the load. Gather many triples in one call.

        :raises ValueError: if the store was opened read-only
        :raises StoreLocked: if somebody else writes
        """
        from kgstore import ledger

        triples = list(triples)
        lines = sorted({f"{triple.subject} {triple.predicate} {triple.object} ." for triple in triples})
        record = {
            "name": source,
            "sha256": hashlib.sha256("\n".join(lines).encode()).hexdigest(),
            "counts": {"triples": len(lines)},
        }
        if self.path is None:
            graph = self._open_graph()
            new = graph.add(triples)
            ledger.write(graph, record)
            self.__dict__.pop("profile", None)
            self._labels.clear()
            return new
        if self.read_only:
            raise ValueError("the store was opened read-only: open it with read_only=False")
        with self.writer(self.path, languages=() if self.manifest else ("en",)) as writer:
            new = writer.add(triples)
            writer.ledger(record)
            writer.commit(vectors=bool(self.manifest and self.manifest.counts.get("vectors")))
        self.close()
        self._open(self.path)
        return new

    @staticmethod
    def writer(path: Path, *args: Any, **options: Any) -> StoreWriter:
        """A `kgstore.writer.StoreWriter`, for loads."""
        from kgstore.writer import StoreWriter

        return StoreWriter(path, *args, **options)
