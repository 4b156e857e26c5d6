"""The date of a whole claim ("won the prize in 1903") against the qualifiers of the statements that support it."""

from __future__ import annotations

from kgstore.model import Statement, Time
from verifier.claims import Label, Role
from verifier.decide.knowledge import Knowledge
from verifier.decide.outcome import Outcome, contradicts, supports, undecided
from verifier.values import Agreement, DateValue, compare_date


def dated(know: Knowledge, found: Outcome, when: DateValue) -> Outcome:
    """The finding, held against the date. A contradiction stays only where the KG's value is of that time."""
    if found.label is Label.CONTRADICTORY:
        against = [one.statement for one in found.evidence if one.role is Role.CONTRADICTS]
        if any(_fits(know, one, when) for one in against):
            return found
        return undecided("rule:time-open", against, f"the KG does not say what held then; {found.reason}", True)
    statements = [one.statement for one in found.evidence if one.role is Role.SUPPORTS]
    judged = [(one, _fits(know, one, when)) for one in statements]
    agreeing = [one for one, fits in judged if fits is True]
    if agreeing:
        return supports(found.method, agreeing, f"{found.reason}, at that time")
    against = [one for one, fits in judged if fits is False]
    if against and len(against) == len(statements):
        return contradicts("rule:time", against, "the KG gives another time for it")
    return undecided("rule:time-open", statements, "the KG says so, but not when", True)


def _fits(know: Knowledge, statement: Statement, when: DateValue) -> bool | None:
    profile = know.store.profile
    at = [value for name, value in statement.qualifiers if name.value in profile.at and isinstance(value, Time)]
    if at:
        agreements = [compare_date(when, value) for value in at]
        if any(one in (Agreement.SAME, Agreement.COARSER) for one in agreements):
            return True
        return False if all(one is Agreement.DIFFERENT for one in agreements) else None
    start = [value for name, value in statement.qualifiers if name.value in profile.start and isinstance(value, Time)]
    end = [value for name, value in statement.qualifiers if name.value in profile.end and isinstance(value, Time)]
    if not start and not end:
        return None
    last = when.last_year or when.year
    if start and year_of(start[0]) > last or end and year_of(end[0]) < when.year:
        return False
    return True if start and end else None


def year_of(time: Time) -> int:
    """The year of a stored time; negative is BCE."""
    sign = -1 if time.iso.startswith("-") else 1
    return sign * int(time.iso.lstrip("+-").split("-")[0])
