from __future__ import annotations

import pyoxigraph as ox
import pytest

from kgstore.errors import InputError
from kgstore.graph import Graph
from kgstore.profile import BUILT_IN, WIKIDATA, detect, load, named, stored

PREFIXES = """
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . @prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix wdt: <http://www.wikidata.org/prop/direct/> . @prefix p: <http://www.wikidata.org/prop/> .
@prefix wikibase: <http://wikiba.se/ontology#> . @prefix s: <https://schema.org/> . @prefix ex: <http://ex/> .
"""


@pytest.mark.parametrize(
    ("turtle", "expected"),
    [
        ("", "rdfs"),
        ('ex:a ex:b ex:c ; rdfs:label "a"', "rdfs"),
        ('ex:a wdt:P31 ex:c ; rdfs:label "a"', "wikidata"),
        ("ex:a p:P31 ex:s", "wikidata"),
        ("ex:P31 wikibase:directClaim wdt:P31", "wikidata"),
        ('ex:a skos:prefLabel "a" ; skos:broader ex:b', "skos"),
        ("ex:a a skos:Concept", "skos"),
        ('ex:a a s:Person ; s:name "a" ; s:birthPlace ex:b . ex:b rdfs:label "b"', "schema"),
    ],
)
def test_a_profile_is_detected_from_the_data(turtle, expected):
    graph = Graph()
    quads = ox.parse(f"{PREFIXES} {turtle}{'.' if turtle else ''}", format=ox.RdfFormat.TURTLE)
    graph.add(quad.triple for quad in quads)
    assert detect(graph.match()).name == expected


def write(tmp_path, text):
    path = tmp_path / "museum.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_toml_file_changes_what_it_names_and_keeps_the_rest(tmp_path):
    path = write(tmp_path, 'label = ["ex:title", "rdfs:label"]\ntype = "ex:kind"\n[prefixes]\nex = "http://ex/"\n')
    profile = load(path)
    assert profile.name == "museum"
    assert profile.label == ("http://ex/title", "http://www.w3.org/2000/01/rdf-schema#label")
    assert profile.type == ("http://ex/kind",)
    assert profile.alias == named("rdfs").alias
    assert not profile.wikibase
    assert named(path) == named(str(path)) == profile


@pytest.mark.parametrize(
    "text",
    [
        'lable = ["rdfs:label"]', 'label = ["ex:title"]', "label = 3", "label = [", 'base = "none"', 'prefixes = "x"',
        'statement_style = "x"',
    ],
)
def test_a_slip_in_a_toml_file_names_the_file(tmp_path, text):
    with pytest.raises(InputError, match=r"museum\.toml"):
        load(write(tmp_path, text))


def test_an_unknown_name_lists_the_known_ones():
    with pytest.raises(InputError, match="wikidata, rdfs, skos, schema"):
        named("wikipedia")


def test_the_manifest_keeps_a_name_or_the_whole_profile(tmp_path):
    own = load(write(tmp_path, 'base = "wikidata"\nlabel = ["skos:prefLabel"]'))
    assert isinstance(own.stored(), dict)
    for profile in (*BUILT_IN.values(), own):
        assert stored(profile.stored()) == profile


def test_labels_of_classes_may_be_ones_own(tmp_path):
    own = load(write(tmp_path, 'person = ["artist", "patron"]\noccupation = ["trade"]'))
    assert own.person == ("artist", "patron") and own.country == BUILT_IN["rdfs"].country
    assert stored(own.stored()) == own


def test_a_property_and_its_simple_predicate_lead_to_each_other():
    predicate, entity = "http://www.wikidata.org/prop/direct/P19", "http://www.wikidata.org/entity/P19"
    assert (WIKIDATA.property_of(predicate), WIKIDATA.predicate_of(entity)) == (entity, predicate)
    assert named("skos").property_of("http://ex/p") == named("skos").predicate_of("http://ex/p") == "http://ex/p"
