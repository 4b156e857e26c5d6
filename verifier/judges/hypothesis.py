"""A claim as a sentence that stands by itself, for a judge that does not see the text around it."""

from __future__ import annotations

import re
from collections.abc import Iterable

from kgstore.verbalise import verbalise
from kgstore.verifier.claims import Claim, Mention
from kgstore.verifier.english.wording import nouns
from kgstore.verifier.english.words import either, words

_LONGEST = 240
"""Characters of a claim's own words; a longer one is put together from its parts."""
_OWNERS = words("pronouns.owners")
_IS = words("verbs.is")
_ARTICLE = re.compile(r"\b(?:the|this|that|these|those)\s+$", re.IGNORECASE)
_NOUN = re.compile(rf"\s+(?!{either('pronouns.behind_object')}\b)[a-z]")
"""What follows "her" in "her father", and not in "admired her in London"."""


def hypothesis(text: str, claim: Claim, head: str, tail: str | None, others: Iterable[Claim] = ()) -> str:
    """The claim's own words with names in place of pronouns; its parts where the words say more than it.

    :param head: name of the head; ``tail`` likewise, None where it is no entity
    :param others: the claims of the text; one that lies within the claim's words would be judged along with it
    """
    tail = tail if tail is not None and claim.tail.refers_to is not None else claim.tail.text
    start = min(claim.start, claim.head.start, claim.tail.start)
    end = max(claim.end, claim.head.end, claim.tail.end)
    alone = claim.bridge or not any(_within(one, claim, start, end) for one in others)
    if end - start <= _LONGEST and alone:
        named = [(claim.head, _shown(claim.head, head)), (claim.tail, tail)]
        return _sentence(_replaced(text, start, end, named))
    for hop in claim.bridge:
        head = f"{head}'s {hop.relation}"
    if claim.relation in _IS:
        return _sentence(verbalise(head, "is a", tail))
    if claim.relation in nouns():
        return _sentence(verbalise(head, claim.relation, tail))
    return _sentence(f"{head} {claim.relation} {tail}")


def _within(other: Claim, claim: Claim, start: int, end: int) -> bool:
    """Do the words say the other claim, too?"""
    inside = start <= other.tail.start and other.tail.end <= end
    return inside and other != claim and (other.tail.start, other.tail.end) != (claim.tail.start, claim.tail.end)


def _shown(mention: Mention, name: str) -> str:
    """The name for a pronoun, a description, and a part of it or another name; a common noun stays as it is."""
    return name if mention.refers_to is not None or mention.text[:1].isupper() else mention.text


def _replaced(text: str, start: int, end: int, named: list[tuple[Mention, str]]) -> str:
    words = text[start:end]
    for mention, name in sorted(named, key=lambda one: (-one[0].start, -one[0].end)):
        before, after = words[: mention.start - start], words[mention.end - start :]
        word = mention.text.lower()
        if word in _OWNERS and (word != "her" or _NOUN.match(after)):
            name += "'" if name.endswith("s") else "'s"
        if mention.is_implied:
            name += ": "
        elif mention.refers_to is not None:
            before = _ARTICLE.sub("", before)
        words = f"{before}{name}{after.removeprefix('.') if name.endswith('.') else after}"
    return words


def _sentence(words: str) -> str:
    words = " ".join(words.split()).rstrip(",;:")
    words = words[:1].upper() + words[1:]
    return words if words.endswith((".", "!", "?")) else f"{words}."
