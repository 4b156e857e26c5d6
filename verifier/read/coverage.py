"""What of a text was read: every sentence ends in a claim or in a named reason."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from kgstore.verifier.claims import Claim, Mention
from kgstore.verifier.english.language import ENGLISH, UNKNOWN, in_other_script, is_other, language, name_of

OTHER_LANGUAGE = "in another language"
NOTHING = "names nothing that the KG knows"
ONE_THING = "names only one thing that the KG knows"
NO_RELATION = "no relation recognised"

LONG = 6
"""Words of a sentence whose language is found out apart from that of its text."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """A sentence, or a line that stands for one.

    :param form: why its form asserts nothing (`kgstore.verifier.read.forms`), "" where it may assert something
    """

    start: int
    end: int
    form: str = ""


@dataclass(frozen=True, slots=True)
class Outline:
    """The sentences of a text and what it names, both in reading order.

    :param mentions: None where there is no KG that could know them
    """

    text: str
    stretches: tuple[Stretch, ...] = ()
    mentions: tuple[Mention, ...] | None = ()


@dataclass(frozen=True, slots=True)
class Unread:
    """A sentence without a claim. What ``why`` names follows a colon, or stands between "between" and "and"."""

    start: int
    end: int
    why: str


@dataclass(frozen=True, slots=True)
class Coverage:
    """
    :param language: ISO 639 code of the text's language, ``und`` where it is too short to tell
    :param sentences: how many there are
    """

    language: str = UNKNOWN
    sentences: int = 0
    unread: tuple[Unread, ...] = ()

    @property
    def read(self) -> int:
        return self.sentences - len(self.unread)


_Spanning = TypeVar("_Spanning", Claim, Mention)


def coverage(outline: Outline, claims: Iterable[Claim]) -> Coverage:
    """A sentence is read if words of a claim stand in it, wherever the claim's head may be.

    >>> told = "Is it? Ann Smith lives in Oslo."
    >>> coverage(Outline(told, (Stretch(0, 6, "question"), Stretch(7, 31))), ())
    Coverage(language='en', sentences=2, unread=(Unread(start=0, end=6, why='question'),
        Unread(start=7, end=31, why='names nothing that the KG knows')))
    """
    text = outline.text
    stretches = [one for one in outline.stretches if any(map(str.isalnum, text[one.start : one.end]))]
    code, of_short = _languages(text, stretches)
    claimed = _sorted_into(stretches, claims)
    named = _sorted_into(stretches, outline.mentions or ())
    unread = tuple(
        Unread(one.start, one.end, _why(text, one, of_short, None if outline.mentions is None else inside))
        for one, told, inside in zip(stretches, claimed, named, strict=True)
        if not told
    )
    return Coverage(code, len(stretches), unread)


def in_other_languages(text: str, stretches: Sequence[Stretch]) -> list[Stretch]:
    """The sentences that are surely not in English. In a text of which none is, a short one counts by its own words.

    >>> text = "Ann lives in Oslo. Sie wurde in Rom geboren und lebt in Bergen."
    >>> in_other_languages(text, [Stretch(0, 18), Stretch(19, 63)])
    [Stretch(start=19, end=63, form='')]
    """
    tell = language if is_other(_languages(text, stretches)[1]) else _language
    return [one for one in stretches if is_other(tell(text[one.start : one.end]))]


def _sorted_into(stretches: Sequence[Stretch], spans: Iterable[_Spanning]) -> list[list[_Spanning]]:
    """For each stretch the spans that overlap it."""
    found: list[list[_Spanning]] = [[] for _ in stretches]
    ends = [one.end for one in stretches]
    for span in spans:
        at = bisect_right(ends, span.start)
        while at < len(stretches) and stretches[at].start < span.end:
            found[at].append(span)
            at += 1
    return found


def _why(text: str, stretch: Stretch, of_short: str, mentions: Sequence[Mention] | None) -> str:
    own = _language(text[stretch.start : stretch.end])
    own = of_short if own == UNKNOWN else own
    if is_other(own):
        return f"{OTHER_LANGUAGE}: {name_of(own)}"
    if stretch.form or mentions is None:
        return stretch.form or NO_RELATION
    known = _things(mentions)
    names = [one for one in known if one.value is None]
    if not names:
        return NOTHING
    if len(known) == 1:
        return f"{ONE_THING}: {_words(names[0])}"
    first, second, *_ = names + [one for one in known if one.value is not None]
    return f"{NO_RELATION} between {_words(first)} and {_words(second)}"


def _languages(text: str, stretches: Iterable[Stretch]) -> tuple[str, str]:
    """That of the most of a text, and that of sentences too short to tell: English where any sentence is."""
    spoken: Counter[str] = Counter()
    for one in stretches:
        spoken[_language(text[one.start : one.end])] += one.end - one.start
    del spoken[UNKNOWN]
    most = max(spoken, key=lambda code: spoken[code]) if spoken else language(text)
    return most, ENGLISH if spoken[ENGLISH] else most


def _language(sentence: str) -> str:
    """Of a sentence that is long enough to tell."""
    told = len(sentence.split()) >= LONG or in_other_script(sentence)
    return language(sentence) if told else UNKNOWN


def _things(mentions: Iterable[Mention]) -> list[Mention]:
    """What the KG knows, dates and amounts, each thing once."""
    found: dict[object, Mention] = {}
    for one in mentions:
        if one.candidates or one.value is not None:
            found.setdefault(one.candidates[0].iri if one.candidates else one.text, one)
    return list(found.values())


def _words(mention: Mention) -> str:
    return " ".join(mention.text.split())
