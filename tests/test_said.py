"""What the words of a claim say besides its head, relation and tail."""

from __future__ import annotations

import pytest

from kgstore.verifier.claims import Claim, Hop, Mention, Said
from kgstore.verifier.link.said import with_said
from kgstore.verifier.values import DateValue, find_amounts, find_dates


def said(text: str, head: str, relation: str, tail: str, *bridge: Hop) -> Said:
    return _claim(text, head, relation, tail, *bridge).said


def _claim(text: str, head: str, relation: str, tail: str, *bridge: Hop) -> Claim:
    first, last = (Mention(text.index(one), text.index(one) + len(one), one) for one in (head, tail))
    values = [value for _, _, value in (*find_dates(f"in {tail}"), *find_amounts(tail))]
    last = Mention(last.start, last.end, last.text, value=next(iter(values), None))
    return with_said(text, Claim(0, len(text) - 1, text[:-1], first, relation, last, bridge))


@pytest.mark.parametrize(
    ("text", "relation", "field", "value"),
    [
        ("Ann was born before 1900.", "was born before", "bound", "before"),
        ("Ann was born shortly before 1900.", "was born before", "near", True),
        ("Ann was born in the summer of 1900.", "was born in the summer of", "season", "in the summer of"),
        ("Ann joined Acme in 1900.", "joined", "end", "start"),
        ("Ann left Acme in 1900.", "left", "end", "end"),
        ("Ann was not born at first in 1900.", "was born in", "for_a_time", True),
        ("Ann died at the age of 1900.", "died at age of", "at_age", True),
        ("Ann was born in Rome in 1900.", "was born in", "at_age", False),
    ],
)
def test_what_stands_beside_a_date_is_read(text, relation, field, value):
    assert getattr(said(text, "Ann", relation, "1900"), field) == value


def test_a_number_may_go_on():
    assert said("Alien lasts two and a half hours.", "Alien", "lasts", "two").goes_on
    assert not said("Alien lasts two hours.", "Alien", "lasts", "two").goes_on


def test_a_kind_beside_a_place_needs_an_article():
    assert said("The Elbe is a river in Oslo.", "Elbe", "is river in", "Oslo").kind == "river"
    assert said("Alien was read in Oslo.", "Alien", "was read in", "Oslo").kind == ""
    assert said("Oslo is the largest city in Norway.", "Oslo", "is largest city in", "Norway").most == "largest"


def test_a_comparison_with_a_class_says_more_than_the_class():
    assert said("Como is the bigger lake.", "Como", "is", "lake").compared
    assert not said("Como is a lake.", "Como", "is", "lake").compared


def test_a_name_inside_a_longer_one_is_not_whole():
    assert not said("Ann joined the 103rd United States Congress.", "Ann", "joined", "United States").whole
    assert said("Ann joined the army in Norway.", "Ann", "joined", "Norway").whole


def test_what_somebody_has_is_as_definite_as_the_one_of_somebody():
    [hop] = _claim("Ann's employer is in Oslo.", "Ann", "is in", "Oslo", Hop("employer")).bridge
    assert hop.definite
    [hop] = _claim("An employer of Ann is in Oslo.", "Ann", "is in", "Oslo", Hop("employer")).bridge
    assert not hop.definite


def test_the_tense_is_that_of_the_verb_nearest_to_the_tail():
    known = said("The Who were founded in Oslo.", "The Who", "founded in", "Oslo")
    assert (known.present, known.past) == (False, True)
    assert isinstance(_claim("Ann was born in 1900.", "Ann", "was born in", "1900").tail.value, DateValue)
