"""Dates that bound others, seasons of a year, and strings that are names of an entity."""

from __future__ import annotations

import pytest

from kgstore.verifier.claims import Label
from kgstore.verifier.pipeline import Verifier
from tests.plain_graph import plain_store

GRAPH = """
ex:firm a owl:Class ; rdfs:label "company"@en . ex:human a owl:Class ; rdfs:label "human"@en .
ex:oak a ex:firm ; rdfs:label "Oakley Works"@en ; ex:founded "1931-05-01"^^xsd:date .
ex:elm a ex:firm ; rdfs:label "Elmstead Works"@en ; ex:founded "1890-01-05"^^xsd:date .
ex:fir a ex:firm ; rdfs:label "Firwood Works"@en ; ex:founded "1958-03-02"^^xsd:date .
ex:ada a ex:human ; rdfs:label "Ada Berg"@en ; skos:altLabel "Ada Lovis Berg"@en ; ex:birthname "Ada Lovis Berg" .
ex:cy a ex:human ; rdfs:label "Cy Berg"@en ; ex:birthname "Cyrus Holm" ; ex:gone "2004-02-01"^^xsd:date .
ex:founded rdfs:label "founded"@en . ex:gone rdfs:label "date of death"@en . ex:birthname rdfs:label "birth name"@en .
ex:founded a owl:FunctionalProperty . ex:gone a owl:FunctionalProperty . ex:birthname a owl:FunctionalProperty .
"""
YES, OPEN, NO = Label.ATTRIBUTABLE, Label.EXTRAPOLATORY, Label.CONTRADICTORY


@pytest.fixture(scope="module")
def verifier(tmp_path_factory):
    with plain_store(GRAPH, tmp_path_factory.mktemp("bounds")) as store:
        yield Verifier(store, judge="none")


@pytest.mark.parametrize(("text", "label"), [
    ("Cy Berg had died by 1980.", NO),
    ("Cy Berg had died by 2010.", YES),
    ("Oakley Works was founded before 1950.", YES),
    ("Oakley Works was founded before 1900.", NO),
    ("Oakley Works was founded before 1931.", OPEN),
    ("Oakley Works was founded after 1900.", YES),
    ("Oakley Works was founded shortly after 1900.", OPEN),
    ("Oakley Works was founded after 1950.", NO),
    ("Oakley Works was not founded before 1950.", NO),
    ("Oakley Works was not founded before 1900.", YES),
])  # fmt: skip
def test_a_date_after_before_by_or_after_is_a_bound(verifier, text, label):
    assert [one.label for one in verifier.verify(text).verdicts] == [label]


@pytest.mark.parametrize(("text", "label"), [
    ("Oakley Works was founded in the summer of 1950.", NO), ("Oakley Works was founded in the summer of 1931.", OPEN),
])  # fmt: skip
def test_a_season_may_be_wrong_by_its_year_but_is_never_confirmed_by_it(verifier, text, label):
    assert [one.label for one in verifier.verify(text).verdicts] == [label]


@pytest.mark.parametrize("text", [
    "The birth name of Ada Berg is Ada Lovis Berg.", "Ada Lovis Berg is the birth name of Ada Berg.",
    "The birth name of Ada Lovis Berg is Ada Berg.",
])  # fmt: skip
def test_two_names_of_one_entity_never_contradict_each_other(verifier, text):
    assert NO not in {one.label for one in verifier.verify(text).verdicts}


@pytest.mark.parametrize(("text", "label"), [
    ("Oakley Works is a company.", YES), ("Oakley Works is the bigger company when set against Elmstead Works.", OPEN),
])  # fmt: skip
def test_a_class_alone_does_not_confirm_a_comparison(verifier, text, label):
    assert {one.label for one in verifier.verify(text).verdicts} == {label}
