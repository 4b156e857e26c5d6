"""How results look on a terminal, and as JSON.

Data may hold anything, so none of it is read as markup and control characters never reach the terminal. Colour only
adds: every verdict also has a sign and a word.
"""

from __future__ import annotations

import logging
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO

import click
import orjson
from rich.cells import cell_len, set_cell_size
from rich.console import Console
from rich.table import Table
from rich.text import Text

from kgstore.errors import InputError

_LOG = logging.getLogger("kgstore.cli")
WIDE = 10_000
"""Columns where nobody looks: lines in a file or a pipe are never wrapped."""
NARROW = 48
"""Widest column of a table there; longer values push the rest of their line to the right."""
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
    found = _Console(file=stream, highlight=False, markup=False, emoji=False)
    if not found.is_terminal or not (stream or sys.stdout).isatty():
        found.width = WIDE
    return found


class _Console(Console):
    def on_broken_pipe(self) -> None:
        """Leave it to the command line, which knows a better exit code than rich's own."""
        raise BrokenPipeError


def clean(text: str) -> str:
    """Text that a terminal shows and does not obey.

    >>> clean("a\\x1b[31mred")
    'a\ufffd[31mred'
    """
    return _CONTROL.sub("\ufffd", text)


def plain(value: Any, style: str = "") -> Text:
    """One cell or line of data; styles in it mean nothing."""
    return value if isinstance(value, Text) else Text(clean("" if value is None else str(value)), style=style)


def print_table(out: Console, header: Sequence[str], rows: Iterable[Sequence[Any]], right: Sequence[str] = ()) -> None:
    """Print columns; those named in ``right`` hold numbers. Off a terminal a long value does not widen its column."""
    cells = [[plain(cell) for cell in row] for row in rows]
    if out.width < WIDE:
        shown = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
        for name in header:
            shown.add_column(name, justify="right" if name in right else "left", overflow="fold")
        for row in cells:
            shown.add_row(*row)
        out.print(shown)
        return
    lines = [list(header), *([" ".join(cell.plain.split()) for cell in row] for row in cells)]
    widths = [min(NARROW, max(map(cell_len, column))) for column in zip(*lines, strict=True)]
    for line in lines:
        parts = [
            " " * max(0, width - cell_len(part)) + part
            if name in right
            else set_cell_size(part, max(width, cell_len(part)))
            for name, part, width in zip(header, line, widths, strict=True)
        ]
        out.print(Text("  ".join(parts).rstrip()))


def print_pairs(out: Console, rows: Iterable[tuple[str, Any]]) -> None:
    """Names on the left, what they are on the right; empty values are left out."""
    kept = [(name, value) for name, value in rows if value not in (None, "", (), [])]
    width = max((cell_len(name) for name, _ in kept), default=0)
    for name, value in kept:
        out.print(Text.assemble((f"{name:{width}}  ", "bold"), plain(value)))


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
    """A line for the person who waits, on stderr; --quiet keeps it back."""
    _LOG.info("%s", clean(message))


def warn(message: str) -> None:
    """A line that the person had better read, also with --quiet."""
    _LOG.warning("%s", clean(message))
