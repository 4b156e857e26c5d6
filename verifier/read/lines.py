"""Lines of an infobox, a list or a table: "Born: 5 May 1931", "| Capital | Oslo |", "- Country of A: B".

No grammar is needed: what stands before the colon names a relation, what stands behind are its values.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from kgstore.verifier.claims import Mention
from kgstore.verifier.english.words import either, words
from kgstore.verifier.llm.windows import sentences
from kgstore.verifier.read.draft import Is
from kgstore.verifier.read.paragraphs import paragraphs

_LINE = re.compile(
    r"""\s* (?:[-*•–—+]\s+|\d+[.)]\s+)? (?:\*\*|__)?
    (?P<key>[^:|\n]{2,80}?) (?:\*\*|__)? \s* [:|] (?:\*\*|__)? \s+ (?P<value>[^\n]+?) [\s.|]* $""",
    re.VERBOSE,
)
_ROW = re.compile(r"\s*\|\s*(?:\*\*)?(?P<key>[^|\n]{2,80}?)(?:\*\*)?\s*\|\s*(?P<value>[^|\n]+?)\s*\|?\s*$")
_RULED = re.compile(r"[ \t]*\|?[ \t]*:?-{3,}:?[ \t]*(?:\|[ \t]*:?-{3,}:?[ \t]*)*\|?")
_CELL = re.compile(r"[^|\n]+")
_TOLD = re.compile(
    rf"(?P<opens>\s*:|\s*[;,])\s*(?P<words>[a-z]+(?: [a-z]+){{0,2}}?)(?: {either('prepositions.at')})?\s*"
)
"""Between a name and its first value: ": born", and again between values: "; died in"."""
_NEXT = re.compile(r"\s*(?:,|,? in| on| at|,? and)\s*")
_CLAUSE = re.compile(rf"\b{either('lines.clauses')}\b")
"""What follows says more of a value: "Santiago, although Congress meets in Valparaíso"."""
_MARK = re.compile(r"(?<=\w)[\s*_\"]*[:|]")
_APART = re.compile(r"[\s*_\"]*[:|(\[,–—-]")
_FURTHER = re.compile(
    r"""(?:[.;,(|–—-]\s*(?P<key>"?[^\W\d_][^:|.;,()\n]{1,40}?)|\s(?P<bare>[A-Z][\w'’]*(?: [a-z]+){0,3}))\s*:(?=\s)"""
)
"""A key behind a value."""
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


def keyed_lines(text: str, mentions: Sequence[Mention], is_noun: Is) -> Iterator[Line]:
    """The lines of ``text`` whose first part is the name of a relation; others are left to grammar.

    A table's head and the line below it come without values: they say nothing.
    """
    columns: list[str | None] = []
    sort = ""
    for (start, end), (below, last) in pairwise([*paragraphs(text), (0, 0)]):
        inside = [one for one in mentions if start <= one.start and one.end <= end]
        if "|" not in text[start:end]:
            columns = []
        elif _is_rule(text, start, end) or _is_rule(text, below, last):
            if not columns and (cells := _cells(text, start, end)):
                columns = [relation_of(text[slice(*cell)], is_noun) for cell in cells]
                sort = text[slice(*cells[0])].strip(" *_").lower()
            yield Line(start, end, None, "", ())
            continue
        elif row := list(_row(text, start, end, inside, columns, is_noun)):
            yield from (replace(one, sort=sort) for one in row)
            continue
        if told := _told(text, start, end, inside, is_noun):
            yield from told
            continue
        for first, last in sentences(text[start:end]):
            yield from _keyed_pieces(text, start + first, start + last, inside, is_noun)


def _keyed_pieces(text: str, start: int, end: int, inside: list[Mention], is_noun: Is) -> Iterator[Line]:
    """The lines on a line, each further key beginning one: "Ann Smith: Born: 5 May 1931; Died: 1999". They are about
    whom it begins with."""
    mark = _MARK.search(text, start, end)
    if mark is None:
        return
    topic = next((one for one in inside if one.value is None and _leads(text, start, one)), None)
    if topic is not None and relation_of(topic.text, is_noun) is not None:  # "Capital: Oslo"
        topic = None
    named = topic is not None and not text[topic.end : mark.start()].strip(' *_|"')
    begins = mark.end() if named else start
    further = _FURTHER.finditer(text, topic.end if topic is not None else mark.end() - 1, end)
    keys = (found.start("key") if found["key"] else found.start("bare") for found in further)
    for first, last in pairwise([begins, *keys, end]):
        line = None if _aside(text, start, first) else _keyed(text, first, last, inside, is_noun)
        if line is None and topic is None and first == begins:
            return  # "A B: Born: 1931", of somebody whom nobody knows
        if line is not None:
            topic = line.head or topic
            yield replace(line, head=topic)


def _leads(text: str, start: int, name: Mention) -> bool:
    """Does a line begin with a name that is set apart: "Oslo: ...", "Oslo (Norway), ..."?"""
    led = name.start >= start and not re.search(r"\w", text[start : name.start])
    return led and _APART.match(text, name.end) is not None


def _keyed(text: str, start: int, end: int, inside: list[Mention], is_noun: Is) -> Line | None:
    """What a line says whose key names a relation."""
    match = _ROW.match(text, start, end) or _LINE.match(text, start, end)
    if match is None or _aside(text, match.start("key"), match.end("key")):
        return None  # "Ann Smith (born: 1931) was a painter"
    key = [one for one in inside if start <= one.start and one.end <= match.end("key") and one.value is None]
    key = [one for one in key if relation_of(one.text, is_noun) is None]  # "Capital", with its capital
    head = key[0] if len(key) == 1 else None
    words = text[match.start("key") : match.end("key")]
    if head is not None:
        words = text[match.start("key") : head.start] + " " + text[head.end : match.end("key")]
    relation = relation_of(words, is_noun) or next(iter(NAMING & {words.strip(' *_"').lower()}), None)
    if relation is None or len(key) > 1:
        return None
    behind = (one for one in inside if match.start("value") <= one.start < end)
    clause = _CLAUSE.search(text, *match.span("value"))
    behind = (one for one in behind if clause is None or one.start < clause.start())
    values = tuple(_together(text, [one for one in behind if not _aside(text, match.start("value"), one.start)]))
    values = tuple(_whole(text, one, inside, *match.span("value")) for one in values)
    if not values:
        values = tuple(_plain(text, *match.span("value")))
    word = re.search(r"\w", text[start:end])
    begin = start + (word.start() if word else 0)
    return Line(begin, max(match.end("value"), *(one.end for one in values)), head, relation, values)


def _whole(text: str, value: Mention, inside: list[Mention], start: int, end: int) -> Mention:
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


def _is_rule(text: str, start: int, end: int) -> bool:
    """The line below a table's head."""
    return _RULED.fullmatch(text[start:end].rstrip()) is not None


def _cells(text: str, start: int, end: int) -> list[tuple[int, int]]:
    return [cell.span() for cell in _CELL.finditer(text, start, end) if cell[0].strip()]


def _row(
    text: str, start: int, end: int, inside: list[Mention], columns: list[str | None], is_noun: Is
) -> Iterator[Line]:
    """ "| Germany | Berlin |" below "| Country | Capital |": a relation a column, about what the first cell names."""
    cells = _cells(text, start, end)
    if len(cells) != len(columns) or len(cells) < 2 or relation_of(text[slice(*cells[0])], is_noun) is not None:
        return
    said = [[one for one in inside if first <= one.start and one.end <= last] for first, last in cells]
    if len(said[0]) != 1 or said[0][0].value is not None or said[0][0].text != text[slice(*cells[0])].strip():
        return
    for relation, values in zip(columns[1:], said[1:], strict=True):
        if relation is not None and values:
            yield Line(said[0][0].start, values[-1].end, said[0][0], relation, tuple(values))


def _aside(text: str, start: int, at: int) -> bool:
    """Does "(age 67)", "(m. 1988)" say something of a value, and not another one?"""
    return any(text.count(opens, start, at) > text.count(closes, start, at) for opens, closes in ("()", "[]"))


def _told(text: str, start: int, end: int, inside: list[Mention], is_noun: Is) -> list[Line]:
    """ "Ann Smith: born 1951, Oslo; died 2001": a line a relation; none unless nothing else is said."""
    if not inside or inside[0].value is not None or re.search(r"\w", text[start : inside[0].start]):
        return []
    if re.search(r"\w", text[inside[-1].end : end]):
        return []
    found: list[Line] = []
    for before, value in zip(inside, inside[1:], strict=False):
        leading = _TOLD.fullmatch(text, before.end, value.start)
        if leading is not None and (leading["opens"].strip() == ":") == (not found):
            relation = relation_of(leading["words"], is_noun)
            if relation is None:
                return []
            begin = inside[0].start if not found else leading.start("words")
            found.append(Line(begin, value.end, inside[0], relation, (value,)))
        elif found and _NEXT.fullmatch(text, before.end, value.start):
            found[-1] = replace(found[-1], end=value.end, values=(*found[-1].values, value))
        else:
            return []
    return found


def relation_of(words: str, is_noun: Is) -> str | None:
    """The name of a relation that a key is, as the KG has it: "Born" is "born in"; None where it is none."""
    found = [word.lower() for word in _WORD.findall(words)]
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


def _plain(text: str, start: int, end: int) -> Iterator[Mention]:
    for part in _PART.finditer(text, start, end):
        words = part.group().strip().strip("\"'()[]{}")
        at = text.index(words, part.start()) if words else start
        if words and words != "and":
            yield Mention(at, at + len(words), words)
