"""Numbers written as words: "twenty-one", "a dozen", "two and a half million"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal

from kgstore.verifier.english.words import either, entry, ordered

WORDS = {word: i for i, word in enumerate(ordered("numbers.small"))} | {
    word: 10 * i for i, word in enumerate(ordered("numbers.tens"), 2)}
SCALES: dict[str, int] = entry("numbers.scales")

_WORD = "(?:" + "|".join(sorted((*WORDS, *SCALES), key=len, reverse=True)) + ")"
_SCALE = "(?:" + "|".join(SCALES) + ")"
_NUMBER = re.compile(
    rf"(?<![\w-])(?:(?P<half>half an?\s)(?={_SCALE})|(?P<a>an?\s)(?={_SCALE}\b))?"
    rf"(?P<words>{_WORD}(?:(?:\sand)?[\s-]+{_WORD})*)(?P<plus>\sand\sa\shalf(?:\s(?P<last>{_SCALE}))?)?(?!\w)",
    re.IGNORECASE)
_SOME = re.compile(rf"[\s-]+{_SCALE}s\b", re.IGNORECASE)
_SENTENCE = re.compile(r"(?:^|[.!?:;]\s+|[\"“(]\s*)$")
_NAME = re.compile(r"\s[A-Z]")
_NOT_ONE_BEFORE = re.compile(
    rf"\b(?:{either('numbers.before_no_number')}|(?<!has )(?<!had )(?<!have )only)\s$", re.IGNORECASE)
_NOT_ONE_AFTER = re.compile(rf"\s+{either('numbers.behind_no_number')}\b|-")


def find_number_words(text: str) -> Iterator[tuple[int, int, Decimal]]:
    """Numbers in words with their offsets; not "one of", "hundreds of", "in the seventy thousands", nor words that look
    like part of a name.

    >>> [(start, end, str(value)) for start, end, value in find_number_words("It has twenty-one floors.")]
    [(7, 17, '21')]
    """
    for match in _NUMBER.finditer(text):
        start, end = match.span()
        words = [word for word in re.findall(r"[a-z]+", match["words"].lower()) if word != "and"]
        whole = bool(match["a"] or match["half"])
        if len(words) > 12 or not whole and _is_no_number(text, start, end, words) or _is_name(text, start, end):
            continue
        if _SOME.match(text, end):
            continue
        value = _value(words)
        if match["plus"]:
            last = match["last"].lower() if match["last"] else ""
            unit = SCALES.get(last) or SCALES.get(words[-1], 1)
            value = (value + Decimal("0.5")) * unit if last else value + unit / Decimal(2)
        value = value / 2 if match["half"] else value
        yield start, end, Decimal(int(value)) if value == value.to_integral_value() else value


def _value(words: list[str]) -> Decimal:
    total = current = Decimal(0)
    for word in words:
        if word in WORDS:
            current += WORDS[word]
        elif SCALES[word] <= 100:
            current = (current or Decimal(1)) * SCALES[word]
        elif current or not total:
            total, current = total + (current or 1) * SCALES[word], Decimal(0)
        else:                                                           # a hundred thousand million
            total *= SCALES[word]
    return total + current


def _is_no_number(text: str, start: int, end: int, words: list[str]) -> bool:
    """ "one of the best", "no one", "a few thousand": words that count nothing, or nothing exact."""
    if words[0] in SCALES:
        return True
    if words != ["one"]:
        return False
    return bool(_NOT_ONE_AFTER.match(text, end) or _NOT_ONE_BEFORE.search(text, max(0, start - 11), start))


def _is_name(text: str, start: int, end: int) -> bool:
    """ "Seven Samurai", "Ocean's Eleven": a capital that no sentence start explains, or that a name follows."""
    if not text[start].isupper():
        return False
    return not _SENTENCE.search(text[max(0, start - 4):start]) or bool(_NAME.match(text, end))
