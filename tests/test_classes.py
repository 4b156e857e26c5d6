"""Classes over classes: support through what is transitive, contradiction through what is disjoint."""

from __future__ import annotations

import pytest

from kgstore.verifier.claims import Label
from kgstore.verifier.pipeline import Verifier
from tests.plain_graph import plain_store

SHOP = """
ex:person a owl:Class ; rdfs:label "person"@en ; owl:disjointWith ex:company .
ex:company a owl:Class ; rdfs:label "company"@en . ex:engineer rdfs:subClassOf ex:person ; rdfs:label "engineer"@en .
ex:bank rdfs:subClassOf ex:company ; rdfs:label "bank"@en . ex:tool a owl:Class ; rdfs:label "tool"@en .
ex:ada a ex:engineer ; rdfs:label "Ada Berg"@en . ex:acme a ex:company ; rdfs:label "Acme Works"@en .
ex:bolt rdfs:label "Bolt Unit"@en ; ex:partOf ex:gear . ex:gear rdfs:label "Gear Box"@en ; ex:partOf ex:engine .
ex:engine rdfs:label "Main Engine"@en ; ex:partOf ex:ship . ex:ship rdfs:label "North Ship"@en .
ex:partOf a owl:TransitiveProperty ; rdfs:label "component of"@en .
"""
YES, OPEN, NO = Label.ATTRIBUTABLE, Label.EXTRAPOLATORY, Label.CONTRADICTORY


@pytest.fixture(scope="module")
def verifier(tmp_path_factory):
    with plain_store(SHOP, tmp_path_factory.mktemp("classes")) as store:
        verifier = Verifier(store)
        verifier.without = frozenset(("nli",))
        yield verifier


@pytest.mark.parametrize(
    ("text", "found", "method"),
    [
        ("Ada Berg is an engineer.", YES, "rule:statement"),
        ("Ada Berg is a person.", YES, "rule:hierarchy"),
        ("Ada Berg is a company.", NO, "rule:disjoint"),
        ("Ada Berg is a bank.", NO, "rule:disjoint"),
        ("Ada Berg is not a bank.", YES, "rule:negation"),
        ("Ada Berg is a tool.", OPEN, "rule:several-values"),
        ("Acme Works is a bank.", OPEN, "rule:finer"),
        ("Acme Works is an engineer.", NO, "rule:disjoint"),
        ("Bolt Unit is a component of Main Engine.", YES, "rule:hierarchy"),
        ("Bolt Unit is a component of North Ship.", YES, "rule:hierarchy"),
    ],
)
def test_what_classes_and_transitive_properties_show(verifier, text, found, method):
    (verdict,) = verifier.verify(text).verdicts
    assert (verdict.label, verdict.method) == (found, method), verdict.reason


def test_a_chain_shows_every_step(verifier):
    (verdict,) = verifier.verify("Bolt Unit is a component of North Ship.").verdicts
    assert len(verdict.evidence) == 3
