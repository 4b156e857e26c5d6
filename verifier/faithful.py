"""Does what a language model wrote stay within what it was given? Names and numbers are checked, nothing else is."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from decimal import Decimal, InvalidOperation

from verifier.number_words import find_number_words

_NUMBER = re.compile(r"\d+(?:[.,'’ ]\d{3})*(?:[.,]\d+)?")
_WORD = re.compile(r"[^\W\d_]+(?:[-.’'&][^\W\d_]+)*\.?")
_OPENS = re.compile(r"(?:^|[.!?…:;]['\"”’)\]]*\s|\n|[\"“(\[])\s*(?:[-*•]\s*)?$")
_OPENERS = frozenset(
    """a about according actually additionally after all also although among an and another apart as at although because
    before being besides beyond both but by claim claims contrary despite did does due during each either even every
    fact facts first finally for from furthermore given had has have he hence her here his how however if in indeed
    initially instead into is it its kg kgs knowledge known last later like many meanwhile moreover most neither no none
    nor not notably nothing now of on one only or other others over overall rather she since so some sometimes
    statement statements still such text than that the their then there therefore these they this those though through
    thus to today together triple triples triplet triplets two under unlike until upon was were what when where whereas
    whether which while who whose why with within without yes yet""".split()
)
"""Words that open a sentence and name nothing."""


def strange(text: str, sources: Iterable[str]) -> list[str]:
    """The names and numbers of a text that no source has, in reading order.

    >>> strange("Ada, born in Rome in 1815, met Bob.", ["Ada was born in 1815.", "bob"])
    ['Rome']
    >>> strange("The two were born in 1,815.", ["2 people", "1815"])
    []

    A name is a word with a capital, at the start of a sentence one that is no common opener ("However"). Case, accents
    and the possessive do not count, nor how a number is written.
    """
    known = list(sources)
    words = {word for source in known for word in _words(source)}
    numbers = {number for source in known for *_, number in _numbers(source)}
    counted = _numbers(text)
    found = [(at, shown) for at, shown, number in counted if number not in numbers]
    inside = {place for at, shown, _ in counted for place in range(at, at + len(shown))}
    for match in _WORD.finditer(text):
        word = match[0].rstrip(".")
        if word == word.lower() or _parts(word) <= words or match.start() in inside:
            continue
        if word[1:] == word[1:].lower() and word.lower() in _OPENERS and _OPENS.search(text, 0, match.start()):
            continue
        found.append((match.start(), word))
    return [shown for _, shown in sorted(found)]


def lost(text: str, source: str) -> list[str]:
    """The names and numbers of the source that a text made of it no longer has."""
    return strange(source, [text])


def _words(text: str) -> set[str]:
    return {part for match in _WORD.finditer(text) for part in _parts(match[0])}


def _parts(word: str) -> set[str]:
    plain = "".join(one for one in unicodedata.normalize("NFKD", word) if not unicodedata.combining(one)).casefold()
    plain = re.sub(r"['’]s?$", "", plain.rstrip("."))
    return {part for part in re.split(r"[-’'&.]", plain) if part}


def _numbers(text: str) -> list[tuple[int, str, Decimal]]:
    found = [(match.start(), match[0], _decimal(match[0])) for match in _NUMBER.finditer(text)]
    return found + [(start, text[start:end], value) for start, end, value in find_number_words(text)]


def _decimal(written: str) -> Decimal:
    plain = re.sub(r"[.,'’ ](?=\d{3}(?:\D|$))", "", written).replace(",", ".")
    try:
        return Decimal(plain)
    except InvalidOperation:
        return Decimal(re.sub(r"\D", "", written))
