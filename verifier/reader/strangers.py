"""Whom a sentence names that the KG does not know: what it says may be said of him.

"Ann Roe was followed by Bob Poe, a singer who died in Graz": the reader finds that nearly as likely of Ann Roe, whom
the KG knows, as of Bob Poe, and the KG may bear it out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from kgstore.catalog import fold
from kgstore.verbalise import MONTHS
from kgstore.verifier.claims import Mention, Passage
from kgstore.verifier.english.words import either, given_names
from kgstore.verifier.reader.quoted import overlaps

_PERSONAL = re.compile(r"[A-Z][\w'’.-]+(?: [A-Z][\w'’.-]*){0,2}")
"""What a person may be called."""
_MORE = re.compile(rf"(?:, [^\W\d_a-z][^,;.]*)*,? {either('conjunctions.of_names')} [^\W\d_a-z]")
"""What follows two names of a list that a comma parts."""
_AND = re.compile(rf"\s*,?\s*(?:{either('conjunctions.of_names')})?\s*(?:[Tt]he )?", re.IGNORECASE)
_AS = re.compile(r"\bas $")
"""Before another name of whom a sentence is about."""
_APPOSED = re.compile(r", (?:an?|the) (?:[\w'’-]+ ){0,5}")
_QUOTES = "\"“‘*_"


def rivals(text: str, passage: Passage, head: Mention, tail: Mention) -> Iterator[Mention]:
    """The unknown of whom the same may be said as of the person ``head``: whom the sentence names, but not side by side
    with him, and under no other name of his.

    >>> text = "Ann Roe met Bob Poe, a singer, and Eva."
    >>> ann, bob, singer = Mention(0, 7, "Ann Roe"), Mention(12, 19, "Bob Poe"), Mention(23, 29, "singer")
    >>> [one.text for one in rivals(text, Passage(0, 39, (), unknown=(bob, Mention(35, 38, "Eva"))), ann, singer)]
    ['Bob Poe', 'Eva']
    """
    own = set(fold(head.name).split())
    for one in passage.unknown:
        apart = not overlaps(one, head) and not overlaps(one, tail) and not joined(text, one, head)
        other = not own.issuperset(fold(one.text).split()) and not _AS.search(text, max(0, one.start - 4), one.start)
        person = " " in one.text or one.text.lower() in given_names()  # a single word is a place as often
        if apart and other and person and is_somebody(text, one):
            yield one


def is_apposed(text: str, one: Mention, other: Mention) -> bool:
    """Does the other stand in what a name is called behind a comma: "Bob Poe, a tall singer"?"""
    return one.end < other.start and _APPOSED.fullmatch(text, one.end, other.start) is not None


def is_somebody(text: str, one: Mention) -> bool:
    """May it be a name of somebody whom the KG does not know? A title in quotation marks is none."""
    unknown = not one.candidates and one.value is None and one.text not in MONTHS
    if one.text.startswith("The ") or one.start and text[one.start - 1] in _QUOTES:
        return False
    return unknown and _PERSONAL.fullmatch(one.text) is not None


def joined(text: str, one: Mention, other: Mention) -> bool:
    """Do the two stand side by side, so that the same is said of both: "A and B", "A, B and C"? B may be who A is in
    "the brother of A, B, sang"."""
    first, second = sorted((one, other), key=lambda each: each.start)
    between = _AND.fullmatch(text, first.end, max(first.end, second.start))
    return between is not None and (between[0].strip() != "," or _MORE.match(text, second.end) is not None)
