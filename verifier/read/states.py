"""What a state has, by its adjective: "the German capital" is the capital of Germany."""

from __future__ import annotations

from kgstore.verifier.english.words import words
from kgstore.verifier.read.draft import Is
from kgstore.verifier.read.parse import Sentence, Word

_HAS = words("nouns.of_a_state")
"""Not whoever somebody of that nationality may be, as "the German writer" is."""


def of_peoples(sentence: Sentence, is_demonym: Is) -> None:
    """ "a German writer", whatever the parser makes of it."""
    for word in sentence.words:
        plain = word.head is not None and word.head.mention is None
        if word.mention is not None and word.dep in ("compound", "nmod") and plain and is_demonym(word.text):
            word.dep = "amod"


def of_states(sentence: Sentence, is_demonym: Is) -> None:
    """Make the adjective of a state the owner of what only a state has."""
    for noun in sentence.words:
        if noun.mention is not None or not of_a_state(noun) or noun.all("poss"):
            continue
        if any(way.lower == "of" for way in noun.all("prep")):
            continue
        for people in noun.all("amod", "compound", "nmod"):
            _owner(people, noun, is_demonym)


def of_a_state(noun: Word) -> bool:
    """Does the noun name what a state has, and nobody's trade?"""
    prime = noun.lower == "minister" and any(word.lower == "prime" for word in noun.children)
    return noun.tag == "NN" and (prime or noun.lower in _HAS)


def _owner(people: Word, noun: Word, is_demonym: Is) -> None:
    plain = people.text.removeprefix("The ")
    the = plain != people.text or any(word.lower == "the" for word in noun.all("det"))
    if people.mention is not None and the and is_demonym(plain):
        people.dep = "poss"
