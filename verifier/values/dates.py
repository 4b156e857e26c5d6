"""Dates in running text."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from kgstore.verbalise import MONTHS
from kgstore.verifier.english.words import either, ordered, words
from kgstore.verifier.values.units import readings

Found = tuple[int, int, "DateValue"]


@dataclass(frozen=True, slots=True)
class DateValue:
    """A date as a text gives it.

    :param year: first year meant; negative is BCE and there is no year 0
    :param precision: Wikibase's: 6 millennium, 7 century, 8 decade, 9 year, 10 month, 11 day
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


_MONTHS = tuple(one[:3].lower() for one in MONTHS)
_ORDINALS = ordered("numbers.ordinals")

_MONTH = (r"(?P<month>(?i:jan(?:uary)?|feb(?:ruary)?|apr(?:il)?|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|"
          r"nov(?:ember)?|dec(?:ember)?)|Mar(?:ch)?|MAR(?:CH)?|May|MAY)\b\.?")
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_BC = r"(?:BCE?(?!\w)|B\.\s?C\.(?:\s?E\.)?)"
_ERA = rf"(?:\s?(?P<era>{_BC}|(?:AD|A\.D\.|CE|C\.E\.)(?!\w)))"
_END = r"(?!\w|[.,:/]\d|-\d|\s?%)"
_YEAR = (rf"(?:AD\s+)?(?:(?P<yera>\d{{1,4}}){_ERA}|(?P<year>\d{{4}}){_END}"
         r"|(?P<year3>\d{3})(?=\s*(?:[.,;:)](?!\d)|$)))")
_START = r"(?:(?<![\w/.,:-])|(?<=[Mm]id-))"

_PATTERNS: tuple[tuple[str, re.Pattern[str]], ...] = tuple((kind, re.compile(pattern)) for kind, pattern in (
    ("iso", r"(?<![\w/.])(?P<year>[+-]?\d{4,})([-/])(?P<month>\d\d)\2(?P<day>\d\d)(?:T[\d:.]+Z?)?(?![\w/-])"),
    ("words", rf"{_START}{_DAY}[\s-]+(?:day\s+)?(?:of\s+)?{_MONTH},?[\s-]+(?:of\s+)?(?:the\s+year\s+)?{_YEAR}"),
    ("words", rf"\b{_MONTH}\s+(?:the\s+)?{_DAY}(?:,?\s+(?:of|in)\s+(?:the\s+year\s+)?|,\s*|\s+){_YEAR}"),
    ("numbers", r"(?<![\w/.-])(?P<day>\d{1,2})([-/.])(?P<month>\d{1,2})\2(?P<year>\d{4})(?![\w/-])"),
    ("words", rf"{_START}(?P<year>\d{{4}})\s+{_MONTH}\s+{_DAY}(?![\w/:-]|[.,]\d)"),
    ("words", rf"\b{_MONTH},?\s+(?:of\s+)?{_YEAR}"),
    ("iso", r"(?<![\w/.-])(?P<year>\d{4})-(?P<month>0[1-9]|1[0-2])(?![\w/-])"),
    ("century", rf"\b(?:(?P<n>\d{{1,2}})(?:st|nd|rd|th)|(?P<word>(?i:{'|'.join(reversed(_ORDINALS))})))[\s-]"
                rf"(?P<what>[Cc]entur(?:y|ies)|[Mm]illenni(?:um|a))\b{_ERA}?"),
    ("decade", rf"{_START}(?P<year>\d{{2,3}}0)['’]?s\b{_ERA}?"),
    ("range", rf"{_START}(?P<year>\d{{3,4}})\s?(?P<dash>[–—-])\s?(?P<last>\d{{2,4}})(?![\w–—-]|[.,]\d){_ERA}?"),
    ("year", rf"{_START}(?:(?:AD|A\.D\.)\s(?P<ad>\d{{1,4}}){_END}|(?P<yera>\d{{1,2}},\d{{3}}|\d{{1,5}}){_ERA})"),
    ("bare", rf"(?<![\w/.,:$€£¥#+−-])(?P<year>\d{{3,4}}){_END}"),
))
_QUICK = re.compile(r"\d|[Cc]entur|[Mm]illenn")

_APPROXIMATE = re.compile(
    rf"(?:\b(?i:{either('dates.about')})\b\.?|~)\s*(?:the\s+(?:year\s+)?)?$")
_PART = re.compile(rf"\b(?i:(?P<early>{either('dates.early')})|(?P<mid>{either('dates.mid')})"
                   rf"|(?P<late>{either('dates.late')}))(?:\s+|-)(?:the\s+)?$")
_BEFORE_YEAR = re.compile(
    rf"(?:\b(?i:{either('dates.before_year')})\b\.?\s+(?:the\s+year\s+)?|[(–—]|\bmid-|~)$")
_JOINED = re.compile(r"\s*(?:,|,?\s(?:and|or|to|until)\s|[-–—&])\s*")
_YEAR_WORD = re.compile(r"\b[Yy]ear\s+$")
_THE_YEAR = re.compile(r"\b[Tt]he\s+year\s+$")
_WITNESSING = words("dates.witnessing")
_ARTICLE = re.compile(r"\b(?i:a|an|the|its|his|her|their)\s+$")
_NEXT_WORD = re.compile(r"[\s-]+([a-z]+)")
_NAMED_NEXT = re.compile(r"\s+([A-Z][a-z]+)")
_SINGLE = re.compile(r"\b(?i:an?)\s+$")
_NOT_COUNTED = words("dates.behind_year")
_COUNTED = words("dates.counted")


def find_dates(text: str) -> list[Found]:
    """Dates with their offsets, in reading order, never overlapping. The span leaves out "in", "circa" and "early".

    >>> [(text, value.year, value.month, value.day)
    ...  for start, end, value in find_dates("Born on May 5th, 1931, in Rome.") for text in ["May 5th, 1931"]]
    [('May 5th, 1931', 1931, 5, 5)]
    """
    if not _QUICK.search(text):
        return []
    found: list[Found] = []
    for kind, pattern in _PATTERNS:
        for match in pattern.finditer(text):
            start, end = match.span()
            if all(end <= other[0] or start >= other[1] for other in found):
                value = _read(kind, match)
                if value is not None:
                    found.append((start, end, _qualified(text, start, value)))
    found.sort(key=lambda item: item[0])
    for i, (start, end, value) in enumerate(found[1:], 1):                       # "in 2001 and 2003"
        if not value.certain and found[i - 1][2].certain and _JOINED.fullmatch(text, found[i - 1][1], start):
            found[i] = start, end, replace(value, certain=True)
    return found


def _read(kind: str, match: re.Match[str]) -> DateValue | None:
    """The value of one match, None where the numbers make no date."""
    part = match.groupdict()
    if kind == "century":
        return _century(part)
    digits = part.get("year") or part.get("yera") or part.get("year3") or part.get("ad") or "0"
    year = int(digits.replace(",", ""))
    if (part.get("era") or "").startswith("B"):
        year = -year
    if year == 0:
        return None
    if kind == "decade":
        width = 100 if year % 100 == 0 else 10
        first, last = sorted((year, year + (width - 1 if year > 0 else 1 - width)))
        return DateValue(first, precision=7 if width == 100 else 8, last_year=last)
    if kind == "range":
        return _range(year, part)
    if kind == "bare":
        return _bare_year(year, match)
    month = part.get("month")
    if month is None:
        return DateValue(year)
    number = int(month) if month.isdigit() else 1 + _MONTHS.index(month[:3].lower())
    if part.get("day") is None:
        return DateValue(year, number, precision=10)
    day = int(part["day"])
    value, swapped = _date(year, number, day), None
    if kind == "numbers":
        swapped = _date(year, day, number)
        if value is None or value == swapped:
            return swapped
    return value and replace(value, swap=swapped)


def _date(year: int, month: int, day: int) -> DateValue | None:
    real = 1 <= month <= 12 and 1 <= day <= (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)[month - 1]
    return DateValue(year, month, day, 11) if real else None


def _century(part: dict[str, str | None]) -> DateValue | None:
    number = int(part["n"]) if part["n"] else 1 + _ORDINALS.index(str(part["word"]).lower())
    width = 100 if str(part["what"]).lower().startswith("c") else 1000
    if not number:
        return None
    first, last = (number - 1) * width + 1, number * width
    if (part["era"] or "").startswith("B"):
        first, last = -last, -first
    return DateValue(first, precision=7 if width == 100 else 6, last_year=last)


def _range(year: int, part: dict[str, str | None]) -> DateValue | None:
    last = int(str(part["last"]))
    if year < 0:
        first, last = year, -last
    else:
        first = year
        if last < 100 and len(str(part["last"])) == 2:
            last += year - year % 100
    four = len(str(part["year"])) == 4 and 1000 <= abs(year) < 2200
    return DateValue(first, last_year=last) if first < last and (four or part["era"]) else None


def _bare_year(year: int, match: re.Match[str]) -> DateValue | None:
    text, start = match.string, match.start()
    before = text[max(0, start - 30):start]
    if not 1000 <= year < 2200 and not _YEAR_WORD.search(before):
        return None
    after = _NEXT_WORD.match(text, match.end())
    word = after.group(1) if after else ""
    counted = word in _COUNTED or (len(word) > 2 and word.endswith("s") and word not in _NOT_COUNTED)
    witness = not before.strip() and word in _WITNESSING  # "1955 saw the death of ..."
    if witness or _THE_YEAR.search(before):
        return DateValue(year)
    certain = not counted and bool(_BEFORE_YEAR.search(before) or (word and _ARTICLE.search(before)))
    name = _NAMED_NEXT.match(text, match.end()) if _SINGLE.search(before) else None  # "a 2003 American film"
    return DateValue(year, certain=certain or name is not None and not readings(name[1]))


def _qualified(text: str, start: int, value: DateValue) -> DateValue:
    """``value`` with what stands before it: "circa", "early"."""
    before = text[max(0, start - 30):start]
    part = _PART.search(before) if value.precision < 10 else None
    if part:
        before = before[:part.start()]
        value = replace(value, part=str(part.lastgroup), certain=True)
    return replace(value, approximate=True) if _APPROXIMATE.search(before) else value
