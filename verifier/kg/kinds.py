"""The classes of a KG that a noun names."""

from __future__ import annotations

from kgstore.catalog import fold
from kgstore.verifier.kg.protocol import KnowledgeGraph
from kgstore.verifier.values.units import singular

_MOST = 5
"""Things of one name that are looked at, best known first."""


def classes_named(store: KnowledgeGraph, noun: str, subclasses: bool = False) -> list[str]:
    """The classes that have members in the KG and are called so, for a noun in lower case, singular or plural.

    :param subclasses: those that have subclasses only count, too
    """
    *before, last = noun.split() or [""]
    names = list(dict.fromkeys(fold(" ".join((*before, one))) for one in (last, singular(last))))
    steps = (*store.profile.type, *store.profile.subclass) if subclasses else store.profile.type
    found = store.lookup(names)
    classes = dict.fromkeys(hit.iri for name in names for hit in found.get(name, ())[:_MOST] if hit.name[:1].islower())
    below = [store.profile.property_of(one) for one in steps]
    return [one for one in classes if any(store.has_incoming(one, step) for step in below)]
