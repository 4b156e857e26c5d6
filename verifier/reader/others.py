"""Is a value that the KG does not have said of something else than the name it stands beside? Then nobody is accused.

Support needs no such care: a statement of the KG that a sentence seems to make is hardly there by chance.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from kgstore.verifier.claims import Mention, Passage
from kgstore.verifier.english.words import either, words
from kgstore.verifier.link.coreference import PERSONAL
from kgstore.verifier.reader.quoted import overlaps, same_thing
from kgstore.verifier.values import Amount

LINKED = 0.7
"""So sure must it be what a name means."""
_OWNERS = words("pronouns.owners")
_PRONOUNS = words("pronouns.neutral") | PERSONAL.keys()
_NOUN = re.compile(r" ([a-z]{3,})\b")
"""A noun behind a name, of which the name tells which one ("the Berlin zoo was"); ``_COMPOUND``: surely a noun."""
_COMPOUND = re.compile(
    rf" (?!(?:{either('verbs.auxiliaries')}|{either('pronouns.describing')}|{either('conjunctions.of_clauses')}|"
    rf"{either('pronouns.reflexive')})\b)"
    rf"[a-z]{{3,}}(?<!ly) {either('verbs.auxiliaries')}\b"
)
_NAMED = re.compile(r"(?<=[\w,] )[A-Z][a-z]")
"""A name behind other words."""
_OF_PART = re.compile(rf"[^,;:.]{{0,30}}\b{either('prepositions.of_parts')} {either('pronouns.owners')}\b")
"""Behind an amount that a part of a thing has: "12 beds in its ward"."""
_APART_IN_TIME = re.compile(rf"\b{either('nouns.spans')} (?:after|before)\b")
"""Behind this stands what something else is dated by: "a year after its founding in 1861"."""
_LAND = re.compile(rf" (?:[a-z-]+ ){{0,2}}?{either('names.lands')}(?: of)? ")
"""Between a people's adjective and the name that it belongs to: "the Swedish region of Småland"."""

_LEAD = 30
"""Characters in front of the first of two places in which that may stand, too: "a year after the founding of *A*"."""


def may_be_others(
    text: str,
    passage: Passage,
    head: Mention,
    tail: Mention,
    is_class: Callable[[str], bool],
    may_have: Callable[[Mention], bool] = bool,
) -> bool:
    """May a noun behind a name mean something else ("the Berlin zoo"), or a date or an amount be that of another thing?

    :param is_class: does a noun name a class of the KG?
    :param may_have: may a name have such a date or an amount?
    """
    named = _LAND.match(text, tail.end)
    others = [one for one in (*passage.places, *passage.unknown) if not overlaps(one, head)]
    if named and any(one.start == named.end() for one in others):
        return True
    noun = _NOUN.match(text, head.end)
    if _COMPOUND.match(text, head.end) or noun is not None and _tells_which(head) and is_class(noun[1]):
        return True
    return tail.value is not None and _dates_others(text, passage, head, tail, may_have)


def surely_meant(*ends: Mention) -> bool:
    """Do names surely mean what they are linked to?"""
    return all(one.value is not None or one.candidates[0].score >= LINKED for one in ends)


def _tells_which(head: Mention) -> bool:
    """Would a noun behind it be what is meant? "His death" is a compound, "the series burst" none."""
    named = head.refers_to is None or head.text[:1].isupper() and head.text.lower() not in _PRONOUNS
    return named or head.text.lower() in _OWNERS


def are_alone(passage: Passage, head: Mention, tail: Mention) -> bool:
    """Does a sentence name the two, neither by a pronoun, and nothing else?"""
    if head.refers_to is not None or tail.refers_to is not None:
        return False
    others = [one for one in (*passage.places, *passage.unknown) if not (overlaps(one, head) or overlaps(one, tail))]
    return all(_is_no_name(one) or one.refers_to == (head.start, head.end) for one in others)


def _is_no_name(place: Mention) -> bool:
    """Is it a common noun, or a letter ("I")?"""
    return place.value is None and place.refers_to is None and (place.is_common or len(place.text) == 1)


def _describes(text: str, name: Mention, head: Mention) -> bool:
    """Does a name belong to the noun behind it: "the American series"?"""
    return head.refers_to is not None and not head.is_implied and not text[name.end : head.start].strip(" -")


def _dates_others(
    text: str, passage: Passage, head: Mention, tail: Mention, may_have: Callable[[Mention], bool]
) -> bool:
    """May it be that of what the sentence names before the head or between the two, if that may have such a one, of a
    part, or of what came before or after?"""
    places = [one for one in passage.places if one.candidates and not one.is_implied]
    others = [one for one in places if not same_thing(one, head)]
    own = [one for one in places if same_thing(one, head)]
    describing = [one for one in others if _describes(text, one, head)]
    others = [one for one in others if one not in describing]
    spared = [one for one in others if not may_have(one)]
    if any(head.end <= one.start < tail.start and one.refers_to for one in others):
        return True
    others = [one for one in others if one not in spared]
    if any(one.end <= head.start and (one.refers_to or not one.is_common) for one in others):
        return True
    first = min(head.start, tail.start)
    if _APART_IN_TIME.search(text, max(passage.start, first - _LEAD), max(head.start, tail.start)):
        return True
    if isinstance(tail.value, Amount) and _OF_PART.match(text, tail.end, passage.end):
        return True
    if spared and any(head.end <= one.start < tail.start for one in (*passage.unknown, *others) if not one.is_common):
        return True  # "Ann sang on *A* and then on *B*, released in 1982"
    for start, end in ((passage.start, first), (tail.end, head.start)):
        for name in _NAMED.finditer(text, start, end):
            if not any(one.start <= name.start() < one.end for one in (*own, *spared, *describing)):
                return True
    return False


def alike(one: Mention, other: Mention, kinds: Callable[[str], Iterable[str]]) -> bool:
    """Two dates, two amounts, or two names of different things of one kind."""
    if one.value is not None or other.value is not None:
        return type(one.value) is type(other.value)
    if not other.candidates or {each.iri for each in one.candidates} & {each.iri for each in other.candidates}:
        return False
    return bool(set(kinds(one.candidates[0].iri)) & set(kinds(other.candidates[0].iri)))
