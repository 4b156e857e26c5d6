"""From names in a text to entities, with abstention: rather no entity than the wrong one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from kgstore.catalog import NameHit, fold
from kgstore.store import Store
from verifier.claims import Candidate, Mention

MOST = 6
"""At most so many candidates a mention."""
_ALIAS = 0.9
_WORDS = re.compile(r"[^\W\d_]{3,}")


def candidates(store: Store, text: str, hits: Sequence[NameHit]) -> tuple[Candidate, ...]:
    """What a name may mean, likeliest first; scores are shares of 1.

    A candidate's weight is its popularity among the entities of that name, less for an alias, and less where capitals differ.
    """
    weights: dict[str, float] = {}
    names: dict[str, NameHit] = {}
    for hit in hits:
        weight = max(hit.prior, 0.02) * (1.0 if hit.kind == "label" else _ALIAS)
        if hit.name != text:
            weight *= 0.9 if hit.name.casefold() == text.casefold() else 0.8
            if hit.name.isupper() != text.isupper():
                weight *= 0.6
        if weight > weights.get(hit.iri, 0.0):
            weights[hit.iri], names[hit.iri] = weight, hit
    total = sum(weights.values()) or 1.0
    best = sorted(weights, key=lambda iri: -weights[iri])[:MOST]
    entities = store.catalog.entities(best)
    return tuple(
        Candidate(iri, entities[iri].label, round(weights[iri] / total, 4), entities[iri].description)
        for iri in best if iri in entities)


def link(store: Store, mention: Mention, hits: Sequence[NameHit], remark: str = "") -> Mention:
    """The mention with its candidates; none where the text itself says that another one is meant.

    "Michelle Williams (American actress)" is none of the singers of that name: words in brackets right after a name must
    agree with an entity's description or types.

    :param remark: those words
    """
    found = candidates(store, mention.text, hits)
    if remark:
        found = tuple(one for one in found if _described(store, one, remark))
    return replace(mention, candidates=found)


def _described(store: Store, candidate: Candidate, words: str) -> bool:
    known = {fold(word) for word in _WORDS.findall(candidate.description)}
    for statement in store.statements(candidate.iri):
        value = getattr(statement.value, "value", None)
        if isinstance(value, str) and value.startswith("http"):
            known |= {fold(word) for word in _WORDS.findall(store.label(value))}
    said = {fold(word) for word in _WORDS.findall(words)} - {"the", "and", "for"}
    return bool(said) and len(said & known) * 2 >= len(said)
