"""How the relation reader is asked: a sentence, and a statement in words about two of its places.

"Ann, who wrote the book, lives in Graz." and "The residence of Ann is Graz.": does the one assert the other? Training
and reading both go through here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from kgstore.verbalise import described, verbalise
from kgstore.verifier.claims import Mention, Passage
from kgstore.verifier.english.words import words as listed

Span = tuple[int, int]
"""Offsets in a text, end exclusive."""
_OWNERS = listed("pronouns.owners")
_SHORT = 3
"""A word of at most so many letters says too little alone ("symptom of" of a symptom)."""


@dataclass(frozen=True, slots=True)
class Question:
    """Two places of a sentence, of which a relation may be asserted.

    :param text: the sentence, with names in place of pronouns
    :param through: a relation of the head: what is asked is said of its value, which the sentence need not name
    """

    text: str
    head: Span
    tail: Span
    through: str = ""


def hypothesis(question: Question, relation: str) -> str:
    """The statement in words.

    >>> hypothesis(Question("Ann, who wrote the book, lives in Graz.", (0, 3), (34, 38)), "residence")
    'The residence of Ann is Graz.'
    >>> hypothesis(Question("Ann married somebody from Graz.", (0, 3), (26, 30), "spouse"), "place of birth")
    'The place of birth of the spouse of Ann is Graz.'
    """
    head, tail = question.text[slice(*question.head)], question.text[slice(*question.tail)]
    if question.through:
        head = described(head, question.through.strip())
    said = verbalise(head, relation.strip(), tail)
    return said[:1].upper() + said[1:] if question.through else said


def name_said(label: str, kinds: Iterable[str], sentence: str) -> str:
    """The label without a first word that only repeats what it is asked of, where the sentence says it so.

    >>> name_said("system owner", ["System"], "The owner of TideDesk is Ann.")
    'owner'
    >>> name_said("art director", ["film"], "The director of Rain is Ann.")
    'art director'
    """
    kind, _, rest = label.lower().partition(" ")
    words = {word for name in kinds for word in name.lower().split()}
    told = kind in words and len(rest) > _SHORT and label.lower() not in sentence.lower()
    return rest if told and re.search(rf"\b{re.escape(rest)}\b", sentence, re.IGNORECASE) else label


def standing(text: str, passage: Passage, head: Mention, tail: Mention, through: str = "") -> Question:
    """What is asked of two places of a sentence, with names in place of the pronouns that are asked about.

    >>> he, graz = Mention(15, 17, "He", refers_to=(0, 7)), Mention(30, 34, "Graz")
    >>> standing("Bob Roe sings. He was born in Graz.", Passage(15, 35, ()), he, graz)
    Question(text='Bob Roe was born in Graz.', head=(0, 7), tail=(20, 24), through='')
    """
    words, shift, spans = text[passage.start:passage.end], 0, {}
    for mention in sorted((head, tail), key=lambda one: (one.start, one.end)):
        start, end = mention.start - passage.start + shift, mention.end - passage.start + shift
        if mention.refers_to is not None:
            name = text[slice(*mention.refers_to)]
            if mention.is_implied:
                words = f"{words[:start]}{name}: {words[end:]}"
                shift += len(name) + 2
            elif mention.text.lower() in _OWNERS:
                words = f"{words[:start]}{name}'s{words[end:]}"
                shift += len(name) + 2 - (end - start)
            else:
                words = f"{words[:start]}{name}{words[end:]}"
                shift += len(name) - (end - start)
            end = start + len(name)
        spans[mention.start, mention.end] = (start, end)
    return Question(words, spans[head.start, head.end], spans[tail.start, tail.end], through)
