"""CSV and TSV tables as triples. Two layouts, told apart by the header.

**Triples**: columns ``subject, predicate, object`` (or ``s,p,o``, ``head,relation,tail``), and optionally ``lang``,
``datatype`` (``date``, ``xsd:date``, an IRI) and ``object_type`` (``entity``, ``string``, ``number``, ``date``).

**One row per thing**: the column ``id`` (else the first) is the subject. ``label`` (or ``name``), ``description``,
``type`` and ``aliases`` (split at ``|``) are what they say, ``label@de`` in a language; every other column is a
property, empty cells say nothing. A header may say what its cells are: ``employer@entity``, ``born:date``,
``height:number`` (with or without thousands separators, and a decimal point), ``code:string``.

Names become IRIs: ``urn:kgstore:<KG>/<name>``, with ``_`` for spaces and everything but letters, digits and ``.~-``
percent-encoded; the name itself stays as ``rdfs:label``. IRIs, and names with a well-known prefix
(``schema:birthPlace``), are taken as they are. A table whose subjects all are Wikidata ids (Q42; predicates P19)
becomes Wikidata triples (``wd:Q42 wdt:P19``).

Unless the header or row says otherwise, an object is: an entity, if a row of this file has it as id or (one row
alone) as name; a number; an ISO date (``1931-05-05``, ``1931-05``; ``1931`` where the column's name speaks of a date
or year); else a string. The file is read twice, first for its subjects, which are kept in memory (about 200 bytes
each).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from kgstore.errors import LoadError
from kgstore.prefixes import WELL_KNOWN
from loaders.cells import date, is_year, number, slug
from loaders.filters import Filters
from loaders.protocol import Block, Skipped
from loaders.rows import rows
from loaders.sources import Source, opened
from loaders.values import TYPE, BadValue, iri, literal, tag

_ROLES = {
    **dict.fromkeys(("subject", "s", "head", "h"), "subject"),
    **dict.fromkeys(("predicate", "p", "relation", "r", "property"), "predicate"),
    **dict.fromkeys(("object", "o", "tail", "t"), "object"),
    **dict.fromkeys(("lang", "language"), "lang"),
    "datatype": "datatype",
    "object_type": "kind",
}
_LABEL, _ALIAS = f"<{WELL_KNOWN['rdfs']}label>", f"<{WELL_KNOWN['skos']}altLabel>"
_KNOWN = {
    "label": _LABEL,
    "name": _LABEL,
    "description": f"<{WELL_KNOWN['schema']}description>",
    "type": TYPE,
    "alias": _ALIAS,
    "aliases": _ALIAS,
}
_KINDS = {
    **dict.fromkeys(("entity", "iri", "item"), "entity"),
    **dict.fromkeys(("string", "literal"), "string"),
    **dict.fromkeys(("number", "integer", "decimal"), "number"),
    **dict.fromkeys(("date", "year"), "date"),
}
_WIKIDATA = re.compile(r"(?:wdt?:)?([QP][1-9]\d*)", re.ASCII)
_DATED = re.compile(r"date|year|born|birth|died|death|founded|establish|incept|opened|built|since|until", re.IGNORECASE)
_ABSOLUTE = re.compile(r"(https?|urn|ftp|mailto|file):\S+", re.IGNORECASE)
_BLOCK_ROWS = 5_000


class _Column(NamedTuple):
    """A column of a table with one row per thing, or a predicate of a table of triples."""

    predicate: str
    name: str
    kind: str
    language: str


@dataclass(slots=True)
class _Names:
    """What the first reading found."""

    subjects: set[str] = field(default_factory=set)
    by_name: dict[str, str | None] = field(default_factory=dict)
    labelled: set[str] = field(default_factory=set)
    wikidata: bool = True

    def add(self, subject: str) -> None:
        self.subjects.add(subject)
        self.wikidata = self.wikidata and _WIKIDATA.fullmatch(subject) is not None

    def call(self, subject: str, name: str) -> None:
        self.labelled.add(subject)
        known = self.by_name.setdefault(name, subject)
        if known != subject:
            self.by_name[name] = None  # two rows: it names neither


class TableLoader:
    """Reads CSV and TSV; see the module for the rules.

    :param name: of the KG, for the IRIs
    :param separator: between cells; found in the header unless told
    """

    suffixes = (".csv", ".tsv", ".tab")

    def __init__(self, name: str = "kg", separator: str | None = None) -> None:
        self.base, self.separator = f"urn:kgstore:{slug(name)}/", separator

    def read(self, source: Source | Path | str, filters: Filters) -> Iterator[Block | Skipped]:
        """``entities`` counts rows.

        :raises LoadError: if the file has no header, or comes from standard input (it is read twice)
        """
        with opened(source) as source:
            if str(source.path) == "-":
                raise LoadError(source.name, "a table is read twice", "save it as a file and load that")
            with Source(source.path) as again:
                names = self._names(again)
            yield from self._blocks(source, names, filters)

    def _names(self, source: Source) -> _Names:
        names = _Names()
        table = (item for item in rows(source, self.separator) if not isinstance(item, Skipped))
        header = next(table)[1]
        roles = _roles(header)
        label = None if roles else _label_column(header)
        at = roles["subject"] if roles else _subject_column(header)
        for _, cells in table:
            subject = cells[at]
            if not subject:
                continue
            names.add(subject)
            if roles:
                predicate = cells[roles["predicate"]]
                if predicate.casefold() in ("label", "name", "rdfs:label", WELL_KNOWN["rdfs"] + "label"):
                    names.call(subject, cells[roles["object"]])
                elif _WIKIDATA.fullmatch(predicate) is None and predicate.casefold() not in _KNOWN:
                    names.wikidata = False
            elif label is not None and cells[label]:
                names.call(subject, cells[label])
        return names

    def _blocks(self, source: Source, names: _Names, filters: Filters) -> Iterator[Block | Skipped]:
        table = rows(source, self.separator)
        while isinstance(head := next(table), Skipped):
            yield head
        header = head[1]
        roles = _roles(header)
        maker = _Maker(self.base, names, filters.languages[0] if filters.languages else "en")
        at = roles["subject"] if roles else _subject_column(header)
        named = header[at].casefold() in ("label", "name")
        columns = (
            {}
            if roles
            else {place: maker.column(text) for place, text in enumerate(header) if text and (place != at or named)}
        )
        kept, lines, number = 0, maker.lines, head[0]
        for item in table:
            if isinstance(item, Skipped):
                yield item
                continue
            number, cells = item
            mark = len(lines)
            try:
                if roles:
                    maker.triple({role: cells[place] for role, place in roles.items()})
                else:
                    maker.row(cells[at], [(column, cells[place]) for place, column in columns.items() if cells[place]])
            except BadValue as error:
                del lines[mark:]
                yield Skipped(number, f"row: {error}", " ".join(cells)[:80])
                continue
            for reason, what in maker.skipped:
                yield Skipped(number, f"cell: {reason}", what[:80])
            maker.skipped.clear()
            kept += 1
            if kept % _BLOCK_ROWS == 0 or kept == filters.limit:
                yield maker.block(number, source.offset)
                if kept == filters.limit:
                    return
        if maker.lines:
            yield maker.block(number, source.offset)


class _Maker:
    """Makes triples of rows; they gather in ``lines`` until `block` takes them."""

    def __init__(self, base: str, names: _Names, language: str) -> None:
        self.base, self.names, self.language = base, names, tag(language)
        self.lines: list[str] = []
        self.skipped: list[tuple[str, str]] = []
        self._columns: dict[str, _Column] = {}
        self._rows = 0

    def block(self, line: int, offset: int) -> Block:
        data = "".join(self.lines).encode()
        triples = data.count(b"\n")
        block = Block(data, self._rows, triples, triples, line, offset)
        self.lines.clear()
        self._rows = 0
        return block

    def row(self, subject: str, cells: list[tuple[_Column, str]]) -> None:
        if not subject:
            raise BadValue("no subject")
        node = self.subject(subject)
        for column, cell in cells:
            for part in cell.split("|") if column.predicate == _ALIAS else (cell,):
                if part.strip():
                    self._add(node, column, part.strip(), column.kind, column.language, "")
        self._rows += 1

    def triple(self, cells: dict[str, str]) -> None:
        subject, predicate, value = cells["subject"], cells["predicate"], cells["object"]
        if not (subject and predicate and value):
            raise BadValue("no subject, predicate or object")
        kind = _KINDS.get(cells.get("kind", "").casefold(), "")
        if cells.get("kind") and not kind:
            raise BadValue("object_type is unknown")
        column = self.column(predicate, plain=True)
        language, datatype = cells.get("lang", ""), cells.get("datatype", "")
        self._add(self.subject(subject), column, value, kind or column.kind, language, datatype)
        self._rows += 1

    def subject(self, text: str) -> str:
        node = self.node(text)
        if text not in self.names.labelled and self._named(text):
            self.lines.append(f"{node} {_LABEL} {literal(text)}@{self.language} .\n")
        return node

    def node(self, text: str) -> str:
        """The IRI for an id, a name or an IRI."""
        if _ABSOLUTE.fullmatch(text):
            return iri(text)
        prefix, colon, local = text.partition(":")
        if colon and prefix in WELL_KNOWN and local and " " not in local:
            return iri(WELL_KNOWN[prefix] + local)
        if self.names.wikidata and _WIKIDATA.fullmatch(text):
            return f"<{WELL_KNOWN['wd']}{text}>"
        return f"<{self.base}{slug(text)}>"

    def _named(self, text: str) -> bool:
        """Whether it is a name (and not an id or IRI that says nothing)."""
        return self.node(text).startswith(f"<{self.base}")

    def column(self, text: str, plain: bool = False) -> _Column:
        """What a header, or (``plain``) a predicate of a table of triples, means; a new property gets its label."""
        if (known := self._columns.get(text)) is not None:
            return known
        name, kind, language = text, "", ""
        if not plain:
            name, _, ending = text.partition("@")
            if ending == "entity":
                kind = "entity"
            elif name.casefold() in _KNOWN:
                language = ending
            elif ending:
                name = text
            before, _, ending = name.rpartition(":")
            if before and ending.casefold() in _KINDS:
                name, kind = before, _KINDS[ending.casefold()]
        name = name.strip()
        predicate = _KNOWN.get(name.casefold())
        if predicate is None and self.names.wikidata and (match := _WIKIDATA.fullmatch(name)) and match[1][0] == "P":
            predicate = f"<{WELL_KNOWN['wdt']}{match[1]}>"
        if predicate is None:
            predicate = self.node(name)
            if self._named(name):
                shown = name.replace("_", " ")
                self.lines.append(f"{predicate} {_LABEL} {literal(shown)}@{self.language} .\n")
                self.lines.append(f"{predicate} {TYPE} <{WELL_KNOWN['rdf']}Property> .\n")
        if predicate in (_LABEL, _ALIAS, _KNOWN["description"]):
            kind, language = "text", tag(language or self.language)
        elif predicate == TYPE:
            kind = "entity"
            if self.names.wikidata:
                predicate = f"<{WELL_KNOWN['wdt']}P31>"
        known = self._columns[text] = _Column(predicate, name, kind, language)
        return known

    def _add(self, node: str, column: _Column, text: str, kind: str, language: str, datatype: str) -> None:
        try:
            self.lines.append(f"{node} {column.predicate} {self._object(text, column, kind, language, datatype)} .\n")
        except BadValue as error:
            self.skipped.append((str(error), f"{column.name}: {text}"))

    def _object(self, text: str, column: _Column, kind: str, language: str, datatype: str) -> str:
        if language or kind == "text":
            return f"{literal(text)}@{tag(language or column.language)}"
        if datatype and datatype.casefold() not in _KINDS:
            name = datatype if ":" in datatype else f"xsd:{datatype}"
            return f"{literal(text)}^^{self.node(name)}"
        kind = kind or _KINDS.get(datatype.casefold(), "")
        if kind in ("", "entity") and (entity := self._entity(text)):
            return entity
        if kind == "entity":
            node = self.node(text)
            if self._named(text):
                self.lines.append(f"{node} {_LABEL} {literal(text)}@{self.language} .\n")
            return node
        year = is_year(text) and _DATED.search(column.name)
        typed = ""
        if kind == "date" or not kind and (year or "-" in text[1:]):
            typed = date(text, self.names.wikidata)
        if kind in ("", "number"):
            typed = typed or number(text, told=bool(kind))
        if not typed and kind in ("date", "number"):
            raise BadValue(f"no such {kind}")
        return typed or literal(text)

    def _entity(self, text: str) -> str:
        """The entity that a cell names beyond doubt; empty if there is none."""
        if text in self.names.subjects or _ABSOLUTE.fullmatch(text):
            return self.node(text)
        if self.names.wikidata and _WIKIDATA.fullmatch(text):
            return self.node(text)
        named = self.names.by_name.get(text)
        return self.node(named) if named is not None else ""


def _roles(header: list[str]) -> dict[str, int]:
    """Where the columns of a table of triples are; empty for the other layout."""
    found: dict[str, int] = {}
    for at, text in enumerate(header):
        role = _ROLES.get(text.casefold())
        if role is not None:
            found.setdefault(role, at)
    return found if {"subject", "predicate", "object"} <= set(found) else {}


def _subject_column(header: list[str]) -> int:
    return next((at for at, text in enumerate(header) if text.casefold() == "id"), 0)


def _label_column(header: list[str]) -> int | None:
    return next((at for at, text in enumerate(header) if text.casefold() in ("label", "name")), None)
