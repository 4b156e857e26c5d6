"""KGTK edges: of Wikidata as statements, of other vocabularies as triples with qualifiers."""

from __future__ import annotations

from decimal import Decimal

import pytest

from kgstore.graph import Graph
from kgstore.loaders.filters import Filters
from kgstore.loaders.protocol import Block, Skipped
from kgstore.loaders.table import TableLoader
from kgstore.model import NamedNode, Quantity, Rank, Statement, Time
from kgstore.prefixes import WELL_KNOWN, expand
from kgstore.profile import RDFS, WIKIDATA

WIKIDATA_EDGES = """\
id\tnode1\tlabel\tnode2\trank\tnode2;wikidatatype
l1\tQ42\tlabel\t'Douglas Adams'@en\t\t
l2\tQ42\tlabel\t'Дуглас Адамс'@ru\t\t
l3\tP69\tlabel\t'educated at'@en\t\t
Q42-P69-a\tQ42\tP69\tQ691283\tnormal\twikibase-item
q1\tQ42-P69-a\tP580\t^1971-01-01T00:00:00Z/9\t\ttime
Q42-P569-a\tQ42\tP569\t^1952-03-11T00:00:00Z/11\tnormal\ttime
Q42-P2048-a\tQ42\tP2048\t+1.96[1.95,1.97]Q11573\tnormal\tquantity
Q42-P551-a\tQ42\tP551\tQ84\tpreferred\twikibase-item
Q42-P551-b\tQ42\tP551\tQ2807\tnormal\twikibase-item
Q42-P213-a\tQ42\tP213\t"0000 \\"80\\""\tdeprecated\texternal-id
Q42-P625-a\tQ42\tP625\t@95.0/10.0\tnormal\tglobe-coordinate
Q42-P31-a\tQ42\tP31\t\tnormal\twikibase-item
"""


@pytest.fixture
def load(tmp_path):
    def of(text: str, profile) -> tuple[Graph, list[tuple[int | None, str]]]:
        path = tmp_path / "edges.tsv"
        path.write_text(text, encoding="utf-8")
        items = list(TableLoader("kg", "\t").read(path, Filters()))
        graph = Graph(profile=profile)
        graph.bulk_load([item.data for item in items if isinstance(item, Block)])
        return graph, [(item.line, item.reason) for item in items if isinstance(item, Skipped)]

    return of


def of(graph: Graph, property: str) -> dict[object, Statement]:
    return {one.value: one for one in graph.statements(expand("Q42"), expand(property))}


def test_edges_of_wikidata_become_statements(load):
    graph, skipped = load(WIKIDATA_EDGES, WIKIDATA)
    (study,) = of(graph, "P69").values()
    assert study.id == expand("wds:Q42-P69-a") and study.value == NamedNode(expand("Q691283"))
    assert study.qualifiers == ((NamedNode(expand("P580")), Time("+1971-00-00T00:00:00Z", 9)),)
    assert set(of(graph, "P569")) == {Time("+1952-03-11T00:00:00Z", 11)}
    metre = WELL_KNOWN["wd"] + "Q11573"
    assert set(of(graph, "P2048")) == {Quantity(Decimal("1.96"), metre, Decimal("1.95"), Decimal("1.97"))}
    ranks = {value.value: one.rank for value, one in of(graph, "P551").items()}
    assert ranks == {expand("Q84"): Rank.PREFERRED, expand("Q2807"): Rank.NORMAL}
    truthy = [one.object for one in graph.match(expand("Q42"), expand("wdt:P551"))]
    assert truthy == [NamedNode(expand("Q84"))]
    assert not list(graph.match(expand("Q42"), expand("wdt:P213")))
    (code,) = of(graph, "P213").values()
    assert code.value.value == '0000 "80"' and code.rank is Rank.DEPRECATED
    names = {triple.object.value for triple in graph.match(expand("Q42"), WELL_KNOWN["rdfs"] + "label")}
    assert names == {"Douglas Adams"}
    assert skipped == [
        (12, "row: coordinate lies off the globe"),
        (13, "row: no node1, label or node2"),
    ]


def test_edges_of_other_vocabularies_become_triples_with_qualifiers(load):
    graph, skipped = load(
        "id\tnode1\tlabel\tnode2\ne1\tada\tworks_for\tmill|engines\ne2\tada\tborn\t^1815-12-10T00:00:00Z/11\n"
        'e3\tada\tmotto\t"say ""\ne4\tengines\tlabel\tEngines Ltd\nq1\te2\tsource\t"a letter"\n',
        RDFS,
    )
    base = "urn:kgstore:kg/"
    assert {one.value.value for one in graph.statements(base + "ada", base + "works_for")} == {
        base + "mill",
        base + "engines",
    }
    (born,) = graph.statements(base + "ada", base + "born")
    assert isinstance(born.value, Time) and [value.value for _, value in born.qualifiers] == ["a letter"]
    names = {triple.object.value for triple in graph.match(base + "engines", WELL_KNOWN["rdfs"] + "label")}
    assert names == {"Engines Ltd"} and skipped == [(4, "row: value is not readable")]


def test_an_edge_with_several_values_cannot_be_qualified(load):
    graph, skipped = load("id\tnode1\tlabel\tnode2\ne1\tada\tknows\tbob|eve\nq1\te1\tsource\t\"a letter\"\n", RDFS)
    found = graph.statements("urn:kgstore:kg/ada", "urn:kgstore:kg/knows")
    assert len(found) == 2 and not any(one.qualifiers for one in found)
    assert skipped == [(3, "row: it qualifies an edge with several values")]


def test_the_same_id_in_two_files_is_two_edges(tmp_path):
    graph = Graph(profile=RDFS)
    for name in ("bob", "eve"):
        path = tmp_path / f"{name}.tsv"
        edges = f'e1\tada\tknows\t{name}\nq1\te1\tsince\t"{name}"\n'
        path.write_text(f"id\tnode1\tlabel\tnode2\n{edges}", encoding="utf-8")
        items = TableLoader("kg", "\t").read(path, Filters())
        graph.bulk_load([item.data for item in items if isinstance(item, Block)])
    found = graph.statements("urn:kgstore:kg/ada", "urn:kgstore:kg/knows")
    said = {one.value.value.rpartition("/")[2]: [value.value for _, value in one.qualifiers] for one in found}
    assert said == {"bob": ["bob"], "eve": ["eve"]}


def test_an_edge_that_makes_no_sense_takes_no_name_with_it(load):
    graph, skipped = load('node1\tlabel\tnode2\nAda\tlikes\t"open\nAda\tlikes\tBob\n', RDFS)
    label = WELL_KNOWN["rdfs"] + "label"
    assert skipped == [(2, "row: value is not readable")]
    for name in ("Ada", "likes", "Bob"):
        assert [one.object.value for one in graph.match(f"urn:kgstore:kg/{name}", label)] == [name]
