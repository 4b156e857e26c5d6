"""Which words of a sentence say a property? A verdict against somebody needs some that come near to one of its names.

Of a true sentence the graph often holds other dates, amounts and names than those that stand there, and the reader may
take "won the Pulitzer Prize in 1988" for a publication. Where no words near to "published", "came out" or another name
of the property stand there, it hardly speaks of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

import numpy as np

from kgstore.embedding import Embedder
from kgstore.verifier.claims import Mention, Passage
from kgstore.verifier.english.wording import table
from kgstore.verifier.english.words import words
from kgstore.verifier.kg.protocol import KnowledgeGraph

NEAR, NEAR_ONE = 0.7, 0.45
"""So near must a phrase come to one of several names, or to the only one, by which a graph knows a property."""
_BEFORE, _BEHIND = 60, 40
"""Characters in front of the first of two places, and behind the second, in which the words may stand."""
_SHORT = 3
"""Words of so few letters ("of", "end") tell nothing."""
_LONGEST = 3
"""Words that are compared together."""
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_SMALL = words("written.small")


def phrases(text: str, passage: Passage, head: Mention, tail: Mention) -> list[str]:
    """One to three words at a time, in lower case, that stand between and around two places outside of names; a
    noun ("the population") is none, unless it is the tail.

    >>> text = "Ann Smith, born in Graz, sang"
    >>> ann, graz = Mention(0, 9, "Ann Smith"), Mention(19, 23, "Graz")
    >>> phrases(text, Passage(0, len(text), (ann, graz)), ann, graz)
    ['born', 'born in', 'sang']
    """
    start = max(passage.start, min(head.start, tail.start) - _BEFORE)
    end = min(passage.end, max(head.end, tail.end) + _BEHIND)
    found: dict[str, None] = {}
    behind = tail.end + 1 if tail.value is None else -1  # "European countries"
    named = [one for one in passage.places if one == tail or one.start == behind or not one.text.islower()]
    for one, other in _free(named, start, end):
        said = [word[0].lower() for word in _WORD.finditer(text, one, other)]
        for length in range(1, _LONGEST + 1):
            for at in range(len(said) - length + 1):
                some = said[at : at + length]
                if not _SMALL.issuperset(some):
                    found[" ".join(some)] = None
    return list(found)


def _free(places: Sequence[Mention], start: int, end: int) -> Iterator[tuple[int, int]]:
    """The stretches that no name, date or amount takes."""
    taken = sorted((one.start, one.end) for one in places if one.end > start and one.start < end)
    at = start
    for one, other in taken:
        if at < one:
            yield at, one
        at = max(at, other)
    if at < end:
        yield at, end


def is_of_label(noun: str, label: str) -> bool:
    """Is a noun one of the words by which a graph calls a property?

    >>> is_of_label("water", "water as percent of area"), is_of_label("river", "water as percent of area")
    (True, False)
    """
    return len(noun) > _SHORT and noun in label.lower().split()


def names(said: Sequence[str], iri: str, store: KnowledgeGraph, unit: str = "") -> bool:
    """Does any of some phrases come near to a name of a property, or to what English says for one? Also where the graph
    has no vectors of its names.

    :param unit: of the amount that is said, which may stand in a name, too
    """
    known, vectors = store.property_names
    own = [at for at, (one, *_) in enumerate(known) if one == iri]
    if not own or not said:
        return not own
    if any(_shares((*said, unit), known[at][1]) for at in own):
        return True
    meant = store.embedder.embed(list(said))
    if float(np.max(meant @ vectors[own].T)) >= (NEAR if len(own) > 1 else NEAR_ONE):
        return True
    wordings = _wordings(tuple(known[at][1].lower() for at in own), store.embedder)  # type: ignore[arg-type]
    return bool(len(wordings)) and float(np.max(meant @ wordings.T)) >= NEAR


def _shares(said: Sequence[str], name: str) -> bool:
    """Do two of three words of a name stand there: "*water* makes up 2 *percent*", for water as percent of area?"""
    own = {word for word in _WORD.findall(name.lower()) if word not in _SMALL}
    return len(own) > 1 and 3 * len(own.intersection(said)) >= 2 * len(own)


@lru_cache(maxsize=256)
def _wordings(names: tuple[str, ...], embedder: Embedder) -> np.ndarray:
    """Vectors of what English says for a property that a graph knows by these names."""
    usual, other = table()
    found = {one.text for name in names for by in (usual, other) for one in by.get(name, ())}
    return embedder.embed(sorted(found)) if found else np.zeros((0, 0), dtype=np.float32)
