"""Lists, and what joined nouns share: "Films by A include B and C", "the capital and largest city of A"."""

from __future__ import annotations

import pytest

from kgstore.store import Store
from verifier.pipeline import Verifier


@pytest.fixture(scope="module")
def verifier(small_kg):
    with Store(small_kg) as store:
        yield Verifier(store)


def claims(verifier: Verifier, text: str) -> set[tuple[str, str, str]]:
    found = [one.claim for one in verifier.verify(text).verdicts]
    return {(one.head.text, one.relation, one.tail.text) for one in found}


@pytest.mark.parametrize(
    ("text", "relation"),
    [
        ("Films directed by Ann Smith include Oslo and Cambridge.", "directed by"),
        ("Films which were directed by Ann Smith include Oslo and Cambridge.", "were directed by"),
        ("Among the films directed by Ann Smith are Oslo and Cambridge.", "directed by"),
        ("Notable works by Ann Smith include Oslo and Cambridge.", "are by"),
        ("Films by Ann Smith include Oslo and Cambridge.", "are by"),
        ("Countries that border Ann Smith include Oslo and Cambridge.", "border"),
    ],
)
def test_what_is_included_is_one_of_them(verifier, text, relation):
    found = claims(verifier, text)
    about = {(head, said) for head, said, tail in found if tail == "Ann Smith"}  # the others say what they are
    assert about == {(name, relation) for name in ("Oslo", "Cambridge")}


def test_what_is_included_in_a_place(verifier):
    found = verifier.verify("Towns in Norway include Oslo and Cambridge.").verdicts
    assert [one.claim.head.text for one in found] == ["Oslo", "Cambridge"]
    assert {one.claim.tail.text for one in found} == {"Norway"}
    assert found[0].label == "attributable"


def test_members_that_are_included_stay_members(verifier):
    assert ("Norway", "towns", "Oslo") in claims(verifier, "Towns of Norway include Oslo.")


@pytest.mark.parametrize(
    "text",
    [
        "Oslo is the capital and largest city of Norway.",
        "Oslo is the capital and the largest city of Norway.",
        "Oslo is the capital and most populous city of Norway.",
        "Oslo is the capital and third-largest city of Norway.",
        "Oslo, the capital and third-largest city of Norway, is old.",
        "Oslo, the capital and largest city in Norway, is old.",
    ],
)
def test_the_capital_and_largest_city(verifier, text):
    found = claims(verifier, text)
    assert {(head, tail) for head, _, tail in found} == {("Oslo", "Norway")}
    assert sorted(said.split()[1] for _, said, _ in found)[0] == "capital" and len(found) == 2


def test_an_actor_and_a_lover_of_art(verifier):
    found = claims(verifier, "Douglas Adams was an actor and lover of Norway.")
    assert not any("actor of" in said for _, said, _ in found)


def test_a_population_of_people_and_an_area(verifier):
    found = claims(verifier, "Norway has a population of 5 million people and an area of 385,207 square kilometres.")
    assert {(said, tail) for _, said, tail in found} == {
        ("has population of people", "5 million"),
        ("has area of", "385,207 square kilometres"),
    }


def test_what_stands_before_a_work_says_its_genre(verifier):
    assert claims(verifier, "Zorka is a crime drama film.") == {("Zorka", "is", "film")}
    assert claims(verifier, "Douglas Adams was a children's film.") == {("Douglas Adams", "was", "film")}
    assert ("Douglas Adams", "was", "writer") not in claims(verifier, "Douglas Adams was a children's writer.")


def test_alumni_at_a_beginning_are_no_name(verifier):
    found = claims(verifier, "Alumni of Oslo include Douglas Adams and Cambridge.")
    assert found == {("Oslo", "alumni", "Douglas Adams"), ("Oslo", "alumni", "Cambridge")}


def test_one_of_those_of_whom_something_is_said(verifier):
    assert ("Oslo", "directed by", "Ann Smith") in claims(verifier, "Oslo is one of the films directed by Ann Smith.")


@pytest.mark.parametrize(
    "text",
    [
        "Oslo opened in 1862, one year after its founding in 1861.",
        "Oslo opened in 1862, three years before the death of its founder in 1865.",
        "Oslo opened in 1862, a year after Cambridge.",
    ],
)
def test_how_long_after_something_else_is_nothing_of_its_own(verifier, text):
    assert claims(verifier, text) == {("Oslo", "opened in", "1862")}


def test_unlike_whom(verifier):
    for text in ("Unlike Ann, Douglas Adams was born in Oslo.", "Douglas Adams, unlike Ann, was born in Oslo."):
        assert claims(verifier, text) == {("Douglas Adams", "was born in", "Oslo")}


@pytest.mark.parametrize("text", ["Oslo 3 was directed by Ann Smith.", "Ann Smith directed Oslo 3."])
def test_a_name_with_a_number_is_another_one(verifier, text):
    (verdict,) = verifier.verify(text).verdicts
    assert verdict.label == "extrapolatory"
    assert "Oslo 3" in (verdict.claim.head.text, verdict.claim.tail.text)


def test_a_day_behind_a_name_is_no_part_of_it(verifier):
    found = claims(verifier, "Douglas Adams died on May 11, 2001.")
    assert found == {("Douglas Adams", "died on", "May 11, 2001")}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Oslo is the largest city in Norway, with a population of 700,000.", ("has population of", "700,000")),
        ("Oslo is a city with an area of 454 km².", ("has area of", "454 km²")),
        ("Oslo was the capital, with a population of 700,000.", ("had population of", "700,000")),
    ],
)
def test_what_it_is_with(verifier, text, said):
    assert ("Oslo", *said) in claims(verifier, text)


def test_what_a_part_of_it_is_with(verifier):
    found = claims(verifier, "Oslo is the seat of a school with a budget of 3 million euros.")
    assert not any(said.startswith("has") for _, said, _ in found)


def test_what_for_an_award_was_given(verifier):
    found = claims(verifier, "Douglas Adams received the Oslo for his explanation of the effect.")
    assert found == {("Douglas Adams", "received", "Oslo")}
