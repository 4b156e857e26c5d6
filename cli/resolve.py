"""From what a person types to the entity that is meant: an id, an IRI or a name."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from kgstore.catalog import Entity
from kgstore.cli.render import note
from kgstore.errors import InputError
from kgstore.naming import as_iri
from kgstore.prefixes import compact

if TYPE_CHECKING:
    from kgstore.opening import KG

SHOWN = 6
"""How many of several entities with one name a message lists."""
CLEARLY = 10
"""An entity this many times better known than the next of its name is meant, and the others are only mentioned."""


def resolve_entity(store: KG, text: str, tell: Callable[[str], None] = note) -> Entity:
    """The one entity with this id, IRI or name (a label goes before an alias).

    :param tell: is told of others that have the name, too
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
        tell(f"{text!r} is read as {listed(store, [known[0].iri])}; also: {others}")
    return known[0]


def _weight(entity: Entity) -> int:
    return 1 + entity.degree + entity.sitelinks


def listed(store: KG, iris: Iterable[str]) -> str:
    """Ids with labels and descriptions, in the order given, a few at most."""
    order = list(iris)
    known = store.catalog.entities(order[:SHOWN])
    names = [f"{compact(iri)} ({describe(known[iri])})" for iri in order[:SHOWN] if iri in known]
    return ", ".join(names) + (f" and {len(order) - SHOWN} more" if len(order) > SHOWN else "")


def describe(entity: Entity) -> str:
    return f"{entity.label}, {entity.description}" if entity.description else entity.label
