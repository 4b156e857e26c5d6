"""The Weisfeiler-Lehman subtree kernel (Shervashidze et al. 2011), normalised: a plain count of shared patterns.

For graphs of some ten nodes this is faster than GraKeL, whose results it gives (a test compares them).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from kgstore.verifier.kernel.graphs import LabelGraph

ITERATIONS = 5
"""The paper's choice."""

Pattern = tuple[int, int]
"""Iteration, and a number for each pattern of it."""


def patterns(graphs: Sequence[LabelGraph], iterations: int = ITERATIONS) -> list[Counter[Pattern]]:
    """How often each subtree pattern occurs in each graph; equal patterns have equal numbers in all of them.

    A pattern of iteration 0 is a label; one of iteration i is a pattern of iteration i - 1 with those of the nodes that
    the edges lead to, and the labels of the edges.
    """
    rows: list[list[int]] = []
    known: dict[object, int] = {}
    for graph in graphs:
        rows.append([known.setdefault(label, len(known)) for label in graph.labels])
    found = [[(0, one) for one in row] for row in rows]
    for i in range(1, iterations + 1):
        seen: dict[object, int] = {}
        for g, graph in enumerate(graphs):
            row = rows[g]
            around = [sorted([(edge, row[n]) for edge, n in near]) for near in graph.near]
            rows[g] = [seen.setdefault((own, *near), len(seen)) for own, near in zip(row, around, strict=True)]
            found[g] += [(i, one) for one in rows[g]]
    return [Counter(one) for one in found]


def product(one: Counter[Pattern], other: Counter[Pattern]) -> int:
    """The dot product of two counts of patterns."""
    return sum(count * other[pattern] for pattern, count in one.items() if pattern in other)


def similarity(one: LabelGraph, other: LabelGraph, iterations: int = ITERATIONS) -> float:
    """The normalised kernel, 0 to 1; 0 if a graph is empty.

    >>> from kgstore.verifier.kernel.graphs import Shape, graph_of
    >>> euro, franc = ([("France", "capital", "Paris"), ("France", "currency", one)] for one in ("Euro", "Franc"))
    >>> round(similarity(graph_of(euro, Shape.RELATIONS), graph_of(franc, Shape.RELATIONS), 2), 9)  # the paper's 9/15
    0.6
    """
    return similarities((one, other), iterations)[0]


def similarities(graphs: Sequence[LabelGraph], iterations: int = ITERATIONS) -> list[float]:
    """The same for the first two graphs, the next two, and so on."""
    found = patterns(graphs, iterations)
    pairs = zip(found[::2], found[1::2], strict=True)
    return [_normalised(product(a, b), product(a, a) * product(b, b)) for a, b in pairs]


def _normalised(common: int, square: int) -> float:
    return common / square**0.5 if square else 0.0
