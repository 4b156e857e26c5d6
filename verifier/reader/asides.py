"""What a sentence says beside what it tells is no claim: what is said of a pronoun that stands for nothing, what the
grammar read and the reader does not find said, a remark that no graph has a property for ("keeps quite a few desks
busy"), and a part of the words of what is decided ("a writer by *occupation*").

Where nothing else in the sentence is decided it stays, open, so that no sentence is passed over in silence.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from kgstore.verifier.claims import Claim, Label, Passage, Verdict
from kgstore.verifier.decide.tier import Tier
from kgstore.verifier.english.wording import normal
from kgstore.verifier.english.words import words
from kgstore.verifier.kg.align import Aligner
from kgstore.verifier.reader.assertions import METHOD, NAMED, span
from kgstore.verifier.reader.joining import is_one
from kgstore.verifier.reader.quoted import overlaps

_ANYBODY = words("pronouns.subjects")
_AT_LARGE = words("pronouns.at_large")
_UNKNOWN = frozenset((Tier.OPEN, Tier.NO_PROPERTY, Tier.NOT_LINKED))


def without_asides(verdicts: Sequence[Verdict], passages: Iterable[Passage], aligner: Aligner) -> list[Verdict]:
    """The verdicts of one text, less those on what is only said beside something that is decided.

    :param passages: its sentences
    """
    decided = [one for one in verdicts if one.label is not Label.EXTRAPOLATORY]
    aside: set[int] = set()
    for passage in passages:
        told = [one for one in decided if _within(one, passage)]
        if told:
            inside = (at for at, one in enumerate(verdicts) if _within(one, passage))
            aside.update(at for at in inside if _is_aside(verdicts[at], told, aligner))
    return [one for at, one in enumerate(verdicts) if at not in aside]


def _is_aside(verdict: Verdict, told: Sequence[Verdict], aligner: Aligner) -> bool:
    claim, head = verdict.claim, verdict.claim.head
    if verdict.label is not Label.EXTRAPOLATORY:
        return False
    unnamed = not head.candidates and head.refers_to is None
    if unnamed and not _ANYBODY.isdisjoint((head.text, head.text.lower())):
        return True
    if claim.negated or claim.hedged:
        return False
    claims = [one.claim for one in told]
    if verdict.method == METHOD:  # it found this not said
        ends = {span(claim.head), span(claim.tail)}
        return any({span(one.head), span(one.tail)} == ends for one in claims)
    if _names_relation(claim, told, aligner):
        return True
    return verdict.method in _UNKNOWN and (_is_remark(verdict, aligner) or _is_anybodys(claim, claims))


def _names_relation(claim: Claim, told: Sequence[Verdict], aligner: Aligner) -> bool:
    """Is one end the name of a relation that is decided of the other ("Peru and Nepal have diplomatic relations")?"""
    if claim.bridge or claim.measure is not None:
        return False
    for noun, other in ((claim.head, claim.tail), (claim.tail, claim.head)):
        if noun.value is None and noun.refers_to is None and noun.text[1:].islower():
            beside = [one for one in told if any(is_one(other, end) for end in (one.claim.head, one.claim.tail))]
            items = (aligner.properties.get(one.relation or "") for one in beside)
            names = (name for item in items if item is not None for name in (item.label, *item.aliases))
            if normal(noun.text) in map(normal, names):
                return True
    return False


def _is_anybodys(claim: Claim, told: Sequence[Claim]) -> bool:
    """Does it say of people at large what the sentence tells of a name ("in Poland people pay with the złoty")?"""
    if claim.head.text.lower() not in _AT_LARGE or claim.bridge or claim.measure is not None:
        return False
    return any(overlaps(claim.tail, end) for one in told for end in (one.head, one.tail))


def _is_remark(verdict: Verdict, aligner: Aligner) -> bool:
    """Has it a common noun for its value, and words that name no property?"""
    claim = verdict.claim
    if claim.tail.value is not None or not claim.tail.text.islower() or claim.bridge or claim.measure is not None:
        return False
    return verdict.relation is None or aligner.likeness(claim.relation, verdict.relation) < NAMED


def _within(verdict: Verdict, passage: Passage) -> bool:
    return passage.start <= verdict.claim.start < passage.end
