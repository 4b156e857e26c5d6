"""Parts of a KG for networkx, Graphviz, GraphML readers, rdflib and pySHACL."""

from __future__ import annotations

import io
import json
from pathlib import Path

import networkx
import pytest
from click.testing import CliRunner, Result

from kgstore.cli.main import main
from kgstore.networks import Link, graphml, to_networkx
from kgstore.store import Store

ADAMS, CAMBRIDGE = "http://www.wikidata.org/entity/Q42", "http://www.wikidata.org/entity/Q350"
SHAPES = """
@prefix sh: <http://www.w3.org/ns/shacl#> . @prefix ex: <http://e/> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
ex:PersonShape a sh:NodeShape ; sh:targetClass ex:Person ;
    sh:property [ sh:path ex:born ; sh:minCount 1 ; sh:message "a person was born somewhere" ] ;
    sh:property [ sh:path ex:age ; sh:maxInclusive 130 ; sh:severity sh:Warning ] .
"""
DATA = """
@prefix ex: <http://e/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
ex:Ada a ex:Person ; rdfs:label "Ada" ; ex:born ex:London . ex:London rdfs:label "London" .
ex:Ben a ex:Person ; rdfs:label "Ben" ; ex:age 200 .
"""


def run(*words: object) -> Result:
    return CliRunner().invoke(main, [str(word) for word in words])


@pytest.fixture(scope="module")
def own_kg(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("own")
    (folder / "people.ttl").write_text(DATA)
    done = run("load", folder / "people.ttl", "--kg", folder / "own.kg", "--no-vectors")
    assert done.exit_code == 0, done.stderr
    return folder / "own.kg"


def test_the_neighbourhood_of_an_entity_grows_with_the_hops(small_kg):
    with Store(small_kg) as store:
        near, far = store.to_networkx("Q42"), store.to_networkx("Douglas Adams", hops=2)
        few = store.to_networkx("Q42", hops=2, most=5)
        assert near.nodes[ADAMS]["label"] == "Douglas Adams" and near.nodes[CAMBRIDGE]["label"] == "Cambridge"
        assert "place of birth" in {edge["label"] for edge in near[ADAMS][CAMBRIDGE].values()}
        assert set(near) < set(far) and len(few) == 5
        known = {(edge.subject, edge.object) for edge in store.topology.neighbours(ADAMS, 50)}
    assert {(one, other) for one, other in near.edges() if ADAMS in (one, other)} == known


def test_graphml_is_read_back_by_networkx():
    links = [Link("Q1", "P1", "Q2", ("Ada", "met", "a <b> & c")), Link("Q1", "P2", "Q2", ("Ada", "saw", "a <b> & c"))]
    again = networkx.read_graphml(io.BytesIO(graphml(links).encode()), force_multigraph=True)
    assert dict(again.nodes(data="label")) == {"Q1": "Ada", "Q2": "a <b> & c"}
    assert sorted(again.edges(keys=True)) == sorted(to_networkx(links).edges(keys=True))


@pytest.mark.parametrize("words", [("path", "Douglas Adams", "Charlie Chaplin"), ("facts", "Douglas Adams")])
def test_paths_and_facts_as_graphs(small_kg, words):
    done = run(*words, "--kg", small_kg, "--format", "dot")
    assert done.exit_code == 0 and done.stdout.startswith("digraph {") and f'"{ADAMS}" -> ' in done.stdout
    done = run(*words, "--kg", small_kg, "--format", "graphml")
    graph = networkx.read_graphml(io.BytesIO(done.stdout_bytes), force_multigraph=True)
    assert graph.nodes[ADAMS]["label"] == "Douglas Adams" and graph.number_of_edges() > 1


def test_rdflib_reads_the_same_triples_without_a_copy_and_cannot_write(own_kg):
    from rdflib import RDFS, Literal, URIRef

    with Store(own_kg) as store:
        graph = store.as_rdflib()
        assert len(graph) == len(store.graph) == 7
        assert {str(one) for one in graph.objects(None, RDFS.label)} == {"Ada", "Ben", "London"}
        rows = graph.query("SELECT ?name { ?x <http://e/age> 200 ; rdfs:label ?name }")
        assert [str(row.name) for row in rows] == ["Ben"]
        with pytest.raises(RuntimeError, match="read-write"):
            graph.add((URIRef("http://e/a"), RDFS.label, Literal("a")))


def test_broken_rules_are_listed(own_kg, tmp_path):
    shapes = tmp_path / "shapes.ttl"
    shapes.write_text(SHAPES)
    done = run("validate", "--shapes", shapes, "--kg", own_kg, "--format", "json")
    assert done.exit_code == 1, done.output
    found = json.loads(done.stdout)
    assert not found["conforms"]
    assert [(one["focus"], one["rule"], one["severity"]) for one in found["results"]] == [
        ("http://e/Ben", "MaxInclusive", "Warning"), ("http://e/Ben", "MinCount", "Violation"),
    ]  # fmt: skip
    assert found["results"][1]["message"] == "a person was born somewhere"
    done = run("validate", "--shapes", shapes, "--kg", own_kg)
    assert done.exit_code == 1 and "Ben (http://e/Ben)" in done.stdout and "2 results" in done.stderr


def test_a_kg_that_keeps_its_rules_says_so(own_kg, tmp_path):
    shapes = tmp_path / "shapes.ttl"
    shapes.write_text(SHAPES.replace("sh:minCount 1", "sh:minCount 0").replace("130", "1300"))
    done = run("validate", "--shapes", shapes, "--kg", own_kg)
    assert done.exit_code == 0 and done.stdout == "" and "keeps all rules" in done.stderr


@pytest.mark.parametrize(
    ("name", "content", "why"),
    [
        ("a.ttl", "this is no Turtle", "does not parse"),
        ("a.ttl", "<http://e/a> <http://e/b> 1 .", "no SHACL shapes"),
        ("a.jsonld", "{}", "in no format for shapes"),
        ("a.ttl", SHAPES + 'ex:S sh:sparql [ sh:select "SELECT $this { SERVICE <http://x/> {} }" ] .', "asks another"),
    ],
)
def test_shapes_that_cannot_be_checked_are_refused(own_kg, tmp_path, name, content, why):
    (tmp_path / name).write_text(content)
    done = run("validate", "--shapes", tmp_path / name, "--kg", own_kg)
    assert done.exit_code == 2 and why in done.stderr
