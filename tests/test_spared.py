"""Nobody is accused of what is true of somebody else who may be meant."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kgstore.verifier.claims import Label, Verdict
from kgstore.verifier.pipeline import Verifier
from kgstore.verifier.reader.spared import spare_pronouns
from tests.plain_graph import plain_store

GRAPH = """
ex:human rdfs:label "human" . ex:lake rdfs:label "lake" . ex:region rdfs:label "region" .
ex:born rdfs:label "place of birth" ; a owl:FunctionalProperty .
ex:began rdfs:label "inception" ; a owl:FunctionalProperty .
ex:area rdfs:label "area" ; a owl:FunctionalProperty . ex:land rdfs:label "country" ; a owl:FunctionalProperty .
ex:day rdfs:label "date of birth" ; a owl:FunctionalProperty .
ex:ann a ex:human ; rdfs:label "Ann Smith" ; ex:born ex:oslo ; ex:day "1931-05-05"^^xsd:date .
ex:bea a ex:human ; rdfs:label "Bea Roe" ; ex:born ex:graz .
ex:oslo a ex:town ; rdfs:label "Oslo" . ex:graz a ex:town ; rdfs:label "Graz" . ex:town rdfs:label "town" .
ex:bergen a ex:town ; rdfs:label "Bergen" .
ex:inari a ex:lake ; rdfs:label "Inari" ; ex:area 5 . ex:ladoga a ex:region ; rdfs:label "Ladoga" ; ex:area 900 .
ex:roe a ex:town ; rdfs:label "Roe" ; ex:land ex:chile . ex:state rdfs:label "state" .
ex:chile a ex:state ; rdfs:label "Chile" . ex:peru a ex:state ; rdfs:label "Peru" .
"""


@pytest.fixture(scope="module")
def verifier(tmp_path_factory):
    with plain_store(GRAPH, tmp_path_factory.mktemp("spared")) as store:
        yield Verifier(store, judge="none", reader="none")


def found(verifier: Verifier, text: str) -> list[tuple[str | None, str, Label]]:
    verdicts = verifier.verify(text).verdicts
    return [(one.head and one.head.label, one.claim.tail.text, one.label) for one in verdicts]


@pytest.mark.parametrize(
    ("place", "who", "label"),
    [
        ("Oslo", "Ann Smith", Label.ATTRIBUTABLE),
        ("Graz", "Bea Roe", Label.ATTRIBUTABLE),
        ("Bergen", "Bea Roe", Label.CONTRADICTORY),
    ],
)
def test_a_pronoun_means_the_one_of_whom_it_is_true(verifier, place, who, label):
    text = f"Ann Smith sang. Bea Roe was born in Graz. She was born in {place}."
    assert found(verifier, text)[-1] == (who, place, label)


def test_what_is_no_contradiction_stays_as_it_is(verifier):
    text = "Ann Smith sang. She was born in Oslo."
    claims, passages = verifier.read(text)
    verdicts = [verifier.judge(one) for one in claims]
    assert spare_pronouns(text, verdicts, passages, verifier.judge, verifier.beings) == verdicts


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("Ann Smith was born in Oslo in 1931, Bea Roe in Graz in 1950.", Label.EXTRAPOLATORY),
        ("Ann Smith was born in Oslo in 1950.", Label.CONTRADICTORY),
    ],
)
def test_what_a_sentence_says_rightly_is_not_held_against_the_same_again(verifier, text, label):
    verdicts = verifier.verify(text).verdicts
    (year,) = [one for one in verdicts if one.claim.tail.text == "1950" and one.claim.head.text == "Ann Smith"]
    assert year.label is label


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("Bea Roe taught Ann Lee Ray. She died in Bergen, and she was born in Oslo.", Label.EXTRAPOLATORY),
        ("Bea Roe lived in Ann Lee Bay. She was born in Oslo.", Label.CONTRADICTORY),
        ("Ada Moore is a chemist.\n\nShe taught Bea Roe.\n\nShe was born in Oslo.", Label.EXTRAPOLATORY),
        ("Bea Roe sang in June. She was born in Oslo.", Label.CONTRADICTORY),
        ("Ann Smith wrote books. She owned a house in Zebra Creek. She was born in Bergen.", Label.CONTRADICTORY),
        ("Bea Zork praised Ann Smith. She was born in Bergen.", Label.EXTRAPOLATORY),
        ("Ann Smith sang. Her friend Mary Zork was a writer. She was born in Bergen.", Label.EXTRAPOLATORY),
        ("Ann Smith sang. Her friend Zork was a writer. She was born in Bergen.", Label.EXTRAPOLATORY),
        ("Ann Smith sang. Her husband Kim Zork was a writer. She was born in Bergen.", Label.CONTRADICTORY),
        ("Bea Roe taught Oscar Lee Ray. She was born in Oslo.", Label.CONTRADICTORY),
        ('In "Rain Zed" came Ann Smith. She was born in Bergen.', Label.CONTRADICTORY),
    ],
)
def test_a_pronoun_may_mean_somebody_whom_the_graph_does_not_know(verifier, text, label):
    assert found(verifier, text)[-1][2] is label


@pytest.mark.parametrize(
    ("meant", "about", "label"),
    [(0.5, "Inari", Label.CONTRADICTORY), (0.5, "Ladoga", Label.EXTRAPOLATORY), (0.7, "Ladoga", Label.CONTRADICTORY)],
)
def test_it_accuses_what_a_text_is_about_or_what_it_surely_means(verifier, meant, about, label):
    """ "This county is run from Bangor. It is a big place for its population of 153,923": no population of Bangor."""
    text = "Inari lies by Ladoga. It has an area of 7 square kilometres."
    claim = verifier.claims(text)[-1]
    inari, _, *_ = names = verifier.rules.names(text).mentions
    head = replace(claim.head, candidates=inari.candidates, refers_to=(0, 5), means="Inari", meant=meant)
    verdict = verifier.judge(replace(claim, head=head))
    told = [one for one in names if one.text == about]
    assert spare_pronouns(text, [verdict], (), verifier.judge, verifier.beings, lambda: told)[0].label is label


@pytest.mark.parametrize(
    ("between", "who", "label"),
    [
        (" knew ", "Bea Roe", Label.EXTRAPOLATORY),
        (" and ", "Bea Roe", Label.CONTRADICTORY),
        (" knew ", "Ann Smith", Label.CONTRADICTORY),
    ],
)
def test_what_is_right_about_another_name_is_not_held_against_one(verifier, between, who, label):
    text = f"Ann Smith{between}{who}, born in Graz."
    claims = {one.head.text: one for one in verifier.claims("Ann Smith was born in Graz. Bea Roe was born in Graz.")}

    def said(name: str, start: int) -> Verdict:
        head = replace(claims[name].head, start=start, end=start + len(name))
        tail = replace(claims[name].tail, start=text.index("Graz"), end=len(text) - 1)
        return verifier.judge(replace(claims[name], head=head, tail=tail))

    verdicts = [said("Ann Smith", 0), said(who, text.rindex(who))]
    assert spare_pronouns(text, verdicts, (), verifier.judge, verifier.beings)[0].label is label


def test_who_was_a_pronoun_already_is_what_the_text_is_about(verifier):
    text = "Ann Smith was born in Oslo. Bea Roe praised her in 1931. She was born in Bergen."
    assert found(verifier, text)[-1] == ("Ann Smith", "Bergen", Label.CONTRADICTORY)


def test_what_a_table_calls_a_lake_is_no_region_of_that_name(verifier):
    text = "| Lake | Area |\n|---|---|\n| Inari | 7 |\n| Ladoga | 17,700 |\n"
    assert [one[2] for one in found(verifier, text)] == [Label.CONTRADICTORY, Label.EXTRAPOLATORY]


@pytest.mark.parametrize(("who", "label"), [("Ann", Label.CONTRADICTORY), ("Admiral Bob Roe", Label.EXTRAPOLATORY)])
def test_the_surname_of_somebody_unknown_is_no_other_name(verifier, who, label):
    text = f"{who} came in 1931. The country of Roe is Peru."
    assert found(verifier, text)[-1][2] is label


def test_a_sign_that_cannot_be_seen_is_no_phrase(verifier):
    """The parser takes the mark of direction for a noun; reading stopped with an error."""
    text = (
        "Ann Smith (pronunciation ; Arabic:   \u200e, romanized: Abd al-Azīz Būtaflīqa [abd el-aziz butefliqa]; born 2 "
        "March 1937) is an Algerian politician who served as President of Algeria for 20 years."
    )
    assert verifier.verify(text).verdicts


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("Inari is a lake. The area is 7 square kilometres.", Label.CONTRADICTORY),
        ("Inari is a lake. Bea Roe praised it. The area is 5 square kilometres.", Label.ATTRIBUTABLE),
        ("Inari is a lake. The area is 5 square kilometres.", Label.ATTRIBUTABLE),
        ("Inari is a lake by Oslo. Oslo is a town. Oslo is loud. The area is 7 km².", Label.EXTRAPOLATORY),
    ],
)
def test_what_a_noun_alone_says_is_said_of_what_the_text_is_about(verifier, text, label):
    assert found(verifier, text)[-1][2] is label
