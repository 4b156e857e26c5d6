"""Dates that come as mere strings, as JSON-LD in schema.org writes them, are dates to the verifier."""

from __future__ import annotations

import orjson
import pytest

from kgstore.graph import Graph
from kgstore.loaders.run import load
from kgstore.model import Literal, NamedNode, Time
from kgstore.profile import SCHEMA
from kgstore.store import Store
from kgstore.values import untyped_value
from kgstore.verifier.claims import Label
from kgstore.verifier.pipeline import Verifier

S = "http://schema.org/"
DATE = NamedNode(S + "Date")


@pytest.mark.parametrize(
    ("text", "predicate", "iso"),
    [
        ("1931-05-05", "http://example.org/note", "+1931-05-05T00:00:00Z"),
        ("1931-05-05T10:30:00Z", "http://example.org/note", "+1931-05-05T10:30:00Z"),
        ("1931-05", S + "birthDate", "+1931-05-00T00:00:00Z"),
        ("1931", S + "datePublished", "+1931-00-00T00:00:00Z"),
        ("1931", S + "postalCode", None),
        ("1931-05", S + "sku", None),
        ("1931-02-30", S + "birthDate", None),
        ("1931-13", S + "birthDate", None),
        ("5 May 1931", S + "birthDate", None),
        ("1931-05-05 ", S + "birthDate", None),
    ],
)
def test_a_string_is_a_date_where_it_can_be_nothing_else(text, predicate, iso):
    value = untyped_value(Literal(text), predicate)
    assert (value.iso if isinstance(value, Time) else None) == iso


def test_a_string_in_a_language_is_no_date():
    assert untyped_value(Literal("1931-05-05", language="en"), S + "birthDate").value == "1931-05-05"


def test_the_types_of_schema_org_are_understood():
    assert untyped_value(Literal("1931-05-05", datatype=DATE), "http://example.org/x").precision == 11
    assert untyped_value(Literal("12.5", datatype=NamedNode(S + "Number")), "http://example.org/x").amount == 12.5


def test_the_graph_keeps_the_string():
    graph = Graph(profile=SCHEMA)
    graph.bulk_load([f'<http://e/a> <{S}birthDate> "1931-05-05" .'.encode()])
    assert [one.value.precision for one in graph.statements("http://e/a")] == [11]
    assert [triple.object for triple in graph.match("http://e/a")] == [Literal("1931-05-05")]


@pytest.fixture(scope="module")
def company(tmp_path_factory):
    folder = tmp_path_factory.mktemp("schema")
    things = [
        {"@id": "http://e/p", "@type": "Person", "name": "Greta Holm", "birthDate": "1961-03-09"},
        {"@id": "http://e/o", "@type": "Organization", "name": "Lindqvist Instruments", "foundingDate": "1994"},
    ]
    text = orjson.dumps({"@context": {"@vocab": S}, "@graph": things})
    (folder / "page.jsonld").write_bytes(text)
    load([folder / "page.jsonld"], folder / "s.kg", vectors=False)
    with Store(folder / "s.kg") as store:
        yield store


def test_the_catalog_calls_them_times(company):
    kinds = {item.iri: item.datatype for item in company.catalog.properties().values()}
    assert (kinds[S + "birthDate"], kinds[S + "foundingDate"]) == ("time", "time")


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("Greta Holm was born on 9 March 1961.", Label.ATTRIBUTABLE),
        ("Greta Holm was born in 1961.", Label.ATTRIBUTABLE),
        ("Greta Holm was born on 9 April 1961.", Label.CONTRADICTORY),
        ("Lindqvist Instruments was founded in 1994.", Label.ATTRIBUTABLE),
        ("Lindqvist Instruments was founded in 1947.", Label.CONTRADICTORY),
    ],
)
def test_a_text_is_checked_against_them(company, text, label):
    verifier = Verifier(company)
    verifier.without = frozenset(("nli",))
    (verdict,) = verifier.verify(text).verdicts
    assert verdict.label is label, verdict.reason


def test_an_update_sees_them_as_well(tmp_path):
    thing = '<http://e/{0}> <http://schema.org/name> "Thing {0}" ; <http://schema.org/foundingDate> "{1}" .\n'
    kinds = []
    for at, year in enumerate(("1994", "1995", "1996-05")):
        (tmp_path / f"{at}.ttl").write_text(thing.format(at, year))
        load([tmp_path / f"{at}.ttl"], tmp_path / "a.kg", vectors=False)
        with Store(tmp_path / "a.kg") as store:
            kinds.append(store.catalog.properties()[S + "foundingDate"].value_kinds)
    assert kinds == [{"time": 1.0}] * 3
