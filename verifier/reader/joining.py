"""One list of verdicts, of what the grammar claims and of what the relation reader asserts.

The reader comes in where the grammar found nothing between two places, or nothing that it could decide; and nobody is
accused on less than is sure.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from kgstore.verifier.claims import Claim, Label, Mention, Verdict
from kgstore.verifier.decide.outcome import tier
from kgstore.verifier.decide.tier import Tier
from kgstore.verifier.english.words import either, words
from kgstore.verifier.kg.knowledge import Knowledge
from kgstore.verifier.reader.assertions import ACCUSED, METHOD, STRANGE, SURELY, TOGETHER, Assertion, ends
from kgstore.verifier.reader.quoted import overlaps
from kgstore.verifier.reader.saying import is_of_label, names

DATED = 0.85
"""P(asserted) from which another date or amount of the KG contradicts what words name."""
AROUND = 0.9
"""The same for another country or continent than the one in which the KG's value lies: that takes a step more."""
CERTAIN = 0.99
"""Where no words name the relation an accusation by a date or an amount needs P(asserted) from this on, another one
from `SURELY`. Of what true sentences name a graph of the world has other values everywhere, and the reader is half sure
of some (docs/reading.md)."""
ALONE, ALONE_DATED = 0.9, 0.93
"""The same where the sentence names nothing else: of what else should it say so? Verbs that the reader hardly knows
("Hayabusa lifted off on 9 May 1986") it may take for the end of a thing, by 0.95."""
_FORMER = re.compile(rf"\b{either('hedging.former')}\b", re.IGNORECASE)
_BESIDE = frozenset(("reader", *(f"rule:{name}" for name in "time-open superlative count multi-hop".split())))
"""Why the grammar leaves a claim open that says more than what is surely read: when it was, which of how many."""
_VERBAL = re.compile(rf"\b{either('verbs.auxiliaries')}\b|\b{either('prepositions.going_on')}$", re.IGNORECASE)
"""A step with these goes on to what the text names; that of a noun ("friend") to somebody unnamed."""
_SOMEBODY = re.compile(rf"\b(?:{either('beings.related')}s?|{either('beings.unnamed')})\b", re.IGNORECASE)
_PRONOUNS = words("pronouns.standing_alone")
_OPEN = frozenset(f"rule:{name}" for name in "open no-property several-values ambiguous not-linked".split())
"""What the grammar says where it did not understand; any other method knows more."""


def joined(
    verdicts: Sequence[Verdict],
    made: Sequence[Assertion],
    decide: Callable[[Claim], Verdict],
    know: Knowledge,
) -> list[Verdict]:
    """The grammar's verdicts and what the reader adds to them, in reading order; no two places twice, unless by two
    relations that are both surely read, or where the grammar's claim says more and is left open.

    What the grammar decided of two places stays. A contradiction goes where the reader finds support.
    """
    replaced: set[int] = set()
    added: list[Verdict] = []
    for one in sorted(made, key=lambda each: -each.sure):
        verdict = decide(one.claim) if one.is_best else None
        if verdict is None or verdict.label is Label.EXTRAPOLATORY:
            continue
        accused = verdict.label is Label.CONTRADICTORY
        others = [other for other in verdicts if not (accused and _wonders(other, verdict))]
        others = [other for other in others if not (_astray(other, one.sure, accused) or _steps(other, one, know))]
        if any((_whole if accused else _skips)(other, one.claim) for other in others):
            continue
        same = [at for at, other in enumerate(verdicts) if _same(other.claim, one.claim)]
        inferred = _is_inferred(verdict, know)
        told = (verdicts[at] for at in same if not _steps(verdicts[at], one, know))
        if any(_stands(other, verdict, one.sure, inferred, know) for other in told):
            continue
        beside = any(ends(other.claim) == ends(one.claim) for other in added)
        if beside and (accused or one.sure < TOGETHER) or any(_repeats(verdict, other) for other in added):
            continue
        worded = one.worded or any(_wonders(verdicts[at], verdict) for at in same)
        if accused and not _accuses(replace(one, worded=worded)):
            continue
        if accused and any(_is_anothers(other.claim, one.claim, know) for other in verdicts):
            continue
        replaced.update(at for at in same if accused or not _remains(verdicts[at]))
        method = f"{METHOD}:{verdict.method.partition(':')[2]}"
        added.append(replace(verdict, method=method, scores={**verdict.scores, METHOD: round(one.sure, 4)}))
    kept = [other for at, other in enumerate(verdicts) if at not in replaced]
    return sorted([*kept, *added], key=lambda each: each.claim.start)


def _repeats(verdict: Verdict, other: Verdict) -> bool:
    """Does the same statement bear out the same of the same two, turned round ("A and B are married")?"""
    turned = ends(other.claim) == ends(verdict.claim)[::-1] and verdict.label is Label.ATTRIBUTABLE
    told = [{item.statement for item in one.evidence} for one in (verdict, other)]
    return turned and verdict.relation == other.relation and told[0] == told[1]


def _is_inferred(verdict: Verdict, know: Knowledge) -> bool:
    """Does it follow from what is said rather than being said? A capital lies in its country."""
    steps = any(know.is_place_step(one.statement) for one in verdict.evidence)
    return steps or Tier.of(verdict.method) is Tier.HIERARCHY


def _stands(before: Verdict, verdict: Verdict, sure: float, inferred: bool, know: Knowledge) -> bool:
    """Does the grammar's verdict on two places exclude the reader's? If it denies or doubts, was decided by the same
    property or by what the reader's follows from, or left open with a reason that the reader knows nothing of."""
    claim, support = before.claim, verdict.label is Label.ATTRIBUTABLE
    if _is_open_of_most(before, sure, not support):
        return False
    told = f"{claim.text} {verdict.claim.text}"  # of a list its first value has the words
    once = support and sure >= TOGETHER and _FORMER.search(told)  # "was previously the vocalist of"
    if claim.negated or claim.hedged and not once:
        return True
    if before.label is Label.ATTRIBUTABLE:
        known = [one.statement for one in before.evidence]  # "the capital of" is what "capital" says, turned round
        item = know.store.properties().get(str(verdict.relation))
        both = (verdict.relation, item.inverse if item is not None else None)
        same = before.relation in both or any(one.statement in known for one in verdict.evidence)
        return not support or inferred or sure < TOGETHER or same
    if support and tier(before.method) in _BESIDE:
        return False
    if claim.bridge and claim.tail.value is None:
        return not support
    return tier(before.method) not in _OPEN or inferred and _has_another(before, verdict, know)


def _has_another(before: Verdict, verdict: Verdict, know: Knowledge) -> bool:
    """Has the graph other values of what the words name? Then what only follows does not bear them out: "Munich is the
    German capital" is not so because Munich lies in Germany."""
    if tier(before.method) is not Tier.SEVERAL_VALUES or before.relation in (None, verdict.relation):
        return False
    return names((before.claim.relation,), str(before.relation), know.store)


def _remains(before: Verdict) -> bool:
    """Does the grammar's verdict on two places stay beside what the reader supports of them?"""
    return before.label is not Label.EXTRAPOLATORY or tier(before.method) in _BESIDE


def _wonders(before: Verdict, verdict: Verdict) -> bool:
    """Did the grammar read the same property, and only not know whether its words mean it?"""
    return tier(before.method) == Tier.AMBIGUOUS and before.relation == verdict.relation


def _whole(before: Verdict, other: Claim) -> bool:
    """Is the other claim a part of one of several steps, or of a count? Not by what stands before the noun of the first
    step ("*Rain* (1981) is set in *a country* that ...") or behind the last one."""
    claim = before.claim
    noun = claim.text.find(claim.bridge[0].noun) if claim.bridge and claim.bridge[0].noun else -1
    steps = other.tail.end > claim.start + noun and other.tail.end <= max(claim.head.end, claim.tail.end)
    inside = claim.start <= other.start and steps
    return (bool(claim.bridge) or claim.measure is not None) and (inside or overlaps(claim.tail, other.tail))


def _skips(before: Verdict, other: Claim) -> bool:
    """Does the other claim lack a step of this one, which goes by somebody unnamed ("a friend of A was born in B")? Or
    is it a part of one that was decided as a whole?"""
    claim = before.claim
    if before.label is not Label.EXTRAPOLATORY:
        return _whole(before, other)
    unnamed = any(step.turned or not _VERBAL.search(step.relation) for step in claim.bridge)
    return unnamed and overlaps(claim.tail, other.tail) and is_one(claim.head, other.head)


def _is_anothers(said: Claim, read: Claim, know: Knowledge) -> bool:
    """Does the grammar read the date or the amount of something else: without a name ("Oslo, where *a zoo* opened in
    1911"), unless that names the relation, or of anybody where the sentence does not mention whom the text is about?"""
    head = said.head
    if read.tail.value is None or not overlaps(said.tail, read.tail):
        return False
    if is_one(head, read.head) or head.text.lower() in _PRONOUNS:
        return False
    unnamed = head.value is None and head.is_common and head.refers_to is None
    if not unnamed:
        return read.head.is_implied
    noun = head.text.lower()
    return not (is_of_label(noun, read.relation) or names((*noun.split(), noun), str(read.property), know.store))


def _steps(before: Verdict, one: Assertion, know: Knowledge) -> bool:
    """Did the grammar take a step that is a part of what is read here: to a place ("*the spot where* A died is in B"),
    or by a noun that names the relation ("A, whose *career* began in 1915")?"""
    claim = before.claim
    if not claim.bridge or before.label is not Label.EXTRAPOLATORY or claim.negated or claim.hedged or claim.measure:
        return False
    if one.around:
        return True
    said = [word for step in claim.bridge for word in f"{step.relation} {step.noun}".split()]
    iri = str(one.claim.property)
    return one.sure >= ALONE and iri in know.store.properties() and names(said, iri, know.store)


def _astray(before: Verdict, sure: float, accused: bool) -> bool:
    """Did the grammar take a step that is none ("*the clocks of* A are set to B"), where the reader is sure? No
    property goes by its words, and it leads to nobody. An accusation is not told from one of "the harbour of A"."""
    if _is_open_of_most(before, sure, accused):
        return True
    lost = (Tier.NO_PROPERTY,) if accused else (Tier.NO_PROPERTY, Tier.OPEN)
    if tier(before.method) not in lost or sure < STRANGE or accused and before.claim.bridge:
        return False
    return not any(_SOMEBODY.search(f"{step.relation} {step.noun}") for step in before.claim.bridge)


def _is_open_of_most(before: Verdict, sure: float, accused: bool) -> bool:
    """Does the grammar only not know of what kind it is the largest ("the largest tributary of *B*"), where the reader
    is sure that it would be one?"""
    if before.claim.negated or before.claim.hedged:
        return False
    return accused and sure >= SURELY and tier(before.method) is Tier.SUPERLATIVE


def _accuses(one: Assertion) -> bool:
    dated = one.claim.tail.value is not None
    unworded = (ALONE_DATED if dated else ALONE) if one.alone else CERTAIN if dated else SURELY
    worded = DATED if dated else AROUND if one.around else ACCUSED
    return one.sure >= (worded if one.worded else unworded)


def is_one(one: Mention, other: Mention) -> bool:
    """Do two ends mean the same, or stand in one place?"""
    same = bool(one.candidates) and one.candidates[:1] == other.candidates[:1]
    return same or overlaps(one, other)


def _same(one: Claim, other: Claim) -> bool:
    """Do both claims speak of the same two, in either direction?"""
    if overlaps(one.tail, other.tail) and is_one(one.head, other.head):
        return True
    return is_one(one.tail, other.head) and is_one(one.head, other.tail)
