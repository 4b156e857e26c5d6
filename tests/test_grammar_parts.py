"""The parts of the grammar one by one, on a parse: what each edits, finds or leaves alone."""

from __future__ import annotations

import pytest

from kgstore.verifier.read.apposed import name_first, noun_first, pronoun_second
from kgstore.verifier.read.draft import (
    Argument,
    Draft,
    is_amount,
    is_date,
    is_entity,
    noun_of,
    relation_words,
    subjects,
)
from kgstore.verifier.read.forms import FRAGMENT, OPINION, QUESTION, form
from kgstore.verifier.read.fronted import fronted
from kgstore.verifier.read.grammar import Grammar, antecedent, distinct
from kgstore.verifier.read.linear import linear, listed
from kgstore.verifier.read.misread import misread
from kgstore.verifier.read.modality import modality
from kgstore.verifier.read.nouns import definite, phrase_of, two_things
from kgstore.verifier.read.paragraphs import paragraphs
from kgstore.verifier.read.parse import Sentence, Word
from kgstore.verifier.read.phrase_spans import joined, noun_phrase, span, verb_group
from kgstore.verifier.read.relative import relative
from kgstore.verifier.read.reorder import cleft, interval, lost_subject, name_as_root, reduced, year_first
from kgstore.verifier.read.shapes import Edits, copied
from kgstore.verifier.read.shared import agents, apart, shared
from kgstore.verifier.read.states import of_a_state, of_peoples, of_states
from kgstore.verifier.read.territory import territory_of
from kgstore.verifier.read.times import interval as bounds
from kgstore.verifier.read.times import times_of
from kgstore.verifier.read.tree import attach, loosen
from tests.test_clauses import NOUNS, is_name, read
from tests.test_shapes import PEOPLE, parsed


def word(sentence: Sentence, text: str) -> Word:
    return next(one for one in sentence.words if one.text == text)


def links(sentence: Sentence) -> set[tuple[str, str, str | None]]:
    """Each word with its role and what it depends on."""
    return {(one.text, one.dep, one.head and one.head.text) for one in sentence.words}


@pytest.mark.parametrize(
    ("edits", "text", "gains"),
    [
        (of_peoples, "Ann Smith is a retired Norway football player.", ("Norway", "amod", "player")),
        (of_states, "The Norway capital is Oslo.", ("Norway", "poss", "capital")),
        (name_as_root, "Oslo and Bergen are cities.", ("Oslo", "nsubj", "are")),
        (lost_subject, "Norway has a population of 5 million.", ("Norway", "nsubj", "has")),
        (interval, "NATO closed in 1931, a year after its start in 1930.", ("after", "prep", None)),
        (relative, "Ann Smith lived in Oslo, where she died in 1931.", ("died", "advcl", "lived")),
        (noun_first, "A writer, Ann Smith was born in Oslo.", ("writer", "appos", "Ann Smith")),
        (pronoun_second, "The wife of Bob Jones, she was born in Oslo.", ("wife", "appos", "she")),
        (
            name_first,
            "Ann Smith and Bob Jones, the founders of NATO, live in Oslo.",
            ("founders", "appos", "Ann Smith"),
        ),
        (apart, "Oslo is the capital of Norway and the largest city in Norway.", ("is", "conj", "is")),
        (cleft, "It was in Oslo that Ann Smith was born.", ("born", "ROOT", None)),
        (reduced, "The person married to Bob Jones was born in Oslo.", ("married", "acl", "person")),
        (year_first, "The year 1931 saw the death of Ann Smith.", ("death", "nsubj", "was")),
    ],
    ids=lambda one: getattr(one, "__name__", None),
)
def test_an_edit_makes_its_change_and_leaves_plain_sentences_alone(edits: Edits, text, gains):
    sentence, plain = copied(parsed(text)), copied(parsed("Ann Smith was born in Oslo."))
    made = edits(sentence, PEOPLE.__contains__) or sentence
    assert gains in links(made)
    before = links(plain)
    assert links(edits(plain, PEOPLE.__contains__) or plain) == before


@pytest.mark.parametrize(
    ("edits", "text", "words", "preposition"),
    [
        (shared, "Oslo is the capital and largest city of Norway.", ("capital", "city"), "of"),
        (agents, "Alien was written and directed by Ann Smith.", ("written", "directed"), "by"),
    ],
)
def test_two_joined_words_share_what_stands_behind_the_second(edits, text, words, preposition):
    sentence = copied(parsed(text))
    edits(sentence, PEOPLE.__contains__)
    assert [[one.lower for one in word(sentence, text).all("prep", "agent")] for text in words] == [[preposition]] * 2


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Where was Ann Smith born?", QUESTION),
        ("Early life", FRAGMENT),
        ("Please visit Oslo.", OPINION),
        ("We love Oslo.", OPINION),
        ("Ann Smith was born in Oslo.", ""),
    ],
)
def test_what_asserts_nothing_is_told_by_its_form(text, expected):
    assert form(parsed(text).words) == expected


@pytest.mark.parametrize(
    ("text", "denied", "open_"),
    [
        ("Ann Smith was not born in Oslo.", True, False),
        ("Ann Smith never directed Alien.", True, False),
        ("Ann Smith may have been born in Oslo.", False, True),
        ("Ann Smith was born in Oslo.", False, False),
        ("The bank did not confirm that Ann Smith was born in Oslo.", False, True),
        ("The bank never confirmed that Ann Smith was born in Oslo.", False, True),
        ("The bank refused to confirm that Ann Smith was born in Oslo.", False, True),
        ("Nobody noted that Ann Smith was born in Oslo.", False, True),
        ("Please note that Ann Smith was born in Oslo.", False, False),
        ("It is not true that Ann Smith was born in Oslo.", True, False),
    ],
)
def test_a_clause_is_denied_or_left_open_by_its_own_words(text, denied, open_):
    words = parsed(text).words
    verb = next((one for one in words if one.text == "born"), parsed(text).root)
    assert modality(verb) == (denied, open_)


def test_a_name_where_a_verb_was_read_gets_a_verb_to_stand_in():
    words = parsed("Alien stars Ann Smith.").words
    assert misread(words, lambda text: text == "stars")[words[1].start].tag.startswith("VB")
    assert misread(words, lambda text: False) == {}


def test_phrases_are_words_of_the_tree():
    text = "The former mayor of Oslo directed Alien."
    mayor = word(parsed(text), "mayor")
    assert phrase_of(mayor, text) == "former mayor" and definite(mayor)
    assert [one.text for one in verb_group(parsed("Ann Smith had not been brought up in Oslo.").root)] == [
        "had", "not", "been", "brought", "up",
    ]  # fmt: skip
    names = parsed("Alien was directed by Ann Smith and Bob Jones.")
    by = joined(word(names, "Ann Smith"))
    assert [one.text for one in by] == ["Ann Smith", "Bob Jones"] and span(by) == (22, 45)
    film = word(parsed("Ann Smith directed a very long film about Oslo."), "film")
    assert [one.text for one in noun_phrase(film)] == ["a", "very", "long", "film", "about", "Oslo"]
    assert two_things(names) == ()  # none of them is linked


def test_what_a_word_can_be_in_a_claim():
    sentence = parsed("Ann Smith was born in Oslo in 1931.")
    year, town = word(sentence, "1931"), word(sentence, "Oslo")
    assert (is_date(year), is_entity(year), is_amount(year)) == (True, False, False)
    assert (is_date(town), is_entity(town), is_amount(None)) == (False, True, False)
    assert [one.text for one in subjects(sentence.root)] == ["Ann Smith"] and noun_of(town) == "oslo"
    assert relation_words(sentence.words[1:4]) == ["was", "born", "in"]
    assert of_a_state(word(parsed("The capital of Norway is Oslo."), "capital")) and not of_a_state(town)


def test_a_word_is_hung_elsewhere_with_all_below_it():
    fixed = parsed("Ann Smith was born in Oslo.")
    with pytest.raises(AttributeError, match="which nobody changes"):
        fixed.root.dep = "conj"
    sentence = copied(fixed)
    town = word(sentence, "Oslo")
    attach(town, sentence.root, "dobj")
    assert town.head is sentence.root and town in sentence.root.children and not word(sentence, "in").children
    loosen(town)
    assert town.head is None and town not in sentence.root.children


def test_a_relative_clause_is_about_the_noun_before_it():
    sentence = parsed("Ann Smith, who was born in Oslo, directed Alien.")
    assert antecedent(word(sentence, "born")).text == "Ann Smith" and antecedent(sentence.root) is None


def test_the_same_claim_is_drafted_once():
    (draft,) = (one[-1] for one in read("Ann Smith was born in Oslo."))
    assert distinct([draft, draft]) == [draft]


def test_a_long_paragraph_is_cut_where_a_sentence_ends():
    assert list(paragraphs("One.\nTwo three.")) == [(0, 5), (5, 15)]
    assert list(paragraphs("aaaa. bbbb. cccc", 8)) == [(0, 5), (5, 11), (11, 16)]


def grammar() -> Grammar:
    return Grammar(is_name, NOUNS.__contains__, NOUNS.__contains__, lambda text: False, lambda text: False)


def told(drafts: list[Draft]) -> list[tuple[str | None, str, str | None]]:
    return [(one.head and one.head.text, one.relation, one.tail and one.tail.text) for one in drafts]


def test_lines_without_a_verb_are_read_from_left_to_right():
    assert told(linear(parsed("Alien director Ann Smith."), grammar())) == [("Alien", "director", "Ann Smith")]
    assert told(listed(parsed("Capital: Oslo."), grammar())) == [(None, "capital", "Oslo")]


def test_what_stands_in_front_with_its_own_noun_is_a_claim_of_its_own():
    sentence = copied(parsed("With a population of 5 million, Norway is a country."))
    rest, found = fronted(sentence, grammar().phrases, NOUNS.__contains__)
    assert told(found) == [("Norway", "has population of", "5 million")]
    assert [one.text for one in rest.words] == ["Norway", "is", "a", "country", "."]


def test_each_object_has_its_own_date_and_a_time_has_two_ends():
    both = parsed("Ann Smith directed Alien in 1931 and NATO in 1935.")
    objects, dates = ([Argument(word(both, one), ()) for one in few] for few in (("Alien", "NATO"), ("1931", "1935")))
    own = [times_of(about, objects, dates) or [] for about in objects]
    assert [[one.word.text for one in few] for few in own] == [["1931"], ["1935"]]
    assert times_of(objects[0], objects, dates[:1]) is None
    led = parsed("Ann Smith led NATO from 1931 to 1935.")
    ends = [Argument(word(led, year), (word(led, way),)) for way, year in (("from", "1931"), ("to", "1935"))]
    assert [one and one.text for one in bounds(ends)] == ["1931", "1935"]
    assert bounds(ends[1:])[0] is None and bounds(ends[:1])[1] is None


def test_words_that_lead_to_one_thing_do_not_belong_to_the_relation_of_another():
    sentence = parsed("Ann Smith was born in Oslo and worked with Bob Jones in Bergen.")
    verb = word(sentence, "worked")
    two = [Argument(word(sentence, name), (word(sentence, name).head,)) for name in ("Bob Jones", "Bergen")]
    outside = territory_of(verb, [word(sentence, "Ann Smith")], two, (), is_name)
    first = outside[id(two[0])]
    assert {id(word(sentence, "Bergen")), id(two[1].path[0])} <= first and id(two[0].path[0]) not in first
