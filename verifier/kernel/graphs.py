"""Triples as graphs with labels, as the Weisfeiler-Lehman kernel reads them (KEA Explain)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from kgstore.verifier.claims import Triple


class Shape(StrEnum):
    """How triples become a graph.

    - ``entities``: a node for each head and tail, an edge from head to tail, one edge for each such pair. The labels of
      relations do not enter. This is what the numbers of the paper were made with: it gives each score that is stored
      with its SummEval and WikiBio graphs.
    - ``relations``: each triple has a node for its relation, with edges to its head and tail that have no direction.
      This is the paper's worked example.
    - ``edges``: a node for each head and tail, and an edge from head to tail for each triple, labelled with its
      relation, so that relations count, direction counts, and two relations of one pair are two edges.
    """

    ENTITIES = "entities"
    RELATIONS = "relations"
    EDGES = "edges"


@dataclass(frozen=True, slots=True)
class LabelGraph:
    """Nodes with labels, and for each node the nodes that its edges lead to.

    :param labels: one a node
    :param near: for each node (label of the edge, other node); an edge without direction is seen from both ends
    """

    labels: tuple[str, ...]
    near: tuple[tuple[tuple[str, int], ...], ...]


def graph_of(triples: Sequence[Triple], shape: Shape, names: Mapping[str, str] | None = None) -> LabelGraph:
    """The graph of some triples; a triple that is there twice counts once.

    >>> graph_of([("Ada", "born in", "London")], Shape.EDGES)
    LabelGraph(labels=('Ada', 'London'), near=((('born in', 1),), ()))

    :param names: label -> the label that stands for it and all that mean the same, see `verifier.kernel.clusters`
    """
    renamed = dict.fromkeys(tuple(names.get(one, one) if names else one for one in triple) for triple in triples)
    labels = list(dict.fromkeys(end for head, _, tail in renamed for end in (head, tail)))
    at = {label: i for i, label in enumerate(labels)}
    near: list[dict[tuple[str, int], None]] = [{} for _ in labels]
    for head, relation, tail in renamed:
        if shape is not Shape.RELATIONS:
            near[at[head]][relation if shape is Shape.EDGES else "", at[tail]] = None
            continue
        node = len(labels)
        labels.append(relation)
        near.append({("", at[head]): None, ("", at[tail]): None})
        near[at[head]]["", node] = near[at[tail]]["", node] = None
    return LabelGraph(tuple(labels), tuple(map(tuple, near)))
