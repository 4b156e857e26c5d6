"""What brackets say after a name: "(10 December 1815 – 27 November 1852)", "(born 1928)", "(place of birth: Oslo)"."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from kgstore.verifier.claims import Claim, Mention
from kgstore.verifier.values import DateValue

BORN, DIED = "date of birth", "date of death"
_OPENS = re.compile(r"\s*\((?:\s*(?P<born>born|b\.|\*)|\s*(?P<died>died|d\.|†))?(?:\s+(?:on|in))?\s*$", re.IGNORECASE)
_KEY = re.compile(r"\s*\(\s*([^():\n]{3,40}):\s*")
_DASH = re.compile(
    r"(?:\s+in\s[^()\d–—-]{1,60}?|,[^()\d–—-]{1,60}?)?\s*(?:[–—-]|;?\s*(?:died|d\.|†|to)\s*)\s*(?:on\s+)?$"
)


def lifespans(text: str, mentions: Sequence[Mention], is_person: Callable[[Mention], bool]) -> Iterator[Claim]:
    """What such brackets claim of a person; the span of each claim is its date.

    :param is_person: tells of a mention whether it names one; brackets after other names are left alone
    """
    for i, (name, first) in enumerate(zip(mentions, mentions[1:], strict=False)):
        if name.value is not None or not isinstance(first.value, DateValue) or not is_person(name):
            continue
        opening = _OPENS.fullmatch(text, name.end, first.start)
        if opening is None:
            continue
        value = first.value
        if value.last_year is not None and value.precision == 9 and value.last_year > value.year:
            yield _claim(text, name, replace(first, value=DateValue(value.year)), BORN)
            yield _claim(text, name, replace(first, value=DateValue(value.last_year)), DIED)
            continue
        yield _claim(text, name, first, DIED if opening["died"] else BORN)
        second = next((one for one in mentions[i + 2 : i + 5] if isinstance(one.value, DateValue)), None)
        if second is not None and _DASH.fullmatch(text, first.end, second.start):
            yield _claim(text, name, second, DIED)


def keyed_brackets(text: str, mentions: Sequence[Mention], is_noun: Callable[[str], bool]) -> Iterator[Claim]:
    """ "Ann Smith (place of birth: Oslo)": one claim; the words before the colon must name a relation."""
    for name, value in zip(mentions, mentions[1:], strict=False):
        opening = _KEY.fullmatch(text, name.end, value.start) if name.value is None else None
        if opening is not None and is_noun(opening[1].lower().strip()):
            end = value.end + text.startswith(")", value.end)
            yield Claim(name.start, end, text[name.start : end], name, opening[1].lower().strip(), value)


def _claim(text: str, name: Mention, date: Mention, relation: str) -> Claim:
    return Claim(date.start, date.end, text[date.start : date.end], name, relation, date)
