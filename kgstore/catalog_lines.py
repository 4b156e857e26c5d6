"""The rows of a catalog, taken from the lines that were loaded instead of from the graph that holds them.

Oxigraph looks up the text of every term that it gives back, one by one; DuckDB reads the same terms out of the kept
sources (`kgstore.sources`) ten times as fast. That is done for lines which say a term just as Oxigraph would write it.
The others (escapes such as ``\\u00e9``, numbers such as ``"01"``, language tags in capitals, blank nodes) go into a
small graph of their own, which is asked as any graph is.

Whether nothing is missing and nothing doubled is counted: each predicate must have as many rows as the graph has
triples of it. Where that is not so (tabs between the terms, a graph that was changed without the writer), the caller
asks the graph for everything.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Self

from kgstore import sources
from kgstore.catalog_rows import Asked, Rows, Said
from kgstore.duck import Connection, lines, quote
from kgstore.errors import InputError
from kgstore.extract import Extractor
from kgstore.graph import Graph

_CHUNK, _FILES = 32 << 20, 4
"""Bytes of lines in a file, and files that DuckDB reads at a time: it gives each to one thread."""
_FETCHED = 20_000


def _iri(text: str) -> str:
    """SQL for whether a well-formed line has an IRI in this place that Oxigraph gives back as it is."""
    odd = "".join(f" AND NOT contains({text}, {one})" for one in ("' '", "chr(9)", r"'\'"))
    return f"(starts_with({text}, '<') AND ends_with({text}, '>'){odd})"


_XSD, _OPENGIS = r"http://www\.w3\.org/2001/XMLSchema#", r"http://www\.opengis\.net/"
_WHOLE, _DAY, _CLOCK = r"(0|-?[1-9]\d{0,14})", r"\d{4}-\d\d-\d\d", r"([01]\d|2[0-3]):[0-5]\d:[0-5]\d"
_STRING = r'"([^"\\\x00-\x1f]|\\[\\"nrt])*"(@[a-z]+(-[a-z0-9]+)*)?'
_NUMBER = rf'"\+?{_WHOLE}"\^\^<{_XSD}(integer|decimal)>|"[+-]?(0|[1-9]\d{{0,14}})\.\d{{0,9}}[1-9]"\^\^<{_XSD}decimal>'
_DATE = rf'"{_DAY}T{_CLOCK}Z"\^\^<{_XSD}dateTime>|"{_DAY}"\^\^<{_XSD}date>|"\d{{4}}"\^\^<{_XSD}gYear>'
_SHAPE = r'"[^"\\\x00-\x1f]*"\^\^<' + _OPENGIS + r'[^<>"{}|^`\\\x00-\x20]*>'
_LITERAL = f"{_STRING}|{_NUMBER}|{_DATE}|{_SHAPE}"
"""Literals that Oxigraph gives back as they are, but for the form of numbers, see `_VALUE`."""
_BARE = r"""regexp_extract(o, '^"\+?([^"]*)"', 1)"""
_VALUE = f"""CASE WHEN NOT (starts_with(o, '"') AND ends_with(o, '>')) THEN o
    WHEN ends_with(o, 'XMLSchema#integer>') THEN {_BARE}
    WHEN NOT ends_with(o, 'XMLSchema#decimal>') THEN o
    WHEN contains({_BARE}, '.') THEN {_BARE}
    ELSE '"' || {_BARE} || '"^^<http://www.w3.org/2001/XMLSchema#decimal>' END"""
"""A value as Oxigraph writes it in TSV: numbers without quotes, decimal ones only where they have a point."""


class Taken:
    """The rows that lines say; they stay where ``rows`` puts them. Closed when it is left.

    :param wanted: group -> SQL for whether a predicate belongs to it: ``q``, an IRI in angle brackets. It must not ask
        which predicates there are: the graph, which tells that, is counted meanwhile
    :param scratch: an empty folder, for files that go when they are read
    """

    def __init__(self, db: Connection, rows: Rows, wanted: Mapping[str, str], said: Said, scratch: Path) -> None:
        self._rows, self._scratch, self._usable = rows, scratch, True
        scratch.mkdir()
        self._odd = Graph(scratch / "graph")
        try:
            for chunk in _chunks(said.sources, scratch):
                _read(db, chunk, wanted)
                for path in chunk:
                    path.unlink()
                for group, condition in wanted.items():
                    rows.add(group, f"SELECT s, substr(q, 2, length(q) - 2) p, o FROM said WHERE plain AND {condition}")
                self._odd.bulk_load(_lines(db))
            db.execute("DROP TABLE IF EXISTS said")
        except (InputError, sources.Damaged):  # not what was loaded; `kgstore doctor` says so
            self._usable = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._odd.close()

    def complete(
        self, groups: Sequence[Asked], counts: Mapping[str, int], ask: Callable[[Extractor, Asked], Asked]
    ) -> bool:
        """Add the rows of the lines that only Oxigraph understands.

        :param groups: their predicates; no files yet
        :param counts: how many triples each predicate has in the graph
        :param ask: submits the queries of a group
        :return: whether all are there, each once; if not, they are of no use
        """
        if self._usable and next(self._odd.match(), None) is not None:
            self._odd.flush()
            with Extractor(self._odd, self._scratch / "asked") as extract:
                for group in groups:
                    self._rows.collect(ask(extract, group))
        return self._usable and all(_complete(self._rows, group, counts) for group in groups)


def _chunks(paths: Sequence[Path], folder: Path) -> Iterator[list[Path]]:
    """The lines of all sources, in some files at a time; the next ones have the same names."""
    blocks = (block for path in paths for block in sources.blocks(path) if block)
    block, last, files = next(blocks, b""), b"", list[Path]()
    while block:
        files.append(folder / f"{len(files)}.nt")
        with files[-1].open("wb") as file:
            while block and file.tell() < _CHUNK:
                file.write(block if block.endswith(b"\n") else block + b"\n")
                last, block = block, next(blocks, b"")
            if len(files) == _FILES:
                more = _going_on(last, block)
                file.write(block[:more])
                block = block[more:] or next(blocks, b"")
        if len(files) == _FILES or not block:
            yield files
            files = []


def _going_on(block: bytes, following: bytes) -> int:
    """How many bytes of the lines that follow speak of the subject of the last line, as doubled lines mostly do."""
    subject = block[block.rfind(b"\n", 0, -1) + 1 :].partition(b" ")[0] + b" "
    if not following.startswith(subject):
        return 0
    return following.find(b"\n", following.rfind(b"\n" + subject) + 1) + 1


def _read(db: Connection, chunk: Sequence[Path], wanted: Mapping[str, str]) -> None:
    """Table ``said``: each of the lines that are wanted, once; ``o`` is the whole line where that is not ``plain``.

    What two chunks say is found later, but to unite all rows takes as long as to write them.
    """
    value = f"CASE WHEN starts_with(o, '<') THEN {_iri('o')} ELSE regexp_full_match(o, {quote(_LITERAL)}) END"
    plain = f"{_iri('s')} AND ends_with(line, ' .') AND {value}"
    taken = " UNION ALL ".join(
        f"""
        SELECT s, q, plain, CASE WHEN plain THEN {_VALUE} ELSE line END o
        FROM (SELECT *, {plain} plain FROM (
              SELECT *, CASE WHEN len(words) = 4 THEN words[3]
                        ELSE substr(line, length(s) + length(q) + 3, length(line) - length(s) - length(q) - 4) END o
              FROM (SELECT line, words, words[1] s, words[2] q
                    FROM (SELECT line, string_split(line, ' ') words FROM {lines(path)}))
              WHERE {" OR ".join(wanted.values())}))
        """
        for path in chunk
    )
    # pushed down, the filter would split each line once more for each of its conditions
    db.execute("SET preserve_insertion_order = false; SET disabled_optimizers = 'filter_pushdown'")
    db.execute(f"CREATE OR REPLACE TEMP TABLE said AS SELECT *, hash(s, q, o) h FROM ({taken})")
    db.execute("RESET preserve_insertion_order; RESET disabled_optimizers")
    db.execute("""
        DELETE FROM said WHERE rowid IN (
            SELECT rowid FROM (
                SELECT rowid, row_number() OVER (PARTITION BY s, q, o) place FROM said
                SEMI JOIN (SELECT h FROM said GROUP BY h HAVING count(*) > 1) USING (h)
            ) WHERE place > 1)
    """)


def _lines(db: Connection) -> Iterator[bytes]:
    """The lines of ``said`` that only Oxigraph understands."""
    found = db.execute("SELECT o FROM said WHERE NOT plain")
    while some := found.fetchmany(_FETCHED):
        yield "".join(f"{line}\n" for (line,) in some).encode()


def _complete(rows: Rows, group: Asked, counts: Mapping[str, int]) -> bool:
    wanted = {iri: counts[iri] for iri in group.codes if iri in counts}
    if rows.counts(group.group) != wanted:
        rows.unite(group.group)  # a triple that two lines say
    return rows.counts(group.group) == wanted
