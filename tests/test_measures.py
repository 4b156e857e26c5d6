"""Comparisons, counts and superlatives are read as such, and never as plain relations."""

from __future__ import annotations

import pytest

from kgstore.verifier.claims import MeasureKind
from tests.test_clauses import read


@pytest.mark.parametrize(
    ("text", "tail", "properties", "direction"),
    [
        ("Norway is larger than Oslo.", "Oslo", ("area", "population"), 1),
        ("Norway is less populous than Oslo.", "Oslo", ("population",), -1),
        ("Norway has more inhabitants than Oslo.", "Oslo", ("inhabitants",), 1),
        ("Ann Smith is older than Bob Jones.", "Bob Jones", ("date of birth", "inception", "publication date"), -1),
        ("Ann Smith was born before Bob Jones.", "Bob Jones", ("was born",), -1),
        ("Ann Smith died after Bob Jones.", "Bob Jones", ("died",), 1),
        ("Ann Smith was born later than Bob Jones.", "Bob Jones", ("was born",), 1),
        ("The population of Norway is larger than that of Oslo.", "Oslo", ("population",), 1),
        ("Oslo is as large as Bergen.", "Bergen", ("area", "population"), 0),
        ("Fewer people live in Norway than in Oslo.", "Oslo", ("population",), -1),
        ("More residents live in Norway than Oslo.", "Oslo", ("population",), 1),
        ("Norway exceeds Oslo in population.", "Oslo", ("population",), 1),
        ("Ann Smith is senior in age to Bob Jones.", "Bob Jones", ("date of birth",), -1),
        ("Ann Smith is junior to Bob Jones in age.", "Bob Jones", ("date of birth",), 1),
        ("Norway is inferior in population to Oslo.", "Oslo", ("population",), -1),
    ],
)
def test_a_comparison_names_what_is_compared(text, tail, properties, direction):
    ((_, _, _, found, draft),) = read(text)
    assert found == tail
    measure = draft.measure
    assert (measure.kind, measure.properties, measure.direction) == (MeasureKind.COMPARISON, properties, direction)


@pytest.mark.parametrize(
    ("text", "properties", "direction", "rank"),
    [
        ("Oslo is the largest city of Norway.", ("area", "population"), 1, 1),
        ("The largest city of Norway is Oslo.", ("area", "population"), 1, 1),
        ("Oslo is Norway's second largest city.", ("area", "population"), 1, 2),
        ("Oslo is the smallest city in Norway.", ("area", "population"), -1, 1),
        ("Oslo is the loveliest city in Norway.", (), 1, 1),
    ],
)
def test_a_superlative_names_its_scale_and_where_it_holds(text, properties, direction, rank):
    ((head, _, _, tail, draft),) = read(text)
    assert (head, tail) == ("Oslo", "Norway")
    measure = draft.measure
    assert measure.kind is MeasureKind.SUPERLATIVE
    assert (measure.properties, measure.direction, measure.rank) == (properties, direction, rank)
    assert measure.things.text == "city"


def test_one_of_the_largest_is_left_open():
    ((*_, draft),) = read("Oslo is one of the largest cities in Norway.")
    assert draft.measure.kind is MeasureKind.SUPERLATIVE and draft.hedged


def test_what_is_counted_is_named():
    ((head, _, relation, _, draft),) = read("Ann Smith has four children.")
    assert (head, relation) == ("Ann Smith", "has children")
    assert (draft.measure.kind, draft.measure.properties) == (MeasureKind.COUNT, ("children",))


def test_metres_count_nothing():
    assert [one[4].measure for one in read("Ann Smith weighs 53 kilograms.")] == [None]


@pytest.mark.parametrize("text", ["from 1971 to 1974", "between 1971 and 1974", "from 1971 until 1974"])
def test_both_ends_of_a_period_are_kept(text):
    ((_, _, relation, tail, draft),) = read(f"Ann Smith was married to Bob Jones {text}.")
    assert (relation, tail, draft.when.text, draft.until.text) == ("was married to", "Bob Jones", "1971", "1974")


def test_an_end_alone_is_no_point_in_time():
    ((*_, draft),) = read("Ann Smith was married to Bob Jones until 1974.")
    assert (draft.when, draft.until.text) == (None, "1974")


def test_who_has_existed_longer_began_earlier():
    ((_, _, _, _, draft),) = read("Bergen has existed longer than Oslo.")
    assert (draft.measure.properties, draft.measure.direction) == (("inception",), -1)


@pytest.mark.parametrize(
    "text", ["Ann Smith is senior to Bob Jones.", "Many people live in Norway.", "Fewer people live."]
)
def test_what_is_not_measured_is_no_comparison(text):
    assert all(draft.measure is None for *_, draft in read(text))


def test_of_two_the_other_one_is_not_named():
    ((head, _, _, tail, draft),) = read("Of the two, Oslo is more populous.")
    assert (head, tail) == ("Oslo", None)
    assert (draft.measure.properties, draft.measure.direction) == (("population",), 1)
