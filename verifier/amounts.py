"""Amounts in running text, and how they compare with stored quantities."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal, localcontext
from functools import lru_cache

from kgstore.model import Quantity
from verifier.agreement import Agreement, best
from verifier.dates import find_dates
from verifier.units import COUNTING, Unit, fold, readings, singular


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
Names = Callable[[str], Sequence[str]]

# -- finding ------------------------------------------------------------------------------------------------------------

_ONES = ("zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
         "eighteen nineteen").split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_WORDS = {word: i for i, word in enumerate(_ONES)} | {word: 10 * i for i, word in enumerate(_TENS, 2)}
_SCALES = {"dozen": 12, "hundred": 100, "thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12}
_SHORT = {"k": 10**3, "mn": 10**6, "mln": 10**6, "m": 10**6, "bn": 10**9, "b": 10**9, "tn": 10**12}

_SIGNS = r"(?:US|CA|AU|HK|NZ|NT|MX|CN|GB|JP|[ACRSU])?-?\$|[€£¥₹₽₩₴₺₱₪₦]|(?:CN|JP)¥|GB£"
_CODES = r"(?:USD|EUR|GBP|JPY|CNY|RMB|CAD|AUD|CHF|INR|BRL|SEK|NOK|DKK|CZK|PLN|RUB|HKD|SGD|NZD|MXN|KRW|UAH|SAR|ZAR)"
_NUMBER = re.compile(rf"""
    (?P<minus>(?<![\w.)\]])[-−–]\s?|\b[Mm]inus\s|\b[Nn]egative\s)?
    (?:(?P<sign>(?<!\w)(?:{_SIGNS})|\b{_CODES}(?=\s?\d))\s?(?P<minus2>[-−])?)?
    (?<![\w.,:/\\#])(?<![\w)][-–—])
    (?P<digits>\d{{1,3}}(?P<gap>[,\s\u2009'])\d{{3}}(?:(?P=gap)\d{{3}})*(?!\d)(?:\.\d+)?|\d{{1,3}}(?:\.\d{{3}}){{2,}}|\d*\.\d+|\d+)
    (?P<half>½|¼|¾)?
    (?:\s?[×x]\s?10\s?\^?(?P<power>[-−⁻]?(?:[⁰¹²³⁴-⁹]+|\d+))|[eE](?P<exponent>[+-]?\d+)(?!\w))?
    (?!\d|[.,:/]\d|[-–—−]\d)
    (?P<rest>(?P<scales>(?:[\s-]?(?:hundred|thousand|million|billion|trillion|dozen)\b)+)
        |(?P<short>\s?(?:mln|mn|bn|tn|[kKmMbB])\b)
        |)
""", re.VERBOSE)
_WORD = rf"(?:{'|'.join(sorted((*_WORDS, *_SCALES), key=len, reverse=True))})"
_WORDY = re.compile(rf"(?<![\w-])(?:(?P<half>half an?\s)(?={_WORD})|(?P<a>an?\s)(?=(?:dozen|hundred|thousand|million|billion|"
                    rf"trillion)\b))?(?P<words>{_WORD}(?:(?:\sand)?[\s-]+{_WORD})*(?P<plushalf>\sand\sa\shalf)?"
                    rf"(?P<tail>(?:\s(?:million|billion|thousand)))?)(?!\w|-\w+-(?!old|high|long|tall|wide))", re.IGNORECASE)
_QUICK = re.compile(rf"\d|\b{_WORD}\b", re.IGNORECASE)
_SENTENCE = re.compile(r"(?:^|[.!?:;]\s+|[\"“(]\s*)$")
_ONE_OF = re.compile(r"\s+(?:of|another|day|more|or|such|who|that|which|can|may|must|is|was|the)\b|-")
_NOT_ONE = re.compile(r"\b(?:no|any|every|some|each|the|this|that|which|first|last|another|only|it|as|a)\s$", re.IGNORECASE)

_TOKEN = re.compile(r"[\s-]?(?:U\.\s?S\.|US-?\$|[^\W\d_]+(?:[²³]|\^?[23](?![\d.,]\d))?\.?(?=\W|$)|°\s?[CFK]?(?!\w)|[%‰€£$¥₽₹₩℃℉]"
                    r"|[′″'\"]|/\s?[^\W\d_]+(?:[²³]|\^?[23](?!\d))?)")
_RISKY = frozenset(("in", "a", "A", "d", "at", "as", "B", "C", "F", "T", "J", "N", "P", "are", "bar", "u", "mark", "Da", "pt",
                    "real", "rand", "bit", "sec", "ac", "kr", "won", "second", "sterling", "rad", "kn", "mag", "AU", "au", "ua"))
_RISKY_END = re.compile(r"\s*(?:$|[.,;:)]|(?:wide|long|high|tall|deep|thick|away|and|per)\b)")
_NO_AMOUNT = re.compile(r"['’]?s\b(?!\s?[a-z]*/)|\s?[ap]\.?m\b")               # the 1930s, 9 a.m.
_INCHES = re.compile(r"\s?\d{1,2}(?:\.\d+)?\s?(?:[\"″]|''|in\b)")
_FOOT_AND = re.compile(r"-(\d{1,2})(?!\w)")
_NOUN = re.compile(r"(?:[\s-]+(?![A-Z]{2})[^\W\d_]+(?:-[^\W\d_]+)*){1,4}")
_STOP = frozenset("""a an the and or but of in on at by for from to with without into onto over under above below per as than that
    which who whom whose where when while is are was were be been being has have had do does did can could may might will would
    shall should must not no it its he she they them his her their this these those each every some any all both more less fewer
    most least times so such if because since until after before during between among about around there here then also only
    just out up down off ago later earlier according including via against high tall long wide deep old strong live lives lived work works visit visits visited took
    take takes attended participated died make makes made won plus minus percent or""".split())

_APPROXIMATE = re.compile(r"(?:\b(?:about|around|roughly|approximately|approx\.?|circa|c\.|ca\.|some|nearly|almost|close to|near|"
                          r"estimated(?: at| to be)?|just over|just under|in the region of|in the order of|on the order of|"
                          r"an average of|averaging)|[~≈])\s*(?:an?\s|the\s|[A-Z]{0,2}\$)?$", re.IGNORECASE)
_BOUNDS = tuple((bound, re.compile(rf"\b(?:{words})\s+(?:an?\s|the\s)?$", re.IGNORECASE)) for bound, words in (
    ("at least", "at least|no less than|no fewer than|not less than|not fewer than|(?:a )?minimum of|at minimum"),
    ("at most", "at most|up to|no more than|not more than|(?:a )?maximum of|at maximum|as many as|as much as"),
    ("more than", "more than|over|above|exceeding|exceeds|exceed|exceeded|greater than|upwards? of|in excess of|longer than|"
                  "higher than|taller than|larger than|bigger than|heavier than|older than"),
    ("less than", "less than|fewer than|under|below|lower than|shorter than|smaller than|lighter than|younger than"),
))
_AFTER = re.compile(r"(?:\s+[a-z]+)?\s*(?:(?P<least>\+|or more|or above|and above|at least|minimum\b)"
                    r"|(?P<most>or less|or fewer|or below|at most|maximum\b)|(?P<so>or so\b))")
_PARTS = re.compile(r"\s*(?:,|,?\s*and\s)?\s*")
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
    found = [item for item in found if item[2].unit or not any(start < item[1] and item[0] < end for start, end in dates)]
    for match in _WORDY.finditer(text):
        if all(match.end() <= start or end <= match.start() for start, end, _ in found):
            if item := _from_words(text, match):
                found.append(item)
    found.sort(key=lambda item: item[0])
    return [(start, end, _qualified(text, start, end, amount)) for start, end, amount in _joined(text, found)]


def _from_digits(text: str, match: re.Match[str]) -> Found | None:
    written = match["digits"]
    if match["gap"] or written.count(".") > 1:
        head, dot, tail = written.rpartition(".") if match["gap"] else (written, "", "")
        written = re.sub(r"\D", "", head or tail) + (dot + tail if head and dot else "")
    value = Decimal(written)
    exponent = min(int(value.as_tuple().exponent), 0)
    if match["half"]:
        value, exponent = value + {"½": Decimal("0.5"), "¼": Decimal("0.25"), "¾": Decimal("0.75")}[match["half"]], -1
    scale, end, unit = Decimal(1), match.start("rest"), match["sign"] or ""
    if match["scales"]:
        end = match.end("scales")
        for word in re.findall(r"[a-z]+", match["scales"]):
            scale *= _SCALES[word]
    short = match["short"]
    if short and (unit or not short[0].isspace() or len(short) > 2):
        key = short.strip()
        if unit or key in ("k", "mn", "mln", "bn", "tn"):
            scale, end = Decimal(_SHORT[key.lower()]), match.end("short")
    if power := match["power"] or match["exponent"]:
        power = power.translate(str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻−", "0123456789--"))
        if abs(int(power)) > 60:
            return None
        scale = scale.scaleb(int(power))
    with localcontext() as context:
        context.prec = 60
        value, step = _plain(value * scale), _plain(Decimal(1).scaleb(exponent) * scale)
    if match["minus"] or match["minus2"]:
        value = -value
    return _with_unit(text, match.start(), end, Amount(value, unit, digits=_digits(value, step), step=step))


def _from_words(text: str, match: re.Match[str]) -> Found | None:
    start, words = match.start(), re.findall(r"[a-z]+", match["words"].lower())
    lone = match["words"].lower() in ("one", "dozen", "hundred", "thousand", "million", "billion", "trillion") and not match["a"]
    if text[start].isupper() and not (_SENTENCE.search(text[max(0, start - 4):start]) and text[match.end():match.end() + 2] != " "
                                      and not re.match(r"\s[A-Z]", text[match.end():])):
        return None
    if lone and not match["half"]:
        if words != ["one"] or _ONE_OF.match(text, match.end()) or _NOT_ONE.search(text[max(0, start - 9):start]):
            return None
    half = Decimal("0.5") if match["plushalf"] else None
    scale = _SCALES[match["tail"].strip().lower()] if match["tail"] else 1
    if match["tail"]:
        words.pop()
    total = current = Decimal(0)
    for word in words:
        if word in _WORDS:
            current += _WORDS[word]
        elif word in ("dozen", "hundred"):
            current = (current or 1) * _SCALES[word]
        elif word in _SCALES:
            total, current = total + (current or 1) * _SCALES[word], Decimal(0)
    value = total + current
    if half is not None:
        value = (value + half) if not total or current else value + half * _SCALES[next(w for w in words[::-1] if w in _SCALES)]
    value = value * scale / (2 if match["half"] else 1)
    step = Decimal(1) if value < 1000 else Decimal(1).scaleb(value.adjusted() - _digits(value, Decimal(1)) + 1)
    if value != value.to_integral_value():
        step = Decimal("0.1")
    return _with_unit(text, start, match.end(), Amount(value.normalize() + 0, digits=_digits(value, step), step=step))


def _plain(number: Decimal) -> Decimal:
    return number.quantize(Decimal(1)) if number >= 1 and number == number.to_integral_value() else number


def _digits(value: Decimal, step: Decimal) -> int:
    """Significant digits; closing zeros count after a written point only."""
    if value == 0:
        return 1
    number = value.normalize()
    length = len(number.as_tuple().digits)
    return max(length, value.adjusted() - step.adjusted() + 1) if step < 1 else length


def _with_unit(text: str, start: int, end: int, amount: Amount) -> Found | None:
    """``amount`` with the unit or the noun behind it; None where letters are glued to the number ("21st", "1934VQ")."""
    if _NO_AMOUNT.match(text, end):
        return None
    ends, at = [], end
    while len(ends) < 6 and (token := _TOKEN.match(text, at)):
        at = token.end()
        ends.append(at)
    for stop in reversed(ends):
        written = text[end:stop].lstrip(" \u00a0\u202f-")
        if written.endswith(".") and not written.endswith("S."):
            written, stop = written[:-1], stop - 1
        if amount.unit and not readings(written):
            continue
        if _is_unit(text, end, stop, written):
            amount = replace(amount, unit=amount.unit or _singular(written))
            if amount.unit == "foot" and (inches := _FOOT_AND.match(text, stop)):             # 6-foot-2
                return start, inches.end(), replace(amount, value=12 * amount.value + int(inches[1]), unit="inch")
            return start, stop, amount
    if end < len(text) and (text[end].isalpha() or text[end] in "_²³"):
        return None
    if amount.unit:
        return start, end, amount
    return start, end, replace(amount, noun=_noun(text, end))


def _is_unit(text: str, end: int, stop: int, written: str) -> bool:
    if not readings(written):
        return False
    if written == "'":
        return bool(_INCHES.match(text, stop))
    if written in _RISKY and text[end:end + 1] != "-":
        return text[end].isalpha() and written != "a" or bool(_RISKY_END.match(text, stop)) and written not in ("a", "as", "at")
    return True


def _singular(unit: str) -> str:
    head, per, tail = unit.partition(" per ")
    words = re.split(r"[\s-]+", head)
    return " ".join(singular(word) if word.islower() and word.isalpha() else word for word in words) + per + tail


def _noun(text: str, end: int) -> str:
    match = _NOUN.match(text, end)
    words: list[str] = []
    if match and match[0][0] == "-":                                    # a three-storey building
        return match[0][1:].split()[0].split("-")[0]
    for word in match[0].split() if match else ():
        if word.lower() in _STOP or (word[:1].isupper() and not words):
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
            if amount.unit and _PARTS.fullmatch(text, middle, start):
                value = _sum(larger, amount)
            if value is not None:
                joined[-1] = first, end, replace(amount, value=value, digits=_digits(value, amount.step))
                continue
        joined.append((start, end, amount))
    return joined


def _sum(larger: Amount, smaller: Amount) -> Decimal | None:
    if not larger.unit or not smaller.unit or larger.value != larger.value.to_integral_value() or smaller.value < 0:
        return None
    for big in readings(larger.unit):
        for small in readings(smaller.unit):
            if big.dimension == small.dimension and big.dimension in _COMBINED and big.factor > small.factor:
                ratio = big.factor / small.factor
                if smaller.value < ratio:
                    return larger.value * ratio.quantize(Decimal("1E-9")).normalize() + smaller.value
    return None


def _qualified(text: str, start: int, end: int, amount: Amount) -> Amount:
    """``amount`` with what the words around it say: "about", "at least", "or more"."""
    before = text[max(0, start - 40):start]
    bound = next((name for name, pattern in _BOUNDS if pattern.search(before)), "")
    approximate = bool(_APPROXIMATE.search(before))
    after = _AFTER.match(text, end)
    if after and not bound:
        bound = "at least" if after["least"] else "at most" if after["most"] else ""
    if approximate or bound or after:
        return replace(amount, bound=bound, approximate=approximate or bool(after and after["so"]))
    return amount


# -- comparing ----------------------------------------------------------------------------------------------------------

_AGE_OR_SHARE = frozenset(("time", "ratio"))


def compare_amount(claimed: Amount, stored: Quantity, unit_label: Names) -> Agreement:
    """How a claimed amount stands to a stored one, after conversion into the claim's unit.

    Equal means: equal after rounding to the last place that was written. 560,000 for a stored 563,803 is COARSER, and SAME
    when the text says "about". About also forgives 2 %, and leaves up to 10 % undecided. A number that fits only as far as
    the stored one is rounded is FINER. Units that cannot be compared, or one that is missing, leave the claim undecided.

    :param unit_label: unit IRI -> its names, label first

    >>> metre = Quantity(Decimal("27"), "http://www.wikidata.org/entity/Q11573")
    >>> compare_amount(Amount(Decimal("88.6"), "foot", digits=3, step=Decimal("0.1")), metre, lambda unit: ["metre"])
    <Agreement.SAME: 'same'>
    """
    names = tuple(unit_label(stored.unit)) if stored.unit else ()
    plain = _numbers(claimed, stored, None, None)
    targets = _units(names)
    if not claimed.unit:
        return _without_unit(claimed, stored, names, targets, plain)
    if not stored.unit:
        return Agreement.UNKNOWN
    if not targets:
        return plain if _named(claimed.unit, names) else Agreement.UNKNOWN
    results = []
    for unit in readings(claimed.unit):
        for target in targets:
            if unit.dimension == target.dimension:
                result = _numbers(claimed, stored, unit, target)
                unsure = result is Agreement.DIFFERENT and not (unit.sure and target.sure)
                results.append(Agreement.UNKNOWN if unsure else result)
    return best(results)


def in_unit(stored: Quantity, unit: str, unit_label: Names) -> Decimal | None:
    """A stored amount in another unit, None where that cannot be said: to correct a number in the words of its author."""
    targets = _units(tuple(unit_label(stored.unit))) if stored.unit else ()
    for wanted in readings(unit):
        for target in targets:
            if wanted.sure and wanted.dimension == target.dimension:
                return _convert(stored.amount, target, wanted)
    return None


def _without_unit(claimed: Amount, stored: Quantity, names: tuple[str, ...], targets: tuple[Unit, ...],
                  plain: Agreement) -> Agreement:
    """A bare number is read in the stored unit; a noun has to be a count, or the stored unit's name."""
    if not stored.unit or fold(names[0] if names else "") in COUNTING:
        return plain
    if claimed.noun:
        return plain if _named(claimed.noun, names) else Agreement.UNKNOWN
    clear = bool(targets) and targets[0].dimension in _AGE_OR_SHARE
    return plain if clear or plain is not Agreement.DIFFERENT else Agreement.UNKNOWN


def _named(text: str, names: Sequence[str]) -> bool:
    return fold(text) in {fold(name) for name in names}


@lru_cache(maxsize=4096)
def _units(names: tuple[str, ...]) -> tuple[Unit, ...]:
    """What a stored unit is: the readings of its label, or of the first alias that is known."""
    return next((found for name in names if (found := readings(name))), ())


def _convert(value: Decimal, source: Unit, target: Unit) -> Decimal:
    if source == target:
        return value
    with localcontext() as context:
        context.prec = 50
        return (value * source.factor + source.offset - target.offset) / target.factor


def _numbers(claimed: Amount, stored: Quantity, unit: Unit | None, target: Unit | None) -> Agreement:
    converted = unit is not None and target is not None and (unit.factor, unit.offset) != (target.factor, target.offset)

    def value_of(number: Decimal) -> Decimal:
        return _convert(number, target, unit) if converted and unit and target else number

    claim, value = claimed.value, value_of(stored.amount)
    gap, size = abs(claim - value), max(abs(claim), abs(value))
    place = Decimal(1).scaleb(min(int(stored.amount.as_tuple().exponent), 0))
    place = abs(value_of(stored.amount + place) - value)
    if claimed.bound:
        return _bounded(claimed, value, gap)
    if gap <= claimed.step / 2 + size * Decimal("1E-12"):
        return Agreement.SAME
    if stored.lower is not None and stored.upper is not None \
            and value_of(stored.lower) <= claim <= value_of(stored.upper):
        return Agreement.SAME
    if gap <= _round_step(claimed) / 2:
        if claimed.approximate or claimed.step > 1:
            return Agreement.SAME
        if abs(claim) >= 1000 or converted:
            return Agreement.COARSER
        if abs(claim) >= 100:
            return Agreement.UNKNOWN
    if claimed.approximate and gap <= abs(claim) * Decimal("0.02"):
        return Agreement.SAME
    if converted and gap <= place / 2:
        return Agreement.SAME if place / 2 <= size * Decimal("0.025") else Agreement.UNKNOWN
    if not converted and _finer(claimed, stored, gap, place):
        return Agreement.FINER
    if claimed.approximate and gap <= max(abs(claim) / 10, claimed.step if abs(claim) < 100 else Decimal(0)):
        return Agreement.UNKNOWN
    truncated = place < claimed.step and gap < claimed.step and abs(claim) < abs(value)
    slack = converted and gap <= size / 100
    return Agreement.UNKNOWN if truncated or slack else Agreement.DIFFERENT


def _round_step(amount: Amount) -> Decimal:
    """One unit in the last significant place, taking at least two places as meant: 1,000 for 30,000 and 10,000 for 540,000."""
    if not amount.value:
        return amount.step
    return max(amount.step, Decimal(1).scaleb(amount.value.adjusted() - max(2, amount.digits) + 1))


def _finer(claimed: Amount, stored: Quantity, gap: Decimal, place: Decimal) -> bool:
    """Does the claim give digits that the stored number has rounded away?"""
    if claimed.step < place and gap <= place / 2:
        return bool(stored.amount)
    digits = _digits(stored.amount, place)
    if abs(stored.amount) < 1000 or stored.amount != stored.amount.to_integral_value() or claimed.digits <= digits:
        return False
    return gap <= Decimal(1).scaleb(stored.amount.adjusted() - max(2, digits) + 1) / 2


def _bounded(claimed: Amount, value: Decimal, gap: Decimal) -> Agreement:
    if claimed.bound.startswith("at") and gap <= claimed.step / 2:
        return Agreement.SAME
    above = value > claimed.value
    if gap and above == (claimed.bound in ("at least", "more than")):
        return Agreement.COARSER
    near = max(_round_step(claimed) / 2, abs(claimed.value) / (20 if claimed.approximate else 50))
    return Agreement.UNKNOWN if gap <= near and claimed.step + abs(claimed.value) >= 100 or not gap else Agreement.DIFFERENT
