"""Is a value that the KG does not have said of something else than the name it stands beside? Then nobody is accused.

Support needs no such care: a statement of the KG that a sentence seems to make is hardly there by chance.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from kgstore.verifier.claims import Mention, Passage
from kgstore.verifier.english.words import either, peoples, words
from kgstore.verifier.reader.meant import is_part
from kgstore.verifier.reader.quoted import overlaps, same_thing
from kgstore.verifier.values import Amount

LINKED = 0.7
"""So sure must it be what a name means."""
_APART = ";"
"""A name on the other side is that of something else."""
_ACTED_ON = words("pronouns.acted_on")
_NOUN = re.compile(r" ([a-z]{3,})\b")
_NAMED = re.compile(r"(?<=[\w,] )[A-Z][a-z]")
"""A name behind other words."""
_AT = re.compile(rf"\w\W+{either('prepositions.beside_dates')}\s+(?:the |[*_\"“])*$")
"""Before a name of which a date is hardly said: "starred in"."""
_INTO = re.compile(rf"\b{either('prepositions.leading')}\b(?: the)?[^\w]*$|^\W*(?:\b(?:that|the)\W+)*$")
"""Between a value and whose it is: "8,000 people live in A", "in 1931 A", "in 1931 that A", and not "three joined A",
"1828 had A"."""
_IS = re.compile(rf"\b{either('verbs.is')} (?:an? |the )?(?:[\w-]+,? ){{0,3}}$")
"""Before a people that a name is of: "was a gifted German painter", and not "met German troops"."""
_SOMEBODY = re.compile(rf"\b(?:an?|one) (?:[\w-]+ ){{0,3}}?{either('pronouns.describing')}\b")
"""Of whom more is said than of who stands before: "has a brother who was born in A"."""
_ITSELF = re.compile(rf"\W*(?:.*\b{either('verbs.is')})?\W*", re.DOTALL)
"""Before what a name is: "was a writer who", ", a writer who"."""
_OF_PART = re.compile(rf"[^,;:.]{{0,30}}\b{either('prepositions.of_parts')} {either('pronouns.owners')}\b")
"""Behind an amount that a part of a thing has: "12 beds in its ward"."""
_APART_IN_TIME = re.compile(rf"\b{either('nouns.spans')} (?:after|before)\b")
"""Behind this stands what something else is dated by: "a year after its founding in 1861"."""
_NOTHING = re.compile(r"(?:['’]s\b|\W)*")
_SAYS = re.compile(r"\b[a-z]{3,}\b")


def may_be_others(
    text: str, passage: Passage, head: Mention, tail: Mention, is_class: Callable[[str], bool]
) -> bool:
    """May it be said of another thing of the name, of what a longer name or a noun behind it means ("the Nimrod
    expedition"), of whoever did something to "him", or nothing ("Gifu, Japan")?

    :param is_class: does a noun name a class of the KG?
    """
    names = [one for one in (head, tail) if one.value is None]
    if any(one.candidates[0].score < LINKED or is_part(text, one.start, one.end) for one in names):
        return True
    noun = _NOUN.match(text, head.end)
    if head.text.lower() in _ACTED_ON or noun is not None and is_class(noun[1]):
        return True
    between = text[min(head.end, tail.end) : max(head.start, tail.start)]
    if tail.value is None and _NOTHING.fullmatch(between):
        return True
    somebody = _SOMEBODY.search(between)
    if head.end <= tail.start and somebody is not None and not _ITSELF.fullmatch(between, 0, somebody.start()):
        return True
    if tail.value is not None:
        return _dates_others(text, passage, head, tail)
    people = tail.text.lower() in peoples() and head.end <= tail.start and not _IS.search(between)
    return _APART in between or people


def are_alone(passage: Passage, head: Mention, tail: Mention, mentions: Iterable[Mention]) -> bool:
    """Does a sentence name the two, neither by a pronoun, and nothing else?

    :param mentions: what the text names, known to the KG or not
    """
    if head.refers_to is not None or tail.refers_to is not None:
        return False
    inside = (one for one in mentions if passage.start <= one.start < passage.end)
    others = [one for one in (*passage.places, *inside) if not (overlaps(one, head) or overlaps(one, tail))]
    return all(_is_no_name(one) or one.refers_to == (head.start, head.end) for one in others)


def _is_no_name(place: Mention) -> bool:
    """Is it a common noun, or a letter ("I")?"""
    return place.value is None and place.refers_to is None and (place.is_common or len(place.text) == 1)


def _dates_others(text: str, passage: Passage, head: Mention, tail: Mention) -> bool:
    """May a date or an amount be that of what the sentence named before, or of nothing ("OSLO, May 1931")?"""
    others = [one for one in passage.places if one.candidates and not same_thing(one, head)]
    if any(one.end <= head.start and (one.refers_to or not one.is_common) for one in others):
        return True
    if any(head.end <= one.start < tail.start and one.refers_to for one in others):
        return True
    if _APART_IN_TIME.search(text, head.end, max(head.end, tail.start)):
        return True
    between = text[tail.end : head.start]
    if between and not _INTO.search(between):
        return True
    first = min(head.start, tail.start)
    said = f"{text[passage.start : first]} {text[min(tail.end, head.start) : head.start]}"
    at = head.end <= tail.start and _AT.search(said) is not None
    if isinstance(tail.value, Amount) and _OF_PART.match(text, tail.end, passage.end):
        return True
    return at or _NAMED.search(said) is not None or not _SAYS.search(text, passage.start, passage.end)
