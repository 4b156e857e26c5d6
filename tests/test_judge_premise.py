"""What a judge reads of a premise that is too long for it."""

from __future__ import annotations

import pytest

from kgstore.verifier.judges.premise import fitted, sentences

BOX = "Ada | born | 1815\nAda | field | mathematics\nAda | father | Lord Byron\nAda | died | 1852"


def words(text: str) -> int:
    return len(text.split())


def test_a_premise_that_fits_is_kept_whole_and_its_title_said_once() -> None:
    assert fitted(BOX, "anything", words, 100) == "Ada, born: 1815. field: mathematics. father: Lord Byron. died: 1852."


@pytest.mark.parametrize(
    ("hypothesis", "kept"),
    [
        ("Her father was Byron.", "Ada, father: Lord Byron."),
        ("She was born in 1815.", "Ada, born: 1815. field: mathematics."),
        ("nothing in common", "Ada, born: 1815. field: mathematics."),
    ],
)
def test_the_lines_most_like_the_hypothesis_are_kept_in_their_order(hypothesis: str, kept: str) -> None:
    assert fitted(BOX, hypothesis, words, 5) == kept


def test_lines_of_different_titles_keep_theirs() -> None:
    assert sentences("Ada | born | 1815\nBob | born | 1900") == ["Ada | born | 1815.", "Bob | born | 1900."]


def test_a_text_of_one_line_is_taken_by_sentences() -> None:
    text = "It began in 1777. The fort is in Rome. It was completed in 1762."
    assert fitted(text, "The fort is in Nebraska.", words, 5) == "The fort is in Rome."


def test_the_caption_and_the_first_row_of_a_table_stay() -> None:
    table = "table: cups\nyear | city\n1990 | Paris\n1991 | Rome\n1992 | Oslo"
    assert fitted(table, "It was in Oslo in 1992.", words, 8) == "table: cups. year | city. 1992 | Oslo."


def test_a_line_that_does_not_fit_is_cut_behind_a_word() -> None:
    assert fitted("one two three four five", "five", words, 3) == "one two three"
    assert fitted("Ada | quote | one two three four", "four", words, 4) == "Ada, quote: one two"


@pytest.mark.parametrize("premise", ["", "\n \n", " | ", "a | b", "| | |", ". . ."])
@pytest.mark.parametrize("budget", [0, 1, 50])
def test_odd_premises_never_exceed_the_budget(premise: str, budget: int) -> None:
    assert words(fitted(premise, "a b", words, budget)) <= budget
