"""Names by their capitals: runs of capitalised words, titles, the longer name that a known one is but a part of."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Mapping, Sequence

from kgstore.catalog_entries import NameHit
from kgstore.verifier.english.words import either, words

STOP = words("names.stop")
TITLES = words("names.titles")
_OFFICES = words("names.offices")
"""What stands for the office in "Lieutenant Governor of Maryland"; then Maryland is a name of its own."""
CALLINGS = _OFFICES | words("names.callings")
"""Before a name of two words or more these are no part of it, as are `TITLES` before any."""
_LEADING = words("names.leading")
"""A sentence may begin with these; they are no part of the name that follows."""
JOINS = words("names.joins")
_ARTICLES = words("names.articles")
WORD = re.compile(r"[^\W_]+", re.UNICODE)
_LONGEST = 300
_NUMBERED = re.compile(rf" \d{{1,2}}(?=[.,;:!?)]|$| {either('names.behind_number')}\b)")
_CAPITALS = r"[A-Z][\w'’-]*+(?:(?: of| the| and| in)* [A-Z][\w'’-]*+)*+"
_LISTED = re.compile(rf"(?:{_CAPITALS}, (?:and )?){{2,}}$")
_SUBTITLED = re.compile(
    rf"\b({_CAPITALS}): ((?:The |A |An |His |Her |In )?{_CAPITALS}|\d+)(?=[,;)]| [a-z]|[.!?](?:\s|$))"
)
_OF = re.compile(rf" {either('names.binding')} ")
_ELSEWHERE = re.compile(r" (?:in|at|on) ")
_QUOTED = re.compile(r"[\"“](?=[A-Z0-9])([^\"“”\n]{2,80}?)[,.]?[\"”](?! [A-Z])")
HYPHENED = re.compile(r"(?:-[a-zà-ÿ]{1,6}){1,3}-[A-ZÀ-Þ]\w*")
_OWNED = re.compile(r"\b(The )?([A-Z]\w*)['’]s (?=[A-Z])")


Span = tuple[int, int]
"""Offsets of a text."""


def _capital(word: str) -> bool:
    return word[:1].isupper() or (word[:1].isdigit() and any(char.isupper() for char in word))


def starts_sentence(text: str, start: int) -> bool:
    before = text[:start].rstrip(" \"'“‘(")
    return not before or before[-1] in ".!?\n:•-"


def capital_runs(text: str, words: list[Span], is_noun: Callable[[str], bool] = lambda text: False) -> list[Span]:
    """Maximal stretches of capitalised words, joined by single spaces, hyphens, initials or words like "of"."""
    runs: list[Span] = []
    i = 0
    while i < len(words):
        start, end = words[i]
        word = text[start:end]
        if (
            not _capital(word)
            or (word.lower() in STOP | {"the"} and len(word) > 1)
            or (starts_sentence(text, start) and _no_name(text, word.lower(), end, is_noun))
        ):
            i += 1
            continue
        j, stop = i, end
        while j + 1 < len(words):
            k = j + 1
            if (hyphened := HYPHENED.match(text, stop)) is not None:  # "Auvers-sur-Oise"
                stop = hyphened.end()
                while j + 1 < len(words) and words[j + 1][1] <= stop:
                    j += 1
                continue
            gap = text[stop : words[k][0]]
            while k < len(words) and k - j <= 3 and text[slice(*words[k])] in JOINS and gap.strip(" ") == "":
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
            j == i and starts_sentence(text, start) and not any(char.isdigit() or char.isupper() for char in word[1:])
        )
        if not alone:
            runs.append((start, stop))
        i = j + 1
    return runs


def _no_name(text: str, word: str, end: int, is_noun: Callable[[str], bool]) -> bool:
    """A sentence's first word with its capital only for that: "Professor ...", "Among ...", "Parts of ..."."""
    if word in TITLES | _LEADING:
        return True
    return text.startswith(" of ", end) and (
        is_noun(word) or word.endswith("ing") or word == "alumni" or (word.endswith("s") and len(word) > 4)
    )


def _two_names(text: str, words: list[Span], i: int, j: int, k: int) -> bool:
    """ "Ann Smith and Bob Jones", two names of two words or more without any other word in them; "the A and the B"; "A
    and B" behind two others and commas.
    """
    if i == j and _LISTED.search(text, max(0, words[i][0] - _LONGEST), words[i][0]):
        return True
    if text[slice(*words[k - 1])] == "the":
        return text[max(words[i][0] - 4, 0) : words[i][0]] == "the "
    second = k + 1 < len(words) and text[words[k][1] : words[k + 1][0]] == " " and _capital(text[slice(*words[k + 1])])
    return k == j + 2 and j > i and second and all(_capital(word) for word in text[words[i][0] : words[j][1]].split())


def _runs_at(text: str, start: int) -> list[Span]:
    words = [(match.start(), match.end()) for match in WORD.finditer(text, start, start + _LONGEST)]
    return [run for run in capital_runs(text, words)[:1] if run[0] == start]


def parts(text: str, start: int, end: int) -> list[Span]:
    """The names of "Zork and Rome" one by one, for where the KG knows only some of them."""
    cuts = [match.span() for match in re.finditer(" and ", text[start:end])]
    begins, ends = [0, *(cut[1] for cut in cuts)], [*(cut[0] for cut in cuts), end - start]
    return [(start + one, start + other) for one, other in zip(begins, ends, strict=True)] if cuts else []


def titled(text: str, words: list[Span], chosen: Container[Span]) -> list[Span]:
    """Titles in quotes ("I Walk the Line"), and those with an owner in them (The Hitchhiker's Guide to the Galaxy)."""
    found = []
    for match in _QUOTED.finditer(text):
        inside = WORD.findall(match[1])
        small = all(_capital(word) or word in STOP | JOINS or word.isdigit() or len(word) == 1 for word in inside)
        if len(inside) > 1 and small:
            found.append(match.span(1))
    pairs = [pair for pair in zip(words, words[1:], strict=False) if text[pair[0][1] : pair[1][0]] == " "]
    surnames = {text[slice(*last)] for first, last in pairs if _capital(text[slice(*first)])}
    for match in _OWNED.finditer(text):
        end = max((stop for _, stop in _runs_at(text, match.end())), default=match.end())
        owner, thing = (match.start(2), match.end(2)), (match.end(), end)
        if match[1] and (match.start(2), end) in chosen:
            continue  # the name lacks the article: "The Queen's Thimble"
        known = owner in chosen or match[2] in surnames or (thing in chosen and " " in text[slice(*thing)])
        if match[1] or not known:
            found.append((match.start(), end))
    return found


def subtitled(text: str, hits: Mapping[Span, Sequence[NameHit]], is_noun: Callable[[str], bool]) -> list[Span]:
    """ "Alien: Covenant", which the KG lacks, is neither Alien nor Covenant; "Director: Ann Smith" is no title, nor is
    "Germany: Berlin is ..."."""

    def is_label(span: Span) -> bool:
        return any(hit.name == text[slice(*span)] and hit.kind == "label" for hit in hits.get(span, ()))

    found = []
    for match in _SUBTITLED.finditer(text):
        first = match[1]
        if text[: match.start()].endswith("("):
            continue  # "(Latin: Albertus Magnus)"
        thing = (" " in first or is_label(match.span(1))) and not is_noun(first.lower())
        if (thing or not starts_sentence(text, match.start())) and not is_label(match.span(2)):
            found.append(match.span())
    return found


def before_dates(text: str, run: Span, dates: Sequence[int]) -> Span:
    """The run as far as a date that begins in it: "Paul Allen on April" 4."""
    start, end = run
    for date in dates:
        if start < date < end:
            rest = text[start:date].split()
            while rest and rest[-1] in JOINS:
                rest.pop()
            end = start + len(" ".join(rest)) if rest else end
    return start, end


def whole_name(text: str, start: int, end: int, runs: list[Span], chosen: Sequence[Span]) -> Span:
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
        if bound := [one for one in inside if one != (start, end) and _bound(text, one, (start, end))]:
            other = _ELSEWHERE.search(text, max(end, *(one[1] for one in bound)), run_end)
            return run_start, other.start() if other is not None else run_end
        left = [word for word in WORD.findall(rest) if word.lower() not in STOP | TITLES | JOINS and word != "s"]
        if not left:
            return start, end
        if not _touches(text, start, end, run_start, run_end, chosen):
            return start, end
        return run_start, run_end
    return start, end


def numbered(text: str, start: int, end: int, dates: Sequence[int]) -> Span | None:
    """ "Rush Hour 3", which the KG lacks, is not Rush Hour."""
    number = _NUMBERED.match(text, end)
    return (start, number.end()) if number and not {start, end + 1} & set(dates) else None


def _bound(text: str, one: Span, other: Span) -> bool:
    """ "Republic" and "Genoa", "Princeton" and "Hospital": two short names that make up one that the KG lacks."""
    first, second = sorted((one, other))
    between = text[first[1] : second[0]]
    if between == " in " and text[slice(*first)] == "Nobel Prize":
        return True
    name = text[slice(*first)].removeprefix("The ")
    words = " " not in name and name.lower() not in TITLES
    return words and (bool(_OF.fullmatch(between)) or (between == " " and " " not in text[slice(*second)]))


def _office(text: str, start: int, end: int, run_start: int, chosen: Sequence[Span]) -> bool:
    """Is what stands before the name in the run an office or a calling: "Governor of", "Prime Minister"?"""
    words = text[run_start:start].replace(" the ", " ").split()
    of = words[-1:] == ["of"]
    words = words[:-1] if of else words
    if not words or any(run_start <= span[0] < start for span in chosen) or not (of or " " in text[start:end]):
        return False
    words = [word.lower().rstrip(".").split("-")[0] for word in words if _capital(word)]
    return bool(words) and words[-1] in (_OFFICES if of else CALLINGS) and set(words) <= CALLINGS | TITLES


def _touches(text: str, start: int, end: int, run_start: int, run_end: int, chosen: Sequence[Span]) -> bool:
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
    epithet = "" if " " in text[start:end] else "|the"  # "Catherine the Great" is no Catherine
    after = re.match(rf"[ –-]+(?:(?:of|of the|de|von|van{epithet}) )?([^\W_]+)", text[end:run_end])
    if after and _capital(after.group(1)):
        at = end + after.start(1)
        if not any(span[0] <= at < span[1] for span in chosen):
            return True
    return False
