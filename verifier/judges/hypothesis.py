"""A claim as a sentence that stands by itself, for a judge that does not see the text around it."""

from __future__ import annotations

import re
from collections.abc import Iterable

from kgstore.verbalise import verbalise
from verifier.claims import Claim

_LONGEST = 240
"""Characters of a claim's own words; a longer one is put together from its parts."""
_OWNERS = frozenset("his her its their whose".split())
_IS = frozenset("is was are were".split())
_ARTICLE = re.compile(r"\b(?:the|this|that|these|those)\s+$", re.IGNORECASE)
_NOUN = re.compile(r"\s+(?!(?:as|at|by|for|from|in|into|of|on|to|with|and|or|is|was|has|had|when|while)\b)[a-z]")
"""What follows "her" in "her father", and not in "admired her in London"."""


def hypothesis(text: str, claim: Claim, name: str, others: Iterable[Claim] = ()) -> str:
    """The claim's own words with the head's name in place of a pronoun; its parts where the words say more than it.

    :param name: of the head
    :param others: the claims of the text; one that lies within the claim's words would be judged along with it
    """
    whole = claim.start <= claim.tail.start and claim.tail.end <= claim.end and claim.end - claim.start <= _LONGEST
    headed = claim.start <= claim.head.start and claim.head.end <= claim.end
    if whole and (claim.bridge or claim.when or (headed and not any(_within(one, claim) for one in others))):
        return _sentence(_named(text, claim, name))
    for hop in claim.bridge:
        name = f"{name}'s {hop.relation}"
    between = text[min(claim.head.end, claim.tail.end):max(claim.head.start, claim.tail.start)]
    tail = claim.tail.text
    in_order = claim.head.start < claim.tail.start and f" {claim.relation} " in f" {between} "
    if in_order and claim.head.text.lower() not in _OWNERS:
        return _sentence(f"{name} {claim.relation} {tail}")
    return _sentence(verbalise(name, "is a" if claim.relation in _IS else claim.relation, tail))


def _within(other: Claim, claim: Claim) -> bool:
    """Do the claim's words say the other claim, too?"""
    inside = claim.start <= other.tail.start and other.tail.end <= claim.end
    return inside and other != claim and (other.tail.start, other.tail.end) != (claim.tail.start, claim.tail.end)


def _named(text: str, claim: Claim, name: str) -> str:
    head = claim.head
    if not (claim.start <= head.start and head.end <= claim.end):
        return f"{name}: {text[claim.start:claim.end]}"
    before, after = text[claim.start:head.start], text[head.end:claim.end]
    word = head.text.lower()
    if word in _OWNERS and (word != "her" or _NOUN.match(after)):
        name += "'" if name.endswith("s") else "'s"
    if head.refers_to is not None:
        before = _ARTICLE.sub("", before)
    return f"{before}{name}{after.removeprefix('.') if name.endswith('.') else after}"


def _sentence(words: str) -> str:
    words = " ".join(words.split()).rstrip(",;:")
    words = words[:1].upper() + words[1:]
    return words if words.endswith((".", "!", "?")) else f"{words}."
