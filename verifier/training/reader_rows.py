"""Rows that the relation reader learns from: a sentence, two places in it, and which relations it asserts between them.

Sources: Wikipedia sentences with Wikidata relations (TekGen, FewRel, Re-DocRED), sentences about infoboxes (InfoTabs),
and statements of a KG put into words by sayings and templates. What makes a row hard is what it must
deny: another relation of the same two, the two turned round, the right relation with another name, a denial.
"""

from __future__ import annotations

import gzip
import random
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import orjson

from kgstore.catalog import Property
from kgstore.model import NamedNode
from kgstore.store import Store
from kgstore.verbalise import readable, value_text
from kgstore.verifier.reader.asking import Span
from kgstore.verifier.training.pairs import part_of
from kgstore.verifier.training.sayings import say, ways

HELD_OUT = 20
"""One label in so many is never learnt from, so that unseen relations can be measured."""

_LISTED = re.compile(r"^[\s,;]*(?:and|or|&|as well as)?[\s,;]*(?:the )?$")
_PRONOUN = re.compile(r"^(?:(?:In|On|By|After|Since|Later|Also|From)\b[^,]{0,30},? )?(He|She|It|They|he|she|it|they)\b")
_MONTHS = "January February March April May June July August September October November December".split()
_CODES = re.compile(r"\bid\b|code", re.IGNORECASE)
SYMMETRIC = frozenset(
    "spouse,sibling,relative,unmarried partner,partner,business partner,partner in business or sport,doubles partner,"
    "enemy,sister city,twinned administrative body,shares border with,connects with,adjacent station,"
    "said to be the same as,physically interacts with".split(",")
)
_INVERSE = {
    "follows": "followed by", "child": "parent", "mother": "child", "father": "child", "part of": "has part",
    "participant": "participant of", "capital": "capital of", "parent organization": "subsidiary",
    "replaces": "replaced by", "notable work": "creator", "member of": "has part",
    "located in the administrative territorial entity": "contains administrative territorial entity",
}  # fmt: skip
_NOMINATED = re.compile(r"nomin|shortlist|short-list|finalist|contend|\bup for\b", re.IGNORECASE)
_WON = re.compile(r"\b(?:won|wins?|winn\w+|receiv\w+|awarded|recipient\w*)\b", re.IGNORECASE)
HEDGED = (
    "It is not true that {0}", "It is rumoured that {0}", "It has been claimed that {0}", "Nobody knows whether {0}",
    "Contrary to what is often said, it is false that {0}", "If {0}, the records would say so.",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Row:
    """What a sentence asserts between two of its places.

    :param said: labels of the relations that it asserts
    :param open: labels of which nothing is known
    :param rivals: labels that it does not assert, and that are easily taken for asserted
    :param through: a relation of the head: the labels are about its value, which the sentence need not name
    """

    text: str
    head: Span
    tail: Span
    said: tuple[str, ...]
    rivals: tuple[str, ...] = ()
    open: tuple[str, ...] = ()
    source: str = ""
    through: str = ""


def is_held_out(label: str) -> bool:
    """Is the relation kept aside?

    >>> is_held_out("director"), is_held_out("composer")
    (False, False)
    """
    return part_of(label.strip().lower(), HELD_OUT) == 0


def read(path: Path) -> Iterator[dict]:
    """JSON lines, also ``.gz``."""
    with (gzip.open(path, "rb") if path.suffix == ".gz" else path.open("rb")) as lines:
        yield from map(orjson.loads, lines)


def place(text: str, name: str, whole: bool = False) -> Span | None:
    """Where a name, or the last word of a person's, stands in a sentence; a date in whichever form.

    >>> place("Born on June 7, 2000, in Graz.", "2000-06-07"), place("Smith died.", "Ann Smith")
    ((8, 20), (0, 5))
    """
    if date := re.fullmatch(r"\+?(\d{3,4})(?:-(\d\d))?(?:-(\d\d))?(?:T.*)?", name):
        return _date_place(text, *date.groups())
    for one in (name, re.sub(r"\s*\(.*\)$", "", name), name.removeprefix("The ")):
        if one and (found := re.search(rf"(?<!\w){re.escape(one)}(?!\w)", text, re.IGNORECASE)):
            return found.span()
    if not whole and " " in name:
        last = name.split()[-1]
        alone = list(re.finditer(rf"\b{re.escape(last)}\b", text))
        if last[:1].isupper() and len(last) > 3 and len(alone) == 1:
            return alone[0].span()
    return None


def _date_place(text: str, year: str, month: str | None, day: str | None) -> Span | None:
    forms = [rf"\b{year}\b"]
    if month and 1 <= int(month) <= 12:
        name = _MONTHS[int(month) - 1]
        forms.insert(0, rf"\b{name},? {year}\b")
        if day and int(day):
            day = rf"{int(day)}(?:st|nd|rd|th)?"
            forms = [rf"\b{name} {day},? {year}\b", rf"\b{day} {name},? {year}\b", *forms]
    return next((found.span() for form in forms if (found := re.search(form, text))), None)


def apart(one: Span, other: Span) -> bool:
    """Do two places have no word in common?"""
    return one[1] <= other[0] or other[1] <= one[0]


def joined(text: str, one: Span, other: Span) -> bool:
    """Do two names stand in one list, so that what is said of the one is likely said of the other?"""
    first, second = sorted((one, other))
    between = text[first[1]:second[0]]
    return bool(_LISTED.match(between)) or ("," in text[max(0, first[0] - 2):first[0]] and between.count(",") <= 3)


def _harder(row: Row, chance: random.Random, spare: Sequence[Span]) -> Iterator[Row]:
    """The row, and what follows from it: turned round, and with other names of the sentence.

    :param spare: places of which the relation is not asserted
    """
    yield row
    label, text = row.said[0], row.text
    if label not in SYMMETRIC:
        inverse = (_INVERSE[label],) if label in _INVERSE else ()
        said = inverse if inverse and chance.random() < 0.5 else ()
        rivals, doubt = (label, *row.rivals), (*row.open, *inverse)
        yield replace(row, head=row.tail, tail=row.head, said=said, rivals=rivals, open=doubt)
    free = [one for one in spare if apart(one, row.head) and apart(one, row.tail) and not joined(text, one, row.tail)]
    if free:
        yield replace(row, tail=chance.choice(free), said=(), rivals=(label, *row.rivals))


def tekgen(path: Path, chance: random.Random) -> Iterator[Row]:
    """What is not listed may be asserted all the same: only values of other relations are taken for wrong ones."""
    for line in read(path):
        for triple in line["triples"]:
            text, name = line["text"], triple["head_name"]
            head, tail = place(text, name), place(text, triple["tail_name"], whole=True)
            if head is None and (found := _PRONOUN.match(text)):  # "He was born in ..."
                start, end = found.span(1)
                text = text[:start] + name + text[end:]
                head = (start, start + len(name))
                tail = place(text, triple["tail_name"], whole=True)
            if head and tail and apart(head, tail):
                listed = triple["property_label"].strip()
                label, rivals = _told(text, listed)
                values = [one["tail_name"] for one in line["triples"] if one["property_label"].strip() != listed]
                spare = [span for one in values if (span := place(text, one, whole=True))]
                if label:
                    yield from _harder(Row(text, head, tail, (label,), rivals, source="tekgen"), chance, spare)


def _told(text: str, label: str) -> tuple[str, tuple[str, ...]]:
    """The relation that a sentence asserts, and those that it is taken for: TekGen lists what Wikidata has of the two,
    which is the nomination of whoever won, too. Empty if it asserts neither.

    >>> _told("Ann won the Oscar.", "nominated for"), _told("Ann lost the Oscar.", "nominated for")
    (('award received', ('nominated for',)), ('', ()))
    """
    if label != "nominated for" or _NOMINATED.search(text):
        return label, ()
    return ("award received", (label,)) if _WON.search(text) else ("", ())


def fewrel(path: Path, chance: random.Random) -> Iterator[Row]:
    for line in read(path):
        triple = line["triples"][0]
        head, tail = tuple(triple["head_spans"][0]), tuple(triple["tail_spans"][0])
        if apart(head, tail):
            yield from _harder(Row(line["text"], head, tail, (triple["property_label"],), source="fewrel"), chance, ())


def docred(path: Path, chance: random.Random, silent: float = 0.25) -> Iterator[Row]:
    """Pairs of names of one sentence: all relations are listed, so that what is not listed is not asserted.

    :param silent: share of the pairs without any relation that are taken
    """
    for line in read(path):
        text, triples = line["text"], line["triples"]
        spans: dict[str, set[Span]] = {}
        relations: dict[tuple[str, str], list[dict]] = {}
        for one in triples:
            for end in ("head", "tail"):
                spans.setdefault(one.get(end) or one[f"{end}_name"], set()).update(map(tuple, one[f"{end}_spans"]))
            relations.setdefault((one["head"], one.get("tail") or one["tail_name"]), []).append(one)
        for start, stop in _sentences(text):
            inside = {key: [s for s in ones if start <= s[0] and s[1] <= stop] for key, ones in spans.items()}
            here = {key: found for key, found in inside.items() if found}
            labels = tuple({one["property_label"] for one in triples})
            for head in here:
                for tail in here:
                    if head == tail:
                        continue
                    known = relations.get((head, tail), [])
                    if not known and chance.random() > silent:
                        continue
                    a, b = _nearest(here[head], here[tail])
                    if not apart(a, b):
                        continue
                    said = tuple(one["property_label"] for one in known if one["direct"] or len(one["evidence"]) == 1)
                    doubt = tuple(one["property_label"] for one in known if one["property_label"] not in said)
                    back = tuple(one["property_label"] for one in relations.get((tail, head), []))
                    rivals = tuple(one for one in (*back, *labels) if one not in (*said, *doubt))
                    yield Row(
                        text[start:stop], (a[0] - start, a[1] - start), (b[0] - start, b[1] - start), said,
                        tuple(dict.fromkeys(rivals)), doubt, "docred",
                    )  # fmt: skip


def _sentences(text: str) -> Iterator[Span]:
    start = 0
    for match in re.finditer(r"(?<=[a-z0-9)\"”][.!?]) (?=[A-Z\"“])", text):
        yield start, match.start()
        start = match.end()
    yield start, len(text)


def _nearest(some: Iterable[Span], more: Iterable[Span]) -> tuple[Span, Span]:
    return min(((a, b) for a in some for b in more), key=lambda pair: abs(pair[0][0] - pair[1][0]))


def infoboxes(path: Path) -> Iterator[Row]:
    """Sentences of InfoTabs that name a title and a value: other keys of the same box are the rivals."""
    for line in read(path):
        if line["source"] != "infotabs" or line["label"] != "entailment":
            continue
        rows = [part.split(" | ") for part in line["premise"].split("\n")]
        text, title = line["hypothesis"], rows[0][0]
        head = place(text, title)
        keys = [row[1].strip().lower() for row in rows if len(row) == 3]
        for row in rows:
            if head is None or len(row) != 3:
                continue
            values = [one for one in re.split(r" , |, | \(|\)", row[2]) if len(one) > 3]
            found = [tail for one in values if (tail := place(text, one, whole=True)) and apart(head, tail)]
            if found:
                rivals = tuple(key for key in keys if key != row[1].strip().lower())
                yield Row(text, head, found[0], (row[1].strip().lower(),), rivals, source="infotabs")


class Fillers:
    """Names to fill the slots of sayings with."""

    _KINDS = {
        "person": ("human",), "place": ("city", "country", "city of the United States", "state of the United States"),
        "org": ("business", "university", "organization", "political party", "band"),
        "work": ("film", "album", "literary work", "television series", "video game", "song"),
    }  # fmt: skip
    _ALIKE = {
        "person": "person human character author artist player athlete politician".split(),
        "place": "place city country town region state location building river mountain".split(),
        "org": "org organisation organization company team club university band party institution".split(),
        "work": "work film book album song series game novel painting software".split(),
    }  # fmt: skip

    def __init__(self, store: Store, chance: random.Random) -> None:
        self.store, self.chance = store, chance
        catalog = store.catalog
        kinds = {label: kind for kind, labels in self._KINDS.items() for label in labels}
        self.pools: dict[str, list[str]] = {kind: [] for kind in (*self._KINDS, "thing")}
        for predicate in store.profile.type:
            matched: Iterator[Any] = store.match(None, NamedNode(predicate))
            for number, triple in enumerate(matched):
                kind = kinds.get(store.label(triple.object.value), "thing" if number % 7 == 0 else "")
                entity = catalog.entity(triple.subject.value) if kind and len(self.pools[kind]) < 3000 else None
                if entity is not None and 2 < len(entity.label) < 40 and "," not in entity.label:
                    self.pools[kind].append(entity.label)
        self._by_label = {item.label.lower(): item for item in catalog.properties().values()}

    def any(self, kind: str) -> str:
        """A name, date or year of a kind that a saying asks for."""
        chance = self.chance
        if kind == "year":
            return str(chance.randrange(1700, 2024))
        if kind == "date":
            return f"{chance.randrange(1, 29)} {chance.choice(_MONTHS)} {chance.randrange(1700, 2024)}"
        return chance.choice(self.pools[self.kind(kind)] or self.pools["thing"])

    def kind(self, words: str) -> str:
        """The pool of a kind in words."""
        said = set(re.findall(r"[a-z]+", words.lower()))
        return next((one for one, like in self._ALIKE.items() if said & set(like)), "thing")

    def pairs(self, label: str, head: str, tail: str) -> Iterator[tuple[str, str]]:
        """Subjects and values of the relation in the KG; made-up ones where it has none."""
        item, found = self._by_label.get(label.lower()), []
        for triple in some(self.store, item.iri, 300) if item else ():
            entity = self.store.catalog.entity(triple.subject.value)
            if item and entity is not None and 2 < len(entity.label) < 50:
                found += [(entity.label, one) for one in self._values(entity.iri, item)]
        self.chance.shuffle(found)
        yield from found[:30]
        while True:
            if re.search(r"amount|number|quantity|\bkm\b|metre|kg\b|percent|money|count|dosage", tail):
                unit = self.chance.choice(("", " km", " m", " kg", " million", "%", " US dollars"))
                yield self.any(head), f"{self.chance.randrange(2, 5000):,}{unit}"
            else:
                yield self.any(head), self.any("date" if re.search(r"\bdate|year|time|deadline", tail) else tail)

    def _values(self, iri: str, item: Property) -> Iterator[str]:
        for one in self.store.statements(iri):
            words = value_text(one.value, self.store.label) if one.predicate.value == item.iri else ""
            if words and 1 < len(words) < 50:
                yield words


def sayings(path: Path, fillers: Fillers) -> Iterator[Row]:
    """Templates: sentences that say a relation, and others that only seem to. The rows' source is the file's name."""
    for row in _sayings(path, fillers):
        yield replace(row, source=path.stem)


def _sayings(path: Path, fillers: Fillers) -> Iterator[Row]:
    for line in read(path):
        label, pairs = line["label"], fillers.pairs(line["label"], line["head"], line["tail"])
        for said, texts in (((label,), line["says"]), ((), line["near"])):
            for template in texts:
                for head, tail in (next(pairs), next(pairs)):
                    row, names = filled(template, head, tail, fillers)
                    if row is None or head == tail:
                        continue
                    row = replace(row, said=said, rivals=() if said else (label,))
                    yield row
                    kind = fillers.kind(line["tail"])
                    if said and (alike := [span for one, span in names if fillers.kind(one) == kind]):
                        yield replace(row, tail=fillers.chance.choice(alike), said=(), rivals=(label,))
                    elif said and fillers.chance.random() < 0.35:
                        yield from list(_harder(row, fillers.chance, [span for _, span in names]))[1:]


def filled(
    template: str, head: str, tail: str, fillers: Fillers
) -> tuple[Row | None, list[tuple[str, Span]]]:
    """The row, and the other names of its sentence with their kinds."""
    text, spans, at = "", {}, 0
    names: list[tuple[str, Span]] = []
    for match in re.finditer(r"\{(head|tail|x:\w+)\}", template):
        text += template[at:match.start()]
        word = {"head": head, "tail": tail}.get(match[1]) or fillers.any(match[1][2:])
        spans[match[1]] = (len(text), len(text) + len(word))
        if match[1].startswith("x:"):
            names.append((match[1][2:], spans[match[1]]))
        text += word
        at = match.end()
    text += template[at:]
    whole = {"head", "tail"} <= spans.keys()
    return (Row(text, spans["head"], spans["tail"], (), source="sayings") if whole else None), names


class Templates:
    """Statements of a KG in the words of templates, two at a time: which value goes with which relation counts."""

    def __init__(self, store: Store, seed: int) -> None:
        self.store, self.chance = store, random.Random(seed)
        self.items = {
            iri: item
            for iri, item in store.catalog.properties().items()
            if item.datatype in ("entity", "time", "quantity") and item.label and not _CODES.search(item.label)
        }

    def make(self, number: int) -> Iterator[Row]:
        subjects = sorted({t.subject.value for iri in list(self.items)[:400] for t in some(self.store, iri, 60)})
        self.chance.shuffle(subjects)
        made = 0
        for iri in subjects:
            for row in self._of(iri):
                yield row
                made += 1
            if made >= number:
                return

    def _of(self, iri: str) -> Iterator[Row]:
        entity = self.store.catalog.entity(iri)
        if entity is None or not entity.label or len(entity.label) > 50:
            return
        found: dict[str, tuple[Property, str]] = {}
        for one in self.store.statements(iri):
            item = self.items.get(one.predicate.value)
            words = value_text(one.value, self.store.label) if item else ""
            if item and words and len(words) < 50 and words.lower() != entity.label.lower():
                found.setdefault(item.label, (item, words))
        if len(found) < 2:
            return
        (first, a), (second, b) = self.chance.sample(list(found.values()), 2)
        if a == b or a in b or b in a:
            return
        text = self._sentence(entity.label, first, a, second, b)
        subject, left, right = (place(text, name, whole=True) for name in (entity.label, a, b))
        if subject is None or left is None or right is None or len({subject, left, right}) < 3:
            return
        both = (first.label, second.label)
        sure = Row(text, subject, left, both[:1], both[1:], source="templates")
        yield sure
        yield replace(sure, tail=right, said=both[1:], rivals=both[:1])
        if self.chance.random() < 0.3:
            yield replace(sure, head=left, tail=right, said=(), rivals=both)
        if self.chance.random() < 0.25:
            yield from self._doubted(entity.label, first, a)

    def _sentence(self, name: str, first: Property, a: str, second: Property, b: str) -> str:
        chance = self.chance
        one, two = say(chance, name, first, a).rstrip("."), say(chance, name, second, b).rstrip(".")
        nouns = [readable(item.label) for item in (first, second)]
        says = ways(second.label.lower())[0]
        kind = chance.random()
        if one.startswith(f"{name} ") and two.startswith(f"{name} ") and kind < 0.5:
            return f"{one} and {two.removeprefix(f'{name} ')}."
        if kind < 0.65 and says:
            return f"{name}, whose {nouns[0]} is {a}, {chance.choice(says)} {b}."
        if kind < 0.8:
            return f"The {nouns[0]} of {name} is {a} and the {nouns[1]} is {b}."
        return f"{one}, while {two[:1].lower() + two[1:] if two.startswith('The ') else two}."

    def _doubted(self, name: str, item: Property, value: str) -> Iterator[Row]:
        said = say(self.chance, name, item, value).rstrip(".")
        text = self.chance.choice(HEDGED).format(said) + "."
        if self.chance.random() < 0.6:
            text = re.sub(r"\b(was|is|were|are)\b", self.chance.choice((r"\1 not", r"\1 never")), f"{said}.", count=1)
            if " not " not in text and " never " not in text:
                return
        head, tail = place(text, name, whole=True), place(text, value, whole=True)
        if head and tail:
            yield Row(text, head, tail, (), (item.label,), source="templates")


def some(store: Store, iri: str, most: int) -> Iterator:
    for number, triple in enumerate(store.match(None, store.profile.predicate_of(iri))):
        if number >= most:
            return
        yield triple
