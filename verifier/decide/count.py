""" "A won two Nobel Prizes", "B has four children": what a KG lists, counted.

A list may lack some, so it shows that there are at least as many; only a stored number, or a list that is declared
complete, says how many there are.
"""

from __future__ import annotations

from kgstore.catalog import fold
from kgstore.model import NamedNode, Rank, Statement
from kgstore.verifier.claims import Candidate, Claim
from kgstore.verifier.decide.accuse import may_be_over
from kgstore.verifier.decide.complete import SURELY, WHY
from kgstore.verifier.decide.finding import Finding
from kgstore.verifier.decide.magnitude import CLEAR
from kgstore.verifier.decide.outcome import Outcome, contradicts, supports, undecided
from kgstore.verifier.decide.tier import Tier
from kgstore.verifier.kg.align import Aligned, Aligner
from kgstore.verifier.kg.knowledge import Knowledge
from kgstore.verifier.values import Amount
from kgstore.verifier.values.units import singular

_MEANT = 0.5
_MOST = 500


def decide_count(claim: Claim, know: Knowledge, aligner: Aligner) -> Finding | None:
    """The verdict on a number of things, None where the KG lists nothing that could be counted."""
    assert claim.measure is not None
    value, head = claim.tail.value, next(iter(claim.head.candidates), None)
    if not isinstance(value, Amount) or head is None or head.score < _MEANT:
        return None
    nouns = [" ".join(singular(word) for word in noun.lower().split()) for noun in claim.measure.properties]
    for reading, every in _readings(claim, nouns, head, aligner):
        listed = _listed(know, reading, head.iri)
        things = claim.measure.things.candidates if claim.measure.things else ()
        counted = listed if every else [one for one in listed if _is_one(know, one[0], nouns, things)]
        if counted:
            whole = every and _is_whole(claim, know, reading, head)
            noun = nouns[0] if nouns else ""
            return Finding(_counted(know, dict(counted), value, noun, head, whole), reading, head)
    return None


def _is_whole(claim: Claim, know: Knowledge, reading: Aligned, head: Candidate) -> bool:
    """Is the list declared complete, and every value of it a thing of today, of what is surely meant?"""
    if reading.turned or reading.property.iri not in know.complete or head.score < SURELY:
        return False
    held = know.values(head.iri, reading.property)
    counted = all(isinstance(one.value, NamedNode) and not know.ended(one) for one in held)
    return counted and not may_be_over(claim, reading.property)


def _readings(claim: Claim, nouns: list[str], head: Candidate, aligner: Aligner) -> list[tuple[Aligned, bool]]:
    """Properties whose values may be counted, and whether all of them are what is counted ("children" of "child")."""
    kinds = frozenset(("entity",))
    named = [one for noun in nouns for one in aligner.align(noun, kinds, [head.iri], k=2)]
    said = aligner.align(claim.relation, kinds, [head.iri], k=3)
    found = [(one, True) for one in named if one.text >= CLEAR] + [(one, False) for one in said if one.text >= CLEAR]
    return found


def _listed(know: Knowledge, reading: Aligned, iri: str) -> list[tuple[str, Statement]]:
    if reading.turned:
        found = know.store.incoming(iri, reading.property.iri, _MOST)
        return [(one.subject.value, one) for one in found if one.rank is not Rank.DEPRECATED]
    held = know.values(iri, reading.property)
    return [(one.value.value, one) for one in held if isinstance(one.value, NamedNode)]


def _is_one(know: Knowledge, iri: str, nouns: list[str], things: tuple[Candidate, ...]) -> bool:
    """Is it what is counted: of that class, or called so ("Nobel Prize in Physics")?"""
    kinds = know.kinds(iri) | set(know.wider(iri))
    if any(one.iri in kinds or one.iri == iri for one in things):
        return True
    names = [f" {fold(name)} " for name in (know.store.label(iri), *map(know.store.label, kinds))]
    return any(f" {fold(noun)} " in name for noun in nouns if noun for name in names)


def _counted(
    know: Knowledge, named: dict[str, Statement], value: Amount, noun: str, head: Candidate, whole: bool
) -> Outcome:
    """:param whole: the list lacks none"""
    number, statements = len(named), list(named.values())
    names = ", ".join(know.store.label(iri) for iri in list(named)[:3]) + (" and more" if number > 3 else "")
    reason = f"the KG lists {number} for {head.label} ({noun}: {names})"
    if value.approximate:
        return undecided(Tier.COUNT, statements, reason)
    if value.bound in ("at least", "more than"):
        enough = number > value.value or (value.bound == "at least" and number == value.value)
        return supports(Tier.COUNT, statements, reason) if enough else _fewer(statements, reason, whole)
    if value.bound:
        over = number > value.value or (value.bound != "at most" and number == value.value)
        if over:
            return contradicts(Tier.COUNT, statements, reason)
        return supports(Tier.COUNT, statements, f"{reason}, and {WHY}") if whole else _fewer(statements, reason)
    if number == value.value:
        return supports(Tier.COUNT, statements, reason)
    if number > value.value:
        return undecided(Tier.COUNT, statements, f"{reason}, more than the text counts")
    return _fewer(statements, reason, whole)


def _fewer(statements: list[Statement], reason: str, whole: bool = False) -> Outcome:
    if whole:
        return contradicts(Tier.COMPLETE, statements, f"{reason}, and {WHY}")
    return undecided(Tier.COUNT, statements, f"{reason}, and the list may lack some")
