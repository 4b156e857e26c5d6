"""Sentences of a document that bear out a claim only together: "He was born in Oslo" needs the one before it."""

from __future__ import annotations

import numpy as np

from kgstore.verifier.document.entailment import WINDOW
from kgstore.verifier.document.source import Document, Premise
from kgstore.verifier.document.verbatim import telling

_AMONG = 64
"""Of the sentences nearest in meaning so many may be joined."""
_LIKE = 0.5
"""What the cosine with the claim counts, beside the share of the claim's words that a sentence adds."""
_FULL = 40
"""Characters that are not worth another sentence."""


def joined(document: Document, claim: str, likeness: np.ndarray) -> list[Premise]:
    """What is read beside single sentences: the nearest one with its neighbours, and the `covering` ones.

    :param likeness: of the claim and each of the document's sentences, ``(sentences,)``
    """
    if not len(likeness):
        return []
    best = int(likeness.argmax())
    around = tuple(range(max(0, best - 1), min(len(likeness), best + 2)))
    return list(dict.fromkeys((around, covering(document, claim, likeness))))


def covering(document: Document, claim: str, likeness: np.ndarray, longest: int = WINDOW) -> Premise:
    """Sentences like the claim that have as many of its words as they can, together at most ``longest`` characters
    (or one sentence); the one that adds most is taken first.

    :param likeness: as of `joined`, not empty
    """
    missing = set(telling(claim))
    all_of_them = max(1, len(missing))
    left = np.argsort(-likeness, kind="stable")[:_AMONG].tolist()
    taken: list[int] = []
    size = 0
    while left and (not taken or size <= longest - _FULL):
        gains = [len(missing.intersection(document.telling[at])) / all_of_them + _LIKE * likeness[at] for at in left]
        number = left.pop(int(np.argmax(gains)))
        needed = len(document.sentences[number]) + bool(taken)
        if taken and size + needed > longest:
            continue
        taken.append(number)
        size += needed
        missing.difference_update(document.telling[number])
    return tuple(sorted(taken))
