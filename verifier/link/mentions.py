"""Where a text names something: entities by the KG's own names, unknown names by their capitals, dates and amounts.

Precision first: a known name inside a longer unknown one ("Memphis" in "University of Memphis" where the KG lacks the
university) is not a mention of the shorter.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from kgstore.catalog_entries import NameHit
from kgstore.verifier.claims import Mention
from kgstore.verifier.english.words import either, words
from kgstore.verifier.link.brackets import is_clause
from kgstore.verifier.link.capitals import (
    HYPHENED,
    JOINS,
    STOP,
    WORD,
    Span,
    before_dates,
    capital_runs,
    numbered,
    parts,
    starts_sentence,
    subtitled,
    titled,
    whole_name,
)
from kgstore.verifier.link.forms import stands
from kgstore.verifier.read.paragraphs import paragraphs
from kgstore.verifier.values import Amount, DateValue, find_amounts, find_dates

MAX_WORDS = 28
"""The longest name we look for; titles of papers reach this."""

BRACKETS = re.compile(r"\s*\((?=[^()]*[^\W\d_]{3})([^()]{3,80})\)")
_NUMBERED = re.compile(r"\d(?:[ -]?\d){6}")
"""A long number, which is of the thing and tells nothing apart."""
_LIFE = words("names.life")
_EXTENDS = re.compile(rf"\b{either('names.extending')}\w*\s+over\s*$")
_ENDED = re.compile(r"[^\W\d_]{4,}[.!?] ")
"""A sentence ends here, unless it is written so in the name: "the United States. English is ..."."""
_SORT = re.compile(rf"\b{either('names.numbered')} $", re.IGNORECASE)
_ABBREVIATED = re.compile(rf"(?:\.[A-Z]|\b{either('names.endings')})\.$")
_CODE = re.compile(
    r"(?<![\w/])(?:(?=[\w./:+-]*\d)(?=[\w./:+-]*[A-Za-z])[A-Za-z0-9][\w./:+-]*\w|\d+(?:\.\d+){2,}(?:/\d+)?|\d+[-–]\d+)"
    r"(?![\w])"
)


class Names(Protocol):
    """The catalog's look-up of names."""

    def lookup(self, names: Iterable[str]) -> Mapping[str, Sequence[NameHit]]: ...


@dataclass(frozen=True, slots=True)
class Found:
    """The mentions of a text in order, disjoint, and every name of the KG that occurs in it.

    :param nouns: names in lower case at the beginning of a sentence ("Metformin"), where they may be unknown names
    """

    mentions: tuple[Mention, ...]
    hits: Mapping[Span, Sequence[NameHit]]
    nouns: Mapping[Span, Sequence[NameHit]]


def find_mentions(
    text: str, names: Names, fold: Callable[[str], str], is_noun: Callable[[str], bool] = lambda text: False
) -> Found:
    """Everything in ``text`` that a claim can be about.

    :param names: the catalog
    :param fold: the catalog's folding of a word
    :param is_noun: is this the name of a relation? Capitals inside one are no mention
    """
    mentions: list[Mention] = []
    hits: dict[Span, Sequence[NameHit]] = {}
    nouns: dict[Span, Sequence[NameHit]] = {}
    for at, end in paragraphs(text):
        found = _in_paragraph(text[at:end], names, fold, is_noun)
        mentions += [replace(one, start=one.start + at, end=one.end + at) for one in found.mentions]
        for held, more in ((hits, found.hits), (nouns, found.nouns)):
            held.update({(start + at, stop + at): hit for (start, stop), hit in more.items()})
    return Found(tuple(mentions), hits, nouns)


def _in_paragraph(text: str, names: Names, fold: Callable[[str], str], is_noun: Callable[[str], bool]) -> Found:
    words = [(match.start(), match.end()) for match in WORD.finditer(text)]
    hits = _known_names(text, words, names, fold)
    chosen, taken = _chosen(text, words, hits, is_noun)
    dates = [start for start, _, mention in taken if isinstance(mention.value, DateValue)]
    runs = [before_dates(text, run, dates) for run in capital_runs(text, words, is_noun)]
    titles = [*titled(text, words, set(chosen)), *subtitled(text, hits, is_noun)]
    spans: dict[Span, bool] = {}
    for start, end in sorted(chosen):
        title = next((one for one in titles if one[0] <= start and end <= one[1]), None)
        whole = title or numbered(text, start, end, dates) or whole_name(text, start, end, runs, chosen)
        spans[whole] = whole == (start, end)
    occupied = [item[:2] for item in taken]
    _add_unknown(text, words, [*titles, *runs], occupied, spans, is_noun)
    for match in _CODE.finditer(text):
        if not _in_relation(text, words, *match.span(), is_noun) and _is_free(match.span(), (*spans, *occupied)):
            spans[match.span()] = match.span() in hits  # "deadmau5"
    mentions = [item[2] for item in taken if not any(item[0] < other[1] and other[0] < item[1] for other in spans)]
    last = -1
    for start, end in sorted(spans, key=lambda span: (span[0], -span[1])):
        if start >= last:
            end += bool(_ABBREVIATED.search(text, start, end + 1))
            mentions.append(Mention(start, end, text[start:end]))
            last = end
    mentions = _with_brackets(text, sorted(mentions, key=lambda mention: mention.start))
    known = {span: hit for span, hit in hits.items() if spans.get(span, True)}
    nouns = {span: common for span, hit in hits.items() if (common := _as_noun(text, *span, hit))}
    return Found(tuple(mentions), known, nouns)


def _as_noun(text: str, start: int, end: int, hits: Sequence[NameHit]) -> list[NameHit]:
    """The names in lower case that words at the beginning of a sentence may be, where the KG has no other names for
    them: "Metformin", "Beta cells"."""
    if not text[start].isupper() or not text[start + 1 : end].islower() or not starts_sentence(text, start):
        return []
    return list(hits) if " " in text[start:end] or all(hit.name[:1].islower() for hit in hits) else []


def _chosen(
    text: str,
    words: list[Span],
    hits: Mapping[Span, Sequence[NameHit]],
    is_noun: Callable[[str], bool],
) -> tuple[list[Span], list[tuple[int, int, Mention]]]:
    """The names of the KG that are mentions, longest first, and the dates and amounts that are none of them."""
    taken: list[tuple[int, int, Mention]] = []
    for start, end, value in _values(text):
        taken.append((start, end, Mention(start, end, text[start:end], value=value)))
    chosen: list[Span] = []
    free = [True] * (len(text) + 1)
    for start, end in sorted(hits, key=lambda span: (span[0] - span[1], span[0])):
        alone = {hit.iri for hit in hits.get((start, start + len(text[start:end].split(" ")[0])), ())}
        if not all(free[start:end]) or not _name_like(text, start, end, hits[start, end], alone):
            continue
        if (
            starts_sentence(text, start)
            and text[start:end].count(" ") == 0
            and any(other[0] == start and other[1] > end for other in hits)
        ):
            continue  # "Sunflower oil": grammar finds the longer name
        clash = [item for item in taken if item[0] < end and start < item[1]]
        exact = any(hit.name == text[start:end] for hit in hits[start, end]) and any(map(str.isupper, text[start:end]))
        if any(
            item[0] <= start
            and end <= item[1]
            and not (exact and item[:2] == (start, end) and isinstance(item[2].value, Amount))
            for item in clash
        ):
            continue  # a year or an amount, not the thing of that name
        if any(item[0] < start or item[1] > end for item in clash):
            continue
        if _in_relation(text, words, start, end, is_noun):
            continue  # "IATA" in "IATA airport code"
        taken = [item for item in taken if item not in clash]
        free[start:end] = [False] * (end - start)
        chosen.append((start, end))
    return chosen, taken


def _add_unknown(
    text: str,
    words: list[Span],
    runs: Iterable[Span],
    occupied: Sequence[Span],
    spans: dict[Span, bool],
    is_noun: Callable[[str], bool],
) -> None:
    """Add runs of capitals, or what is free of them, to the spans of names; the KG has none of them."""
    for start, end in runs:
        if _in_relation(text, words, start, end, is_noun):
            continue
        for part in (start, end), *parts(text, start, end):
            if _is_free(part, (*spans, *occupied)):
                spans.setdefault(part, False)


def _is_free(span: Span, others: Iterable[Span]) -> bool:
    return not any(span[0] < other[1] and other[0] < span[1] for other in others)


def _with_brackets(text: str, mentions: list[Mention]) -> list[Mention]:
    """ "John Smith (English soldier)" is one mention; dates in brackets stay on their own."""
    found: list[Mention] = []
    for mention in mentions:
        if found and mention.start < found[-1].end:
            continue
        said = BRACKETS.match(text, mention.end)
        if said and ":" in said.group(1) and text[said.end() :].split("\n")[0].strip() in ("", "."):
            said = None  # "Ann Smith (place of birth: Oslo)", a line of its own
        if said and any(value.unit or value.noun or value.value > 9999 for *_, value in find_amounts(said.group(1))):
            said = None  # "Seoul (population 10 million)"
        if said and _NUMBERED.search(said.group(1)):
            said = None  # "A Wolf at Sunset (ISBN 0-312-85182-9)"
        if said and is_clause(said.group(1)):
            said = None  # "Upper Canada (now part of Ontario)" names both
        dates = find_dates(said.group()) if said else []
        if mention.value is None and said and (not dates or _names_a_kind(said.group(1), dates)):
            mention = Mention(mention.start, said.end(), text[mention.start : said.end()])
        found.append(mention)
    return found


def _names_a_kind(said: str, dates: Sequence[object]) -> bool:
    """ "(1953 film)" tells which one is meant, "(born 1953)" tells something about it."""
    words = [word.lower() for word in WORD.findall(said) if word.isalpha() and len(word) > 3]
    return len(dates) == 1 and bool(words) and not set(words) & _LIFE and said.strip()[-1].isalpha()


def _values(text: str) -> list[tuple[int, int, DateValue | Amount]]:
    """Dates and amounts, disjoint; a certain date beats an amount, an amount beats an uncertain date."""
    dates = find_dates(text)
    found: list[tuple[int, int, DateValue | Amount]] = [item for item in dates if item[2].certain]
    amounts = []
    for start, end, value in find_amounts(text):
        if text[start:end].endswith('"') and text.count('"', 0, start) % 2:
            continue  # "Model 1" in quotes is not an inch
        if not value.unit and _SORT.search(text[max(0, start - 12) : start]):
            continue  # "type 2 diabetes" counts nothing
        if value.bound and _EXTENDS.search(text[max(0, start - 20) : start]):
            value = replace(value, bound="")  # "extends over 99 square kilometres" sets no bound
        amounts.append((start, end, value))
    for pool in (amounts, [item for item in dates if not item[2].certain]):
        for item in pool:
            if all(item[1] <= other[0] or other[1] <= item[0] for other in found):
                found.append(item)
    return sorted(found, key=lambda item: item[0])


def _known_names(text: str, words: list[Span], names: Names, fold) -> dict[Span, Sequence[NameHit]]:
    folded = [fold(text[start:end]) for start, end in words]
    spans: dict[str, list[Span]] = {}
    for i, (start, _) in enumerate(words):
        if folded[i] in STOP and not text[start].isupper() and not text[start].isdigit():
            continue
        if text[start].islower() and start > 1 and text[start - 1] == "-" and text[start - 2].isalnum():
            continue  # no "states of Germany" in "city-states of Germany"
        for j in range(i, min(i + MAX_WORDS, len(words))):
            if j > i and _breaks(text[words[j - 1][1] : words[j][0]]):
                break
            if folded[j] in STOP and j == i:
                continue
            if HYPHENED.match(text, words[j][1]):  # no Morocco (MAR) in "Mar-a-Lago"
                continue
            span = start, words[j][1]  # as it is written: a graph elsewhere may compare sign by sign
            spans.setdefault(text[slice(*span)], []).append(span)
    found = names.lookup(spans)
    known: dict[Span, Sequence[NameHit]] = {}
    for name, places in spans.items():
        for span in places if found.get(name) else ():
            opens, ended = starts_sentence(text, span[0]), _ENDED.search(name)
            hits = [hit for hit in found[name] if stands(text, *span, hit.name, hit.kind, opens)]
            if hits := [hit for hit in hits if not ended or hit.name == name]:
                known[span] = hits
    return known


def _breaks(between: str) -> bool:
    """True where no name goes on: a line break, a table's cell, or a sentence's end before a space."""
    return "\n" in between or "|" in between or len(between) > 6 or between.startswith("; ")


def _name_like(text: str, start: int, end: int, hits: Sequence[NameHit], alone: Container[str] = ()) -> bool:
    """A name in capitals, digits or a foreign script; lower-case nouns are found by grammar instead.

    :param alone: what the first word means on its own
    """
    span = text[start:end]
    if span.islower() and span.isascii():
        return (
            len(span) > 4
            and "-" in span
            and any(char.isdigit() for char in span)
            and any(hit.name == span for hit in hits)
        )
    if span.isdigit():
        return False
    first, _, others = span.partition(" ")
    if others.islower() and first[:1].isupper() and not others.startswith(tuple(f"{word} " for word in JOINS)):
        # "English language" is English; "American film director" is nobody, though it is somebody's alias
        return any(hit.name == span and (hit.kind == "label" or hit.iri in alone) for hit in hits)
    if not any(char.isupper() for char in span[1:]) and " " not in span and starts_sentence(text, start):
        return span.lower() not in STOP and any(hit.name[:1].isupper() for hit in hits)
    if span[0].islower() and not any(hit.name[:1] == span[0] for hit in hits):
        return False
    if not any(char.isupper() or char.isdigit() for char in span[1:]) and starts_sentence(text, start):
        return any(
            hit.name == span and any(char.isupper() for char in hit.name) for hit in hits
        )  # not "Life expectancy"
    return not (span[0].islower() and (" of " in span or " in " in span))  # "city in the United States" is a class


def _in_relation(text: str, words: list[Span], start: int, end: int, is_noun: Callable[[str], bool]) -> bool:
    """Does a relation's name of several words begin with this span?"""
    ahead = [stop for begin, stop in words if begin >= end][:3]
    return any(
        text[end:stop].count(" ") == i + 1
        and text[end:stop].lstrip()[:1].islower()
        and is_noun(text[start:stop].lower())
        for i, stop in enumerate(ahead)
    )
