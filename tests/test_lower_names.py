"""Graphs whose names are common nouns, with capitals or without: drugs, diseases, cells."""

from __future__ import annotations

import pytest

from kgstore.verifier.claims import Label
from kgstore.verifier.pipeline import Verifier
from tests.plain_graph import plain_store
from tests.test_reader import Told

GRAPH = """
@prefix : <http://ex/> .
:Drug a rdfs:Class ; rdfs:label "drug" . :Disease a rdfs:Class ; rdfs:label "disease" . :Cell rdfs:label "cell" .
:metformin a :Drug ; rdfs:label "metformin" ; :treats :T2 ; :halfLife "6 hours" ; :route :oral .
:imatinib a :Drug ; rdfs:label "imatinib" ; :treats :Gout ; :halfLife "18 hours" ; :route :oral .
:digoxin a :Drug ; rdfs:label "digoxin" ; :treats :MS ; :halfLife "36 hours" ; :route :injection .
:T2 a :Disease ; rdfs:label "Type 2 diabetes mellitus" . :Gout a :Disease ; rdfs:label "Gout" .
:MS a :Disease ; rdfs:label "multiple sclerosis" . :oral rdfs:label "oral" . :injection rdfs:label "injection" .
:macrophage a :Cell ; rdfs:label "macrophage" ; :secretes :TNF . :TNF rdfs:label "TNF" .
:beta a :Cell ; rdfs:label "Beta cell" ; :secretes :insulin . :insulin rdfs:label "insulin" .
:Adam a :Disease ; rdfs:label "Adam" .
:treats rdfs:label "treats" . :secretes rdfs:label "secretes" . :route rdfs:label "route" .
"""


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    with plain_store(GRAPH, tmp_path_factory.mktemp("lower")) as store:
        yield store


def named(store, text: str) -> dict[str, str]:
    """Each name or common noun of a text -> the label of what it means."""
    mentions = Verifier(store, judge="none").rules.mentions(text, nouns=True)
    return {one.text: one.candidates[0].label for one in mentions if one.candidates}


@pytest.mark.parametrize(
    ("text", "name", "label"),
    [
        ("Metformin is cheap.", "metformin", "metformin"),
        ("It helps. Metformin is cheap.", "metformin", "metformin"),
        ("They gave her metformin.", "metformin", "metformin"),
        ("She was treated for gout.", "gout", "Gout"),
        ("Macrophages release it.", "macrophages", "macrophage"),
        ("What macrophages release is known.", "macrophages", "macrophage"),
        ("Beta cells release it.", "beta cells", "Beta cell"),
        ("It is multiple sclerosis (MS). Nothing cures MS.", "MS", "multiple sclerosis"),
    ],
)
def test_common_nouns_are_names_of_the_graph(store, text, name, label):
    assert named(store, text).get(name) == label


def test_a_name_is_no_plural_and_an_abbreviation_is_explained_before(store):
    assert not named(store, "Adams came.")
    assert not named(store, "Nothing cures MS.")
    assert not named(store, "The mitral stenosis (MS) of Ann is mild. Nothing cures MS.")


def test_only_a_noun_that_sorts_is_common(store):
    mentions = Verifier(store, judge="none").rules.mentions
    assert [one.is_common for one in mentions("They gave her metformin.", nouns=True)] == [False]
    assert [one.is_common for one in mentions("It is no metformin.", nouns=True)] == [True]
    assert [one.is_common for one in mentions("The drug helps.", nouns=True)] == [True]  # a class


@pytest.mark.parametrize(
    ("text", "said", "label"),
    [
        ("Metformin helps in gout.", "Metformin treats gout.", None),  # it may treat several
        ("Metformin helps in type 2 diabetes mellitus.", "Metformin treats type 2 diabetes mellitus.", "a"),
    ],
)
def test_what_the_reader_reads_of_them_is_decided(store, text, said, label):
    verifier = Verifier(store, judge="none")
    verifier.reader = Told({said: 0.99, said[0].lower() + said[1:]: 0.99})
    labels = {one.label for one in verifier.verify(text).verdicts}
    assert (Label.ATTRIBUTABLE in labels) == (label == "a")
    assert Label.CONTRADICTORY not in labels
