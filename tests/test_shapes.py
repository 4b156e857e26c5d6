"""Sentence shapes: each is found in its example, edits a copy, and leaves the parse as it was."""

from __future__ import annotations

import pytest

from kgstore.verifier.read.parse import Sentence, sentences
from kgstore.verifier.read.shapes import ORDER, copied, steps, usual
from tests.test_clauses import mentions

PEOPLE = frozenset(("Norway",))


def parsed(text: str) -> Sentence:
    (sentence,) = sentences(text, mentions(text))
    return sentence


def tree(sentence: Sentence) -> list[tuple]:
    return [
        (word.start, word.end, word.text, word.tag, word.dep, word.head and word.head.start, len(word.children))
        for word in sentence.words
    ]


@pytest.mark.parametrize("shape", ORDER, ids=lambda shape: shape.name)
def test_a_shape_is_found_in_its_example(shape):
    text, plainer = shape.example.split(" -> ")
    found = {one.name for one, _ in steps(parsed(text), PEOPLE.__contains__)}
    assert shape.name in found and plainer


@pytest.mark.parametrize("shape", ORDER, ids=lambda shape: shape.name)
def test_the_parse_stays_as_it_was(shape):
    sentence = parsed(shape.example.split(" -> ")[0])
    before, words = tree(sentence), tuple(sentence.words)
    made = usual(sentence, PEOPLE.__contains__)
    assert tree(sentence) == before and sentence.words == words
    assert not {id(word) for word in words} & {id(word) for word in made.words}


def test_only_words_that_are_put_in_have_no_place_in_the_text():
    for shape in ORDER:
        text = shape.example.split(" -> ")[0]
        for _, sentence in steps(parsed(text), PEOPLE.__contains__):
            for word in sentence.words:
                assert word.inserted == (word.start == word.end), (shape.name, word)


def test_a_plain_sentence_has_no_shape():
    sentence = parsed("Ann Smith was born in Oslo.")
    assert list(steps(sentence, PEOPLE.__contains__)) == []
    assert tree(usual(sentence, PEOPLE.__contains__)) == tree(sentence) == tree(copied(sentence))
