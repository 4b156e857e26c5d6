"""What stands in front of the subject is a claim of its own, where it is sure what it says."""

from __future__ import annotations

import pytest

from kgstore.verifier.read.clauses import drafts
from kgstore.verifier.read.parse import sentences
from tests.test_clauses import is_name, mentions

NOUNS = frozenset(("has residents", "area", "is tall", "member of"))


def read(text: str) -> list[tuple]:
    """(head, relation, tail, span) of each draft."""
    return [
        (draft.head and draft.head.text, draft.relation, draft.tail and draft.tail.text, text[draft.start : draft.end])
        for sentence in sentences(text, mentions(text))
        for draft in drafts(sentence, is_name, NOUNS.__contains__)
    ]


@pytest.mark.parametrize(
    ("text", "said", "rest"),
    [
        (
            "With 9.5 million residents, Norway is a country.",
            ("Norway", "has residents", "9.5 million", "With 9.5 million residents, Norway"),
            ("Norway", "is", "country", "Norway is a country"),
        ),
        (
            "With an area of 500 square kilometres, Oslo is a member of NATO.",
            ("Oslo", "has area of", "500 square kilometres", "With an area of 500 square kilometres, Oslo"),
            ("Oslo", "is member of", "NATO", "Oslo is a member of NATO"),
        ),
        (
            "At 1.88 metres, Ann Smith is a tall writer.",
            ("Ann Smith", "is tall", "1.88 metres", "At 1.88 metres, Ann Smith"),
            ("Ann Smith", "is", "writer", "Ann Smith is a tall writer"),
        ),
    ],
)
def test_it_has_a_span_of_its_own_and_leaves_the_sentence_plain(text, said, rest):
    assert read(text) == [said, rest]


@pytest.mark.parametrize(
    "text",
    [
        "With two goals, Norway won Alien.",  # goals are nothing that the KG knows
        "With Bob Jones, Ann Smith directed Alien.",
        "At 98 years, Ann Smith is a writer.",
        "At 1.88 metres, Ann Smith is a writer.",
    ],
)
def test_nothing_is_made_of_what_is_not_sure(text):
    assert not any(span.endswith(("goals, Norway", ", Ann Smith")) for *_, span in read(text))


def test_what_is_asked_is_not_asserted():
    text = "With 9.5 million residents, Norway is a country?"
    assert [
        draft.hedged
        for sentence in sentences(text, mentions(text))
        for draft in drafts(sentence, is_name, NOUNS.__contains__)
    ] == [True, True]
