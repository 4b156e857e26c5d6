""" "A died at the age of 37": how old somebody was, from the dates of birth and death."""

from __future__ import annotations

from typing import cast

from kgstore.model import Statement, Time
from kgstore.verifier.claims import Candidate, Claim
from kgstore.verifier.decide.finding import Finding
from kgstore.verifier.decide.outcome import contradicts, supports, undecided
from kgstore.verifier.decide.tier import Tier
from kgstore.verifier.decide.when import year_of
from kgstore.verifier.kg.align import SURE, Aligned, Aligner
from kgstore.verifier.kg.knowledge import Knowledge
from kgstore.verifier.values import Agreement, Amount, compare_date

_SAME = (Agreement.SAME, Agreement.COARSER)
_MEANT = 0.5
_YEAR, _DAY = 9, 11
"""Precisions of a stored time."""


def decide_age(claim: Claim, know: Knowledge, aligner: Aligner) -> Finding | None:
    """The verdict on an age at death; None for any other claim, and where a date is not known to the year."""
    value, head = claim.tail.value, next(iter(claim.head.candidates), None)
    if not isinstance(value, Amount) or head is None or head.score < _MEANT or value.unit not in ("", "year"):
        return None
    if not claim.said.at_age:
        return None
    death, birth = (_dates(verb, head, know, aligner) for verb in ("died on", "was born on"))
    if death is None or birth is None:
        return None
    if claim.when is not None and all(compare_date(claim.when, cast(Time, one.value)) not in _SAME for one in death[1]):
        return None  # it did not happen then, which is for the other rules to say
    ages = {age for end in death[1] for start in birth[1] for age in _ages(start, end)}
    statements = [*birth[1], *death[1]]
    told = " or ".join(str(age) for age in sorted(ages))
    reason = f"by the KG's dates {head.label} died at the age of {told}"
    if value.value in ages:
        return Finding(supports(Tier.AGE, statements, reason), death[0], head)
    alone = all(know.mostly_single(one[0].property) and len(one[1]) == 1 for one in (birth, death))
    if not alone or value.bound or value.approximate:
        return Finding(undecided(Tier.SEVERAL_VALUES, statements, reason), death[0], head)
    return Finding(contradicts(Tier.AGE, statements, reason), death[0], head)


def _dates(verb: str, head: Candidate, know: Knowledge, aligner: Aligner) -> tuple[Aligned, list[Statement]] | None:
    """The property that a verb names, and its statements about the head, where all are known to the year."""
    for reading in aligner.align(verb, frozenset(("time",)), [head.iri]):
        held = know.values(head.iri, reading.property)
        exact = [one for one in held if isinstance(one.value, Time) and one.value.precision >= _YEAR]
        if reading.text > SURE and held and len(exact) == len(held):
            return reading, held
    return None


def _ages(start: Statement, end: Statement) -> set[int]:
    """The ages that two dates allow, in years."""
    assert isinstance(start.value, Time) and isinstance(end.value, Time)
    years = year_of(end.value) - year_of(start.value)
    if min(start.value.precision, end.value.precision) < _DAY:
        return {years - 1, years}
    return {years - (_day(end.value) < _day(start.value))}


def _day(time: Time) -> str:
    """Month and day, as "07-29"."""
    return time.iso.lstrip("+-").split("T")[0].split("-", 1)[1]
