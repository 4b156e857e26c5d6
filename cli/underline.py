"""A text with its errors underlined in place, as compilers show them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rich.cells import cell_len
from rich.text import Text

from kgstore.cli.render import clean

READABLE = 100
"""Columns of a line of text where nobody looks; a terminal that is narrower wraps earlier."""
Mark = tuple[int, int, str]


def errors(report: Mapping[str, Any]) -> list[Mark]:
    """Start, end and what would be right (else "") of everything that is contradicted, in the order of the text."""
    found = set()
    for claim in report["claims"]:
        if claim["label"] == "contradictory":
            edit = claim.get("correction")
            replaces = edit is not None and edit["end"] > edit["start"]
            wrong = edit if replaces else claim
            found.add((wrong["start"], wrong["end"], edit["text"] if replaces else ""))
    return sorted(found)


def underlined(text: Text, marks: Sequence[Mark], width: int) -> Iterator[Text]:
    """The lines of a text, wrapped at blanks; below each, ``^^^`` under its errors and what would be right.

    >>> for line in underlined(Text("Ada was born in Rome."), [(16, 20, "London")], 40):
    ...     print(line.plain)
    Ada was born in Rome.
                    ^^^^ London

    :param marks: by start
    :param width: columns of the screen
    """
    for start, end in wrapped(text.plain, width):
        yield text[start:end]
        rows: list[Text] = []
        for first, last, right in marks:
            begin, cut = max(first, start), min(last, end)
            if begin >= cut:
                continue
            column = cell_len(text.plain[start:begin])
            row = next((one for one in rows if cell_len(one.plain) < column or not one.plain), None)
            if row is None:
                rows.append(row := Text())
            row.append(" " * (column - cell_len(row.plain)))
            row.append("^" * max(1, cell_len(text.plain[begin:cut])), "bold red")
            if right and cut == last:
                row.append(f" {clean(right)}", "bold cyan")
        yield from rows


def wrapped(text: str, width: int) -> Iterator[tuple[int, int]]:
    """Start and end of each line on a screen of ``width`` columns; a word that is wider has a line of its own.

    >>> [("one two three"[a:b]) for a, b in wrapped("one two three", 8)]
    ['one two', 'three']
    """
    at = 0
    for line in text.split("\n"):
        start = at
        while cell_len(text[start : at + len(line)]) > width:
            room = _fitting(text[start : at + len(line)], width)
            blank = text.rfind(" ", start, start + room + 1)
            if blank <= start:
                blank = text.find(" ", start, at + len(line))
            if blank < 0:
                break
            yield start, blank
            start = blank + 1
        yield start, at + len(line)
        at += len(line) + 1


def _fitting(text: str, width: int) -> int:
    """How many characters fit into so many columns."""
    used = 0
    for number, character in enumerate(text):
        used += cell_len(character)
        if used > width:
            return number
    return len(text)
