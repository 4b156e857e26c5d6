"""What a text is about as a whole: the name that the KG links to most of the others.

Of a text about a film the graph links the film to its director, its cast and its country, and hardly these to one
another. How often it is named counts as well.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from math import log

from kgstore.errors import IndexMissing
from kgstore.verifier.claims import Mention
from kgstore.verifier.kg.protocol import KnowledgeGraph

_SURE = 0.5
"""A name that means something with less than this share is nobody's centre, and speaks for none."""
_LEAST = 2
"""So many other names must be linked to it."""
_MOST = 40
"""Names of a text that are looked at, the first ones; it is about one of them, or about nothing in particular."""
_WAYS = 2000
"""Statements between them."""


def centre(store: KnowledgeGraph, mentions: Sequence[Mention]) -> Mention | None:
    """The first mention of what a text is about; None where the KG links no name to two others.

    :param mentions: the names of the text
    """
    often = Counter(one.candidates[0].iri for one in _sure(mentions))
    named = _first(mentions)
    telling = _telling(store, list(named)) if named else {}
    score = dict.fromkeys(named, 0.0)
    others: Counter[str] = Counter()
    for ends in set(_linked(store, list(named))):
        others.update(ends)
        for end in ends:
            score[end] += telling[ends[0]] * telling[ends[1]]
    known = [iri for iri in named if others[iri] >= _LEAST]
    return named[max(known, key=lambda iri: score[iri] * (1 + log(often[iri])))] if known else None


def foremost(mentions: Sequence[Mention]) -> Mention | None:
    """The first mention of what is named most often; None without a name that the KG surely knows."""
    often = Counter(one.candidates[0].iri for one in _sure(mentions))
    return max(_first(mentions).values(), key=lambda one: often[one.candidates[0].iri], default=None)


def _sure(mentions: Iterable[Mention]) -> Iterator[Mention]:
    return (one for one in mentions if one.candidates and one.candidates[0].score >= _SURE and not one.is_common)


def _first(mentions: Iterable[Mention]) -> dict[str, Mention]:
    """What is named -> where it is first."""
    named: dict[str, Mention] = {}
    for one in _sure(mentions):
        if len(named) < _MOST:
            named.setdefault(one.candidates[0].iri, one)
    return named


def _linked(store: KnowledgeGraph, iris: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Any two that a statement joins, in one order. Their numbers differ in some bit: few questions will do."""
    for bit in range(max(0, len(iris) - 1).bit_length()):
        some = [iri for at, iri in enumerate(iris) if at >> bit & 1]
        others = [iri for iri in iris if iri not in some]
        try:
            ways = store.paths(some, others, 1, _WAYS)
        except IndexMissing:
            return
        for (edge,) in ways:
            yield min(edge.subject, edge.object), max(edge.subject, edge.object)


def _telling(store: KnowledgeGraph, iris: Sequence[str]) -> dict[str, float]:
    """How little a link to each says by chance: the logarithm of one over the share of entities that have one."""
    known = store.entities(iris)
    return {iri: log(store.entity_count / max(1, known[iri].degree)) if iri in known else 0.0 for iri in iris}
