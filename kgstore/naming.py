"""From what a person types to the property that is meant: an id, an IRI, a label or an alias."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Protocol

from kgstore.catalog import Property, fold
from kgstore.errors import InputError
from kgstore.prefixes import compact, expand
from kgstore.verbalise import readable

if TYPE_CHECKING:
    from kgstore.profile import Profile

_SHOWN = 6
"""How many of several properties with one name a message lists."""
_LIST = "`kgstore info --properties` lists them all"


class Properties(Protocol):
    """What has properties: a store, or a graph behind a server."""

    @property
    def profile(self) -> Profile: ...

    def properties(self) -> Mapping[str, Property]: ...


def resolve_property(store: Properties, text: str) -> Property:
    """The one property with this id, IRI, label or alias; ``worksFor`` is also called "works for".

    :raises InputError: if there is none, or several
    """
    known = store.properties()
    if (iri := as_iri(text)) is not None:
        found = known.get(iri) or known.get(store.profile.property_of(iri))
        if found is None:
            raise InputError(f"nothing in the KG has the property {text}", _LIST)
        return found
    name = fold(readable(text))
    for names in (lambda one: [one.label], lambda one: one.aliases):
        meant = [one for one in known.values() if name in (fold(readable(each)) for each in names(one))]
        if len(meant) == 1:
            return meant[0]
        if meant:
            choice = ", ".join(f"{compact(one.iri)} ({one.label})" for one in meant[:_SHOWN])
            raise InputError(f"{len(meant)} properties are called {text!r}", f"name one by its id: {choice}")
    raise InputError(f"no property is called {text!r}", _LIST)


def as_iri(text: str) -> str | None:
    """The IRI that an id or IRI stands for; None where the text can only be a name."""
    try:
        return expand(text)
    except InputError:
        return None
