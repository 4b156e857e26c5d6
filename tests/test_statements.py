from __future__ import annotations

from collections import Counter
from decimal import Decimal
from pathlib import Path

import pyoxigraph as ox
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kgstore.graph import Graph
from kgstore.loaders.values import date_time
from kgstore.model import Coordinate, Literal, NamedNode, Quantity, Rank, Special, Statement, Time, Triple
from kgstore.prefixes import expand
from kgstore.profile import RDFS, WIKIDATA
from kgstore.values import JULIAN, simple_value, time_value

RESOURCE = Path(__file__).parent / "resources" / "wikibase.ttl"
ADA = expand("Q1")


@pytest.fixture(scope="module")
def graph() -> Graph:
    graph = Graph(profile=WIKIDATA)
    graph.add(quad.triple for quad in ox.parse(path=str(RESOURCE), format=ox.RdfFormat.TURTLE))
    return graph


def one(graph: Graph, predicate: str, **options: bool) -> Statement:
    (statement,) = graph.statements(ADA, expand(predicate), **options)
    return statement


def node(name: str) -> NamedNode:
    return NamedNode(expand(name))


def test_the_profile_is_found_in_the_data(graph):
    assert Graph(profile=None).profile == RDFS
    assert graph.profile == WIKIDATA


@pytest.mark.parametrize("name", ["P551", "wdt:P551", "p:P551", "ps:P551"])
def test_a_property_may_be_named_by_any_of_its_iris(graph, name):
    assert {s.value.value for s in graph.statements(ADA, expand(name))} == {expand(q) for q in ("Q84", "Q90", "Q64")}
    assert {s.predicate for s in graph.statements(ADA, expand(name))} == {node("P551")}


def test_every_rank_comes_out_and_says_so(graph):
    ranks = {s.value: s.rank for s in graph.statements(ADA, expand("P551"))}
    assert ranks == {node("Q84"): Rank.PREFERRED, node("Q90"): Rank.NORMAL, node("Q64"): Rank.DEPRECATED}


def test_qualifiers_have_full_values_and_the_order_of_their_numbers(graph):
    (home,) = [s for s in graph.statements(ADA, expand("P551")) if s.qualifiers]
    assert home.id == expand("wds:home1")
    assert home.qualifiers == (
        (node("P580"), Time("+1840-00-00T00:00:00Z", 9)),
        (node("P582"), Special.SOME),
        (node("P1480"), node("Q5727902")),
    )


def test_references_come_on_request(graph):
    (home,) = [s for s in graph.statements(ADA, expand("P551"), references=True) if s.qualifiers]
    assert home.references == (
        ((node("P248"), node("Q36578")), (node("P813"), Time("+2020-02-03T00:00:00Z", 11))),
    )
    assert not any(s.references for s in graph.statements(ADA))


def test_values_keep_calendar_unit_bounds_and_globe(graph):
    assert one(graph, "P569").value == Time("+1616-04-23T00:00:00Z", 11, "julian")
    height = Quantity(Decimal("165.5"), expand("Q174728"), Decimal(165), Decimal(166))
    assert one(graph, "P2048").value == height
    assert one(graph, "P1971").value == Quantity(Decimal(3))
    assert one(graph, "P625").value == Coordinate(51.5, -0.1, 0.01)


def test_unknown_and_absent_values_are_told_apart_and_come_once(graph):
    assert one(graph, "P22").value == Special.SOME
    assert one(graph, "P40").value == Special.NONE


def test_simple_triples_without_a_statement_node_are_statements(graph):
    assert one(graph, "P106") == Statement(NamedNode(ADA), node("P106"), node("Q170790"))


def test_the_first_of_january_in_a_simple_triple_is_read_as_the_year(graph):
    values = {s.value for s in graph.statements(ADA, expand("P570"))}
    assert values == {Time("+1852-00-00T00:00:00Z", 9), Time("+1852-11-27T00:00:00Z", 11)}


def test_a_triple_of_ones_own_vocabulary_is_a_statement_and_names_are_none(graph):
    assert one(graph, "http://example.org/likes").value == node("Q84")
    counts = Counter(s.predicate.value.rsplit("/", 1)[1] for s in graph.statements(ADA))
    assert counts == {
        "P31": 1, "P551": 3, "P569": 1, "P2048": 1, "P1971": 1, "P625": 1, "P22": 1, "P40": 1, "P106": 1, "P570": 2,
        "likes": 1,
    }


def test_incoming_finds_statements_of_every_kind(graph):
    assert {(s.subject, s.predicate, s.id) for s in graph.incoming(expand("Q84"))} == {
        (NamedNode(ADA), node("P551"), expand("wds:home1")),
        (NamedNode(ADA), node("http://example.org/likes"), None),
    }
    assert [s.rank for s in graph.incoming(expand("Q64"))] == [Rank.DEPRECATED]
    assert [s.subject for s in graph.incoming(ADA, expand("P26"))] == [node("Q2071")]
    assert graph.incoming(ADA, expand("P551")) == []
    assert graph.incoming(expand("Q5727902")) == []


def test_incoming_stops_at_its_limit():
    graph = Graph(profile=WIKIDATA)
    graph.add(Triple(node(f"Q{number}"), node("wdt:P31"), node("Q5")) for number in range(10, 60))
    assert len(graph.incoming(expand("Q5"), limit=7)) == 7
    assert len(graph.incoming(expand("Q5"))) == 50
    plain = Graph(profile=RDFS)
    plain.add(Triple(node(f"Q{number}"), node("rdf:type"), node("Q5")) for number in range(10, 60))
    assert len(plain.incoming(expand("Q5"), limit=7)) == 7


def test_what_is_added_later_is_seen():
    graph = Graph(profile=WIKIDATA)
    assert graph.statements(ADA) == []
    graph.add([Triple(NamedNode(ADA), node("wdt:P31"), node("Q5"))])
    assert len(graph.statements(ADA)) == 1


def test_a_broken_statement_node_is_no_statement():
    graph = Graph(profile=WIKIDATA)
    graph.add([Triple(NamedNode(ADA), node("p:P31"), node("wds:gone"))])
    assert graph.statements(ADA) == []


def test_plain_data_gives_a_statement_for_every_triple_but_names():
    graph = Graph(profile=RDFS)
    ada, year = NamedNode("http://ex/Ada"), NamedNode(expand("xsd:gYear"))
    graph.add([
        Triple(ada, node("rdfs:label"), Literal("Ada")),
        Triple(ada, NamedNode("http://ex/born"), Literal("1815", datatype=year)),
        Triple(ada, NamedNode("http://ex/age"), Literal(36)),
        Triple(ada, node("rdf:type"), NamedNode("http://ex/Person")),
    ])
    assert {(s.predicate.value.rsplit("/", 1)[1], s.value) for s in graph.statements("http://ex/Ada")} == {
        ("born", Time("+1815-00-00T00:00:00Z", 9)),
        ("age", Quantity(Decimal(36))),
        ("22-rdf-syntax-ns#type", NamedNode("http://ex/Person")),
    }
    assert graph.statements("http://ex/Ada", "http://ex/born")[0].value.precision == 9


@pytest.mark.parametrize(
    ("text", "datatype", "expected"),
    [
        ("2001-02-03T04:05:06Z", "dateTime", Time("+2001-02-03T04:05:06Z", 14)),
        ("2001-01-01T00:00:00Z", "dateTime", Time("+2001-01-01T00:00:00Z", 11)),
        ("2001-02-03", "date", Time("+2001-02-03T00:00:00Z", 11)),
        ("2001-02", "gYearMonth", Time("+2001-02-00T00:00:00Z", 10)),
        ("-0043", "gYear", Time("-0044-00-00T00:00:00Z", 9)),
        ("1.50", "decimal", Quantity(Decimal("1.50"))),
        ("INF", "double", None),
        ("soon", "dateTime", None),
        ("words", "string", None),
    ],
)
def test_a_literal_becomes_a_value_where_its_datatype_says_one(text, datatype, expected):
    literal = Literal(text, datatype=NamedNode(expand(f"xsd:{datatype}")))
    assert simple_value(literal) == (expected or literal)


def test_a_point_elsewhere_names_its_globe():
    point = Literal("<http://www.wikidata.org/entity/Q405> Point(23.4 0.6)", datatype=node("geo:wktLiteral"))
    assert simple_value(point) == Coordinate(0.6, 23.4, None, expand("Q405"))


@given(
    st.integers(-12000, 12000).filter(bool), st.integers(1, 12), st.integers(1, 28), st.integers(7, 11), st.booleans()
)
def test_a_date_comes_back_as_it_went_in(year, month, day, precision, julian):
    month, day = month if precision >= 10 else 0, day if precision >= 11 else 0
    iso = f"{'-' if year < 0 else '+'}{abs(year):04d}-{month:02d}-{day:02d}T00:00:00Z"
    stored = time_value(date_time(iso, precision, julian), precision, JULIAN if julian else None)
    assert stored == Time(iso, precision, "julian" if julian else "gregorian")


def test_what_is_said_of_a_plain_triple_are_its_qualifiers():
    graph = Graph(profile=RDFS)
    data = """
        @prefix ex: <http://ex/> . @prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
        @prefix schema: <http://schema.org/> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
        ex:Ada ex:worksFor ex:Engines , ex:Mills .
        [] rdf:subject ex:Ada ; rdf:predicate ex:worksFor ; rdf:object ex:Engines ;
           schema:startDate "1840"^^xsd:gYear ; a rdf:Statement .
        [] rdf:subject ex:Ada ; rdf:predicate ex:worksFor ; rdf:object ex:Engines ; schema:startDate "1850"^^xsd:gYear .
    """
    graph.add(quad.triple for quad in ox.parse(data, format=ox.RdfFormat.TURTLE))
    ada, works = "http://ex/Ada", "http://ex/worksFor"
    found = {(one.value.value.rpartition("/")[2], one.qualifiers) for one in graph.statements(ada, works)}
    start = NamedNode("http://schema.org/startDate")
    assert found == {
        ("Engines", ((start, simple_value(Literal("1840", datatype=NamedNode(expand("xsd:gYear"))))),)),
        ("Engines", ((start, simple_value(Literal("1850", datatype=NamedNode(expand("xsd:gYear"))))),)),
        ("Mills", ()),
    }
