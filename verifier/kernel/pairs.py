"""Where two sets of triples speak against each other, and what would have to change (KEA Explain, Algorithm 1)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from kgstore.embedding import Embedder
from kgstore.verifier.kernel.graphs import Triple
from kgstore.verifier.kernel.label_similarity import Labels

ENTITIES, RELATIONS = 0.8, 0.5
"""Cosines from which two heads or tails, and two relations, mean the same: the two thresholds of Algorithm 1, for which
the paper gives no figures. Relations are worded more freely ("was born in", "place of birth": 0.70)."""


class Part(StrEnum):
    """The place in a triple."""

    HEAD = "head"
    RELATION = "relation"
    TAIL = "tail"


@dataclass(frozen=True, slots=True)
class Pair:
    """Two triples that agree in two of three parts.

    :param claim: position of the claim triple; ``known`` of the known one
    :param differs: the third part
    :param cosines: of heads, relations and tails, 0 to 1
    """

    claim: int
    known: int
    differs: Part
    cosines: tuple[float, float, float]


class Action(StrEnum):
    """What to do with a triple."""

    DELETE = "delete"
    ADD = "add"


Edit = tuple[Action, Triple]


def contradictory_pairs(
    claim: Sequence[Triple], known: Sequence[Triple], embedder: Embedder, names: Collection[str] = ()
) -> list[Pair]:
    """The pairs in which two parts mean the same and the third does not, those that agree best first.

    That two triples differ in this way does not yet say that they exclude each other: most things have several
    occupations. Where one of two tails holds only part of the other's numbers ("5 May 1931", "1931") or all words of
    the other, it may be the same said less exactly, and there is no pair.

    >>> from kgstore.embedding import load_embedder
    >>> claim, known = [("France", "capital", "Rome")], [("France", "capital city", "Paris"), ("France", "area", "big")]
    >>> [(pair.known, pair.differs.value) for pair in contradictory_pairs(claim, known, load_embedder())]
    [(0, 'tail')]

    :param names: as in `kgstore.verifier.kernel.compare.likeness`
    """
    if not claim or not known:
        return []
    same = _same(claim, known, embedder, names)
    close = [layer >= least for layer, least in zip(same, (ENTITIES, RELATIONS, ENTITIES), strict=True)]
    agree = sum(one.astype(int) for one in close)
    found = []
    for i, k in np.argwhere(agree == 2):
        differs = next(part for part, one in zip(Part, close, strict=True) if not one[i, k])
        at = list(Part).index(differs)
        if differs is Part.RELATION or not _contained(claim[i][at], known[k][at]):
            head, relation, tail = (float(layer[i, k]) for layer in same)
            found.append(Pair(int(i), int(k), differs, (head, relation, tail)))
    return sorted(found, key=lambda pair: -sum(pair.cosines))


def edits(
    claim: Sequence[Triple], known: Sequence[Triple], embedder: Embedder, names: Collection[str] = ()
) -> list[Edit]:
    """Algorithm 1: delete each claim triple that no known triple means, add each known one that no claim triple means.

    Given the triples of contradictory pairs only, this is what to change so that they contradict no more.

    >>> from kgstore.embedding import load_embedder
    >>> for action, triple in edits([("France", "capital", "Rome")], [("France", "is", "big")], load_embedder()):
    ...     print(action, triple)
    delete ('France', 'capital', 'Rome')
    add ('France', 'is', 'big')
    """
    ones, others = list(dict.fromkeys(claim)), list(dict.fromkeys(known))
    if ones and others:
        heads, verbs, tails = _same(ones, others, embedder, names)
        equal = np.asarray((heads >= ENTITIES) & (verbs >= RELATIONS) & (tails >= ENTITIES))
    else:
        equal = np.zeros((len(ones), len(others)), bool)
    return [
        *((Action.DELETE, one) for one, row in zip(ones, equal, strict=True) if not row.any()),
        *((Action.ADD, one) for one, row in zip(others, equal.T, strict=True) if not row.any()),
    ]


def contrast(changes: Iterable[Edit]) -> str:
    """The changes as a sentence that sets what was said against what is known.

    >>> contrast([(Action.DELETE, ("France", "capital", "Rome")), (Action.ADD, ("France", "capital city", "Paris"))])
    'The text says “France · capital · Rome”; what is known says “France · capital city · Paris”.'
    """
    shown: dict[Action, list[str]] = {Action.DELETE: [], Action.ADD: []}
    for action, triple in changes:
        shown[action].append(f"“{' · '.join(triple)}”")
    said, known = (" and ".join(shown[action]) for action in Action)
    if not said or not known:
        return f"Only the text says {said}." if said else f"The text lacks {known}." if known else ""
    return f"The text says {said}; what is known says {known}."


def _same(
    claim: Sequence[Triple], known: Sequence[Triple], embedder: Embedder, names: Collection[str]
) -> list[np.ndarray]:
    """For heads, relations and tails the cosines, each ``(len(claim), len(known))``."""
    labels = Labels((label for triple in (*claim, *known) for label in triple), embedder, names)
    return [
        labels.between(ones, others)
        for ones, others in zip(zip(*claim, strict=True), zip(*known, strict=True), strict=True)
    ]


def _contained(one: str, other: str) -> bool:
    ours, theirs = (set(label.casefold().replace(",", " ").split()) for label in (one, other))
    return ours <= theirs or theirs <= ours
