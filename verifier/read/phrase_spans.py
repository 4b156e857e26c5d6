"""Which stretch of a sentence a noun or a predicate covers. Grammar alone: nothing here knows a KG."""

from __future__ import annotations

from collections.abc import Iterable

from kgstore.verifier.english.words import words
from kgstore.verifier.read.parse import Word

_CLAUSES = ("relcl", "acl", "appos", "conj", "cc", "advcl", "ccomp", "parataxis", "preconj")
"""What hangs on a noun and says something of its own."""
_HELPERS = ("aux", "auxpass", "neg", "prt")
_ADVERBS = words("adverbs.of_verb_groups")
_NOMINAL = ("NN", "PRP", "CD", "DT", "WP", "EX", "JJ", "FW", "VBG", "$")
_GAP = 3
"""Characters between two words of a phrase: blanks, a hyphen, a quotation mark."""


def noun_phrase(word: Word, without: Iterable[Word] = ()) -> list[Word]:
    """The words of the phrase of ``word`` in text order: with its article, adjectives, owners and prepositions, and
    without clauses, appositions and what it is joined to.

    :param without: words below it that are said elsewhere
    """
    gone = {id(one) for top in without for one in top.subtree()}
    kept = [one for one in _inner(word) if id(one) not in gone]
    first = last = kept.index(word)
    while first > 0 and kept[first].start - kept[first - 1].end <= _GAP:
        first -= 1
    while last + 1 < len(kept) and kept[last + 1].start - kept[last].end <= _GAP:
        last += 1
    words = kept[first : last + 1]
    while words[-1] is not word and (words[-1].dep == "punct" or words[-1].tag in ("IN", "CC", "HYPH")):
        words.pop()
    while words[0] is not word and words[0].dep in ("punct", "cc"):
        words.pop(0)
    return words


def _inner(word: Word) -> list[Word]:
    found = [word]
    for child in word.children:
        attributive = child.end <= word.start and child.dep in ("acl", "conj", "cc", "advcl")  # "the injured man"
        apart = child.dep in _CLAUSES and not attributive and not _hyphened(word, child)
        if apart or (child.dep == "punct" and child.text in ",;:.!?–—"):
            continue
        found += _inner(child)
    return sorted(found, key=lambda one: one.start)


def joined(word: Word) -> list[Word]:
    """The word and all that "and", "or" and commas join to it: "A, B and C" are three."""
    found = [word]
    for one in found:
        for other in one.all("conj"):
            if other.tag.startswith(_NOMINAL) and not other.all("nsubj") and not _hyphened(one, other):
                found.append(other)
    return found


def _hyphened(word: Word, other: Word) -> bool:
    """ "semi-finals", "mid-table": one word that the parser takes apart."""
    return 0 <= other.start - word.end <= 1 and other.tag != "CC" and (other.start == word.end or other.dep == "conj")


def verb_group(verb: Word) -> list[Word]:
    """The verb with its helpers and its "not": "had not been brought on"."""
    adverbs = [one for one in verb.all("advmod") if one.lower in _ADVERBS and not one.children]
    return sorted([*verb.all(*_HELPERS), *adverbs, verb], key=lambda one: one.start)


def span(words: Iterable[Word]) -> tuple[int, int]:
    """From the first to the last of the words."""
    every = list(words)
    return min(one.start for one in every), max(one.end for one in every)
