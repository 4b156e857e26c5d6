"""Statements read from triples, one reader for each shape of data.

Wikibase data has a node per statement with rank, qualifiers, references, and full values (precision, calendar, unit,
bounds). Where a source brought only the simple ``wdt:`` triples, those come out as statements of normal rank: a date
that is the first of January is then read as the whole year, and an amount has no unit, because simple triples say no
more. In plain data every triple that is no name or description is a statement. What is said of it through RDF's
reification (a node with ``rdf:subject``, ``rdf:predicate`` and ``rdf:object``) are its qualifiers; several such nodes
of one triple are several statements.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import chain, islice
from typing import Any, Protocol

import pyoxigraph as ox
from pyoxigraph import BlankNode, Literal, NamedNode

from kgstore.model import Quantity, Rank, Snak, Special, Statement, Value
from kgstore.prefixes import WELL_KNOWN
from kgstore.profile import Profile
from kgstore.values import coordinate, decimal, simple_value, time_value, untyped_value

DEFAULT = ox.DefaultGraph()
ONE = WELL_KNOWN["wd"] + "Q199"
"""The unit of a plain number."""
_GENID = WELL_KNOWN["genid"]
_WD, _WDT, _P, _NO = (WELL_KNOWN[prefix] for prefix in ("wd", "wdt", "p", "wdno"))
_KINDS = {WELL_KNOWN[kind]: kind for kind in ("wdt", "p", "ps", "psv", "pq", "pqv", "pr", "prv")}
_OF_NODES = {
    WELL_KNOWN["wikibase"] + "rank": "rank",
    WELL_KNOWN["prov"] + "wasDerivedFrom": "reference",
    WELL_KNOWN["rdf"] + "type": "type",
}
_RDF = WELL_KNOWN["rdf"]
_SUBJECT, _PREDICATE, _OBJECT = (NamedNode(_RDF + part) for part in ("subject", "predicate", "object"))
_NO_FACTS = tuple(
    WELL_KNOWN[prefix]
    for prefix in ("p", "rdf", "rdfs", "skos", "schema", "wikibase", "owl", "prov", "ontolex", "dct", "cc")
)
_WIKIBASE = WELL_KNOWN["wikibase"]
_RANKS = {f"{_WIKIBASE}{rank.value.capitalize()}Rank": rank for rank in Rank}


class Reader(Protocol):
    """One way to see statements in triples."""

    def of(self, subject: str, predicate: str | None, references: bool) -> list[Statement]:
        """Statements about a subject, also deprecated ones.

        :param predicate: only this property; its entity (``wd:P19``) or any of its predicates (``wdt:P19``)
        :param references: read them, too (they cost as much again)
        """

    def to(self, obj: str, predicate: str | None, limit: int) -> list[Statement]:
        """At most ``limit`` statements whose value is this IRI, in no particular order."""


class Quads(Protocol):
    """What holds quads: Oxigraph's own store, or a sealed graph. No term of theirs is a triple."""

    def quads_for_pattern(self, subject: Any, predicate: Any, obj: Any, graph: Any = None, /) -> Iterator[Any]: ...


def reader(store: Quads, profile: Profile) -> Reader:
    return WikibaseReader(store) if profile.wikibase else PlainReader(store, profile)


class PlainReader:
    """Each triple is a statement, but for names and descriptions."""

    def __init__(self, store: Quads, profile: Profile) -> None:
        self._store = store
        self._skip = frozenset(profile.label + profile.alias + profile.description)
        self._qualifiers = lru_cache(2_000)(self._read_qualifiers)

    def of(self, subject: str, predicate: str | None, references: bool) -> list[Statement]:
        wanted = None if predicate is None else NamedNode(predicate)
        return list(self._read(NamedNode(subject), wanted, None))

    def to(self, obj: str, predicate: str | None, limit: int) -> list[Statement]:
        found = self._read(None, None if predicate is None else NamedNode(predicate), NamedNode(obj))
        return list(islice(found, limit))

    def _read(
        self, subject: NamedNode | None, predicate: NamedNode | None, obj: NamedNode | None
    ) -> Iterator[Statement]:
        for quad in self._store.quads_for_pattern(subject, predicate, obj, DEFAULT):
            if predicate is not None or quad.predicate.value not in self._skip:
                value = _untyped(quad.object, quad.predicate)
                for qualifiers in self._qualifiers(quad.subject).get((quad.predicate, quad.object), ((),)):
                    yield Statement(quad.subject, quad.predicate, value, qualifiers=qualifiers)

    def _read_qualifiers(self, subject: NamedNode) -> dict[tuple[object, object], list[tuple[Snak, ...]]]:
        """For each reified triple of a subject, what is said of it, in a steady order."""
        found: dict[tuple[object, object], list[tuple[Snak, ...]]] = {}
        for node in self._store.quads_for_pattern(None, _SUBJECT, subject, DEFAULT):
            predicate = obj = None
            snaks = []
            for quad in self._store.quads_for_pattern(node.subject, None, None, DEFAULT):
                if quad.predicate == _PREDICATE:
                    predicate = quad.object
                elif quad.predicate == _OBJECT:
                    obj = quad.object
                elif not quad.predicate.value.startswith(_RDF):
                    snaks.append((quad.predicate, _untyped(quad.object, quad.predicate)))
            snaks.sort(key=lambda snak: (snak[0].value, str(snak[1])))
            found.setdefault((predicate, obj), []).append(tuple(snaks))
        for several in found.values():
            several.sort(key=str)
        return found


class WikibaseReader:
    """The Wikibase RDF mapping; https://www.mediawiki.org/wiki/Wikibase/Indexing/RDF_Dump_Format"""

    def __init__(self, store: Quads) -> None:
        self._scan = store.quads_for_pattern
        self._value = lru_cache(20_000)(self._read_value)
        self._of = lru_cache(2_000)(self._read_of)

    def of(self, subject: str, predicate: str | None, references: bool) -> list[Statement]:
        return list(self._of(subject, None if predicate is None else _property_id(predicate), references))

    def to(self, obj: str, predicate: str | None, limit: int) -> list[Statement]:
        found: list[Statement] = []
        simple: dict[tuple[NamedNode, str], None] = {}
        for kind, name, quad in self._pointing(NamedNode(obj), predicate):
            if kind == "ps":
                for edge in self._scan(None, NamedNode(_P + name), quad.subject, DEFAULT):
                    if (statement := self._statement(edge.subject, name, edge.object, False, None)) is not None:
                        found.append(statement)
            elif kind == "wdt":
                simple[quad.subject, name] = None
            else:
                found.append(Statement(quad.subject, quad.predicate, quad.object))
            if len(found) >= limit or len(simple) >= 2 * limit:
                break
        seen = {(one.subject, one.predicate.value) for one in found}
        for subject, name in simple:
            if len(found) >= limit:
                break
            if (subject, _WD + name) not in seen and isinstance(subject, NamedNode):
                found += [one for one in self._of(subject.value, name, False) if one.value == NamedNode(obj)]
        return found[:limit]

    def _pointing(self, obj: NamedNode, predicate: str | None) -> Iterator[tuple[str, str, Any]]:
        """Triples that end at ``obj`` and are, or carry, a statement, with their kind."""
        name = None if predicate is None else _property_id(predicate)
        wanted: list[NamedNode | None] = [None]
        if name is not None:
            short = ":" not in name
            wanted = [NamedNode(WELL_KNOWN[kind] + name) for kind in ("ps", "wdt")] if short else [NamedNode(name)]
        for one in wanted:
            for quad in self._scan(None, one, obj, DEFAULT):
                kind, name = _kind(quad.predicate.value)
                if kind in ("ps", "wdt", "own"):
                    yield kind, name, quad

    # -- one subject ------------------------------------------------------------

    def _read_of(self, subject: str, wanted: str | None, references: bool) -> tuple[Statement, ...]:
        about, scan = NamedNode(subject), self._scan
        if wanted is None:
            quads = scan(about, None, None, DEFAULT)
        elif ":" in wanted:
            quads = scan(about, NamedNode(wanted), None, DEFAULT)
        else:
            predicates = NamedNode(_P + wanted), NamedNode(_WDT + wanted)
            quads = chain.from_iterable(scan(about, one, None, DEFAULT) for one in predicates)
        found: list[Statement] = []
        full: dict[str, set[object]] = {}
        simple: list[tuple[str, Any]] = []
        for quad in quads:
            kind, name = _kind(quad.predicate.value)
            if kind == "p":
                statement = self._statement(about, name, quad.object, references, full.setdefault(name, set()))
                if statement is not None:
                    found.append(statement)
            elif kind == "wdt":
                simple.append((name, quad))
            elif kind == "own":
                found.append(Statement(about, quad.predicate, _plain(quad.object, False)))
        for name, quad in simple:
            known, value = full.get(name, ()), quad.object
            if value not in known and not (_unknown(value) and Special.SOME in known):
                found.append(Statement(about, _property(name), _plain(value, True)))
        return tuple(found)

    def _statement(
        self, subject: NamedNode, name: str, node: NamedNode, references: bool, simple: set[object] | None
    ) -> Statement | None:
        """The statement at a node; ``simple`` gathers its value as a simple triple would show it."""
        main = node_value = None
        rank, qualifiers, full, sources = Rank.NORMAL, [], [], []
        for quad in self._scan(node, None, None, DEFAULT):
            kind, about = _kind(quad.predicate.value)
            if kind == "ps":
                main = quad.object
            elif kind == "psv":
                node_value = quad.object
            elif kind == "rank":
                rank = _RANKS.get(quad.object.value, Rank.NORMAL)
            elif kind == "pq":
                qualifiers.append((about, quad.object))
            elif kind == "pqv":
                full.append((about, quad.object))
            elif kind == "reference":
                sources.append(quad.object)
            elif kind == "type" and quad.object.value.startswith(_NO):
                about = quad.object.value[len(_NO):]
                if about == name:
                    main = Special.NONE
                else:
                    qualifiers.append((about, Special.NONE))
        if main is None:
            return None
        if simple is not None:
            simple.add(Special.SOME if _unknown(main) else main)
        value = None if node_value is None else self._value(node_value)
        return Statement(
            subject,
            _property(name),
            _wikibase(main) if value is None else value,
            node.value,
            rank,
            self._snaks(qualifiers, full) if qualifiers or full else (),
            tuple(self._reference(source) for source in sources) if references else (),
        )

    def _reference(self, node: NamedNode) -> tuple[Snak, ...]:
        simple, full = [], []
        for quad in self._scan(node, None, None, DEFAULT):
            kind, name = _kind(quad.predicate.value)
            if kind == "pr":
                simple.append((name, quad.object))
            elif kind == "prv":
                full.append((name, quad.object))
            elif kind == "type" and quad.object.value.startswith(_NO):
                simple.append((quad.object.value[len(_NO):], Special.NONE))
        return self._snaks(simple, full)

    def _snaks(self, simple: list[tuple[str, object]], full: list[tuple[str, NamedNode]]) -> tuple[Snak, ...]:
        """Full values where there are any, else the simple ones, by property number."""
        values = [(name, value) for name, node in full if (value := self._value(node)) is not None]
        complete = {name for name, _ in values}
        values += [(name, _wikibase(term)) for name, term in simple if name not in complete or _unknown(term)]
        if len(values) > 1:
            values.sort(key=lambda snak: (len(snak[0]), snak[0], str(snak[1])))
        return tuple((_property(name), value) for name, value in values)

    def _read_value(self, node: NamedNode) -> Value | None:
        """A full value, or None if the node says nothing that we know."""
        quads = self._scan(node, None, None, DEFAULT)
        part = {quad.predicate.value[len(_WIKIBASE):]: quad.object.value for quad in quads}
        if "timeValue" in part:
            return time_value(part["timeValue"], int(part.get("timePrecision", 11)), part.get("timeCalendarModel"))
        if "quantityAmount" in part and (amount := decimal(part["quantityAmount"])) is not None:
            unit, low, high = part.get("quantityUnit"), part.get("quantityLowerBound"), part.get("quantityUpperBound")
            bounds = (None if low is None else decimal(low), None if high is None else decimal(high))
            return Quantity(amount, None if unit == ONE else unit, *bounds)
        if "geoLatitude" in part and "geoLongitude" in part:
            return coordinate(part["geoLatitude"], part["geoLongitude"], part.get("geoPrecision"), part.get("geoGlobe"))
        return None


@lru_cache(100_000)
def _kind(predicate: str) -> tuple[str, str]:
    """What a predicate is in the Wikibase mapping, and its property id (or itself, if it is of another vocabulary)."""
    if predicate in _OF_NODES:
        return _OF_NODES[predicate], predicate
    cut = predicate.rfind("/") + 1
    kind = _KINDS.get(predicate[:cut])
    if kind is not None:
        return kind, predicate[cut:]
    return ("none" if predicate.startswith(_NO_FACTS) else "own"), predicate


@lru_cache(100_000)
def _property(name: str) -> NamedNode:
    return NamedNode(_WD + name)


def _property_id(predicate: str) -> str:
    """``P19`` for the property's entity and each of its predicates, any other IRI unchanged."""
    kind, name = _kind(predicate)
    if kind in ("own", "none", *_OF_NODES.values()):
        return name[len(_WD):] if name.startswith(_WD + "P") else predicate
    return name


def _unknown(term: object) -> bool:
    return isinstance(term, BlankNode) or (isinstance(term, NamedNode) and term.value.startswith(_GENID))


def _wikibase(term: object) -> Value:
    if isinstance(term, Literal):
        return simple_value(term)
    return Special.SOME if _unknown(term) else term  # type: ignore[return-value]


def _plain(term: ox.NamedNode | BlankNode | Literal, wikibase: bool) -> Value:
    if isinstance(term, Literal):
        return simple_value(term, guess_years=wikibase)
    return Special.SOME if wikibase and _unknown(term) else term


def _untyped(term: ox.NamedNode | BlankNode | Literal, predicate: NamedNode) -> Value:
    return untyped_value(term, predicate.value) if isinstance(term, Literal) else term
