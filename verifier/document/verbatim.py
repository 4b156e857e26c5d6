"""What a sentence says word for word needs no judge, and what it quotes must stand in the document."""

from __future__ import annotations

import re

from kgstore.verifier.english.wording import stem
from kgstore.verifier.english.words import words as listed

_WORD = re.compile(r"[^\W_]+")
_QUOTED = re.compile(r'["“]([^"“”]+)["”]')
_DENYING = listed("negation.adverbs") | listed("negation.determiner") | listed("negation.verbs")
_UNSURE = _DENYING | listed("hedging.taken_back")
"""Words before a stretch that may take back what it says; "t" is what is left of "didn't"."""
_SMALL = listed("written.small")
_CITED = re.compile(r"\s*\[\d{1,3}(?:\s*[,;–-]\s*\d{1,3})*\]")


def words(text: str) -> list[str]:
    """The words and numbers of a text in small letters."""
    return [found[0].lower() for found in _WORD.finditer(text)]


def telling(text: str) -> list[str]:
    """The words that say something, as crude stems, in reading order.

    >>> telling("He influenced the stars of 1931.")
    ['influenc', 'star', '1931']
    """
    return [stem(word) for word in words(text) if word not in _SMALL]


def uncited(text: str) -> str:
    """Without the numbers of its sources.

    >>> uncited("Ann left [1], Bob stayed [2, 3][5]."), uncited("Ann [sic] left in [1931].")
    ('Ann left, Bob stayed.', 'Ann [sic] left in [1931].')
    """
    return _CITED.sub("", text).strip()


def says(sentence: str, claim: str) -> bool:
    """Does the sentence hold the claim's words in a row, with nothing before them that may take it back?

    >>> says("On Monday Ann Smith left Oslo , police said .", "Ann Smith left Oslo.")
    True
    >>> says("Bob denied that Ann Smith left Oslo.", "Ann Smith left Oslo."), says("Ann left.", "Ann left Oslo.")
    (False, False)
    """
    known, asked = words(sentence), words(claim)
    if not asked:
        return False
    for at in range(len(known) - len(asked) + 1):
        if known[at : at + len(asked)] == asked:
            return not _UNSURE & set(known[:at])
    return False


def misquoted(sentence: str, document: str) -> list[str]:
    """What stands in quotation marks and not in the document.

    >>> misquoted('Ann spoke of "a great loss", Bob of "a  Great joy."', "Ann: It is a great joy!")
    ['a great loss']
    """
    known = f" {' '.join(words(document))} "
    quoted = [found[1] for found in _QUOTED.finditer(sentence)]
    return [one for one in quoted if words(one) and f" {' '.join(words(one))} " not in known]
