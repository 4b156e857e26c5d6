"""Tables: a cell says something of what its row names, or of what its column names."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from kgstore.verifier.claims import Mention
from kgstore.verifier.read.draft import Is
from kgstore.verifier.read.keys import NAMING, Line, relation_of, values_of

_RULED = re.compile(r"[ \t]*\|?[ \t]*:?-{3,}:?[ \t]*\|?|[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)+\|?")
_EDGE = re.compile(r"\s*\|?")
_CELL = re.compile(r"[\s*_]*([^|]*?)[\s*_]*(?:\||$)")
_ENDS = re.compile(r"[.!?](?:\s|$)")

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Head:
    """What the first line of a table tells of the others.

    :param columns: the relation that each column names, None where it names none
    :param subjects: column -> what is named above it, so that rows begin with relations: "| | Norway | Sweden |"
    :param sort: what it calls those whom its rows are about ("lake"), in lower case
    :param is_unknown: all of it is about something whose name the KG lacks
    :param is_plain: its rows are about what the text is about: "| Attribute | Value |"
    :param is_row: it says something itself: "| Country | Norway |"
    """

    columns: tuple[str | None, ...]
    subjects: dict[int, Mention]
    sort: str
    is_unknown: bool
    is_plain: bool
    is_row: bool


def is_rule(text: str, start: int, end: int) -> bool:
    """The line below a table's head."""
    return _RULED.fullmatch(text[start:end].rstrip()) is not None


def cells_of(text: str, start: int, end: int) -> list[Span]:
    """The cells of a row, without blanks and marks around their words; of an empty one, where it is.

    >>> row = "| | **Norway** | Sweden | |"
    >>> [row[first:last] for first, last in cells_of(row, 0, len(row))]
    ['', 'Norway', 'Sweden', '']
    """
    stop = start + len(text[start:end].rstrip())
    stop -= text.endswith("|", start, stop)
    begin = _EDGE.match(text, start, end).end()  # type: ignore[union-attr]
    return [cell.span(1) for cell in _CELL.finditer(text, begin, stop) if cell.end() > cell.start()]


def head_of(text: str, start: int, end: int, inside: Sequence[Mention], is_noun: Is) -> Head:
    """:param inside: what the line names"""
    cells = cells_of(text, start, end)
    columns = tuple(relation_of(text[slice(*cell)], is_noun) for cell in cells)
    names = {at: name for at, cell in enumerate(cells) if columns[at] is None and (name := _named(cell, inside))}
    first, two = text[slice(*cells[0])].lower() if cells else "", len(cells) == 2
    alone = two and not text[slice(*cells[1])]  # "| Norway | |"
    subjects = {1: names[0]} if alone and 0 in names else {at: name for at, name in names.items() if at}
    is_unknown = two and not subjects and (alone and bool(first) or first in NAMING and columns[1] is None)
    is_plain = two and columns[1] is None and not is_unknown and not subjects
    is_row = two and columns[0] is not None and columns[1] is None and first not in NAMING and not alone
    return Head(columns, {} if is_row else subjects, first, is_unknown, is_plain or is_row, is_row)


def row_of(text: str, start: int, end: int, inside: Sequence[Mention], head: Head, is_noun: Is) -> Iterator[Line]:
    """What a row says below such a head; nothing where it does not fit the head.

    :param inside: what the line names
    """
    cells = cells_of(text, start, end)
    if len(cells) != len(head.columns) or len(cells) < 2:
        return
    said = text[slice(*cells[0])]
    key, name = relation_of(said, is_noun), _named(cells[0], inside)
    if head.is_plain and said.lower() in NAMING:
        key = said.lower()
    if head.is_unknown or key is None and name is None and (head.subjects or head.is_plain) and _is_note(text, cells):
        yield Line(start, end, None, "", ())  # nothing that the KG has a name for, and nothing that goes on
    elif key is not None:
        about: Mapping[int, Mention | None] = {1: None} if head.is_plain else head.subjects
        for at, subject in about.items():
            first, last = cells[at]
            if re.search(r"\w", text[first:last]) and (values := values_of(text, first, last, inside)):
                yield Line(cells[0][0] if at == 1 else first, last, subject, key, values)
    elif name is not None:
        for relation, (first, last) in zip(head.columns[1:], cells[1:], strict=True):
            values = tuple(one for one in inside if first <= one.start and one.end <= last)
            if relation is not None and values:
                yield Line(name.start, values[-1].end, name, relation, values, head.sort)


def _named(cell: Span, inside: Sequence[Mention]) -> Mention | None:
    """The name that is all of a cell, of something that the KG knows."""
    return next((one for one in inside if (one.start, one.end) == cell and one.candidates), None)


def _is_note(text: str, cells: Sequence[Span]) -> bool:
    """Is the first cell a word for the others, which are no sentences? "| 1905 | He married. |" is none."""
    first, *others = (text[slice(*cell)] for cell in cells)
    return not any(sign.isdigit() for sign in first) and not any(_ENDS.search(other) for other in others)
