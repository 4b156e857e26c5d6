"""Triples as graphs with labels, as the Weisfeiler-Lehman kernel reads them (KEA Explain)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

Triple = tuple[str, str, str]
"""Head, relation, tail in words."""


class Shape(StrEnum):
    """How triples become a graph.

    - ``entities``: a node for each head and tail, an edge from head to tail, one edge for each such pair. The labels of
      relations do not enter. This is what the numbers of the paper were made with: it gives each score that is stored
      with its SummEval and WikiBio graphs.
    - ``relations``: each triple has a node for its relation, with edges to its head and tail that have no direction.
      This is the paper's worked example.
    - ``roles``: the same, and each end of an edge knows whether it is head or tail, so that direction counts.
    """

    ENTITIES = "entities"
    RELATIONS = "relations"
    ROLES = "roles"


@dataclass(frozen=True, slots=True)
class LabelGraph:
    """Nodes with labels, and for each node its neighbours.

    :param labels: one a node
    :param near: for each node its neighbours, as (side, node); side says how the edge is seen from here, 0 or 1
    """

    labels: tuple[str, ...]
    near: tuple[tuple[tuple[int, int], ...], ...]


def graph_of(triples: Sequence[Triple], shape: Shape, names: Mapping[str, str] | None = None) -> LabelGraph:
    """The graph of some triples; a triple that is there twice counts once.

    >>> graph_of([("Ada", "born in", "London")], Shape.RELATIONS)
    LabelGraph(labels=('Ada', 'London', 'born in'), near=(((0, 2),), ((0, 2),), ((0, 0), (0, 1))))

    :param names: label -> the label that stands for it and all that mean the same, see `verifier.kernel.clusters`
    """
    renamed = dict.fromkeys(tuple(names.get(one, one) if names else one for one in triple) for triple in triples)
    ends = dict.fromkeys(end for head, _, tail in renamed for end in (head, tail))
    labels, at = list(ends), {label: i for i, label in enumerate(ends)}
    near: list[dict[tuple[int, int], None]] = [{} for _ in labels]
    for head, relation, tail in renamed:
        if shape is Shape.ENTITIES:
            near[at[head]][0, at[tail]] = None
            continue
        node, behind = len(labels), int(shape is Shape.ROLES)
        labels.append(relation)
        near.append(dict.fromkeys([(0, at[head]), (behind, at[tail])]))
        near[at[head]][0, node] = None
        near[at[tail]][behind, node] = None
    return LabelGraph(tuple(labels), tuple(map(tuple, near)))
