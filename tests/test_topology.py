"""The best ways between entities, against a search that tries everything."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from pathlib import Path

import networkx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kgstore import topology, topology_build
from kgstore.catalog_build import build_catalog
from kgstore.errors import IndexMissing
from kgstore.graph import Graph
from kgstore.profile import RDFS, WIKIDATA
from kgstore.topology import Edge, Topology

EX = "http://ex/"
Triples = list[tuple[str, str, str]]


def built(folder: Path, triples: Triples, profile=RDFS) -> Topology:
    graph = Graph(profile=profile)
    graph.bulk_load(f"<{s}> <{p}> <{o}> .\n".encode() for s, p, o in triples)
    folder.mkdir(parents=True, exist_ok=True)
    build_catalog(graph, profile, folder / "catalog.duckdb", topology=folder / "topology")
    return Topology(folder / "topology")


def ex(text: str) -> Triples:
    """``a p b, c q d`` as triples."""
    return [tuple(EX + name for name in one.split()) for one in text.split(",")]  # type: ignore[misc]


def short(path: tuple[Edge, ...]) -> str:
    return ", ".join(" ".join(iri.removeprefix(EX) for iri in (e.subject, e.property, e.object)) for e in path)


def ways(open_topology: Topology, a: str, b: str, **options) -> list[str]:
    found = open_topology.paths([EX + one for one in a.split()], [EX + one for one in b.split()], **options)
    return [short(path) for path in found]


def test_edges_that_come_in_runs_give_the_same_arrays(tmp_path: Path, monkeypatch):
    triples = [(f"{EX}e{i}", f"{EX}p{i % 2}", f"{EX}e{i * 7 % 5}") for i in range(40)]
    built(tmp_path / "whole", triples).close()
    monkeypatch.setattr(topology_build, "_CHUNK", 3)
    built(tmp_path / "runs", triples).close()
    for name in ("start.npy", "other.npy", "link.npy", "topology.json"):
        whole, runs = (tmp_path / one / "topology" / name for one in ("whole", "runs"))
        assert whole.read_bytes() == runs.read_bytes()


def test_a_way_may_go_against_the_direction_of_its_edges(tmp_path: Path):
    with built(tmp_path, ex("a knows b, c knows b")) as links:
        assert ways(links, "a", "c") == ["a knows b, c knows b"]


def test_the_shortest_way_comes_first_and_among_equals_the_one_past_the_least_known_entity(tmp_path: Path):
    triples = ex("a p hub, hub p z, a p rare, rare p z, a q x, x q y, y q z")
    triples += [(f"{EX}n{i}", f"{EX}p", f"{EX}hub") for i in range(9)]
    with built(tmp_path, triples) as links:
        assert ways(links, "a", "z") == ["a p rare, rare p z", "a p hub, hub p z", "a q x, x q y, y q z"]


def test_several_statements_between_two_entities_are_several_ways_of_one_hop(tmp_path: Path):
    with built(tmp_path, ex("a p b, a q b, b p a")) as links:
        assert sorted(ways(links, "a", "b")) == ["a p b", "a q b", "b p a"]


def test_a_longer_way_names_the_rarest_property_of_each_step(tmp_path: Path):
    with built(tmp_path, ex("a common b, a rare b, b common c, x common y")) as links:
        assert ways(links, "a", "c") == ["a rare b, b common c"]


def test_no_way_passes_another_source_or_target(tmp_path: Path):
    with built(tmp_path, ex("a p b, b p c")) as links:
        assert ways(links, "a b", "c") == ["b p c"]


@pytest.mark.parametrize(("hops", "found"), [(1, 0), (2, 0), (3, 1)])
def test_ways_keep_to_the_number_of_hops(tmp_path: Path, hops: int, found: int):
    with built(tmp_path, ex("a p b, b p c, c p d")) as links:
        assert len(ways(links, "a", "d", max_hops=hops)) == found


def test_more_than_three_hops_are_refused(tmp_path: Path):
    with built(tmp_path, ex("a p b")) as links, pytest.raises(ValueError, match="1 to 3"):
        links.paths([EX + "a"], [EX + "b"], max_hops=4)


@pytest.mark.parametrize(("a", "b"), [("a", "nobody"), ("nobody", "a"), ("", "a"), ("a", "a"), ("a", "far")])
def test_no_way_is_an_empty_list(tmp_path: Path, a: str, b: str):
    with built(tmp_path, ex("a p b, far p away")) as links:
        assert ways(links, a, b) == []


def test_an_entity_linked_to_itself_does_no_harm(tmp_path: Path):
    with built(tmp_path, ex("a p a, a p b, b p b, b p c")) as links:
        assert ways(links, "a", "c") == ["a p b, b p c"]


def test_neighbours_come_both_ways_round_with_the_least_known_first(tmp_path: Path):
    with built(tmp_path, ex("a p b, c q a, b p x, b p y, b p z")) as links:
        assert [short((edge,)) for edge in links.neighbours(EX + "a")] == ["c q a", "a p b"]
        assert len(links.neighbours(EX + "a", limit=1)) == 1
        assert links.neighbours(EX + "nobody") == []


def test_links_to_properties_are_left_out(tmp_path: Path):
    wd, wdt = "http://www.wikidata.org/entity/", "http://www.wikidata.org/prop/direct/"
    triples = [(wd + "Q1", wdt + "P1", wd + "Q2"), *((wd + one, wdt + "P9", wd + "P1") for one in ("Q1", "Q3"))]
    with built(tmp_path, triples, WIKIDATA) as links:
        assert len(links) == 1
        assert links.paths([wd + "Q1"], [wd + "Q3"]) == []
        assert links.paths([wd + "Q2"], [wd + "Q1"]) == [(Edge(wd + "Q1", wd + "P1", wd + "Q2"),)]


def test_a_graph_without_edges_has_no_ways(tmp_path: Path):
    with built(tmp_path, []) as links:
        assert len(links) == 0
        assert ways(links, "a", "b") == []


def test_a_missing_topology_says_what_to_do(tmp_path: Path):
    with pytest.raises(IndexMissing, match="kgstore index"):
        Topology(tmp_path / "topology")


def test_a_closed_topology_can_be_closed_again(tmp_path: Path):
    links = built(tmp_path, ex("a p b"))
    links.close()
    links.close()


# -- against brute force -------------------------------------------------------------------------


def random_triples(seed: int, nodes: int = 40, edges: int = 70) -> Triples:
    draw = np.random.default_rng(seed)
    skewed = (nodes * draw.random((edges, 2)) ** 2).astype(int)
    return sorted({(f"{EX}n{a}", f"{EX}p{draw.integers(3)}", f"{EX}n{b}") for a, b in skewed.tolist()})


def all_ways(triples: Triples, sources: list[str], targets: list[str]) -> Iterator[tuple[int, int, tuple[str, ...]]]:
    """Hops, sum of the inner degrees, and entities of every way of at most three hops."""
    near = networkx.Graph((s, o) for s, _, o in triples)
    degree = dict.fromkeys(near, 0)
    for s, _, o in triples:
        degree[s] += 1
        degree[o] += 1
    ends = {*sources, *targets}
    for a, b in product(sources, targets):
        if a in near and b in near and a not in targets and b not in sources:
            for nodes in networkx.all_simple_paths(near, a, b, cutoff=3):
                if not ends & set(nodes[1:-1]):
                    yield len(nodes) - 1, sum(degree[node] for node in nodes[1:-1]), tuple(nodes)


def walked(path: tuple[Edge, ...], start: str) -> tuple[str, ...]:
    nodes = [start]
    for edge in path:
        assert nodes[-1] in (edge.subject, edge.object)
        nodes.append(edge.object if nodes[-1] == edge.subject else edge.subject)
    return tuple(nodes)


@pytest.fixture(scope="module")
def many(tmp_path_factory) -> Iterator[list[tuple[Triples, Topology]]]:
    all_triples = [random_triples(seed) for seed in range(4)]
    graphs = [(triples, built(tmp_path_factory.mktemp("random"), triples)) for triples in all_triples]
    yield graphs
    for _, links in graphs:
        links.close()


ENDS = st.lists(st.integers(0, 39), min_size=1, max_size=3, unique=True)


@pytest.mark.parametrize("hub", [topology.HUB, 3])
@settings(max_examples=150, deadline=None)
@given(graph=st.integers(0, 3), k=st.integers(1, 30), sources=ENDS, targets=ENDS)
def test_the_best_ways_are_those_that_brute_force_finds(many, hub: int, graph: int, k: int, sources, targets):
    triples, links = many[graph]
    starts = [f"{EX}n{one}" for one in sources]
    ends = [f"{EX}n{one}" for one in targets if one not in sources]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(topology, "HUB", hub)
        found = links.paths(starts, ends, k=k)
    assert all((edge.subject, edge.property, edge.object) in triples for path in found for edge in path)
    wanted = {nodes: (hops, cost) for hops, cost, nodes in all_ways(triples, starts, ends)}
    nodes = []
    for path in found:
        begins = [one for one in (path[0].subject, path[0].object) if one in starts]
        nodes.append(next(way for way in (walked(path, one) for one in begins) if way in wanted))
    costs = [wanted[way] for way in nodes]
    longer = [way for way in nodes if len(way) > 2]
    assert len(set(longer)) == len(longer)
    assert costs == sorted(costs)
    if hub > 100:  # else a way between two hubs may be left out
        direct = sum(1 for s, _, o in triples for a, b in product(starts, ends) if {s, o} == {a, b} and s != o)
        rest = sorted(cost for cost in wanted.values() if cost[0] > 1)
        assert costs == ([(1, 0)] * direct + rest)[:k]


def test_only_ways_between_two_hubs_with_a_hub_on_the_other_side_are_left_out(tmp_path: Path, monkeypatch):
    triples = ex("a p left, left p right, right p z")
    triples += [(f"{EX}l{i}", f"{EX}p", f"{EX}left") for i in range(5)]
    triples += [(f"{EX}r{i}", f"{EX}p", f"{EX}right") for i in range(5)]
    monkeypatch.setattr(topology, "HUB", 3)
    with built(tmp_path, triples) as links:
        assert ways(links, "a", "z") == ["a p left, left p right, right p z"]


def test_listing_stops_at_its_limit_with_the_least_connected_entities_done(tmp_path: Path, monkeypatch):
    triples = ex("a p few, few p m, a p lots, lots p n, m p z, n p z")
    triples += [(f"{EX}{name}{i}", f"{EX}p", EX + name) for name, i in product(("lots", "m", "n"), range(6))]
    monkeypatch.setattr(topology, "LISTED", 3)
    with built(tmp_path, triples) as links:
        assert ways(links, "a", "z") == ["a p few, few p m, m p z"]
