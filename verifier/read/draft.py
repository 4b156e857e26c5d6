"""Drafts of claims in words of a sentence, and what all the grammar rules share.

A draft still speaks in words; `kgstore.verifier.stages` finds out what pronouns and nouns refer to.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from kgstore.verifier.claims import MeasureKind
from kgstore.verifier.english.words import words
from kgstore.verifier.read.parse import Word

NEGATIONS = words("negation.adverbs") | words("negation.contracted") | words("negation.determiner")
HEDGES = words("hedging.words") | words("hedging.former")
SKIPPED = ("det", "punct", "cc", "mark", "advmod", "intj", "predet", "preconj")
VERBAL = ("aux", "auxpass", "prt")
REPORTING = words("hedging.reporting")
"""Verbs whose clause is somebody else's word."""
HAPPENING = words("verbs.happening")
"""Verbs that only connect a noun with its value: "the release came in 1951", "the running time comes to 103
minutes".
"""
RELEASED = "was released in"
"""What a year before a noun says: "a 1953 film"."""
EQUATIVE = words("verbs.equative")
MADE_OF = words("verbs.made_of")
CALLED = words("verbs.called")
PLACED = words("verbs.placed")
COPULA = words("verbs.copula")
EMPTY = words("relation.empty")


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a chain: the words that lead on, and the noun that stands for what is reached ("a city")."""

    relation: str
    noun: str


@dataclass(frozen=True, slots=True)
class Clause:
    """A relative clause that says which one is meant: "the person who directed A".

    :param noun: "person"
    :param turned: the one who is meant comes first in the relation ("directed A"), not last ("A was born in")
    """

    relation: str
    noun: str
    turned: bool


@dataclass(frozen=True, slots=True)
class Scale:
    """What a draft compares, counts or picks out, in words of the sentence; see `kgstore.verifier.claims.Measure`."""

    kind: MeasureKind
    properties: tuple[str, ...]
    direction: int = 1
    things: Word | None = None
    rank: int = 1


@dataclass(frozen=True, slots=True, eq=False)
class Draft:
    """A claim in words of one sentence.

    :param start: first offset of the claim's span; ``end`` is exclusive
    :param head: the word that names the subject (a mention, a pronoun, or a noun)
    :param nouns: what leads from the head to what is spoken of: "the spouse of A" has head A and nouns ``("spouse",)``
    :param relation: the words of the predicate
    :param tail: the word that names the object; None where the sentence leaves it out ("Ann appears in the cast")
    :param steps: further steps before the tail: "born in a city in B" has ``(Step("was born in", "city"),)``,
        relation "in"
    """

    start: int
    end: int
    head: Word | None
    nouns: tuple[str | Clause, ...]
    relation: str
    tail: Word | None
    steps: tuple[Step, ...] = ()
    negated: bool = False
    hedged: bool = False
    when: Word | None = None
    until: Word | None = None
    definite: bool = False
    measure: Scale | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Argument:
    """Something that a verb says of its subject, with the words that lead there."""

    word: Word
    path: tuple[Word, ...]
    hops: tuple[tuple[str, str], ...] = ()  # (noun, relation onwards) for "a city in", outermost first
    relation: str = ""  # where the words alone do not say it ("an American actor")
    joined: Word | None = None  # the conjunct, where the argument is not the first of a list


IsName = Callable[[Word], tuple[int, int] | None]
"""The span of the noun phrase of this word that is a name of the KG ("film director", "county of Idaho"), else None."""
IsClass = Callable[[Word], bool]
"""Does this noun name a class that has members in the KG ("countries")?"""
Is = Callable[[str], bool]
"""Is this the name of a relation ("cause of death")?"""


def subjects(verb: Word) -> list[Word]:
    return verb.all("nsubj", "nsubjpass", "csubj", "expl")


def noun_of(word: Word) -> str:
    """A noun with the words before it that belong to its name: "record label", "life expectancy"."""
    parts = [
        item
        for child in word.children
        if child.dep not in ("poss", "prep", "relcl", "acl", "det", "appos", "nummod")
        for item in child.subtree()
        if item.end <= word.start
        and item.mention is None
        and item.tag.startswith(("NN", "JJ", "VB", "CD"))
        and item.lower not in EMPTY
    ]
    return " ".join(item.lower for item in (*parts, word))


def relation_words(words: Iterable[Word]) -> list[str]:
    unique = {
        word.start: word
        for word in words
        if word.mention is None
        and word.dep not in ("punct", "cc", "mark", "neg")
        and (word.lower not in EMPTY or word.dep == "prt")  # "was set up"
        and not (word.tag == "RB" and word.lower.endswith("ly"))
        and not _of_amount(word)
    }
    return [unique[start].lower for start in sorted(unique)]


def _of_amount(word: Word) -> bool:
    """Does it only say how exact an amount is: "at least 500"?"""
    while word.dep in ("advmod", "quantmod") and word.head is not None:
        word = word.head
        if is_amount(word):
            return True
    return False


def is_entity(word: Word) -> bool:
    """Does the word name a thing, neither a date nor an amount?"""
    return word.mention is not None and word.mention.value is None


def is_date(word: Word) -> bool:
    return word.mention is not None and hasattr(word.mention.value, "year")


def is_amount(word: Word | None) -> bool:
    return word is not None and word.mention is not None and word.mention.value is not None and not is_date(word)
