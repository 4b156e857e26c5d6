"""The rows that a catalog is made of, kept beside it: after an update only those of the new triples are added.

They come from the lines that were loaded (`kgstore.catalog_lines`), or else out of Oxigraph, which takes longer: it
looks up the text of every term. They stay, as Parquet, in the folder ``rows``: subject, predicate and value as SPARQL
writes them in TSV. A later generation shares these files and adds those of what is new.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from kgstore.duck import Connection, quote, tsv
from kgstore.layout import link

if TYPE_CHECKING:
    from kgstore.profile import Profile

FOLDER, _META, _VERSION = "rows", "rows.json", 1
_TOGETHER = 24 << 20
"""Bytes of rows that are read at a time, some three million of them, unless one file has more."""
MOST_UPDATES = 20
"""After so many updates the rows are asked for anew, which puts them into few files again."""


@dataclass(frozen=True, slots=True)
class Said:
    """What was loaded into a graph.

    :param sources: files of lines, see `kgstore.sources`; together all that the graph holds
    :param rows: the folder of an earlier state of the graph, with nothing removed since; then ``sources`` are only
        those that were added since, and triples that were there already do no harm
    """

    sources: Sequence[Path]
    rows: Path | None = None


@dataclass(frozen=True, slots=True)
class Asked:
    """All triples of some predicates.

    :param group: a word; each query of a catalog has its own
    :param codes: a number for each predicate
    :param files: TSV, with subject, number and value
    """

    group: str
    codes: dict[str, int]
    files: Sequence[Future[Path]] = ()


def usable(folder: Path, profile: Profile) -> bool:
    """Whether the rows of a folder were asked for as they would be now."""
    updates = _updates(folder, profile)
    return updates is not None and updates < MOST_UPDATES


def _updates(folder: Path, profile: Profile) -> int | None:
    """How many updates the rows of a folder have seen; None if they cannot be used."""
    try:
        meta = json.loads((folder / _META).read_text(encoding="utf-8"))
        return int(meta["updates"]) if meta == _meta(profile, meta["updates"]) else None
    except (OSError, ValueError, TypeError, KeyError):
        return None


def _meta(profile: Profile, updates: int) -> dict[str, object]:
    said = replace(profile, complete=()).stored()  # of which no row speaks
    return {"version": _VERSION, "profile": json.loads(json.dumps(said)), "updates": updates}


class Rows:
    """Writes the rows of a new catalog.

    :param folder: where they stay; must not exist
    :param earlier: rows of an earlier state, of which the new ones are only what was added
    """

    def __init__(self, db: Connection, folder: Path, profile: Profile, earlier: Path | None = None) -> None:
        self._db, self._folder, self._profile = db, folder, profile
        self._old: dict[str, list[Path]] = {}
        self._coded: set[str] = set()
        folder.mkdir()
        self._note((_updates(earlier, profile) or 0) + 1 if earlier is not None else 0)
        for path in sorted(earlier.glob("*.parquet")) if earlier is not None else ():
            link(path, folder / path.name)
            self._old.setdefault(path.name.partition(".")[0], []).append(folder / path.name)

    def _note(self, updates: int) -> None:
        (self._folder / _META).write_text(json.dumps(_meta(self._profile, updates)), encoding="utf-8")

    def clear(self) -> None:
        """Forget all rows, those of the earlier state as well."""
        for path in self._folder.glob("*.parquet"):
            path.unlink()
        self._old = {}
        self._note(0)

    def add(self, group: str, query: str) -> None:
        """Keep the rows of a query (``s``, ``p``, ``o``) that an earlier state had not; none is counted twice."""
        if old := self._old.get(group):
            self._db.execute(f"CREATE OR REPLACE TEMP TABLE fresh AS {query}")
            known = f"SELECT s, p, o FROM {_parquet(old)} WHERE s IN (SELECT s FROM fresh)"
            query = f"SELECT DISTINCT * FROM fresh ANTI JOIN ({known}) USING (s, p, o)"
        self._write(query, self._next(group))

    def unite(self, group: str) -> None:
        """Keep each row of a group once."""
        if files := self._files(group):
            whole = files[0].with_suffix(".new")
            self._write(f"SELECT DISTINCT s, p, o FROM {_parquet(files)}", whole)
            for path in files:
                path.unlink()
            whole.rename(files[0])

    def counts(self, group: str) -> dict[str, int]:
        """How many rows each predicate has."""
        if not (files := self._files(group)):
            return {}
        return dict(self._db.execute(f"SELECT p, count(*) FROM {_parquet(files)} GROUP BY p").fetchall())

    def collect(self, asked: Asked) -> None:
        """Wait for the files of a group and keep their rows."""
        self._codes(asked)
        for future in asked.files:
            file = future.result()
            source = tsv(file, s="VARCHAR", n="INTEGER", o="VARCHAR")
            self.add(asked.group, f"SELECT s, p, o FROM {source} JOIN {_table(asked)} USING (n)")
            file.unlink()

    def parts(self, asked: Asked) -> Iterator[str]:
        """FROM clauses that give all rows, a few million at a time: ``s``, ``n`` (the number), ``o``."""
        self._codes(asked)
        for paths in _together(self._files(asked.group)):
            yield _clause(paths, asked)
        for future in asked.files:
            self.collect(Asked(asked.group, asked.codes, [future]))
            yield _clause(self._files(asked.group)[-1:], asked)

    def _codes(self, asked: Asked) -> None:
        if asked.group not in self._coded:
            self._coded.add(asked.group)
            self._db.execute(
                f"CREATE TEMP TABLE {_table(asked)} AS SELECT unnest($p) p, unnest($n)::INTEGER n",
                {"p": list(asked.codes), "n": list(asked.codes.values())},
            )

    def _files(self, group: str) -> list[Path]:
        return sorted(self._folder.glob(f"{group}.*.parquet"))

    def _next(self, group: str) -> Path:
        return self._folder / f"{group}.{len(self._files(group)):04d}.parquet"

    def _write(self, query: str, path: Path) -> None:
        options = "FORMAT parquet, COMPRESSION zstd, COMPRESSION_LEVEL 1"
        self._db.execute(f"COPY ({query}) TO {quote(str(path))} ({options})")


def _parquet(paths: Sequence[Path]) -> str:
    return f"read_parquet([{', '.join(quote(str(path)) for path in paths)}])"


def _table(asked: Asked) -> str:
    return f"code_{asked.group}"


def _together(paths: Sequence[Path]) -> Iterator[list[Path]]:
    """Files, some at a time: DuckDB gives parts of a file to its threads, and small ones have one part."""
    some, size = list[Path](), 0
    for path in paths:
        some.append(path)
        size += path.stat().st_size
        if size > _TOGETHER:
            yield some
            some, size = [], 0
    if some:
        yield some


def _clause(paths: Sequence[Path], asked: Asked) -> str:
    return f"(SELECT s, n, o FROM {_parquet(paths)} JOIN {_table(asked)} USING (p))"
