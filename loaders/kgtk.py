"""KGTK edge files: TSV with the columns ``node1, label, node2`` and mostly an ``id``.

https://kgtk.readthedocs.io/en/latest/specification/. An edge whose ``node1`` is the id of another edge qualifies that
edge. Where ids are Wikidata's (Q42, P69), edges become statements in the Wikibase RDF mapping with their ids, ranks
(column ``rank``) and qualifiers, which may stand in another file. Edges of other vocabularies become triples as in
`loaders.table`; their qualifiers must stand in the same file, and are kept through RDF's reification. The labels
``label``, ``alias`` and ``description`` are names, kept in the languages of the load.

Values: ``"string"``, ``'text'@en``, ``^1952-03-11T00:00:00Z/11``, ``+4.5[4,5]Q11573``, ``@43.2/10.9``, ``True``,
symbols; several in one cell with ``|`` between them, an edge that nothing can qualify then.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import blake2b

from kgstore.loaders import values
from kgstore.loaders.filters import Filters
from kgstore.loaders.protocol import Block, Skipped
from kgstore.loaders.rows import rows
from kgstore.loaders.sources import Source
from kgstore.loaders.table_maker import ALIAS, DESCRIPTION, LABEL, Maker
from kgstore.loaders.values import BadValue, Value, literal, tag
from kgstore.loaders.wikibase import RANKS, declaration, predicates, statement_node
from kgstore.prefixes import WELL_KNOWN

_NAMES = {"label": LABEL, "alias": ALIAS, "description": DESCRIPTION}
_ENTITY, _PROPERTY = re.compile(r"[QP][1-9]\d*", re.ASCII), re.compile(r"P[1-9]\d*", re.ASCII)
_TEXT = re.compile(r"'((?:[^'\\]|\\.)*)'@([A-Za-z-]+)", re.DOTALL)
_STRING = re.compile(r'"((?:[^"\\]|\\.)*)"', re.DOTALL)
_DATE = re.compile(r"\^([+-]?\d{4,}-\d\d-\d\d)T(\d\d:\d\d(?::\d\d)?)Z?(?:/(\d+))?", re.ASCII)
_QUANTITY = re.compile(r"([+-]?\d+(?:\.\d+)?)(?:\[([+-]?[\d.]+),([+-]?[\d.]+)\])?(Q\d+)?", re.ASCII)
_PLACE = re.compile(r"@([+-]?\d+(?:\.\d+)?)/([+-]?\d+(?:\.\d+)?)", re.ASCII)
_BAR = re.compile(r"(?<!\\)\|")
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_CONTROL = {"n": "\n", "t": "\t", "r": "\r"}
_MARKS = "\"'^@"
"""What a value of a certain type begins with."""
_BLOCK_ROWS = 5_000


@dataclass(slots=True)
class _Seen:
    """What the first reading found.

    :ivar preferred: hashes of node1 and label of edges of preferred rank
    :ivar qualified: ids of edges that other edges speak of
    :ivar several: ids of edges with several values, which nothing can qualify
    :ivar named: nodes with a label
    :ivar file: digest of the file, which keeps its blank nodes apart from those of others
    """

    preferred: set[int] = field(default_factory=set)
    qualified: set[str] = field(default_factory=set)
    several: set[str] = field(default_factory=set)
    named: set[str] = field(default_factory=set)
    file: str = ""


def read(source: Source, maker: Maker, filters: Filters) -> Iterator[Block | Skipped]:
    """``entities`` counts edges.

    :param maker: for nodes and properties that are not Wikidata's
    """
    with Source(source.path, source.ratio) as again:
        seen = _first_reading(again)
    maker.names.labelled |= seen.named
    table = rows(source, "\t", quotes=False)
    while isinstance(head := next(table), Skipped):
        yield head
    number, header = head
    edges, kept = _Edges(maker, filters, seen), 0
    for item in table:
        if isinstance(item, Skipped):
            yield item
            continue
        number, cells = item
        edge, good = dict(zip(header, cells, strict=True)), False
        parts = _BAR.split(edge["node2"])
        for value in parts:
            mark = len(maker.lines)
            try:
                edges.add({**edge, "node2": value, "id": edge.get("id", "") if len(parts) == 1 else ""})
                good = True
            except BadValue as error:
                maker.undo(mark)
                yield Skipped(number, f"row: {error}", " ".join(cells)[:80])
        if not good:
            continue
        maker.rows += 1
        kept += 1
        if kept % _BLOCK_ROWS == 0 or kept == filters.limit:
            yield maker.block(number, source.offset)
            if kept == filters.limit:
                return
    if maker.lines or maker.rows:
        yield maker.block(number, source.offset)


def _first_reading(source: Source) -> _Seen:
    seen, ids, subjects = _Seen(), set(), set()
    table = (item for item in rows(source, "\t", quotes=False) if not isinstance(item, Skipped))
    header = next(table)[1]
    for _, cells in table:
        edge = dict(zip(header, cells, strict=True))
        if edge["label"] == "label":
            seen.named.add(edge["node1"])
        if edge.get("rank") == "preferred":
            seen.preferred.add(hash((edge["node1"], edge["label"])))
        if not _ENTITY.fullmatch(edge["node1"]):
            subjects.add(edge["node1"])
            if edge.get("id"):
                ids.add(edge["id"])
        if edge.get("id") and _BAR.search(edge["node2"]):
            seen.several.add(edge["id"])
    seen.qualified = (subjects & ids) - seen.several
    seen.file = source.sha256
    return seen


class _Edges:
    """Writes edges one by one into the lines of a maker."""

    def __init__(self, maker: Maker, filters: Filters, seen: _Seen) -> None:
        self.maker, self.seen = maker, seen
        self.languages = {*filters.languages, "mul"}
        self.truthy = filters.statements == "truthy"
        self.declared: set[str] = set()

    def add(self, edge: dict[str, str]) -> None:
        """:raises BadValue: if the edge makes no sense"""
        node1, label, node2 = edge["node1"], edge["label"], edge["node2"]
        if not (node1 and label and node2):
            raise BadValue("no node1, label or node2")
        if node1 in self.seen.several:
            raise BadValue("it qualifies an edge with several values")
        if label in _NAMES:
            self._name(node1, label, node2)
        elif _ENTITY.fullmatch(node1) and _PROPERTY.fullmatch(label):
            self._statement(edge)
        elif _PROPERTY.fullmatch(label):
            self._qualifier(statement_node(node1), label, node2, edge)
        elif node1 in self.seen.qualified:
            self._plain(self._blank(node1), label, node2)
        else:
            self._plain(self._node(node1), label, node2, edge.get("id", ""))

    def _name(self, node1: str, label: str, node2: str) -> None:
        if (match := _TEXT.fullmatch(node2)) is not None:
            text, language = _unescaped(match[1]), match[2]
            if language not in self.languages:
                return
        elif (match := _STRING.fullmatch(node2)) is not None:
            text, language = _unescaped(match[1]), self.maker.language
        else:
            text, language = node2, self.maker.language
        self.maker.lines.append(f"{self._node(node1)} {_NAMES[label]} {literal(text)}@{tag(language)} .\n")

    def _statement(self, edge: dict[str, str]) -> None:
        node1, label, rank = edge["node1"], edge["label"], edge.get("rank") or "normal"
        if rank not in RANKS:
            raise BadValue("rank is unknown")
        best = rank == ("preferred" if hash((node1, label)) in self.seen.preferred else "normal")
        if self.truthy and not best:
            return
        to, subject = predicates(label), f"<{WELL_KNOWN['wd']}{node1}>"
        term, value_node, triples = _value(edge["node2"], edge.get("node2;wikidatatype", ""))
        node = statement_node(edge.get("id") or f"{node1}-{label}-{edge['node2']}")
        lines = self.maker.lines
        self._declare(label)
        if best:
            lines.append(f"{subject} {to.direct} {term} .\n")
        lines.append(
            f"{subject} {to.claim} {node} .\n{node} {to.statement} {term} .\n"
            f"{node} <{WELL_KNOWN['wikibase']}rank> {RANKS[rank]} .\n"
        )
        if best:
            lines.append(f"{node} {values.TYPE} <{WELL_KNOWN['wikibase']}BestRank> .\n")
        if value_node:
            lines.append(f"{node} {to.statement_value} {value_node} .\n{triples}")

    def _qualifier(self, node: str, label: str, node2: str, edge: dict[str, str]) -> None:
        if self.truthy:
            return
        to = predicates(label)
        term, value_node, triples = _value(node2, edge.get("node2;wikidatatype", ""))
        self._declare(label)
        self.maker.lines.append(f"{node} {to.qualifier} {term} .\n")
        if value_node:
            self.maker.lines.append(f"{node} {to.qualifier_value} {value_node} .\n{triples}")

    def _declare(self, label: str) -> None:
        if label not in self.declared:
            self.declared.add(label)
            self.maker.lines.append(declaration(label))

    def _plain(self, node: str, label: str, node2: str, id: str = "") -> None:
        column = self.maker.column(label, plain=True)
        obj = self._object(node2)
        self.maker.lines.append(f"{node} {column.predicate} {obj} .\n")
        if id in self.seen.qualified:
            self.maker.reify(self._blank(id), node, column.predicate, obj)

    def _object(self, text: str) -> str:
        if (match := _TEXT.fullmatch(text)) is not None:
            return f"{literal(_unescaped(match[1]))}@{tag(match[2])}"
        if (match := _STRING.fullmatch(text)) is not None:
            return literal(_unescaped(match[1]))
        if (match := _DATE.fullmatch(text)) is not None:
            digits = int(match[3] or 11)
            day = match[1].removeprefix("+")
            cut, kind = {9: (-6, "gYear"), 10: (-3, "gYearMonth")}.get(digits, (None, "date"))
            return f'"{day[:cut]}"^^<{WELL_KNOWN["xsd"]}{kind}>'
        if (match := _QUANTITY.fullmatch(text)) is not None and not match[4]:
            kind = "decimal" if "." in match[1] else "integer"
            return f'"{match[1]}"^^<{WELL_KNOWN["xsd"]}{kind}>'
        if text in ("True", "False"):
            return f'"{text.lower()}"^^<{WELL_KNOWN["xsd"]}boolean>'
        if text[0] in _MARKS:
            raise BadValue("value is not readable")
        return self._node(text)

    def _node(self, text: str) -> str:
        if _ENTITY.fullmatch(text):
            return f"<{WELL_KNOWN['wd']}{text}>"
        return self.maker.subject(text)

    def _blank(self, id: str) -> str:
        return f"_:q{blake2b(f'{self.seen.file} {id}'.encode(), digest_size=12).hexdigest()}"


def _unescaped(text: str) -> str:
    return _ESCAPED.sub(lambda match: _CONTROL.get(match[1], match[1]), text)


def _value(text: str, datatype: str) -> Value:
    """A value of a Wikidata statement.

    :param datatype: Wikidata's name of its type, where the file has it ("external-id", "url")
    """
    if _ENTITY.fullmatch(text):
        return values.entity({"id": text})
    if (match := _TEXT.fullmatch(text)) is not None:
        return values.monolingual({"text": _unescaped(match[1]), "language": match[2]})
    if (match := _DATE.fullmatch(text)) is not None:
        day, clock = match[1], match[2] if match[2].count(":") == 2 else f"{match[2]}:00"
        sign = "" if day[0] in "+-" else "+"
        model = values.JULIAN if day.lstrip("+") < "1582-10-15" else values.GREGORIAN
        stamp = {"time": f"{sign}{day}T{clock}Z", "precision": int(match[3] or 11), "timezone": 0}
        return values.time({**stamp, "calendarmodel": WELL_KNOWN["wd"] + model})
    if (match := _PLACE.fullmatch(text)) is not None:
        return values.coordinate({"latitude": float(match[1]), "longitude": float(match[2])})
    if (match := _QUANTITY.fullmatch(text)) is not None:
        amount, low, high, unit = match.groups()
        unit_iri = WELL_KNOWN["wd"] + unit if unit else "1"
        return values.quantity({"amount": amount, "unit": unit_iri, "lowerBound": low, "upperBound": high})
    match = _STRING.fullmatch(text)
    if match is None and text[0] in _MARKS:
        raise BadValue("value is not readable")
    plain = _unescaped(match[1]) if match is not None else text
    write = {"url": values.url, "commonsMedia": values.media}.get(datatype, values.string)
    return write(plain)
