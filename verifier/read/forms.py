"""What kind of sentence asserts nothing that a KG could check, by its grammar alone."""

from __future__ import annotations

from collections.abc import Sequence

from kgstore.verifier.english.words import words
from kgstore.verifier.read.parse import Word

QUESTION = "question"
FRAGMENT = "heading or fragment without a verb"
OPINION = "opinion, instruction or greeting"

_SPEAKERS = words("pronouns.speakers")
_VERBS = frozenset("VB VBD VBG VBN VBP VBZ MD".split())
_HEADING = 8
"""Words of the longest sentence that is taken for a heading although it ends in a full stop."""
_ADVICE = words("verbs.advice")


def form(words: Sequence[Word]) -> str:
    """`QUESTION`, `FRAGMENT` or `OPINION`; "" for a sentence that may assert something."""
    plain = [word for word in words if word.mention is None]
    if any("?" in word.text for word in plain[-3:]):  # "Where?", also with closing quotes
        return QUESTION
    tags = {word.tag for word in plain}
    if not tags & _VERBS and not is_told(words):
        return OPINION if "UH" in tags else FRAGMENT
    speaks = any(_said(word, words) in _SPEAKERS and word.tag.startswith("PRP") for word in plain)
    advises = any(word.lower in _ADVICE and word.tag in ("MD", "VB") for word in plain)
    return OPINION if speaks or advises or _is_imperative(words) else ""


def _said(word: Word, words: Sequence[Word]) -> str:
    """Without the capital of a first word; "Our Lady" keeps hers."""
    return word.lower if word is words[0] and word.text != "I" else word.text


def is_told(words: Sequence[Word]) -> bool:
    """A whole sentence, whose verb the parser took for a noun."""
    return words[-1].text == "." and len(words) > _HEADING


def _is_imperative(words: Sequence[Word]) -> bool:
    """ "Note that ..", "Please visit ..": the main verb in its plain form, without subject, "will" or "to"."""
    root = next(word for word in words if word.head is None)
    return root.tag == "VB" and not root.all("nsubj", "nsubjpass", "csubj", "expl", "aux", "auxpass")
