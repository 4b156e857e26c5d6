"""Parts of a KG as other packages hold graphs: networkx, GraphML, DOT, and rdflib."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import networkx
    import rdflib

    from kgstore.graph import Graph
    from kgstore.topology import Edge, Topology


@dataclass(frozen=True, slots=True)
class Link:
    """An edge with its names; ``subject`` and ``object`` tell nodes apart, as ids or IRIs."""

    subject: str
    property: str
    object: str
    labels: tuple[str, str, str]


def around(
    topology: Topology, label: Callable[[str], str], entity: str, hops: int = 1, limit: int = 50, most: int = 2000
) -> list[Link]:
    """The statements between entities in the neighbourhood of one, each once, nearest first.

    :param limit: statements of one entity that are followed, those with the least known others first
    :param most: entities in all; those that are further out are left out
    """
    reached, edge_of = [entity], {entity: 0}
    links: dict[Edge, None] = {}
    for iri in reached:
        if edge_of[iri] >= hops:
            break
        for edge in topology.neighbours(iri, limit):
            for end in (edge.subject, edge.object):
                if end not in edge_of and len(reached) < most:
                    edge_of[end] = edge_of[iri] + 1
                    reached.append(end)
            if edge.subject in edge_of and edge.object in edge_of:
                links[edge] = None
    return [link_of(label, edge.subject, edge.property, edge.object) for edge in links]


def link_of(label: Callable[[str], str], *parts: str) -> Link:
    subject, prop, obj = parts
    return Link(subject, prop, obj, (label(subject), label(prop), label(obj)))


def to_networkx(links: Iterable[Link]) -> networkx.MultiDiGraph:
    """Nodes and edges (their key is the property) with a ``label`` each."""
    import networkx

    graph = networkx.MultiDiGraph()
    for one in links:
        subject, prop, obj = one.labels
        graph.add_node(one.subject, label=subject)
        graph.add_node(one.object, label=obj)
        graph.add_edge(one.subject, one.object, key=one.property, label=prop)
    return graph


def graphml(links: Iterable[Link]) -> str:
    """As networkx writes it, for Gephi, yEd and Cytoscape."""
    import networkx

    return "\n".join(networkx.generate_graphml(to_networkx(links))) + "\n"


def dot(links: Sequence[Link]) -> str:
    """For Graphviz.

    >>> print(dot([Link("Q1", "P1", "Q2", ("Ada", "met", 'the "Duke"'))]), end="")
    digraph {
      "Q1" [label="Ada"];
      "Q2" [label="the \\"Duke\\""];
      "Q1" -> "Q2" [label="met"];
    }
    """
    names = {end: label for one in links for end, label in ((one.subject, one.labels[0]), (one.object, one.labels[2]))}
    lines = [f"  {_quoted(end)} [label={_quoted(label)}];" for end, label in names.items()]
    lines += [f"  {_quoted(one.subject)} -> {_quoted(one.object)} [label={_quoted(one.labels[1])}];" for one in links]
    return "\n".join(["digraph {", *lines, "}", ""])


def _quoted(text: str) -> str:
    plain = " ".join(text.split()).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{plain}"'


def as_rdflib(graph: Graph) -> rdflib.Graph:
    """The triples themselves, not a copy, behind rdflib's interface; a finished KG cannot be written to."""
    from oxrdflib import OxigraphStore
    from rdflib import Graph
    from rdflib.graph import DATASET_DEFAULT_GRAPH_ID

    return Graph(store=OxigraphStore(store=graph.store), identifier=DATASET_DEFAULT_GRAPH_ID)
