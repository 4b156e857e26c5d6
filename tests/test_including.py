"""Lists, and what joined nouns share: "Towns of A include B", "the capital and largest city of A"."""

from __future__ import annotations

import pytest

from kgstore.store import Store
from kgstore.verifier.pipeline import Verifier


@pytest.fixture(scope="module")
def verifier(small_kg):
    with Store(small_kg) as store:
        yield Verifier(store)


def claims(verifier: Verifier, text: str) -> set[tuple[str, str, str]]:
    found = [one.claim for one in verifier.verify(text).verdicts]
    return {(one.head.text, one.relation, one.tail.text) for one in found}


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


@pytest.mark.parametrize("text", ["Oslo 3 was directed by Ann Smith.", "Ann Smith directed Oslo 3."])
def test_a_name_with_a_number_is_another_one(verifier, text):
    (verdict,) = verifier.verify(text).verdicts
    assert verdict.label == "extrapolatory"
    assert "Oslo 3" in (verdict.claim.head.text, verdict.claim.tail.text)


def test_a_day_behind_a_name_is_no_part_of_it(verifier):
    found = claims(verifier, "Douglas Adams died on May 11, 2001.")
    assert found == {("Douglas Adams", "died on", "May 11, 2001")}


def test_what_for_an_award_was_given(verifier):
    found = claims(verifier, "Douglas Adams received the Oslo for his explanation of the effect.")
    assert found == {("Douglas Adams", "received", "Oslo")}
