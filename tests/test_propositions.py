"""Propositions, the value between reading and linking: made without a KG, and linked without a grammar."""

from __future__ import annotations

import pytest

from kgstore.store import Store
from kgstore.verifier.claims import Hop, Mention
from kgstore.verifier.link.claims import unlinked
from kgstore.verifier.pipeline import Verifier
from kgstore.verifier.read.parse import sentences
from kgstore.verifier.read.phrasing import Phrasing
from kgstore.verifier.read.proposition import GIVEN, Phrase, Proposition, Utterance
from kgstore.verifier.read.utter import Utterances
from tests.test_clauses import NOUNS, is_name, mentions


def said(text: str) -> Utterance:
    """The utterance of one sentence, by grammar alone."""

    def never(_: object) -> bool:
        return False

    reading = Utterances(text, is_name, NOUNS.__contains__, never, never, never, never)
    (sentence,) = sentences(text, mentions(text))
    return reading.read(sentence)


def given(text: str, words: str) -> Phrase:
    start = text.index(words)
    return Phrase(start, start + len(words), words, mention=Mention(start, start + len(words), words))


@pytest.mark.parametrize(
    ("text", "field", "value"),
    [
        ("Ann Smith was not born in Oslo.", "negated", True),
        ("Ann Smith may have been born in Oslo.", "hedged", True),
        ("The wife of Ann Smith was born in Oslo.", "bridge", (Hop("wife", "", True),)),
        ("Ann Smith was born in a city in Norway.", "steps", (Hop("was born in", "city"),)),
    ],
)
def test_a_proposition_keeps_what_the_sentence_says_of_it(text, field, value):
    (one,) = said(text).propositions
    assert getattr(one, field) == value and one.head.mention.text == "Ann Smith"
    assert text[one.start : one.end] == text[:-1]


def test_a_phrase_keeps_what_tells_whom_it_means():
    (one,) = said("The final film of the writer was Alien.").propositions
    assert one.tail.mention.text == "Alien"
    text = "The wife of Ann Smith liked the old film of Oslo."
    (sentence,) = sentences(text, mentions(text))
    film = next(word for word in sentence.words if word.text == "film")
    phrase = Phrasing(text, is_name, NOUNS.__contains__, lambda word: False).phrase(film)
    assert (phrase.article, phrase.determined, phrase.words, phrase.behind) == ("the", True, "old film", 1)
    assert phrase.definite and not phrase.is_pronoun
    assert text[slice(*phrase.whole)].startswith("old film") and text[slice(*phrase.parts[0])] == "old"


def test_an_utterance_keeps_what_tells_of_whom_the_text_speaks():
    assert [one.text for one in said("Ann Smith met Bob Jones. ").names] == ["Ann Smith", "Bob Jones"]
    assert said("Facts about Ann Smith:").is_title and not said("Ann Smith met Bob Jones.").is_title
    assert said("Oslo: It lies in Norway.").titled.text == "Oslo"
    assert [one.text for one in said("She met Bob Jones in the city.").spoken] == ["She", "Bob Jones"]


@pytest.fixture(scope="module")
def verifier(small_kg):
    with Store(small_kg) as store:
        yield Verifier(store, judge="none", reader="none")


def test_propositions_that_somebody_else_made_are_linked_like_the_grammar_s(verifier):
    text = "Albert Einstein was born in Ulm."
    one = Proposition(0, len(text) - 1, given(text, "Albert Einstein"), "was born in", given(text, "Ulm"))
    assert one.head.tag == GIVEN
    (claim,) = verifier.rules.linked(text, [one])
    (own,) = verifier.claims(text)
    assert claim == own and claim.head.candidates[0].label == "Albert Einstein"
    bare = unlinked(text, one)
    assert bare.head == one.head.mention and bare.relation == claim.relation and bare.text == claim.text


def test_a_proposition_about_a_pronoun_is_about_the_one_before(verifier):
    text = "Albert Einstein was a physicist. He was born in Ulm."
    stages = verifier.rules
    names = stages.names(text)
    parsed = stages.parse(names)
    first, second = stages.propose(names, parsed)
    assert second.propositions[0].head.is_pronoun and second.propositions[0].head.mention is None
    claims, _ = stages.link(text, names, [first, second], stages.means(names, parsed))
    assert claims[-1].head.text == "He" and claims[-1].head.candidates[0].label == "Albert Einstein"
    alone, _ = stages.link(text, names, [second], {})
    assert not [one for one in alone if one.head.candidates]
