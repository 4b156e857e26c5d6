"""Nobody is accused by a pronoun that may mean somebody else.

"President Ford awarded him a medal. He died in Tucson.": of Jesse Owens the KG says so, so he is meant and not Ford.
Where the KG does not know it of another whom the text is about, too, or does not know somebody whom the text names, the
claim stays open.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from kgstore.verifier.claims import Claim, Label, Mention, Passage, Verdict
from kgstore.verifier.decide.tier import Tier
from kgstore.verifier.english.words import either, given_names, words
from kgstore.verifier.link.antecedents import CERTAIN, SURE
from kgstore.verifier.link.beings import Beings
from kgstore.verifier.link.centre import centre, foremost
from kgstore.verifier.link.coreference import NEUTRAL, PERSONAL, is_called
from kgstore.verifier.read.utter import OF_TWO
from kgstore.verifier.reader.assertions import METHOD as READER
from kgstore.verifier.reader.quoted import gap, overlaps, same_thing
from kgstore.verifier.reader.strangers import is_somebody, joined

_BEFORE_PLACES = re.compile(rf"\b(?:{either('prepositions.beside_dates')}|[Tt]he|an?) $", re.IGNORECASE)
_WHOSE = f"{either('beings.related')}|{either('beings.staff')}|{either('beings.introduced')}"
_RELATED = re.compile(rf"\b(?:{_WHOSE}),? $", re.IGNORECASE)
_NOUN = re.compile(r"\b([a-z]+),? $")
ENOUGH = 0.6
"""P(meant) from which "it" accuses what the text is not about; with less it was something else nearly every second
time, but for what had no rival (`kgstore.verifier.link.antecedents.ALONE`), which is taken with less than the others.
"""
MOST = 4
"""Others who may be meant; the latest that the text named before."""


def spare_pronouns(
    text: str,
    verdicts: Sequence[Verdict],
    passages: Sequence[Passage],
    decide: Callable[[Claim], Verdict],
    beings: Beings,
    mentions: Callable[[], Sequence[Mention]] = tuple,
) -> list[Verdict]:
    """The verdicts of one text, each contradiction of a pronoun's claim in the light of who else it may mean, of those
    named in its paragraph, or in the text where there are none.

    :param decide: the verdict on a claim
    :param mentions: gives what the text names, known to the KG or not
    """
    if not any(map(_is_by_pronoun, verdicts)):
        return [_unless_anothers(text, one, verdicts, _named(passages)) for one in verdicts]
    told = mentions()
    somebody = (one for one in told if is_somebody(text, one))
    unknown = [one for one in somebody if not _BEFORE_PLACES.search(text, max(0, one.start - 12), one.start)]
    named, about = _named(passages), centre(beings.store, told) or foremost(told)
    heads = [one.claim.head for one in verdicts if one.claim.head.candidates]
    spared = []
    for one in verdicts:
        if not _is_by_pronoun(one):
            spared.append(one)
            continue
        if _is_unsure(one.claim.head, about, beings):
            spared.append(_of_centre(one, about, decide))
            continue
        begin = text.rfind("\n\n", 0, one.claim.head.start) + 1
        near = [place for place in named if begin <= place.start < one.claim.head.start] or named
        strangers = _strangers(one.claim.head, unknown, heads, min((place.start for place in near), default=begin))
        spared.append(_spared(text, one, near, heads, strangers, decide, beings))
    return [_unless_anothers(text, one, spared, named) for one in spared]


def _is_unsure(head: Mention, about: Mention | None, beings: Beings) -> bool:
    """Is hardly sure what "it" means, or whose a noun is that names a relation ("The population is 1,200"), and is that
    not what the text is about?"""
    called = head.text.lower()
    if about is not None and same_thing(about, head) or called in PERSONAL:
        return False
    if called in NEUTRAL:
        return SURE["it"] <= head.meant < ENOUGH
    return head.text.islower() and not is_called(called, beings.kinds(head))


def _of_centre(verdict: Verdict, about: Mention | None, decide: Callable[[Claim], Verdict]) -> Verdict:
    """The verdict, if the same is right of what the text is about; else open."""
    claim = verdict.claim
    other = decide(replace(claim, head=_meaning(claim.head, about))) if about is not None else verdict
    if other.label is Label.ATTRIBUTABLE:
        return other
    return verdict.opened(Tier.AMBIGUOUS, f"what “{claim.head.text}” means is hardly sure; {verdict.reason}")


def _meaning(head: Mention, other: Mention) -> Mention:
    """A pronoun as a mention of another one."""
    return replace(head, candidates=other.candidates, refers_to=(other.start, other.end), means=other.name)


def _strangers(
    pronoun: Mention, unknown: Sequence[Mention], heads: Sequence[Mention], begin: int
) -> list[Mention]:
    """The unknown whom a pronoun may mean: those named behind who is taken for meant, or since ``begin`` where the text
    said nothing of that one before."""
    told = any(one.candidates[0] == pronoun.candidates[0] for one in heads if one.end <= pronoun.start)
    since = pronoun.refers_to[0] if told and pronoun.refers_to is not None else begin
    return [one for one in unknown if since <= one.start < pronoun.start]


def _named(passages: Sequence[Passage]) -> list[Mention]:
    return [place for passage in passages for place in passage.places if place.refers_to is None]


def _unless_anothers(
    text: str, verdict: Verdict, verdicts: Sequence[Verdict], named: Sequence[Mention]
) -> Verdict:
    """The verdict; open where its sentence has the right value already, and then another name: "Haydn was born in 1732,
    Beethoven in 1770". And where a name is right about a nearer one: "*A* led to *B*, directed by Ann Smith"."""
    if verdict.label is not Label.CONTRADICTORY or verdict.relation is None:
        return verdict
    claim = verdict.claim
    right = [one for one in verdicts if one.label is Label.ATTRIBUTABLE and one.relation == verdict.relation]
    others = [one.claim.head for one in right if one.head != verdict.head and overlaps(one.claim.tail, claim.tail)]
    for other in others if claim.tail.value is None else ():
        nearer = gap(other, claim.tail) < gap(claim.head, claim.tail)
        if nearer and not joined(text, other, claim.head):
            why = f"{claim.tail.text} is right about {other.name}"
            return verdict.opened(Tier.AMBIGUOUS, f"{why}; {verdict.reason}")
    tails = [one.claim.tail for one in right if one.head == verdict.head]
    said = [one.end for one in tails if claim.start <= one.start < claim.tail.start]
    for one in named:
        if said and max(said) <= one.start and one.end <= claim.tail.start and one.candidates[:1] != (verdict.head,):
            return verdict.opened(Tier.AMBIGUOUS, f"{claim.tail.text} may be said of {one.text}; {verdict.reason}")
    return verdict


def _is_introduced(text: str, one: Mention, gender: str) -> bool:
    """Has somebody unknown a given name of this gender, or does the text say whose he is: "a pupil named Zelenski"?"""
    given = any(given_names().get(name) == gender for name in one.text.lower().split()[:2])
    return given or _RELATED.search(text, max(0, one.start - 30), one.start) is not None


def _gender(text: str, one: Mention) -> str:
    """``male`` or ``female``, by the noun before a name ("his sister Penny") or by a given name; "" if neither tells.

    >>> text = "He knew Elsa, his brother Kim and Zed."
    >>> [_gender(text, Mention(start, start + 3, text[start : start + 3])) for start in (26, 34)]
    ['male', '']
    """
    noun = _NOUN.search(text, max(0, one.start - 30), one.start)
    for gender in ("male", "female"):
        if noun is not None and noun[1] in words(f"beings.{gender}"):
            return gender
    return given_names().get(one.text.lower().split()[0], "")


def _is_by_pronoun(verdict: Verdict) -> bool:
    head = verdict.claim.head
    clear = OF_TWO.keys() & set(head.text.lower().split())  # "the former" is nobody else
    return verdict.label is Label.CONTRADICTORY and head.refers_to is not None and bool(head.candidates) and not clear


def _spared(
    text: str,
    verdict: Verdict,
    named: Sequence[Mention],
    heads: Sequence[Mention],
    strangers: Sequence[Mention],
    decide: Callable[[Claim], Verdict],
    beings: Beings,
) -> Verdict:
    """:param heads: whom the text says something of; of what "it" or "the actor" means it seldom leaves a doubt"""
    pronoun = verdict.claim.head
    personal = pronoun.text.lower() in PERSONAL
    sure = personal and pronoun.meant >= CERTAIN
    about = {one.candidates[0].iri for one in heads if personal and one.end <= pronoun.start}
    found = []
    for other in _others(pronoun, named, beings):
        found.append(decide(replace(verdict.claim, head=_meaning(pronoun, other))))
    for one in found:
        if one.label is Label.ATTRIBUTABLE:
            read = verdict.method.startswith(READER)  # what the reader found said stays the reader's
            method = one.method.replace("rule:", f"{READER}:", 1) if read else one.method
            return replace(one, method=method, scores=verdict.scores)
    for one in found:
        meant = one.claim.head.candidates[0]
        if one.label is Label.EXTRAPOLATORY and meant.iri in about and not sure:
            return verdict.opened(Tier.AMBIGUOUS, f"{pronoun.text} may mean {meant.label}, too; {verdict.reason}")
    gender = PERSONAL.get(pronoun.text.lower(), "")
    strangers = [one for one in strangers if _gender(text, one) in (gender, "")]
    if sure:
        strangers = [one for one in strangers if _is_introduced(text, one, gender)]
    if personal and strangers:
        return verdict.opened(Tier.AMBIGUOUS, f"{pronoun.text} may mean {strangers[-1].text}; {verdict.reason}")
    return verdict


def _others(head: Mention, named: Sequence[Mention], beings: Beings) -> Iterator[Mention]:
    """The names before a pronoun, or a definite noun, that it may as well stand for, the latest first."""
    seen, gender = {head.candidates[0].iri}, PERSONAL.get(head.text.lower(), "")
    person = beings.is_person(head)
    before = [one for one in named if one.end <= head.start and one.candidates and not one.is_common]
    for one in reversed(before):
        fits = beings.is_person(one) == person and (not gender or beings.gender(one) in (gender, ""))
        if one.candidates[0].iri not in seen and fits:
            seen.add(one.candidates[0].iri)
            yield one
        if len(seen) > MOST:
            return
