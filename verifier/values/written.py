"""What a mere string of a graph says: an amount with its unit, or a date in words."""

from __future__ import annotations

import re
from decimal import Decimal
from functools import lru_cache

from kgstore.model import Quantity, Time
from kgstore.values import time_value
from kgstore.verbalise import readable
from kgstore.verifier.english.words import either
from kgstore.verifier.values.dates import find_dates
from kgstore.verifier.values.units import readings, singular

SAID = "unit:"
"""What the IRI of a unit that is only named begins with; the rest is its name."""
_AMOUNT = re.compile(
    r"(?P<number>-?(?:\d{1,3}(?:,\d{3})+|\d+)(?P<point>\.\d+)?(?:[eE][+-]?\d{1,2})?)"
    r"(?:\s?\((?P<bracketed>[^\W\d][^()]*)\)|(?P<unit>\s[^\W\d].*|\s?[%°].*))?"
)
_WORD = re.compile(r"[^\W_]+")
_BETWEEN = rf"(?:[\W_]|\b{either('written.joining')}\b)+"
_MOST = 60
"""Characters; longer ones are prose."""


@lru_cache(maxsize=65536)
def written(text: str) -> Quantity | Time | None:
    """The amount or the date that a string is; None for other strings, and for digits alone, which may be a code.

    >>> written("204.51 (squareKilometres)").unit, written("3480.0").amount, written("7 km").unit
    ('unit:square kilometres', Decimal('3480.0'), 'unit:km')
    >>> written("14 February 2001").iso, written("June 1981").precision
    ('+2001-02-14T00:00:00Z', 10)
    >>> written("78640604"), written("7 Harbour Road"), written("08R/26L"), written("1990s")
    (None, None, None, None)
    """
    text = text.strip()
    if len(text) > _MOST or not any(map(str.isdigit, text)):
        return None
    return _amount(text) or _date(text)


@lru_cache(maxsize=65536)
def worded(string: str) -> re.Pattern[str]:
    """What fits the words of a string, in whatever case and number, a list with or without "and".

    >>> [bool(worded("Jam, egg").fullmatch(text)) for text in ("jam and eggs", "jam", "egg, jam")]
    [True, False, False]
    """
    words = [rf"{re.escape(singular(word))}(?:e?s)?" for word in _WORD.findall(string)]
    return re.compile(rf"(?<!\w){_BETWEEN.join(words)}(?!\w)" if words else r"(?!)", re.IGNORECASE)


def _amount(text: str) -> Quantity | None:
    if (found := _AMOUNT.fullmatch(text)) is None:
        return None
    amount, named = Decimal(found["number"].replace(",", "")), found["bracketed"] or found["unit"]
    if named is None:
        return Quantity(amount) if found["point"] else None
    unit = readable(named.strip())
    known = found["bracketed"] or any(one.sure for one in readings(unit))
    return Quantity(amount, SAID + unit) if known else None


def _date(text: str) -> Time | None:
    dates = find_dates(text)
    if len(dates) != 1 or dates[0][:2] != (0, len(text)):
        return None
    date = dates[0][2]
    plain = date.certain and date.precision in (10, 11) and not (date.last_year or date.swap or date.approximate)
    if not plain or date.year < 1:
        return None
    return time_value(f"{date.year:04}-{date.month or 1:02}-{date.day or 1:02}", date.precision)
