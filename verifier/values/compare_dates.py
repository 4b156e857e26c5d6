"""How a claimed date stands to a stored one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from kgstore.model import Time
from kgstore.verifier.values.agreement import Agreement, best
from kgstore.verifier.values.dates import DateValue

Days = tuple[int, int]
"""First and last day number, inclusive."""

_OLD_STYLE = 1100, 1752
"""Years in which the number of the year may have changed in March."""
_ISO = re.compile(r"([+-]?)(\d+)-(\d\d)-(\d\d)")


def compare_date(claimed: DateValue, stored: Time) -> Agreement:
    """How a claimed date stands to a stored one.

    A stored day of the time of two calendars (Gregorian before March 1923, or Julian at any time) is right in either;
    a day that misses the other calendar's by one, or a spring day of the year before or after in the days when the
    year began in March, is undecided.
    "Circa" supports a year at most 2 off (5 before 1500) and leaves undecided one at most 10 off (25 before 1500).
    "Early" and "late" mean the first and the last 40 % of a span, "mid" the middle 40 %; the rest is undecided.

    >>> compare_date(DateValue(1931), Time("+1931-05-05T00:00:00Z"))
    <Agreement.COARSER: 'coarser'>
    """
    readings, soft = _stored_days(stored)
    if not readings:
        return Agreement.UNKNOWN
    values = [claimed] if claimed.swap is None else [claimed, claimed.swap]
    agreement = best([_stand(value, days) for value in values for days in readings])
    if agreement is Agreement.DIFFERENT:
        spared = [_stand(value, soft) for value in values if soft is not None]
        shifted = list(_other_years(values, readings[0], stored.calendar))
        spared += [_stand(value, days) for value in shifted for days in readings]
        spared += [_stand(value, (first - 1, last + 1)) for value in values for first, last in readings[1:]]
        if best([Agreement.DIFFERENT, *spared]) is not Agreement.DIFFERENT:
            return Agreement.UNKNOWN
    return agreement


def _other_years(claimed: list[DateValue], stored: Days, calendar: str) -> Iterator[DateValue]:
    """The claims as they read where the year began in March: 11 February 1731 may be the one that we call 1732.

    England kept that custom until 1752. A stored Julian day may have the old number, a Gregorian one has the new.
    """
    if stored[1] - stored[0] > 31:
        return
    for value in claimed:
        if _OLD_STYLE[0] <= value.year <= _OLD_STYLE[1] and (value.month or 1) <= 3 and value.precision >= 9:
            for year in (value.year + 1, value.year - 1)[: 2 if calendar == "julian" else 1]:
                spring = _day(year, 3, 25)[0] + _lag(year, 3, 25)
                if value.last_year is None and _day(year, 1, 1)[0] <= stored[0] and stored[1] <= spring:
                    yield replace(value, year=year)


def days_of(stored: Time) -> Days | None:
    """The days that a stored time spans, as numbers to compare with those of another; None where it is no date.

    >>> days_of(Time("+1931-05-05T00:00:00Z"))[0] - days_of(Time("+1930-00-00T00:00:00Z", 9))[1]
    125
    """
    readings, soft = _stored_days(stored)
    if not readings:
        return None
    spans = [*readings, *([soft] if soft else [])]
    return min(first for first, _ in spans), max(last for _, last in spans)


def side(claimed: DateValue, stored: Time) -> int:
    """-1 where the stored time is surely earlier than the claimed one, 1 where it is later, 0 where neither is sure.

    >>> side(DateValue(1900), Time("+1931-05-05T00:00:00Z"))
    1
    """
    if claimed.swap is not None or compare_date(claimed, stored) is not Agreement.DIFFERENT:
        return 0
    (first, last), days = _claimed_days(claimed), days_of(stored)
    return 0 if days is None else -1 if days[1] < first else 1 if days[0] > last else 0


def _stand(claimed: DateValue, stored: Days) -> Agreement:
    outer = _claimed_days(claimed)
    days = _narrow(outer, claimed.part)
    agreement = _relation(days, stored)
    if days != outer and agreement is Agreement.DIFFERENT:
        agreement = _relation(outer, stored)
        return agreement if agreement is Agreement.DIFFERENT else Agreement.UNKNOWN
    if claimed.approximate and agreement in (Agreement.DIFFERENT, Agreement.UNKNOWN):
        gap = max(stored[0] - days[1], days[0] - stored[1], 0) / 365.2425
        near, far = (2, 10) if claimed.year >= 1500 else (5, 25)
        return Agreement.COARSER if gap < near else Agreement.UNKNOWN if gap < far else Agreement.DIFFERENT
    return agreement


def _relation(claimed: Days, stored: Days) -> Agreement:
    if claimed == stored:
        return Agreement.SAME
    if claimed[0] <= stored[0] and stored[1] <= claimed[1]:
        return Agreement.COARSER
    if stored[0] <= claimed[0] and claimed[1] <= stored[1]:
        return Agreement.FINER
    return Agreement.DIFFERENT if claimed[1] < stored[0] or stored[1] < claimed[0] else Agreement.UNKNOWN


def _narrow(days: Days, part: str) -> Days:
    first, last = days
    fifth = (last - first) // 5
    return {"early": (first, first + 2 * fifth), "mid": (last - int(3.5 * fifth), first + int(3.5 * fifth)),
            "late": (last - 2 * fifth, last)}.get(part, days)


def _claimed_days(value: DateValue) -> Days:
    if value.month and value.day:
        return _day(value.year, value.month, value.day)
    if value.month:
        return _month(value.year, value.month)
    return _years(value.year, value.last_year or value.year)


def _stored_days(stored: Time) -> tuple[list[Days], Days | None]:
    """The spans that a stored time may mean, and one more that it probably does not but might."""
    match = _ISO.match(stored.iso)
    if match is None or not int(match[2]):
        return [], None
    size, month, day = int(match[2]), int(match[3]), int(match[4])
    year = -size if match[1] == "-" else size
    precision = min(stored.precision, 11 if month and day else 10 if month else 9)
    if precision == 11:
        written = _day(year, month, day)
        other = _other_calendar(year, month, day, stored.calendar)
        return [written, *other], None
    if precision == 10:
        return [_month(year, month)], None
    if precision == 9:
        return [_years(year, year)], None
    width = 10 ** (9 - precision)
    if precision == 8:
        return [_signed(size // width * width, size // width * width + width - 1, year)], None
    if precision < 6:
        return [(_years(year - width // 2, year)[0], _years(year, year + width // 2)[1])], None
    first = (size - 1) // width * width + 1
    soft = _signed(size, size + width - 1, year) if size % width == 0 else None    # 1800 is often put for "the 1800s"
    return [_signed(first, first + width - 1, year)], soft


def _signed(first: int, last: int, year: int) -> Days:
    return _years(max(first, 1), last) if year > 0 else _years(-last, -max(first, 1))


def _other_calendar(year: int, month: int, day: int, calendar: str) -> Iterator[Days]:
    """The same day as the other calendar writes it, as if that were Gregorian."""
    if calendar == "julian":
        number = _number(year, month, day) + _lag(year, month, day)
        yield number, number
    elif (year, month) < (1923, 3):
        lag = _lag(year, month, day)
        if month == 3 and day <= lag:
            lag = _lag(year, 2, 1)                                      # the Julian date is still in February
        number = _number(year, month, day) - lag
        yield number, number


def _lag(year: int, month: int, day: int) -> int:
    """Days that the Julian calendar is behind the Gregorian one: 10 in 1582, 13 today."""
    astronomical = year if year > 0 else year + 1
    if month < 3:
        astronomical -= 1
    return astronomical // 100 - astronomical // 400 - 2


def _number(year: int, month: int, day: int) -> int:
    """Day number in the Gregorian calendar carried back for ever (any constant origin)."""
    astronomical = year if year > 0 else year + 1
    if month < 3:
        astronomical, month = astronomical - 1, month + 12
    days = 365 * astronomical + astronomical // 4 - astronomical // 100 + astronomical // 400
    return days + (153 * (month - 3) + 2) // 5 + day


def _day(year: int, month: int, day: int) -> Days:
    number = _number(year, month, day)
    return number, number


def _month(year: int, month: int) -> Days:
    following = (year, month + 1) if month < 12 else (_next(year), 1)
    return _number(year, month, 1), _number(*following, 1) - 1


def _years(first: int, last: int) -> Days:
    return _number(first or 1, 1, 1), _number(_next(last or 1), 1, 1) - 1


def _next(year: int) -> int:
    return 1 if year == -1 else year + 1
