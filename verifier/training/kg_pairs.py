"""Pairs made from the statements of a KG: what a claim may do with a fact, and what follows from it.

Each recipe takes one statement and makes a hypothesis whose relation to the premise is known: the fact itself in other
words, coarser, or turned round (entailment); another value of a property that has one (contradiction); a fact that the
premise is silent about (neutral). The premise holds the fact, and most times others of the same subject beside it.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from kgstore.catalog import Property
from kgstore.model import NamedNode, Quantity, Special, Statement, Time
from kgstore.store import Store
from kgstore.verbalise import value_text, verbalise
from kgstore.verifier.kg.knowledge import Knowledge
from kgstore.verifier.training.moves import coarser, finer, moved, roughly
from kgstore.verifier.training.pairs import Pair
from kgstore.verifier.training.sayings import say, say_not, say_of

ENTAILED, NEUTRAL, CONTRADICTED, UNENTAILED = (0,), (1,), (2,), (1, 2)
_DATATYPES = frozenset(("entity", "time", "quantity", "string", "text"))
_CODES = re.compile(r"\b(?:id|code|identifier|category|number|described by)$|^Commons|^described", re.IGNORECASE)
_ONE, _SEVERAL = 0.93, 0.6
"""A property with this share of subjects that have one value has one; with less than the other, often several."""
_DENIED = {CONTRADICTED: ENTAILED, NEUTRAL: NEUTRAL, UNENTAILED: (0, 1)}
"""What the denial of another value is, by what that value is."""
_MOST_LINES = 7
_MOST_SOUGHT = 10_000
"""Entities that are looked at for one that may be a subject; a small graph may have none."""
_TRIES = 6
"""Facts of a subject that a recipe is tried on, since few have an inverse or a date."""
_SHARE = {0: 0.38, 1: 0.3, 2: 0.36}
"""At most this share of the pairs is of a class; together a little over 1, so that none has to be waited for."""

Made = tuple[list[str], str, tuple[int, ...]]
"""Lines of the premise, hypothesis, allowed classes."""


@dataclass(frozen=True, slots=True)
class Fact:
    """A statement in words. ``sole``: the property has one value, here and in general, so that another is wrong."""

    subject: str
    item: Property
    statement: Statement
    value: str
    sole: bool

    @property
    def iri(self) -> str | None:
        """The entity that is the value."""
        return self.statement.value.value if isinstance(self.statement.value, NamedNode) else None


class KgPairs:
    """Makes pairs from one store; the same seed gives the same pairs.

    :param subjects: only entities whose IRI passes
    """

    def __init__(self, store: Store, seed: int = 13, subjects: Callable[[str], bool] = lambda _: True) -> None:
        self.store, self.know, self.chance = store, Knowledge(store), random.Random(seed)
        self.subjects = subjects
        self.kinds = frozenset(store.profile.property_of(one) for one in (*store.profile.type, *store.profile.subclass))
        self.properties = {
            iri: item
            for iri, item in store.catalog.properties().items()
            if item.datatype in _DATATYPES and not _CODES.search(item.label)
        }
        self.single = {iri: self.know.single(item) for iri, item in self.properties.items()}
        self._values: dict[str, list[Statement]] = {iri: [] for iri in self.properties}
        self.recipes: list[tuple[Callable[[Fact, list[Fact]], Made | None], float]] = [
            (self._true, 20), (self._swapped, 26), (self._silent, 12), (self._stranger, 6), (self._denied, 8),
            (self._direction, 12), (self._inverse, 5), (self._chain, 12), (self._wider, 5), (self._timed, 6),
        ]  # fmt: skip

    def make(self, number: int) -> Iterator[Pair]:
        """So many pairs, fewer only where the graph is too small to give any."""
        recipes, weights = zip(*self.recipes, strict=True)
        made: Counter[int] = Counter()
        idle = 0
        while made.total() < number and idle < 20_000:
            idle += 1
            subject = self._subject()
            if not subject:
                return
            facts = self.facts(subject)
            if not facts or (len({fact.item.iri for fact in facts}) < 3 and self.chance.random() < 0.9):
                continue
            recipe = self.chance.choices(recipes, weights)[0]
            tried = (self._one(facts) for _ in range(_TRIES))
            found = next(filter(None, (recipe(fact, facts) for fact in tried)), None)
            if found is None:
                continue
            lines, hypothesis, allowed = found
            if made[allowed[-1]] > _SHARE[allowed[-1]] * made.total() + 5:
                continue
            hypothesis = hypothesis[0].upper() + hypothesis[1:]
            yield Pair("\n".join(lines), hypothesis, allowed, f"kg:{recipe.__name__.strip('_')}")
            made[allowed[-1]] += 1
            idle = 0

    def _one(self, facts: list[Fact]) -> Fact:
        """Rare properties as often as frequent ones, more often those with one value, which contradictions need, and
        seldom what kind of thing it is."""
        often = Counter(fact.item.iri for fact in facts)
        weights = [
            (0.2 if fact.item.iri in self.kinds else 4 if fact.sole else 1) / often[fact.item.iri] for fact in facts
        ]
        return self.chance.choices(facts, weights)[0]

    def _subject(self) -> str:
        catalog = self.store.catalog
        for _ in range(_MOST_SOUGHT if len(catalog) else 0):
            iri = catalog.at(int(len(catalog) * self.chance.random() ** 2)).iri  # the better known come more often
            if self.subjects(iri) and iri not in self.properties:
                return iri
        return ""

    def facts(self, subject: str) -> list[Fact]:
        """What can be said of an entity in words."""
        if self.know.nameless(subject):
            return []
        label, found = self.store.label(subject), []
        for iri, statements in self.know.about(subject).items():
            item = self.properties.get(iri)
            if item is None:
                continue
            values = self.know.values(subject, item)
            sole = self.single[iri] and len(values) == 1 and len(statements) == 1
            for statement in values:
                if self._sayable(statement):
                    self._remember(statement)
                    found.append(Fact(label, item, statement, value_text(statement.value, self.store.label), sole))
        return found

    def _sayable(self, statement: Statement) -> bool:
        value = statement.value
        if isinstance(value, Special) or (isinstance(value, NamedNode) and self.know.nameless(value.value)):
            return False
        text = value_text(value, self.store.label)
        return len(text) < 80 and text.lower() != self.store.label(statement.subject.value).lower()

    def _remember(self, statement: Statement) -> None:
        kept = self._values[statement.predicate.value]
        if len(kept) < 400:
            kept.append(statement)
        else:
            kept[self.chance.randrange(400)] = statement

    # -- premises ------------------------------------------------------------------------------------------------------

    def _premise(self, needed: Sequence[Fact], facts: Sequence[Fact]) -> list[str]:
        """The facts that are needed, all else that is known of their properties, and some that is not to the point."""
        used = {fact.item.iri for fact in needed}
        same = [fact for fact in facts if fact.item.iri in used and fact not in needed]
        other = [fact for fact in facts if fact.item.iri not in used]
        room = self.chance.choice((0, 0, 1, 2, 3, 4, _MOST_LINES - 1))
        lines = [*needed, *same[:3], *self.chance.sample(other, min(room, len(other)))]
        self.chance.shuffle(lines)
        return self._lines(lines)

    def _lines(self, facts: Sequence[Fact]) -> list[str]:
        if len({fact.subject for fact in facts}) == 1 and self.chance.random() < 0.25:
            return [f"{fact.subject} | {fact.item.label} | {fact.value}" for fact in facts]
        return [self._sentence(fact) for fact in facts]

    def _sentence(self, fact: Fact) -> str:
        label = self.store.label
        qualifiers = [
            (label(name.value), value_text(value, label))
            for name, value in fact.statement.qualifiers[:3]
            if not (isinstance(value, NamedNode) and self.know.nameless(value.value))
        ]
        return verbalise(fact.subject, fact.item.label, fact.value, qualifiers)

    # -- recipes -------------------------------------------------------------------------------------------------------

    def _true(self, fact: Fact, facts: list[Fact]) -> Made | None:
        value = self.chance.choice([fact.value, *coarser(fact.statement.value, fact.value, self.chance)])
        return self._premise([fact], facts), say(self.chance, fact.subject, fact.item, value), ENTAILED

    def _other(self, fact: Fact) -> str | None:
        """A value of the same property that the subject does not have, nor one that has to do with its own."""
        value = fact.statement.value
        if isinstance(value, Time | Quantity):
            return moved(value, self.chance, self.store.label)
        own = [one.value for one in self.know.values(fact.statement.subject.value, fact.item)]
        for one in self.chance.sample(self._values[fact.item.iri], min(6, len(self._values[fact.item.iri]))):
            text = value_text(one.value, self.store.label)
            if one.value in own or text.lower() in fact.value.lower() or fact.value.lower() in text.lower():
                continue
            if isinstance(one.value, NamedNode) and any(
                isinstance(mine, NamedNode) and self.know.related(mine.value, one.value.value) for mine in own
            ):
                continue
            return text
        return None

    def _swapped(self, fact: Fact, facts: list[Fact]) -> Made | None:
        value = fact.statement.value
        if isinstance(value, Time) and fact.sole and self.chance.random() < 0.15:
            text = finer(value, self.chance)
            if not text:
                return None
            return self._premise([fact], facts), say(self.chance, fact.subject, fact.item, text), NEUTRAL
        if isinstance(value, Quantity) and self.chance.random() < 0.3:
            text, holds = roughly(value, self.chance, self.store.label)
            allowed = ENTAILED if holds else CONTRADICTED if fact.sole else UNENTAILED
            return self._premise([fact], facts), say(self.chance, fact.subject, fact.item, text), allowed
        text = self._other(fact)
        if text is None or (not fact.sole and self.chance.random() < 0.5):
            return None
        return self._premise([fact], facts), say(self.chance, fact.subject, fact.item, text), self._excludes(fact)

    def _excludes(self, fact: Fact) -> tuple[int, ...]:
        """What another value is to a fact: wrong where there can be one only, open where there are often several, and
        never entailed where a reader may think either."""
        item, exact = fact.item, isinstance(fact.statement.value, Time | Quantity)
        if item.iri in self.kinds or (exact and not fact.sole):
            return UNENTAILED
        if fact.sole and (exact or item.single_valued or item.functionality >= _ONE):
            return CONTRADICTED
        return NEUTRAL if not self.single[item.iri] and item.functionality < _SEVERAL else UNENTAILED

    def _silent(self, fact: Fact, facts: list[Fact]) -> Made | None:
        other = [one for one in facts if one.item.iri != fact.item.iri and one.value != fact.value]
        if not other:
            return None
        lines = self._lines(self.chance.sample(other, self.chance.randint(1, min(_MOST_LINES, len(other)))))
        return lines, say(self.chance, fact.subject, fact.item, fact.value), NEUTRAL

    def _stranger(self, fact: Fact, facts: list[Fact]) -> Made | None:
        iri = self._subject()
        if not iri or self.know.nameless(iri):
            return None
        other = self.store.label(iri)
        if other.lower() in fact.subject.lower() or fact.subject.lower() in other.lower():
            return None
        return self._premise([fact], facts), say(self.chance, other, fact.item, fact.value), NEUTRAL

    def _denied(self, fact: Fact, facts: list[Fact]) -> Made | None:
        text = say_not(self.chance, fact.subject, fact.item, fact.value)
        if text is None:
            return None
        if self.chance.random() < 0.5:
            return self._premise([fact], facts), text, CONTRADICTED
        other = self._other(fact)
        text = other and say_not(self.chance, fact.subject, fact.item, other)
        return (self._premise([fact], facts), text, _DENIED[self._excludes(fact)]) if text else None

    def _direction(self, fact: Fact, facts: list[Fact]) -> Made | None:
        if fact.iri is None or fact.item.symmetric or fact.item.symmetric_share > 0.02:
            return None
        if self.know.links(fact.iri, fact.statement.subject.value):
            return None
        return self._premise([fact], facts), say(self.chance, fact.value, fact.item, fact.subject), UNENTAILED

    def _inverse(self, fact: Fact, facts: list[Fact]) -> Made | None:
        turned = self.properties.get(fact.item.inverse or "")
        if fact.item.symmetric or fact.item.symmetric_share > 0.3:
            turned = fact.item
        if fact.iri is None or turned is None:
            return None
        return self._premise([fact], facts), say(self.chance, fact.value, turned, fact.subject), ENTAILED

    def _chain(self, fact: Fact, facts: list[Fact]) -> Made | None:
        onward = self.facts(fact.iri) if fact.iri else []
        if not onward or not fact.item.subjects:
            return None
        second = self.chance.choice(onward)
        middle = say_of(self.chance, fact.subject, fact.item)
        lines = self._premise([fact], facts) + self._premise([second], onward)[:4]
        if self._sentence(second) not in lines:
            lines.append(self._sentence(second))
        kind = self.chance.random()
        if kind < 0.4:
            return lines, say(self.chance, middle, second.item, second.value), ENTAILED
        if kind < 0.75:
            text = self._other(second)
            allowed = self._excludes(second) if fact.sole else UNENTAILED
            return (lines, say(self.chance, middle, second.item, text), allowed) if text else None
        lines = self._premise([fact], facts)
        return None if second.value in " ".join(lines) else (
            lines, say(self.chance, middle, second.item, second.value), NEUTRAL
        )  # fmt: skip

    def _wider(self, fact: Fact, facts: list[Fact]) -> Made | None:
        if fact.iri is None or not (self.know.widens(fact.item) or self.know.single(fact.item)):
            return None
        around = [(one, path) for one, path in self.know.wider(fact.iri).items() if 1 <= len(path) <= 2]
        if not self.know.widens(fact.item) or not around:
            return None
        place, path = self.chance.choice(around)
        if self.know.nameless(place):
            return None
        steps = [self._step(step) for step in path]
        lines = self._premise([fact], facts)
        hypothesis = say(self.chance, fact.subject, fact.item, self.store.label(place))
        return (lines + steps, hypothesis, ENTAILED) if self.chance.random() < 0.75 else (lines, hypothesis, NEUTRAL)

    def _step(self, step: Statement) -> str:
        label = self.store.label
        return verbalise(label(step.subject.value), label(step.predicate.value), value_text(step.value, label))

    def _timed(self, fact: Fact, facts: list[Fact]) -> Made | None:
        profile = self.store.profile
        at = [v for name, v in fact.statement.qualifiers if name.value in profile.at and isinstance(v, Time)]
        start = [v for name, v in fact.statement.qualifiers if name.value in profile.start and isinstance(v, Time)]
        end = [v for name, v in fact.statement.qualifiers if name.value in profile.end and isinstance(v, Time)]
        years = [int(one.iso[1:5]) for one in (*at, *start, *end) if one.iso[0] == "+" and one.precision >= 9]
        if not years:
            return None
        low, high = min(years), max(years)
        inside = self.chance.random() < 0.5
        if at:
            year = self.chance.choice(years) if inside else high + self.chance.choice((-9, -4, -2, -1, 1, 2, 3, 7, 12))
            inside = year in years
        elif start and end:
            year = self.chance.randint(low, high) if inside else high + self.chance.randint(2, 30)
        else:
            year = low if start else high
            year, inside = (year, True) if inside else (year + (-1 if start else 1) * self.chance.randint(2, 30), False)
        text = say(self.chance, fact.subject, fact.item, fact.value).rstrip(".")
        return self._premise([fact], facts), f"{text} in {year}.", ENTAILED if inside else UNENTAILED
