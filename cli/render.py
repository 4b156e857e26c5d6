"""How results look on a terminal, and as JSON.

Data may hold anything, so none of it is read as markup and control characters never reach the terminal. Colour only
adds: every verdict also has a sign and a word.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO

import click
import orjson
from rich.console import Console
from rich.table import Table
from rich.text import Text

from kgstore.errors import InputError

WIDE = 10_000
"""Columns where nobody looks: lines in a file or a pipe are never wrapped."""
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
"""C0 and C1 controls but for tab and newline, and the marks that reverse the direction of text."""


@contextmanager
def sink(path: Path | None) -> Iterator[TextIO]:
    """Stdout, or a file in UTF-8 that appears when all is written: an old one stays if anything goes wrong before.

    :raises InputError: if the file cannot be written
    """
    if path is None:
        yield sys.stdout
        return
    special = path.exists() and not path.is_file()  # /dev/null, a named pipe
    partial = path if special else path.with_name(path.name + ".part")
    try:
        file = partial.open("w", encoding="utf-8")
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise InputError(f"cannot write {path}: {reason}", "name another file for --output") from None
    try:
        with file:
            yield file
        if not special:
            partial.replace(path)
    except BaseException:
        if not special:
            partial.unlink(missing_ok=True)
        raise


def console(stream: TextIO | None = None) -> Console:
    """A console on a stream, stdout unless told; colours follow the terminal, NO_COLOR and FORCE_COLOR."""
    found = Console(file=stream, highlight=False, markup=False, emoji=False)
    if not found.is_terminal or not (stream or sys.stdout).isatty():
        found.width = WIDE
    return found


def clean(text: str) -> str:
    """Text that a terminal shows and does not obey.

    >>> clean("a\\x1b[31mred")
    'a\ufffd[31mred'
    """
    return _CONTROL.sub("\ufffd", text)


def plain(value: Any, style: str = "") -> Text:
    """One cell or line of data; styles in it mean nothing."""
    return value if isinstance(value, Text) else Text(clean("" if value is None else str(value)), style=style)


def table(header: Sequence[str], rows: Iterable[Sequence[Any]], right: Sequence[str] = ()) -> Table:
    """Columns without lines; those named in ``right`` hold numbers."""
    shown = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    for name in header:
        shown.add_column(name, justify="right" if name in right else "left", overflow="fold")
    for row in rows:
        shown.add_row(*(plain(cell) for cell in row))
    return shown


def pairs(rows: Iterable[tuple[str, Any]]) -> Table:
    """Names on the left, what they are on the right; empty values are left out."""
    shown = Table.grid(padding=(0, 2, 0, 0))
    shown.add_column(style="bold", no_wrap=True)
    shown.add_column(overflow="fold")
    for name, value in rows:
        if value not in (None, "", (), []):
            shown.add_row(plain(name), plain(value))
    return shown


def count(number: int, one: str, many: str | None = None) -> str:
    """
    >>> count(1, "claim"), count(12_500, "entity", "entities")
    ('1 claim', '12,500 entities')
    """
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def size(octets: float) -> str:
    """
    >>> size(4_985_592), size(12)
    ('5.0 MB', '12 B')
    """
    for unit in ("B", "kB", "MB", "GB"):
        if octets < 1000 or unit == "GB":
            return f"{octets:.0f} B" if unit == "B" else f"{octets:.1f} {unit}"
        octets /= 1000
    raise AssertionError


def json_bytes(data: Any, indent: bool = True) -> bytes:
    """JSON in UTF-8; what JSON has no word for (an id, a path, a decimal) becomes a string."""
    options = orjson.OPT_NON_STR_KEYS | (orjson.OPT_INDENT_2 if indent else 0)
    return orjson.dumps(data, default=str, option=options)


def echo_json(data: Any, stream: TextIO | None = None, indent: bool = True) -> None:
    """One JSON document and a newline, on stdout unless told."""
    click.echo(json_bytes(data, indent), file=stream)


def note(message: str) -> None:
    """A line for the person who waits, on stderr."""
    click.echo(clean(message), file=sys.stderr)
