"""What the graph has of a name and the sentence says word for word: strings (codes, mottos, materials, lists of
ingredients), and the telling half of a long name ("Best Visual Effects")."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from kgstore.catalog import Property
from kgstore.model import Literal, NamedNode
from kgstore.verifier.claims import Candidate, Mention, Passage
from kgstore.verifier.english.words import entry, words
from kgstore.verifier.kg.knowledge import Knowledge
from kgstore.verifier.values.written import worded

STRINGS = ("string", "text")
"""Datatypes of values that are strings. Of some the words may be dates and amounts ("14 February 2001")."""
_CAPITAL = re.compile(r"\b[A-Z][\w.'’-]* $")
"""Before a string with a capital, it makes another name: "Lieutenant" before "Governor"."""
_FOR = re.compile(r"(?:[A-Z][\w'’-]* )+for (?:the |an? )?(?:year's )?$")
_AWARDS = words("names.awards")
_SHORT: dict[str, str] = entry("names.short_awards")
_LEAST, _MOST = 3, 200
"""Characters of a string that is looked for."""


def quoted(
    text: str, passage: Passage, know: Knowledge, properties: Mapping[str, Property]
) -> Iterator[tuple[Mention, Mention, str]]:
    """A name of a sentence, where a string stands that the graph has of it, and the property; the string's place has
    neither candidates nor a value. Digits alone are amounts."""
    for head in passage.places:
        for iri, listed in know.about(head.candidates[0].iri).items() if head.candidates else ():
            item = properties.get(iri)
            if item is None or item.datatype not in STRINGS:
                continue
            for one in listed:
                if isinstance(one.value, Literal) and (span := found_in(text, passage, one.value.value)):
                    tail = Mention(*span, text[slice(*span)])
                    if not any(same_thing(place, head) and overlaps(place, tail) for place in passage.places):
                        yield head, tail, iri


def halves(
    text: str, passage: Passage, know: Knowledge, properties: Mapping[str, Property]
) -> Iterator[tuple[Mention, Mention, str]]:
    """A name of a sentence, what the name of something that the graph has of it goes on with behind "for", and the
    property: "an Oscar for Best Sound". Others may have that, too; so a word of its first half must stand in the text,
    and no other name before its own "for".
    """
    seen = {one.iri for place in passage.places for one in place.candidates}
    for head in passage.places:
        for iri, listed in know.about(head.candidates[0].iri).items() if head.candidates else ():
            values = {one.value.value for one in listed if isinstance(one.value, NamedNode)}
            for value in sorted(values - seen) if iri in properties else ():
                name = know.store.label(value)
                if span := _half_in(text, passage, name):
                    yield head, Mention(*span, text[slice(*span)], (Candidate(value, name, 1.0),)), iri


def _half_in(text: str, passage: Passage, name: str) -> tuple[int, int] | None:
    """Where the second half of a name stands in a sentence.

    >>> said = "The Academy liked it: it won the Oscar for Best Sound, and the Zork Prize for Best Score."
    >>> _half_in(said, Passage(0, len(said), ()), "Academy Award for Best Sound")
    (43, 53)
    >>> _half_in(said, Passage(0, len(said), ()), "Academy Award for Best Score") is None
    True
    """
    first, joined, last = name.partition(" for ")
    if not joined:
        return None
    own = {word for word in first.split() if word[:1].isupper()} - _AWARDS
    own |= {short for short, whole in _SHORT.items() if whole in first}
    span = found_in(text, passage, last) if " " in last else None
    if span is None or not any(word in text for word in own):
        return None
    before = _FOR.search(text, passage.start, span[0])
    return span if before is None or any(word in before[0] for word in own) else None


def found_in(text: str, passage: Passage, string: str) -> tuple[int, int] | None:
    """Where a string stands in a sentence, in whatever case and number.

    >>> found_in("It is of red sandstone.", Passage(0, 23, ()), "Red sandstone")
    (9, 22)
    >>> found_in("Made of jam, butter and eggs.", Passage(0, 29, ()), "Jam, butter, egg")
    (8, 28)
    >>> found_in("She was Lieutenant Governor.", Passage(0, 28, ()), "Governor") is None
    True
    """
    if not _LEAST <= len(string) <= _MOST or string.isdigit():
        return None
    found = worded(string).search(text, passage.start, passage.end)
    if found is None:
        return None
    before = _CAPITAL.search(text, passage.start, found.start()) if found[0][0].isupper() else None
    return None if before and before.start() > passage.start else found.span()


def same_thing(one: Mention, other: Mention) -> bool:
    return bool(one.candidates) and one.candidates[0].iri == other.candidates[0].iri


def overlaps(one: Mention, other: Mention) -> bool:
    return one.start < other.end and other.start < one.end
