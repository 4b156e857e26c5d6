"""A town is the one that lies where the text says: "Oslo, Germany" is not the capital of Norway."""

from __future__ import annotations

import pytest

from kgstore.store import Store
from kgstore.verifier.claims import Label
from kgstore.verifier.pipeline import Verifier
from tests.plain_graph import plain_store


@pytest.fixture(scope="module")
def verifier(small_kg):
    with Store(small_kg) as store:
        yield Verifier(store, reader="none")  # these are about the grammar


@pytest.mark.parametrize("name", ["Oslo, Germany,", "Oslo in Germany"])
def test_a_town_elsewhere_is_another_one(verifier, name):
    for text in (f"{name} is a city.", f"{name} was founded in 1900."):
        (verdict,) = verifier.verify(text).verdicts
        assert verdict.method == "rule:not-linked" and verdict.label is Label.EXTRAPOLATORY
        assert verdict.claim.head.text == name.rstrip(",")
    text = f"{name} lies by the sea. Oslo is the capital of Norway. It was founded in 1900."
    assert {one.label for one in verifier.verify(text).verdicts} <= {Label.EXTRAPOLATORY}


@pytest.mark.parametrize("name", ["Oslo, Norway,", "Oslo in Norway", "Oslo, Europe,", "Oslo"])
def test_a_town_where_it_lies_is_the_one(verifier, name):
    (verdict,) = verifier.verify(f"{name} is a city.").verdicts
    assert verdict.label is Label.ATTRIBUTABLE


def test_where_it_lies_may_be_a_claim_of_its_own(verifier):
    found = verifier.verify("Oslo, in Germany, was founded in 1900.").verdicts
    assert {one.claim.tail.text for one in found} == {"Germany", "1900"}
    assert {one.method for one in found} == {"rule:not-linked"}


def test_a_value_elsewhere_is_not_the_one_of_the_kg(verifier):
    texts = [f"Douglas Adams was born in Cambridge, {one}." for one in ("England", "Germany")]
    found = [verifier.verify(text).verdicts[0] for text in texts]
    assert [one.label for one in found] == [Label.ATTRIBUTABLE, Label.EXTRAPOLATORY]
    assert found[1].claim.tail.text == "Cambridge, Germany"


def test_a_list_of_towns_says_nothing_of_where_they_lie(verifier):
    (oslo, *_) = verifier.verify("Douglas Adams lived in London, Oslo and Germany.").verdicts
    assert oslo.label is Label.ATTRIBUTABLE


OWN = 'name = "own"\ntype = ["rdf:type"]\nlocated = ["ex:lies"]\n[prefixes]\nex = "http://example.org/"\n'
TOWNS = """
ex:town rdfs:label "town"@en . ex:state rdfs:label "state"@en . ex:bard rdfs:label "bard"@en .
ex:lived rdfs:label "lived in"@en ; rdfs:range ex:town .
ex:lies rdfs:label "lies in"@en .
ex:ann a ex:bard ; rdfs:label "Ann Smith"@en ; ex:lived ex:milka , ex:norva .
ex:milka a ex:town ; rdfs:label "Milka"@en ; ex:lies ex:south .
ex:norva a ex:town ; rdfs:label "Norva"@en ; ex:lies ex:south .
ex:ulta a ex:town ; rdfs:label "Ulta"@en ; ex:lies ex:norva .
ex:south a ex:state ; rdfs:label "Southland"@en .
ex:old a ex:state ; rdfs:label "Norva"@en .
"""


def test_a_town_in_a_list_that_is_also_a_state_is_a_town(tmp_path):
    with plain_store(TOWNS, tmp_path, OWN) as store:
        found = Verifier(store).verify("Ann Smith lived in Milka, Norva and Ulta.").verdicts
    assert [(one.claim.tail.text, one.label.value) for one in found[:2]] == [
        ("Milka", "attributable"),
        ("Norva", "attributable"),
    ]


@pytest.mark.parametrize(("part", "excluded"), [("Mill Quarter of Milka", False), ("Mill Quarter", True)])
def test_a_part_that_its_name_places_in_a_town_does_not_exclude_the_town(tmp_path, part, excluded):
    """The graph does not say that the 13th arrondissement of Paris lies in Paris; its name does."""
    graph = f"""
    ex:born rdfs:label "place of birth"@en . ex:ann a ex:bard ; rdfs:label "Ann Smith"@en ; ex:born ex:part .
    ex:bard rdfs:label "bard"@en . ex:town rdfs:label "town"@en . ex:part a ex:town ; rdfs:label "{part}"@en .
    ex:milka a ex:town ; rdfs:label "Milka"@en .
    """
    with plain_store(graph, tmp_path, profile=OWN) as store:
        (verdict,) = Verifier(store, reader="none").verify("Ann Smith was born in Milka.").verdicts
    assert (verdict.label is Label.CONTRADICTORY) == excluded


def test_the_reader_knows_that_a_town_lies_elsewhere_too(tmp_path):
    """ "Norva, Southland" is said of no claim that the grammar makes."""
    graph = TOWNS + 'ex:north a ex:state ; rdfs:label "Northland"@en .'
    with plain_store(graph, tmp_path, OWN) as store:
        _, passages = Verifier(store).read("It was a walk from Norva, Northland, to the sea near Milka.")
    assert "Norva" not in [place.text for passage in passages for place in passage.places]
