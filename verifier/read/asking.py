"""How the relation reader is asked: a sentence with two marked places, and the names of relations.

``[CLS] @ Ann @ , who wrote the book , lives in # Graz # . [SEP] residence [SEP] place of birth [SEP]``: the sentence
is the first text, the names are the second, and what the network makes of the ``[SEP]`` behind a name says how likely
the sentence asserts that relation between the place in ``@`` and the place in ``#``. The names are read side by side,
so that "residence" and "place of birth" compete. Training and reading both go through here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kgstore.embedding import clean

Span = tuple[int, int]
"""Offsets in a text, end exclusive."""
MAX_TOKENS = 128
"""Of the sentence, with its marks; what is far from both places is cut off."""
_MOST_NAMES = 12
"""Tokens of one relation's names."""


@dataclass(frozen=True, slots=True)
class Question:
    """Which of some relations does a sentence assert between two of its places?

    :param text: the sentence, with names in place of pronouns
    :param relations: names of each, as `named` gives them
    """

    text: str
    head: Span
    tail: Span
    relations: tuple[str, ...]


def named(label: str, aliases: Sequence[str] = (), most: int = 2) -> str:
    """What the reader gets to know of a relation: its label and a few other names.

    >>> named("screenwriter", ["script writer", "written by", "teleplay"])
    'screenwriter, script writer, written by'
    """
    return ", ".join((label.strip(), *(one.strip() for one in aliases[:most])))


class Encoder:
    """Questions as token numbers.

    :param path: ``tokenizer.json`` of a BERT
    """

    def __init__(self, path: Path) -> None:
        from tokenizers import Tokenizer

        self.tokenizer: Any = Tokenizer.from_file(str(path))
        self.tokenizer.no_truncation()
        self.tokenizer.no_padding()
        self.begin, self.end = (self.tokenizer.token_to_id(one) for one in ("[CLS]", "[SEP]"))
        self._marks = {end: self.tokenizer.token_to_id(mark) for end, mark in (("head", "@"), ("tail", "#"))}
        self._names: dict[str, list[int]] = {}

    def encode(self, question: Question) -> tuple[list[int], list[int]]:
        """The tokens of the sentence and those of the names, each name with the ``[SEP]`` that its score stands at."""
        names = [token for one in question.relations for token in self._name(one)]
        return self._sentence(question), names

    def _name(self, text: str) -> list[int]:
        found = self._names.get(text)
        if found is None:
            ids = self.tokenizer.encode(text, add_special_tokens=False).ids[:_MOST_NAMES]
            found = self._names[text] = [*ids, self.end]
        return found

    def _sentence(self, question: Question) -> list[int]:
        cuts = sorted(
            [(question.head[0], 0, "head"), (question.head[1], 1, "head"),
             (question.tail[0], 0, "tail"), (question.tail[1], 1, "tail")], key=lambda one: (one[0], -one[1])
        )  # fmt: skip
        ids, places, at = [], [], 0
        for offset, _, end in cuts:
            ids += self._tokens(question.text[at:offset])
            places.append(len(ids))
            ids.append(self._marks[end])
            at = offset
        ids += self._tokens(question.text[at:])
        room = MAX_TOKENS - 2
        if len(ids) > room:
            spare = max(0, room - (places[-1] - places[0] + 1)) // 2
            first = max(0, min(places[0] - spare, len(ids) - room))
            ids = ids[first:first + room]
        return [self.begin, *ids, self.end]

    def _tokens(self, text: str) -> list[int]:
        return self.tokenizer.encode(clean(text), add_special_tokens=False).ids
