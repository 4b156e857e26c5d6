"""Values of Wikibase as RDF: the term itself, and the value node that keeps precision, unit and calendar.

Everything is written as Wikibase's own RDF export writes it
(https://www.mediawiki.org/wiki/Wikibase/Indexing/RDF_Dump_Format), with three limits. An impossible date (30
February) is refused, where Wikibase moves it to the last day of the month. Amounts are not converted to base units,
so there are no ``psn:`` and ``quantityNormalized`` triples. Hashes of value nodes are our own (equal for equal
values), as the dump does not carry Wikibase's.
"""

from __future__ import annotations

import re
from functools import lru_cache
from hashlib import blake2b
from math import isfinite
from typing import Any
from urllib.parse import quote

from pyoxigraph import NamedNode

from kgstore.prefixes import WELL_KNOWN

WD, WDV, WIKIBASE, XSD = (WELL_KNOWN[name] for name in ("wd", "wdv", "wikibase", "xsd"))
TYPE = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"
GREGORIAN, JULIAN = "Q1985727", "Q1985786"
EARTH, ONE = f"{WD}Q2", f"{WD}Q199"

Value = tuple[str, str, str]
"""A term in N-Triples, the IRI of its value node (``<..>`` or empty) and that node's triples."""

_TIME = re.compile(r"([+-]?)0*(\d+)-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)Z", re.ASCII)
_AMOUNT = re.compile(r"[+-]?\d+(\.\d+)?", re.ASCII)
_ENTITY = re.compile(r"[QPLEM][1-9]\d*(-[FS][1-9]\d*)?", re.ASCII)
_LETTER = {"item": "Q", "property": "P", "lexeme": "L"}
_TAG = re.compile(r"[A-Za-z]{1,8}(-[A-Za-z0-9]{1,8})*", re.ASCII)
_MODERN = {
    "zh-classical": "lzh",
    "de-formal": "de-x-formal",
    "hu-formal": "hu-x-formal",
    "es-formal": "es-x-formal",
    "nl-informal": "nl-x-informal",
    "simple": "en-simple",
    "roa-tara": "roa-x-tara",
    "map-bms": "jv-x-bms",
}
_DAYS = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_ESCAPES = str.maketrans({'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r"})
_LOOSE_PERCENT = re.compile(r"%(?![0-9A-Fa-f]{2})")
_SPECIAL = re.compile(r'["\\\n\r]')


class BadValue(ValueError):
    """A value that has no exact form in RDF; the text is the reason to count it under."""


def literal(text: str) -> str:
    """A string as an N-Triples literal.

    >>> literal('say "hi"')
    '"say \\\\"hi\\\\""'
    """
    return f'"{text.translate(_ESCAPES)}"' if _SPECIAL.search(text) else f'"{text}"'


@lru_cache(4096)
def tag(language: str) -> str:
    """The language tag for Wikibase's code of a language: old codes that are no valid tag get the valid one.

    >>> tag("zh-classical")
    'lzh'
    """
    language = _MODERN.get(language, language)
    if not _TAG.fullmatch(language):
        raise BadValue("language code is no language tag")
    return language


def iri(text: str) -> str:
    """An IRI in angle brackets; characters that no IRI may hold are percent-encoded."""
    text = text.strip()
    try:
        NamedNode(text)
    except ValueError:
        text = quote(_LOOSE_PERCENT.sub("%25", text), safe="/:?#@!$&'()*+,;=%~")
        try:
            NamedNode(text)
        except ValueError:
            raise BadValue("IRI is not valid") from None
    return f"<{text}>"


def entity(value: Any) -> Value:
    """An entity by its id, or in the old form by kind and number."""
    if not isinstance(value, dict):
        raise BadValue("value does not fit its datatype")
    name = value.get("id")
    if name is None:
        number = value.get("numeric-id")
        kind = value.get("entity-type")
        if type(number) is not int or kind not in _LETTER:
            raise BadValue("entity id is not readable")
        name = f"{_LETTER[kind]}{number}"
    if not isinstance(name, str) or not _ENTITY.fullmatch(name):
        raise BadValue("entity id is not readable")
    return f"<{WD}{name}>", "", ""


def string(value: Any) -> Value:
    if not isinstance(value, str):
        raise BadValue("value does not fit its datatype")
    return literal(value), "", ""


def url(value: Any) -> Value:
    if not isinstance(value, str):
        raise BadValue("value does not fit its datatype")
    return iri(value), "", ""


def media(value: Any) -> Value:
    """A file of Wikimedia Commons, as the address of the file."""
    if not isinstance(value, str):
        raise BadValue("value does not fit its datatype")
    return f"<http://commons.wikimedia.org/wiki/Special:FilePath/{quote(value.strip(), safe='')}>", "", ""


def page(value: Any) -> Value:
    """Map data or a table of Wikimedia Commons (``Data:Belgium.map``)."""
    if not isinstance(value, str):
        raise BadValue("value does not fit its datatype")
    return f"<http://commons.wikimedia.org/data/main/{quote(value.strip(), safe=':/')}>", "", ""


def monolingual(value: Any) -> Value:
    """Monolingual text."""
    if not isinstance(value, dict) or not all(isinstance(value.get(key), str) for key in ("text", "language")):
        raise BadValue("value does not fit its datatype")
    return f"{literal(value['text'])}@{tag(value['language'])}", "", ""


def time(value: Any) -> Value:
    if not isinstance(value, dict) or not isinstance(value.get("time"), str):
        raise BadValue("value does not fit its datatype")
    return _time(value["time"], value.get("precision"), value.get("calendarmodel"), value.get("timezone", 0))


@lru_cache(100_000)
def _time(stamp: str, precision: Any, calendar: Any, timezone: Any) -> Value:
    model = calendar.rpartition("/")[2] if isinstance(calendar, str) else None
    if model not in (GREGORIAN, JULIAN):
        raise BadValue("calendar is unknown")
    if type(precision) is not int or not 0 <= precision <= 14 or type(timezone) is not int:
        raise BadValue("precision of a time is not readable")
    term = f'"{date_time(stamp, precision, model == JULIAN)}"^^<{XSD}dateTime>'
    node = f"<{WDV}{_hash('time', stamp, precision, model, timezone)}>"
    return (
        term,
        node,
        (
            f"{node} {TYPE} <{WIKIBASE}TimeValue> .\n"
            f"{node} <{WIKIBASE}timeValue> {term} .\n"
            f'{node} <{WIKIBASE}timePrecision> "{precision}"^^<{XSD}integer> .\n'
            f'{node} <{WIKIBASE}timeTimezone> "{timezone}"^^<{XSD}integer> .\n'
            f"{node} <{WIKIBASE}timeCalendarModel> <{WD}{model}> .\n"
        ),
    )


def date_time(stamp: str, precision: int, julian: bool) -> str:
    """A Wikibase time as xsd:dateTime (without its datatype).

    Days of the Julian calendar become days of the proleptic Gregorian one. Parts finer than the precision become 01.
    From precision 9 (year) on, years BCE count as XSD counts them: 44 BCE is -0043, because 1 BCE is 0000.

    >>> date_time("+1931-00-00T00:00:00Z", 9, False), date_time("-0044-03-15T00:00:00Z", 11, True)
    ('1931-01-01T00:00:00Z', '-0043-03-13T00:00:00Z')

    :raises BadValue: if there is no such day
    """
    match = _TIME.fullmatch(stamp)
    if match is None:
        raise BadValue("time is not readable")
    sign, digits, month, day, hour, minute, second = match.groups()
    if len(digits) > 30:
        raise BadValue("year is too long")
    year, month, day = int(digits), int(month), int(day)
    if year == 0:
        raise BadValue("there is no year 0")
    if sign == "-":
        year = 1 - year  # astronomical: 1 BCE is 0
    if month > 12 or hour > "23" or minute > "59" or second > "60" or day > (_DAYS[month - 1] if month else 31):
        raise BadValue("there is no such day")
    if month == 2 and day == 29 and not _leap(year, julian):
        raise BadValue("there is no such day")
    if precision >= 10 and not month or precision >= 11 and not day:
        raise BadValue("time is coarser than its precision")
    if precision <= 9:
        month = 1
    if precision <= 10:
        day = 1
    elif julian:
        year, month, day = _gregorian(year, month, day)
    if precision < 9 and sign == "-":
        year -= 1
    clock = f"{hour}:{minute}:{second}" if precision > 11 else "00:00:00"
    return f"{'-' if year < 0 else ''}{abs(year):04d}-{month:02d}-{day:02d}T{clock}Z"


def _leap(year: int, julian: bool) -> bool:
    return year % 4 == 0 and (julian or year % 100 != 0 or year % 400 == 0)


def _gregorian(year: int, month: int, day: int) -> tuple[int, int, int]:
    """Julian to proleptic Gregorian by the day number; any astronomical year (years start in March inside)."""
    shift = (14 - month) // 12
    y, m = year + 4800 - shift, month + 12 * shift - 3
    number = day + (153 * m + 2) // 5 + 365 * y + y // 4 - 32083
    a = number + 32044
    b = (4 * a + 3) // 146097
    c = a - 146097 * b // 4
    d = (4 * c + 3) // 1461
    e = c - 1461 * d // 4
    f = (5 * e + 2) // 153
    return 100 * b + d - 4800 + f // 10, f + 3 - 12 * (f // 10), e - (153 * f + 2) // 5 + 1


def quantity(value: Any) -> Value:
    if not isinstance(value, dict):
        raise BadValue("value does not fit its datatype")
    return _quantity(value.get("amount"), value.get("unit"), value.get("upperBound"), value.get("lowerBound"))


@lru_cache(20_000)
def _quantity(amount: Any, unit: Any, upper: Any, lower: Any) -> Value:
    for number in (amount, *(bound for bound in (upper, lower) if bound is not None)):
        if not isinstance(number, str) or not _AMOUNT.fullmatch(number):
            raise BadValue("amount is no number")
    if not isinstance(unit, str):
        raise BadValue("unit is not readable")
    unit_iri = f"<{ONE}>" if unit == "1" else _unit(unit)
    term = _decimal(amount)
    node = f"<{WDV}{_hash('quantity', amount, unit, upper, lower)}>"
    triples = [
        f"{node} {TYPE} <{WIKIBASE}QuantityValue> .\n"
        f"{node} <{WIKIBASE}quantityAmount> {term} .\n"
        f"{node} <{WIKIBASE}quantityUnit> {unit_iri} .\n"
    ]
    if upper is not None:
        triples.append(f"{node} <{WIKIBASE}quantityUpperBound> {_decimal(upper)} .\n")
    if lower is not None:
        triples.append(f"{node} <{WIKIBASE}quantityLowerBound> {_decimal(lower)} .\n")
    return term, node, "".join(triples)


def _decimal(amount: str) -> str:
    return f'"{amount}"^^<{XSD}decimal>'


def _unit(unit: str) -> str:
    name = unit.rpartition("/")[2]
    if not unit.startswith(("http://", "https://")):
        raise BadValue("unit is not readable")
    return f"<{WD}{name}>" if "://www.wikidata.org/entity/" in unit and _ENTITY.fullmatch(name) else iri(unit)


def coordinate(value: Any) -> Value:
    if not isinstance(value, dict):
        raise BadValue("value does not fit its datatype")
    latitude: Any = value.get("latitude")
    longitude: Any = value.get("longitude")
    precision: Any = value.get("precision")
    for number in (latitude, longitude, 0 if precision is None else precision):
        if type(number) not in (int, float) or not isfinite(number):
            raise BadValue("coordinate is no number")
    if not -90 <= latitude <= 90 or not -180 <= longitude <= 360:
        raise BadValue("coordinate lies off the globe")
    globe = value.get("globe") or EARTH
    if not isinstance(globe, str):
        raise BadValue("globe is not readable")
    globe = _unit(globe)
    where = "" if globe == f"<{EARTH}>" else f"{globe} "
    node = f"<{WDV}{_hash('coordinate', latitude, longitude, precision, globe)}>"
    finer = "" if precision is None else f'{node} <{WIKIBASE}geoPrecision> "{precision!r}"^^<{XSD}double> .\n'
    return (
        f'"{where}Point({_plain(longitude)} {_plain(latitude)})"^^<{WELL_KNOWN["geo"]}wktLiteral>',
        node,
        (
            f"{node} {TYPE} <{WIKIBASE}GlobecoordinateValue> .\n"
            f'{node} <{WIKIBASE}geoLatitude> "{latitude!r}"^^<{XSD}double> .\n'
            f'{node} <{WIKIBASE}geoLongitude> "{longitude!r}"^^<{XSD}double> .\n'
            f"{node} <{WIKIBASE}geoGlobe> {globe} .\n{finer}"
        ),
    )


def _plain(number: float) -> str:
    """Without an exponent: WKT readers do not all know one."""
    shown = repr(number)
    return f"{number:.20f}".rstrip("0").rstrip(".") if "e" in shown else shown.removesuffix(".0")


def _hash(*parts: Any) -> str:
    return blake2b("|".join(map(str, parts)).encode("utf-8", "replace"), digest_size=16).hexdigest()
