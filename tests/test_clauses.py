"""From a sentence to drafts: who, by which words, to what; with a parser and names of our own."""

from __future__ import annotations

import re

import pytest

from kgstore.verifier.claims import Mention
from kgstore.verifier.read.clauses import drafts
from kgstore.verifier.read.parse import Word, sentences
from kgstore.verifier.values import find_amounts, find_dates

NAMES = re.compile(r"Ann Smith|Bob Jones|Oslo|Norway|Alien|Bergen|NATO")
CLASSES = frozenset(("writer", "painter", "film", "country", "city"))
NOUNS = frozenset(("wife", "capital", "director", "cause of death", "population", "mother", "citizen of", "member of"))


def mentions(text: str) -> list[Mention]:
    found = [Mention(*match.span(), match.group()) for match in NAMES.finditer(text)]
    values = [(a, b, value) for a, b, value in find_dates(text) if value.certain]
    values += [item for item in find_amounts(text) if all(item[1] <= a or b <= item[0] for a, b, _ in values)]
    found += [Mention(a, b, text[a:b], value=value) for a, b, value in values]
    return sorted(found, key=lambda one: one.start)


def is_name(word: Word) -> tuple[int, int] | None:
    return (word.start, word.end) if word.lower in CLASSES and not word.all("prep", "relcl") else None


def read(text: str) -> list[tuple]:
    """(head, nouns, relation, tail) of each draft."""
    found = []
    for sentence in sentences(text, mentions(text)):
        for draft in drafts(sentence, is_name, NOUNS.__contains__):
            assert 0 <= draft.start < draft.end <= len(text)
            head, tail = (word and word.text for word in (draft.head, draft.tail))
            found.append((head, draft.nouns, draft.relation, tail, draft))
    return found


@pytest.mark.parametrize(
    ("text", "drafted"),
    [
        ("Ann Smith was born in Oslo.", [("Ann Smith", "was born in", "Oslo")]),
        ("Ann Smith was born on 5 May 1931.", [("Ann Smith", "was born on", "5 May 1931")]),
        ("Ann Smith is a writer.", [("Ann Smith", "is", "writer")]),
        ("Ann Smith married Bob Jones.", [("Ann Smith", "married", "Bob Jones")]),
        ("Alien was directed by Ann Smith.", [("Alien", "was directed by", "Ann Smith")]),
        ("Ann Smith directed Alien.", [("Ann Smith", "directed", "Alien")]),
        ("Oslo is the capital of Norway.", [("Oslo", "is capital of", "Norway")]),
        ("The capital of Norway is Oslo.", [("Norway", "capital", "Oslo")]),
        ("Norway's capital is Oslo.", [("Norway", "capital", "Oslo")]),
        ("Ann Smith is a writer and a painter.", [("Ann Smith", "is", "writer"), ("Ann Smith", "is", "painter")]),
        ("Ann Smith was born in Oslo and died in Bergen.",
         [("Ann Smith", "was born in", "Oslo"), ("Ann Smith", "died in", "Bergen")]),
        ("Ann Smith and Bob Jones were born in Oslo.",
         [("Ann Smith", "were born in", "Oslo"), ("Bob Jones", "were born in", "Oslo")]),
        ("Ann Smith was born in Oslo on 5 May 1931.",
         [("Ann Smith", "was born in", "Oslo"), ("Ann Smith", "was born on", "5 May 1931")]),
        ("Ann Smith weighs 53 kilograms.", [("Ann Smith", "weighs", "53 kilograms")]),
        ("Ann Smith and Bob Jones are married.", [("Ann Smith", "are married", "Bob Jones")]),
    ],
)  # fmt: skip
def test_a_sentence_becomes_these_claims(text, drafted):
    assert [(head, relation, tail) for head, _, relation, tail, _ in read(text)] == drafted


def test_each_item_of_a_list_has_its_own_span():
    text = "Ann Smith is a writer and a painter."
    assert [text[one[4].start : one[4].end] for one in read(text)] == ["Ann Smith is a writer", "a painter"]


def test_each_verb_has_its_own_span():
    text = "Ann Smith was born in Oslo and died in Bergen."
    assert [text[one[4].start : one[4].end] for one in read(text)] == ["Ann Smith was born in Oslo", "died in Bergen"]


def test_the_wife_of_somebody_takes_one_more_step():
    ((head, nouns, relation, tail, _),) = read("The wife of Bob Jones was born in Oslo.")
    assert (head, nouns, relation, tail) == ("Bob Jones", ("wife",), "was born in", "Oslo")


def test_a_city_in_norway_takes_one_more_step():
    ((head, _, relation, tail, draft),) = read("Ann Smith was born in a city in Norway.")
    assert (head, relation, tail) == ("Ann Smith", "in", "Norway")
    assert [(step.relation, step.noun) for step in draft.steps] == [("was born in", "city")]


@pytest.mark.parametrize(
    "text",
    ["Ann Smith was not born in Oslo.", "Ann Smith wasn't born in Oslo.", "Ann Smith was never born in Oslo.",
     "Ann Smith never married Bob Jones."],
)  # fmt: skip
def test_a_denial_is_seen(text):
    assert [one[4].negated for one in read(text)] == [True]


@pytest.mark.parametrize(
    "text",
    ["Ann Smith may have been born in Oslo.", "Ann Smith might be a writer.", "Ann Smith was possibly born in Oslo.",
     "Ann Smith was allegedly born in Oslo.", "Ann Smith could have married Bob Jones."],
)  # fmt: skip
def test_a_doubt_is_seen(text):
    assert [one[4].hedged for one in read(text)] == [True]


def test_a_plain_sentence_is_neither_denied_nor_doubted():
    assert [(one[4].negated, one[4].hedged) for one in read("Ann Smith was born in Oslo.")] == [(False, False)]


def test_the_date_of_the_whole_is_no_claim_of_its_own():
    ((head, _, relation, tail, draft),) = read("Alien was directed by Ann Smith in 1931.")
    assert (head, relation, tail, draft.when.text) == ("Alien", "was directed by", "Ann Smith", "1931")


@pytest.mark.parametrize("text", ["What a day!", "Rain.", "Go home.", "Is it raining?", "!?", "-", "and or but"])
def test_nothing_is_drafted_where_nothing_is_named(text):
    assert [one for one in read(text) if one[3] in ("Ann Smith", "Oslo")] == []


def test_a_name_of_any_shape_is_one_word_for_the_parser():
    for name in ("It Happened One Night", "Who's Afraid of Virginia Woolf?", "2001: A Space Odyssey", "Se7en", "and"):
        text = f"{name} was directed by Ann Smith."
        (sentence,) = sentences(text, [Mention(0, len(name), name), mentions(text)[-1]])
        assert [word.text for word in sentence.words if word.mention] == [name, "Ann Smith"]
        (draft,) = drafts(sentence, lambda word: None, NOUNS.__contains__)
        assert (draft.head.text, draft.relation) == (name, "was directed by")


def test_offsets_refer_to_the_text_and_not_to_what_is_parsed():
    text = "😀😀\n\n  Ann Smith was born in Oslo.\n\tOslo is in Norway."
    for sentence in sentences(text, mentions(text)):
        for word in sentence.words:
            assert text[word.start : word.end] == word.text


def test_a_long_paragraph_is_parsed_in_pieces():
    text = "Ann Smith was born in Oslo. " * 400
    found = read(text)
    assert len(found) == 400 and all((one[0], one[3]) == ("Ann Smith", "Oslo") for one in found)
