"""From names in a text to entities, with abstention: rather no entity than the wrong one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property

from kgstore.catalog import NameHit, fold
from kgstore.model import NamedNode, Triple
from kgstore.short_names import BARE, DERIVED
from kgstore.verifier.claims import MOST_CANDIDATES, Candidate, Mention
from kgstore.verifier.english.words import peoples
from kgstore.verifier.kg.protocol import KnowledgeGraph

_KINDS = {"label": 1.0, "alias": 0.9, BARE: 0.5, DERIVED: 0.3}
_OTHER_LANGUAGE = 0.5
"""Texts are English. A name in another language (`kgstore load --lang en,de`) is meant less often."""
_ENGLISH = ("en", "mul", "")
_YEARS = re.compile(r"\d{4}")
_WORDS = re.compile(r"[^\W\d_]{3,}")


def candidates(store: KnowledgeGraph, text: str, hits: Sequence[NameHit]) -> tuple[Candidate, ...]:
    """What a name may mean, likeliest first; scores are shares of 1.

    A candidate's weight is its popularity among the entities of that name, less for an alias, much less for a form that
    only follows from its label, less for a name in another language than English, and less where capitals differ.
    """
    weights: dict[str, float] = {}
    names: dict[str, NameHit] = {}
    for hit in hits:
        weight = max(hit.prior, 0.02) * _KINDS[hit.kind]
        if hit.lang.partition("-")[0] not in _ENGLISH:
            weight *= _OTHER_LANGUAGE
        if hit.name != text:
            weight *= 0.9 if hit.name.casefold() == text.casefold() else 0.8
            if hit.name.isupper() != text.isupper():
                weight *= 0.6
        if weight > weights.get(hit.iri, 0.0):
            weights[hit.iri], names[hit.iri] = weight, hit
    total = sum(weights.values()) or 1.0
    best = sorted(weights, key=lambda iri: -weights[iri])[:MOST_CANDIDATES]
    entities = store.entities(best)
    return tuple(
        Candidate(iri, entities[iri].label, round(weights[iri] / total, 4), entities[iri].description)
        for iri in best
        if iri in entities
    )


def link(store: KnowledgeGraph, mention: Mention, hits: Sequence[NameHit], remark: str = "") -> Mention:
    """The mention with its candidates; none where the text itself says that another one is meant.

    "Michelle Williams (American actress)" is none of the singers of that name: words in brackets right after a name
    must agree with an entity's description or types.

    :param remark: those words
    """
    found = candidates(store, mention.text, hits)
    if remark:
        found = tuple(one for one in found if described(store, one.iri, remark))
    return replace(mention, candidates=found)


def described(store: KnowledgeGraph, iri: str, words: str) -> bool:
    """Do the description and the values of an entity have at least half of these words, and all their years?"""
    entity = store.entities((iri,)).get(iri)
    known = {fold(word) for word in _WORDS.findall(entity.description if entity else "")}
    for statement in store.statements(iri):
        if isinstance(statement.value, NamedNode):
            known |= {fold(word) for word in _WORDS.findall(store.label(statement.value.value))}
        known |= set(_YEARS.findall(getattr(statement.value, "iso", "")))
    said = {fold(word) for word in _WORDS.findall(words)} - {"the", "and", "for"}
    return set(_YEARS.findall(words)) <= known and bool(said) and len(said & known) * 2 >= len(said)


class Demonyms:
    """Adjectives and names of peoples ("French", "Swiss") and the places they belong to, as the KG states them.

    A KG states them where it has a property labelled "demonym" (P1549 of Wikidata); else the usual ones of countries.
    """

    def __init__(self, store: KnowledgeGraph) -> None:
        self.store = store
        self._usual: dict[str, tuple[str, ...]] = {}

    @cached_property
    def _places(self) -> dict[str, tuple[str, ...]]:
        found: dict[str, dict[str, None]] = {}
        for item in self.store.properties().values():
            if item.label in self.store.profile.demonym:
                for triple in self.store.match(None, self.store.profile.predicate_of(item.iri)):
                    place, word = triple.subject, triple.object
                    if isinstance(place, Triple) or isinstance(word, Triple):
                        continue
                    if getattr(word, "language", None) in (None, *self.store.languages):
                        said = self.store.label(word.value) if isinstance(word, NamedNode) else word.value
                        found.setdefault(fold(said), {})[place.value] = None
        return {word: tuple(places) for word, places in found.items()}

    def knows(self, word: str) -> bool:
        """Is this a demonym?"""
        return bool(self._of(word))

    def _of(self, word: str) -> tuple[str, ...]:
        """The places of a demonym."""
        folded = fold(word)
        if folded not in self._usual:
            labels = peoples().get(folded, ()) if folded not in self._places else ()
            hits = [hit for found in self.store.lookup(labels).values() for hit in found[:1]] if labels else []
            self._usual[folded] = tuple(dict.fromkeys(hit.iri for hit in hits if hit.kind == "label"))
        return self._places.get(folded) or self._usual[folded]

    def candidates(self, word: str, known: Sequence[Candidate] = ()) -> tuple[Candidate, ...]:
        """The places of a demonym that are not candidates already, each with a share of the score."""
        stated = fold(word) in self._places
        if not stated and any(fold(one.label) == fold(word) for one in known):
            return ()  # the graph has "French", a language
        places = [iri for iri in self._of(word) if iri not in {one.iri for one in known}]
        entities = self.store.entities(places)
        best = sorted(
            (entities[iri] for iri in places if iri in entities), key=lambda one: -(one.sitelinks + one.degree)
        )
        return tuple(Candidate(one.iri, one.label, 0.5, one.description) for one in best[:2])
