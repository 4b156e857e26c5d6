"""Queries as people write them for the Wikidata Query Service, over a slice of its data: each finds what it should."""

from __future__ import annotations

import pytest

from kgstore.store import Store

LABELS = 'SERVICE wikibase:label { bd:serviceParam wikibase:language "[AUTO_LANGUAGE],en". }'
QUERIES = {
    "a value": ("SELECT ?place { wd:Q42 wdt:P19 ?place }", "Q350"),
    "a label": (f"SELECT ?placeLabel WHERE {{ wd:Q42 wdt:P19 ?place . {LABELS} }}", "Cambridge"),
    "a label by hand": (
        'SELECT ?name { wd:Q42 wdt:P19 ?p . ?p rdfs:label ?name FILTER(LANG(?name) = "en") }', "Cambridge",
    ),
    "a statement with its rank": (
        "SELECT ?place { wd:Q42 p:P19 ?st . ?st ps:P19 ?place ; wikibase:rank ?rank "
        "FILTER(?rank != wikibase:DeprecatedRank) }", "Q350",
    ),
    "an inverse path": ("ASK { wd:Q5 ^wdt:P31 wd:Q42 }", "True"),
    "a path of classes": ("ASK { wd:Q42 wdt:P31/wdt:P279* wd:Q5 }", "True"),
    "a count by group": (
        "SELECT ?kind (COUNT(DISTINCT ?x) AS ?n) WHERE { ?x wdt:P31 ?kind } GROUP BY ?kind ORDER BY DESC(?n) LIMIT 1",
        "Q5",
    ),
    "a year": ("SELECT (YEAR(?born) AS ?year) { wd:Q42 wdt:P569 ?born }", "1952"),
    "a precise date": (
        "SELECT ?time ?precision { wd:Q42 p:P569/psv:P569 [ wikibase:timeValue ?time ; "
        "wikibase:timePrecision ?precision ] }", "1952-03-11T00:00:00Z",
    ),
    "CONCAT with a blank": ('SELECT (CONCAT ("born in ", STR (?p)) AS ?said) { wd:Q42 wdt:P19 ?p }', "born in http"),
    "coalesce with a line": ("SELECT (COALESCE # the first\n (?none, ?p) AS ?one) { wd:Q42 wdt:P19 ?p }", "Q350"),
    "names joined": (
        'SELECT (GROUP_CONCAT(DISTINCT ?name; SEPARATOR=" | ") AS ?names) { wd:Q42 skos:altLabel ?name '
        'FILTER(LANG(?name) = "en") }', "Douglas Noel Adams",
    ),
    "values and optional": (
        "SELECT ?x ?died { VALUES ?x { wd:Q42 } ?x wdt:P31 wd:Q5 OPTIONAL { ?x wdt:P570 ?died } }", "2001-05-11",
    ),
    "without those that": (
        "SELECT ?x { ?x wdt:P19 wd:Q350 MINUS { ?x wdt:P31 wd:Q515 } FILTER NOT EXISTS { ?x wdt:P279 ?y } }", "Q42",
    ),
    "a named sub-query": (
        "SELECT ?x WITH { SELECT ?x { ?x wdt:P19 wd:Q350 } } AS %born WHERE { INCLUDE %born ?x wdt:P31 wd:Q5 }", "Q42",
    ),
    "properties by their predicates": (
        "SELECT ?p ?pLabel { wd:Q42 ?direct wd:Q350 . ?p wikibase:directClaim ?direct . "
        f"{LABELS} }}", "place of birth",
    ),
    "conditions": (
        'SELECT (IF(BOUND(?died), "dead", "alive") AS ?state) { wd:Q42 wdt:P31 wd:Q5 '
        "OPTIONAL { wd:Q42 wdt:P570 ?died } }",
        "dead",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", QUERIES)
def test_a_query_of_the_query_service_finds_what_it_should(small_kg, name):
    query, wanted = QUERIES[name]
    with Store(small_kg) as store:
        answer = store.query(query)
    found = str(answer) if isinstance(answer, bool) else " ".join(str(term) for row in answer.rows for term in row)
    assert wanted in found
