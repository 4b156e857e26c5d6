"""Relative clauses: whom they are about, and what they say of a place."""

from __future__ import annotations

import pytest

from kgstore.store import Store
from kgstore.verifier.pipeline import Verifier


@pytest.fixture(scope="module")
def verifier(small_kg):
    with Store(small_kg) as store:
        yield Verifier(store, reader="none")  # these are about the grammar


def claims(verifier: Verifier, text: str) -> list[tuple[str, str, str]]:
    found = [one.claim for one in verifier.verify(text).verdicts]
    return [(text[slice(*(one.head.refers_to or (one.head.start, one.head.end)))], one.relation, one.tail.text)
            for one in found]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        ("Dune is a miniseries of seven episodes that was directed by Ann Smith.", ("was directed by", "Ann Smith")),
        ("Acme is an organization with more than 1,700 members that was founded in 1990.", ("was founded in", "1990")),
    ],
)  # fmt: skip
def test_a_verb_in_the_singular_is_not_about_several(verifier, text, claim):
    assert (text.split()[0], *claim) in claims(verifier, text)


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        ("Douglas Adams lived in Oslo, where he was murdered in 1985.", ("Douglas Adams", "was murdered in", "Oslo")),
        ("Douglas Adams lived in Oslo, where he was murdered in 1985.", ("Douglas Adams", "was murdered in", "1985")),
        ("Douglas Adams moved to Oslo in 1990, where he died.", ("Douglas Adams", "died in", "Oslo")),
        ("Douglas Adams studied at Oslo, where he died.", ("Douglas Adams", "died at", "Oslo")),
        ("Oslo, where Douglas Adams died, is the capital of Norway.", ("Douglas Adams", "died in", "Oslo")),
        ("Oslo, where Douglas Adams died, is the capital of Norway.", ("Oslo", "is capital of", "Norway")),
    ],
)
def test_what_is_said_of_a_place_behind_where(verifier, text, claim):
    assert claim in claims(verifier, text)


def test_two_who_did_it_there(verifier):
    found = claims(verifier, "Oslo, where Ann Smith and Douglas Adams taught, was founded in 1048.")
    assert {("Ann Smith", "taught in", "Oslo"), ("Douglas Adams", "taught in", "Oslo")} <= set(found)


def test_a_name_with_an_article_is_what_something_is(verifier):
    verdicts = verifier.verify("Douglas Adams, a Human of Cambridge, died in Oslo.").verdicts
    assert "Human of Cambridge" in {one.claim.tail.text for one in verdicts}


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        ("Norway, which Douglas Adams left in 1809, has a king.", ("Douglas Adams", "left", "Norway")),
        ("Oslo, from which Douglas Adams moved in 1991, lies there.", ("Douglas Adams", "moved from", "Oslo")),
        ("Douglas Adams, whom Jane Belson met in 2010, died.", ("Jane Belson", "met", "Douglas Adams")),
    ],
)
def test_what_somebody_else_did_to_it(verifier, text, claim):
    assert claim in claims(verifier, text)


@pytest.mark.parametrize("sentence", ["Oslo is {} .", "Oslo, which is {}, was founded in 1048."])
def test_two_things_that_something_is_are_two_claims(verifier, sentence):
    found = claims(verifier, sentence.format("the capital of Norway and a big town in Europe"))
    assert ("Oslo", "is capital of", "Norway") in found
    assert ("Oslo", "is big town in", "Europe") in found


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Once the capital of Norway, Oslo has 700,000 people.",
         [("was capital of", "Norway"), ("has people", "700,000")]),
        ("Founded in 1636, Oslo is the oldest city in Norway.", [("founded in", "1636")]),
        ("With an area of 450 square kilometres and 700,000 inhabitants, Oslo is in Norway.",
         [("has area of", "450 square kilometres"), ("has inhabitants", "700,000")]),
    ],
)  # fmt: skip
def test_what_stands_before_the_subject_is_claimed(verifier, text, said):
    assert {("Oslo", *one) for one in said} <= set(claims(verifier, text))


def test_what_two_are_is_claimed_of_both(verifier):
    found = claims(verifier, "Jane Belson and Douglas Adams, both members of Acme, met in Oslo.")
    assert {("Jane Belson", "met in", "Oslo"), ("Douglas Adams", "met in", "Oslo")} <= set(found)
    assert [tail for _, relation, tail in found if "members" in relation] == ["Acme", "Acme"]


def test_what_somebody_did_before_or_after_has_a_verb_of_its_own(verifier):
    found = claims(verifier, "After leaving the city of Oslo, Douglas Adams taught physics in Berlin.")
    assert ("Douglas Adams", "taught physics in", "Berlin") in found
    assert all("taught" not in relation for _, relation, tail in found if tail == "Oslo")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Oslo stretches along the coast of Norway and borders Berlin.", [("borders", "Berlin")]),
        ("Oslo was the capital of Norway from 1940 to 1945 and again from 1951 to 1955.",
         [("was capital of", "Norway")]),
        ("Oslo is a private university in Berlin, founded in 1636 and named after Norway.",
         [("founded in", "1636"), ("named after", "Norway")]),
        ("Oslo, with fewer than 800,000 inhabitants, is in Norway.", [("has inhabitants", "800,000")]),
    ],
)  # fmt: skip
def test_what_belongs_to_one_thing_is_not_said_of_another(verifier, text, said):
    found = claims(verifier, text)
    assert {("Oslo", *one) for one in said} <= set(found)
    assert not any("founded" in relation for _, relation, tail in found if tail == "Berlin")


def test_nobody_does_something_to_himself_unless_it_is_said(verifier):
    assert all(one != other for one, _, other in claims(verifier, "Ann Smith shot her."))


def test_a_capital_and_a_largest_city_have_one_country(verifier):
    found = claims(verifier, "Norway's capital and largest city is Oslo.")
    assert [(one, other) for one, _, other in found] == [("Norway", "Oslo"), ("Norway", "Oslo")]


def test_an_office_in_apposition_is_claimed(verifier):
    assert ("Ann Smith", "is", "CEO of Acme") in claims(verifier, "Ann Smith, the CEO of Acme, was born in Oslo.")


def test_to_before_which_is_no_infinitive(verifier):
    found = claims(verifier, "Oslo, to which Douglas Adams belongs, was founded in 1996.")
    assert ("Douglas Adams", "belongs to", "Oslo") in found


@pytest.mark.parametrize("words", ["Instead of studying at Oslo,", "Without having studied at Oslo,"])
def test_what_somebody_did_not_do_is_denied(verifier, words):
    verdicts = verifier.verify(f"{words} Douglas Adams lived in Berlin.").verdicts
    (oslo,) = [one.claim for one in verdicts if one.claim.tail.text == "Oslo"]
    assert oslo.negated and "lived" not in oslo.relation


def test_a_government_is_no_city(verifier):
    text = "Oslo is the capital of Norway, although the government sits in Berlin. The city was founded in 1048."
    found = verifier.verify(text).verdicts
    assert [bool(one.claim.bridge) for one in found if one.claim.tail.text == "Berlin"] in ([True], [])
    assert [one.head.label for one in found if one.claim.tail.text == "1048"] == ["Oslo"]


def test_it_is_none_of_several(verifier):
    text = "Oslo lies in Norway. Berlin, Cambridge and London trade with it. Its mayor is Ann Smith. "
    found = claims(verifier, f"{text}It was founded in 1048.")
    assert [head for head, _, tail in found if tail in ("Ann Smith", "1048")] == ["Oslo", "Oslo"]


def test_a_surname_is_that_of_whoever_was_named_before(verifier):
    (*_, verdict) = verifier.verify("Hamlet is a 1997 film by Douglas Adams. Adams moved to Oslo.").verdicts
    assert verdict.head.label == "Douglas Adams"
    assert ("Hamlet", "is film by", "Douglas Adams") in claims(verifier, "Hamlet is a 1997 film by Douglas Adams.")


def test_a_clause_behind_it_does_not_hide_the_verb(verifier):
    found = claims(verifier, "Norway borders Sweden, Finland and Russia, and its capital is Oslo.")
    assert ("Norway", "borders", "Sweden") in found
    assert ("Norway", "capital", "Oslo") in found


def test_a_name_before_a_subject_without_a_comma(verifier):
    assert not claims(verifier, "Oslo - the capital - died and grew.")
