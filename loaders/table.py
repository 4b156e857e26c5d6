"""CSV and TSV tables as triples. Two layouts, told apart by the header (see `kgstore.loaders.headers`).

**Triples**: columns ``subject, predicate, object`` (or ``s,p,o``, ``head,relation,tail``, ``source,type,target``,
``:START_ID,:TYPE,:END_ID``), and optionally ``lang``, ``datatype`` (``date``, ``xsd:date``, an IRI) and ``object_type``
(``entity``, ``string``, ``number``, ``date``). Every other column is a qualifier of the triple (``since``, ``role``).

**One row per thing**: the column ``id`` (or ``:ID``, else the first) is the subject. ``label`` (or ``name``),
``description``, ``type`` and ``aliases`` (split at ``|``) are what they say, ``label@de`` in a language; every other
column is a property, empty cells say nothing. A header may say what its cells are: ``employer@entity``, ``born:date``,
``height:number`` (with or without thousands separators, and a decimal point), ``code:string``.

Names become IRIs: ``urn:kgstore:<KG>/<name>``, with ``_`` for spaces and everything but letters, digits and ``.~-``
percent-encoded; the name itself stays as ``rdfs:label``. IRIs, and names with a well-known prefix
(``schema:birthPlace``), are taken as they are. A table whose subjects all are Wikidata ids (Q42; predicates P19)
becomes Wikidata triples (``wd:Q42 wdt:P19``), and where it has qualifiers, statements (``p:``, ``ps:``, ``pq:``).

Unless the header or row says otherwise, an object is: an entity, if a row has it as id or (one row alone) as name, in
this file, in another table of the same load, or (by name) in what the KG holds already; a number; an ISO date
(``1931-05-05``, ``1931-05``; ``1931`` where the column's name speaks of a date or year); else a string. A number is an
entity's id only where the header says ``@entity``.

Qualifiers are kept through RDF's reification, see `kgstore.statements`. Columns such as ``since`` or ``until`` that
hold dates become ``schema:startDate`` and ``schema:endDate``, so that the time of a statement is understood.

The file is read twice, first for its subjects, which are kept in memory (about 200 bytes each).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from kgstore.errors import LoadError
from kgstore.loaders import kgtk
from kgstore.loaders.cells import slug
from kgstore.loaders.filters import Filters
from kgstore.loaders.formats import Setting, separator_of
from kgstore.loaders.headers import is_kgtk, layout_of
from kgstore.loaders.protocol import Block, Skipped
from kgstore.loaders.rows import rows
from kgstore.loaders.sources import Source, opened
from kgstore.loaders.table_maker import Maker
from kgstore.loaders.table_names import Known, Names, names_of
from kgstore.loaders.values import BadValue

_BLOCK_ROWS = 5_000


class TableLoader:
    """Reads CSV and TSV; see the module for the rules.

    :param name: of the KG, for the IRIs
    :param separator: between cells; found in the header unless told
    :param beside: what the other tables of the same load name
    :param known: what the KG knows already
    """

    suffixes = (".csv", ".tsv", ".tab")

    def __init__(
        self,
        name: str = "kg",
        separator: str | None = None,
        beside: Sequence[Names] = (),
        known: Known | None = None,
    ) -> None:
        self.base, self.separator, self.beside, self.known = f"urn:kgstore:{slug(name)}/", separator, beside, known

    def read(self, source: Source | Path | str, filters: Filters) -> Iterator[Block | Skipped]:
        """``entities`` counts rows.

        :raises LoadError: if the file has no header, or comes from standard input (it is read twice)
        """
        with opened(source) as source:
            if str(source.path) == "-":
                raise LoadError(source.name, "a table is read twice", "save it as a file and load that")
            language = filters.languages[0] if filters.languages else "en"
            if _is_kgtk(source.path):
                maker = Maker(self.base, Names(wikidata=False), self.beside, self.known, language)
                yield from kgtk.read(source, maker, filters)
                return
            names = names_of(source.path, self.separator, source.ratio)
            yield from self._blocks(source, Maker(self.base, names, self.beside, self.known, language), filters)

    def _blocks(self, source: Source, maker: Maker, filters: Filters) -> Iterator[Block | Skipped]:
        table = rows(source, self.separator)
        while isinstance(head := next(table), Skipped):
            yield head
        number, layout = head[0], layout_of(head[1])
        maker.prepare(layout)
        kept, lines = 0, maker.lines
        for item in table:
            if isinstance(item, Skipped):
                yield item
                continue
            number, cells = item
            mark = len(lines)
            try:
                maker.take(layout, cells)
            except BadValue as error:
                maker.undo(mark)
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
        if maker.lines or maker.rows:
            yield maker.block(number, source.offset)


def _is_kgtk(path: Path | str) -> bool:
    with Source(path) as source:
        heads = (item for item in rows(source, "\t") if not isinstance(item, Skipped))
        return is_kgtk(next(heads)[1])


def loader(format: str, setting: Setting) -> TableLoader:
    """See `kgstore.loaders.formats.Format`."""
    return TableLoader(setting.name, separator_of(format), setting.beside, setting.known)
