"""Graphs as DBpedia has them: labels are titles, numbers and dates are strings, relations are named in camelCase."""

from __future__ import annotations

import pytest

from kgstore.verifier.claims import Label
from kgstore.verifier.pipeline import Verifier
from tests.plain_graph import plain_store
from tests.test_reader import Told

GRAPH = """
@prefix : <http://ex/> .
:City a :Kind ; rdfs:label "City" . :Airport a :Kind ; rdfs:label "Airport" .
:Boise_Airport a :Airport ; rdfs:label "Boise Airport" ; :elevationAboveTheSeaLevel 873.0 ; :runwayName "10L/28R" .
:Antwerp a :City ; rdfs:label "Antwerp" ; :areaTotal "204.51 (squareKilometres)" ; :country :Belgium .
:Annex rdfs:label "Hill Annex" ; :buildingStartDate "14 February 2001" ; :material "Red sandstone" .
:Hypermarcas rdfs:label "Hypermarcas" ; :revenue "4300000000.0 (reals)" .
:Zentiva rdfs:label "Zentiva" ; :netIncome 7000000 .
:Bandeja rdfs:label "Bandeja paisa" ; :ingredient :Kidney_bean . :Kidney_bean rdfs:label "Kidney bean" .
:Belgium rdfs:label "Belgium" . :Moody rdfs:label "Abner Moody" ; :party :Republican_Party ; :nationality :Belgium .
:Republican_Party rdfs:label "Republican Party (United States)" .
:Wolf rdfs:label "Grey Wolves" ; :author :Mendes ; :musicComposer :Friis . :Mendes rdfs:label "Carla Mendes" .
:Friis rdfs:label "Lars Friis" .
:Trow rdfs:label "Silas Trow" ; :office "Governor of Vermont" .
"""


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    with plain_store(GRAPH, tmp_path_factory.mktemp("titled")) as store:
        yield store


def found(store, text: str) -> dict[str, Label]:
    """Name of each relation of which a text's claims are decided -> the label."""
    verdicts = Verifier(store, judge="none").verify(text).verdicts
    decided = [one for one in verdicts if one.label is not Label.EXTRAPOLATORY]
    return {one.relation.rpartition("/")[2]: one.label for one in decided if one.relation}


@pytest.mark.parametrize(
    ("text", "relation"),
    [
        ("Boise Airport is located 873 metres above sea level.", "elevationAboveTheSeaLevel"),
        ("Antwerp covers an area of 204.51 square kilometres.", "areaTotal"),
        ("The building start date of the Hill Annex is 14 February 2001.", "buildingStartDate"),
        ("The Hill Annex is made of red sandstone.", "material"),
        ("Bandeja paisa contains kidney beans as an ingredient.", "ingredient"),
        ("Abner Moody, who was a Belgian national, died.", "nationality"),
        ("Grey Wolves (ISBN 978-0-312-85182-9) was written by Carla Mendes.", "author"),
    ],
)
def test_values_and_names_are_found_as_texts_write_them(store, text, relation):
    assert found(store, text).get(relation) is Label.ATTRIBUTABLE


def test_a_party_is_named_by_its_adjective(store):
    (*_, party) = Verifier(store, judge="none").rules.mentions("Abner Moody was a Republican.")
    assert [one.label for one in party.candidates] == ["Republican Party (United States)"]


@pytest.mark.parametrize(
    "text",
    [
        "Boise Airport is located 2,864 feet above sea level.",  # of what unit the graph's number is, it does not say
        "Hypermarcas made a net income of 154 million reals.",  # no revenue, though the graph has only that of it
        "Silas Trow was the Lieutenant Governor of Vermont.",  # another office
    ],
)
def test_what_the_graph_does_not_tell_stays_open(store, text):
    assert not found(store, text)


def test_the_reader_is_asked_by_the_usual_label_of_what_a_graph_calls_otherwise(store):
    verifier = Verifier(store, judge="none")
    verifier.reader = Told({"The composer of Grey Wolves is Lars Friis.": 0.9})
    (verdict,) = verifier.verify("Grey Wolves came to life with the sounds of Lars Friis.").verdicts
    assert verdict.label is Label.ATTRIBUTABLE
