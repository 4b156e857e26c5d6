"""Forms of a label that the graph does not give: what they are, where they stand in a text, and that others win."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from kgstore.catalog import Catalog
from kgstore.short_names import FORMED, forms, listed
from kgstore.verifier.pipeline import Verifier
from tests.plain_graph import plain_store
from tests.test_catalog import catalog_of

GRAPH = """
ex:film rdfs:label "Alien (film)" ; ex:by ex:tolkien . ex:being rdfs:label "Alien" . ex:song rdfs:label "Duele (song)" .
ex:band rdfs:label "The Beatles" . ex:sava rdfs:label "Sava River" . ex:thames rdfs:label "River Thames" .
ex:peak rdfs:label "Mount Everest" . ex:tolkien rdfs:label "J. R. R. Tolkien" . ex:dead rdfs:label "Dead Sea" .
ex:us rdfs:label "United States" . ex:ussr rdfs:label "Soviet Union" . ex:uk rdfs:label "United Kingdom" .
ex:arlington rdfs:label "Arlington, Texas" . ex:texas rdfs:label "Texas" . ex:paris rdfs:label "Paris, Texas" .
ex:capital rdfs:label "Paris" . ex:minnesota rdfs:label "Minnesota River" . ex:simon rdfs:label "Simon & Garfunkel" .
ex:perfect1 rdfs:label "Perfect (song)" . ex:perfect2 rdfs:label "Perfect (album)" . ex:times rdfs:label "The Times" .
"""


@pytest.fixture(scope="module")
def verifier(tmp_path_factory):
    with plain_store(GRAPH, tmp_path_factory.mktemp("forms")) as store:
        yield Verifier(store)


def linked(verifier: Verifier, text: str) -> dict[str, list[str]]:
    """What each name of a text may mean, by label."""
    found = verifier.rules.mentions(text)
    return {one.text: [meant.label for meant in one.candidates] for one in found if one.candidates}


@pytest.mark.parametrize(
    ("text", "name", "label"),
    [
        ("Duele is a song.", "Duele", "Duele (song)"),
        ("Zagreb lies on the Sava.", "Sava", "Sava River"),
        ("The Sava flows past Zagreb.", "Sava", "Sava River"),
        ("It flows into the River Sava.", "River Sava", "Sava River"),
        ("London lies on the Thames.", "Thames", "River Thames"),
        ("She climbed Everest twice.", "Everest", "Mount Everest"),
        ("She climbed Mt. Everest twice.", "Mt. Everest", "Mount Everest"),
        ("He met JRR Tolkien there.", "JRR Tolkien", "J. R. R. Tolkien"),
        ("He met J.R.R. Tolkien there.", "J.R.R. Tolkien", "J. R. R. Tolkien"),
        ("They live in the US.", "US", "United States"),
        ("They live in the U.S. and abroad.", "U.S.", "United States"),
        ("They live in the UK.", "UK", "United Kingdom"),
        ("They lived in the USSR.", "USSR", "Soviet Union"),
        ("He played with the Beatles.", "Beatles", "The Beatles"),
        ("He wrote Beatles songs.", "Beatles", "The Beatles"),
        ("He heard Simon and Garfunkel there.", "Simon and Garfunkel", "Simon & Garfunkel"),
        ("Arlington lies in Texas.", "Arlington", "Arlington, Texas"),
    ],
)
def test_a_usual_form_of_a_label_is_linked(verifier, text, name, label):
    assert linked(verifier, text)[name] == [label]


@pytest.mark.parametrize(
    "text",
    [
        "Ann met Sava there.", "She saw the Dead.", "It is for us.", "Arlington lies in Virginia.",
        "Times have changed.", "She wants a perfect song.", "The Minnesota legislature met.", "They are beatles.",
        "MOUNT EVEREST AND EVEREST.",
    ],
)  # fmt: skip
def test_what_may_be_something_else_is_not(verifier, text):
    assert not linked(verifier, text).keys() - {"MOUNT EVEREST"}


def test_a_name_that_the_graph_gives_goes_before_forms(verifier):
    assert linked(verifier, "Paris is known, and so is Texas.")["Paris"] == ["Paris"]
    [being, film] = next(one for one in verifier.rules.mentions("Ann saw Alien there.")).candidates or (None, None)
    assert (being.label, film.label) == ("Alien", "Alien (film)") and being.score > 2 * film.score


def test_a_form_of_two_labels_stays_open(verifier):
    assert sorted(linked(verifier, "She wrote Perfect in 1999.")["Perfect"]) == ["Perfect (album)", "Perfect (song)"]


def test_forms_are_found_where_they_are_asked_for_only(tmp_path: Path):
    with catalog_of('ex:a rdfs:label "Alien (film)" . ex:b rdfs:label "The Edge" .', tmp_path) as catalog:
        assert catalog.lookup(["Alien", "Edge"]) == {}
        found = catalog.lookup(["Alien", "Edge"], forms=True)
        assert [(hit.name, hit.kind) for hit in (*found["Alien"], *found["Edge"])] == [
            ("Alien", "bare"),
            ("The Edge", "derived"),
        ]
        assert catalog.search("Alien")[0].iri == "http://ex/a"


def test_two_labels_of_one_thing_give_a_form_once(tmp_path: Path):
    with catalog_of('ex:a rdfs:label "Alien (film)", "Alien (a film)", "ALIEN (x y)" .', tmp_path) as catalog:
        assert len(catalog.lookup(["alien"], forms=True)["alien"]) == 1


@pytest.mark.parametrize("label", ["Douglas Adams", "Dead Sea", "iron (2+)", "(Alien)", "", "()", "a, b", "The"])
def test_a_label_without_other_forms_has_none(label):
    assert forms(label) == []


@pytest.mark.parametrize("label", ["Alien (film)", "The Edge", "River Thames", "J. R. R. Tolkien", "A & B", "NBA Cup"])
def test_the_first_look_in_sql_misses_no_form(label):
    assert forms(label) and re.search(FORMED, label)


def test_the_table_names_other_forms_only():
    assert all(label not in short and len(set(short)) == len(short) for label, short in listed().items())


def test_a_catalog_without_forms_still_opens(tmp_path: Path):
    """As catalogs were before there were any."""
    with catalog_of('ex:a rdfs:label "Alien" .', tmp_path) as made, Catalog(made.path) as catalog:
        assert len(catalog.lookup(["alien", "aliens"], forms=True)) == 1
