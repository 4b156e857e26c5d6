"""Where a neighbour lies is left aside: "borders Mexico to the north, Belize to the east and Honduras to the south"."""

from __future__ import annotations

from verifier.extract.draft import is_entity
from verifier.extract.syntax import Sentence, Word
from verifier.extract.tree import attach, loosen

_POINTS = frozenset("north south east west northeast northwest southeast southwest".split())
_WAYS = ("to", "on", "in")
_LOST = ("advmod", "npadvmod", "dep", "appos", "conj")


def compass(sentence: Sentence) -> None:
    """Take points of the compass out of the tree, and join the names that they stood between."""
    ways = [way for word in sentence.words if (way := _way(word)) is not None]
    if not ways:
        return
    first = next((word for word in sentence.words if is_entity(word) and word.dep in ("dobj", "pobj")), None)
    for way in ways:
        inside = [word for word in way.subtree() if is_entity(word)]
        for name in inside:
            if first is not None and name.start > first.end:
                attach(name, first, "conj")
        if not inside or first is not None:
            loosen(way)
    for name in sentence.words:
        if first is None or not is_entity(name) or name.start < ways[0].start or name.dep not in _LOST:
            continue
        above = (first.head, first.head.head if first.head is not None else None)
        if name.head is not None and (name.head in above or (is_entity(name.head) and name.head is not first)):
            attach(name, first, "conj")


def _way(word: Word) -> Word | None:
    """The preposition of "to the north"."""
    if word.lower not in _POINTS or word.mention is not None or word.dep != "pobj" or word.head is None:
        return None
    more = [one for one in word.children if one.dep not in ("det", "cc", "punct", "conj") and one.lower not in _WAYS]
    return word.head if word.head.lower in _WAYS and not more else None  # not "to the north of Oslo"
