"""Rows of two steps: what a sentence says of somebody or something that it describes by a name, and does not name.

"The man who directed Alien was born in Paris" says where a director was born, and nothing of where Alien was.
``data/descriptions.jsonl`` has ways to describe the value of a relation; statements of a KG that follow on one another
give the names, and ``data/sayings.jsonl`` what is said of what is described. All was written by hand.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from kgstore.catalog import Property
from kgstore.model import NamedNode
from kgstore.store import Store
from kgstore.verbalise import value_text
from kgstore.verifier.reader.asking import Span
from kgstore.verifier.training.reader_rows import HEDGED, Fillers, Row, apart, filled, read, some

SOURCE = "chains"
_WIDE = frozenset(
    "country,country of origin,located in the administrative territorial entity,part of,has part,location,follows,"
    "followed by,sibling,member of,part of the series".split(",")
)
"""Relations whose value often has in common with the subject what is said of either."""
_ALIKE = tuple(
    frozenset(one.split(","))
    for one in (
        "follows,replaces,based on",
        "followed by,replaced by",
        "developer,publisher,manufacturer,production company,founded by,owned by,creator,operator,parent organization,"
        "record label,performer,original broadcaster,distributed by",
        "creator,author,director,architect,composer,illustrator,screenwriter,producer,performer,notable work,"
        "discoverer or inventor",
        "student of,doctoral advisor,influenced by",
        "student,doctoral student",
        "headquarters location,location,capital,residence",
        "father,mother,child,sibling",
        "part of,member of,has part,parent taxon",
        "head of state,head of government",
        "main subject,named after,characters",
        "country,country of citizenship,country of origin,location,located in the administrative territorial entity",
    )
)
"""Relations whose descriptions are too near to each other to deny the one where the other is said."""


_KINDS = frozenset(("instance of", "subclass of"))
"""What a thing is, is not asked."""
_SUBJECTS = 80
"""Subjects of each first step."""


@dataclass(frozen=True, slots=True)
class Walk:
    """Two statements that follow on one another: the value of the first is the subject of the second."""

    head: str
    first: str
    between: str
    second: str
    tail: str


class Chains:
    """Sentences of two steps, about statements of a KG.

    :param own: folder of descriptions.jsonl and sayings.jsonl
    """

    def __init__(self, store: Store, own: Path, fillers: Fillers, chance: random.Random) -> None:
        self.store, self.fillers, self.chance = store, fillers, chance
        self.described = {one["label"]: (one["short"], one["long"]) for one in read(own / "descriptions.jsonl")}
        self.sayings = {one["label"]: one for one in read(own / "sayings.jsonl")}
        self._tails: dict[str, list[str]] = defaultdict(list)
        self._known: dict[str, list[tuple[str, str]]] = {}
        self.items = {item.iri: item for item in store.catalog.properties().values()}

    def make(self, number: int) -> Iterator[Row]:
        """Rows of so many walks."""
        walks = list(self._walks())
        self.chance.shuffle(walks)
        by_second: dict[str, list[str]] = defaultdict(list)
        for one in walks:
            by_second[one.second].append(one.first)
            self._tails[one.second].append(one.tail)
        seen: Counter[tuple[str, str]] = Counter()
        made = 0
        for one in walks:
            seen[one.first, one.second] += 1
            if made < number and seen[one.first, one.second] <= 12:
                made += 1
                yield from self._rows(one, by_second[one.second])

    def _walks(self) -> Iterator[Walk]:
        for iri, item in self.items.items():
            if item.label not in self.described:
                continue
            triples = list(some(self.store, iri, 1000))
            for triple in self.chance.sample(triples, min(_SUBJECTS, len(triples))):
                head = self._label(triple.subject.value)
                if not isinstance(triple.object, NamedNode) or not head:
                    continue
                between = self._label(triple.object.value)
                told = self._told_of(triple.object.value)
                for second, tail in self.chance.sample(told, min(3, len(told))):
                    if between and 1 < len(tail) < 45 and not _share(head, tail):
                        yield Walk(head, item.label, between, second, tail)

    def _told_of(self, iri: str) -> list[tuple[str, str]]:
        """Relations and values of what may be described; many are described as the same ("France")."""
        if iri not in self._known:
            one_each = {one.predicate.value: one for one in self.store.statements(iri)}
            self._known[iri] = [
                (self.items[key].label, value_text(one.value, self.store.label))
                for key, one in one_each.items()
                if self._is_said(key)
            ]
        return self._known[iri]

    def _is_said(self, iri: str) -> bool:
        item: Property | None = self.items.get(iri)
        if item is None or item.label not in self.sayings or item.label in _KINDS:
            return False
        return item.datatype in ("entity", "time", "quantity")

    def _label(self, iri: str) -> str:
        entity = self.store.catalog.entity(iri)
        return entity.label if entity is not None and 2 < len(entity.label) < 45 else ""

    def _rows(self, walk: Walk, firsts: Sequence[str]) -> Iterator[Row]:
        """What it says in two steps, and what it does not say.

        :param firsts: first steps before the same second one
        """
        chance = self.chance
        made = self._told(walk, "says")
        if made is None:
            return
        row, names = made
        if chance.random() < 0.12:
            yield self._doubted(replace(row, said=(), rivals=row.said), chance)
            return
        yield row
        yield replace(row, through="", said=(), rivals=(walk.second, walk.first), open=())
        others = [one for one in firsts if one != walk.first and not any({one, walk.first} <= like for like in _ALIKE)]
        if others and chance.random() < 0.4:
            yield replace(row, through=chance.choice(others), said=(), rivals=(walk.second,))
        kind = self.fillers.kind(self.sayings[walk.second]["tail"])
        alike = [span for one, span in names if self.fillers.kind(one) == kind and apart(span, row.head)]
        if alike and chance.random() < 0.5:
            yield replace(row, tail=chance.choice(alike), said=(), rivals=(walk.second,))
        elif chance.random() < 0.25:
            yield replace(row, head=row.tail, tail=row.head, said=(), rivals=(walk.second,))
        if chance.random() < 0.3:
            yield from self._beside(walk)
        if chance.random() < 0.2 and (near := self._told(walk, "near")) is not None:
            yield replace(near[0], said=(), rivals=(walk.second,))

    def _told(self, walk: Walk, way: str, plain: str = "") -> tuple[Row, list[tuple[str, Span]]] | None:
        """The sentence, and its other names with their kinds.

        :param plain: a name that the sentence is about, in place of what is described
        """
        short, long = self.described[walk.first]
        texts = self.sayings[walk.second][way]
        template = self.chance.choice(texts) if texts else ""
        described = "{head}" if plain else self.chance.choice(short if "{head}'s" in template else [*short, *long])
        name = plain or walk.head
        words = described.replace("{head}", name)
        if template.startswith("{head}") and not plain:
            words = words[:1].upper() + words[1:]
        row, names = filled(template, words, walk.tail, self.fillers)
        if row is None or any(name in one for one in (walk.tail, template)):
            return None
        start = row.head[0] + described.index("{head}")
        through = "" if plain else walk.first
        row = replace(row, head=(start, start + len(name)), said=(walk.second,), source=SOURCE, through=through)
        return row, names

    def _beside(self, walk: Walk) -> Iterator[Row]:
        """The same relation said of the name itself, too, with another value."""
        other = self.chance.choice(self._tails[walk.second])
        one, two = self._told(walk, "says"), self._told(replace(walk, tail=other), "says", plain=walk.head)
        if one is None or two is None or _share(other, walk.tail) or _share(other, walk.head):
            return
        first, second = (one[0], two[0]) if self.chance.random() < 0.5 else (two[0], one[0])
        opening = first.text.rstrip(".")
        text = f"{opening}{self.chance.choice((', while ', ', and ', '; '))}{second.text}"
        shift = len(text) - len(second.text)
        moved = replace(second, text=text, head=_moved(second.head, shift), tail=_moved(second.tail, shift))
        first = replace(first, text=text)
        for row, against in ((first, moved), (moved, first)):
            yield row
            yield replace(row, tail=against.tail, said=(), rivals=(walk.second,))

    @staticmethod
    def _doubted(row: Row, chance: random.Random) -> Row:
        frame = chance.choice(HEDGED)
        at = frame.index("{0}")
        text = frame.format(row.text.rstrip(".")) + ("" if frame.endswith(".") else ".")
        return replace(row, text=text, head=_moved(row.head, at), tail=_moved(row.tail, at))


def combinations(rows: Iterable[Row]) -> dict[str, list[str]]:
    """Second steps -> the first ones that rows have before them, without those that say little new of the subject."""
    found: dict[str, set[str]] = defaultdict(set)
    for row in rows:
        if row.through and row.through not in _WIDE:
            for label in (*row.said, *row.rivals):
                found[label].add(row.through)
    return {label: sorted(ones) for label, ones in found.items()}


def denied(
    rows: Iterable[Row], known: Mapping[str, Sequence[str]], share: float, chance: random.Random
) -> Iterator[Row]:
    """What rows say of a name is not said of what that name is described with.

    :param share: of the rows that say something
    """
    for row in rows:
        firsts = [one for label in row.said[:1] for one in known.get(label, ()) if one not in (*row.said, *row.open)]
        if firsts and not row.through and chance.random() < share:
            yield replace(row, through=chance.choice(firsts), said=(), rivals=row.said[:1], open=(), source=SOURCE)


def _moved(span: Span, by: int) -> Span:
    return span[0] + by, span[1] + by


def _share(one: str, other: str) -> bool:
    return one.lower() in other.lower() or other.lower() in one.lower()
