"""Rows of CSV and TSV files, each with its line number; whatever is no row is skipped and counted.

UTF-8, with or without byte order mark. The separator is the one that is most frequent in the header: comma,
semicolon, tab or bar. A quoted cell may hold line breaks, over at most 100 lines and 1 MB; where a quote is not
closed within that, only the line on which it opens is lost, and reading goes on at the next one.
"""

from __future__ import annotations

import csv
from collections import deque
from collections.abc import Iterator

from kgstore.errors import LoadError
from kgstore.loaders.protocol import Skipped
from kgstore.loaders.sources import Source

Row = tuple[int, list[str]]
_MOST_LINES, _MOST_BYTES = 100, 1 << 20


def rows(source: Source, separator: str | None = None, quotes: bool = True) -> Iterator[Row | Skipped]:
    """The header, then every row that has as many cells as it; cells are trimmed.

    :param separator: found in the header unless told
    :param quotes: a cell may be quoted; else a quote is a character like any other
    :raises LoadError: if the file is not UTF-8 at all, or holds no header
    """
    lines = _Lines(source)
    width = 0
    while (first := lines.next()) is not None:
        number, text = first
        reason, cells = "", list[str]()
        if text is None:
            reason = "row: not UTF-8"
        elif "\0" in text:
            reason = "row: NUL byte"
        elif not text.strip():
            reason = "row: empty"
        else:
            separator = separator or max(",;\t|", key=text.count)
            reason, cells = _cells(lines, text, separator, quotes)
        if not reason and not any(cells):
            reason = "row: empty"
        elif not reason and width and len(cells) != width:
            reason = "row: too few cells" if len(cells) < width else "row: too many cells"
        if reason:
            if width or reason != "row: empty":
                yield Skipped(number, reason, (text or "")[:80].strip())
            continue
        width = width or len(cells)
        yield number, cells
    if not width:
        raise LoadError(source.name, "it has no header line", "write the columns' names on the first line, in UTF-8")


def _cells(lines: _Lines, text: str, separator: str, quotes: bool) -> tuple[str, list[str]]:
    if not quotes or '"' not in text:
        return "", [cell.strip() for cell in text.split(separator)]
    taken: list[tuple[int, str | None]] = []
    whole = text
    while whole.count('"') % 2:
        more = lines.next()
        if more is not None:
            taken.append(more)
        if more is None or more[1] is None or len(taken) > _MOST_LINES or len(whole) > _MOST_BYTES:
            lines.back(taken)
            return "row: quote is not closed", []
        whole += "\n" + more[1]
    if len(whole) > csv.field_size_limit():  # of Python's csv module, 128 KB; lines have a limit of their own
        csv.field_size_limit(len(whole))
    try:
        found = list(csv.reader(whole.splitlines(keepends=True), delimiter=separator, strict=True))
        if len(found) != 1:
            raise csv.Error
    except csv.Error:
        lines.back(taken)
        return "row: quote in the wrong place", []
    if "\0" in whole:
        lines.back(taken)
        return "row: NUL byte", []
    return "", [cell.strip() for cell in found[0]]


class _Lines:
    """Lines of a source with their numbers; some can be given back. A line that is not UTF-8 has no text."""

    def __init__(self, source: Source) -> None:
        self._ready: deque[tuple[int, str | None]] = deque()
        self._more = self._read(source)

    def next(self) -> tuple[int, str | None] | None:
        return self._ready.popleft() if self._ready else next(self._more, None)

    def back(self, lines: list[tuple[int, str | None]]) -> None:
        self._ready.extendleft(reversed(lines))

    def _read(self, source: Source) -> Iterator[tuple[int, str | None]]:
        for number, data in source.blocks():
            if number == 1:
                if data.startswith((b"\xff\xfe", b"\xfe\xff")):
                    raise LoadError(source.name, "it is UTF-16", "save it as UTF-8")
                data = data.removeprefix(b"\xef\xbb\xbf")
            lines = data.split(b"\n")
            if not lines[-1] and data:
                lines.pop()
            for at, line in enumerate(lines, number):
                try:
                    yield at, line.removesuffix(b"\r").decode()
                except UnicodeDecodeError:
                    yield at, None
