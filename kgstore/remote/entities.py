"""What an endpoint says of entities, fetched many at a time and kept; the statement readers of embedded KGs read it.

One request brings, for each entity: its own triples (names in the wanted languages only), its statement nodes with
their values and references, the names and types of what it is linked to, and how well known it is. Whatever is likely
to be asked for next (the bearers of a name, the places around a place) waits in a queue and travels along.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import islice

import pyoxigraph as ox
from pyoxigraph import Literal, NamedNode

from kgstore.prefixes import WELL_KNOWN
from kgstore.profile import Profile
from kgstore.remote.endpoint import Endpoint, EndpointFailed, Row, chunks, literal, terms, union
from kgstore.statements import Reader, reader

_WD, _WDS, _WDT = (WELL_KNOWN[prefix] for prefix in ("wd", "wds", "wdt"))
_WDV = "http://www.wikidata.org/value/"
BATCH = 60
"""Entities of one request."""
LIGHT = 200
"""Entities of one request of which only names, types and weights are wanted."""
MOST_LINKED = 40
"""Neighbours of an entity that are fetched with the next request."""
MOST_KEPT = 40_000
"""Entities that are kept; after that all are forgotten."""
CLIMBED = 4
"""Steps upwards that are asked for one by one, where a server begins no path of any length (`Entities._upwards`)."""
_DEGREE, _LINKS, _ABOVE = "urn:kgstore:degree", "urn:kgstore:sitelinks", "urn:kgstore:above"
_DEFAULT = ox.DefaultGraph()
_NODE = f'?e ?c ?st FILTER(STRSTARTS(STR(?st), "{_WDS}"))'


def about(iris: Sequence[str], profile: Profile, tags: Sequence[str]) -> list[str]:
    """Patterns of ``?s ?p ?o`` that hold all that is said of some entities, names in these languages only."""
    names = terms((*profile.label, *profile.alias, *profile.description)).replace(" ", ", ")
    spoken = f"FILTER(!(?p IN ({names})) || LANG(?o) IN ({', '.join(map(literal, tags))}))"
    values = f"VALUES ?e {{ {terms(iris)} }}"
    own = f"VALUES ?s {{ {terms(iris)} }} ?s ?p ?o {spoken}"
    if not profile.wikibase:
        return [own, f"{values} ?s rdf:subject ?e . ?s ?p ?o"]
    value = f'FILTER(STRSTARTS(STR(?s), "{_WDV}"))'
    return [
        own,
        f"{values} {_NODE} BIND(?st AS ?s) ?s ?p ?o",
        f"{values} {_NODE} ?st ?d ?s {value} ?s ?p ?o",
        f"{values} {_NODE} ?st prov:wasDerivedFrom ?s . ?s ?p ?o",
        f"{values} {_NODE} ?st prov:wasDerivedFrom ?r . ?r ?d ?s {value} ?s ?p ?o",
    ]


class Entities:
    """:param counted: count how often an entity is linked; else its sitelinks and statements stand for that"""

    def __init__(self, endpoint: Endpoint, profile: Profile, languages: Sequence[str], counted: bool = True) -> None:
        self.endpoint, self.profile, self.counted = endpoint, profile, counted
        self.tags = tuple(dict.fromkeys((*languages, "mul", "")))
        self._names = (*profile.label, *profile.alias, *profile.description)
        self._up = (*profile.located, *profile.part_of, *profile.subclass)
        self.downwards: tuple[str, ...] = ()
        self._climbs = True
        self._apart = False
        self.clear()

    def clear(self) -> None:
        """Forget everything."""
        self.local = ox.Store()
        self.reader: Reader = reader(self.local, self.profile)
        self.whole: set[str] = set()
        self.light: set[str] = set()
        self.weights: dict[str, tuple[int, int]] = {}
        self.held: set[tuple[str, str]] = set()
        self._queue: dict[str, None] = {}

    def queue(self, iris: Iterable[str]) -> None:
        """To be fetched together with the next."""
        self._queue.update((iri, None) for iri in iris if iri not in self.whole and iri.startswith("http"))

    def fetch(self, iris: Iterable[str]) -> None:
        """Know everything of these entities, and of those in the queue as far as one request takes them.

        :raises EndpointFailed: if not all of it arrives; then nothing of it is kept
        """
        wanted = [iri for iri in dict.fromkeys(iris) if iri not in self.whole]
        if not wanted:
            return
        if len(self.whole) > MOST_KEPT:
            self.clear()
        room = BATCH - len(wanted) % BATCH
        beside = [iri for iri in reversed(self._queue) if iri not in self.whole and iri not in wanted][:room]
        for some in chunks([*wanted, *beside], BATCH):
            self._keep(some, self._all(partial(self._parts, some)))
        for iri in [*wanted, *beside]:
            self._queue.pop(iri, None)
        self.queue(near for iri in wanted for near in self._linked(iri))

    def fetch_light(self, iris: Iterable[str]) -> None:
        """Know names, types and weights of these entities."""
        wanted = [iri for iri in dict.fromkeys(iris) if iri not in self.light or iri not in self.weights]
        for some in chunks(wanted, LIGHT):
            parts = [*self._shown(f"VALUES ?s {{ {terms(some)} }}"), self._weight(some)]
            self._add(self._all(partial(list[str], parts)))
            self.light.update(some)
            for iri in some:
                self.weights.setdefault(iri, (0, 0))

    def matches(self, subject: str, predicate: str) -> list[ox.Triple]:
        """Triples of an entity, which is fetched."""
        self.fetch((subject,))
        found = self.local.quads_for_pattern(NamedNode(subject), NamedNode(predicate), None, _DEFAULT)
        return [quad.triple for quad in found]

    def _all(self, parts: Callable[[], Sequence[str]]) -> list[Row]:
        """What fits any of some patterns: in one request, or in one each where the server cannot put them together."""
        if not self._apart:
            try:
                return self.endpoint.select(union("?s ?p ?o", parts()))
            except EndpointFailed as error:
                if "refuses" not in error.why:
                    raise
            if self._climbs:
                self._climbs = False
                return self._all(parts)
            self._apart = True
        return [row for part in parts() for row in self.endpoint.select(union("?s ?p ?o", [part]))]

    def _linked(self, iri: str) -> Iterator[str]:
        """What an entity's simple statements lead to, at most `MOST_LINKED`."""
        start = _WDT if self.profile.wikibase else ""
        found = self.local.quads_for_pattern(NamedNode(iri), None, None, _DEFAULT)
        near = (quad.object for quad in found if quad.predicate.value.startswith(start))
        return islice((one.value for one in near if isinstance(one, NamedNode)), MOST_LINKED)

    # -- the query

    def _parts(self, iris: Sequence[str]) -> list[str]:
        values = f"VALUES ?e {{ {terms(iris)} }}"
        parts = about(iris, self.profile, self.tags)
        if self.profile.wikibase:
            thing = f'FILTER(STRSTARTS(STR(?s), "{_WD}") && !STRSTARTS(STR(?s), "{_WDS}"))'
            parts += self._shown(f"{values} {_NODE} ?st ?d ?s {thing}", types=False)
            parts += self._shown(f'{values} ?e ?c ?s FILTER(STRSTARTS(STR(?c), "{_WDT}")) {thing}')
        else:
            parts += self._shown(f"{values} ?e ?c ?s FILTER(ISIRI(?s))")
        if self._up:
            parts += self._upwards(f"VALUES ?s {{ {terms(iris)} }}")
        if self.downwards:
            down = [self.profile.predicate_of(one) for one in self.downwards]
            parts += [f"{values} ?s <{one}> ?e BIND(<{one}> AS ?p) BIND(?e AS ?o)" for one in down]
        parts.append(self._weight(iris))
        return parts

    def _upwards(self, given: str) -> list[str]:
        """Everything that lies above each ``?s``.

        Virtuoso begins a path only where its one end is a constant, and compiles no path of alternatives in a union.
        """
        shown = f"FILTER(ISIRI(?o)) BIND(<{_ABOVE}> AS ?p)"
        if self._climbs:
            return [f"{given} ?s ({'|'.join(f'<{one}>' for one in self._up)})+ ?o {shown}"]
        if self._apart:
            return []
        either, parts = terms(self._up).replace(" ", ", "), []
        for steps in range(1, CLIMBED + 1):
            at = ["?s", *(f"?x{step}" for step in range(1, steps)), "?o"]
            way = [f"{at[step]} ?q{step} {at[step + 1]} FILTER(?q{step} IN ({either}))" for step in range(steps)]
            parts.append(f"{given} {' . '.join(way)} {shown}")
        return parts

    def _shown(self, before: str, types: bool = True) -> list[str]:
        """Names of every ``?s`` of a pattern, and what it is; a part for each predicate, as servers join these best."""
        kinds = (*self.profile.label, *((*self.profile.type, *self.profile.description) if types else ()))
        spoken = f"FILTER(!ISLITERAL(?o) || LANG(?o) IN ({', '.join(map(literal, self.tags))}))"
        return [f"{before} ?s <{one}> ?o BIND(<{one}> AS ?p) {spoken}" for one in kinds]

    def _weight(self, iris: Sequence[str]) -> str:
        values = f"VALUES ?s {{ {terms(iris)} }}"
        links = f"{values} ?s wikibase:sitelinks ?o BIND(<{_LINKS}> AS ?p)"
        if not self.counted:
            return f"{{ {links} }} UNION {{ {values} ?s wikibase:statements ?o BIND(<{_DEGREE}> AS ?p) }}"
        direct = f'FILTER(STRSTARTS(STR(?q), "{_WDT}"))'
        thing = f'FILTER(STRSTARTS(STR(?x), "{_WD}"))'
        if not self.profile.wikibase:
            direct, thing = f"FILTER(!(?q IN ({terms(self._names).replace(' ', ', ')})))", "FILTER(ISIRI(?x))"
        edges = f"{{ ?s ?q ?x {direct} {thing} }} UNION {{ ?x ?q ?s {direct} }}"
        degree = f"SELECT ?s (<{_DEGREE}> AS ?p) (COUNT(?q) AS ?o) {{ {values} {edges} }} GROUP BY ?s"
        return f"{{ {degree} }}" + (f" UNION {{ {links} }}" if self.profile.wikibase else "")

    # -- the answer

    def _keep(self, asked: Sequence[str], rows: list[Row]) -> None:
        near = self._add(rows)
        self.whole.update(asked)
        self.light.update(asked)
        self.light.update(near)
        for iri in asked:
            self.weights.setdefault(iri, (0, 0))

    def _add(self, rows: list[Row]) -> set[str]:
        """Keep triples and weights; returns the entities of which names and types are known now."""
        quads, near = [], set[str]()
        down = {self.profile.predicate_of(one): one for one in self.downwards}
        for row in rows:
            subject, predicate, obj = row["s"], row["p"], row["o"]
            assert isinstance(predicate, NamedNode)
            if predicate.value in (_DEGREE, _LINKS):
                degree, links = self.weights.get(subject.value, (0, 0))
                count = int(float(obj.value))
                self.weights[subject.value] = (count, links) if predicate.value == _DEGREE else (degree, count)
            elif predicate.value == _ABOVE:
                self.queue((obj.value,))
            elif isinstance(subject, Literal):
                continue
            else:
                if predicate.value in down and isinstance(obj, NamedNode):
                    self.held.add((obj.value, down[predicate.value]))
                quads.append(ox.Quad(subject, predicate, obj, _DEFAULT))
                near.update(one.value for one in (subject, obj) if isinstance(one, NamedNode))
        self.local.extend(quads)
        return near
