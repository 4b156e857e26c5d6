"""The text of one cell as a number, a date, or a part of an IRI."""

from __future__ import annotations

import re
import unicodedata
from calendar import monthrange
from urllib.parse import quote

from kgstore.loaders.values import XSD

_NUMBER = re.compile(r"[+-]?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?", re.ASCII)
_GROUPED = re.compile(r"[+-]?[1-9]\d{0,2}(?:(?:,\d{3})+|(?: \d{3})+)(?:\.\d+)?", re.ASCII)
_DATE = re.compile(r"(-?\d{4,})(?:-(\d\d)(?:-(\d\d)(?:T(\d\d:\d\d:\d\d)Z?)?)?)?", re.ASCII)
_UNSAFE = re.compile(r"[^\w.~-]")


def slug(name: str) -> str:
    """A name as part of an IRI.

    >>> slug("Zoë  Müller/Berlin")
    'Zoë_Müller%2FBerlin'
    """
    name = re.sub(r"\s+", "_", unicodedata.normalize("NFC", name.strip()))
    return _UNSAFE.sub(lambda match: quote(match[0], safe=""), name)


def words(name: str) -> str:
    """The name of a column or of a kind of edge as one would say it.

    >>> words("WORKS_FOR"), words("worksFor"), words("born in")
    ('works for', 'works for', 'born in')
    """
    if " " in name:
        return name
    if name.isupper() and "_" in name:
        return name.replace("_", " ").lower()
    return re.sub(r"(?<=[a-z])[A-Z](?=[a-z])", lambda match: " " + match[0].lower(), name.replace("_", " "))


def number(text: str, told: bool = False) -> str:
    """A number as a typed literal; empty if it is none. ``007`` is none, and so is ``1,65``.

    :param told: the column is said to hold numbers, so ``4,400,000`` is one
    """
    if told and _GROUPED.fullmatch(text):
        text = text.replace(",", "").replace(" ", "")
    match = _NUMBER.fullmatch(text)
    if match is None:
        return ""
    return f'"{text}"^^<{XSD}{"double" if match[3] else "decimal" if match[2] else "integer"}>'


def is_year(text: str) -> bool:
    return len(text) == 4 and text.isascii() and text.isdecimal()


def date(text: str, wikidata: bool) -> str:
    """An ISO date, year or month as a typed literal; empty if it is none, or there is no such day.

    :param wikidata: write it as Wikidata does, which has nothing but dateTime
    """
    match = _DATE.fullmatch(text)
    if match is None:
        return ""
    year, month, day, clock = match.groups()
    if month and not 1 <= int(month) <= 12:
        return ""
    if day and not 1 <= int(day) <= monthrange(int(year) % 400 + 2000, int(month))[1]:
        return ""
    if clock or wikidata:
        return f'"{year}-{month or "01"}-{day or "01"}T{clock or "00:00:00"}Z"^^<{XSD}dateTime>'
    return f'"{text}"^^<{XSD}{"date" if day else "gYearMonth" if month else "gYear"}>'
