"""What a text is about as a whole, and what its sentences say of it without mentioning it."""

from __future__ import annotations

import pytest

from kgstore.verifier.claims import Label
from kgstore.verifier.explained import explained
from kgstore.verifier.judges.hypothesis import hypothesis
from kgstore.verifier.link.centre import centre, foremost
from kgstore.verifier.pipeline import Verifier
from kgstore.verifier.reader.guide import named_in
from tests.plain_graph import plain_store

GRAPH = """
@prefix : <http://ex/> .
:film rdfs:label "film" . :person rdfs:label "person" . :town rdfs:label "town" . :land rdfs:label "country" .
:director rdfs:label "director" . :composer rdfs:label "composer" . :origin rdfs:label "country of origin" .
:length rdfs:label "running time" ; a owl:FunctionalProperty . :citizen rdfs:label "country of citizenship" .
:people rdfs:label "population" ; a owl:FunctionalProperty . :country rdfs:label "country" .
:norway a :land ; rdfs:label "Norway" . :oslo a :town ; rdfs:label "Oslo" ; :country :norway ; :people 5000 .
:graz a :town ; rdfs:label "Graz" ; :people 8000 .
:ann a :person ; rdfs:label "Ann Smith" ; :citizen :norway . :bob a :person ; rdfs:label "Bob Roe" ; :citizen :norway .
:dunes a :film ; rdfs:label "Grey Dunes" ; :director :ann ; :composer :bob ; :origin :norway ; :length 90 .
"""


@pytest.fixture(scope="module")
def verifier(tmp_path_factory):
    with plain_store(GRAPH, tmp_path_factory.mktemp("centre")) as store:
        yield Verifier(store, judge="none")


def about(verifier: Verifier, text: str) -> str | None:
    mentions = verifier.rules.names(text).mentions
    found = centre(verifier.store, mentions) or foremost(mentions)
    return found and found.text


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Few expected much of Grey Dunes. Ann Smith directed it in Norway. Bob Roe wrote the music.", "Grey Dunes"),
        ("Norway has good films. Grey Dunes is by Ann Smith, with music by Bob Roe.", "Grey Dunes"),
        ("Oslo is in Norway. Ann Smith came.", "Norway"),
        ("Oslo is old. Graz is older. Oslo is large.", "Oslo"),
        ("Oslo is old.", "Oslo"),
        ("Nobody came.", None),
    ],
)
def test_a_text_is_about_what_the_graph_links_to_what_else_it_names(verifier, text, name):
    assert about(verifier, text) == name


def test_a_sentence_that_leaves_out_what_the_text_is_about_says_it_of_that(verifier):
    text = "Few expected much of Grey Dunes. Ann Smith was the director, and the score is the work of Bob Roe."
    verdicts = verifier.verify(text).verdicts
    found = {one.relation: one for one in verdicts if one.label is Label.ATTRIBUTABLE}
    assert {"http://ex/director", "http://ex/composer"} <= found.keys()
    for one in found.values():
        assert one.head is None or one.head.label == "Grey Dunes"
    assert not [one for one in verdicts if one.label is Label.CONTRADICTORY]


def test_a_sentence_is_read_with_the_name_that_it_leaves_out_in_front(verifier):
    text = "Oslo is old. There are 8,000 inhabitants."
    _, passages = verifier.read(text)
    (asked,) = [
        one for one in verifier.guide.questions(text, passages[1], named_in(passages)) if one.head.is_implied
    ]
    sentence, statement = verifier.guide.said(asked, "http://ex/people")
    assert sentence == "Oslo: There are 8,000 inhabitants." and statement == "The population of Oslo is 8,000."
    verdict = next(one for one in verifier.verify(text).verdicts if one.label is Label.CONTRADICTORY)
    assert verdict.relation == "http://ex/people"


@pytest.mark.parametrize(
    "text",
    [
        "Oslo is old. In Graz the population is 8,000.",
        "Oslo is old. The population of Zorkstadt is 8,000.",
        "Oslo is old. Some 8,000 people live in Zorkstadt.",
        "Oslo is old. Zorkstadt counts 8,000 inhabitants.",
        "Oslo is old. The population of the valley is 8,000.",
        "Oslo is old.\n\n## Graz\n\nThe population is 8,000.",
    ],
)
def test_what_may_be_said_of_another_accuses_nobody(verifier, text):
    assert all(one.label is not Label.CONTRADICTORY for one in verifier.verify(text).verdicts)


@pytest.mark.parametrize(("people", "accused"), [("9,000", 1), ("5,000", 0), ("8,000", 0)])
def test_what_fits_none_of_whom_it_may_be_said_is_wrong(verifier, people, accused):
    text = f"Oslo is old. Oslo is large. Graz is a town in Norway. There are {people} inhabitants."
    assert [one.label for one in verifier.verify(text).verdicts].count(Label.CONTRADICTORY) == accused


def test_a_line_that_says_more_than_its_values_is_read(verifier):
    text = "Grey Dunes came as a surprise.\n\n- **Running time:** 90 minutes, with music by Bob Roe all the way through"
    found = {one.relation for one in verifier.verify(text).verdicts if one.label is Label.ATTRIBUTABLE}
    assert "http://ex/composer" in found


def test_what_is_left_out_has_no_place_in_the_text(verifier):
    text = "Few expected much of Grey Dunes. Ann Smith was the director."
    report = verifier.verify(text)
    assert all(one.start < one.end for one in report.entities)
    verdict = next(one for one in report.verdicts if one.relation == "http://ex/director")
    said = hypothesis(text, verdict.claim, "Grey Dunes", None)
    assert said == ("Grey Dunes: Ann Smith was the director." if verdict.claim.head.is_implied else said)


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("Music of the film: It was written by Bob Roe.", 1),
        ("Sound: It was written by Bob Roe. He came from Norway.", 2),
        ("Music. Bob Roe wrote it.", 1),
        ("A few words on its music. Bob Roe wrote it.", 2),
        ("Music.\nBob Roe wrote it.", 2),
        ("Ann Smith directed it. Music. Bob Roe wrote it.", 3),
    ],
)
def test_a_label_is_read_with_its_sentence(verifier, text, sentences):
    """ "**Lowest point:** the land goes down to the sea" says it with its label alone."""
    _, passages = verifier.read(f"Grey Dunes came as a surprise.\n\n{text}")
    assert len(passages) == sentences + 1


def test_what_a_sentence_leaves_out_is_shown_as_left_out(verifier):
    asked = [one for part in explained("Oslo is old. There are 8,000 inhabitants.", verifier) for one in part.asked]
    assert {(one.head, one.tail) for one in asked} == {("(left out)", "8,000")}
