"""When a claim says that something held, against the qualifiers of the statements that support it.

"Won the prize in 1903", "from 1971 to 1974", "until 2019", and the present tense, which says that it holds still.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date

from kgstore.model import Rank, Statement, Time
from kgstore.verbalise import value_text
from kgstore.verifier.claims import Claim, Label, Role
from kgstore.verifier.decide.outcome import Outcome, contradicts, supports, undecided
from kgstore.verifier.decide.tier import Tier
from kgstore.verifier.kg.knowledge import Knowledge
from kgstore.verifier.kg.world import at_a_time, changes, for_a_time
from kgstore.verifier.values import Agreement, DateValue, compare_date

_SAME = (Agreement.SAME, Agreement.COARSER)


@dataclass(frozen=True, slots=True)
class Span:
    """The time that qualifiers give a statement; each end is None where nothing is said."""

    start: Time | None
    end: Time | None
    at: tuple[Time, ...]

    @property
    def known(self) -> bool:
        return bool(self.start or self.end or self.at)


def timed(know: Knowledge, claim: Claim, found: Outcome) -> Outcome:
    """The finding, held against the time that the claim speaks of, if it speaks of any."""
    if isinstance(claim.tail.value, DateValue):
        return found  # the date is what is claimed
    if claim.until is not None and found.label is Label.ATTRIBUTABLE:
        return _between(know, found, claim.when, claim.until)
    when = claim.when or claim.until
    if when is not None and found.label is not Label.EXTRAPOLATORY:
        return dated(know, found, when, claim.said.end)
    if found.label is Label.ATTRIBUTABLE and claim.said.present:
        return _still(know, found)
    return found


def dated(know: Knowledge, found: Outcome, when: DateValue, end: str = "") -> Outcome:
    """The finding, held against a date. A contradiction stays only where the KG's value is of that time.

    :param end: ``start`` or ``end`` where the date is that of one, "" where it lies anywhere in between
    """
    if found.label is Label.CONTRADICTORY:
        against = [one.statement for one in found.evidence if one.role is Role.CONTRADICTS]
        if any(_fits(know, one, when) for one in against):
            return found
        return undecided(Tier.TIME_OPEN, against, f"the KG does not say what held then; {found.reason}")
    statements = _supporting(found)
    judged = [(one, _at_end(know, one, when, end) if end else _fits(know, one, when)) for one in statements]
    agreeing = [one for one, fits in judged if fits is True]
    if agreeing:
        return supports(found.method, agreeing, f"{found.reason}, at that time")
    against = [one for one, fits in judged if fits is False]
    if against and len(against) == len(statements):
        spans = " and ".join(dict.fromkeys(_told(know, one) for one in against))
        return contradicts(Tier.TIME, against, f"{found.reason}, but {spans}")
    if not end and all(_untimed(know, one) for one in statements):
        return replace(found, reason=f"{found.reason}; it dates no such statement")
    return undecided(Tier.TIME_OPEN, statements, f"{found.reason}, but not when")


def _untimed(know: Knowledge, statement: Statement) -> bool:
    """Does the graph never say when such a thing is so? Then a date is that of an event ("published in 1961 by B")."""
    item = know.store.properties().get(statement.predicate.value)
    lasting = item is None or at_a_time(item) or for_a_time(item) or changes(item)
    return not lasting and not item.time_qualified  # type: ignore[union-attr]


def _between(know: Knowledge, found: Outcome, since: DateValue | None, until: DateValue) -> Outcome:
    """ "From 1971 to 1974", or "until 1974" alone, against one statement at a time: both ends have to be its own."""
    statements = _supporting(found)
    spans = [(one, span_of(know, one)) for one in statements]
    for one, span in spans:
        started = since is None or (span.start is not None and compare_date(since, span.start) in _SAME)
        if started and span.end is not None and compare_date(until, span.end) in _SAME:
            return supports(found.method, [one], f"{found.reason}, {_told(know, one)}")
    told = " and ".join(dict.fromkeys(_told(know, one) for one, span in spans if span.known))
    if spans and all(_outside(span, since, until) for _, span in spans):
        return contradicts(Tier.TIME, statements, f"{found.reason}, but {told}")
    reason = f"{found.reason}, {told}: not the same time, but some of it" if told else f"{found.reason}, but not when"
    return undecided(Tier.TIME_OPEN, statements, reason)


def _outside(span: Span, since: DateValue | None, until: DateValue) -> bool:
    """Is some of the claimed time surely not in the stated span?"""
    last = until.last_year or until.year
    if span.end is not None and year_of(span.end) < until.year:
        return span.end.precision >= 9
    if span.start is None or span.start.precision < 9:
        return False
    return last < year_of(span.start) or since is not None and (since.last_year or since.year) < year_of(span.start)


def _still(know: Knowledge, found: Outcome) -> Outcome:
    """The present tense: what the KG says to have ended supports nothing that holds today.

    Nor does one of several holders of an office that one has at a time, unless it is the one that the KG prefers.
    """
    statements = _supporting(found)
    direct = statements[:1] if found.method is Tier.HIERARCHY else statements
    if not direct:
        return found
    if all(_is_over(span_of(know, one)) for one in direct):
        ends = " and ".join(dict.fromkeys(_told(know, one) for one in direct))
        reason = f"{found.reason}, but only {ends}, and the text says that it still holds"
        return undecided(Tier.ENDED, statements, reason)
    first = direct[0]
    item = know.store.properties().get(first.predicate.value)
    if item is None or not at_a_time(item) or any(one.rank is Rank.PREFERRED for one in direct):
        return found
    others = [one for one in know.values(first.subject.value, item) if one not in direct and not know.ended(one)]
    if not others:
        return found
    reason = f"{found.reason}, one of {len(others) + 1}, and does not say which of them is the present one"
    return undecided(Tier.ENDED, [*direct, *others], reason)


def _is_over(span: Span) -> bool:
    return span.end is not None and span.end.precision >= 7 and year_of(span.end) < date.today().year


def _supporting(found: Outcome) -> list[Statement]:
    return [one.statement for one in found.evidence if one.role is Role.SUPPORTS]


def span_of(know: Knowledge, statement: Statement) -> Span:
    """Start, end and points in time of a statement, from its qualifiers."""
    profile = know.store.profile
    times = [(name.value, value) for name, value in statement.qualifiers if isinstance(value, Time)]
    return Span(
        next((value for name, value in times if name in profile.start), None),
        next((value for name, value in times if name in profile.end), None),
        tuple(value for name, value in times if name in profile.at),
    )


def _told(know: Knowledge, statement: Statement) -> str:
    """ "from 1971 until 1974" """
    span, label = span_of(know, statement), know.store.label
    parts = [f"in {value_text(one, label)}" for one in span.at]
    parts += [f"from {value_text(span.start, label)}"] if span.start else []
    parts += [f"until {value_text(span.end, label)}"] if span.end else []
    return " ".join(parts)


def _fits(know: Knowledge, statement: Statement, when: DateValue) -> bool | None:
    """Did the statement hold at that time? None where the KG does not say."""
    span = span_of(know, statement)
    if span.at:
        agreements = [compare_date(when, value) for value in span.at]
        if any(one in _SAME for one in agreements):
            return True
        return False if all(one is Agreement.DIFFERENT for one in agreements) else None
    if not span.known:
        return None
    last = when.last_year or when.year
    if span.start and year_of(span.start) > last or span.end and year_of(span.end) < when.year:
        return None if _coarse(span) else False
    if any(end and compare_date(when, end) in _SAME for end in (span.start, span.end)):
        return True
    return True if span.start and span.end else None


def _at_end(know: Knowledge, statement: Statement, when: DateValue, end: str) -> bool | None:
    """Is that when it began (or ended)? A point in time will do for the beginning."""
    span = span_of(know, statement)
    stated = span.end if end == "end" else span.start or next(iter(span.at), None)
    if stated is None:
        return False if _fits(know, statement, when) is False else None
    agreement = compare_date(when, stated)
    return True if agreement in _SAME else False if agreement is Agreement.DIFFERENT else None


def _coarse(span: Span) -> bool:
    """Is an end known by its decade or century only?"""
    return any(end is not None and end.precision < 9 for end in (span.start, span.end))


def year_of(time: Time) -> int:
    """The year of a stored time; negative is BCE."""
    sign = -1 if time.iso.startswith("-") else 1
    return sign * int(time.iso.lstrip("+-").split("-")[0])
