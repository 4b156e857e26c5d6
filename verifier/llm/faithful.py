"""Does what a language model wrote stay within what it was given? Names and numbers are checked, nothing else is."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from decimal import Decimal, InvalidOperation

from kgstore.verifier.english.words import words
from kgstore.verifier.read.parse import sentences
from kgstore.verifier.values.number_words import find_number_words

_NUMBER = re.compile(r"(?:\d{1,3}(?:[.,'’ ]\d{3})+(?!\d)|\d+)(?:[.,]\d+)?")
_WORD = re.compile(r"[^\W\d_]+(?:[-.’'&][^\W\d_]+)*\.?")
_CODE = re.compile(
    r"(?<![^\W_])(?:(?=[^\W\d_]*[A-Z])[^\W\d_]+(?:-[^\W\d_]+)*-?\d+(?:[-.]?[^\W_]+)*|\d+(?![KMBT]\b)[A-Z]+\b)"
)
"""Letters and digits that name one thing: "Q4", "COVID-19", "A380-800", "5G"; not "10th", "1990s", "50K"."""
_QUARTER = re.compile(r"\b(first|second|third|fourth)[ -]quarter\b", re.IGNORECASE)
_QUARTERS = {"first": " Q1 ", "second": " Q2 ", "third": " Q3 ", "fourth": " Q4 "}
_SCALE = re.compile(r"(?<=\d)\s?[KMBT](?![^\W_])")
_RUN = re.compile(r"(?<![^\W_])[A-Z][^\W\d_]*(?:(?: (?:of|and|the|for))* [A-Z][^\W\d_]*)+")
"""A name of several words, whose first letters may stand for it."""
_OPENS = re.compile(r"(?:^|[.!?…:;]['\"”’)\]]*\s|\n|[\"“(\[])\s*(?:[-*•]\s*)?$")
_OPENERS = words("written.openers")
"""Words that open a sentence and name nothing."""
_NAMES = frozenset(("NNP", "NNPS"))
_LONGEST = 6
"""Words of a name that its first letters may stand for."""


def strange(text: str, sources: Iterable[str]) -> list[str]:
    """The names and numbers of a text that no source has, in reading order.

    >>> strange("Ada, born in Rome in 1815, met Bob.", ["Ada was born in 1815.", "bob"])
    ['Rome']
    >>> strange("The two were born in 1,815.", ["2 people", "1815"])
    []

    >>> strange("Well, Q4 2020 was good in the US.", ["The United States in the fourth quarter of 2021"])
    ['2020']

    A name is a word with a capital, at the start of a sentence one that the parser takes for a name. Case, accents and
    the possessive do not count, nor how a number is written; a code such as "COVID-19" is one name, and the first
    letters of a name stand for it.
    """
    known = list(sources)
    words = {word for source in known for word in _words(source)}
    numbers = {number for source in known for *_, number in _numbers(source)}
    runs = {initials for source in known for *_, initials in _initials(source)}
    shortened = [(start, end) for start, end, initials in _initials(text) if initials in words]
    codes = list(_CODE.finditer(text))
    found = [(one.start(), one[0]) for one in codes if not any(_has(source, one[0]) for source in known)]
    blank = {place for one in (*codes, *_SCALE.finditer(text)) for place in range(*one.span())}
    counted = [one for one in _numbers(text) if one[0] not in blank]
    found += [(at, shown) for at, shown, number in counted if number not in numbers]
    blank |= {place for at, shown, _ in counted for place in range(at, at + len(shown))}
    opening = []
    for match in _WORD.finditer(text):
        word, at = match[0].rstrip("."), match.start()
        if word == word.lower() or re.split("['’]", word)[0] == "I" or at in blank or _parts(word) <= words:
            continue
        if _letters(word) in runs or any(start <= at < end for start, end in shortened):
            continue
        if word[1:] == word[1:].lower() and _OPENS.search(text, 0, at):
            if word.lower() not in _OPENERS:
                opening.append((at, word))
            continue
        found.append((at, word))
    if opening:
        names = {word.start for sentence in sentences(text, ()) for word in sentence.words if word.tag in _NAMES}
        found += [one for one in opening if one[0] in names]
    return [shown for _, shown in sorted(found)]


def lost(text: str, source: str) -> list[str]:
    """The names and numbers of the source that a text made of it no longer has."""
    return strange(source, [text])


def _words(text: str) -> set[str]:
    return {part for match in _WORD.finditer(text) for part in _parts(match[0])}


def _has(source: str, code: str) -> bool:
    """Is the code in the source, with or without its hyphens? "Q4" is, too, where that says "fourth quarter"."""
    parts = r"[\W_]?".join(re.findall(r"[^\W\d_]+|\d+", code))
    told = _QUARTER.sub(lambda found: _QUARTERS[found[1].lower()], source)
    return re.search(rf"(?<![^\W_]){parts}(?![^\W_])", told, re.IGNORECASE) is not None


def _initials(text: str) -> list[tuple[int, int, str]]:
    """What names of several words are for short, "un" for "United Nations", with the offsets of the names."""
    found = []
    for run in _RUN.finditer(text):
        words = [one for one in re.finditer(r"[^\W\d_]+", run[0]) if one[0][0].isupper()]
        for first in range(len(words)):
            for last in range(first + 1, min(len(words), first + _LONGEST)):
                inside = words[first : last + 1]
                letters = "".join(one[0][0] for one in inside).casefold()
                found.append((run.start() + inside[0].start(), run.start() + inside[-1].end(), letters))
    return found


def _letters(word: str) -> str | None:
    """Of "U.S." and "ADEs" the letters, of a word that is no abbreviation None."""
    plain = re.sub(r"['’]s?$|(?<=[A-Z])s$|\.", "", word)
    return plain.casefold() if len(plain) > 1 and plain.isupper() else None


def _parts(word: str) -> set[str]:
    plain = "".join(one for one in unicodedata.normalize("NFKD", word) if not unicodedata.combining(one)).casefold()
    plain = re.sub(r"['’]s?$", "", plain.rstrip("."))
    if re.fullmatch(r"(?:[^\W\d_]\.)+[^\W\d_]", plain):
        return {plain.replace(".", "")}
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
