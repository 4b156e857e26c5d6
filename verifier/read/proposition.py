"""What a text says, before anybody asks whom it means: the value between reading and linking.

A proposition is made by the grammar and by a language model's reply alike; it speaks of phrases at places of the text
and needs no tree any more. `kgstore.verifier.link.claims` finds out whom the phrases mean.
"""

from __future__ import annotations

from dataclasses import dataclass

from kgstore.verifier.claims import Hop, Measure, Mention
from kgstore.verifier.english.words import words
from kgstore.verifier.values import Amount, DateValue

Span = tuple[int, int]
"""Offsets into the text, end exclusive."""

GIVEN = ""
"""The tag of a phrase that was given by its place alone: it names what it means, and has no grammar."""
_DEFINITE = words("articles.definite")


@dataclass(frozen=True, slots=True)
class Phrase:
    """A name, a pronoun or a noun phrase, with all that tells what it may refer to.

    :param text: the name, or the main word
    :param tag: Penn tag of the main word, `GIVEN` where no grammar was asked
    :param mention: where it is a name, a date or an amount
    :param article: ``the``, ``a``, ``this`` .., "" for none; ``determined``: there is one, or an owner
    :param words: the noun with the words before it, lower case, without articles: "final film"
    :param relation: the same, with its "of" where the whole names a relation ("cause of death")
    :param name: the span that is a name of the KG ("film director"), ``whole`` that of the phrase without its article
    :param parts: spans of what stands before the noun, longest first ("crime film" of "the crime film genre")
    :param behind: how many prepositions and clauses follow that belong to it
    """

    start: int
    end: int
    text: str
    tag: str = GIVEN
    mention: Mention | None = None
    article: str = ""
    determined: bool = False
    words: str = ""
    relation: str = ""
    name: Span | None = None
    whole: Span | None = None
    parts: tuple[Span, ...] = ()
    behind: int = 0

    @property
    def lower(self) -> str:
        return self.text.lower()

    @property
    def definite(self) -> bool:
        return self.article in _DEFINITE

    @property
    def is_pronoun(self) -> bool:
        return self.tag.startswith("PRP")


@dataclass(frozen=True, slots=True)
class Proposition:
    """One thing that a text says.

    :param start: first offset of its words; ``end`` is exclusive
    :param head: what the subject names; None where the sentence leaves it out ("Portuguese is the official language")
    :param relation: the words of the predicate
    :param tail: None where the sentence leaves it out ("Of the two, A is larger")
    :param bridge: what leads from the head to what is spoken of: "the spouse of A" has head A and one hop ``spouse``
    :param steps: further hops before the tail: "born in a city in B" has one, ``was born in``, and the relation ``in``
    :param definite: "the spouse" promises that there is just one
    :param negated: the sentence denies it; ``hedged``: it does not assert it
    :param when: the date of the whole; ``until``: its end
    :param measure: what is compared, counted or superlative; its ``things`` are those of the phrase ``things``
    """

    start: int
    end: int
    head: Phrase | None
    relation: str
    tail: Phrase | None
    bridge: tuple[Hop, ...] = ()
    steps: tuple[Hop, ...] = ()
    definite: bool = False
    negated: bool = False
    hedged: bool = False
    when: DateValue | Amount | None = None
    until: DateValue | Amount | None = None
    measure: Measure | None = None
    things: Phrase | None = None


@dataclass(frozen=True, slots=True)
class Utterance:
    """A sentence as linking sees it: what it says, and what tells of whom the text speaks.

    :param spoken: names, pronouns and definite subjects in text order
    :param titled: the name before a colon or a dash: "Hamburg: Located on the Elbe, it has ..."
    :param first: the name of the subject, or the first word where that is a name, if the KG knows it
    :param subject: the name of the subject, known or not
    :param owns: a later "her" or "its" can be that of ``first``: "Ann Smith died, and her sister ..."
    :param joined: spans of names that are the subject together, so that none of them is what the text is about
    :param two: what "the former" and "the latter" mean after it; None leaves that as it was
    :param names: names of things; ``is_title``: it has no verb, or ends in a colon
    """

    start: int
    end: int
    propositions: tuple[Proposition, ...] = ()
    spoken: tuple[Phrase, ...] = ()
    titled: Mention | None = None
    first: Mention | None = None
    subject: Mention | None = None
    owns: bool = False
    joined: frozenset[Span] = frozenset()
    two: tuple[Mention, ...] | None = None
    names: tuple[Mention, ...] = ()
    is_title: bool = False
