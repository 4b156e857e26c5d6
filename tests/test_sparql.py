from __future__ import annotations

import io
import signal
import subprocess
import time
from pathlib import Path

import pyoxigraph as ox
import pytest

from kgstore import sparql_child
from kgstore.errors import QueryRefused, QuerySyntax, QueryTimeout
from kgstore.graph import Graph
from kgstore.model import Literal, NamedNode, Triple
from kgstore.prefixes import compact, expand
from kgstore.sparql import Result, Triples, run
from kgstore.sparql_rewrite import prepare

RESOURCE = Path(__file__).parent / "resources" / "wikibase.ttl"
SERVICE = 'SERVICE wikibase:label { bd:serviceParam wikibase:language "[AUTO_LANGUAGE],en". }'


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("sparql") / "graph"
    graph = Graph(path)
    graph.add(quad.triple for quad in ox.parse(path=str(RESOURCE), format=ox.RdfFormat.TURTLE))
    graph.add(Triple(NamedNode(expand(f"Q{n}")), NamedNode(expand("wdt:P1")), Literal(n)) for n in range(2000, 2300))
    names = '"字"@zh-classical', '"a\\tb\\n"@en'
    graph.bulk_load(f"<http://ex/odd> <http://ex/name> {name} .\n".encode() for name in names)
    graph.add_to_ledger([Triple(NamedNode("urn:kgstore:source:000001"), NamedNode("urn:kgstore:name"), Literal('"x"'))])
    graph.flush()
    graph.close()
    return path


@pytest.fixture(scope="module")
def ask(folder):
    """Rows of a query as short texts; asked in memory, which is quicker than a process for each."""
    memory = Graph()
    memory.add(Graph(folder, read_only=True).match())
    return lambda query, **options: [tuple(map(shown, row)) for row in memory.query(query, **options).rows]


def shown(term):
    return None if term is None else compact(term.value) if isinstance(term, NamedNode) else term.value


# -- what is answered --------------------------------------------------------------------------------------------------


def test_each_kind_of_query_has_its_kind_of_answer(folder):
    result = run(folder, "SELECT ?o ?none { wd:Q1 wdt:P551 ?o }")
    assert result == Result(("o", "none"), [(NamedNode(expand("Q84")), None)])
    assert run(folder, "ASK { wd:Q1 wdt:P551 wd:Q84 }") is True
    assert run(folder, "ASK { wd:Q1 wdt:P551 wd:Q90 }") is False
    made = run(folder, "CONSTRUCT { ?o <http://ex/of> ?s } WHERE { ?s wdt:P551 ?o }")
    home = Triple(NamedNode(expand("Q84")), NamedNode("http://ex/of"), NamedNode(expand("Q1")))
    assert made == Triples([home])
    label = Triple(NamedNode(expand("Q84")), NamedNode(expand("rdfs:label")), Literal("London", language="en"))
    assert label in run(folder, "DESCRIBE wd:Q84").triples


def test_a_term_comes_through_as_it_is(folder):
    rows = run(folder, "SELECT ?o { <http://ex/odd> ?p ?o }").rows
    assert {row[0].language: row[0].value for row in rows} == {"zh-classical": "字", "en": "a\tb\n"}


def test_prefixes_of_ones_own_win_over_the_implied_ones(folder):
    query = "prefix wd: <http://ex/> base <http://ex/> SELECT ?o { wd:odd <name> ?o }"
    assert len(run(folder, query).rows) == 2


def test_statements_with_qualifiers_ranks_and_paths_are_found(ask):
    query = """
    SELECT ?home ?start ?rank WHERE {
      wd:Q1 p:P551 ?statement .                    # every rank
      ?statement ps:P551 ?home ; wikibase:rank ?rank .
      OPTIONAL { ?statement pq:P580 ?start . }
      MINUS { ?statement wikibase:rank wikibase:DeprecatedRank }
    } ORDER BY ?home"""
    assert ask(query) == [
        ("Q84", "1840-01-01T00:00:00Z", "wikibase:PreferredRank"), ("Q90", None, "wikibase:NormalRank"),
    ]
    assert ask("SELECT ?x { ?x wdt:P26/(p:P551/ps:P551)|wdt:P551 wd:Q90 }") == [("Q2071",)]


def test_the_row_limit_cuts_and_says_so(folder):
    every = "SELECT ?n { ?s wdt:P1 ?n }"
    for limit, truncated in ((299, True), (300, False), (301, False), (0, True), (1, True)):
        result = run(folder, every, limit=limit)
        assert (len(result.rows), result.truncated) == (min(limit, 300), truncated)
    made = run(folder, "CONSTRUCT WHERE { ?s wdt:P1 ?n }", limit=7)
    assert (len(made.triples), made.truncated) == (7, True)
    assert Graph(folder, read_only=True).query(every, limit=5).truncated


def test_a_date_without_a_time_is_taken_as_its_midnight(ask):
    span = '"1616-05-03"^^xsd:dateTime <= ?d && ?d < "+1617-01-01"^^xsd:dateTime'
    assert ask(f"SELECT ?d {{ wd:Q1 wdt:P569 ?d FILTER({span}) }}") == [("1616-05-03T00:00:00Z",)]
    assert ask("SELECT (STR('1616-05-03') AS ?x) {}") == [("1616-05-03",)]


def test_named_sub_queries_and_hints_of_the_query_service_are_understood(ask):
    query = """
    SELECT ?x ?home WITH { SELECT ?x WHERE { ?x wdt:P31 wd:Q5 . hint:Prior hint:runFirst true . } } AS %people
    WHERE {
      hint:Query hint:optimizer "None" . INCLUDE %people ?x wdt:P551 ?home FILTER(1 < 2) hint:Prior hint:rangeSafe true
    }"""
    assert ask(query) == [("Q1", "Q84")]


# -- the label service -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("query", "rows"),
    [
        (f"SELECT ?x ?xLabel ?xDescription ?xAltLabel {{ ?x wdt:P31 wd:Q5 . {SERVICE} }}",
         [("Q1", "Ada", "mathematician", "Countess, Lovelace")]),
        (f"SELECT ?homeLabel WHERE {{ {SERVICE} ?x p:P551/ps:P551 ?home }} ORDER BY ?homeLabel",
         [("London",), ("Q64",), ("Q90",)]),
        ('SELECT ?hLabel { ?x p:P551/ps:P551 ?h SERVICE wikibase:label { bd:serviceParam wikibase:language "fr,en" } } '
         "ORDER BY ?hLabel", [("Londres",), ("Paris",), ("Q64",)]),
        (f"SELECT ?home ?homeLabel (COUNT(?x) AS ?n) {{ ?x wdt:P551 ?home . {SERVICE} }} GROUP BY ?home ?homeLabel",
         [("Q84", "London", "1")]),
        (f'SELECT ?homeLabel {{ ?x wdt:P551 ?home . {SERVICE} FILTER(STRSTARTS(?homeLabel, "Lon")) }}', [("London",)]),
        (f"SELECT ?home {{ ?x p:P551/ps:P551 ?home . {SERVICE} }} ORDER BY DESC(?homeLabel)",
         [("Q90",), ("Q64",), ("Q84",)]),
        (f"SELECT (SAMPLE(?homeLabel) AS ?name) {{ ?x wdt:P551 ?home . {SERVICE} }}", [("London",)]),
        (f"SELECT ?a ?aLabel {{ wd:Q1 wdt:P26 ?b OPTIONAL {{ ?b wdt:P22 ?a }} {SERVICE} }}", []),
        (f"SELECT ?b ?bLabel {{ ?a wdt:P26 wd:Q1 OPTIONAL {{ ?a wdt:P26/wdt:P26 ?b }} {SERVICE} }}", [(None, None)]),
        (f"SELECT ?d ?dLabel {{ wd:Q1 wdt:P569 ?d {SERVICE} }}", [("1616-05-03T00:00:00Z", "1616-05-03T00:00:00Z")]),
        (f"SELECT ?x ?xLabel {{ VALUES (?x) {{ (wd:Q31) (wd:Q999) }} {SERVICE} }}",
         [("Q31", "Belgium"), ("Q999", "Q999")]),
        (f"SELECT ?x ?xLabel {{ VALUES ?x {{ wd:Q84 }} ?x rdfs:label ?xLabel FILTER(LANG(?xLabel) = 'fr') {SERVICE} }}",
         [("Q84", "Londres")]),
        (f"SELECT ?name {{ {{ SELECT ?hLabel {{ ?x wdt:P551 ?h . {SERVICE} }} }} BIND(UCASE(?hLabel) AS ?name) }}",
         [("LONDON",)]),
        (f"SELECT ?xLabel ?hLabel {{ {{ SELECT ?x ?h ?hLabel {{ ?x wdt:P551 ?h . {SERVICE} }} }} {SERVICE} }}",
         [("Ada", "London")]),
        (f"SELECT ?xLabel {{ {{ SELECT ?x (COUNT(*) AS ?n) {{ ?x wdt:P31 wd:Q5 }} GROUP BY ?x }} {SERVICE} }}",
         [("Ada",)]),
        (f"SELECT ?xLabel {{ ?x wdt:P31 wd:Q5 . OPTIONAL {{ {SERVICE} }} }}", [("Ada",)]),
        ('SELECT ?x ?name ?about { ?x wdt:P31 wd:Q5 . service <http://wikiba.se/ontology#label> { '
         'bd:serviceParam wikibase:language "de" , "en" . ?x rdfs:label ?name ; schema:description ?about . } }',
         [("Q1", "Ada (de)", "mathematician")]),
        (f"SELECT $x $xLabel {{ $x wdt:P31 wd:Q5 {SERVICE} }} # SERVICE <http://other> {{", [("Q1", "Ada")]),
        (f"SELECT * {{ ?x wdt:P31 wd:Q5 {SERVICE} }}", [("Q1",)]),
    ],
)
def test_the_label_service_names_things_as_the_query_service_does(ask, query, rows):
    assert ask(query) == rows


def test_the_languages_of_the_kg_stand_for_auto_language(ask):
    query = f"SELECT ?xLabel {{ ?x wdt:P31 wd:Q5 {SERVICE} }}"
    assert ask(query, languages=("de",)) == [("Ada (de)",)]
    assert ask(query.replace(' bd:serviceParam wikibase:language "[AUTO_LANGUAGE],en". ', "")) == [("Ada",)]


def test_the_label_service_works_in_the_child_process_and_in_construct(folder):
    assert run(folder, f"SELECT ?xLabel {{ ?x wdt:P31 wd:Q5 {SERVICE} }}").rows == [(Literal("Ada", language="en"),)]
    made = run(folder, f"CONSTRUCT {{ ?x <http://ex/name> ?xLabel }} WHERE {{ ?x wdt:P31 wd:Q5 . {SERVICE} }}")
    assert [triple.object.value for triple in made.triples] == ["Ada"]


def test_a_query_keeps_its_lines_so_that_messages_point_to_the_right_one(folder):
    service = 'SERVICE wikibase:label {\n bd:serviceParam wikibase:language "en"\n }'
    query = f"SELECT ?x {{\n ?x wdt:P31 wd:Q5 .\n {service}\n ?x ?y }}"
    with pytest.raises(QuerySyntax, match="6:"):
        run(folder, query)


# -- what is not -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "query",
    [
        "INSERT DATA { <http://a> <http://b> <http://c> }", "insert { ?a ?b ?c } where { ?a ?b ?c }",
        "DELETE WHERE { ?a ?b ?c }", "LOAD <http://example.org/x>", "CLEAR ALL", "DROP GRAPH <http://x>",
        "# read only\nPREFIX x: <http://x/> DELETE { ?a x:b ?c } WHERE { ?a x:b ?c }",
        "WITH <http://x> DELETE { } WHERE { }",
        "SELECT * { SERVICE <http://example.org/sparql> { ?a ?b ?c } }",
        "SELECT * { SERVICE SILENT <http://example.org/sparql> { ?a ?b ?c } }",
        "SELECT * { VALUES ?s { <http://x> } SERVICE ?s { ?a ?b ?c } }",
        "SELECT * { { SELECT * { SERVICE bd:sample { ?a ?b ?c } } } }",
        "SELECT * { SERVICE wikibase:mwapi { ?a ?b ?c } }",
        "PREFIX wikibase: <http://other/> SELECT * { SERVICE wikibase:label { ?a ?b ?c } }",
        "SELECT * FROM <http://example.org/x> { ?a ?b ?c }", "SELECT * FROM NAMED <file:///etc/passwd> { ?a ?b ?c }",
    ],
)
def test_what_would_write_or_leave_the_machine_is_refused(folder, query):
    with pytest.raises(QueryRefused):
        run(folder, query)


@pytest.mark.parametrize(
    "start",
    [
        "?a ?b ?c.", "?a ?b wd:.", "?a ?b wd:Q1 .", "?a ?b _:c.", "?a ?b <x\\u0041#> .", "?a ?b <x\\u0041'> .",
        "?a wd:x\\' ?b .", "?a ?b 5.", '?a ?b """"x""" .', "?a ?b 'x\\\\' .", "#\\u000A\n", "#\r", "?a ?b ?c .\\u0020",
        "FILTER(?a<1)", "{}", "?a ?b wd:Q1\\.", "?a ?b ''.", "?a ?b true.", "?a ?b 'x'@en.", "?a wd: wd:.",
    ],
)
@pytest.mark.parametrize("service", ["SERVICE", "service", "\\u0053ERVICE"])
def test_no_trick_of_writing_hides_a_service(folder, start, service):
    with pytest.raises((QueryRefused, QuerySyntax)):
        run(folder, f"BASE <http://ex/> SELECT * {{ {start}{service} <http://127.0.0.1:9/> {{ ?x ?y ?z }} }} # '")


def test_oxigraph_itself_confirms_that_no_service_is_left(folder):
    hidden = "SELECT * { SERVICE <http://127.0.0.1:9/> { ?x ?y ?z } }"
    with pytest.raises(SyntaxError):
        sparql_child.answer(ox.Store(), hidden, {}, False, 10, io.BytesIO())


@pytest.mark.parametrize(
    "query",
    [
        'SELECT ?insert { BIND("INSERT DATA { SERVICE <http://x> } FROM <y>" AS ?insert) }',
        "PREFIX delete: <http://x/from#> SELECT ?load { ?load delete:service <http://x/INSERT/SERVICE/FROM> }",
        "# SERVICE <http://x> {\nASK { ?from ?service ?drop } # DELETE",
        """SELECT ?x { VALUES ?x { '''it's "INSERT" \\' FROM''' "\\"SERVICE\\"" 'FROM'@en } }""",
        "SELECT ?a { ?a ?b ?c FILTER(?c<3&&4>?c) }",
    ],
)
def test_a_word_in_a_string_a_name_or_a_comment_is_no_keyword(folder, query):
    run(folder, query)


@pytest.mark.parametrize(
    "query",
    [
        "", "Who?", "SELECT", "SELECT * { ?a ?b", 'SELECT * { ?a ?b "x }', "SELECT * { } }", "SERVICE", "PREFIX",
        "SELECT * { SERVICE wikibase:label }", "SELECT * { SERVICE wikibase:label { ?x }",
        "SELECT * { ?a ?b ?c } WITH {",
    ],
)
def test_what_does_not_parse_is_said_on_one_line(folder, query):
    with pytest.raises(QuerySyntax) as caught:
        run(folder, query)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 300


def test_a_function_that_nobody_knows_is_refused(folder):
    with pytest.raises(QueryRefused, match="http://no/f"):
        run(folder, "SELECT (<http://no/f>(1) AS ?x) {}")


def test_the_ledger_is_hidden_unless_it_is_named(folder):
    assert run(folder, "SELECT * { GRAPH ?g { ?s ?p ?o } }").rows == []
    assert run(folder, 'ASK { ?s <urn:kgstore:name> ?o }') is False
    assert len(run(folder, "SELECT * { GRAPH <urn:kgstore:ledger> { ?s ?p ?o } }").rows) == 1


def test_an_endless_query_is_stopped_and_the_caller_lives_on(folder, monkeypatch):
    children: list[subprocess.Popen] = []
    begin = subprocess.Popen
    monkeypatch.setattr(subprocess, "Popen", lambda *a, **b: children.append(begin(*a, **b)) or children[-1])
    endless = "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i }"
    began = time.monotonic()
    with pytest.raises(QueryTimeout, match=r"after 0\.4 s"):
        run(folder, endless, timeout=0.4)
    assert time.monotonic() - began < 5
    assert run(folder, "ASK {}") is True
    assert [child.returncode for child in children] == [-signal.SIGKILL, 0]  # nobody is left behind


def test_a_query_that_eats_memory_is_stopped(folder):
    greedy = "SELECT * { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i } ORDER BY ?c ?f ?i"
    with pytest.raises(QueryRefused, match="memory"):
        run(folder, greedy, memory=700 << 20)


def test_a_query_changes_nothing_in_the_folder(folder):
    before = {path.name: path.stat().st_mtime_ns for path in folder.iterdir()}
    run(folder, "SELECT * { ?s ?p ?o }")
    assert {path.name: path.stat().st_mtime_ns for path in folder.iterdir()} == before


def test_the_child_needs_nothing_of_ours():
    lines = Path(sparql_child.__file__).read_text(encoding="utf-8").splitlines()
    assert not [line for line in lines if line.lstrip().startswith(("import kgstore", "from kgstore"))]


def test_a_prepared_query_without_inventions_is_the_query_itself():
    query = """PREFIX a: <b> SELECT ?x # c\n{ ?x a:b\\-c "d\\"", 'e', 1.5e3, -2, _:f, [ a:g "h"@en-GB ], (1 2) }"""
    assert prepare(query).text == query
