"""The one door to DuckDB: connections that stay within their memory and never look for anything on a network."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import duckdb
from duckdb import DuckDBPyConnection as Connection

from kgstore.errors import IndexMissing, StoreError
from kgstore.memory import share

__all__ = ["Connection", "connect", "lines", "quote", "read_column", "read_only", "tsv", "write_parquet"]

_OFFLINE: dict[str, Any] = {"autoinstall_known_extensions": False, "autoload_known_extensions": False}
_LONGEST_ROW = 32 << 20
_MEMORY, _PART, _LEAST = 700_000_000, 0.35, 120_000_000
"""Bytes for sorting and joining: usually, as a share of what the process is allowed, and at least."""


@contextmanager
def connect(path: Path, scratch: Path) -> Iterator[Connection]:
    """A new database for writing. What does not fit into its share of the memory goes to files in ``scratch``.

    :raises StoreError: if the disk or the memory is full
    """
    memory = share(_PART, _MEMORY, _LEAST)
    threads = min(os.cpu_count() or 1, 4, max(1, memory // (_MEMORY // 4)))  # each reads a buffer of its own
    config = {**_OFFLINE, "memory_limit": f"{memory}B", "temp_directory": str(scratch), "threads": threads}
    db = duckdb.connect(str(path), config=config)
    try:
        yield db
    except (duckdb.IOException, duckdb.OutOfMemoryException) as error:
        raise StoreError(f"{path} cannot be written ({error}): make room and run `kgstore index`") from None
    finally:
        db.close()


def read_only(path: Path) -> Connection:
    """A finished database, for any number of processes.

    :raises IndexMissing: if there is none, or none that can be read
    """
    try:
        return duckdb.connect(str(path), read_only=True, config={**_OFFLINE, "threads": 2})
    except duckdb.Error:
        raise IndexMissing(path.parent, path.name) from None


def quote(text: str) -> str:
    """A text as SQL writes it.

    >>> quote("rock 'n' roll")
    "'rock ''n'' roll'"
    """
    return "'" + text.replace("'", "''") + "'"


def tsv(path: Path, **columns: str) -> str:
    """The FROM clause that reads SPARQL results in TSV, terms as they are written there.

    A row longer than 32 MB is not read; DuckDB lists it in its table ``reject_errors``.
    """
    named = ", ".join(f"'{name}': '{kind}'" for name, kind in columns.items())
    return (
        f"read_csv({quote(str(path))}, delim='\\t', quote='', escape='', header=true, auto_detect=false, nullstr='', "
        f"columns={{{named}}}, max_line_size={_LONGEST_ROW}, ignore_errors=true, store_rejects=true)"
    )


def lines(path: Path) -> str:
    """The FROM clause that reads N-Triples: ``line``. Lines longer than 32 MB are missing.

    The delimiter is one that no line holds: within a text each quotation mark follows a backslash.
    """
    return (
        f"read_csv({quote(str(path))}, delim='\"\"\"', quote='', escape='', header=false, auto_detect=false, "
        f"nullstr='', new_line='\\n', columns={{'line': 'VARCHAR'}}, max_line_size={_LONGEST_ROW}, "
        f"buffer_size={_LONGEST_ROW}, ignore_errors=true)"  # each thread reads a buffer; the usual one holds 512 MB
    )


def write_parquet(path: Path, columns: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    """Rows of strings, numbers and None as a Parquet file; a column's type is that of its first value."""
    firsts = [next((row[at] for row in rows if row[at] is not None), "") for at in range(len(columns))]
    kinds = [{int: "BIGINT", float: "DOUBLE"}.get(type(first), "VARCHAR") for first in firsts]
    quoted = ['"' + name.replace('"', '""') + '"' for name in columns]
    named = ", ".join(f"{name} {kind}" for name, kind in zip(quoted, kinds, strict=True))
    with duckdb.connect(":memory:", config=_OFFLINE) as db:
        db.execute(f"CREATE TABLE rows ({named})")
        if rows:
            db.executemany(f"INSERT INTO rows VALUES ({', '.join('?' * len(columns))})", [list(row) for row in rows])
        db.execute(f"COPY rows TO {quote(str(path))} (FORMAT parquet, COMPRESSION zstd)")


def read_column(path: Path, column: str) -> list[str]:
    """One column of texts of a Parquet file, in the order of its rows."""
    named = '"' + column.replace('"', '""') + '"'
    with duckdb.connect(":memory:", config=_OFFLINE) as db:
        return [row[0] for row in db.execute(f"SELECT {named} FROM read_parquet({quote(str(path))})").fetchall()]
