"""What a language model changed in a text, word by word: a correction may change what is wrong and nothing else."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from kgstore.verifier.english.words import words

Span = tuple[int, int]

_TOKEN = re.compile(r"\w+|[^\w\s]|\s+")
_WORD = re.compile(r"[^\W_]+")
_STEM = 4
_SMALL = words("written.small")
"""Words that grammar asks for beside others: they may come and go with them."""


@dataclass(frozen=True, slots=True)
class Change:
    """``old`` at ``start`` to ``end`` of the old text became ``new``; either may be empty."""

    start: int
    end: int
    old: str
    new: str


def changes(old: str, new: str) -> list[Change]:
    """The fewest stretches of whole words that differ, in reading order.

    >>> changes("Ada died in Rome.", "Ada died in New York.")
    [Change(start=12, end=16, old='Rome', new='New York')]
    """
    a, b = _TOKEN.findall(old), _TOKEN.findall(new)
    starts = [0]
    for token in a:
        starts.append(starts[-1] + len(token))
    return [
        Change(starts[i], starts[j], "".join(a[i:j]), "".join(b[k:m]))
        for kind, i, j, k, m in SequenceMatcher(None, a, b, autojunk=False).get_opcodes()
        if kind != "equal"
    ]


def inside(made: Iterable[Change], spans: Sequence[Span]) -> bool:
    """Does each change lie within one of the spans of the old text?"""
    return all(any(start <= one.start and one.end <= end for start, end in spans) for one in made)


def foreign(text: str, *sources: str) -> list[str]:
    """The words of a text that stand in none of the sources, in whatever form; small words do not count.

    >>> foreign("She drew 12 houses", "He paints a house", "in 1912")
    ['drew', '12']
    >>> foreign("He had played for clubs", "plays for a club")
    []
    """
    known = {word for source in sources for word in _words(source)}
    return [word for word in _words(text) if word not in _SMALL and not any(_alike(word, one) for one in known)]


def _words(text: str) -> list[str]:
    return _WORD.findall(text.lower())


def _alike(a: str, b: str) -> bool:
    """The same word, or two forms of it: "set" and "sets", or four letters alike and up to three others at the end."""
    if a == b:
        return True
    shared = next((at for at, (one, other) in enumerate(zip(a, b, strict=False)) if one != other), min(len(a), len(b)))
    whole, rest = shared == min(len(a), len(b)) >= 3, max(len(a), len(b)) - shared
    return (rest <= 2 if whole else shared >= _STEM and rest <= 3) and not any(letter.isdigit() for letter in a + b)
