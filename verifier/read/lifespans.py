"""What brackets say after a name: "(Oslo, 10 December 1815 – 27 November 1852)", "(born 1928)", "(mother: Ann Roe)"."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from kgstore.verifier.claims import Claim, Mention
from kgstore.verifier.english.words import either
from kgstore.verifier.values import DateValue

BORN, DIED = "date of birth", "date of death"
BORN_AT, DIED_AT = "place of birth", "place of death"
DAY, YEAR = 11, 9
"""Precisions of Wikidata."""
GROWN = 10
"""Years after a birth from which a period may be a reign, an office or a marriage."""
LONG = 25
"""Years that few hold an office."""
_OPENS = re.compile(
    r"(?:,\s(?:\d+(?:st|nd|rd|th)\s[A-Z][\w ]{2,30}|[A-Z]{2,5}(?:,\s[A-Z]{2,5})*|[JS]r\.?))?\s*\("
)
"""The bracket behind a name, or behind a title that the name goes on with."""
_SIGN = re.compile(
    r"(?:\b(?P<born>born|b\.)|(?P<star>\*)|\b(?P<died>died|d\.)|(?P<cross>†))?:?(?:\s+(?:on|in))?\s*$", re.IGNORECASE
)
_SAYS_MORE = re.compile(
    r"\d|(?<![\w'’-])(?!(?:n[ée]e?|de|da|di|von|van|der|den|la|le|al|bin|ibn|of|the|in|near|now)\b)[a-z]{2,}\b"
)
"""In front of the first date: a reign, an office, a work. Other names, places and other scripts say nothing of it."""
_LONGEST = 200
"""Characters of brackets about a life."""
_BRACKET, _CLOSING = re.compile(r"\s*([(\[])\s*"), {"(": ")", "[": "]"}
_KEY = re.compile(r"[(\[,;–—-]\s*([^()\[\],;:\n–—]{3,40}):\s*$")
_ENDS = re.compile(rf"\s*(?:[,;()\[\]–—]|{either('lines.between')}\b)")
_INSIDE = r"(?:[^()\d–—-]|(?<=\w)-(?=\w))"
_DASH = re.compile(
    rf"(?:\s+in\s{_INSIDE}{{1,60}}?|,{_INSIDE}{{1,60}}?|\s[A-Z]{_INSIDE}{{1,60}}?)?\s*"
    rf"(?P<dash>(?:[–—-]|;)?\s*(?i:died|d\.|†|to):?\s*|[–—-])\s*(?:on\s+)?(?:{_INSIDE}{{2,60}},\s*)?$"
)
_AT = re.compile(r"[\s;]*(?:in\s+|,\s*(?:in\s+)?)?")
_WIDER = re.compile(r"(?:,\s*[A-Z][\w.'’ -]*)*[\s,;]*")
"""Before a place that stands beside a date, and behind it: what it lies in."""


def lifespans(
    text: str,
    mentions: Sequence[Mention],
    is_person: Callable[[Mention], bool],
    born: Callable[[Mention], int | None] = lambda name: None,
) -> Iterator[Claim]:
    """What such brackets claim of a person; the span of each claim is its date.

    What stands in front of the first date may be names in other scripts, or places.

    :param is_person: tells of a mention whether it names one; brackets after other names are left alone
    :param born: in which year somebody was: who is older by then held an office ("President Ann Smith (1990–1998)")
    """
    for i, name in enumerate(mentions):
        opening = _OPENS.match(text, name.end) if name.value is None else None
        if opening is None:
            continue
        start = opening.end()
        close = text.find(")", start, start + _LONGEST)
        inside = [one for one in mentions[i + 1 :] if start <= one.start < close]
        dates = [(one, one.value) for one in inside if isinstance(one.value, DateValue)]
        between = any(one.candidates and one.end <= start for one in mentions[i + 1 : i + 3])
        if dates and not between and is_person(name):
            named = [one for one in inside if one.candidates and not is_person(one)]
            if _is_term(text, name, start, dates, born(name)):
                continue
            yield from _life(text, name, (start, close), dates, named)


def _is_term(
    text: str, name: Mention, start: int, dates: Sequence[tuple[Mention, DateValue]], born: int | None
) -> bool:
    """Does a period that no word calls a life begin with somebody grown up? One of days must also be a short one."""
    first, value = dates[0]
    last = dates[1][1].year if len(dates) > 1 else value.last_year
    sign = _SIGN.search(text, start, first.start)
    if born is None or last is None or sign is not None and any(sign.groups()):
        return False
    if len(dates) == 1 and last == value.year:
        return False
    if name.text.isalpha() and abs(value.year - born) >= GROWN:
        return True  # another "John"
    return value.year - born >= GROWN and (value.precision < DAY or last - value.year < LONG)


def _life(
    text: str,
    name: Mention,
    inside: tuple[int, int],
    dates: Sequence[tuple[Mention, DateValue]],
    named: Sequence[Mention],
) -> Iterator[Claim]:
    """Birth and death. Behind other names and places only two days with a dash between them are a life.

    :param inside: where the brackets begin and end
    :param named: names in them, of no persons
    """
    start, close = inside
    first, value = dates[0]
    sign = _SIGN.search(text, start, first.start)
    if sign is None or _SAYS_MORE.search(text, start, sign.start()):
        return
    plain = not text[start : sign.start()].strip(" ;,:")
    said = sign["born"] or sign["star"], sign["died"] or sign["cross"]
    dash = _DASH.fullmatch(text, first.end, dates[1][0].start) if len(dates) > 1 and not said[1] else None
    if dash is not None:
        last, last_value = dates[1]
        if plain or value.precision == DAY == last_value.precision:
            yield _claim(text, name, first, BORN)
            yield _claim(text, name, last, DIED)
            born = (start, first.start), (first.end, dash.start("dash"))
            died = (dash.end("dash"), last.start), (last.end, close)
            for relation, parts in ((BORN_AT, born), (DIED_AT, died)):
                at = (one for one in named if any(_is_at(text, one, *part) for part in parts))
                yield from (_claim(text, name, one, relation) for one in at)
    elif plain and value.last_year is not None and value.precision == YEAR and value.last_year > value.year:
        yield _claim(text, name, replace(first, value=DateValue(value.year)), BORN)
        yield _claim(text, name, replace(first, value=DateValue(value.last_year)), DIED)
    elif any(said) or plain and value.precision == DAY:  # "(1969)" may be anything
        yield _claim(text, name, first, DIED if said[1] else BORN)


def _is_at(text: str, place: Mention, start: int, end: int) -> bool:
    """Is this all that stands beside a date, but for what it lies in?"""
    if not start <= place.start < place.end <= end:
        return False
    return bool(_AT.fullmatch(text, start, place.start) and _WIDER.fullmatch(text, place.end, end))


def keyed_brackets(text: str, mentions: Sequence[Mention], relation: Callable[[str], str | None]) -> Iterator[Claim]:
    """ "Ann Smith (place of birth: Oslo, mother: Ann Roe)": a claim a key and value.

    :param relation: the name of the relation that words are, None where they are none
    """
    for i, name in enumerate(mentions):
        opening = _BRACKET.match(text, name.end) if name.value is None else None
        close = text.find(_CLOSING[opening[1]], name.end, name.end + 2 * _LONGEST) if opening is not None else -1
        inside = [one for one in mentions[i + 1 :] if opening is not None and opening.end() <= one.start < close]
        for value in inside:
            key = _KEY.search(text, name.end, value.start)
            whole = _ENDS.match(text, value.end) is not None
            if whole and key is not None and (said := relation(key[1])) is not None:
                end = value.end + (value.end == close)
                yield Claim(name.start, end, text[name.start : end], name, said, value)


def _claim(text: str, name: Mention, date: Mention, relation: str) -> Claim:
    return Claim(date.start, date.end, text[date.start : date.end], name, relation, date)
