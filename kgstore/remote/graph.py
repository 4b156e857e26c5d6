"""A graph behind a SPARQL endpoint, with what `kgstore.store.Store` offers to whoever reads one."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import pyoxigraph as ox
from pyoxigraph import BlankNode, Literal, NamedNode, Triple

from kgstore.catalog import Entity, NameHit, Property
from kgstore.constraints import CONFLICTS, DISJOINT, Conflicts, conflicts_of, disjoint_of
from kgstore.errors import IndexMissing, InputError, QueryRefused
from kgstore.model import Statement
from kgstore.prefixes import WELL_KNOWN, compact, expand
from kgstore.profile import Profile
from kgstore.remote.counted import LARGE, Behaviour, behaviour, folder_of
from kgstore.remote.endpoint import Endpoint, EndpointFailed, Row, Term, literal, terms, union
from kgstore.remote.entities import Entities
from kgstore.remote.names import Names
from kgstore.remote.paths import Paths
from kgstore.statements import reader

if TYPE_CHECKING:
    import numpy as np

    from kgstore.embedding import Embedder
    from kgstore.sparql import Answer
    from kgstore.topology import Edge
    from kgstore.vectors import Neighbour

MOST_TRIPLES = 200_000
"""Triples of one predicate that are read at once."""
_CLASSES = 120
_MEANT = 6
"""Of no more entities that are asked for together, the statements are likely to be asked for, too."""
_UNROLLED = ("BIND(?c AS ?s)", *(f"?c {'/'.join(['{step}'] * steps)} ?s" for steps in range(1, 7)))
_KIND = re.compile(r"\b(?:SELECT|ASK|CONSTRUCT|DESCRIBE)\b", re.IGNORECASE)
_NO_CODE = re.compile(r"<[^<>\s]*>|\"[^\"\n]*\"|#[^\n]*")
_CONTROL = re.compile(r"[\x00-\x1f\x7f]+")
_WD, _WDS, _P, _PS, _WDT = (WELL_KNOWN[prefix] for prefix in ("wd", "wds", "p", "ps", "wdt"))


class RemoteGraph:
    """Reads of one endpoint, remembered as long as it is open, on the understanding that it does not change meanwhile.

    :param kg: ``sparql+http://host:port/path``
    :param languages: of names and descriptions, best first
    :param report: told what is going on when properties are counted
    :raises EndpointFailed: here and in every method, if the endpoint does not give whole answers
    """

    manifest = None

    def __init__(
        self,
        kg: Path | str,
        languages: Sequence[str] = ("en",),
        report: Callable[[str], None] = lambda message: None,
        anew: bool = False,
    ) -> None:
        self._kg, self.endpoint, self.languages = kg, Endpoint(kg), tuple(languages)
        self.path = folder_of(self.endpoint.url)
        self._known: Behaviour = behaviour(self.endpoint, self.languages, self.path, report, anew)
        counted = self._known.triples < LARGE
        self.entities_read = Entities(self.endpoint, self.profile, self.languages, counted, self._known.hubs)
        self._names = Names(self.entities_read, self._known.properties)
        located = {self.profile.property_of(one) for one in self.profile.located[:1]}
        known = self._known.properties.items()
        self.entities_read.downwards = tuple(iri for iri, one in known if one.inverse in located and iri not in located)
        uses = {iri: one.statements for iri, one in known}
        self._paths = Paths(self.entities_read, uses, uses)
        self._above: dict[str, tuple[str, ...]] = {}
        self._steps: tuple[str, ...] = ("?c {step}* ?s",)
        self._incoming: dict[tuple[str, str | None, int], list[Statement]] = {}
        self._matched: dict[tuple[Any, ...], list[Triple]] = {}

    def __repr__(self) -> str:
        return f"<RemoteGraph {self.endpoint.url}: {self._known.triples:,} triples, profile {self.profile.name}>"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self.endpoint.close()

    # -- the graph itself ---------------------------------------------------------------------------

    @property
    def catalog(self) -> RemoteGraph:
        """Itself: `lookup`, `entity` and the like."""
        return self

    @property
    def counted(self) -> Behaviour:
        """How its properties behave, and since when that is known."""
        return self._known

    @property
    def identity(self) -> dict[str, str]:
        return {"name": self.endpoint.url, "generation": self._known.made, "fingerprint": self._known.fingerprint}

    @property
    def profile(self) -> Profile:
        return self._known.profile

    @cached_property
    def entity_count(self) -> int:
        """Subjects that have a name."""
        counts = self._known.counts
        return max((counts.get(one, 0) for one in self.profile.label), default=0) or max(counts.values(), default=0)

    def __len__(self) -> int:
        return self.entity_count

    # -- statements ---------------------------------------------------------------------------------

    def statements(self, subject: str, predicate: str | None = None, references: bool = False) -> list[Statement]:
        read = self.entities_read
        if predicate is not None and self.profile.property_of(predicate) in read.upwards and not references:
            read.climb((subject,))
        else:
            read.fetch((subject,))
        return read.reader.of(subject, predicate, references)

    def expect(self, iris: Iterable[str]) -> None:
        """They travel with the next request that asks for statements."""
        self.entities_read.queue(iris)

    def incoming(self, obj: str, predicate: str | None = None, limit: int = 200) -> list[Statement]:
        prop = None if predicate is None else self.profile.property_of(predicate)
        read = self.entities_read
        if prop in read.downwards:
            read.climb((obj,))
            return read.reader.to(obj, prop, limit)
        if prop in read.kinds and obj in read.asked and (obj, prop) not in read.members:
            return []
        key = (obj, prop, limit)
        if key not in self._incoming:
            if len(self._incoming) > 20_000:
                self._incoming.clear()
            self._incoming[key] = self._read_incoming(obj, prop, limit)
        return self._incoming[key]

    def has_incoming(self, obj: str, predicate: str) -> bool:
        prop, read = self.profile.property_of(predicate), self.entities_read
        if prop in read.kinds and obj in read.asked:
            return (obj, prop) in read.members
        return bool(self.incoming(obj, prop, 1))

    def _read_incoming(self, obj: str, prop: str | None, limit: int) -> list[Statement]:
        if not terms((obj,)):
            return []
        local = ox.Store()
        rows = self.endpoint.select(self._pointing(obj, prop, limit))
        local.extend(ox.Quad(row["s"], row["p"], row["o"]) for row in rows if not isinstance(row["s"], Literal))
        self.entities_read.queue(row["s"].value for row in rows[:8] if row["s"].value.startswith(_WD + "Q"))
        return reader(local, self.profile).to(obj, prop, limit)

    def _pointing(self, obj: str, prop: str | None, limit: int) -> str:
        """Triples that carry statements with this value, and all of their statement nodes."""
        if not self.profile.wikibase:
            named = "" if prop is None else f"VALUES ?p {{ <{prop}> }}"
            return f"SELECT ?s ?p (<{obj}> AS ?o) {{ {named} ?s ?p <{obj}> }} LIMIT {2 * limit}"
        name = None if prop is None or not prop.startswith(_WD) else prop.removeprefix(_WD)
        kinds = [f'FILTER(STRSTARTS(STR({one}), "{start}"))' for one, start in (("?ps", _PS), ("?p", _WDT))]
        full, simple = kinds if name is None else (f"VALUES ?ps {{ <{_PS}{name}> }}", f"VALUES ?p {{ <{_WDT}{name}> }}")
        node = f'?st ?ps <{obj}> {full} ?item ?c ?st FILTER(STRSTARTS(STR(?c), "{_P}"))'
        nodes = f"{{ SELECT ?item ?c ?st {{ {node} }} LIMIT {limit} }}"
        return (
            f"SELECT ?s ?p ?o {{ {{ {nodes} BIND(?item AS ?s) BIND(?c AS ?p) BIND(?st AS ?o) }} "
            f"UNION {{ {nodes} BIND(?st AS ?s) ?s ?p ?o }} UNION {{ {nodes} ?st ?d ?s "
            f'FILTER(STRSTARTS(STR(?s), "http://www.wikidata.org/value/")) ?s ?p ?o }} '
            f"UNION {{ {{ SELECT ?s ?p (<{obj}> AS ?o) {{ {simple} ?s ?p <{obj}> }} LIMIT {limit} }} }} }}"
        )

    def match(
        self,
        subject: NamedNode | BlankNode | str | None = None,
        predicate: NamedNode | str | None = None,
        obj: Term | str | None = None,
    ) -> Iterator[Triple]:
        s, p, o = (_node(one) for one in (subject, predicate, obj))
        if isinstance(s, NamedNode) and s.value not in self._known.properties:
            self.entities_read.fetch((s.value,))
            for quad in self.entities_read.local.quads_for_pattern(s, p, o, None):
                yield quad.triple
            return
        yield from self._match(s, p, o)

    def _match(self, s: Term | None, p: NamedNode | None, o: Term | None) -> list[Triple]:
        key = (s, p, o)
        if key not in self._matched:
            given = {"?s": s, "?p": p, "?o": o}
            said = " ".join(name if term is None else str(term) for name, term in given.items())
            names = [name for name, term in given.items() if term is None]
            if p is not None and p.value not in self._known.counts or isinstance(s, BlankNode):
                rows = list[Row]()
            elif not names:
                rows = [{}] if self.endpoint.ask(f"ASK {{ {said} }}") else []
            else:
                rows = self.endpoint.select(f"SELECT {' '.join(names)} {{ {said} }} LIMIT {MOST_TRIPLES + 1}")
            if len(rows) > MOST_TRIPLES:
                raise EndpointFailed(self.endpoint.url, f"has too many triples like {said}", "mirror a part of it")
            parts: list[Any] = [[row.get(name[1:], term) for name, term in given.items()] for row in rows]
            self._matched[key] = [Triple(s, p, o) for s, p, o in parts if not isinstance(s, Literal)]
        return self._matched[key]

    def paths(
        self, sources: Sequence[str], targets: Sequence[str], max_hops: int = 3, k: int = 4
    ) -> list[tuple[Edge, ...]]:
        found = self._paths.between(sources, targets, max_hops, k)
        self.entities_read.queue(edge.subject for way in found for edge in way)  # whose statements are asked for next
        return found

    def query(self, sparql: str, *, timeout: float = 30.0, limit: int = 10_000) -> Answer:
        """Anybody's SELECT or ASK, read-only, at most ``limit`` rows of it.

        :raises QueryRefused: if it is of another kind
        """
        from kgstore.sparql import Result, prepare

        text = prepare(sparql, self.languages).text
        kind = _KIND.search(_NO_CODE.sub(" ", text))
        if kind is None or kind[0].upper() not in ("SELECT", "ASK"):
            raise QueryRefused("an endpoint is asked with SELECT and ASK only", "write it as one of these")
        with Endpoint(self._kg, timeout, retries=0) as endpoint:
            if kind[0].upper() == "ASK":
                return endpoint.ask(text)
            columns, rows = endpoint.table(text)
        return Result(columns, [tuple(row.get(name) for name in columns) for row in rows[:limit]], len(rows) > limit)

    # -- names and kinds ----------------------------------------------------------------------------

    def lookup(self, names: Iterable[str], forms: bool = False) -> dict[str, list[NameHit]]:
        return self._names.lookup(names, forms)

    def search(self, text: str, k: int = 10) -> list[NameHit]:
        return self._names.search(text, k)

    def label(self, iri: str) -> str:
        return self._label(iri) or compact(iri)

    def _label(self, iri: str) -> str:
        if (known := self._known.properties.get(iri)) is not None:
            return known.label
        if not terms((iri,)):
            return ""
        if iri not in self.entities_read.light and iri not in self.entities_read.named:
            self.entities_read.fetch_light((iri,))
        return self._first(iri, self.profile.label)

    def _first(self, iri: str, predicates: Sequence[str]) -> str:
        """The best text of an entity: of the best language, then of the best predicate."""
        found, tags = [], self.entities_read.tags
        for order, predicate in enumerate(predicates):
            quads = self.entities_read.local.quads_for_pattern(NamedNode(iri), NamedNode(predicate), None, None)
            for text in (quad.object for quad in quads):
                tag = getattr(text, "language", None) or ""
                if isinstance(text, Literal) and tag in tags:
                    found.append((tags.index(tag), order, _CONTROL.sub(" ", text.value).strip()))
        return min(found)[2] if found else ""

    def entity(self, text: str) -> Entity:
        """The entity with this id, IRI or name; of several with that name the best known one.

        :raises InputError: if there is none
        """
        iris = []
        with suppress(InputError):
            iris.append(expand(text))
        for iri in [*iris, *(hit.iri for hit in self.lookup([text]).get(text, ()))]:
            if (found := self.entities((iri,)).get(iri)) is not None:
                return found
        raise InputError(f"the KG has no entity {text!r}", f"look for it with `kgstore search {text!r}`")

    def entities(self, iris: Iterable[str]) -> dict[str, Entity]:
        wanted = [iri for iri in dict.fromkeys(iris) if terms((iri,))]
        read = self.entities_read
        read.fetch_light(iri for iri in wanted if iri not in read.whole)
        if len(wanted) <= _MEANT:
            read.queue(iri for iri in wanted if iri not in self._above)
        return {iri: one for iri in wanted if (one := self._entity(iri)) is not None}

    def _entity(self, iri: str) -> Entity | None:
        degree, links = self.entities_read.weights.get(iri, (0, 0))
        label = self._label(iri)
        if not label and not degree and next(self.match(iri), None) is None:
            return None
        said = self._first(iri, self.profile.description)
        return Entity(iri, 0, label or compact(iri), said, self.instance_types(iri), degree, links)

    def instance_types(self, iri: str) -> tuple[str, ...]:
        if iri not in self.entities_read.light:
            self.entities_read.fetch_light((iri,))
        found = self._objects(iri, self.profile.type)
        return tuple(sorted(found, key=lambda one: (-sum(self.entities_read.weights.get(one, (0, 0))), len(one), one)))

    def _objects(self, iri: str, predicates: Sequence[str]) -> list[str]:
        local = self.entities_read.local
        quads = (q for p in predicates for q in local.quads_for_pattern(NamedNode(iri), NamedNode(p), None, None))
        return list(dict.fromkeys(quad.object.value for quad in quads if isinstance(quad.object, NamedNode)))

    def supertypes(self, iri: str, depth: int = 8) -> dict[str, int]:
        above, level = {iri: 0}, [iri]
        for distance in range(1, depth + 1):
            if any(one not in self._above for one in level):
                self._read_above([one for one in level if one not in self._above])
            level = [up for up in dict.fromkeys(u for one in level for u in self._above[one]) if up not in above]
            above.update(dict.fromkeys(level, distance))
        return above

    def _read_above(self, classes: Sequence[str]) -> None:
        """Everything above these classes, and above those that are likely to be asked for next."""
        wanted = dict.fromkeys(classes)
        types = [NamedNode(one) for one in self.profile.type]
        for quad in (q for p in types for q in self.entities_read.local.quads_for_pattern(None, p, None, None)):
            if len(wanted) >= _CLASSES:
                break
            if isinstance(quad.object, NamedNode) and quad.object.value not in self._above:
                wanted[quad.object.value] = None
        asked = [one for one in wanted if terms((one,))]
        self._above.update(dict.fromkeys(wanted, ()))
        if not self.profile.subclass or not asked:
            return
        step = "|".join(f"<{one}>" for one in self.profile.subclass)
        try:
            rows = self.endpoint.select(self._upwards(asked, step))
        except EndpointFailed as error:
            if "transitive" not in error.why:
                raise
            self._steps = _UNROLLED  # Virtuoso begins a path only where its one end is a constant
            rows = self.endpoint.select(self._upwards(asked, step))
        found: dict[str, list[str]] = {}
        for row in rows:
            if "p" not in row:
                found.setdefault(row["s"].value, []).append(row["o"].value)
        every = {one for pair in found.items() for one in (pair[0], *pair[1])}
        self._above.update({one: tuple(sorted(found.get(one, ()))) for one in every})
        named = [row for row in rows if "p" in row]
        self.entities_read.local.extend(ox.Quad(row["s"], row["p"], row["o"]) for row in named)
        self.entities_read.named.update(every)

    def _upwards(self, classes: Sequence[str], step: str) -> str:
        """Everything above some classes: the steps, and names."""
        tags, given = ", ".join(map(literal, self.entities_read.tags)), f"VALUES ?c {{ {terms(classes)} }}"
        ways = " UNION ".join(f"{{ {given} {way.format(step=f'({step})')} }}" for way in self._steps)
        up = f"{{ SELECT DISTINCT ?s {{ {ways} }} }}"
        parts = [f"{up} ?s {step} ?o FILTER(ISIRI(?o))"]
        parts += [f"{up} ?s <{one}> ?o BIND(<{one}> AS ?p) FILTER(LANG(?o) IN ({tags}))" for one in self.profile.label]
        return union("?s ?p ?o", parts)

    # -- how properties behave ----------------------------------------------------------------------

    def properties(self) -> dict[str, Property]:
        return self._known.properties

    def conflicts(self) -> Conflicts:
        if not self.profile.wikibase or f"{_PS}P2302" not in self._known.counts:
            return {}
        rows = self.endpoint.select(CONFLICTS)
        return conflicts_of({name: row[name].value for name in ("st", "p", "q", "what")} for row in rows)

    def disjoint(self) -> dict[str, set[str]]:
        return disjoint_of(self.match(None, DISJOINT))

    # -- closeness in meaning -----------------------------------------------------------------------

    @cached_property
    def embedder(self) -> Embedder:
        from kgstore.embedding import load_embedder

        return load_embedder(None)

    @cached_property
    def property_names(self) -> tuple[list[tuple[str, str]], np.ndarray]:
        """Embedded once and kept beside what was counted."""
        from kgstore.vectors import build_property_names, load_property_names

        place = self.path / f"names-{self._known.fingerprint[:16]}-{self.embedder.fingerprint[:16]}"
        try:
            return load_property_names(place)
        except IndexMissing:
            build_property_names(self.properties(), self.embedder, place)
            return load_property_names(place)

    def similar(self, text: str, k: int = 10) -> list[Neighbour]:
        raise IndexMissing(self.endpoint.url, "vectors", "copy a part of it with `kgstore mirror`")

    @property
    def vectors(self) -> Any:
        raise IndexMissing(self.endpoint.url, "vectors", "copy a part of it with `kgstore mirror`")


def _node(term: Term | str | None) -> Any:
    return NamedNode(term) if isinstance(term, str) else term
