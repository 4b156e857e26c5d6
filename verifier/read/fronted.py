"""What stands in front of a sentence's subject, or behind it between commas, and says something of its own.

"With 9.5 million residents, A is ...", "A, with an area of 500 km2, is ...", "At 1.88 metres, A is tall": each is a
claim beside that of the sentence, which is read as if it began with its subject.
"""

from __future__ import annotations

from dataclasses import replace

from kgstore.verifier.english.words import words
from kgstore.verifier.read.draft import Argument, Draft, Is, is_amount, noun_of, subjects
from kgstore.verifier.read.measures import basic, counted
from kgstore.verifier.read.parse import Sentence, Word
from kgstore.verifier.read.phrases import Phrases

_MEASURED = words("measures.dimensions")


def fronted(sentence: Sentence, phrases: Phrases, is_noun: Is) -> tuple[Sentence, list[Draft]]:
    """The sentence without such a phrase, which the tree loses, and what the phrase says."""
    subject = next(iter(subjects(sentence.root)), None)
    if subject is None or not (subject.mention or subject.tag == "PRP" or subject.all("det", "poss")):
        return sentence, []
    for front in (*sentence.root.all("prep"), *subject.all("prep")):
        words = front.subtree()
        if front.start == sentence.words[0].start:
            between = [word for word in sentence.root.all("punct") if words[-1].end <= word.start < subject.start]
        else:
            between = _commas(sentence, words)
        if not any(word.text == "," for word in between):
            continue
        base, nouns = phrases.subject(subject)
        inner = next(iter(front.all("pobj")), None)
        said = _said(front, inner, sentence.root, is_noun) if inner is not None else []
        if not said:
            continue
        span = min(front.start, subject.start), max(words[-1].end, subject.end)
        drafts = [(amount, Draft(*span, base, nouns, relation, amount)) for relation, amount in said]
        (front.head or sentence.root).children.remove(front)
        front.head = None
        rest = [word for word in sentence.words if word not in words and word not in between]
        plain = replace(sentence, start=rest[0].start, words=rest)
        return plain, [counted(Argument(amount, (front,)), draft) or draft for amount, draft in drafts]
    return sentence, []


def _commas(sentence: Sentence, words: list[Word]) -> list[Word]:
    """The commas before and behind a phrase that stands between subject and verb; none if one of them is missing."""
    places = (words[0].start - 2, words[-1].end)
    around = [word for word in sentence.words if word.text == "," and word.start in places]
    return around if len(around) == 2 else []


def _said(front: Word, inner: Word, verb: Word, is_noun: Is) -> list[tuple[str, Word]]:
    """The relations and the amounts of the phrase; nothing where none is sure."""
    found = []
    for noun in (inner, *inner.all("conj")) if front.lower == "with" else ():
        for amount in noun.all("nummod"):
            if is_amount(amount) and is_noun(f"has {noun_of(noun)}"):
                found.append((f"has {noun_of(noun)}", amount))
        for preposition in noun.all("prep"):
            for amount in preposition.all("pobj"):
                if preposition.lower == "of" and is_amount(amount) and is_noun(noun_of(noun)):
                    found.append((f"has {noun_of(noun)} of", amount))
    if front.lower == "at" and is_amount(inner) and getattr(inner.mention and inner.mention.value, "unit", None):
        adjectives = [*verb.all("acomp"), *(word for noun in verb.all("attr") for word in noun.all("amod"))]
        for adjective in adjectives:
            plain = basic(adjective)
            if plain in _MEASURED:
                return [(f"is {plain}", inner)]
    return found
