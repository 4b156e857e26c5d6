"""A stored value written the way a text wrote another: "May 5, 1931" stays such a date, "4.4 million" such a number.

Pure functions over strings. Each returns None where the style cannot be kept without guessing.
"""

from __future__ import annotations

import re
from decimal import ROUND_HALF_UP, Decimal

from kgstore.model import Quantity, Time
from kgstore.verbalise import MONTHS, ordinal, plural
from kgstore.verifier.english.words import entry
from kgstore.verifier.values.units import Unit, fold, readings, singular

# -- dates -------------------------------------------------------------------------------------------------------------

_TIME = re.compile(r"([+-])0*(\d+)-(\d\d)-(\d\d)T")
_NAMED_MONTH = re.compile(r"\b(?P<name>[A-Za-z]{3,9})(?P<dot>\.?)")
_NAMED_DAY = re.compile(r"(?<!\d)(?P<day>\d{1,2})(?P<ordinal>st|nd|rd|th)?(?![\d,]?\d)")
_ERA = re.compile(r"\s*\b(?:B\.?C\.?(?:E\.?)?|BCE)(?!\w)")
_NUMBERS = re.compile(r"(\d{1,2})([/.-])(\d{1,2})\2(\d{4})")
_ISO = re.compile(r"(\d{4})([-/])(\d\d)(?:\2(\d\d))?")
_DECADE = re.compile(r"\d{2,3}0(['’]?)s")


def date_like(original: str, stored: Time) -> str | None:
    """The stored date with the parts and in the form of the original; fewer parts where the KG does not have them.

    >>> day = Time("+1815-12-10T00:00:00Z", 11)
    >>> [date_like(text, day) for text in ("5 May 1931", "May 5th, 1931", "Sept. 1931", "1931", "1931-05-05", "1930s")]
    ['10 December 1815', 'December 10th, 1815', 'Dec. 1815', '1815', '1815-12-10', '1810s']
    >>> date_like("5 May 1931", Time("+1815-00-00T00:00:00Z", 9))
    '1815'
    """
    parts = _TIME.match(stored.iso)
    if parts is None or stored.precision < 9:
        return None
    before_christ, year = parts[1] == "-", int(parts[2])
    month = int(parts[3]) if stored.precision >= 10 else 0
    day = int(parts[4]) if stored.precision >= 11 else 0
    if bool(_ERA.search(original)) != before_christ:
        return None  # a text that got the era wrong needs a person
    if found := _DECADE.search(original):
        return original[:found.start()] + f"{year // 10 * 10}{found[1]}s" + original[found.end():]
    if "centur" in original.lower():
        numbered = re.match(r"\d{1,2}(?:st|nd|rd|th)", original)
        return ordinal((year + 99) // 100) + original[numbered.end():] if numbered else None
    if found := _ISO.fullmatch(original):
        if not month or (found[4] and not day):
            return str(year)
        return found[2].join([f"{year:04d}", f"{month:02d}"] + ([f"{day:02d}"] if found[4] else []))
    if found := _NUMBERS.fullmatch(original):
        return _numbers(found, year, month, day)
    return _words(original, year, month, day)


def _numbers(found: re.Match[str], year: int, month: int, day: int) -> str:
    """Day and month in the order that the original shows; where that may be either, the month in words."""
    first, sign, second = int(found[1]), found[2], int(found[3])
    if not day:
        return f"{MONTHS[month - 1]} {year}" if month else str(year)
    if first <= 12 and second <= 12 and sign != ".":
        return f"{day} {MONTHS[month - 1]} {year}"
    width = 2 if len(found[1]) == 2 and len(found[3]) == 2 else 1
    pair = (month, day) if second > 12 else (day, month)
    return sign.join([*(f"{number:0{width}d}" for number in pair), str(year)])


def _words(original: str, year: int, month: int, day: int) -> str | None:
    years = re.findall(r"(?<!\d)\d{3,4}(?!\d)|(?<!\d)\d{1,5}(?=\s*(?:B\.?C|AD\b))", original)
    if len(years) != 1:
        return None
    at = original.rfind(years[0])
    rest = original[at + len(years[0]):]
    named = next((month for month in _NAMED_MONTH.finditer(original) if _month_number(month["name"])), None)
    if named is None:
        return original[:at] + str(year) + rest
    if not month:
        return str(year) + (rest if rest.strip() else "")
    shown = _month_form(named["name"], named["dot"], month)
    numbered = next((day for day in _NAMED_DAY.finditer(original) if day.start() != at), None)
    if numbered is None:
        edits = [(named.span(), shown), ((at, at + len(years[0])), str(year))]
    elif not day:
        return f"{shown} {year}{rest if rest.strip() else ''}"
    else:
        number = ordinal(day) if numbered["ordinal"] else f"{day:02d}" if numbered["day"][0] == "0" else str(day)
        edits = [(named.span(), shown), ((at, at + len(years[0])), str(year)), (numbered.span(), number)]
    for (start, end), new in sorted(edits, reverse=True):
        original = original[:start] + new + original[end:]
    return original


def _month_number(name: str) -> int:
    low = name.lower().removesuffix("t") if name.lower() == "sept" else name.lower()
    return next((n for n, month in enumerate(MONTHS, 1) if month.lower() == low or month[:3].lower() == low), 0)


def _month_form(old: str, dot: str, month: int) -> str:
    """The month's name, as long and as loud as the old one."""
    name = MONTHS[month - 1]
    if (len(old) <= 4 and old.lower() not in ("may", "june", "july")) or (dot and old.lower() != "may"):
        name = name if len(name) <= 4 and dot else name[:3] + (dot if len(name) > 3 else "")
    return name.upper() if old.isupper() else name


# -- amounts -----------------------------------------------------------------------------------------------------------

_SCALES: dict[str, int] = entry("numbers.powers")
_AMOUNT = re.compile(
    r"(?P<number>[−-]?\d+(?:[,.   '’]\d+)*)(?P<gap>[\s-]?)"
    rf"(?P<scale>(?:{'|'.join(_SCALES)})\b)?",
    re.IGNORECASE,
)
_GROUPED = re.compile(r"\d{1,3}(?:([,.   '’])\d{3})+(?!\d)")


def amount_like(
    original: str, unit: str, stored: Quantity, stored_units: tuple[str, ...], *, rounded: bool = False
) -> str | None:
    """The stored amount with the grouping, scale word and unit of the original, converted where the units differ.

    >>> from decimal import Decimal
    >>> amount_like("4.4 million", "", Quantity(Decimal(5127000)), ())
    '5.13 million'
    >>> amount_like("12,000 feet", "foot", Quantity(Decimal(4810)), ("metre",))
    '15,800 feet'

    :param unit: the original's unit, singular; "" where there is none
    :param stored_units: names of the stored unit, () for a plain number
    :param rounded: the text says "about": keep the precision of the original instead of the exact number
    """
    found = _AMOUNT.search(original)
    if found is None:
        return None
    factor = _converted(stored.amount, unit, stored_units)
    if factor is None:
        return None
    value, converted = factor
    power = _SCALES[found["scale"].lower()] if found["scale"] else 0
    value = value.scaleb(-power)
    written = found["number"]
    if rounded or converted or power:
        value = _significant(value, max(3, _digits(written)) if not rounded else max(2, _digits(written)))
    shown = _grouped(value, written)
    new = original[:found.start()] + shown + found["gap"] + (found["scale"] or "") + original[found.end():]
    return _agree(new, found.start() + len(shown), value) if unit and not power else new


def _converted(amount: Decimal, unit: str, stored_units: tuple[str, ...]) -> tuple[Decimal, bool] | None:
    """The amount in the text's unit, and whether it had to be converted; None where that is not certain."""
    if not unit or not stored_units:
        return (amount, False) if not unit and (not stored_units) else None
    theirs = [one for name in stored_units for one in readings(name)]
    for mine in readings(unit):
        for their in theirs:
            if mine.dimension == their.dimension:
                if (mine.factor, mine.offset) == (their.factor, their.offset):
                    return amount, False
                return _convert(amount, their, mine), True
    return (amount, False) if fold(unit) in map(fold, stored_units) else None


def _convert(amount: Decimal, source: Unit, target: Unit) -> Decimal:
    return (amount * source.factor + source.offset - target.offset) / target.factor


def _digits(written: str) -> int:
    digits = re.sub(r"\D", "", written).lstrip("0")
    return len(digits if re.search(r"[.,]\d{1,2}$", written) else digits.rstrip("0")) or 1


def _significant(value: Decimal, digits: int) -> Decimal:
    if not value:
        return value
    return value.quantize(Decimal(1).scaleb(value.adjusted() - digits + 1), ROUND_HALF_UP).normalize()


def _grouped(value: Decimal, written: str) -> str:
    """The number with the original's separators. Without any in the original, there are none: 14976 stays that bare."""
    whole, _, fraction = f"{abs(value):f}".partition(".")
    fraction = fraction.rstrip("0")
    found = _GROUPED.match(written.lstrip("−-"))
    separator = found[1] if found else ""
    small = len(re.sub(r"\D", "", written)) <= 3
    if not separator and small and len(whole) > 4:
        separator = ","  # a short number had no occasion to show a separator
    if separator:
        whole = re.sub(r"(?<=\d)(?=(?:\d{3})+$)", separator, whole)
    point = "," if separator == "." or (not found and re.search(r",\d{1,2}$", written)) else "."
    minus = ("−" if written.startswith("−") else "-") if value < 0 else ""
    return minus + whole + (point + fraction if fraction else "")


_UNIT = re.compile(r"[\s-]?(?:(?:square|cubic|nautical|metric|light)\s)?([A-Za-z]{4,})")


def _agree(text: str, at: int, value: Decimal) -> str:
    """One minute, two minutes: the unit's word after the number agrees with it."""
    word = _UNIT.match(text, at)
    if word is None or text[at:at + 1] == "-":
        return text
    one, shown = singular(word[1]), word[1]
    if value == 1 and shown != one:
        shown = one
    elif value != 1 and shown == one and text[at:at + 1] == " ":
        shown = plural(one)
    return text[:word.start(1)] + shown + text[word.end(1):]

