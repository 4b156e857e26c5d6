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

import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from kgstore import sources
from kgstore.catalog_rows import Asked, Rows, Said
from kgstore.duck import Connection, lines, quote
from kgstore.errors import InputError
from kgstore.extract import Extractor
from kgstore.graph import Graph

_CHUNK, _FILES = 32 << 20, 4
"""Bytes of lines in a file, and files that DuckDB reads at a time: it gives each to one thread."""
_FETCHED = 20_000
_ODD = -1
"""The part of the lines that only Oxigraph understands."""


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


def take(
    db: Connection,
    rows: Rows,
    groups: Sequence[Asked],
    said: Said,
    counts: Mapping[str, int],
    scratch: Path,
    ask: Callable[[Extractor, Asked], Asked],
) -> bool:
    """Put the rows of some groups where they stay.

    :param groups: their predicates; no files yet
    :param counts: how many triples each predicate has in the graph
    :param scratch: an empty folder, for files that go when they are read
    :param ask: submits the queries of a group
    :return: whether all are there, each once; if not, they are of no use
    """
    scratch.mkdir()
    odd = Graph(scratch / "graph")
    try:
        for chunk in _chunks(said.sources, scratch):
            parts = _split(db, groups, chunk, scratch / "parts")
            for path in chunk:
                path.unlink()
            odd.bulk_load(_odd(db, parts.pop(_ODD, [])))
            for number, files in parts.items():
                rows.take(groups[number].group, files)
            shutil.rmtree(scratch / "parts")
        if next(odd.match(), None) is not None:
            odd.flush()
            with Extractor(odd, scratch / "asked") as extract:
                for group in groups:
                    rows.collect(ask(extract, group))
    except (InputError, sources.Damaged):  # not what was loaded; `kgstore doctor` says so
        return False
    finally:
        odd.close()
    return all(_complete(rows, group, counts) for group in groups)


def _chunks(paths: Sequence[Path], folder: Path) -> Iterator[list[Path]]:
    """The lines of all sources, in some files at a time; the next ones have the same names."""
    blocks = (block for path in paths for block in sources.blocks(path) if block)
    block, files = next(blocks, b""), list[Path]()
    while block:
        files.append(folder / f"{len(files)}.nt")
        with files[-1].open("wb") as file:
            while block and file.tell() < _CHUNK:
                file.write(block if block.endswith(b"\n") else block + b"\n")
                block = next(blocks, b"")
        if len(files) == _FILES or not block:
            yield files
            files = []


def _split(db: Connection, groups: Sequence[Asked], chunk: Sequence[Path], folder: Path) -> dict[int, list[Path]]:
    """Number of a group -> Parquet files of its rows, in any order; under `_ODD` whole lines."""
    pairs = [(number, iri) for number, group in enumerate(groups) for iri in group.codes]
    db.execute(
        "CREATE OR REPLACE TEMP TABLE wanted AS SELECT unnest($n)::TINYINT number, unnest($p) p, '<' || p || '>' q",
        {"n": [number for number, _ in pairs], "p": [iri for _, iri in pairs]},
    )
    value = f"CASE WHEN starts_with(o, '<') THEN {_iri('o')} ELSE regexp_full_match(o, {quote(_LITERAL)}) END"
    plain = f"{_iri('s')} AND ends_with(line, ' .') AND {value}"
    taken = " UNION ALL ".join(
        f"""
        SELECT CASE WHEN plain THEN number ELSE {_ODD} END part, s, p, CASE WHEN plain THEN {_VALUE} ELSE line END o
        FROM (SELECT *, {plain} plain FROM (
              SELECT *, substr(line, length(s) + length(q) + 3, length(line) - length(s) - length(q) - 4) o
              FROM (SELECT *, split_part(line, ' ', 1) s
                    FROM (SELECT line, split_part(line, ' ', 2) q FROM {lines(path)}) JOIN wanted USING (q))))
        """
        for path in chunk
    )
    options = "FORMAT parquet, COMPRESSION zstd, COMPRESSION_LEVEL 1, PARTITION_BY (part)"
    db.execute("SET preserve_insertion_order = false")
    db.execute(f"COPY ({taken}) TO {quote(str(folder))} ({options})")
    db.execute("RESET preserve_insertion_order")
    return {int(one.name.partition("=")[2]): sorted(one.glob("*.parquet")) for one in folder.glob("part=*")}


def _odd(db: Connection, files: Sequence[Path]) -> Iterator[bytes]:
    for path in files:
        found = db.execute(f"SELECT o FROM read_parquet({quote(str(path))}, hive_partitioning = false)")
        while some := found.fetchmany(_FETCHED):
            yield "".join(f"{line}\n" for (line,) in some).encode()


def _complete(rows: Rows, group: Asked, counts: Mapping[str, int]) -> bool:
    wanted = {iri: counts[iri] for iri in group.codes if iri in counts}
    if rows.counts(group.group) != wanted:
        rows.unite(group.group)  # a triple that two lines say
    return rows.counts(group.group) == wanted
