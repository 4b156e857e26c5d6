"""Where a text names something: entities by the KG's own names, unknown names by their capitals, dates and amounts.

Precision first: a known name inside a longer unknown one ("Memphis" in "University of Memphis" where the KG lacks the
university) is not a mention of the shorter.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from kgstore.verifier.claims import Mention
from kgstore.verifier.english.words import words
from kgstore.verifier.link.brackets import is_clause
from kgstore.verifier.link.forms import stands
from kgstore.verifier.read.paragraphs import paragraphs
from kgstore.verifier.values import Amount, DateValue, find_amounts, find_dates

MAX_WORDS = 28
"""The longest name we look for; titles of papers reach this."""

STOP = words("names.stop")
TITLES = words("names.titles")
_OFFICES = words("names.offices")
"""What stands for the office in "Lieutenant Governor of Maryland"; then Maryland is a name of its own."""
_CALLINGS = _OFFICES | frozenset(
    "rabbi reverend rev father brother sister bishop archbishop cardinal imam sheikh sheik sultan maharaja count "
    "countess duke duchess baron baroness earl marquis marquess viscount sergeant corporal private major colonel "
    "commodore admiral marshal brigadier lt gen col maj sgt cmdr capt gov sen rep hon dj rapper musician guitarist "
    "drummer pianist artist painter sculptor architect engineer scientist physicist chemist biologist mathematician "
    "philosopher economist historian journalist filmmaker producer screenwriter playwright novelist critic activist "
    "environmentalist lawyer businessman businesswoman entrepreneur politician comedian presenter agent detective "
    "inspector officer astronaut cosmonaut athlete striker midfielder goalkeeper defender quarterback pitcher".split()
)
"""Before a name of two words or more these are no part of it, as are `TITLES` before any."""
_LEADING = words("names.leading")
"""A sentence may begin with these; they are no part of the name that follows."""
_WORD = re.compile(r"[^\W_]+", re.UNICODE)
_JOINS = words("names.joins")
_ARTICLES = words("names.articles")
BRACKETS = re.compile(r"\s*\((?=[^()]*[^\W\d_]{3})([^()]{3,80})\)")
_LIFE = frozenset("born died founded since until from about circa".split()) | frozenset(
    "january february march april june july august september october november december".split()
)
_LONGEST = 300
_EXTENDS = re.compile(r"\b(?:extend|stretch|spread|sprawl|rang|reach|run)\w*\s+over\s*$")
_SORT = re.compile(r"\b(?:type|stage|phase|grade|category|class|tier|article|chapter|section) $", re.IGNORECASE)
_NUMBERED = re.compile(r" \d{1,2}(?=[.,;:!?)]|$| (?:is|was|and|by|has|had|stars|starring|features|grossed)\b)")
_ABBREVIATED = re.compile(r"(?:\.[A-Z]|\b(?:Jr|Sr|Inc|Ltd|Co|Corp|Bros))\.$")
_CAPITALS = r"[A-Z][\w'’-]*+(?:(?: of| the| and| in)* [A-Z][\w'’-]*+)*+"
_LISTED = re.compile(rf"(?:{_CAPITALS}, (?:and )?){{2,}}$")
_SUBTITLED = re.compile(
    rf"\b({_CAPITALS}): ((?:The |A |An |His |Her |In )?{_CAPITALS}|\d+)(?=[,;)]| [a-z]|[.!?](?:\s|$))"
)
_QUOTED = re.compile(r"[\"“](?=[A-Z0-9])([^\"“”\n]{2,80}?)[,.]?[\"”](?! [A-Z])")
_HYPHENED = re.compile(r"(?:-[a-zà-ÿ]{1,6}){1,3}-[A-ZÀ-Þ]\w*")
_OWNED = re.compile(r"\b(The )?([A-Z]\w*)['’]s (?=[A-Z])")
_CODE = re.compile(
    r"(?<![\w/])(?:(?=[\w./:+-]*\d)(?=[\w./:+-]*[A-Za-z])[A-Za-z0-9][\w./:+-]*\w|\d+(?:\.\d+){2,}(?:/\d+)?|\d+[-–]\d+)"
    r"(?![\w])"
)


class Hit(Protocol):
    """What the catalog says of a name."""

    iri: str
    name: str
    kind: str
    prior: float


class Names(Protocol):
    """The catalog's look-up of names."""

    def lookup(self, names: Iterable[str]) -> Mapping[str, Sequence[Hit]]: ...


@dataclass(frozen=True, slots=True)
class Found:
    """The mentions of a text in order, disjoint, and every name of the KG that occurs in it in lower case."""

    mentions: tuple[Mention, ...]
    hits: Mapping[tuple[int, int], Sequence[Hit]]


def find_mentions(
    text: str, names: Names, fold: Callable[[str], str], is_noun: Callable[[str], bool] = lambda text: False
) -> Found:
    """Everything in ``text`` that a claim can be about.

    :param names: the catalog
    :param fold: the catalog's folding of a word
    :param is_noun: is this the name of a relation? Capitals inside one are no mention
    """
    mentions: list[Mention] = []
    hits: dict[tuple[int, int], Sequence[Hit]] = {}
    for at, end in paragraphs(text):
        found = _in_paragraph(text[at:end], names, fold, is_noun)
        mentions += [replace(one, start=one.start + at, end=one.end + at) for one in found.mentions]
        hits.update({(start + at, stop + at): hit for (start, stop), hit in found.hits.items()})
    return Found(tuple(mentions), hits)


def _in_paragraph(text: str, names: Names, fold: Callable[[str], str], is_noun: Callable[[str], bool]) -> Found:
    words = [(match.start(), match.end()) for match in _WORD.finditer(text)]
    hits = _known_names(text, words, names, fold)
    chosen, taken = _chosen(text, words, hits, is_noun)
    dates = [start for start, _, mention in taken if isinstance(mention.value, DateValue)]
    runs = [_before(text, run, dates) for run in _capital_runs(text, words, is_noun)]
    titles = [*_titles(text, words, set(chosen)), *_subtitled(text, hits, is_noun)]
    spans: dict[tuple[int, int], bool] = {}
    for start, end in sorted(chosen):
        title = next((one for one in titles if one[0] <= start and end <= one[1]), None)
        whole = title or _numbered(text, start, end, dates) or _whole_name(text, start, end, runs, chosen)
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
    return Found(tuple(mentions), known)


def _chosen(
    text: str,
    words: list[tuple[int, int]],
    hits: Mapping[tuple[int, int], Sequence[Hit]],
    is_noun: Callable[[str], bool],
) -> tuple[list[tuple[int, int]], list[tuple[int, int, Mention]]]:
    """The names of the KG that are mentions, longest first, and the dates and amounts that are none of them."""
    taken: list[tuple[int, int, Mention]] = []
    for start, end, value in _values(text):
        taken.append((start, end, Mention(start, end, text[start:end], value=value)))
    chosen: list[tuple[int, int]] = []
    free = [True] * (len(text) + 1)
    for start, end in sorted(hits, key=lambda span: (span[0] - span[1], span[0])):
        alone = {hit.iri for hit in hits.get((start, start + len(text[start:end].split(" ")[0])), ())}
        if not all(free[start:end]) or not _name_like(text, start, end, hits[start, end], alone):
            continue
        if (
            _starts_sentence(text, start)
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
    words: list[tuple[int, int]],
    runs: Iterable[tuple[int, int]],
    occupied: Sequence[tuple[int, int]],
    spans: dict[tuple[int, int], bool],
    is_noun: Callable[[str], bool],
) -> None:
    """Add runs of capitals, or what is free of them, to the spans of names; the KG has none of them."""
    for start, end in runs:
        if _in_relation(text, words, start, end, is_noun):
            continue
        for part in (start, end), *_parts(text, start, end):
            if _is_free(part, (*spans, *occupied)):
                spans.setdefault(part, False)


def _is_free(span: tuple[int, int], others: Iterable[tuple[int, int]]) -> bool:
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
        if said and is_clause(said.group(1)):
            said = None  # "Upper Canada (now part of Ontario)" names both
        dates = find_dates(said.group()) if said else []
        if mention.value is None and said and (not dates or _names_a_kind(said.group(1), dates)):
            mention = Mention(mention.start, said.end(), text[mention.start : said.end()])
        found.append(mention)
    return found


def _names_a_kind(said: str, dates: Sequence[object]) -> bool:
    """ "(1953 film)" tells which one is meant, "(born 1953)" tells something about it."""
    words = [word.lower() for word in _WORD.findall(said) if word.isalpha() and len(word) > 3]
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


def _known_names(text: str, words: list[tuple[int, int]], names: Names, fold) -> dict[tuple[int, int], Sequence[Hit]]:
    folded = [fold(text[start:end]) for start, end in words]
    spans: dict[str, list[tuple[int, int]]] = {}
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
            if _HYPHENED.match(text, words[j][1]):  # no Morocco (MAR) in "Mar-a-Lago"
                continue
            span = start, words[j][1]  # as it is written: a graph elsewhere may compare sign by sign
            spans.setdefault(text[slice(*span)], []).append(span)
    found = names.lookup(spans)
    known = {}
    for name, places in spans.items():
        for span in places if found.get(name) else ():
            opens = _starts_sentence(text, span[0])
            if hits := [hit for hit in found[name] if stands(text, *span, hit.name, hit.kind, opens)]:
                known[span] = hits
    return known


def _breaks(between: str) -> bool:
    """True where no name goes on: a line break, a table's cell, or a sentence's end before a space."""
    return "\n" in between or "|" in between or len(between) > 6 or between.startswith("; ")


def _name_like(text: str, start: int, end: int, hits: Sequence[Hit], alone: Container[str] = ()) -> bool:
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
    if others.islower() and first[:1].isupper() and not others.startswith(tuple(f"{word} " for word in _JOINS)):
        # "English language" is English; "American film director" is nobody, though it is somebody's alias
        return any(hit.name == span and (hit.kind == "label" or hit.iri in alone) for hit in hits)
    if not any(char.isupper() for char in span[1:]) and " " not in span and _starts_sentence(text, start):
        return span.lower() not in STOP and any(hit.name[:1].isupper() for hit in hits)
    if span[0].islower() and not any(hit.name[:1] == span[0] for hit in hits):
        return False
    if not any(char.isupper() or char.isdigit() for char in span[1:]) and _starts_sentence(text, start):
        return any(
            hit.name == span and any(char.isupper() for char in hit.name) for hit in hits
        )  # not "Life expectancy"
    return not (span[0].islower() and (" of " in span or " in " in span))  # "city in the United States" is a class


def _in_relation(text: str, words: list[tuple[int, int]], start: int, end: int, is_noun: Callable[[str], bool]) -> bool:
    """Does a relation's name of several words begin with this span?"""
    ahead = [stop for begin, stop in words if begin >= end][:3]
    return any(
        text[end:stop].count(" ") == i + 1
        and text[end:stop].lstrip()[:1].islower()
        and is_noun(text[start:stop].lower())
        for i, stop in enumerate(ahead)
    )


def _starts_sentence(text: str, start: int) -> bool:
    before = text[:start].rstrip(" \"'“‘(")
    return not before or before[-1] in ".!?\n:•-"


def _no_name(text: str, word: str, end: int, is_noun: Callable[[str], bool]) -> bool:
    """A sentence's first word with its capital only for that: "Professor ...", "Among ...", "Parts of ..."."""
    if word in TITLES | _LEADING:
        return True
    return text.startswith(" of ", end) and (
        is_noun(word) or word.endswith("ing") or word == "alumni" or (word.endswith("s") and len(word) > 4)
    )


def _parts(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """The names of "Zork and Rome" one by one, for where the KG knows only some of them."""
    cuts = [match.span() for match in re.finditer(" and ", text[start:end])]
    begins, ends = [0, *(cut[1] for cut in cuts)], [*(cut[0] for cut in cuts), end - start]
    return [(start + one, start + other) for one, other in zip(begins, ends, strict=True)] if cuts else []


def _titles(text: str, words: list[tuple[int, int]], chosen: Container[tuple[int, int]]) -> list[tuple[int, int]]:
    """Titles in quotes ("I Walk the Line"), and those with an owner in them (The Hitchhiker's Guide to the Galaxy)."""
    found = []
    for match in _QUOTED.finditer(text):
        inside = _WORD.findall(match[1])
        small = all(_capital(word) or word in STOP | _JOINS or word.isdigit() or len(word) == 1 for word in inside)
        if len(inside) > 1 and small:
            found.append(match.span(1))
    pairs = [pair for pair in zip(words, words[1:], strict=False) if text[pair[0][1] : pair[1][0]] == " "]
    surnames = {text[slice(*last)] for first, last in pairs if _capital(text[slice(*first)])}
    for match in _OWNED.finditer(text):
        end = max((stop for _, stop in _runs_at(text, match.end())), default=match.end())
        owner, thing = (match.start(2), match.end(2)), (match.end(), end)
        known = owner in chosen or match[2] in surnames or (thing in chosen and " " in text[slice(*thing)])
        if match[1] or not known:
            found.append((match.start(), end))
    return found


def _subtitled(
    text: str, hits: Mapping[tuple[int, int], Sequence[Hit]], is_noun: Callable[[str], bool]
) -> list[tuple[int, int]]:
    """ "Alien: Covenant", which the KG lacks, is neither Alien nor Covenant; "Director: Ann Smith" is no title, nor is
    "Germany: Berlin is ..."."""

    def is_label(span: tuple[int, int]) -> bool:
        return any(hit.name == text[slice(*span)] and hit.kind == "label" for hit in hits.get(span, ()))

    found = []
    for match in _SUBTITLED.finditer(text):
        first = match[1]
        if text[: match.start()].endswith("("):
            continue  # "(Latin: Albertus Magnus)"
        thing = (" " in first or is_label(match.span(1))) and not is_noun(first.lower())
        if (thing or not _starts_sentence(text, match.start())) and not is_label(match.span(2)):
            found.append(match.span())
    return found


def _runs_at(text: str, start: int) -> list[tuple[int, int]]:
    words = [(match.start(), match.end()) for match in _WORD.finditer(text, start, start + _LONGEST)]
    return [run for run in _capital_runs(text, words)[:1] if run[0] == start]


def _capital_runs(
    text: str, words: list[tuple[int, int]], is_noun: Callable[[str], bool] = lambda text: False
) -> list[tuple[int, int]]:
    """Maximal stretches of capitalised words, joined by single spaces, hyphens, initials or words like "of"."""
    runs: list[tuple[int, int]] = []
    i = 0
    while i < len(words):
        start, end = words[i]
        word = text[start:end]
        if (
            not _capital(word)
            or (word.lower() in STOP | {"the"} and len(word) > 1)
            or (_starts_sentence(text, start) and _no_name(text, word.lower(), end, is_noun))
        ):
            i += 1
            continue
        j, stop = i, end
        while j + 1 < len(words):
            k = j + 1
            if (hyphened := _HYPHENED.match(text, stop)) is not None:  # "Auvers-sur-Oise"
                stop = hyphened.end()
                while j + 1 < len(words) and words[j + 1][1] <= stop:
                    j += 1
                continue
            gap = text[stop : words[k][0]]
            while k < len(words) and k - j <= 3 and text[slice(*words[k])] in _JOINS and gap.strip(" ") == "":
                if text[slice(*words[k - 1])] == "and" and text[slice(*words[k])] not in _ARTICLES:
                    break  # "in Paris and in Rome"
                gap = text[words[k][1] : words[k + 1][0]] if k + 1 < len(words) else "\n"
                k += 1
            if k >= len(words) or not _capital(text[slice(*words[k])]):
                break
            if text[slice(*words[j + 1])] == "and" and _two_names(text, words, i, j, k):
                break
            direct = text[stop : words[j + 1][0]]
            initial = len(text[slice(*words[j])]) <= 2 and direct == ". "
            if not (
                direct in (" ", "-", "–", "/", " & ", "'", "’", ". ")
                and (direct != ". " or initial)
                and gap in (" ", "-", "–", "/", " & ", "'", "’", ". ")
            ):
                break
            j, stop = k, words[k][1]
        alone = (
            j == i and _starts_sentence(text, start) and not any(char.isdigit() or char.isupper() for char in word[1:])
        )
        if not alone:
            runs.append((start, stop))
        i = j + 1
    return runs


def _before(text: str, run: tuple[int, int], dates: Sequence[int]) -> tuple[int, int]:
    """The run as far as a date that begins in it: "Paul Allen on April" 4."""
    start, end = run
    for date in dates:
        if start < date < end:
            rest = text[start:date].split()
            while rest and rest[-1] in _JOINS:
                rest.pop()
            end = start + len(" ".join(rest)) if rest else end
    return start, end


def _two_names(text: str, words: list[tuple[int, int]], i: int, j: int, k: int) -> bool:
    """ "Ann Smith and Bob Jones", two names of two words or more without any other word in them; "the A and the B"; "A
    and B" behind two others and commas.
    """
    if i == j and _LISTED.search(text, max(0, words[i][0] - _LONGEST), words[i][0]):
        return True
    if text[slice(*words[k - 1])] == "the":
        return text[max(words[i][0] - 4, 0) : words[i][0]] == "the "
    second = k + 1 < len(words) and text[words[k][1] : words[k + 1][0]] == " " and _capital(text[slice(*words[k + 1])])
    return k == j + 2 and j > i and second and all(_capital(word) for word in text[words[i][0] : words[j][1]].split())


def _capital(word: str) -> bool:
    return word[:1].isupper() or (word[:1].isdigit() and any(char.isupper() for char in word))


def _whole_name(
    text: str, start: int, end: int, runs: list[tuple[int, int]], chosen: Sequence[tuple[int, int]]
) -> tuple[int, int]:
    """The span itself, or the longer unknown name that it is only a part of."""
    for run_start, run_end in runs:
        if not (run_start <= start and end <= run_end) or (run_start, run_end) == (start, end):
            continue
        if run_end - run_start > _LONGEST:
            return start, end  # no name is so long: a heading, or a text in capitals
        inside = [span for span in chosen if run_start <= span[0] and span[1] <= run_end]
        rest = text[run_start:run_end]
        for span in sorted(inside, reverse=True):
            rest = rest[: span[0] - run_start] + " " + rest[span[1] - run_start :]
        if any(_bound(text, one, (start, end)) for one in inside if one != (start, end)):
            return run_start, run_end
        left = [word for word in _WORD.findall(rest) if word.lower() not in STOP | TITLES | _JOINS and word != "s"]
        if not left:
            return start, end
        if not _touches(text, start, end, run_start, run_end, chosen):
            return start, end
        return run_start, run_end
    return start, end


def _numbered(text: str, start: int, end: int, dates: Sequence[int]) -> tuple[int, int] | None:
    """ "Rush Hour 3", which the KG lacks, is not Rush Hour."""
    number = _NUMBERED.match(text, end)
    return (start, number.end()) if number and not {start, end + 1} & set(dates) else None


def _bound(text: str, one: tuple[int, int], other: tuple[int, int]) -> bool:
    """ "Republic" and "Genoa", "Princeton" and "Hospital": two short names that make up one that the KG lacks."""
    first, second = sorted((one, other))
    between = text[first[1] : second[0]]
    if between == " in " and text[slice(*first)] == "Nobel Prize":
        return True
    words = " " not in text[slice(*first)] and text[slice(*first)].lower() not in TITLES
    return words and (between in (" of ", " of the ") or (between == " " and " " not in text[slice(*second)]))


def _office(text: str, start: int, end: int, run_start: int, chosen: Sequence[tuple[int, int]]) -> bool:
    """Is what stands before the name in the run an office or a calling: "Governor of", "Prime Minister"?"""
    words = text[run_start:start].replace(" the ", " ").split()
    of = words[-1:] == ["of"]
    words = words[:-1] if of else words
    if not words or any(run_start <= span[0] < start for span in chosen) or not (of or " " in text[start:end]):
        return False
    words = [word.lower().rstrip(".").split("-")[0] for word in words if _capital(word)]
    return bool(words) and words[-1] in (_OFFICES if of else _CALLINGS) and set(words) <= _CALLINGS | TITLES


def _touches(text: str, start: int, end: int, run_start: int, run_end: int, chosen: Sequence[tuple[int, int]]) -> bool:
    """True where a capitalised word that is no name of its own stands right beside the span, or before "of" + span."""
    before = re.search(r"([^\W_]+)(?:'s|’s)?(?: (?:of|of the|de|von|van|the|for))?[ –-]+$", text[run_start:start])
    if _office(text, start, end, run_start, chosen):
        before = None
    if before and _capital(before.group(1)) and before.group(1).lower() not in TITLES | STOP:
        at = run_start + before.start(1)
        if not text[run_start:start].rstrip().endswith(("'s", "’s")) and not any(
            span[0] <= at < span[1] for span in chosen
        ):
            return True
    after = re.match(r"[ –-]+(?:(?:of|of the|de|von|van) )?([^\W_]+)", text[end:run_end])
    if after and _capital(after.group(1)):
        at = end + after.start(1)
        if not any(span[0] <= at < span[1] for span in chosen):
            return True
    return False
