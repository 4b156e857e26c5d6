"""What a claim's sentence says besides head, relation and tail: when it holds, how far, how nearly.

Everything that a decision needs to know of the words is read here, once; `kgstore.verifier.decide` sees no text.
"""

from __future__ import annotations

import re
from dataclasses import replace

from kgstore.verifier.claims import Claim, Mention, Said
from kgstore.verifier.english.wording import LIGHT, normal
from kgstore.verifier.english.words import either, words
from kgstore.verifier.values import DateValue
from kgstore.verifier.values.units import singular

_VERB = re.compile(
    rf"\b(?:(?P<present>{either('said.present')})|{either('said.past')})\b", re.IGNORECASE
)
_NOW = re.compile(rf"\b{either('said.now')}\b", re.IGNORECASE)
_ONCE = re.compile(rf"\b{either('said.once')}\b|\d{{4}}", re.IGNORECASE)
_FORMER = re.compile(rf"\b{either('said.former')}\b", re.IGNORECASE)
_STARTS = re.compile(rf"\b{either('said.starts')}\b", re.IGNORECASE)
_ENDS = re.compile(rf"\b{either('said.ends')}\b", re.IGNORECASE)
_FOR_A_TIME = re.compile(rf"\b{either('said.for_a_time')}\b", re.IGNORECASE)
_BOUND = re.compile(r"(?:^| )(by|before|after)$")
_NEAR = re.compile(rf"\b{either('said.near')}\s+(?:by|before|after)\s+(?:the\s+)?(?:year\s+)?$")
_SEASON = re.compile(rf"\b(?:in|on) (?:(?:early|late|the) )*{either('said.seasons')} of$")
_COMPARED = re.compile(rf"\b(?:the|an?) {either('said.compared')}\s+$", re.IGNORECASE)
_MOST = re.compile(rf"\b{either('said.most')}\b")
_KIND_AND_PLACE = re.compile(
    r"^(?:is|are|was|were|be|been|became|remains|remained) (.+?)"
    r" (?:(?:located|situated|lying) )?(?:in|at|on|near|within)$"
)
_ARTICLE = re.compile(
    r"(?:\b(?:is|are|was|were|be|been|became|remain(?:s|ed))\b|,).*?\b(?:an?|the|one)\b(.*)", re.DOTALL
)
_DONE = words("verbs.done")
"""In "a film shot in B" the last word is no kind."""
_DIED = re.compile(rf"\b{either('said.died')}\b")
_AGAIN = re.compile(rf"\b{either('said.again')}\b")
_AT_AGE = re.compile(
    r"\b(?:(?:at|to) (?:the )?age(?: of)?|aged|lived to(?: be)?)\s+(?:about|around|only|just)?\s*$", re.IGNORECASE
)
_AND_A_HALF = re.compile(r"\s+(?:hours?\s+)?and\s+(?:a|one|three)\s+(?:half|quarters?)\b")
"""What a number may go on with that is not read as a part of it."""
_ARTICLE_BEFORE = re.compile(r"\b(?:an?|the)(?: (?!year\b)\w+)?\s+$", re.IGNORECASE)
_NOUN_BEHIND = re.compile(r"[ -][\w\"“(]")
_BEFORE = re.compile(r"(?:^|\s)([A-Z0-9][\w.'’-]*)\s+$")
_AFTER = re.compile(r"\s+[A-Z][\w'’-]")
_REACH = 60
"""Characters before a name in which another part of it may stand."""


def with_said(text: str, claim: Claim) -> Claim:
    """The claim with what its words in the text say besides.

    >>> text = "The Elbe was still a river in Germany in 1990."
    >>> head, tail = Mention(4, 8, "Elbe"), Mention(30, 37, "Germany")
    >>> said = with_said(text, Claim(0, 45, text[:45], head, "was river in", tail)).said
    >>> said.kind, said.present, said.past
    ('river', False, True)
    """
    words = text[claim.start : claim.end]
    before = words[: max(claim.tail.start - claim.start, 0)]
    behind = words[max(min(claim.head.end, claim.tail.end) - claim.start, 0) :]
    verbal, relation = _verbal(words, claim), claim.relation
    tense, former = _last_verb(verbal), bool(_FORMER.search(verbal))
    once = former or bool(_ONCE.search(verbal))
    bound = bound_of(relation, claim.tail.value)
    season = _SEASON.search(relation) if isinstance(claim.tail.value, DateValue) else None
    most = _MOST.search(relation)
    said = Said(
        present=(tense == "present" or bool(_NOW.search(verbal))) and not once,
        past=tense == "past" or once,
        former=former,
        end=_end_named(f"{relation} {behind}"),
        for_a_time=bool(_FOR_A_TIME.search(re.sub(rf"\b{bound}\b", "", behind, count=1) if bound else behind)),
        bound=bound,
        near=bool(_NEAR.search(before)),
        season=season[0] if season else "",
        kind=_kind(words, relation),
        most=most[0] if most else "",
        compared=bool(_COMPARED.search(before)),
        at_age=bool(_DIED.search(relation.lower())) and bool(_AT_AGE.search(before)),
        again=isinstance(claim.tail.value, DateValue) and _is_again(text, claim),
        goes_on=bool(_AND_A_HALF.match(words, max(claim.tail.end - claim.start, 0))),
        whole=_whole(text, claim.head) and _whole(text, claim.tail),
        sorts=_sorts(text, claim.tail),
        unread=_unread(words, claim),
    )
    return replace(claim, bridge=_definite(words, claim), said=said)


def _is_again(text: str, claim: Claim) -> bool:
    """Does a verb between the two, or behind them where the date comes first, tell of a second time?"""
    stop = claim.end + (_REACH if claim.tail.end <= claim.head.start else 0)
    found = (one.start() for one in _AGAIN.finditer(text, claim.start, min(stop, len(text))))
    return any(not claim.head.start <= at < claim.head.end for at in found)


def _sorts(text: str, tail: Mention) -> bool:
    """ "is a 1996 film": is the tail a year between an article and a noun?"""
    if not isinstance(tail.value, DateValue) or not tail.text.isdigit():
        return False
    article = _ARTICLE_BEFORE.search(text, max(0, tail.start - _REACH), tail.start)
    return article is not None and _NOUN_BEHIND.match(text, tail.end) is not None


def bound_of(relation: str, value: object) -> str:
    """ "by", "before" or "after" where the relation makes the date a bound, else "".

    >>> bound_of("was founded before", DateValue(1900)), bound_of("was founded in", DateValue(1900))
    ('before', '')
    """
    match = _BOUND.search(relation)
    return match[1] if match and isinstance(value, DateValue) and value.certain else ""


def _last_verb(words: str) -> str:
    """The tense of the verb nearest to the tail: "born in the country whose capital is Cairo" is of today."""
    last = next(iter(reversed(list(_VERB.finditer(words)))), None)
    return "" if last is None else "present" if last["present"] else "past"


def _verbal(words: str, claim: Claim) -> str:
    """The relation and the words between the two names, without the names: "The Who" has no tense."""
    if _VERB.search(claim.relation):
        return claim.relation
    first, second = sorted((claim.head, claim.tail), key=lambda one: one.start)
    if claim.head.start == claim.tail.start or first.end > second.start:
        return claim.relation
    between = words[max(first.end - claim.start, 0) : max(second.start - claim.start, 0)]
    return f"{claim.relation} {between}"


def _end_named(words: str) -> str:
    """Is a date that of the beginning ("joined in 1971", "since 1971") or of the end ("left in 1974")?"""
    return "end" if _ENDS.search(words) else "start" if _STARTS.search(words) else ""


def _kind(words: str, relation: str) -> str:
    """The kind in "is a river in"; nothing where one thing has no article, as in "was read in"."""
    said = _KIND_AND_PLACE.match(relation.lower())
    if said is None or said[1].split()[-1] in _DONE:
        return ""
    after = _ARTICLE.search(words.lower())
    one = after is not None and said[1].split()[-1] in after[1]
    return said[1] if one or singular(said[1]) != said[1] else ""


def _definite(words: str, claim: Claim) -> tuple:
    """The steps; "A's employer" is as definite as "the employer of A"."""
    if claim.bridge and re.search(rf"{re.escape(claim.head.text)}(?:['’]s?)\s", words) is not None:
        return (replace(claim.bridge[0], definite=True), *claim.bridge[1:])
    return claim.bridge


def _whole(text: str, mention: Mention) -> bool:
    """Is the mention no part of a longer name ("103rd United States Congress"), which may be another thing's?"""
    if mention.value is not None or mention.refers_to is not None:
        return True
    before = _BEFORE.search(text, max(0, mention.start - _REACH), mention.start)
    after = _AFTER.match(text, mention.end)
    opens = before is not None and before[1].isalpha() and (not before.start() or text[before.start() - 1] in ".!?\n")
    return (before is None or opens) and after is None


def _unread(words: str, claim: Claim) -> float:
    """The share of the claim's words that are in none of its parts, 0 to 1."""
    hops = (part for hop in claim.bridge for part in (hop.relation, hop.noun))
    parts = " ".join((claim.head.text, claim.relation, claim.tail.text, *hops))
    said = frozenset(normal(words)) - LIGHT
    return len(said - frozenset(normal(parts))) / max(1, len(said))
