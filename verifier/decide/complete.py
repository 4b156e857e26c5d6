"""Lists that the owner of a graph declares complete: whatever is not listed is denied.

The declaration is in the profile (``complete = ["founded by"]``) or on the command line (``--complete``). It speaks of
subjects that have a value: one without any stays open, for that nobody founded it is hardly meant. It is no reason to
accuse where what is claimed may be a listed value by another name, a part of one, or what once was so.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from kgstore.catalog import Property, fold
from kgstore.model import Literal, NamedNode, Statement
from kgstore.verbalise import readable
from kgstore.verifier.english.words import words

if TYPE_CHECKING:
    from kgstore.verifier.kg.knowledge import Knowledge

WHY = "the list is declared complete"
SURELY = 0.8
"""A candidate with less than this share of its name's weight is not surely meant, and no list denies it."""
_AND = words("conjunctions.of_names")
_MEMBERS = words("properties.members")
"""What "founded by the Beatles" and "founded by John Lennon" have between them."""


def doubt(
    know: Knowledge, item: Property, subject: str, held: Sequence[Statement], obj: str
) -> str | None:
    """Why a value that is not in a complete list may be in it all the same, None where it is not."""
    label = know.store.label
    for one in held:
        if not isinstance(one.value, NamedNode):
            return "what is listed are not only things that the KG knows"
        if know.ended(one):
            return f"{label(one.value.value)} is a former one, so that others may have been"
        value = one.value.value
        if _names(know, value) & _names(know, obj):
            return f"{label(value)} and {label(obj)} may be one, by their names"
        if any(readable(label(link.predicate.value)).lower() in _MEMBERS or link.predicate.value in know.same_as
               for link in (*know.links(value, obj), *know.links(obj, value))):  # fmt: skip
            return f"{label(value)} and {label(obj)} may stand for each other"
    if any(know.narrower(one.predicate.value, item.iri) for one in know.links(subject, obj)):
        return f"the KG links {label(subject)} and {label(obj)} by a property of that kind"
    return None


def _names(know: Knowledge, iri: str) -> set[str]:
    """Folded, and their first and last words alone: "Paul G. Allen" is Paul Allen."""
    folded = [fold(name) for name in know.names(iri)]
    return {*folded, *(f"{words[0]} {words[-1]}" for name in folded for words in [name.split()] if len(words) > 1)}


def may_mean(know: Knowledge, text: str, held: Iterable[Statement]) -> bool:
    """May the words be a part of the name of something listed? "Allen" of "Paul Allen", "salt" of "salt, pepper"."""
    said, values = set(fold(text).split()) - _AND, [one.value for one in held]
    names = [name for one in values if isinstance(one, NamedNode) for name in know.names(one.value)]
    names += [one.value for one in values if isinstance(one, Literal)]
    return any(said <= set(fold(name).split()) for name in names)
