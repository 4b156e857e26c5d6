"""One Wikibase entity document (as in the JSON dump) -> N-Triples in the Wikibase RDF mapping.

As in the Wikidata Query Service: ``wdt:`` for best-rank values, ``p:``/``ps:``/``pq:``/``pr:`` for whole statements,
value nodes under ``psv:``, ``pqv:`` and ``prv:``. Left out on purpose: ``skos:prefLabel`` and ``schema:name`` (the
label again), ``a wikibase:Statement`` and ``a wikibase:Reference`` (the query service drops them too), sitelinks
apart from their number, links built from formatter URLs (``wdtn:``, ``psn:``). Some value is an IRI under
``/.well-known/genid/``; no value is the class ``wdno:P``, of the statement and, when it is of best rank, of the
entity.

Truthy keeps ``wdt:`` alone, except that time, quantity and coordinate values also keep a statement with its value
node and rank: a bare ``wdt:`` date does not say whether it means a day or a century.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import lru_cache
from hashlib import blake2b
from typing import Any, NamedTuple

import orjson

from kgstore.loaders import values
from kgstore.loaders.filters import Filters
from kgstore.loaders.values import TYPE, WD, WIKIBASE, BadValue, literal, tag
from kgstore.prefixes import WELL_KNOWN

Skip = Callable[[str, str, int], None]
"""Called with a reason, what it was about, and how many."""

# datatype of the property -> type that its data value must have, and how to write it
_DATATYPES: dict[str, tuple[str, Callable[[Any], values.Value]]] = {
    **dict.fromkeys(
        (
            "wikibase-item",
            "wikibase-property",
            "wikibase-lexeme",
            "wikibase-form",
            "wikibase-sense",
            "entity-schema",
            "wikibase-entity-schema",
        ),
        ("wikibase-entityid", values.entity),
    ),
    **dict.fromkeys(("string", "external-id", "math", "musical-notation"), ("string", values.string)),
    **dict.fromkeys(("geo-shape", "tabular-data"), ("string", values.page)),
    "url": ("string", values.url),
    "commonsMedia": ("string", values.media),
    "monolingualtext": ("monolingualtext", values.monolingual),
    "time": ("time", values.time),
    "quantity": ("quantity", values.quantity),
    "globe-coordinate": ("globecoordinate", values.coordinate),
}
_UNTYPED = {  # old dumps do not name the datatype
    "wikibase-entityid": "wikibase-item",
    "string": "string",
    "monolingualtext": "monolingualtext",
    "time": "time",
    "quantity": "quantity",
    "globecoordinate": "globe-coordinate",
}
_PROPERTY_TYPES = {"commonsMedia": "CommonsMedia", "external-id": "ExternalId", "monolingualtext": "Monolingualtext"}
RANKS = {one: f"<{WIKIBASE}{one.capitalize()}Rank>" for one in ("preferred", "normal", "deprecated")}
_ID = re.compile(r"[QP][1-9]\d*", re.ASCII)
_HASH = re.compile(r"[0-9a-f]{8,64}", re.ASCII)
_NOT_WORD = re.compile(r"[^\w-]", re.ASCII)
_RDFS_LABEL, _ALT_LABEL = f"<{WELL_KNOWN['rdfs']}label>", f"<{WELL_KNOWN['skos']}altLabel>"
_DESCRIPTION = f"<{WELL_KNOWN['schema']}description>"
_RANK, _DERIVED, _BEST = f"<{WIKIBASE}rank>", f"<{WELL_KNOWN['prov']}wasDerivedFrom>", f"<{WIKIBASE}BestRank>"


class _Predicates(NamedTuple):
    direct: str
    claim: str
    statement: str
    statement_value: str
    qualifier: str
    qualifier_value: str
    reference: str
    reference_value: str
    none: str


class Written(NamedTuple):
    """:param kept: whether the filters let the entity through"""

    id: str
    kept: bool
    statements: int


@lru_cache(50_000)
def predicates(name: str) -> _Predicates:
    """The predicates of a property in angle brackets.

    :raises BadValue: if it is no property id
    """
    if not _PROPERTY(name):
        raise BadValue("property id is not readable")
    prefixes = ("wdt", "p", "ps", "psv", "pq", "pqv", "pr", "prv", "wdno")
    return _Predicates(*(f"<{WELL_KNOWN[prefix]}{name}>" for prefix in prefixes))


_PROPERTY = re.compile(r"P[1-9]\d*", re.ASCII).fullmatch


class Writer:
    """Turns documents into N-Triples, one batch of documents at a time.

    Value and reference nodes are shared by the documents of a batch and written once, by `take`.
    """

    def __init__(self, filters: Filters) -> None:
        self.filters = filters
        self.languages = (*filters.languages, *(() if "mul" in filters.languages else ("mul",)))
        self.full = filters.statements == "full"
        self._text: list[str] = []
        self._nodes: dict[str, str] = {}

    def take(self) -> bytes:
        """Everything written since the last call."""
        data = "".join((*self._text, *self._nodes.values())).encode()
        self._text, self._nodes = [], {}
        return data

    def write(self, document: dict[str, Any], skip: Skip) -> Written:
        """Add one document; all of it or (after an error) nothing.

        :raises BadValue: if it is no item or property
        """
        name = document.get("id")
        if not isinstance(name, str) or not _ID.fullmatch(name):
            raise BadValue("document has no readable id")
        item = name[0] == "Q"
        if document.get("type", "item" if item else "property") != ("item" if item else "property"):
            raise BadValue("type and id of the document do not agree")
        claims = _table(document, "claims")
        sitelinks = len(_table(document, "sitelinks"))
        reason = self._unwanted(name, claims, sitelinks) if item else ""
        if reason:
            skip(reason, name, 1)
            return Written(name, False, 0)
        one = _Entity(f"<{WD}{name}>", name, skip)
        self._names(one, document)
        wanted = self.filters.properties if item else None
        for key, statements in claims.items():
            if wanted is not None and key not in wanted:
                skip("filter: statement of another property", name, len(statements))
            else:
                self._statements(one, key, statements)
        if item:
            one.lines.append(
                f"{one.iri} {TYPE} <{WIKIBASE}Item> .\n"
                f'{one.iri} <{WIKIBASE}sitelinks> "{sitelinks}"^^<{values.XSD}integer> .\n'
                f'{one.iri} <{WIKIBASE}statements> "{one.statements}"^^<{values.XSD}integer> .\n'
            )
        else:
            one.lines.append(declaration(name, document.get("datatype"), one.statements))
        self._text += one.lines
        self._nodes |= one.nodes
        return Written(name, True, one.statements)

    def _unwanted(self, name: str, claims: dict[str, Any], sitelinks: int) -> str:
        """Why the filters leave this item out; empty if they keep it."""
        filters = self.filters
        if filters.entities is not None and name not in filters.entities:
            return "filter: item not listed"
        if sitelinks < filters.min_sitelinks:
            return "filter: too few sitelinks"
        if filters.types is not None and filters.types.isdisjoint(_types(claims)):
            return "filter: item of another type"
        return ""

    def _names(self, one: _Entity, document: dict[str, Any]) -> None:
        labels, others, notes = (_table(document, key) for key in ("labels", "aliases", "descriptions"))
        named = False
        for language in self.languages:
            if (label := labels.get(language)) is not None:
                named |= one.name(_RDFS_LABEL, label)
            for alias in others.get(language, ()):
                one.name(_ALT_LABEL, alias)
            if (note := notes.get(language)) is not None:
                one.name(_DESCRIPTION, note)
        if not named:
            for language in ("en", *sorted(labels)):
                if language in labels and one.name(_RDFS_LABEL, labels[language]):
                    break

    def _statements(self, one: _Entity, key: str, statements: Iterable[Any]) -> None:
        ranks = [statement.get("rank", "normal") for statement in statements]
        best = "preferred" if "preferred" in ranks else "normal"
        for statement, rank in zip(statements, ranks, strict=True):
            if not self.full and rank != best:
                one.skip("truthy: statement not of best rank", one.id, 1)
                continue
            try:
                self._statement(one, statement, rank, best == rank)
            except BadValue as error:
                one.skip(f"statement: {error}", f"{one.id} {key}", 1)
            except (AttributeError, KeyError, TypeError, ValueError):
                one.skip("statement: malformed", f"{one.id} {key}", 1)

    def _statement(self, one: _Entity, statement: dict[str, Any], rank: str, best: bool) -> None:
        if rank not in RANKS:
            raise BadValue("rank is unknown")
        snak = statement["mainsnak"]
        to = predicates(snak["property"])
        guid = statement.get("id") or f"{one.id}-{_digest(statement)}"
        node = statement_node(guid)
        term, value_node, triples = _value(snak, guid)
        lines = []
        if best:
            lines.append(f"{one.iri} {to.direct} {term} .\n" if term else f"{one.iri} {TYPE} {to.none} .\n")
        if self.full or value_node:
            lines.append(f"{one.iri} {to.claim} {node} .\n{node} {_RANK} {RANKS[rank]} .\n")
            lines.append(f"{node} {to.statement} {term} .\n" if term else f"{node} {TYPE} {to.none} .\n")
            if best:
                lines.append(f"{node} {TYPE} {_BEST} .\n")
            if value_node:
                lines.append(f"{node} {to.statement_value} {value_node} .\n")
                one.nodes[value_node] = triples
        if self.full:
            if qualifiers := statement.get("qualifiers"):
                _snaks(one, node, guid, qualifiers, "qualifier", lines)
            for reference in statement.get("references") or ():
                self._reference(one, node, reference, lines)
        one.lines += lines
        one.statements += 1

    def _reference(self, one: _Entity, statement: str, reference: dict[str, Any], lines: list[str]) -> None:
        name = reference.get("hash")
        if not isinstance(name, str) or not _HASH.fullmatch(name):
            name = _digest(reference["snaks"])
        node = f"<{WELL_KNOWN['wdref']}{name}>"
        lines.append(f"{statement} {_DERIVED} {node} .\n")
        if node not in self._nodes and node not in one.nodes:
            inside: list[str] = []
            _snaks(one, node, name, reference["snaks"], "reference", inside)
            one.nodes[node] = "".join(inside)


class _Entity:
    """What has been written of one document."""

    __slots__ = ("id", "iri", "lines", "nodes", "skip", "statements")

    def __init__(self, iri: str, name: str, skip: Skip) -> None:
        self.iri, self.id, self.skip = iri, name, skip
        self.lines: list[str] = []
        self.nodes: dict[str, str] = {}
        self.statements = 0

    def name(self, predicate: str, text: Any) -> bool:
        """Write a label, alias or description; False (and counted) if it is not readable."""
        try:
            self.lines.append(f"{self.iri} {predicate} {literal(text['value'])}@{tag(text['language'])} .\n")
        except BadValue as error:
            self.skip(f"name: {error}", self.id, 1)
        except (KeyError, TypeError):
            self.skip("name: malformed", self.id, 1)
        else:
            return True
        return False


def _snaks(one: _Entity, node: str, owner: str, snaks: dict[str, Any], kind: str, lines: list[str]) -> None:
    """Write qualifiers, or the lines of a reference; an unreadable one is skipped, its fellows stay."""
    for key, group in (snaks or {}).items():
        for at, snak in enumerate(group):
            try:
                to = predicates(snak["property"])
                term, value_node, triples = _value(snak, f"{owner}|{kind}|{key}|{at}")
            except BadValue as error:
                one.skip(f"{kind}: {error}", f"{one.id} {key}", 1)
                continue
            except (AttributeError, KeyError, TypeError, ValueError):
                one.skip(f"{kind}: malformed", f"{one.id} {key}", 1)
                continue
            simple, whole = to[4:6] if kind == "qualifier" else to[6:8]
            lines.append(f"{node} {simple} {term} .\n" if term else f"{node} {TYPE} {to.none} .\n")
            if value_node:
                lines.append(f"{node} {whole} {value_node} .\n")
                one.nodes[value_node] = triples


def _value(snak: dict[str, Any], owner: str) -> values.Value:
    """The value of a snak; an empty term means "no value".

    :param owner: what the name of a "some value" is made from, so that each is another one, and the same in every load
    """
    kind = snak.get("snaktype")
    if kind == "value":
        data = snak.get("datavalue")
        if data is None:
            raise BadValue("value is missing")
        datatype = snak.get("datatype") or _UNTYPED.get(data["type"], "")
        if datatype not in _DATATYPES:
            raise BadValue("datatype is unknown")
        expected, write = _DATATYPES[datatype]
        if data["type"] != expected:
            raise BadValue("value does not fit its datatype")
        return write(data["value"])
    if kind == "somevalue":
        return f"<{WELL_KNOWN['genid']}{blake2b(owner.encode(), digest_size=16).hexdigest()}>", "", ""
    if kind == "novalue":
        return "", "", ""
    raise BadValue("kind of value is unknown")


def _table(document: dict[str, Any], key: str) -> dict[str, Any]:
    """A part of the document; old dumps write an empty table as an empty array."""
    part = document.get(key) or {}
    if not isinstance(part, dict):
        raise BadValue(f"{key} is no table")
    return part


def _types(claims: dict[str, Any]) -> Iterable[str]:
    for statement in claims.get("P31", ()):
        if statement.get("rank") != "deprecated":
            value = (statement["mainsnak"].get("datavalue") or {}).get("value") or {}
            if isinstance(value, dict):
                yield value.get("id") or f"Q{value.get('numeric-id')}"


def _digest(content: Any) -> str:
    return blake2b(orjson.dumps(content, option=orjson.OPT_SORT_KEYS), digest_size=20).hexdigest()


def statement_node(guid: str) -> str:
    """The IRI of a statement by its id."""
    return f"<{WELL_KNOWN['wds']}{_NOT_WORD.sub('-', guid)}>"


def declaration(name: str, datatype: Any = None, statements: int = 0) -> str:
    """How the predicates of a property hang together, as N-Triples."""
    iri, to = f"<{WD}{name}>", predicates(name)
    parts = (
        "directClaim",
        "claim",
        "statementProperty",
        "statementValue",
        "qualifier",
        "qualifierValue",
        "reference",
        "referenceValue",
        "novalue",
    )
    lines = [f"{iri} {TYPE} <{WIKIBASE}Property> .\n"]
    if isinstance(datatype, str) and re.fullmatch(r"[\w-]+", datatype, re.ASCII):
        camel = _PROPERTY_TYPES.get(datatype) or "".join(part.capitalize() for part in datatype.split("-"))
        lines.append(f"{iri} <{WIKIBASE}propertyType> <{WIKIBASE}{camel}> .\n")
    lines += [f"{iri} <{WIKIBASE}{part}> {predicate} .\n" for part, predicate in zip(parts, to, strict=True)]
    lines.append(f'{iri} <{WIKIBASE}statements> "{statements}"^^<{values.XSD}integer> .\n')
    return "".join(lines)
