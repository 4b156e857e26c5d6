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


def test_what_a_cleft_puts_in_front_goes_with_the_verb():
    found = read("It was for Alien that Ann Smith won NATO.")
    assert [(head, relation, tail) for head, _, relation, tail, _ in found] == [
        ("Ann Smith", "won for", "Alien"),
        ("Ann Smith", "won", "NATO"),
    ]


@pytest.mark.parametrize(
    ("text", "drafted"),
    [
        ("Ann Smith, whose wife was Zoe Zorn, was born in Oslo.", ("Ann Smith", (), "was born in", "Oslo")),
        ("Norway, whose capital is Oslo, is a country.", ("Norway", (), "capital", "Oslo")),
        ("Norway, whose capital is not Bergen, is a country.", ("Norway", (), "capital", "Bergen")),
        ("Ann Smith, whose mother was born in Oslo, was a writer.", ("Ann Smith", ("mother",), "was born in", "Oslo")),
        ("The writer, whose wife was Bob Jones, was born in Oslo.", ("writer", (), "wife", "Bob Jones")),
    ],
)
def test_whose_leads_from_the_name_before_it(text, drafted):
    found = {(head, nouns, relation, tail): draft for head, nouns, relation, tail, draft in read(text)}
    assert drafted in found
    assert found[drafted].negated == ("not" in text)


def test_a_particle_belongs_to_its_verb():
    found = [relation for _, _, relation, *_ in read("Ann Smith set up NATO and was brought up in Oslo.")]
    assert found == ["set up", "was brought up in"]


def test_the_same_preposition_again_has_a_span_of_its_own():
    text = "Ann Smith was nominated for Bergen for Alien."
    assert [text[one[4].start : one[4].end] for one in read(text)] == [
        "Ann Smith was nominated for Bergen",
        "for Alien",
    ]


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


def test_two_verbs_share_the_object_of_the_last():
    found = read("Ann Smith both directed and wrote Alien.")
    assert [one[:1] + one[2:4] for one in found] == [
        ("Ann Smith", "directed", "Alien"),
        ("Ann Smith", "wrote", "Alien"),
    ]


def test_a_participle_behind_the_class_says_something_of_its_own():
    found = read("Alien is a film dating from 1931.")
    assert ("Alien", "dating from", "1931") in [one[:1] + one[2:4] for one in found]


def test_words_in_front_of_a_comma_are_no_part_of_the_relation():
    ((head, _, relation, tail, _),) = read("According to the encyclopedia, Ann Smith was born in Oslo.")
    assert (head, relation, tail) == ("Ann Smith", "was born in", "Oslo")


def test_both_of_two_names_are_subjects():
    found = read("Ann Smith and Zoe Zorn were both married to Bob Jones.")
    assert {(one[2], one[3]) for one in found} == {("were married to", "Bob Jones")}


def test_a_line_with_of_says_what_its_first_name_is():
    ((head, _, relation, tail, _),) = read("Ann Smith - the late wife of Bob Jones")
    assert (head, relation, tail) == ("Ann Smith", "is wife of", "Bob Jones")
