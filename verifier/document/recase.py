"""Capitals for a text that lost them, from the document that it is about; parsers need them to tell names."""

from __future__ import annotations

import re
from collections import Counter

_WORD = re.compile(r"(?<!\w['’])[^\W\d_]+")
_BEGINS = re.compile(r"(?:^|[.!?:\n][\"'“”‘’)\]]*)\s*[\"'“‘(\[`]*\s*$")
_BEFORE = 12
"""Characters before a word that tell whether it begins a sentence."""


def recased(text: str, document: str) -> str:
    """The text with each word in small letters written as the document writes it within sentences. No offset changes.

    >>> recased("Paris was rainy , said ann smith .", "On Monday Ann Smith left. The Seine near Smith Square rose.")
    'Paris was rainy , said Ann Smith .'
    >>> recased("he didn't drive", "The Model T is old.")
    "he didn't drive"
    """
    shapes: dict[str, Counter[str]] = {}
    for found in _WORD.finditer(document):
        if not _BEGINS.search(document[max(0, found.start() - _BEFORE) : found.start()]):
            shapes.setdefault(found[0].lower(), Counter())[found[0]] += 1
    usual = {word: counted.most_common(1)[0][0] for word, counted in shapes.items()}

    def shaped(found: re.Match[str]) -> str:
        word = found[0]
        known = usual.get(word, word) if word.islower() else word
        return known if len(known) == len(word) else word

    return _WORD.sub(shaped, text)
