"""Strings of the graph that stand in a sentence: codes, mottos, materials, lists of ingredients."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from kgstore.catalog import Property
from kgstore.model import Literal
from kgstore.verifier.claims import Mention, Passage
from kgstore.verifier.kg.knowledge import Knowledge
from kgstore.verifier.values.written import worded

STRINGS = ("string", "text")
"""Datatypes of values that are strings. Of some the words may be dates and amounts ("14 February 2001")."""
_CAPITAL = re.compile(r"\b[A-Z][\w.'’-]* $")
"""Before a string with a capital, it makes another name: "Lieutenant" before "Governor"."""
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
    return bool(one.candidates and other.candidates) and one.candidates[0].iri == other.candidates[0].iri


def overlaps(one: Mention, other: Mention) -> bool:
    return one.start < other.end and other.start < one.end


def gap(one: Mention, other: Mention) -> int:
    """Characters between two places."""
    return max(one.start, other.start) - min(one.end, other.end)
