"""Which lists of a graph its owner declares complete, by the profile or on the command line (``--complete``)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from kgstore.errors import InputError
from kgstore.naming import resolve_property

if TYPE_CHECKING:
    from kgstore.verifier.kg.protocol import KnowledgeGraph

ALL = "all"


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
