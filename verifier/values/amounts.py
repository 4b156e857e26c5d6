"""Amounts in running text."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from decimal import Decimal, localcontext

from kgstore.verifier.english.words import either, entry, words
from kgstore.verifier.values.dates import DateValue, find_dates
from kgstore.verifier.values.number_words import SCALES, WORDS, find_number_words
from kgstore.verifier.values.units import readings, singular


@dataclass(frozen=True, slots=True)
class Amount:
    """A number as a text gives it.

    :param unit: the unit as written, singular ("metre", "US dollar", "%", "€"), "" where there is none
    :param noun: what is counted, as written ("people", "career points"), where no unit follows
    :param digits: significant digits written; the closing zeros of a whole number do not count
    :param step: one unit in the last written place: 1 for 14,976, 0.01 for 1.63, 100000 for "4.4 million"
    :param bound: "", "at least", "at most", "more than" or "less than"
    """

    value: Decimal
    unit: str = ""
    approximate: bool = False
    digits: int = 1
    bound: str = ""
    step: Decimal = Decimal(1)
    noun: str = ""


Found = tuple[int, int, Amount]

_SHORT: dict[str, int] = entry("numbers.short")
_FRACTIONS = {"½": Decimal("0.5"), "¼": Decimal("0.25"), "¾": Decimal("0.75")}
_RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻−", "0123456789--")

_SIGNS = r"(?:US|CA|AU|HK|NZ|NT|MX|CN|GB|JP|[ACRSU])?-?\$|[€£¥₹₽₩₴₺₱₪₦]|(?:CN|JP)¥|GB£"
_CODES = r"(?:USD|EUR|GBP|JPY|CNY|RMB|CAD|AUD|CHF|INR|BRL|SEK|NOK|DKK|CZK|PLN|RUB|HKD|SGD|NZD|MXN|KRW|UAH|SAR|ZAR)"
_NUMBER = re.compile(rf"""
    (?P<minus>(?<![\w.)\]])[-−–]\s?|\b[Mm]inus\s|\b[Nn]egative\s)?
    (?:(?P<sign>(?<!\w)(?:{_SIGNS})|\b{_CODES}(?=\s?\d))\s?(?P<minus2>[-−])?)?
    (?<![\w.,:/\\#])(?<![\w)][-–—])
    (?P<digits>\d{{1,3}}(?P<gap>[,\s\u2009'])\d{{3}}(?:(?P=gap)\d{{3}})*(?!\d)(?:\.\d+)?    # 4,400,000.5
        |\d{{1,3}}(?:\.\d{{3}}){{2,}}                                                       # 4.400.000
        |\d*\.\d+|\d+)
    (?P<fraction>[½¼¾])?
    (?:\s?[×x]\s?10\s?\^?(?P<power>[-−⁻]?(?:[⁰¹²³⁴-⁹]+|\d+))|[eE](?P<exponent>[+-]?\d+)(?!\w))?
    (?!\d|[.,:/]\d|[-–—−]\d)
    (?P<rest>(?P<scales>(?:[\s-]?(?:hundred|thousand|million|billion|trillion|dozen)\b)+)
        |(?P<short>\s?(?:mln|mn|bn|tn|[kKmMbB])\b)
        |)
""", re.VERBOSE)
_QUICK = re.compile(r"\d|\b(?:" + "|".join((*WORDS, *SCALES)) + ")", re.IGNORECASE)

_TOKEN = re.compile(r"""[\s-]?(?:U\.\s?S\.|US-?\$|[^\W\d_]+(?:[²³]|\^?[23](?![\d.,]\d))?\.?(?=\W|$)"""
                    r"""|°\s?[CFK]?(?!\w)|[%‰€£$¥₽₹₩℃℉′″'"]|/\s?[^\W\d_]+(?:[²³]|\^?[23](?!\d))?)""")
_RISKY = words("units.risky")
_RISKY_END = re.compile(rf"\s*(?:$|[.,;:)]|{either('units.behind_risky')}\b)")
_NO_AMOUNT = re.compile(r"['’]?s\b|\s?[ap]\.?m\b")                      # the 1930s, 9 a.m.
_INCHES = re.compile(r"\s?\d{1,2}(?:\.\d+)?\s?(?:[\"″]|''|in\b)")
_FOOT_AND = re.compile(r"-(\d{1,2})(?!\w)")
_NOUN = re.compile(r"(?:[\s-]+(?![A-Z]{2})[^\W\d_]+(?:-[^\W\d_]+)*){1,4}")
_STOP = words("units.none")

_ABOUT = re.compile(rf"(?:\b{either('amounts.about')}|[~≈])\s*(?:an?\s|the\s)?$", re.IGNORECASE)
_BOUNDS = tuple(
    (bound, re.compile(rf"\b(?:{'|'.join(written)})\s+(?:an?\s|the\s)?$", re.IGNORECASE))
    for bound, written in entry("amounts.bounds").items())
_AFTER = re.compile(r"(?:\s+[a-z]+)?\s*(?:(?P<least>\+|or more|or above|and above|at least|minimum\b)"
                    r"|(?P<most>or less|or fewer|or below|at most|maximum\b)|(?P<so>or so\b))")
_BETWEEN_PARTS = re.compile(r"\s*(?:,|,?\s*and\s)?\s*")
_OF_PER = re.compile(r" of [a-z]+ (per [a-z]+)(?!\w)")
_COMBINED = frozenset(("length", "time", "mass", "angle"))


def find_amounts(text: str) -> list[Found]:
    """Amounts with offsets, in reading order. The span covers number, scale word and unit, not "about" or the noun.

    Numbers inside a certain date are left out; one that may be a year or not is found here and by `find_dates`.

    >>> [(found[2].value, found[2].unit) for found in find_amounts("It is about 1.63 metres tall and cost $12m.")]
    [(Decimal('1.63'), 'metre'), (Decimal('12000000'), '$')]
    """
    if not _QUICK.search(text):
        return []
    dates = [(start, end) for start, end, date in find_dates(text) if date.certain]
    found = [item for match in _NUMBER.finditer(text) if (item := _from_digits(text, match))]
    found = [item for item in found if item[2].unit or not _overlaps(item[0], item[1], dates)]
    taken = [(start, end) for start, end, _ in found]
    for start, end, value in find_number_words(text):
        if not _overlaps(start, end, taken) and (item := _with_unit(text, start, end, _worded(value))):
            found.append(item)
    found.sort(key=lambda item: item[0])
    # in "0 $0" the sign belongs to the number behind it, and the one before is left out
    found = [item for item, after in zip(found, [*found[1:], None], strict=False) if not after or item[1] <= after[0]]
    return [(start, end, _qualified(text, start, end, amount)) for start, end, amount in _joined(text, found)]


def _overlaps(start: int, end: int, spans: list[tuple[int, int]]) -> bool:
    return any(start < last and first < end for first, last in spans)


def _from_digits(text: str, match: re.Match[str]) -> Found | None:
    written = match["digits"]
    if match["gap"]:
        whole, point, decimals = written.partition(".")
        written = re.sub(r"\D", "", whole) + point + decimals
    elif written.count(".") > 1:
        written = written.replace(".", "")
    if len(written) > 60:                                               # no amount that anybody means
        return None
    value = Decimal(written)
    exponent = min(int(value.as_tuple().exponent), 0)
    if match["fraction"]:
        value, exponent = value + _FRACTIONS[match["fraction"]], -1
    scale, end, unit = Decimal(1), match.start("rest"), match["sign"] or ""
    if match["scales"]:
        end = match.end("scales")
        for word in re.findall(r"[a-z]+", match["scales"]):
            scale *= SCALES[word]
    short = match["short"]
    if short and (unit or short in ("k", "mn", "mln", "bn", "tn") or short in (" mn", " mln", " bn", " tn")):
        scale, end = Decimal(_SHORT[short.strip().lower()]), match.end("short")
    if power := (match["power"] or match["exponent"] or "").translate(_RAISED):
        if abs(int(power)) > 60:
            return None
        scale = scale.scaleb(int(power))
    with localcontext() as context:
        context.prec = 150
        value, step = _plain(value * scale), _plain(Decimal(1).scaleb(exponent) * scale)
    if match["minus"] or match["minus2"]:
        value = -value
    return _with_unit(text, match.start(), end, Amount(value, unit, digits=significant(value, step), step=step))


def _worded(value: Decimal) -> Amount:
    step = Decimal(1)
    if value != value.to_integral_value():
        step = Decimal("0.1")
    elif value >= 1000:
        step = _plain(Decimal(1).scaleb(value.adjusted() - significant(value, step) + 1))
    return Amount(value, digits=significant(value, step), step=step)


def _plain(number: Decimal) -> Decimal:
    """A whole number without exponent or decimals, others as they are."""
    return Decimal(int(number)) if number >= 1 and number == number.to_integral_value() else number


def significant(value: Decimal, step: Decimal) -> int:
    """Significant digits; closing zeros count after a written point only.

    >>> significant(Decimal("30000"), Decimal(1)), significant(Decimal("1.60"), Decimal("0.01"))
    (1, 3)
    """
    if value == 0:
        return 1
    number = value.normalize()
    length = len(number.as_tuple().digits)
    return max(length, value.adjusted() - step.adjusted() + 1) if step < 1 else length


def _with_unit(text: str, start: int, end: int, amount: Amount) -> Found | None:
    """``amount`` with the unit or noun behind it; None where letters are glued to the number ("21st", "1934VQ")."""
    if _NO_AMOUNT.match(text, end):
        return None
    ends, at = list[int](), end
    while len(ends) < 6 and (token := _TOKEN.match(text, at)):
        at = token.end()
        ends.append(at)
    for stop in reversed(ends):
        written = text[end:stop].lstrip(" \u00a0\u202f-")
        if written.endswith(".") and not written.endswith("S."):
            written, stop = written[:-1], stop - 1
        if _is_unit(text, end, stop, written) and not (written == '"' == text[start - 1 : start]):  # quoted: no inches
            amount = replace(amount, unit=amount.unit or _singular(written))
            if amount.unit == "foot" and (inches := _FOOT_AND.match(text, stop)):             # 6-foot-2
                return start, inches.end(), replace(amount, value=12 * amount.value + int(inches[1]), unit="inch")
            return start, *_per(text, stop, amount)
    if end < len(text) and (text[end].isalpha() or text[end] in "_²³"):
        return None
    return start, end, amount if amount.unit else replace(amount, noun=_noun(text, end))


def _per(text: str, stop: int, amount: Amount) -> tuple[int, Amount]:
    """ "316 cubic metres of water per second": the unit goes on behind what is measured."""
    match = _OF_PER.match(text, stop)
    unit = f"{amount.unit} {match[1]}" if match else ""
    return (match.end(), replace(amount, unit=unit)) if match and readings(unit) else (stop, amount)


def _is_unit(text: str, end: int, stop: int, written: str) -> bool:
    """Is this a unit here? Short ones are words too: "5 in 1990", "20 A films"."""
    if not readings(written):
        return False
    if written == "'":
        return bool(_INCHES.match(text, stop))
    if written not in _RISKY or text[end] == "-":
        return True
    if text[end].isalpha():
        return written != "a"
    return written not in ("a", "as", "at") and bool(_RISKY_END.match(text, stop))


def _singular(unit: str) -> str:
    head, per, tail = unit.partition(" per ")
    words = re.split(r"[\s-]+", head)
    return " ".join(singular(word) if word.islower() and word.isalpha() else word for word in words) + per + tail


def _noun(text: str, end: int) -> str:
    match = _NOUN.match(text, end)
    if match is None:
        return ""
    if match[0][0] == "-":                                              # a three-storey building
        return match[0][1:].split()[0].split("-")[0]
    words: list[str] = []
    for word in match[0].split():
        if word.lower() in _STOP:
            break
        words.append(word)
    return " ".join(words[:3])


def _joined(text: str, found: list[Found]) -> list[Found]:
    """5 ft 4 in and "2 hours and 5 minutes" are one amount each, in the smaller unit."""
    joined: list[Found] = []
    for start, end, amount in found:
        if joined:
            first, middle, larger = joined[-1]
            value = None
            if larger.unit in ("'", "′", "foot", "ft") and not amount.unit and not amount.noun and start - middle < 2:
                end += text[end:end + 1] in ('"', "″")                  # 5'4", 5 ft 4
                amount = replace(amount, unit="inch")
            if amount.unit and _BETWEEN_PARTS.fullmatch(text, middle, start):
                value = _sum(larger, amount)
            if value is not None:
                joined[-1] = first, end, replace(amount, value=value, digits=significant(value, amount.step))
                continue
        joined.append((start, end, amount))
    return joined


def _sum(larger: Amount, smaller: Amount) -> Decimal | None:
    if not larger.unit or larger.value != larger.value.to_integral_value() or smaller.value < 0:
        return None
    for big in readings(larger.unit):
        for small in readings(smaller.unit):
            if big.dimension == small.dimension and big.dimension in _COMBINED and big.factor > small.factor:
                ratio = (big.factor / small.factor).quantize(Decimal("1E-9")).normalize()
                if smaller.value < ratio:
                    return larger.value * ratio + smaller.value
    return None


def _qualified(text: str, start: int, end: int, amount: Amount) -> Amount:
    """``amount`` with what the words around it say: "about", "at least", "or more"."""
    before = text[max(0, start - 40):start]
    bound = next((name for name, pattern in _BOUNDS if pattern.search(before)), "")
    after = _AFTER.match(text, end)
    if after and not bound:
        bound = "at least" if after["least"] else "at most" if after["most"] else ""
    approximate = bool(_ABOUT.search(before)) or bool(after and after["so"])
    return replace(amount, bound=bound, approximate=approximate) if bound or approximate else amount


def as_year(amount: Amount) -> DateValue | None:
    """The year that a bare number may be, for a relation that asks for a date: "The date of birth of A is 1800".

    >>> as_year(find_amounts("The date of birth of A is 1800.")[0][2]).year
    1800
    """
    bare = not (amount.unit or amount.noun or amount.bound) and amount.step == 1
    if not bare or not 1 <= amount.value < 2200:
        return None
    return DateValue(int(amount.value), approximate=amount.approximate, certain=False)
