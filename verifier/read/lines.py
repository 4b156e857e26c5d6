"""Lines of an infobox, a list or a table: "Born: 5 May 1931", "| Capital | Oslo |", "- Country of A: B".

No grammar is needed: what stands before the colon names a relation, what stands behind are its values.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from kgstore.verifier.claims import Mention
from kgstore.verifier.english.words import either
from kgstore.verifier.llm.windows import sentences
from kgstore.verifier.read.draft import Is
from kgstore.verifier.read.keys import NAMING, Line, is_aside, relation_of, values_of
from kgstore.verifier.read.paragraphs import paragraphs
from kgstore.verifier.read.tables import Head, head_of, is_rule, row_of

_LINE = re.compile(
    r"""\s* (?:[-*•–—+]\s+|\d+[.)]\s+)? (?:\*\*|__)?
    (?P<key>[^:|\n]{2,80}?) (?:\*\*|__)? \s* [:|] (?:\*\*|__)? \s+ (?P<value>[^\n]+?) [\s.|]* $""",
    re.VERBOSE,
)
_ROW = re.compile(r"\s*\|\s*(?:\*\*)?(?P<key>[^|\n]{2,80}?)(?:\*\*)?\s*\|\s*(?P<value>[^|\n]+?)\s*\|?\s*$")
_TOLD = re.compile(
    rf"(?P<opens>\s*:|\s*[;,])\s*(?P<words>[a-z]+(?: [a-z]+){{0,2}}?)(?: {either('prepositions.at')})?\s*"
)
"""Between a name and its first value: ": born", and again between values: "; died in"."""
_NEXT = re.compile(r"\s*(?:,|,? in| on| at|,? and)\s*")
_MARK = re.compile(r"(?<=\w)[\s*_\"]*[:|]")
_APART = re.compile(r"[\s*_\"]*[:|(\[,–—-]")
_FURTHER = re.compile(
    r"""(?:[.;,(|–—-]\s*(?P<key>"?[^\W\d_][^:|.;,()\n]{1,40}?)|\s(?P<bare>[A-Z][\w'’]*(?: [a-z]+){0,3}))\s*:(?=\s)"""
)
"""A key behind a value."""


def keyed_lines(text: str, mentions: Sequence[Mention], is_noun: Is) -> Iterator[Line]:
    """The lines of ``text`` whose first part is the name of a relation; others are left to grammar.

    A table's head and the line below it come without values: they say nothing.
    """
    head: Head | None = None
    for (start, end), (below, last) in pairwise([*paragraphs(text), (0, 0)]):
        inside = [one for one in mentions if start <= one.start and one.end <= end]
        if "|" not in text[start:end]:
            head = None
        elif is_rule(text, start, end) or is_rule(text, below, last):
            begins, head = head is None, head or head_of(text, start, end, inside, is_noun)
            if not (begins and head.is_row):
                yield Line(start, end, None, "", ())
                continue
        elif head is not None and (row := list(row_of(text, start, end, inside, head, is_noun))):
            yield from row
            continue
        if _MARK.search(text, below, last) and (title := _title(text, start, end, inside)):
            yield Line(start, end, None, next(iter(NAMING)), (title,))
            continue
        if told := _told(text, start, end, inside, is_noun):
            yield from told
            continue
        pieces = [(start + first, start + last) for first, last in sentences(text[start:end])]
        if len(pieces) > 1 and (title := _title(text, *pieces[0], inside)):
            yield Line(*pieces.pop(0), None, next(iter(NAMING)), (title,))
        for piece in pieces:
            yield from _keyed_pieces(text, *piece, inside, is_noun)


def _title(text: str, start: int, end: int, inside: Sequence[Mention]) -> Mention | None:
    """The name without a capital that is all of a line, or of a sentence: "propranolol" above its facts."""
    said = text[start:end].strip(" \n*_#.")
    return next((one for one in inside if one.proper and one.text == said.lower()), None)


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
        line = None if is_aside(text, start, first) else _keyed(text, first, last, inside, is_noun)
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
    if match is None or is_aside(text, match.start("key"), match.end("key")):
        return None  # "Ann Smith (born: 1931) was a painter"
    key = [one for one in inside if start <= one.start and one.end <= match.end("key") and one.value is None]
    key = [one for one in key if relation_of(one.text, is_noun) is None]  # "Capital", with its capital
    head = key[0] if len(key) == 1 else None
    words = text[match.start("key") : match.end("key")]
    if head is not None:
        words = text[match.start("key") : head.start] + " " + text[head.end : match.end("key")]
    relation = relation_of(words, is_noun, head is None) or next(iter(NAMING & {words.strip(' *_"').lower()}), None)
    if relation is None or len(key) > 1:
        return None
    if not (values := values_of(text, *match.span("value"), inside)):
        return None
    word = re.search(r"\w", text[start:end])
    begin = start + (word.start() if word else 0)
    return Line(begin, max(match.end("value"), *(one.end for one in values)), head, relation, values)


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
