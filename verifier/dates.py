"""Dates in running text, and how they compare with stored dates."""

from __future__ import annotations

from dataclasses import dataclass

from kgstore.model import Time
from verifier.agreement import Agreement


@dataclass(frozen=True, slots=True)
class DateValue:
    """A date as a text gives it.

    :param year: first year meant; negative is BCE and there is no year 0
    :param precision: Wikibase's: 7 century, 8 decade, 9 year, 10 month, 11 day
    :param last_year: last year meant, for centuries, decades and ranges ("1914-1918")
    :param approximate: "circa", "around"
    :param part: ``early``, ``mid`` or ``late`` before a year, decade or century
    :param swap: the other reading of 09/01/1951; this one is day first
    :param certain: False for a bare number that may be a year or may not
    """

    year: int
    month: int | None = None
    day: int | None = None
    precision: int = 9
    approximate: bool = False
    last_year: int | None = None
    part: str = ""
    swap: DateValue | None = None
    certain: bool = True


def find_dates(text: str) -> list[tuple[int, int, DateValue]]:
    """Dates with their offsets, in reading order, never overlapping. The span leaves out "in", "circa" and "early"."""
    return []


def compare_date(claimed: DateValue, stored: Time) -> Agreement:
    """How a claimed date stands to a stored one."""
    return Agreement.UNKNOWN
