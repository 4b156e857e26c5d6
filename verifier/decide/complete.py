"""Lists that the owner of a graph declares complete: whatever is not listed is denied.

The declaration is in the profile (``complete = ["founded by"]``) or on the command line (``--complete``). It speaks of
subjects that have a value: one without any stays open, for that nobody founded it is hardly meant. It is no reason to
accuse where what is claimed may be a listed value by another name, a part of one, or what once was so.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from kgstore.catalog import Property, fold
from kgstore.errors import InputError
from kgstore.model import NamedNode, Statement
from kgstore.naming import resolve_property
from kgstore.verbalise import readable

if TYPE_CHECKING:
    from kgstore.verifier.kg.knowledge import Knowledge
    from kgstore.verifier.kg.protocol import KnowledgeGraph

WHY = "the list is declared complete"
ALL = "all"
SURELY = 0.8
"""A candidate with less than this share of its name's weight is not surely meant, and no list denies it."""
_MEMBERS = frozenset(
    ("member of", "has member", "member", "has part(s)", "has part", "part of", "parent organization", "has subsidiary",
     "subsidiary", "subsidiary of", "business division", "division of", "said to be the same as", "same as")
)  # fmt: skip
"""What "founded by the Beatles" and "founded by John Lennon" have between them."""


def declared_complete(store: KnowledgeGraph, said: Iterable[str] = ()) -> frozenset[str]:
    """IRIs of the properties that the profile, or ``said``, declares complete.

    :param said: ids, IRIs or names, besides those of the profile
    :raises InputError: if a name fits no property of the KG, or several; says where it was given
    """
    profile, said = store.profile, tuple(said)
    every = all_properties(store) if ALL in (*profile.complete, *said) else frozenset()
    where, mend = f"complete in the profile {profile.name!r}", "; correct it there and load again with --profile"
    by_profile = {_property(store, one, where, mend) for one in profile.complete if one != ALL}
    return every | by_profile | {_property(store, one, "--complete", "") for one in said if one != ALL}


def all_properties(store: KnowledgeGraph) -> frozenset[str]:
    """What ``all`` stands for: not what says of what kind something is, for there is always a wider class."""
    profile = store.profile
    kinds = {profile.property_of(one) for one in (*profile.type, *profile.subclass)}
    return frozenset(store.properties()) - kinds


def _property(store: KnowledgeGraph, name: str, where: str, mend: str) -> str:
    try:
        return resolve_property(store, name).iri
    except InputError as error:
        raise InputError(f"{where}: {error.why}", f"{error.instead}{mend}") from None


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
    """May the words be a part of the name of something listed? "Allen" of "Paul Allen"."""
    said, values = set(fold(text).split()), (one.value.value for one in held if isinstance(one.value, NamedNode))
    return any(said <= set(fold(name).split()) for iri in values for name in know.names(iri))
