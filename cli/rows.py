"""Rows as other programs want them: CSV, TSV, JSON lines, Markdown, and Parquet and Arrow for data frames."""

from __future__ import annotations

import csv
import io
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from kgstore.cli.options import Decorator, format_option
from kgstore.cli.render import json_bytes
from kgstore.errors import InputError

Rows = Sequence[Sequence[Any]]


def rows_option(*more: str) -> Decorator:
    """``--format`` of a command that prints rows."""
    return format_option(*more, *FORMATS)


def print_rows(fmt: str, columns: Sequence[str], rows: Rows) -> bool:
    """Print rows in one of these formats, False where ``fmt`` is none of them.

    :param rows: of strings, numbers and None, all as wide as ``columns``
    :raises InputError: if Parquet or Arrow would go to a terminal
    """
    if (found := FORMATS.get(fmt)) is None:
        return False
    if found.binary and sys.stdout.isatty():
        raise InputError(f"{fmt} is not for a terminal", f"send it to a file: > rows.{fmt}")
    click.echo(found.write(columns, rows), nl=False)
    return True


def as_csv(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """RFC 4180."""
    target = io.StringIO()
    csv.writer(target).writerows([columns, *rows])
    return target.getvalue()


def _tsv(columns: Sequence[str], rows: Rows) -> str:
    """No quotes: what would break a line or a column becomes a blank."""
    lines = [columns, *([" ".join(_text(cell).split()) for cell in row] for row in rows)]
    return "".join("\t".join(line) + "\n" for line in lines)


def _jsonl(columns: Sequence[str], rows: Rows) -> bytes:
    return b"".join(json_bytes(dict(zip(columns, row, strict=True)), indent=False) + b"\n" for row in rows)


def _markdown(columns: Sequence[str], rows: Rows) -> str:
    """
    >>> print(_markdown(["id", "name"], [["Q1", "a|b"]]), end="")
    | id | name |
    | --- | --- |
    | Q1 | a\\|b |
    """
    lines = [columns, ["---"] * len(columns), *rows]
    return "".join("| " + " | ".join(_cell(one) for one in line) + " |\n" for line in lines)


def _cell(value: Any) -> str:
    return " ".join(_text(value).split()).replace("\\", "\\\\").replace("|", "\\|").replace("<", "&lt;")


def _text(value: Any) -> str:
    return "" if value is None else str(value)


def _parquet(columns: Sequence[str], rows: Rows) -> bytes:
    import tempfile

    from kgstore.duck import write_parquet

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "rows.parquet")
        write_parquet(file, columns, rows)
        return file.read_bytes()


def _arrow(columns: Sequence[str], rows: Rows) -> bytes:
    """An Arrow IPC file."""
    import pyarrow
    from pyarrow import feather

    values = list(zip(*rows, strict=True)) or [()] * len(columns)
    table = pyarrow.table(dict(zip(columns, map(list, values), strict=True)))
    target = io.BytesIO()
    feather.write_feather(table, target, compression="uncompressed")
    return target.getvalue()


@dataclass(frozen=True, slots=True)
class RowFormat:
    """
    :param write: columns and rows to what is printed
    :param binary: not for a terminal
    """

    write: Callable[[Sequence[str], Rows], str | bytes]
    binary: bool = False


FORMATS = {
    "csv": RowFormat(as_csv),
    "tsv": RowFormat(_tsv),
    "jsonl": RowFormat(_jsonl),
    "markdown": RowFormat(_markdown),
    "parquet": RowFormat(_parquet, binary=True),
    "arrow": RowFormat(_arrow, binary=True),
}
"""A format of rows is a function, and one line here."""
