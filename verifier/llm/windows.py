"""Sentences of a text, and runs of them that fit into a model's context. Pure functions over strings."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from kgstore.verifier.english.words import either

Span = tuple[int, int]

_ENDING = re.compile(
    r"""(?:(?<=[.!?…]) | (?<=[.!?…]["'”’)\]]) ) \s+ (?=["'“‘(\[]?[^\Wa-z_])      # Ada came. "Hm." Bob went.
      | (?<=[。！？])
      | \n\s*\n                                                                 # a paragraph
      | \n (?=\s*(?:[-*•]|\d+[.)])\s)                                          # a list""",
    re.VERBOSE,
)
ABBREVIATED = re.compile(
    rf"\b(?:[A-Z]|{either('names.abbreviated')})\.\s*$"
)
"""Ends with a full stop that ends no sentence."""
_COUNTED = re.compile(r"\s*\(?\d{1,2}[.)]\s*")
"""The number of a point in a list, no sentence of its own."""


def sentences(text: str) -> list[Span]:
    """Spans of the sentences, without the white space between them.

    >>> [text[a:b] for text in ["F. M. Abraham acts. He won."] for a, b in sentences(text)]
    ['F. M. Abraham acts.', 'He won.']
    >>> [text[a:b] for text in ["1. Ann acts. 2. She won."] for a, b in sentences(text)]
    ['1. Ann acts.', '2. She won.']
    """
    borders = [0]
    for ending in _ENDING.finditer(text):
        if _COUNTED.fullmatch(text, borders[-1], ending.start()):
            continue
        if "\n" in ending[0] or not ABBREVIATED.search(text, borders[-1], ending.start()):
            borders.append(ending.end())
    return [trim(text, a, b) for a, b in pairwise([*borders, len(text)]) if text[a:b].strip()]


def windows(text: str, spans: Sequence[Span], sizes: Sequence[int], limit: int) -> Iterator[Span]:
    """Runs of sentences of at most ``limit`` tokens each; a longer sentence is cut at white space.

    :param sizes: tokens in each of ``spans``
    """
    start, end, used = None, 0, 0
    for (a, b), size in zip(spans, sizes, strict=True):
        if start is not None and used + size > limit:
            yield start, end
            start, used = None, 0
        if size > limit:
            yield from _pieces(text, a, b, (b - a) * limit // size)
            continue
        start, end, used = (a if start is None else start), b, used + size
    if start is not None:
        yield start, end


def _pieces(text: str, start: int, end: int, width: int) -> Iterator[Span]:
    width = max(1, width * 3 // 4)  # tokens are not spread evenly over the characters
    while end - start > width:
        cut = max(text.rfind(" ", start + 1, start + width), text.rfind("\n", start + 1, start + width))
        cut = start + width if cut < 0 else cut
        yield trim(text, start, cut)
        start, _ = trim(text, cut, end)
    if start < end:
        yield start, end


def trim(text: str, start: int, end: int) -> Span:
    """The span without white space at its ends."""
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end
