"""Literals of RDF as the values of `kgstore.model`, and dates between the calendars."""

from __future__ import annotations

import re
from calendar import monthrange
from decimal import Decimal, InvalidOperation

from pyoxigraph import Literal

from kgstore.model import Coordinate, Quantity, Time, Value
from kgstore.prefixes import WELL_KNOWN

EARTH = WELL_KNOWN["wd"] + "Q2"
JULIAN = WELL_KNOWN["wd"] + "Q1985786"
_XSD = WELL_KNOWN["xsd"]
_WKT = WELL_KNOWN["geo"] + "wktLiteral"
_DATE_TIME = re.compile(r"([+-]?)(\d{4,})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d):(\d\d)(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?")
_POINT = re.compile(r"(?:<([^>]*)>\s*)?Point\(\s*(\S+)\s+(\S+?)\s*\)", re.IGNORECASE)
_WHOLE = ("integer", "positiveInteger", "negativeInteger", "nonNegativeInteger", "nonPositiveInteger")
_SIZED = ("long", "int", "short", "byte", "unsignedLong", "unsignedInt", "unsignedShort", "unsignedByte")
_SCHEMA = ("http://schema.org/", "https://schema.org/")
_NUMBERS = frozenset(
    (
        *(_XSD + name for name in ("decimal", "double", "float", *_WHOLE, *_SIZED)),
        *(scheme + name for name in ("Number", "Integer", "Float") for scheme in _SCHEMA),
    )
)
_TIMES = frozenset(
    (_XSD + "dateTime", _XSD + "date", *(scheme + name for name in ("Date", "DateTime") for scheme in _SCHEMA))
)
_STRING = _XSD + "string"
_UNTYPED = re.compile(r"(\d{4})(?:-(\d\d)(?:-(\d\d)(?:T\d\d:\d\d:\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?)?)?", re.ASCII)
_DATED = re.compile(r"date|year|born|birth|died|death|founded|establish|incept|opened|built|since|until", re.IGNORECASE)


def simple_value(literal: Literal, guess_years: bool = False) -> Value:
    """A time, quantity or coordinate where the datatype says so, else the literal itself.

    :param guess_years: read the first of January, 00:00 as the whole year. Simple triples of Wikidata write a year that
        way, and that very day, too: an honest guess, since years are far more frequent
    """
    datatype = literal.datatype.value
    if datatype in _NUMBERS:
        return number(literal) or literal
    if datatype in _TIMES:
        return _time(literal.value, guess_years) or literal
    if datatype == _XSD + "gYear" or datatype == _XSD + "gYearMonth":
        whole = literal.value.removesuffix("Z") + ("-01-01" if datatype.endswith("gYear") else "-01")
        return time_value(whole, 9 if datatype.endswith("gYear") else 10) or literal
    if datatype == _WKT and (point := _POINT.fullmatch(literal.value)):
        return coordinate(point[3], point[2], None, point[1]) or literal
    return literal


def untyped_value(literal: Literal, predicate: str) -> Value:
    """`simple_value` for data whose dates may come as mere strings, as schema.org's do in JSON-LD.

    A string that is an ISO day is that day; a month or a year needs a predicate that speaks of a date.

    >>> untyped_value(Literal("1931-05-05"), "http://example.org/x").precision
    11
    >>> untyped_value(Literal("1931"), "http://schema.org/birthDate").precision
    9
    >>> untyped_value(Literal("1931"), "http://example.org/roomNumber").value
    '1931'
    """
    if literal.datatype.value != _STRING or (parts := _UNTYPED.fullmatch(literal.value)) is None:
        return simple_value(literal)
    year, month, day = parts.groups()
    if not day and not speaks_of_a_date(predicate):
        return literal
    if month and not 1 <= int(month) <= 12 or day and not 1 <= int(day) <= monthrange(int(year) or 4, int(month))[1]:
        return literal
    if day:
        return _time(literal.value, False) or literal
    return time_value(f"{year}-{month or '01'}-01", 10 if month else 9) or literal


def speaks_of_a_date(name: str) -> bool:
    """Does the name of a property, or the last part of its IRI, speak of a date or year?

    >>> speaks_of_a_date("http://schema.org/foundingDate"), speaks_of_a_date("year opened"), speaks_of_a_date("room")
    (True, True, False)
    """
    return _DATED.search(re.split(r"[/#]", name)[-1]) is not None


def number(literal: Literal) -> Quantity | None:
    amount = decimal(literal.value)
    return None if amount is None else Quantity(amount)


def decimal(text: str) -> Decimal | None:
    """An exact finite number, or None."""
    try:
        amount = Decimal(text)
    except InvalidOperation:
        return None
    return amount if amount.is_finite() else None


def coordinate(latitude: str, longitude: str, precision: str | None, globe: str | None) -> Coordinate | None:
    try:
        exact = None if precision is None else float(precision)
        return Coordinate(float(latitude), float(longitude), exact, None if globe == EARTH else globe)
    except ValueError:
        return None


def _time(text: str, guess_years: bool) -> Time | None:
    parts = _DATE_TIME.fullmatch(text)
    if parts is None:
        return None
    if any(part not in (None, "00") for part in parts.group(5, 6, 7)):
        return time_value(text, 14)
    return time_value(text, 9 if guess_years and parts.group(3, 4) == ("01", "01") else 11)


def time_value(text: str, precision: int, calendar_model: str | None = None) -> Time | None:
    """An ``xsd:dateTime`` (proleptic Gregorian, with a year zero) as Wikibase shows it: own calendar, no year zero.

    Wikibase writes days that way, and months and years but for the calendar; decades and coarser ones keep their year.

    >>> time_value("1616-05-03T00:00:00Z", 11, JULIAN)
    Time(iso='+1616-04-23T00:00:00Z', precision=11, calendar='julian')
    >>> time_value("-0043-01-01T00:00:00Z", 9).iso
    '-0044-00-00T00:00:00Z'

    :return: None if the text is no date
    """
    parts = _DATE_TIME.fullmatch(text)
    if parts is None:
        return None
    year, month, day = int(parts[1] + parts[2]), int(parts[3]), int(parts[4])
    julian = calendar_model == JULIAN
    if julian and precision >= 11 and month and day:
        year, month, day = gregorian_to_julian(year, month, day)
    if precision < 11:
        day = 0
    if precision < 10:
        month = 0
    shown = year - 1 if year <= 0 and precision >= 9 else year  # coarser years are not counted through zero
    clock = f"{parts[5] or '00'}:{parts[6] or '00'}:{parts[7] or '00'}"
    iso = f"{'-' if shown < 0 else '+'}{abs(shown):04d}-{month:02d}-{day:02d}T{clock}Z"
    return Time(iso, precision, "julian" if julian else "gregorian")


def gregorian_to_julian(year: int, month: int, day: int) -> tuple[int, int, int]:
    """The same day in the Julian calendar; years count through zero in both.

    >>> gregorian_to_julian(1917, 11, 7)
    (1917, 10, 25)
    """
    shift = (14 - month) // 12
    y, m = year + 4800 - shift, month + 12 * shift - 3
    day_number = day + (153 * m + 2) // 5 + 365 * y + y // 4 - y // 100 + y // 400 - 32045
    c = day_number + 32082
    d = (4 * c + 3) // 1461
    e = c - 1461 * d // 4
    m = (5 * e + 2) // 153
    return d - 4800 + m // 10, m + 3 - 12 * (m // 10), e - (153 * m + 2) // 5 + 1
