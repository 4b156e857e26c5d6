"""ROUGE beside figures that the package rouge-score 0.1.2 gives (without stemming)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kgstore.verifier.methods.rouge import rouge

THEIRS = [
    ("Ada was born in Rome in 1815 and died in London.", "Ada died in London, and was born in 1816 in Rome!", 10 / 11),
    ("The U.S. team's 3-year plan costs $4.5m", "the us team has a 3 year plan of 4.5m", 7 / 11),
]
PAIRS, LONGEST = [0.5, 0.3], [5 / 11, 7 / 11]


@pytest.mark.parametrize(("at", "case"), list(enumerate(THEIRS)))
def test_the_figures_are_those_of_rouge_score(at, case):
    reference, text, ones = case
    found = rouge(reference, text)
    assert (found.rouge_1, found.rouge_2, found.rouge_l) == pytest.approx((ones, PAIRS[at], LONGEST[at]))


def test_a_word_that_comes_again_counts_as_often_as_in_both():
    assert rouge("a b a b a", "b a b").rouge_1 == pytest.approx(0.75)
    assert rouge("a b a b a", "b a b").rouge_2 == pytest.approx(2 / 3)


def test_texts_without_words_share_nothing():
    assert rouge("", "").rouge_1 == rouge("Ada", "").rouge_l == rouge("One", "one").rouge_2 == 0


def test_letters_of_other_scripts_count():
    assert rouge("Zoë lebt", "Zoe lebt").rouge_1 == 0.5


@given(st.text(alphabet="ab .", min_size=1), st.text(alphabet="ab .", min_size=1))
def test_it_is_symmetric_and_between_none_and_all(a, b):
    one, other = rouge(a, b), rouge(b, a)
    assert one == other
    assert 0 <= one.rouge_2 <= one.rouge_1 <= 1 and 0 <= one.rouge_l <= one.rouge_1
