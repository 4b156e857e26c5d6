""" "A is a river in B": the place alone supports no claim that names a class, too."""

from __future__ import annotations

import pytest

from kgstore.verifier.claims import Label
from kgstore.verifier.pipeline import Verifier
from tests.plain_graph import plain_store

PLACES = """
ex:city a owl:Class ; rdfs:label "city"@en . ex:port rdfs:subClassOf ex:city ; rdfs:label "port city"@en .
ex:river a owl:Class ; rdfs:label "river"@en . ex:swamp a owl:Class ; rdfs:label "swamp"@en .
ex:in rdfs:label "located in"@en . ex:took rdfs:label "participant in"@en .
ex:games a ex:event ; rdfs:label "Luhe Games"@en .
ex:guest a owl:Class ; rdfs:label "participant"@en . ex:ada a ex:guest ; rdfs:label "Ada Berg"@en .
ex:bob a ex:person ; rdfs:label "Bob Jones"@en ; ex:took ex:games .
ex:land a owl:Class ; rdfs:label "land"@en .
ex:ostmark a ex:land ; rdfs:label "Ostmark"@en . ex:adra a ex:port ; rdfs:label "Adra Town"@en ; ex:in ex:ostmark .
ex:luhe a ex:river ; rdfs:label "Luhe Water"@en ; ex:in ex:ostmark .
ex:nix rdfs:label "Nix Place"@en ; ex:in ex:ostmark .
"""
YES, OPEN = Label.ATTRIBUTABLE, Label.EXTRAPOLATORY


@pytest.fixture(scope="module")
def verifier(tmp_path_factory):
    with plain_store(PLACES, tmp_path_factory.mktemp("kind")) as store:
        yield Verifier(store, judge="none")


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("Adra Town is a city in Ostmark.", YES),  # a port city is one
        ("Adra Town is a port city in Ostmark.", YES),
        ("Adra Town is a river in Ostmark.", OPEN),
        ("Adra Town is not a river in Ostmark.", OPEN),
        ("Luhe Water is a river in Ostmark.", YES),
        ("Luhe Water is a city in Ostmark.", OPEN),
        ("Adra Town is a swamp in Ostmark.", YES),  # a class without members: the place alone is checked
        ("Nix Place is a river in Ostmark.", YES),  # nor does the KG say what this is
        ("Bob Jones was a participant in Luhe Games.", YES),  # here the noun is the relation
    ],
)
def test_a_place_supports_a_class_only_where_it_fits(verifier, text, label):
    (verdict,) = verifier.verify(text).verdicts
    assert verdict.label is label, verdict.reason
