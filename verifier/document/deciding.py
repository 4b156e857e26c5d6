"""The label of a claim by what the judge said of it. Accusing takes more than the judge's word.

The judge is small, and reads "scored twice" against "was substituted" as a contradiction as readily as against "scored
once". So a claim is contradictory only if it has a name or a number that is nowhere in the document, the sentence that
denies it has another one there, and no stretch of the document speaks for the claim.
"""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np

from kgstore.verifier.claims import Claim, Verdict
from kgstore.verifier.document.entailment import Entailed
from kgstore.verifier.document.source import Document
from kgstore.verifier.document.verdicts import SUPPORTED, denied, left_open, nearest_numbers, supported
from kgstore.verifier.english.words import either
from kgstore.verifier.judges.labels import ENTAILS
from kgstore.verifier.llm.faithful import lost, strange

DENIED = 0.9
"""P(contradicts) by one sentence from which a claim may be contradictory."""
SPOKEN_FOR = 0.1
"""P(entails) by any premise from which it may not."""
_STEM = 5
"""Letters that two words share from the first one on, if the one is made of the other."""
_WORD = re.compile(r"[^\W\d_]+")
_FROM_THEN = re.compile(rf"\b{either('said.from_then')}\b", re.IGNORECASE)
ALIKE = 0.6
"""Cosine of the claim and that sentence from which the two can be about the same thing."""


def decided(
    claim: Claim,
    entailed: Entailed,
    likeness: np.ndarray,
    document: Document,
    method: str,
    supports: float | None = None,
) -> Verdict:
    """
    :param likeness: of the claim and each sentence of the document, ``(sentences,)``
    :param supports: P(attributable), where more than the judge was asked
    """
    if (why := difference(claim, entailed, likeness, document)) is not None:
        return denied(claim, entailed, document, method, why)
    near = nearest_numbers(likeness)
    if entailed.premise and (entailed.nli[ENTAILS] if supports is None else supports) >= SUPPORTED:
        if entailed.nli[ENTAILS] < SUPPORTED or len(entailed.premise) > 1:  # it is not told which sentence supports it
            entailed = replace(entailed, premise=(near[0],))
        return supported(claim, entailed, document, method, supports)
    return left_open(claim, entailed, document, method, near, supports)


def difference(claim: Claim, entailed: Entailed, likeness: np.ndarray, document: Document) -> str | None:
    """What the claim and the sentence that denies it differ in, in words; None where the claim stays open."""
    if entailed.denying < 0 or entailed.denial < DENIED or entailed.nli[ENTAILS] >= SPOKEN_FOR or claim.hedged:
        return None
    if likeness[entailed.denying] < ALIKE:
        return None
    sentence = document.sentences[entailed.denying]
    said, known = strange(claim.text, [document.text]), lost(claim.text, sentence)
    said = [one for one in said if not (one.isalpha() and one.isupper())]  # "TV" may be written out there
    said = [one for one in said if not any(_of_one_stem(one, word) for word in _WORD.findall(sentence))]
    for numbers in (True, False):
        if numbers and _FROM_THEN.search(sentence):
            continue  # "this year" may be the year that the claim names
        ours, theirs = ([one for one in found if one[0].isdigit() == numbers] for found in (said, known))
        if not any(_ordinal(one, claim.text) for one in ours):
            theirs = [one for one in theirs if not _ordinal(one, sentence)]  # "the 169th derby" is no score
        if ours and theirs:
            return f"({', '.join(ours)} in the text, {', '.join(theirs)} in the document)."
    return None


def _of_one_stem(one: str, other: str) -> bool:
    """ "Jordanians" and "Jordan", "Presidents" and "President's": the one is made of the other."""
    short, long = sorted((one.casefold(), other.casefold()), key=len)
    return len(short) >= _STEM and long.startswith(short)


def _ordinal(number: str, text: str) -> bool:
    return re.search(rf"\b{re.escape(number)}(?:st|nd|rd|th)\b", text) is not None
