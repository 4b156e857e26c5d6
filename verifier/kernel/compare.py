"""How alike are two sets of triples, a text's claims and what is known? The comparison of KEA Explain."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

from kgstore.embedding import Embedder
from kgstore.verifier.kernel.clusters import DISTANCE, merged
from kgstore.verifier.kernel.graphs import Shape, Triple, graph_of
from kgstore.verifier.kernel.label_similarity import Labels
from kgstore.verifier.kernel.others import by_name
from kgstore.verifier.kernel.wl import ITERATIONS, similarities


@dataclass(frozen=True, slots=True)
class Setting:
    """The choices of a comparison.

    :param shape: how triples become graphs
    :param distance: up to which labels are merged
    :param iterations: of the kernel
    :param weakest: share of the score, 0 to 1, that is not the kernel but the mean over the claim triples of their
        weakest part: the least of the three cosines with the known triple that fits best, either way round
    :param kernel: one of GraKeL's in place of ours, see `kgstore.verifier.kernel.others`
    """

    shape: Shape
    distance: float = DISTANCE
    iterations: int = ITERATIONS
    weakest: float = 0.0
    kernel: str = ""


PAPER = Setting(Shape.ENTITIES)
"""The paper's choices."""

DEFAULT = Setting(Shape.EDGES, distance=0.5, iterations=1, weakest=0.5)
"""Chosen on one half of the paper's SummEval and WikiBio graphs, measured on the other by `tests.bench.bench_kea`:

- relations count, as labels of directed edges, several between the same two: the paper's kernel does not see them
- one iteration: what is further away differs more often because something else is missing than because it is wrong
- labels are merged up to 0.5, since a wrong merger is now held in check by the next
- half of the score is the weakest part, a cosine: a kernel knows only same and different, and a triple with one wrong
  part has two right ones
"""


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
    claim: Sequence[Triple],
    known: Sequence[Triple],
    embedder: Embedder,
    setting: Setting = DEFAULT,
    names: Collection[str] = (),
) -> Likeness:
    """Compare the triples of a text with those of a KG or a document.

    For each claim triple the closest known triple is selected, labels that mean the same are merged over both, and the
    Weisfeiler-Lehman kernel of the claims and of the selected triples is the score. A document that is compared again
    and again is embedded once with `kgstore.verifier.kernel.memory.Memory`.

    >>> from kgstore.embedding import load_embedder
    >>> known = [("Ada Lovelace", "place of birth", "London"), ("Ada Lovelace", "occupation", "mathematician")]
    >>> found = likeness([("Ada Lovelace", "place of birth", "London")], known, load_embedder())
    >>> found.selected, round(found.score, 9)
    ((0,), 1.0)

    :param claim: (head, relation, tail) in words; pronouns resolved, dates and amounts as text
    :param known: the same of the KG or the document, in any number and order
    :param embedder: `kgstore.store.Store.embedder`, or `kgstore.embedding.load_embedder`
    :param names: labels that name one entity each, so that two of them are two things however close their meanings are
    """
    if not claim or not known:
        return Likeness(0.0, (0.0,) * len(claim), (None,) * len(claim), (0.0,) * len(claim))
    chosen, cosines = select(claim, known, embedder)
    kept = [known[i] for i in dict.fromkeys(chosen)]
    score, each = compared(claim, kept, embedder, setting, names)
    return Likeness(score, each, tuple(chosen), tuple(cosines))


def select(claim: Sequence[Triple], known: Sequence[Triple], embedder: Embedder) -> tuple[list[int], list[float]]:
    """For each claim triple the position of the known triple whose sentence "h r t" is closest, and the cosine.

    The paper's relation selection (equation 1); of equals the first.
    """
    vectors = embedder.embed([" ".join(triple) for triple in (*claim, *known)])
    cosines = vectors[: len(claim)] @ vectors[len(claim) :].T
    best = np.argmax(cosines, axis=1)
    return best.tolist(), cosines[np.arange(len(claim)), best].tolist()


def compared(
    claim: Sequence[Triple],
    known: Sequence[Triple],
    embedder: Embedder,
    setting: Setting = DEFAULT,
    names: Collection[str] = (),
) -> tuple[float, tuple[float, ...]]:
    """The score of two sets of triples as they are, and that of each claim triple with the known one that fits it best.

    :param known: at least one
    """
    labels = Labels((label for triple in (*claim, *known) for label in triple), embedder, names)
    same = merged(labels, setting.distance)

    weakest = weakest_parts(claim, known, labels)
    best = weakest.argmax(axis=1)
    shape = Shape.RELATIONS if setting.kernel and setting.shape is Shape.EDGES else setting.shape
    share, least = setting.weakest, weakest.max(axis=1)
    pairs = [(claim, known), *(([one], [known[k]]) for one, k in zip(claim, best.tolist(), strict=True))]
    graphs = [graph_of(triples, shape, same) for pair in pairs for triples in pair]
    whole, *alone = by_name(graphs, setting.kernel) if setting.kernel else similarities(graphs, setting.iterations)
    each = ((1 - share) * one + share * part for one, part in zip(alone, least.tolist(), strict=True))
    return (1 - share) * whole + share * float(least.mean()), tuple(each)


def weakest_parts(claim: Sequence[Triple], known: Sequence[Triple], labels: Labels) -> np.ndarray:
    """Float32 ``(len(claim), len(known))``: the least cosine of their heads, relations and tails, 0 to 1.

    Head and tail may change places: "A wrote B" and "B was written by A".
    """
    heads, relations, tails = zip(*claim, strict=True)
    ours, verbs, others = zip(*known, strict=True)
    straight = np.minimum(labels.between(heads, ours), labels.between(tails, others))
    turned = np.minimum(labels.between(heads, others), labels.between(tails, ours))
    return np.minimum(np.maximum(straight, turned), labels.between(relations, verbs))
