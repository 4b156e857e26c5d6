"""What the key of a line names, and the values that stand behind it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from kgstore.verifier.claims import Mention
from kgstore.verifier.english.words import either, words
from kgstore.verifier.read.draft import Is

_CLAUSE = re.compile(rf"\b{either('lines.clauses')}\b")
"""What follows says more of a value: "Santiago, although Congress meets in Valparaíso"."""
_LIST = re.compile(rf"(?:\s|[,;/&–—-]|\b{either('lines.between')}\b|\([^()\n]*\))*")
"""What may stand between two values; other words end them: "Ulm, later moved to Munich"."""
NAMING = words("lines.naming")
"""Keys of whom the next lines are about."""
_EMPTY = words("lines.empty")
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_PART = re.compile(r"[^,;]+?(?=\s*(?:[,;]|\band\b|$))")


@dataclass(frozen=True, slots=True)
class Line:
    """A line that names a relation and its values.

    :param head: whom it is about, where the line itself says so
    :param values: mentions, or spans of plain words
    :param sort: what a table's head calls whom its rows are about ("lake"), in lower case
    """

    start: int
    end: int
    head: Mention | None
    relation: str
    values: tuple[Mention, ...]
    sort: str = ""


def relation_of(words: str, is_noun: Is, whole: bool = True) -> str | None:
    """The name of a relation that a key is, as the KG has it: "Born" is "born in"; None where it is none.

    :param whole: "member of" is a name of its own, and not what is left of "capital of Norway"
    """
    found = [word.lower() for word in _WORD.findall(words)]
    if whole and len(found) > 1 and is_noun(phrase := " ".join(found)):
        return phrase
    while found and found[-1] in _EMPTY:
        found.pop()
    while found and found[0] in _EMPTY:
        found.pop(0)
    found = [word for word in found if word != "s"]
    if not found or len(found) > 5:
        return None
    phrase = " ".join(found)
    for form in (phrase, f"was {phrase}", f"is {phrase}", f"{phrase} in", f"was {phrase} in", f"was {phrase} by"):
        if is_noun(form):
            return form
    return None


def values_of(text: str, start: int, end: int, inside: Sequence[Mention]) -> tuple[Mention, ...]:
    """The names, dates and amounts that a stretch lists, or its words; what begins to say something else ends them.

    :param inside: what the line names
    """
    behind = (one for one in inside if start <= one.start < end)
    clause = _CLAUSE.search(text, start, end)
    behind = (one for one in behind if clause is None or one.start < clause.start())
    values = _together(text, [one for one in behind if not is_aside(text, start, one.start)])
    return tuple(_whole(text, one, inside, start, end) for one in values) or tuple(_plain(text, start, end))


def is_aside(text: str, start: int, at: int) -> bool:
    """Does "(age 67)", "(m. 1988)" say something of a value, and not another one?"""
    return any(text.count(opens, start, at) > text.count(closes, start, at) for opens, closes in ("()", "[]"))


def _whole(text: str, value: Mention, inside: Sequence[Mention], start: int, end: int) -> Mention:
    """A name with all of its item, where nothing else is named in it: "CH/1" for "CH"."""
    item = next((part for part in _PART.finditer(text, start, end) if part.start() <= value.start < part.end()), None)
    if value.value is not None or item is None or item.end() < value.end:
        return value
    others = [one for one in inside if one is not value and item.start() < one.end and one.start < item.end()]
    words = item[0].strip(" \"'[]{}")
    if "(" in words or any(one.value is not None or _LIST.fullmatch(text, value.end, one.start) for one in others):
        return value
    at = text.index(words, item.start())
    return Mention(at, at + len(words), words, () if others else value.candidates)


def _together(text: str, values: Sequence[Mention]) -> Iterator[Mention]:
    """The first values, up to where something else is said."""
    for before, one in zip([None, *values], values, strict=False):
        if before is not None and not _LIST.fullmatch(text, before.end, one.start):
            return
        yield one


def _plain(text: str, start: int, end: int) -> Iterator[Mention]:
    for part in _PART.finditer(text, start, end):
        words = part.group().strip().strip("\"'()[]{}")
        at = text.index(words, part.start()) if words else start
        if words and words != "and":
            yield Mention(at, at + len(words), words)
