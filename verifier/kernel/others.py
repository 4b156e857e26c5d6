"""The kernels of GraKeL (extra kea), by the names of its classes, in place of our own.

They see labels of nodes, and most of them none of edges: with them relations are nodes, see `Shape.RELATIONS`.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from inspect import isclass

import numpy as np

from kgstore.errors import InputError
from kgstore.verifier.kernel.graphs import LabelGraph

SEED = 13
"""Of the kernels that draw samples."""


def names() -> list[str]:
    """The kernels that this GraKeL has."""
    from grakel import kernels

    return sorted(name for name in vars(kernels) if isclass(one := getattr(kernels, name)) and one.__name__ != "Kernel")


def by_name(graphs: Sequence[LabelGraph], name: str) -> list[float]:
    """The normalised kernel of the first two graphs, of the next two, and so on; 0 if a graph is empty.

    :raises InputError: if GraKeL has no such kernel, or it cannot compare such graphs
    """
    if name not in names():
        raise InputError(f"GraKeL has no kernel {name}", f"choose one of {', '.join(names())}")
    pairs = list(zip(graphs[::2], graphs[1::2], strict=True))
    return [_one(name, one, other) if one.labels and other.labels else 0.0 for one, other in pairs]


def _one(name: str, one: LabelGraph, other: LabelGraph) -> float:
    from grakel import kernels

    kind = getattr(kernels, name)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of scikit-learn and NumPy, about how GraKeL calls them
        try:
            options = {"normalize": True} | ({"random_state": SEED} if "random_state" in kind().get_params() else {})
            found = float(kind(**options).fit_transform([_graph(one), _graph(other)])[0, 1])
        except Exception as error:  # each kernel has its own
            why = " ".join(str(error).split())[:200] or type(error).__name__
            raise InputError(f"GraKeL's {name} cannot compare these graphs ({why})", "choose another kernel") from None
    return min(1.0, max(0.0, found)) if np.isfinite(found) else 0.0


def _graph(graph: LabelGraph) -> object:
    from grakel import Graph

    edges = {at: {other: 1.0 for _, other in near} for at, near in enumerate(graph.near)}
    marks = {(at, other): edge for at, near in enumerate(graph.near) for edge, other in near}
    return Graph(edges, node_labels=dict(enumerate(graph.labels)), edge_labels=marks or None)
