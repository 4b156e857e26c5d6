""" "A is larger than B", "A was born before B": two stored times or quantities side by side."""

from __future__ import annotations

from decimal import Decimal

from kgstore.catalog import Property
from kgstore.verifier.claims import Candidate, Claim, Label
from kgstore.verifier.decide.finding import Finding, meant
from kgstore.verifier.decide.magnitude import Magnitude, magnitude, measured
from kgstore.verifier.decide.outcome import Outcome, contradicts, supports, undecided
from kgstore.verifier.decide.tier import Tier
from kgstore.verifier.kg.align import Aligner
from kgstore.verifier.kg.knowledge import Knowledge

_EQUAL, _UNEQUAL = Decimal("0.01"), Decimal("0.1")
"""As much: at most 1 % apart, or for times a year; more than 10 % apart (or 10 years) is not as much."""
_YEAR = Decimal(366)


def decide_comparison(claim: Claim, know: Knowledge, aligner: Aligner) -> Finding:
    """The verdict on a comparison of the claim's head and tail."""
    head, tail = (meant(candidates) for candidates in (claim.head.candidates, claim.tail.candidates))
    for mention, entity in ((claim.head, head), (claim.tail, tail)):
        if entity is None:
            reason = f"the KG knows nothing that is surely called {mention.text}"
            return Finding(undecided(Tier.NOT_LINKED, [], reason), head=head, tail=tail, why_not="entity not found")
    assert head is not None and tail is not None and claim.measure is not None
    judged: list[Outcome] = []
    silent = ""
    for item in measured(claim.measure.properties, [head.iri, tail.iri], aligner):
        here, there = magnitude(know, head.iri, item), magnitude(know, tail.iri, item)
        if here is None or there is None:
            missing = [one.label for one, size in ((head, here), (tail, there)) if size is None]
            silent = silent or f"the KG has no {item.label} for {' and '.join(missing)}"
        else:
            judged.append(_judged(item, head, tail, here, there, claim.measure.direction))
    return Finding(_together(judged, silent, claim.relation), head=head, tail=tail, why_not=_why_not(judged))


def _why_not(judged: list[Outcome]) -> str | None:
    return None if judged else "no statement in the KG"


def _together(judged: list[Outcome], silent: str, relation: str) -> Outcome:
    """What all the properties that may be meant say: the first has the say, but nobody is accused unless all agree."""
    if not judged:
        return undecided(Tier.COMPARISON, [], silent or f"the KG has nothing that “{relation}” could measure")
    if judged[0].label is Label.CONTRADICTORY:
        other = next((one for one in judged if one.label is not Label.CONTRADICTORY), None)
        if other is not None:
            statements = [one.statement for one in (*judged[0].evidence, *other.evidence)]
            return undecided(Tier.COMPARISON, statements, f"{judged[0].reason}, but {other.reason}", True)
    return judged[0]


def _judged(item: Property, head: Candidate, tail: Candidate, one: Magnitude, other: Magnitude, way: int) -> Outcome:
    statements = [*one.statements, *other.statements]
    reason = f"the {item.label} of {head.label} is {_told(one, other)} that of {tail.label}"
    if one.dimension != other.dimension:
        reason = f"the KG gives the {item.label} of the two in units that cannot be compared"
        return undecided(Tier.COMPARISON, statements, reason)
    if way == 0:
        return _as_much(one, other, statements, reason)
    more, less = one.least > other.most, one.most < other.least
    if not more and not less:
        return undecided(Tier.COMPARISON, statements, reason, True)
    return (supports if more == (way > 0) else contradicts)(Tier.COMPARISON, statements, reason)


def _as_much(one: Magnitude, other: Magnitude, statements: list, reason: str) -> Outcome:
    gap = max(one.least - other.most, other.least - one.most, Decimal(0))
    size = max(abs(one.most), abs(other.most))
    near, far = (_YEAR, 10 * _YEAR) if one.dimension == "time" else (size * _EQUAL, size * _UNEQUAL)
    if gap <= near:
        return supports(Tier.COMPARISON, statements, reason)
    return (contradicts if gap > far else undecided)(Tier.COMPARISON, statements, reason)


def _told(one: Magnitude, other: Magnitude) -> str:
    later, earlier = ("later than", "earlier than") if one.dimension == "time" else ("more than", "less than")
    if one.least > other.most:
        return later
    if one.most < other.least:
        return earlier
    return "not clearly different from"
