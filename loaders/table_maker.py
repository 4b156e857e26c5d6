"""Rows into triples: what the cells of a table mean, see `kgstore.loaders.table`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from hashlib import blake2b
from typing import NamedTuple

from kgstore.loaders.cells import date, is_year, number, slug, words
from kgstore.loaders.headers import OBJECT, SUBJECT, Layout
from kgstore.loaders.protocol import Block
from kgstore.loaders.table_names import WIKIDATA, Known, Names, is_number, subject_among
from kgstore.loaders.values import TYPE, BadValue, iri, literal, tag
from kgstore.prefixes import WELL_KNOWN
from kgstore.values import speaks_of_a_date

LABEL, ALIAS = f"<{WELL_KNOWN['rdfs']}label>", f"<{WELL_KNOWN['skos']}altLabel>"
DESCRIPTION = f"<{WELL_KNOWN['schema']}description>"
_KNOWN = {
    "label": LABEL,
    "name": LABEL,
    "description": DESCRIPTION,
    "type": TYPE,
    "alias": ALIAS,
    "aliases": ALIAS,
}
_KINDS = {
    **dict.fromkeys(("entity", "iri", "item"), "entity"),
    **dict.fromkeys(("string", "literal"), "string"),
    **dict.fromkeys(("number", "integer", "decimal", "int", "long", "short", "byte", "float", "double"), "number"),
    **dict.fromkeys(("date", "year", "datetime", "localdatetime"), "date"),
    "boolean": "boolean",
}
_TIMES = {
    **dict.fromkeys(("since", "from", "start", "start date", "started", "begin", "begins", "valid from"), "start"),
    **dict.fromkeys(("until", "till", "to", "end", "end date", "ended", "ends", "valid until", "valid to"), "end"),
}
"""Names of qualifiers that say when a statement began and ended, where they hold a date."""
_SETTLED = 200_000
"""Things that are remembered to have a label, so that it is not said in every row that names them."""
_ABSOLUTE = re.compile(r"(https?|urn|ftp|mailto|file):\S+", re.IGNORECASE)


class _Column(NamedTuple):
    """A column of a table with one row per thing, or a predicate of a table of triples."""

    predicate: str
    name: str
    kind: str
    language: str
    split: str = ""


class Maker:
    """Makes triples of rows; they gather in ``lines`` until `block` takes them."""

    def __init__(
        self, base: str, names: Names, beside: Sequence[Names], known: Known | None, language: str
    ) -> None:
        self.base, self.names, self.beside, self.known = base, names, beside, known
        self.language = tag(language)
        self.lines: list[str] = []
        self.skipped: list[tuple[str, str]] = []
        self._columns: dict[str, _Column] = {}
        self._places: dict[int, _Column] = {}
        self._settled: set[tuple[str, str]] = set()
        self.rows = 0

    def prepare(self, layout: Layout) -> None:
        """Read the header of the columns that are no roles; new properties get their labels."""
        self._places = {at: self.column(text) for at, text in layout.columns.items()}

    def take(self, layout: Layout, cells: list[str]) -> None:
        """One row.

        :raises BadValue: if it makes no sense
        """
        more = [(column, cells[at]) for at, column in self._places.items() if cells[at]]
        if layout.roles:
            self.triple({role: cells[at] for role, at in layout.roles.items()}, layout, more)
        else:
            types = [one for one in cells[layout.types].split(";") if one.strip()] if layout.types is not None else []
            self.row(cells[layout.subject], layout.spaces.get(SUBJECT, ""), more, types)
        self.rows += 1

    def undo(self, mark: int) -> None:
        """Drop the lines from there on, of a row that makes no sense; what they name is named again when it comes."""
        del self.lines[mark:]
        self._settled.clear()
        self._columns.clear()

    def block(self, line: int, offset: int) -> Block:
        data = "".join(self.lines).encode()
        triples = data.count(b"\n")
        block = Block(data, self.rows, triples, triples, line, offset)
        self.lines.clear()
        self.rows = 0
        return block

    def row(self, subject: str, space: str, cells: list[tuple[_Column, str]], types: list[str]) -> None:
        if not subject:
            raise BadValue("no subject")
        node = self.subject(subject, space)
        for one in types:
            self._add(node, self.column("type"), one.strip(), "entity")
        for column, cell in cells:
            for part in cell.split(column.split) if column.split else (cell,):
                if part.strip():
                    self._add(node, column, part.strip(), column.kind, column.language)

    def triple(self, cells: dict[str, str], layout: Layout, more: list[tuple[_Column, str]]) -> None:
        subject, predicate, value = (cells[role] for role in ("subject", "predicate", "object"))
        if not (subject and predicate and value):
            raise BadValue("no subject, predicate or object")
        kind = _KINDS.get(cells.get("kind", "").casefold(), "")
        if cells.get("kind") and not kind:
            raise BadValue("object_type is unknown")
        column = self.column(predicate, plain=True)
        node = self.subject(subject, layout.spaces.get(SUBJECT, ""))
        if layout.ids:
            obj = self.subject(value, layout.spaces.get(OBJECT, ""))
            self.lines.append(f"{node} {column.predicate} {obj} .\n")
        else:
            told = cells.get("lang", ""), cells.get("datatype", "")
            obj = self._add(node, column, value, kind or column.kind, *told)
        if obj and more:
            self._qualify(node, column.predicate, obj, more)

    def _qualify(self, node: str, predicate: str, obj: str, cells: list[tuple[_Column, str]]) -> None:
        """What the other columns say of a triple: through RDF's reification, or as a Wikidata statement."""
        said = blake2b("\0".join((node, predicate, obj, *(cell for _, cell in cells))).encode(), digest_size=12)
        direct = f"<{WELL_KNOWN['wdt']}"
        if predicate.startswith(direct):
            name, about = predicate.removeprefix(direct), f"<{WELL_KNOWN['wds']}table-{said.hexdigest()}>"
            self.lines.append(
                f"{node} <{WELL_KNOWN['p']}{name} {about} .\n{about} <{WELL_KNOWN['ps']}{name} {obj} .\n"
                f"{about} <{WELL_KNOWN['wikibase']}rank> <{WELL_KNOWN['wikibase']}NormalRank> .\n"
                f"{about} {TYPE} <{WELL_KNOWN['wikibase']}BestRank> .\n"
            )
        else:
            about = f"_:q{said.hexdigest()}"
            self.reify(about, node, predicate, obj)
        for column, cell in cells:
            if not predicate.startswith(direct):
                self._add(about, self._timed(column, cell), cell, column.kind, column.language)
            elif column.predicate.startswith(direct):
                simple = column._replace(predicate=column.predicate.replace("/prop/direct/", "/prop/qualifier/"))
                self._add(about, simple, cell, column.kind, column.language)
            else:
                self.skipped.append(("a qualifier of a Wikidata statement needs a property id", column.name))

    def reify(self, about: str, node: str, predicate: str, obj: str) -> None:
        """Let a blank node speak of a triple."""
        rdf = WELL_KNOWN["rdf"]
        self.lines.append(
            f"{about} <{rdf}subject> {node} .\n{about} <{rdf}predicate> {predicate} .\n{about} <{rdf}object> {obj} .\n"
        )

    def _timed(self, column: _Column, cell: str) -> _Column:
        """The column as start or end of a statement, where it is called so and the cell is a date."""
        time = _TIMES.get(column.name.casefold().replace("_", " "))
        if time is None or not date(cell, False):
            return column
        predicate = f"<{WELL_KNOWN['schema']}{time}Date>"
        self.lines.append(f"{predicate} {LABEL} {literal(time + ' date')}@en .\n")
        return column._replace(predicate=predicate, kind="date")

    def subject(self, text: str, space: str = "") -> str:
        """The IRI of what a row is about, or of the other end of an edge; it gets a label if nobody else names it."""
        key = f"{space}/{text}" if space else text
        node = self.node(key)
        if self._made(node) and not any(key in names.labelled for names in (self.names, *self.beside)):
            self._name(node, text)
        return node

    def _name(self, node: str, label: str, more: str = "") -> None:
        """Let something have a label, unless the KG calls it otherwise.

        What the KG says already is said again, once: the source that says so may be removed.

        :param more: lines that go with the label
        """
        if (node, more) in self._settled:
            return
        if len(self._settled) == _SETTLED:
            self._settled.clear()
        self._settled.add((node, more))
        if self.known is None or not self.known.otherwise(node[1:-1], label, self.language):
            self.lines.append(f"{node} {LABEL} {literal(label)}@{self.language} .\n{more}")

    def node(self, text: str) -> str:
        """The IRI for an id, a name or an IRI."""
        if _ABSOLUTE.fullmatch(text):
            return iri(text)
        prefix, colon, local = text.partition(":")
        if colon and prefix in WELL_KNOWN and local and " " not in local:
            return iri(WELL_KNOWN[prefix] + local)
        if self.names.wikidata and WIKIDATA.fullmatch(text):
            return f"<{WELL_KNOWN['wd']}{text}>"
        return f"<{self.base}{slug(text)}>"

    def _made(self, node: str) -> bool:
        """Whether an IRI was made from a name (and is not one that stood there, or a well-known id)."""
        return node.startswith(f"<{self.base}")

    def column(self, text: str, plain: bool = False) -> _Column:
        """What a header, or (``plain``) a predicate of a table of triples, means; a new property gets its label."""
        key = text
        if (known := self._columns.get(key)) is not None:
            return known
        name, kind, language, split = text, "", "", ""
        if not plain:
            if text.endswith("[]"):  # a list, as property graphs write it
                text, split = text.removesuffix("[]"), ";"
                name = text
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
        if predicate is None and self.names.wikidata and (match := WIKIDATA.fullmatch(name)) and match[1][0] == "P":
            predicate = f"<{WELL_KNOWN['wdt']}{match[1]}>"
        if predicate is None:
            predicate = self.node(name)
            if self._made(predicate):
                self._name(predicate, words(name), f"{predicate} {TYPE} <{WELL_KNOWN['rdf']}Property> .\n")
        if predicate in (LABEL, ALIAS, DESCRIPTION):
            kind, language = "text", tag(language or self.language)
        elif predicate == TYPE:
            kind = "entity"
            if self.names.wikidata:
                predicate = f"<{WELL_KNOWN['wdt']}P31>"
        if predicate == ALIAS:
            split = "|"
        known = self._columns[key] = _Column(predicate, name, kind, language, split)
        return known

    def _add(self, node: str, column: _Column, text: str, kind: str, language: str = "", datatype: str = "") -> str:
        """Write a triple; its object, empty (and counted) if the cell does not fit its column."""
        try:
            obj = self._object(text, column, kind, language, datatype)
        except BadValue as error:
            self.skipped.append((str(error), f"{column.name}: {text}"))
            return ""
        self.lines.append(f"{node} {column.predicate} {obj} .\n")
        return obj

    def _object(self, text: str, column: _Column, kind: str, language: str, datatype: str) -> str:
        if language or kind == "text":
            return f"{literal(text)}@{tag(language or column.language)}"
        if datatype and datatype.casefold() not in _KINDS:
            name = datatype if ":" in datatype else f"xsd:{datatype}"
            return f"{literal(text)}^^{self.node(name)}"
        kind = kind or _KINDS.get(datatype.casefold(), "")
        if kind in ("", "entity") and (entity := self._entity(text, told=bool(kind))):
            return entity
        if kind == "entity":
            return self.subject(text)
        if kind == "boolean":
            return f"{literal(text.casefold())}^^<{WELL_KNOWN['xsd']}boolean>"
        year = is_year(text) and speaks_of_a_date(column.name)
        typed = ""
        if kind == "date" or year and kind in ("", "number") or not kind and "-" in text[1:]:
            typed = date(text, self.names.wikidata)
        if kind in ("", "number"):
            typed = typed or number(text, told=bool(kind))
        if not typed and kind in ("date", "number"):
            raise BadValue(f"no such {kind}")
        return typed or literal(text)

    def _entity(self, text: str, told: bool) -> str:
        """The entity that a cell names beyond doubt; empty if there is none.

        :param told: the cell is said to be an entity, so that a number may be an id
        """
        if _ABSOLUTE.fullmatch(text) or (told and text in self.names.subjects):
            return self.node(text)
        if is_number(text):
            return ""
        if self.names.wikidata and WIKIDATA.fullmatch(text):
            return self.node(text)
        if text in self.names.by_name and self.names.by_name[text] is None:
            return ""
        subject = self.names.subject(text) or subject_among(self.beside, text)
        if subject is not None:
            return self.node(subject)
        if self.known is None or (known := self.known.entity(text)) is None:
            return ""
        self._name(f"<{known}>", text)
        return f"<{known}>"
