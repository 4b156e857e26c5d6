"""Statements of two steps: what a sentence says of somebody whom it describes by a name, and does not name."""

from __future__ import annotations

import pytest

from kgstore.verifier.claims import Label
from kgstore.verifier.pipeline import Verifier
from kgstore.verifier.reader.asking import Question, hypothesis
from kgstore.verifier.reader.joining import ALONE
from kgstore.verifier.reader.relations import Relations
from kgstore.verifier.reader.walks import ACCUSED, SUPPORTED
from tests.plain_graph import plain_store
from tests.test_reader import Told

GRAPH = """
@prefix : <http://ex/> .
:film rdfs:label "film" . :person rdfs:label "person" . :city rdfs:label "city" .
:director rdfs:label "director" ; a owl:FunctionalProperty .
:producer rdfs:label "producer" . :writer rdfs:label "writer" .
:home rdfs:label "place of birth" ; a owl:FunctionalProperty .
:born rdfs:label "date of birth" ; a owl:FunctionalProperty .
:dunes a :film ; rdfs:label "Grey Dunes" ; :director :ann ; :producer :bob .
:tide a :film ; rdfs:label "Low Tide" ; :director :bob ; :writer :ann .
:days a :film ; rdfs:label "Short Days" ; :director :ann ; :producer :ann .
:lights a :film ; rdfs:label "Low Lights" ; :producer :bob .
:ann a :person ; rdfs:label "Ann Smith" ; :home :graz ; :born "1951-05-07"^^xsd:date .
:bob a :person ; rdfs:label "Bob Jones" ; :home :oslo .
:within rdfs:label "location" . :country rdfs:label "country" . :mill a :house ; rdfs:label "Old Mill" ; :within :bath .
:bath a :city ; rdfs:label "Bath" ; :country :england . :england a :land ; rdfs:label "England" .
:graz a :city ; rdfs:label "Graz" . :oslo a :city ; rdfs:label "Oslo" . :linz a :city ; rdfs:label "Linz" .
"""
TWO = "The place of birth of the director of Grey Dunes is {}."


class Learnt(Told):
    """One that learnt statements of two steps."""

    two_steps = True


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    with plain_store(GRAPH, tmp_path_factory.mktemp("walks")) as store:
        yield store


def verified(store, text: str, **said: float):
    """:param said: statements -> P(asserted)"""
    verifier = Verifier(store, judge="none")
    verifier.reader = Learnt(said)
    verdicts = [one for one in verifier.verify(text).verdicts if one.label is not Label.EXTRAPOLATORY]
    return verdicts, [asked for _, asked in verifier.reader.asked]


def test_two_statements_that_follow_on_one_another_support(store):
    text = "It was Graz that gave the world the filmmaker behind Grey Dunes."
    (verdict,), _ = verified(store, text, **{TWO.format("Graz"): SUPPORTED + 0.01})
    assert verdict.label is Label.ATTRIBUTABLE and verdict.method == "reader:multi-hop"
    assert [hop.relation for hop in verdict.claim.bridge] == ["director"]
    assert [one.statement.subject.value for one in verdict.evidence] == ["http://ex/dunes", "http://ex/ann"]


def test_a_day_is_the_end_of_two_steps_too(store):
    text = "On 7 May 1951 the maker of Grey Dunes saw the light."
    said = {"The date of birth of the director of Grey Dunes is 7 May 1951.": 0.9}
    (verdict,), _ = verified(store, text, **said)
    assert verdict.label is Label.ATTRIBUTABLE


@pytest.mark.parametrize(
    ("more", "sure", "accused"),
    [
        (", says Zeb Quill", ACCUSED - 0.01, False),
        (", says Zeb Quill", ACCUSED + 0.01, True),
        ("", ALONE - 0.01, False),
        ("", ALONE + 0.01, True),
    ],
)
def test_another_value_at_the_end_contradicts_where_the_reader_is_sure(store, more, sure, accused):
    text = f"It was Linz that gave the world the filmmaker behind Grey Dunes{more}."
    verdicts, _ = verified(store, text, **{TWO.format("Linz"): sure})
    assert [one.label for one in verdicts] == [Label.CONTRADICTORY] * accused


@pytest.mark.parametrize(
    "other",
    [
        "The place of birth of Grey Dunes is Linz.",
        "The director of Grey Dunes is Linz.",
        "The place of birth of the writer of Grey Dunes is Linz.",
        "The place of birth of the director of Low Tide is Linz.",
    ],
)
def test_any_other_likely_reading_clears_of_a_contradiction(store, other):
    text = "It was Linz that gave the world the filmmaker behind Grey Dunes, not Low Tide."
    said = {TWO.format("Linz"): ACCUSED + 0.01}
    assert verified(store, text, **said)[0]
    assert not verified(store, text, **said, **{other: 0.7})[0]


@pytest.mark.parametrize(("which", "accused"), [("filmmaker", True), ("first filmmaker", False)])
def test_one_of_several_is_not_the_one_that_the_kg_knows(store, which, accused):
    text = f"It was Linz that gave the world the {which} behind Grey Dunes."
    verdicts, _ = verified(store, text, **{TWO.format("Linz"): 0.995})
    assert [one.label for one in verdicts] == [Label.CONTRADICTORY] * accused


def test_a_reading_that_the_kg_denies_just_as_well_clears_nobody(store):
    text = "It was Linz that gave the world the filmmaker behind Short Days."
    said = "The place of birth of the {} of Short Days is Linz."
    accused, _ = verified(store, text, **{said.format("director"): ACCUSED + 0.01, said.format("producer"): 0.9})
    assert [one.label for one in accused] == [Label.CONTRADICTORY]


@pytest.mark.parametrize(
    ("other", "supported"),
    [
        ("The place of birth of Grey Dunes is Graz.", True),
        ("The director of Grey Dunes is Graz.", True),
        ("The place of birth of the producer of Grey Dunes is Graz.", False),
    ],
)
def test_support_heeds_likelier_readings_that_fit_the_kinds_of_the_two(store, other, supported):
    """A film has no place of birth, and a city is no director."""
    text = "It was Graz that gave the world the filmmaker behind Grey Dunes."
    verdicts, _ = verified(store, text, **{TWO.format("Graz"): 0.8, other: 0.95})
    assert [one.label for one in verdicts] == [Label.ATTRIBUTABLE] * supported


def test_what_a_place_lies_in_is_where_a_thing_lies_and_describes_nothing(store):
    _, asked = verified(store, "The town that has the Old Mill for a sight belongs to England.")
    assert not [one for one in asked if "country of the location of" in one]


def test_a_common_noun_that_only_helps_to_describe_makes_no_claim(store):
    text = "A filmmaker born in Graz had Grey Dunes among many works."
    verifier = Verifier(store, judge="none")
    verifier.reader = Learnt({TWO.format("Graz"): 0.9})
    (verdict,) = verifier.verify(text).verdicts
    assert verdict.label is Label.ATTRIBUTABLE


def test_who_is_named_in_the_text_is_not_asked_about_as_unnamed(store):
    text = "Ann Smith, the filmmaker behind Grey Dunes, was raised far from Linz."
    _, asked = verified(store, text)
    assert TWO.format("Linz") not in asked


@pytest.mark.parametrize("doubt", ["never", "perhaps"])
def test_of_what_is_denied_or_doubted_nothing_is_asked(store, doubt):
    text = f"It was {doubt} Graz that gave the world the filmmaker behind Grey Dunes."
    _, asked = verified(store, text)
    assert TWO.format("Graz") not in asked


def test_what_the_grammar_read_in_words_that_name_a_property_is_no_description(store):
    said = {"The place of birth of the producer of Low Lights is Oslo.": 0.99}
    text = "Oslo was a producer of Low Lights."
    _, asked = verified(store, text, **said)
    assert not set(said) & set(asked)
    _, asked = verified(store, "Low Lights has a maker who loved Oslo.", **said)
    assert set(said) & set(asked)


def test_where_nothing_is_open_no_words_are_compared_in_meaning(store, monkeypatch):
    monkeypatch.setattr(Relations, "_meaning", lambda *_: pytest.fail("it would load the embedding model"))
    (verdict,), _ = verified(store, "Ann Smith was born in Graz.")
    assert verdict.label is Label.ATTRIBUTABLE


def test_a_reader_that_did_not_learn_two_steps_is_asked_of_none(store):
    verifier = Verifier(store, judge="none")
    verifier.reader = Told({TWO.format("Graz"): 0.99})
    verdicts = verifier.verify("It was Graz that gave the world the filmmaker behind Grey Dunes.").verdicts
    assert all(one.label is Label.EXTRAPOLATORY for one in verdicts) and not verifier.reader.asked


@pytest.mark.parametrize(("text", "asked"), [("{} has a director who loved Graz.", True), ("{} and Graz.", False)])
def test_only_sentences_that_may_describe_somebody_are_asked_about(store, text, asked):
    assert (TWO.format("Graz") in verified(store, text.format("Grey Dunes"))[1]) == asked


def test_how_two_steps_are_put_into_words():
    question = Question("The college that taught Ann is in Graz.", (24, 27), (34, 38), "educated at")
    assert hypothesis(question, "location") == "The location of what Ann was educated at is Graz."


def test_nothing_leads_back_to_itself(tmp_path):
    """"England contains Bath, and the country of Bath is England" is news to nobody."""
    graph = """
        @prefix : <http://ex/> .
        :country rdfs:label "country" . :holds rdfs:label "contains" .
        :england a :land ; rdfs:label "England" ; :holds :bath . :bath a :city ; rdfs:label "Bath" ; :country :england .
        :mill a :house ; rdfs:label "Old Mill" ; :country :england .
    """
    with plain_store(graph, tmp_path) as own:
        found, asked = verified(own, "In England, where Old Mill stands, they say that England is what they know.")
    assert asked and not [one for one in asked if one.endswith(" of England is England.")]
    assert not [one for one in found if one.claim.head.candidates == one.claim.tail.candidates]
