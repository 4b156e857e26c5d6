"""From the words of a relation to the KG's properties, in both directions.

Two signals: the same words as one of the property's names or usual wordings; words shared with them. Weighed by how
well the types of head and tail fit the property in this graph. What other words mean, the relation reader tells.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log

from kgstore.catalog import Property
from kgstore.verbalise import readable
from kgstore.verifier.claims import Candidate
from kgstore.verifier.english import wording
from kgstore.verifier.english.words import words
from kgstore.verifier.kg.protocol import KnowledgeGraph

TOP = 3
EXACT, OVERLAP = 1.0, 0.85
"""The most that each signal is worth: 1 is certainty that the property is meant."""
SURE = 0.9
"""More than this only where the words are those of the property itself."""
_FLOOR = 0.35
UNKNOWN = 0.6
BESIDE = words("prepositions.beside")
"""Prepositions that change a relation's meaning altogether."""


@dataclass(frozen=True, slots=True)
class Aligned:
    """A property that a relation may mean.

    :param turned: head and tail change places: the tail is the statement's subject
    :param score: 0 to 1, words and types together; ``text`` is the part of the words alone
    :param fit: how well head and tail fit the property's subjects and values in this graph, 0 to 1
    :param read: the relation reader found it, in a sentence that names none of the values that the KG has
    """

    property: Property
    turned: bool
    score: float
    text: float
    fit: float
    read: bool = False


class Aligner:
    """Built once for a store; `align` is the work."""

    def __init__(self, store: KnowledgeGraph) -> None:
        self.store = store
        self.properties: Mapping[str, Property] = {
            iri: item for iri, item in store.properties().items() if item.statements
        }
        self._exact: dict[tuple[str, ...], list[tuple[str, bool]]] = defaultdict(list)
        self._by_word: dict[str, set[int]] = defaultdict(set)
        self._entries: list[tuple[frozenset[str], str, bool]] = []
        self._reach: dict[str, frozenset[str]] = {}
        short: dict[tuple[str, ...], list[tuple[str, bool]]] = defaultdict(list)
        (table, other), light = wording.table(), wording.light()
        profile = store.profile
        usual = {profile.property_of(one): "subclass of" for one in profile.subclass}
        usual |= {profile.property_of(one): "instance of" for one in profile.type}
        for iri, item in self.properties.items():
            names = (item.label, *item.aliases)
            words = {wording.Wording(name) for name in names}
            amount = item.datatype in ("quantity", "time")  # "350,000 people live in B" has head B already
            label = readable(item.label).lower()
            words.add(wording.Wording(label))
            little = light.get(label, frozenset())
            known = table.get(usual.get(iri, label)) or other.get(label)
            for wordings in (known,) if known else (table.get(name.lower()) for name in item.aliases):
                words.update(wordings or ())
            for one in words:
                stems = wording.normal(one.text)
                if not stems:
                    continue
                turned = one.turned and not amount
                self._exact[stems].append((iri, turned))
                if stems[0] == "be" and len(stems) > 1 and stems[1:] != ("of",):
                    short[stems[1:]].append((iri, turned))
                carrying = wording.content(stems) - little
                for word in carrying:
                    self._by_word[word].add(len(self._entries))
                self._entries.append((carrying, iri, turned))
        for stems, meant in short.items():
            if stems not in self._exact:  # "taught at" is not "was taught at"
                self._exact[stems] = meant
        total = len(self._entries) + 1
        self._weight = {word: log(total / len(entries)) for word, entries in self._by_word.items()}

    def is_noun(self, text: str) -> bool:
        """Is this the name of a relation?"""
        return text in wording.nouns() or wording.normal(text) in self._exact

    def is_value(self, text: str) -> bool:
        """Is this the name of a relation to dates or amounts only?"""
        kinds = {self.properties[iri].datatype for iri, _ in self._exact.get(wording.normal(text), ())}
        return bool(kinds) and kinds <= {"time", "quantity"}

    def align(
        self, relation: str, kinds: frozenset[str], heads: Sequence[str] = (), tails: Sequence[str] = (), k: int = TOP
    ) -> list[Aligned]:
        """The ``k`` best properties, best first; several may be equally good.

        :param kinds: datatypes that the tail may have (``entity``, ``time``, ``quantity``, ``string`` ...)
        :param heads: IRIs that the head may mean; ``tails`` likewise
        """
        found: dict[tuple[str, bool], float] = {}

        def note(iri: str, turned: bool, score: float) -> None:
            if score > found.get((iri, turned), 0.0):
                found[iri, turned] = score

        forms = list(wording.readings(relation))
        exact: dict[str, set[bool]] = defaultdict(set)
        if "time" in kinds:  # "In 1931, it was set up", "was set up on 5 May", "in May"
            plain = relation[:-3] if relation.endswith((" in", " on")) else relation
            dated = (form for word in ("in", "on") for form in wording.readings(f"{plain} {word}"))
            forms += [form for form in dated if form not in forms]
        if not any(stems in self._exact for stems, _ in forms):
            # "acted in film", with the noun that names the tail's kind
            shorter = relation.rsplit(" ", 1)[0]
            forms += list(wording.readings(shorter)) if shorter != relation else []
        for rank, (stems, swapped) in enumerate(forms):
            for iri, turned in self._exact.get(stems, ()):
                way = self._way(iri, turned, swapped)
                note(iri, way, EXACT - 0.02 * rank)
                exact[iri].add(way)
        for stems, swapped in forms[:3]:
            self._overlaps(stems, swapped, note)
        aligned = []
        beside = relation.rsplit(" ", 1)[-1] in BESIDE
        for (iri, turned), text in found.items():
            if beside and iri not in exact:
                continue  # "born near B" says nothing of where
            item = self.properties[iri]
            if not _takes(item, kinds, turned) or (iri in exact and turned not in exact[iri]):
                continue  # "influenced" is not "influenced by"
            fit = self._fit(item, tails if turned else heads, heads if turned else tails)
            score = text * (0.55 + 0.45 * fit)
            if score >= _FLOOR:
                aligned.append(Aligned(item, turned, score, text, fit))
        aligned.sort(key=lambda one: (-round(one.score, 3), -one.property.statements, one.property.iri, one.turned))
        if any(one.text > SURE and _kind(one.property) == "entity" for one in aligned):  # "born in" is no birth name
            aligned = [one for one in aligned if one.text > SURE or _kind(one.property) != "string"]
        return aligned[:k]

    def _way(self, iri: str, turned: bool, swapped: bool) -> bool:
        """Is the head the property's value? Never a date or an amount: "1990 is the year of birth of A" has head A."""
        return turned != swapped and self.properties[iri].datatype not in ("time", "quantity")

    def _overlaps(self, stems: tuple[str, ...], swapped: bool, note) -> None:
        said = wording.content(stems)
        weights = {word: self._weight.get(word, 9.0) for word in said}
        total = sum(weights.values())
        shared: dict[int, float] = defaultdict(float)
        for word in said:
            for entry in self._by_word.get(word, ()):
                shared[entry] += weights[word]
        for entry, weight in shared.items():
            names, iri, turned = self._entries[entry]
            other = sum(self._weight[word] for word in names)
            note(iri, self._way(iri, turned, swapped), OVERLAP * 2 * weight / (total + other))

    # -- types ----------------------------------------------------------------------------------------------------

    def types(self, iri: str) -> frozenset[str]:
        """Types of an entity and everything above them."""
        found = self._reach.get(iri)
        if found is None:
            direct = self.store.instance_types(iri)
            found = frozenset(direct).union(*map(self.store.supertypes, direct))
            if len(self._reach) > 50_000:
                self._reach.clear()
            self._reach[iri] = found
        return found

    def fit(self, reading: Aligned, head: Candidate, tail: Candidate | None) -> float:
        """How well one head and one tail fit a reading, 0 to 1."""
        ends = ([head.iri], [tail.iri] if tail else [])
        return self._fit(reading.property, *(reversed(ends) if reading.turned else ends))

    def likeness(self, relation: str, iri: str, turned: bool | None = None) -> float:
        """How much of its words a relation shares with a name of a property, whatever the types, 0 to 1.

        :param turned: only words that mean it in this direction
        """
        best = 0.0
        for stems, swapped in wording.readings(relation):
            said = wording.content(stems)
            for entry in {entry for word in said for entry in self._by_word.get(word, ())}:
                names, of, other = self._entries[entry]
                if of == iri and turned in (None, other != swapped):
                    shared = sum(self._weight[word] for word in said & names)
                    total = sum(self._weight.get(word, 9.0) for word in said) + sum(
                        self._weight[word] for word in names
                    )
                    best = max(best, OVERLAP * 2 * shared / total)
        return best

    def _fit(self, item: Property, subjects: Sequence[str], objects: Sequence[str]) -> float:
        values = _best(self.types, item.object_types, objects) if item.object_types else UNKNOWN
        return (_best(self.types, item.subject_types, subjects) * values) ** 0.5


def _best(types, known: tuple[tuple[str, float], ...], entities: Sequence[str]) -> float:
    """How usual the entities' types are for one side of a property: 1 usual, 0.15 never seen, else `UNKNOWN`."""
    if not known or not entities:
        return UNKNOWN
    best = 0.0
    for iri in entities[:5]:
        own = types(iri)
        if not own:
            best = max(best, UNKNOWN)
            continue
        shares = [share for one, share in known if one in own]
        best = max(best, min(1.0, 0.7 + sum(shares)) if shares else 0.15)
    return best


_KINDS = {
    "commonsMedia": "media",
    "external-id": "string",
    "url": "string",
    "text": "string",
    "monolingualtext": "string",
    "media": "string",
    "math": "string",
    "": "entity",
}


def _kind(item: Property) -> str:
    return _KINDS.get(item.datatype, item.datatype)


def _takes(item: Property, kinds: frozenset[str], turned: bool) -> bool:
    kind = _kind(item)
    if turned:
        return kind in ("entity", "string") and "entity" in kinds
    return kind in kinds
