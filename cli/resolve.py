"""From what a person types to the entity or property that is meant: an id, an IRI or a name."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from cli.render import note
from kgstore.catalog import Entity, Property, fold
from kgstore.errors import InputError
from kgstore.prefixes import compact, expand

if TYPE_CHECKING:
    from kgstore.store import Store

SHOWN = 6
"""How many of several entities with one name a message lists."""
CLEARLY = 10
"""An entity this many times better known than the next of its name is meant, and the others are only mentioned."""


def resolve_entity(store: Store, text: str) -> Entity:
    """The one entity with this id, IRI or name (a label goes before an alias).

    :raises InputError: if there is none, or several equally well known; names those to choose from
    """
    if (iri := as_iri(text)) is not None:
        found = store.catalog.entity(iri)
        if found is None:
            raise InputError(
                f"nothing in the KG has the id {text}", f"look for its name: `kgstore search NAME --kg {store.path}`"
            )
        return found
    hits = store.catalog.lookup([text]).get(text, [])
    named = [hit.iri for hit in hits if hit.kind == "label"] or [hit.iri for hit in hits]
    known = sorted(store.catalog.entities(dict.fromkeys(named)).values(), key=lambda one: -_weight(one))
    if not known:
        near = dict.fromkeys(hit.iri for hit in store.catalog.search(text, k=SHOWN))
        instead = f"did you mean {listed(store, near)}?" if near else "check the spelling, or name an id"
        raise InputError(f"no entity is named {text!r}", instead)
    if len(known) > 1:
        if _weight(known[0]) < CLEARLY * _weight(known[1]):
            choice = listed(store, [one.iri for one in known])
            raise InputError(f"{len(known)} entities are named {text!r}", f"name one by its id: {choice}")
        others = listed(store, [one.iri for one in known[1:]])
        note(f"{text!r} is read as {listed(store, [known[0].iri])}; also: {others}")
    return known[0]


def _weight(entity: Entity) -> int:
    return 1 + entity.degree + entity.sitelinks


def resolve_property(store: Store, text: str) -> Property:
    """The one property with this id, IRI, label or alias.

    :raises InputError: if there is none, or several
    """
    known = store.catalog.properties()
    if (iri := as_iri(text)) is not None:
        if iri not in known:
            raise InputError(f"nothing in the KG has the property {text}", "`kgstore info --properties` lists them all")
        return known[iri]
    name = fold(text)
    for names in (lambda one: [one.label], lambda one: one.aliases):
        meant = [one for one in known.values() if name in map(fold, names(one))]
        if len(meant) == 1:
            return meant[0]
        if meant:
            choice = ", ".join(f"{compact(one.iri)} ({one.label})" for one in meant[:SHOWN])
            raise InputError(f"{len(meant)} properties are called {text!r}", f"name one by its id: {choice}")
    raise InputError(f"no property is called {text!r}", "`kgstore info --properties` lists them all")


def as_iri(text: str) -> str | None:
    """The IRI that an id or IRI stands for; None where the text can only be a name."""
    try:
        return expand(text)
    except InputError:
        return None


def listed(store: Store, iris: Iterable[str]) -> str:
    """Ids with labels and descriptions, in the order given, a few at most."""
    order = list(iris)
    known = store.catalog.entities(order[:SHOWN])
    names = [f"{compact(iri)} ({describe(known[iri])})" for iri in order[:SHOWN] if iri in known]
    return ", ".join(names) + (f" and {len(order) - SHOWN} more" if len(order) > SHOWN else "")


def describe(entity: Entity) -> str:
    return f"{entity.label}, {entity.description}" if entity.description else entity.label
