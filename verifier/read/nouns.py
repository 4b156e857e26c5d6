"""Noun phrases: which of them is a name of the KG, which names a relation, and what "the latter" means."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from kgstore.verifier.claims import Mention
from kgstore.verifier.english.words import words
from kgstore.verifier.read.parse import Sentence, Word

WORKS = words("nouns.works")
_DEFINITE = words("articles.definite")
"""Whatever stands before these, they are one: it says the genre."""


def np_name(
    word: Word, hits: Mapping[tuple[int, int], object], is_noun: Callable[[str], bool]
) -> tuple[int, int] | None:
    """The span of the noun phrase where that is a name of the KG, without its article; else None.

    "county of Idaho" is one name; in "citizen of Idaho" the name "citizen" does not cover the phrase. Adjectives before
    a name may stay outside ("a gifted writer"), nouns may not ("a children's writer" is no other name for a writer),
    except one that names the relation ("the genre comedy film"), and before works ("a crime drama television series").
    """
    if not word.tag.startswith(("NN", "JJ", "CD", "VBG", "FW")):
        return None
    right = [
        item for item in word.children if item.start > word.start and item.dep not in ("punct", "cc", "conj", "appos")
    ]
    right = [item for item in right if item.dep not in ("relcl", "acl")]
    end = max((inner.end for item in right for inner in item.subtree()), default=word.end)
    if (
        right
        and all(item.dep == "prep" and item.lower != "of" for item in right)
        and not any((first.start, end) in hits for first in word.subtree())
    ):
        end = word.end  # "a film from France": the film, and where it is from
    left = [
        inner
        for item in word.children
        if item.end <= word.start and item.dep not in ("predet", "punct", "cc")
        for inner in item.subtree()
    ]
    left.sort(key=lambda item: item.start)
    for i, first in enumerate((*left, word)):
        if first.dep in ("det", "punct") or (first.start, end) not in hits:
            continue
        before = [
            item
            for item in left[:i]
            if item.dep not in ("det", "punct", "nummod", "amod", "advmod") and item.tag != "PRP$"
        ]
        genre = word.lower in WORKS and all(item.mention is None for item in left[:i])
        if not before or genre or is_noun(" ".join(item.lower for item in before)):
            return first.start, end
    return None


def two_things(sentence: Sentence) -> tuple[Mention, ...]:
    """What "the former" and "the latter" of the next sentence mean: two joined names, or the only two there are."""
    named = [word for word in sentence.words if word.mention is not None and word.mention.candidates]
    joined = [(word, other) for word in named for other in word.all("conj") if other in named]
    pairs = [pair for pair in joined if pair[0].dep != "conj" and not pair[1].all("conj")]
    words = pairs[0] if len(pairs) == 1 else named
    mentions = [word.mention for word in reversed(words) if word.mention is not None]
    things = {mention.candidates[0].iri: mention for mention in mentions}
    return tuple(sorted(things.values(), key=lambda mention: mention.start))


def definite(word: Word) -> bool:
    return any(item.lower in _DEFINITE for item in word.all("det"))


def relation_noun(word: Word, text: str, is_noun: Callable[[str], bool]) -> str:
    """The noun, with its "of" where the whole is a relation's name ("cause of death")."""
    noun = phrase_of(word, text)
    for preposition in word.all("prep"):
        for inner in preposition.all("pobj"):
            if inner.mention is None and is_noun(whole := f"{noun} {preposition.lower} {inner.lower}"):
                return whole
    return noun


def phrase_of(word: Word, text: str) -> str:
    """The noun with the words before it, without articles."""
    words = [
        item
        for item in word.subtree()
        if item is word or (item.dep not in ("det", "punct", "poss") and item.start <= word.start)
    ]
    return text[words[0].start : word.end].lower()
