"""Which relations of a graph lie near to one another: by their names, and by the kinds of things that they join."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import islice

import numpy as np

from kgstore.verifier.kg.align import Aligner
from kgstore.verifier.kg.knowledge import Knowledge
from kgstore.verifier.reader.quoted import STRINGS

RIVALS = 3
"""Properties whose names come nearest to another one's."""
LIKELY = 6
"""Properties that most often join things of two kinds."""
MEANT = 8
"""Amounts whose names come nearest to a sentence."""


class Relations:
    """Those of one graph.

    ``kinds`` say what a thing is; ``meaning`` is the closeness of properties to words, the nearest last.
    """

    def __init__(self, know: Knowledge, aligner: Aligner) -> None:
        self.know, self.aligner = know, aligner
        self._near: dict[str, tuple[str, ...]] = {}
        self.meaning = lru_cache(maxsize=256)(self._meaning)
        self.kinds = frozenset((*know.types, *know.subclass))

    @cache  # noqa: B019  one graph's relations
    def joining(self, heads: frozenset[str], tails: frozenset[str]) -> tuple[str, ...]:
        """:param heads: types of the head and all above them; ``tails`` likewise"""
        if not heads or not tails:
            return ()
        items = sorted(self.aligner.properties.values(), key=lambda one: -one.statements)
        fitting = (
            one.iri
            for one in items
            if one.iri not in self.kinds
            and any(kind in heads for kind, _ in one.subject_types)
            and any(kind in tails for kind, _ in one.object_types)
        )
        return tuple(islice(fitting, LIKELY))

    @cache  # noqa: B019
    def usual(self, heads: frozenset[str], datatype: str) -> tuple[str, ...]:
        """The most frequent dates, or amounts, of things of a kind.

        :param heads: types of the thing and all above them
        """
        items = sorted(self.aligner.properties.values(), key=lambda one: -one.statements)
        alike = (one for one in items if _comparable(one.datatype, datatype))
        return tuple(islice((one.iri for one in alike if any(kind in heads for kind, _ in one.subject_types)), LIKELY))

    def meant(self, sentence: str, datatype: str) -> Iterator[str]:
        """Amounts whose names come nearest to a whole sentence: there are so many, of which few are usual."""
        meaning, items = self.meaning(sentence), self.aligner.properties
        alike = (one for one in reversed(meaning) if one in items and _comparable(items[one].datatype, datatype))
        return islice(alike, MEANT)

    def _meaning(self, words: str) -> dict[str, float]:
        """Property -> closeness of its nearest name to the words, the nearest last."""
        names, vectors = self.know.store.property_names
        found: dict[str, float] = {}
        if len(names):
            scores = vectors @ self.know.store.embedder.embed([words])[0]
            for at in np.argsort(scores):
                found.pop(names[at][0], None)
                found[names[at][0]] = float(scores[at])
        return found

    def implied(self, iri: str) -> frozenset[str]:
        """What says no more than where a thing lies, as a property of places does: a capital lies in its country."""
        placed = self.know.of_place(self.aligner.properties[iri])
        return self.know.whereabouts if placed else frozenset()

    def near(self, iri: str) -> tuple[str, ...]:
        """The properties whose names come nearest to a property's, and that have values of the same kind; but for what
        a thing is."""
        if iri not in self._near:
            names, vectors = self.know.store.property_names
            own = [at for at, (one, *_) in enumerate(names) if one == iri]
            found: dict[str, None] = {}
            if own:
                items, kind = self.aligner.properties, self.aligner.properties[iri].datatype
                scores = (vectors @ vectors[own].T).max(1)
                for at in np.argsort(-scores)[:200]:
                    other = names[at][0]
                    if other == iri or other not in items or other in self.kinds:
                        continue
                    if _comparable(items[other].datatype, kind):
                        found[other] = None
                    if len(found) == RIVALS:
                        break
            self._near[iri] = tuple(found)
        return self._near[iri]


def _comparable(datatype: str, asked: str) -> bool:
    """May a property with values of one datatype be said instead of one with another? What a graph has as strings may
    be dates and amounts."""
    return datatype == asked or asked in STRINGS and datatype in (*STRINGS, "quantity", "time")
