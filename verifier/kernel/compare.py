"""How alike are two sets of triples, a text's claims and what is known? The comparison of KEA Explain."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from kgstore.embedding import Embedder
from verifier.kernel.clusters import DISTANCE, merged
from verifier.kernel.graphs import Shape, Triple, graph_of
from verifier.kernel.wl import ITERATIONS, similarity


@dataclass(frozen=True, slots=True)
class Setting:
    """The choices of a comparison.

    :param shape: how triples become graphs
    :param distance: up to which labels are merged
    :param iterations: of the kernel
    """

    shape: Shape
    distance: float = DISTANCE
    iterations: int = ITERATIONS


PAPER = Setting(Shape.ENTITIES)
"""The paper's choices."""
DEFAULT = Setting(Shape.ROLES)


@dataclass(frozen=True, slots=True)
class Likeness:
    """What a comparison found.

    :param score: of the whole claim graph, 0 to 1; 0 where nothing is known
    :param each: the same for each claim triple against the known triple that was selected for it
    :param selected: for each claim triple the position of the known triple closest in meaning, None where none is known
    :param cosines: of each claim triple and the known triple selected for it, -1 to 1; 0 where none is known
    """

    score: float
    each: tuple[float, ...]
    selected: tuple[int | None, ...]
    cosines: tuple[float, ...]


def likeness(
    claim: Sequence[Triple], known: Sequence[Triple], embedder: Embedder, setting: Setting = DEFAULT
) -> Likeness:
    """Compare the triples of a text with those of a KG or a document.

    For each claim triple the closest known triple is selected, labels that mean the same are merged over both, and the
    Weisfeiler-Lehman kernel of the claims and of the selected triples is the score. Nothing is remembered from call to
    call but what the embedder remembers.

    >>> from kgstore.embedding import load_embedder
    >>> known = [("Ada Lovelace", "place of birth", "London"), ("Ada Lovelace", "occupation", "mathematician")]
    >>> found = likeness([("Ada Lovelace", "place of birth", "London")], known, load_embedder())
    >>> found.selected, round(found.score, 9)
    ((0,), 1.0)

    :param claim: (head, relation, tail) in words; pronouns resolved, dates and amounts as text
    :param known: the same of the KG or the document, in any number and order
    :param embedder: `kgstore.store.Store.embedder`, or `kgstore.embedding.load_embedder`
    """
    if not claim or not known:
        return Likeness(0.0, (0.0,) * len(claim), (None,) * len(claim), (0.0,) * len(claim))
    chosen, cosines = select(claim, known, embedder)
    kept = [known[i] for i in dict.fromkeys(chosen)]
    names = merged((label for triple in (*claim, *kept) for label in triple), embedder, setting.distance)

    def alike(one: Sequence[Triple], other: Sequence[Triple]) -> float:
        first, second = (graph_of(triples, setting.shape, names) for triples in (one, other))
        return similarity(first, second, setting.iterations)

    each = tuple(alike([triple], [known[i]]) for triple, i in zip(claim, chosen, strict=True))
    return Likeness(alike(claim, kept), each, tuple(chosen), tuple(cosines))


def select(
    claim: Sequence[Triple], known: Sequence[Triple], embedder: Embedder
) -> tuple[list[int], list[float]]:
    """For each claim triple the position of the known triple whose sentence "h r t" is closest, and the cosine.

    The paper's relation selection (equation 1); of equals the first.
    """
    vectors = embedder.embed([" ".join(triple) for triple in (*claim, *known)])
    cosines = vectors[: len(claim)] @ vectors[len(claim) :].T
    best = np.argmax(cosines, axis=1)
    return best.tolist(), cosines[np.arange(len(claim)), best].tolist()
