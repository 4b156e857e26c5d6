"""Normal forms of relations, and the table of what English says for which relation."""

from __future__ import annotations

import pytest

from kgstore.verifier.english.wording import content, normal, nouns, readings, stem, table


@pytest.mark.parametrize(
    "same",
    [
        ("influences", "influenced", "influencing"),
        ("directs", "directed", "directing"),
        ("party", "parties"),
        ("organised", "organized"),
        ("harbour", "harbor"),
        ("is", "was", "were", "are", "been"),
        ("has", "had", "have"),
    ],
)
def test_forms_of_one_word_have_one_stem(same):
    assert len({stem(word) for word in same}) == 1


@pytest.mark.parametrize(
    ("one", "other"),
    [("star", "start"), ("born", "bore"), ("music", "must"), ("father", "mother"), ("employ", "empty")],
)
def test_different_words_keep_different_stems(one, other):
    assert stem(one) != stem(other)


@pytest.mark.parametrize("word", ["", "a", "is", "bus", "class", "x" * 10_000, "é", "道", "ing", "ed"])
def test_any_word_has_a_stem_no_longer_than_itself(word):
    assert len(stem(word)) <= max(len(word), 4)


def test_articles_and_case_do_not_matter():
    assert normal("Was the Director of") == normal("was director of")
    assert normal("") == normal("the a an") == ()


def test_light_words_count_only_where_nothing_else_is():
    assert content(normal("was born in")) == {"born"}
    assert content(normal("is in")) == {"be", "in"}


@pytest.mark.parametrize(
    ("relation", "form", "swapped"),
    [
        ("is the director of", ("director",), True),
        ("was born in", ("born", "in"), False),
        ("has a population of", normal("population"), False),
        ("capital is", ("capital",), False),
    ],
)
def test_a_relation_has_these_readings(relation, form, swapped):
    assert (form, swapped) in list(readings(relation))


def test_a_relation_without_words_has_no_reading():
    assert list(readings("")) == list(readings("the")) == []


def test_every_wording_of_the_table_is_readable():
    for label, wordings in table()[0].items():
        assert label == label.lower() and wordings, label
        assert all(normal(one.text) for one in wordings), label


def test_nouns_are_lower_case_and_not_empty():
    assert nouns() and all(noun == noun.lower().strip() and noun for noun in nouns())
