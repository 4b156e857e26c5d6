"""The Weisfeiler-Lehman subtree kernel (Shervashidze et al. 2011), normalised; a plain count of shared patterns.

For graphs of some ten nodes this is faster than GraKeL, whose results it gives (a test compares them).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from verifier.kernel.graphs import LabelGraph

ITERATIONS = 5
"""The paper's choice."""


def patterns(graphs: Sequence[LabelGraph], iterations: int = ITERATIONS) -> list[Counter[int]]:
    """How often each subtree pattern occurs in each graph; equal numbers are equal patterns.

    A pattern of iteration 0 is a label; one of iteration i is a label with the patterns i - 1 of the neighbours.
    """
    known: dict[object, int] = {}
    rows = [[known.setdefault(label, len(known)) for label in graph.labels] for graph in graphs]
    found = [Counter(row) for row in rows]
    for _ in range(iterations):
        seen: dict[object, int] = {}
        base = len(known)
        for g, graph in enumerate(graphs):
            row = rows[g]
            rows[g] = [
                base + seen.setdefault((row[i], *sorted((side, row[j]) for side, j in near)), len(seen))
                for i, near in enumerate(graph.near)
            ]
            found[g].update(rows[g])
        known.update(((base, key), number) for key, number in seen.items())
    return found


def product(one: Counter[int], other: Counter[int]) -> int:
    """The dot product of two counts of patterns."""
    return sum(count * other[pattern] for pattern, count in one.items() if pattern in other)


def similarity(one: LabelGraph, other: LabelGraph, iterations: int = ITERATIONS) -> float:
    """The normalised kernel, 0 to 1; 0 if a graph is empty.

    >>> from verifier.kernel.graphs import Shape, graph_of
    >>> euro, franc = ([("France", "capital", "Paris"), ("France", "currency", one)] for one in ("Euro", "Franc"))
    >>> round(similarity(graph_of(euro, Shape.RELATIONS), graph_of(franc, Shape.RELATIONS), 2), 9)  # the paper's 9/15
    0.6
    """
    first, second = patterns((one, other), iterations)
    square = product(first, first) * product(second, second)
    return product(first, second) / square**0.5 if square else 0.0
