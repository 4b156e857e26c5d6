"""Brackets behind a name: those that tell which one is meant must agree with it, translations and the like need not."""

from __future__ import annotations

import pytest

from kgstore.verifier.link.brackets import abbreviates, is_clause, other_name, tells_apart
from kgstore.verifier.pipeline import Verifier
from tests.plain_graph import plain_store

GRAPH = """
ex:human rdfs:label "human" . ex:river rdfs:label "river" . ex:country rdfs:label "country" .
ex:ann a ex:human ; rdfs:label "Ann Smith" ; rdfs:comment "Scottish painter" ; ex:born ex:oslo .
ex:bob a ex:human ; rdfs:label "Bob Jones" . ex:oslo rdfs:label "Oslo" . ex:upper rdfs:label "Upper Canada" .
ex:song rdfs:label "Duele Menos" . ex:game rdfs:label "BurgerTime" . ex:ontario rdfs:label "Ontario" .
ex:league rdfs:label "National Football League" . ex:masters rdfs:label "Paris Masters" . ex:oboe rdfs:label "oboe" .
ex:rhine a ex:river ; rdfs:label "Rhine" . ex:jordan a ex:country ; rdfs:label "Jordan" .
ex:other rdfs:label "Dolor" ; skos:altLabel "Hurts More" . ex:mau rdfs:label "deadmau5" .
ex:fiction rdfs:label "Science fiction" .
"""


@pytest.fixture(scope="module")
def verifier(tmp_path_factory):
    with plain_store(GRAPH, tmp_path_factory.mktemp("brackets")) as store:
        yield Verifier(store)


def linked(verifier: Verifier, text: str, nouns: bool = False) -> list[tuple[str, str]]:
    """Each name of a text with what it means, by label."""
    return [(one.text, one.candidates[0].label) for one in verifier.rules.mentions(text, nouns) if one.candidates]


@pytest.mark.parametrize(
    "said",
    [
        "English: Hurts Less", "also known as Annie", "Анна", "Bāgātaimu", ", Bāgātaimu", "“The Ann”", "Latin \"Anna\"",
        "now part of Oslo", "formed by the members of the band", "or Annie", "née Jones", "AS", "French; Russian: Anna",
    ],
)  # fmt: skip
def test_brackets_that_tell_nothing_apart(said):
    assert not tells_apart("Ann Smith", said)


@pytest.mark.parametrize(
    "said",
    ["American actress", "1953 film", "English soldier, explorer, writer", "Ohio", "Conservative Party", "song", "UK"],
)
def test_brackets_that_may_tell_which_one_is_meant(said):
    assert tells_apart("Ann Smith", said)


@pytest.mark.parametrize(
    ("said", "name"),
    [("also known as Annie", "Annie"), ("later known as the Paris Masters", "Paris Masters"), ("Annie", "Annie")],
)
def test_another_name_in_brackets(said, name):
    assert other_name(said) == name


def test_an_abbreviation_has_letters_of_the_name_in_order():
    assert abbreviates("Knight Commander of St Michael and St George", "KCMG") and abbreviates("Acado virus", "ACDV")
    assert not any(abbreviates("Ann Smith", said) for said in ("SA", "UK", "Ann", "A", ""))


def test_a_clause_goes_on_about_the_thing():
    assert is_clause("now part of Canada") and is_clause("playing a part")
    assert not is_clause("also known as Annie") and not is_clause("American actress")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Duele Menos (English: Hurts Less) is a song.", "Duele Menos"),
        ("Duele Menos (Hurts Less) is a song.", "Duele Menos"),
        ("BurgerTime (Bāgātaimu) is a game.", "BurgerTime"),
        ("Dolor (Hurts More) is a song.", "Dolor"),
        ("National Football League (NFL) is there.", "National Football League"),
        ("Ann Smith (Scottish painter) died.", "Ann Smith"),
        ("They won the Paris Open (later known as the Paris Masters) twice.", "Paris Masters"),
    ],
)
def test_a_name_with_brackets_is_linked(verifier, text, found):
    [(name, label)] = linked(verifier, text)
    assert label == found and name.endswith(")")


@pytest.mark.parametrize("said", ["American actress", "Ohio", "Norwegian city"])
def test_a_name_whose_brackets_do_not_agree_is_not(verifier, said):
    assert linked(verifier, f"Ann Smith ({said}) died.") == []


@pytest.mark.parametrize("text", ["Ann Smith (Hurts Less) died.", "Duele Menos (Oslo) is a song."])
def test_a_title_in_brackets_is_another_name_but_not_of_people_nor_what_the_graph_has(verifier, text):
    assert not {"Ann Smith", "Duele Menos"} & set(dict(linked(verifier, text)).values())


def test_names_in_a_clause_in_brackets_are_names_of_their_own(verifier):
    assert linked(verifier, "Upper Canada (now part of Ontario) was there.") == [
        ("Upper Canada", "Upper Canada"),
        ("Ontario", "Ontario"),
    ]


@pytest.mark.parametrize(
    ("text", "short", "whole"),
    [
        ("The National Football League (NFL) is big. She left the NFL.", "NFL", "National Football League"),
        ("It is the National Football League. She left the NFL.", "NFL", "National Football League"),
        ("Ann Smith came. Smith painted.", "Smith", "Ann Smith"),
        ("Ann Smith came, and then Smith painted.", "Smith", "Ann Smith"),
    ],
)
def test_a_short_form_after_the_full_name_means_the_same(verifier, text, short, whole):
    assert (short, whole) in linked(verifier, text)
    mention = next(one for one in verifier.rules.mentions(text) if one.text == short)
    assert mention.refers_to is not None and text[slice(*mention.refers_to)].startswith(whole)


def test_another_first_name_is_another_person(verifier):
    found = linked(verifier, "Ann Smith met Bob Jones. Oslo Smith came. Jones sang.")
    assert ("Jones", "Bob Jones") in found and ("Oslo Smith", "Ann Smith") not in found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("She met Governor Bob Jones there.", [("Bob Jones", "Bob Jones")]),
        ("Prime Minister Ann Smith came.", [("Ann Smith", "Ann Smith")]),
        ("He was Lieutenant Governor of Ontario then.", [("Ontario", "Ontario")]),
        ("It lies on the Rhine River there.", [("Rhine River", "Rhine")]),
        ("It lies on the Jordan River there.", []),
        ("She met Mary Bob Jones there.", []),
        ("He was at the University of Ontario then.", []),
        ("He heard deadmau5 there.", [("deadmau5", "deadmau5")]),
        ('It was in "Oslo 4" and on.', []),
    ],
)
def test_what_stands_beside_a_name(verifier, text, found):
    assert linked(verifier, text) == found


def test_nouns_are_told_on_request(verifier):
    text = "Ann Smith plays the oboe and reads science fiction."
    assert linked(verifier, text) == [("Ann Smith", "Ann Smith")]
    assert linked(verifier, text, nouns=True)[1:] == [("oboe", "oboe"), ("science fiction", "Science fiction")]
