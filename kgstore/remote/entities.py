"""What an endpoint says of entities, fetched many at a time and kept; the statement readers of embedded KGs read it.

There are three depths. *Light*: names, types, how well known it is, and whether it is a class; enough to weigh what a
name may mean. *Climbed*: the statements that lead upwards (to the place around it, the whole, the class above), of it
and of all that lies above it. *Whole*: its own triples (names in the wanted languages only), its statement nodes with
their values and references, and the names and types of what it is linked to. Whatever is likely to be asked for next
waits in a queue and travels along.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice, pairwise

import pyoxigraph as ox
from pyoxigraph import Literal, NamedNode

from kgstore.prefixes import WELL_KNOWN
from kgstore.profile import Profile
from kgstore.remote.endpoint import Endpoint, EndpointFailed, Row, chunks, literal, terms, union
from kgstore.statements import Reader, reader

_WD, _WDS, _WDT, _P, _PS = (WELL_KNOWN[prefix] for prefix in ("wd", "wds", "wdt", "p", "ps"))
_WDV = "http://www.wikidata.org/value/"
BATCH = 60
"""Entities of one request."""
LIGHT = 200
"""Entities of one request of which only names, types and weights are wanted."""
CLIMBING = 150
"""Entities of one request of which only what leads upwards is wanted."""
STEPS = 2
"""Levels of one request, these entities being the first, where the server follows no paths."""
MOST_LINKED = 40
"""What one entity is linked to and may be asked for next."""
MOST_KEPT = 40_000
"""Entities that are kept; after that all are forgotten."""
_DEGREE, _LINKS, _HAS = (f"urn:kgstore:{word}" for word in ("degree", "sitelinks", "has"))
_DEFAULT = ox.DefaultGraph()
_NODE = f'?e ?c ?st FILTER(STRSTARTS(STR(?st), "{_WDS}"))'
_VALUE = f'FILTER(STRSTARTS(STR(?s), "{_WDV}"))'
_THING = f'FILTER(STRSTARTS(STR(?s), "{_WD}") && !STRSTARTS(STR(?s), "{_WDS}"))'


def about(iris: Sequence[str], profile: Profile, tags: Sequence[str]) -> list[str]:
    """Patterns of ``?s ?p ?o`` that hold all that is said of some entities, names in these languages only."""
    names = terms((*profile.label, *profile.alias, *profile.description)).replace(" ", ", ")
    spoken = f"FILTER(!(?p IN ({names})) || LANG(?o) IN ({', '.join(map(literal, tags))}))"
    values = f"VALUES ?e {{ {terms(iris)} }}"
    own = f"VALUES ?s {{ {terms(iris)} }} ?s ?p ?o {spoken}"
    if not profile.wikibase:
        return [own, f"{values} ?s rdf:subject ?e . ?s ?p ?o"]
    return [
        own,
        f"{values} {_NODE} BIND(?st AS ?s) ?s ?p ?o",
        f"{values} {_NODE} ?st ?d ?s {_VALUE} ?s ?p ?o",
        f"{values} {_NODE} ?st prov:wasDerivedFrom ?s . ?s ?p ?o",
        f"{values} {_NODE} ?st prov:wasDerivedFrom ?r . ?r ?d ?s {_VALUE} ?s ?p ?o",
    ]


class Entities:
    """
    :param counted: count how often an entity is linked; else its sitelinks and statements stand for that
    :param hubs: how often the most linked entities are, which is not counted again
    """

    def __init__(
        self, endpoint: Endpoint, profile: Profile, languages: Sequence[str], counted: bool = True,
        hubs: Mapping[str, int] | None = None,
    ) -> None:  # fmt: skip
        self.endpoint, self.profile, self.counted, self._hubs = endpoint, profile, counted, hubs or {}
        self.tags = tuple(dict.fromkeys((*languages, "mul", "")))
        self._names = (*profile.label, *profile.alias, *profile.description)
        self._up = (*profile.located, *profile.part_of, *profile.subclass)
        self.upwards = frozenset(profile.property_of(one) for one in self._up)
        self._own = frozenset((*profile.label, *profile.type, *profile.description, *self._up))
        self.kinds = {profile.property_of(one): one for one in (*profile.type, *profile.subclass)}
        self.downwards: tuple[str, ...] = ()
        self._apart = False
        self.clear()

    def clear(self) -> None:
        """Forget everything."""
        self.local = ox.Store()
        self.reader: Reader = reader(self.local, self.profile)
        self.whole: set[str] = set()
        self.climbed: set[str] = set()
        self.light: set[str] = set()
        self.named: set[str] = set()
        self.weights: dict[str, tuple[int, int]] = {}
        self.asked: set[str] = set()
        self.members: set[tuple[str, str]] = set()
        self._queue: dict[str, None] = {}
        self._near: dict[str, None] = {}

    def queue(self, iris: Iterable[str]) -> None:
        """To be fetched together with the next."""
        self._queue.update((iri, None) for iri in iris if iri not in self.whole and terms((iri,)))

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
            self._read(some, ())

    def _read(self, whole: Sequence[str], light: Sequence[str]) -> None:
        """One request for all of some entities and a little of others."""
        parts = self._parts(whole) if whole else []
        if light:
            parts += [*self._shown(f"VALUES ?s {{ {terms(light)} }}"), *self._members(light)]
        weighed = [iri for iri in dict.fromkeys((*whole, *light)) if iri not in self.weights]
        rows = self._all(partial(list[str], [*parts, *self._weight(weighed)]))
        self._add(rows, weighed)
        self._shown_too(rows, frozenset(whole))
        self.light.update(light)
        self.asked.update(light)
        for known in (self.whole, self.light, self.climbed):
            known.update(whole)
        if len(self._near) > MOST_KEPT:
            self._near.clear()
        for iri in whole:
            self._queue.pop(iri, None)
        for near in [near for iri in reversed(whole) for near in self._linked(iri) if near not in self.climbed]:
            self._near.pop(near, None)  # the latest stand last
            self._near[near] = None

    def climb(self, iris: Iterable[str]) -> None:
        """Know what leads upwards from these entities and from all that lies above them, and what holds them: in one
        request, or in one for every `STEPS` where the server follows no paths."""
        wanted = [iri for iri in dict.fromkeys(iris) if iri not in self.climbed]
        while wanted:
            near = (iri for iri in reversed(self._near) if iri not in self.climbed and iri not in wanted)
            beside = list(islice(near, CLIMBING - len(wanted) % CLIMBING))
            above: dict[str, None] = {}
            for some in chunks([*wanted, *beside], CLIMBING):
                rows = self._all(partial(self._climbing, some))
                self._add(rows)
                known = {*some, *(row["s"].value for row in rows if row["p"].value in self._own)}
                self.climbed |= known
                self.light |= known
                above |= {row["o"].value: None for row in rows if row["p"].value in self._up}
            wanted = [iri for iri in above if iri not in self.climbed] if self.endpoint.is_virtuoso else []

    def fetch_light(self, iris: Iterable[str], likely: Iterable[str] = ()) -> None:
        """Know names, types and weights of these entities.

        :param likely: those of which everything will be asked for next, which travels along
        """
        wanted = [iri for iri in dict.fromkeys(iris) if iri not in self.light or iri not in self.weights]
        whole = list(islice((iri for iri in dict.fromkeys(likely) if iri not in self.whole), BATCH))
        for some in chunks(wanted, LIGHT):
            self._read(whole, some)
            whole = []

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
            self._apart = True
        return [row for part in parts() for row in self.endpoint.select(union("?s ?p ?o", [part]))]

    def _linked(self, iri: str) -> Iterator[str]:
        """What an entity's simple statements lead to, at most `MOST_LINKED`; its classes are none that hold it."""
        start = _WDT if self.profile.wikibase else ""
        things = _WD if self.profile.wikibase else ""
        found = self.local.quads_for_pattern(NamedNode(iri), None, None, _DEFAULT)
        given = ((quad.predicate.value, quad.object) for quad in found)
        near = (value for step, value in given if step.startswith(start) and step not in self.profile.type)
        values = (one.value for one in near if isinstance(one, NamedNode))
        return islice((value for value in values if value.startswith(things)), MOST_LINKED)

    # -- the query

    def _parts(self, iris: Sequence[str]) -> list[str]:
        values = f"VALUES ?e {{ {terms(iris)} }}"
        parts = about(iris, self.profile, self.tags)
        if self.profile.wikibase:
            parts += self._shown(f"{values} {_NODE} ?st ?d ?s {_THING}", types=False)
            parts += self._shown(f'{values} ?e ?c ?s FILTER(STRSTARTS(STR(?c), "{_WDT}")) {_THING}')
        else:
            parts += self._shown(f"{values} ?e ?c ?s FILTER(ISIRI(?s))")
        parts += [f"{values} {part}" for part in self._holding()]
        return parts

    def _climbing(self, iris: Sequence[str]) -> list[str]:
        """Statements that lead upwards from some entities and from all that lies above them, and those of what holds
        one of these."""
        parts = [f"{part.replace('?s', '?e')} BIND(?e AS ?s)" for part in self._shown("")] + self._holding()
        if not self.profile.wikibase:
            parts += [f"?e ?p ?o FILTER(?p IN ({_listed(self._up)})) BIND(?e AS ?s)"] if self._up else []
            parts.append("?s rdf:subject ?e . ?s ?p ?o")
        elif self._up:
            nodes = _listed([_P + one.removeprefix(_WDT) for one in self._up])
            step = f"?e ?c ?st FILTER(?c IN ({nodes}))"
            parts += [
                f"?e ?p ?o FILTER(?p IN ({nodes}, {_listed(self._up)})) BIND(?e AS ?s)",
                f"{step} BIND(?st AS ?s) ?s ?p ?o",
                f"{step} ?st ?d ?s {_VALUE} ?s ?p ?o",
            ]
        if self.endpoint.is_virtuoso or not self._up:
            return [f"{start} {part}" for start in self._within(iris) for part in parts]
        every = self._above(iris)
        return [f"{every} {part}" for part in parts] if self._apart else [f"{every} {_either(parts)}"]

    def _holding(self) -> list[str]:
        """Statements by which something says that it holds ``?e``."""
        parts = []
        for one in map(self.profile.predicate_of, self.downwards):
            parts.append(f"?s <{one}> ?e BIND(<{one}> AS ?p) BIND(?e AS ?o)")
            if self.profile.wikibase:
                name = one.removeprefix(_WDT)
                node = f"?st <{_PS}{name}> ?e"
                parts += [
                    f"{node} . ?s <{_P}{name}> ?st BIND(<{_P}{name}> AS ?p) BIND(?st AS ?o)",
                    f"{node} BIND(?st AS ?s) ?s ?p ?o",
                    f"{node} . ?st ?d ?s {_VALUE} ?s ?p ?o",
                ]
        return parts

    def _above(self, iris: Sequence[str]) -> str:
        """Some entities and everything that lies above them, as ``?e``; not for Virtuoso, which begins a path only
        where its one end is a constant."""
        way = "|".join(f"<{one}>" for one in self._up)
        return f"{{ SELECT DISTINCT ?e {{ VALUES ?x {{ {terms(iris)} }} ?x ({way})* ?e FILTER(ISIRI(?e)) }} }}"

    def _within(self, iris: Sequence[str]) -> Iterator[str]:
        """Some entities as ``?e``, what lies one step above them, and so on: a pattern each."""
        yield f"VALUES ?e {{ {terms(iris)} }}"
        for steps in range(1, STEPS if self._up else 1):
            way = [*(f"?x{number}" for number in range(steps)), "?e"]
            climbs = (f"{a} ?w{a[1:]} {b} FILTER(?w{a[1:]} IN ({_listed(self._up)}))" for a, b in pairwise(way))
            yield f"VALUES ?x0 {{ {terms(iris)} }} {' '.join(climbs)}"

    def _shown(self, before: str, types: bool = True) -> list[str]:
        """Names of every ``?s`` of a pattern, and what it is; a part for each predicate, as servers join these best."""
        kinds = (*self.profile.label, *((*self.profile.type, *self.profile.description) if types else ()))
        spoken = f"FILTER(!ISLITERAL(?o) || LANG(?o) IN ({', '.join(map(literal, self.tags))}))"
        return [f"{before} ?s <{one}> ?o BIND(<{one}> AS ?p) {spoken}" for one in kinds]

    def _weight(self, iris: Sequence[str]) -> list[str]:
        if not iris:
            return []
        links = f"VALUES ?s {{ {terms(iris)} }} ?s wikibase:sitelinks ?o BIND(<{_LINKS}> AS ?p)"
        some = [iri for iri in iris if iri not in self._hubs]
        values = f"VALUES ?s {{ {terms(some)} }}"
        if not self.counted:
            return [links, f"{values} ?s wikibase:statements ?o BIND(<{_DEGREE}> AS ?p)"]
        edges = links_of("?s", self.profile)
        degree = f"{{ SELECT ?s (<{_DEGREE}> AS ?p) (COUNT(?q) AS ?o) {{ {values} {edges} }} GROUP BY ?s }}"
        return [*([degree] if some else []), *([links] if self.profile.wikibase else [])]

    def _members(self, iris: Sequence[str]) -> list[str]:
        """Is anything one of these, or a kind of one of these?"""
        values, parts = f"VALUES ?s {{ {terms(iris)} }}", []
        for prop, predicate in self.kinds.items():
            ways = [predicate, *([_PS + predicate.removeprefix(_WDT)] if predicate.startswith(_WDT) else [])]
            there = " || ".join(f"EXISTS {{ ?member <{one}> ?s }}" for one in ways)
            parts.append(f"{values} FILTER({there}) BIND(<{_HAS}> AS ?p) BIND(<{prop}> AS ?o)")
        return parts

    # -- the answer

    def _add(self, rows: list[Row], weighed: Sequence[str] = ()) -> None:
        """Keep triples and weights; of who is weighed and has no links nothing is said."""
        quads = []
        if any(len(row) < 3 for row in rows):
            raise EndpointFailed(self.endpoint.url, "leaves out what was asked for", "is it SPARQL 1.1?")
        for row in rows:
            subject, predicate, obj = row["s"], row["p"], row["o"]
            assert isinstance(predicate, NamedNode)
            if predicate.value in (_DEGREE, _LINKS):
                degree, links = self.weights.get(subject.value, (0, 0))
                count = int(float(obj.value))
                self.weights[subject.value] = (count, links) if predicate.value == _DEGREE else (degree, count)
            elif predicate.value == _HAS:
                self.members.add((subject.value, obj.value))
            elif not isinstance(subject, Literal):
                quads.append(ox.Quad(subject, predicate, obj, _DEFAULT))
        if quads:
            self.local.extend(quads)
            self.reader = reader(self.local, self.profile)  # the last one remembers what was there before
        for iri in weighed:
            degree, links = self.weights.get(iri, (0, 0))
            self.weights[iri] = (self._hubs.get(iri, degree), links)

    def _shown_too(self, rows: list[Row], asked: frozenset[str]) -> None:
        """Of what simple statements lead to, names and types came along; of other values names only."""
        direct = _WDT if self.profile.wikibase else ""
        for row in rows:
            subject, value = row["s"].value, row["o"]
            if isinstance(value, NamedNode) and (subject in asked or subject.startswith(_WDS)):
                self.named.add(value.value)
                if subject in asked and row["p"].value.startswith(direct):
                    self.light.add(value.value)


def links_of(variable: str, profile: Profile) -> str:
    """The statements that begin or end at an entity, as ``?q`` and ``?x``."""
    direct, thing = f'FILTER(STRSTARTS(STR(?q), "{_WDT}"))', f'FILTER(STRSTARTS(STR(?x), "{_WD}"))'
    if not profile.wikibase:
        names = (*profile.label, *profile.alias, *profile.description)
        direct, thing = f"FILTER(!(?q IN ({_listed(names)})))", "FILTER(ISIRI(?x))"
    return f"{{ {variable} ?q ?x {direct} {thing} }} UNION {{ ?x ?q {variable} {direct} }}"


def _either(parts: Sequence[str]) -> str:
    return "{ { " + " } UNION { ".join(parts) + " } }"


def _listed(iris: Sequence[str]) -> str:
    return terms(iris).replace(" ", ", ")
