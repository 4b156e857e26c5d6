"""Do the words of a sentence deny what the reader might read between two places, or leave it open?"""

from __future__ import annotations

import re

from kgstore.verifier.claims import Mention
from kgstore.verifier.english.words import either
from kgstore.verifier.read.lifespans import LONG

_DOUBT = re.compile(rf"\b{either('hedging.doubted')}\b|n['’]t\b", re.IGNORECASE)
_WONDER = re.compile(rf"\b{either('hedging.wondered')}\b", re.IGNORECASE)
_BOUND = re.compile(rf"\b{either('said.dated')}(?: of)?(?: the)?\s*$", re.IGNORECASE)
_REACHED = re.compile(rf"\b{either('said.reached')}(?: the)?\s*$", re.IGNORECASE)
_PERIOD = re.compile(rf"\b{either('said.periods')}\b(?:[^,;:]|,\d)*\bto\s*$", re.IGNORECASE)
"""Words before a date or an amount that make a bound of it, or the end of a period."""
_SPAN = re.compile(r"\([^()]*(?:[–—]|\s-\s|\bto\b|\d{4}-\d{4})[^()]*\)")
"""Two dates in brackets."""
_KEYED = re.compile(r"[,;(\[]\s*\"?[^\W\d_][^,;:()\[\]\"]{1,30}\"?\s*:\s")
"""A key before one of several values."""
_CLOSED = re.compile(r"[^()]*\)")
"""Behind what stands in brackets."""
_BEFORE = 40
"""Characters before the two places in which a word may deny what is said of them."""


def doubtful(text: str, head: Mention, tail: Mention, against: bool = True) -> bool:
    """Do the words before and between the two deny it or leave it open? The names' own ("Don't Look Now") do not."""
    if against and _KEYED.search(text, min(head.end, tail.end), max(head.start, tail.start)):
        return True  # "Ann Smith (mother: Mary Smith, born in: Oslo)": of whom what is said, the grammar reads
    if against and not tail.start <= head.start < tail.end and _is_aside(text, head, tail):
        return True  # "born in Pisa (Shakespeare was baptised later)"
    if tail.value is not None:
        before = text[max(0, tail.start - _BEFORE) : tail.start]
        if _BOUND.search(before) or against and (_PERIOD.search(before) or _REACHED.search(before)):
            return True  # "founded before 1931"; "published from 1931 to 1938" has a beginning and an end
        if against and (_is_term(text, tail) or _is_anothers(text, head, tail)):
            return True  # "President Ann Smith (14 May 1931 – 3 May 1935)"; "Ann Smith knew Bob Roe (born 1935)"
    return _says(_DOUBT, text, head, tail) or against and wonders(text, head, tail)


def wonders(text: str, head: Mention, tail: Mention) -> bool:
    """Does a word before or between the two leave it open: "may", "would", "if"?"""
    return _says(_WONDER, text, head, tail)


def _says(words: re.Pattern[str], text: str, head: Mention, tail: Mention) -> bool:
    """Do such words stand before or between the two, and not in their names?"""
    start, end = min(head.start, tail.start), max(head.end, tail.end)
    first = start if head.is_implied or tail.is_implied else max(0, start - _BEFORE)
    found = words.finditer(text, first, end)
    return any(not any(one.start <= word.start() < one.end for one in (head, tail)) for word in found)


def _is_aside(text: str, head: Mention, tail: Mention) -> bool:
    """Does the head stand in brackets, and the tail outside, or the tail in brackets that close before the head: "Ann
    (born in Oslo) and Eva"?"""
    between = text[min(head.end, tail.end) : max(head.start, tail.start)]
    if _CLOSED.match(between):
        return True
    return tail.start < head.start and between.rfind("(") > between.rfind(")")


def _is_anothers(text: str, head: Mention, tail: Mention) -> bool:
    """Does a date stand in brackets behind something else than the head?"""
    opens = text.rfind("(", head.end, tail.start)
    return opens >= 0 and ")" not in text[opens : tail.start] and re.search(r"\w", text[head.end : opens]) is not None


def _is_term(text: str, tail: Mention) -> bool:
    """Does a date stand in brackets as one end of a period that is short for a life?"""
    for span in _SPAN.finditer(text, max(0, tail.start - 2 * _BEFORE), tail.end + 2 * _BEFORE):
        if span.start() < tail.start < span.end():
            years = [int(year) for year in re.findall(r"\b\d{4}\b", span[0])]
            return len(years) > 1 and years[-1] - years[0] < LONG
    return False
