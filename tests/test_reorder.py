"""Sentences in another order than usual say what plain ones say."""

from __future__ import annotations

import pytest

from tests.test_clauses import read


@pytest.mark.parametrize(
    ("text", "drafted"),
    [
        ("It was in Oslo that Ann Smith was born.", ("Ann Smith", (), "was born in", "Oslo")),
        ("It was Ann Smith who directed Alien.", ("Ann Smith", (), "directed", "Alien")),
        ("It was Oslo where Ann Smith was born.", ("Ann Smith", (), "was born in", "Oslo")),
        ("It was in 1931 that Ann Smith died.", ("Ann Smith", (), "died in", "1931")),
        ("What Ann Smith directed was Alien.", ("Ann Smith", (), "directed", "Alien")),
        ("It cost 2 million dollars to make Alien.", ("Alien", (), "cost", "2 million dollars")),
        ("Oslo was a city that Ann Smith visited.", ("Ann Smith", (), "city visited", "Oslo")),
        ("The person married to Bob Jones was born in Oslo.", None),
    ],
)
def test_the_order_of_words_does_not_matter(text, drafted):
    ((head, nouns, relation, tail, _),) = read(text)
    if drafted is not None:
        assert (head, nouns, relation, tail) == drafted
    else:
        assert (head, relation, tail) == ("Bob Jones", "was born in", "Oslo") and len(nouns) == 1


def test_a_year_that_saw_a_death_is_its_date():
    ((head, _, relation, tail, _),) = read("The year 1931 saw the death of Ann Smith.")
    assert (head, relation, tail) == ("Ann Smith", "death", "1931")


def test_a_denied_cleft_is_denied():
    assert [one[4].negated for one in read("It was not in Oslo that Ann Smith was born.")] == [True]


def test_a_noun_in_front_of_the_name_is_an_apposition():
    found = [(head, relation, tail) for head, _, relation, tail, _ in read("A writer, Ann Smith was born in Oslo.")]
    assert found == [("Ann Smith", "was born in", "Oslo"), ("Ann Smith", "is", "writer")]


@pytest.mark.parametrize(
    ("text", "head", "relation", "turned"),
    [
        ("The person who directed Alien was born in Oslo.", "Alien", "directed", True),
        ("The city in which Ann Smith was born lies near Bergen.", None, "", False),
        ("The city where Ann Smith was born has 5,000 inhabitants.", "Ann Smith", "was born in", False),
        ("The woman who married Bob Jones was born in Oslo.", "Bob Jones", "married", True),
    ],
)
def test_a_relative_clause_tells_which_one_is_meant(text, head, relation, turned):
    for found, nouns, *_ in read(text):
        if head is not None:
            assert found == head
            assert (nouns[0].relation, nouns[0].turned) == (relation, turned)


def test_an_aside_has_a_span_of_its_own():
    text = "Ann Smith, a writer, was born in Oslo."
    assert {text[one[4].start : one[4].end] for one in read(text)} == {"Ann Smith, a writer", "was born in Oslo"}
