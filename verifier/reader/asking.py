"""How the relation reader is asked: a sentence, and a statement in words about two of its places.

"Ann, who wrote the book, lives in Graz." and "The residence of Ann is Graz.": does the one assert the other? Training
and reading both go through here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from kgstore.verbalise import described, verbalise

Span = tuple[int, int]
"""Offsets in a text, end exclusive."""
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
