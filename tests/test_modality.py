"""What a clause asserts, denies, or leaves open."""

from __future__ import annotations

import pytest

from tests.test_clauses import read


def moods(text: str) -> list[tuple[str, bool, bool]]:
    return [(tail, draft.negated, draft.hedged) for *_, tail, draft in read(text)]


@pytest.mark.parametrize(
    "text",
    [
        "Ann Smith failed to marry Bob Jones.",
        "Ann Smith was unable to marry Bob Jones.",
        "It is false that Ann Smith lived with Bob Jones.",
        "It is not true that Ann Smith lived with Bob Jones.",
    ],
)
def test_a_verb_above_denies(text):
    assert moods(text) == [("Bob Jones", True, False)]


@pytest.mark.parametrize(
    "text",
    [
        "Ann Smith wanted to marry Bob Jones.",
        "Ann Smith is said to have married Bob Jones.",
        "According to some, Ann Smith married Bob Jones.",
        "It is believed that Ann Smith married Bob Jones.",
        "Legend has it that Ann Smith lived with Bob Jones.",
        "If Ann Smith had married Bob Jones, all would be well.",
        '"Ann Smith married Bob Jones," he said.',
    ],
)
def test_a_clause_above_leaves_it_open(text):
    assert [one for one in moods(text) if one[0] == "Bob Jones"] == [("Bob Jones", False, True)]


@pytest.mark.parametrize(
    "text", ["Ann Smith was not born in Oslo but in Bergen.", "Ann Smith was born not in Oslo but in Bergen."]
)
def test_but_ends_a_denial(text):
    assert moods(text) == [("Oslo", True, False), ("Bergen", False, False)]


def test_but_ends_a_denial_of_subjects():
    found = read("Neither Bob Jones nor Berlin but Ann Smith was born in Oslo.")
    assert {head: draft.negated for head, *_, draft in found} == {"Bob Jones": True, "Berlin": True, "Ann Smith": False}


def test_not_after_a_comma_denies_what_follows():
    assert moods("Ann Smith was born in Oslo, not Bergen.") == [("Oslo", False, False), ("Bergen", True, False)]


def test_neither_and_nor_deny_both():
    found = moods("Ann Smith was neither born in Oslo nor in Bergen.")
    assert found == [("Oslo", True, False), ("Bergen", True, False)]


def test_a_denial_behind_a_complement_is_none_of_the_verb():
    found = moods("Rome was built by Ann Smith, not, as the label says, by Bob Jones.")
    assert ("Ann Smith", False, False) in found


@pytest.mark.parametrize(
    ("text", "denied"),
    [
        ("Ann Smith, and not Bob Jones, was born in Oslo.", "Bob Jones"),
        ("Not Ann Smith but Bob Jones was born in Oslo.", "Ann Smith"),
        ("Not only Ann Smith but also Bob Jones was born in Oslo.", ""),
    ],
)
def test_one_of_several_subjects_is_denied(text, denied):
    found = read(text)
    assert "Bob Jones" in {head for head, *_ in found}
    assert {head for head, *_, draft in found if draft.negated} == ({denied} if denied else set())
