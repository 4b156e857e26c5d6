"""What the relation reader is asked about a sentence: the graph says which relations a verdict could hang on.

Two names that the KG links may be said to be linked so (support); a name with one value of a property may be said to
have another one (contradiction). Nothing else is asked. Beside these stand the properties whose names come nearest to
them, so that "director" is not taken for what the sentence says of a screenwriter.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass, replace

from kgstore.catalog import Property
from kgstore.model import NamedNode, Statement, Time
from kgstore.verbalise import readable
from kgstore.verifier.claims import Candidate, Claim, Mention, Passage
from kgstore.verifier.decide.grounds import holds
from kgstore.verifier.decide.literals import compare, spoken
from kgstore.verifier.english.wording import usual_label
from kgstore.verifier.kg.align import Aligned, Aligner
from kgstore.verifier.kg.kinds import classes_named
from kgstore.verifier.kg.knowledge import Knowledge
from kgstore.verifier.kg.world import is_vague, named_whole
from kgstore.verifier.link.beings import Beings
from kgstore.verifier.link.mentions import BRACKETS
from kgstore.verifier.reader.around import around, said_around
from kgstore.verifier.reader.asking import Question, hypothesis, name_said, standing
from kgstore.verifier.reader.meant import is_nth
from kgstore.verifier.reader.others import alike, may_be_others, surely_meant
from kgstore.verifier.reader.quoted import STRINGS, gap, overlaps, quoted, same_thing
from kgstore.verifier.reader.relations import Relations
from kgstore.verifier.reader.saying import is_of_label
from kgstore.verifier.values import Agreement, Amount, DateValue, as_year

_MOST = 6
"""Relations that are asked of two places."""
FITTING = 0.7
"""From this a head and a tail are known to be of the kinds that a property joins (see `Aligner.fit`)."""
BOTH_WAYS = 0.5
"""Share of statements that are there the other way round, too, from which a property has no direction."""
HARDLY = 0.4
"""Below this a property joins no things of the kind of the one end, or hardly any of either."""
USUAL = 0.5
"""Below this a statement joins things of kinds that its property hardly joins, and supports by plain words alone."""
_NAMES_IT = 0.8
"""So like the words of a property (see `Aligner.likeness`) is a noun that only names it."""
_LIKELY = 0.2
"""A candidate with less than this share of its name's weight is not asked about."""
_CANDIDATES = 3
_PLACES = 14
"""Places of a sentence; those of a longer one are asked about with their neighbours only."""
_REACH = 240
"""Characters between two places that are asked about."""

_A_YEAR = 1000
"""From this on a bare number may be a year."""


@dataclass(frozen=True, slots=True)
class Asked:
    """Two places of a sentence, and the properties, as IRIs, by which a verdict about them could be had.

    :param against: the KG has other values of them, so that the verdict would be a contradiction
    """

    head: Mention
    tail: Mention
    properties: tuple[str, ...]
    question: Question
    against: bool


@dataclass(frozen=True, slots=True)
class Named:
    """What a text names: IRIs of all that its names may mean, and its dates and amounts."""

    iris: frozenset[str]
    values: tuple[Mention, ...]


def named_in(passages: Iterable[Passage]) -> Named:
    """What the sentences name."""
    places = [place for passage in passages for place in passage.places]
    iris = frozenset(one.iri for place in places for one in place.candidates[:_CANDIDATES])
    return Named(iris, tuple(place for place in places if place.value is not None))


def placed(passage: Passage, claims: Iterable[Claim]) -> Passage:
    """The passage with what claims took its places for: "Oslo, Germany" is not the one in Norway."""
    known = {(end.start, end.end): end.candidates for claim in claims for end in (claim.head, claim.tail)}
    places = (replace(one, candidates=known.get((one.start, one.end), one.candidates)) for one in passage.places)
    return replace(passage, places=tuple(one for one in places if one.candidates or one.value is not None))


class Guide:
    """Makes the questions of one store's sentences."""

    def __init__(self, know: Knowledge, aligner: Aligner) -> None:
        self.know, self.aligner, self.beings = know, aligner, Beings(know.store)
        self.relations = Relations(know, aligner)
        self.kinds = self.relations.kinds

    def is_class(self, noun: str) -> bool:
        """Does a noun name a class of the KG?"""
        return bool(classes_named(self.know.store, noun))

    def expect(self, passages: Iterable[Passage]) -> None:
        """Tell the graph what will be asked about, so that one that is far away brings it together."""
        places = (place for passage in passages for place in passage.places[:_PLACES])
        self.know.store.expect(one.iri for place in places for one in _likely(place))

    def questions(self, text: str, passage: Passage, named: Named) -> Iterator[Asked]:
        """One for each two names of a sentence, in either direction, that the KG has something to say of; of names that
        stand there more than once, about the two places that are nearest to each other.

        Of a line without a verb ("Ann Smith: 1990–1998") nothing is held against anybody: it does not say what it says.

        :param named: what the text names: a property whose value is among it is said to have that one
        """
        nearest: dict[tuple[Hashable, Hashable], tuple[Mention, Mention]] = {}
        for head, tail in self.ends(passage):
            if is_nth(text, head.start):
                continue
            both = _written(head), _written(tail)
            if both not in nearest or gap(head, tail) < gap(*nearest[both]):
                nearest[both] = head, tail
        for head, tail in nearest.values():
            for found, against in self.decisive(head, tail, named):
                if against and (passage.is_title or tail.is_implied or is_nth(text, tail.start)):
                    continue
                asked = Asked(head, tail, tuple(found), standing(text, passage, head, tail), against)
                if against:
                    found = [iri for iri in found if self._is_clear(text, passage, asked, iri, named)]
                if found:
                    yield replace(asked, properties=tuple(found[:_MOST]))
        yield from self.strings(text, passage)

    def _is_clear(self, text: str, passage: Passage, asked: Asked, iri: str, named: Named) -> bool:
        """Is what would be an accusation said of nothing else, whatever the names may well mean?"""
        head, tail = asked.head, asked.tail
        if not surely_meant(head, tail) and not self.denies(asked, iri, named):
            return False
        if not may_be_others(text, passage, head, tail, self.is_class):
            return True
        return tail.value is not None and not self._others(text, passage, head, tail, iri)

    def _others(self, text: str, passage: Passage, head: Mention, tail: Mention, iri: str) -> bool:
        """May another date or amount than the KG's still be said of something else? Not of a place or a person what
        these never have."""
        item = self.aligner.properties[iri]

        def may_have(one: Mention) -> bool:
            means, person = _likely(one), self.beings.is_person(one)
            never = (self.fit(item, each, None) < HARDLY and (person or self.know.is_place(each.iri)) for each in means)
            return not all(never)

        return may_be_others(text, passage, head, tail, self.is_class, may_have)

    def strings(self, text: str, passage: Passage) -> Iterator[Asked]:
        """One for each name of a sentence and each string of the KG about it that stands there, too."""
        nearest: dict[tuple[str, str], tuple[Mention, Mention]] = {}
        for head, tail, iri in quoted(text, passage, self.know, self.aligner.properties):
            key = iri, head.candidates[0].iri
            if gap(head, tail) <= _REACH and (key not in nearest or gap(head, tail) < gap(*nearest[key])):
                nearest[key] = head, tail
        for (iri, _), (head, tail) in nearest.items():
            yield self.about(text, passage, head, tail, iri)

    def ends(self, passage: Passage) -> Iterator[tuple[Mention, Mention]]:
        """Any two places of a sentence that are near to each other and mean different things, the first a name. One may
        be what the sentence leaves out; then the other is no pronoun."""
        places = passage.places[:_PLACES]
        for head in places:
            if head.value is not None or not head.candidates:
                continue
            for tail in places:
                implied = head.is_implied or tail.is_implied
                referring = head.refers_to is not None and tail.refers_to is not None
                if tail is head or referring and (implied or head.refers_to == tail.refers_to):
                    continue  # "Its towns ..." is said of whom it means, not of whom else the text is about
                if gap(head, tail) > _REACH or same_thing(head, tail):
                    continue
                one, other = (head, tail) if not overlaps(head, tail) else (_bare(head), _bare(tail))
                if not overlaps(one, other):
                    yield one, other

    def doubles(self, text: str, passages: Iterable[Passage], asked: Asked, iri: str) -> Iterator[Asked]:
        """The same question with other names of the sentence in its place that are of the kind of the head. Where the
        sentence leaves that out: with those before the tail, or, of what would be an accusation, with all that fit."""
        kinds, head = self.know.store.instance_types, asked.head
        tail = asked.tail.candidates[0] if asked.tail.candidates else None
        passage = next(one for one in passages if one.start <= head.start < one.end)
        for place in passage.places:
            if place in (head, asked.tail) or not place.candidates:
                continue
            if head.is_implied and not asked.against:
                is_other = not place.is_implied and place.start < asked.tail.start and alike(head, place, kinds)
            else:
                fits = head.is_implied and self.fit(self.aligner.properties[iri], place.candidates[0], tail) >= HARDLY
                is_other = fits or alike(head, place, kinds)
            if is_other and not self._only_names(place, iri):
                yield self.about(text, passage, place, asked.tail, iri)

    def _only_names(self, place: Mention, iri: str) -> bool:
        """Is a noun a name of the property ("a population of 600,000"), or a word of its label ("1 % of its *area* is
        covered by water"), and nothing that could have it?"""
        noun = place.text.lower()
        if not place.is_common or place.refers_to is not None:
            return False
        return is_of_label(noun, self.aligner.properties[iri].label) or self.aligner.likeness(noun, iri) >= _NAMES_IT

    def about(self, text: str, passage: Passage, head: Mention, tail: Mention, iri: str) -> Asked:
        """The question whether a sentence asserts one property of two of its places."""
        return Asked(head, tail, (iri,), standing(text, passage, head, tail), False)

    def said(self, asked: Asked, iri: str, turned: bool = False) -> tuple[str, str]:
        """The sentence, and the statement that it may assert, for a judge.

        :param turned: the statement the other way round
        """
        question, label = asked.question, usual_label(readable(self.aligner.properties[iri].label))
        if turned:
            question = replace(question, head=question.tail, tail=question.head)
        types = (iri for one in asked.head.candidates[:1] for iri in self.know.store.instance_types(one.iri))
        kinds = map(self.know.store.label, types)
        return question.text, hypothesis(question, name_said(label, kinds, question.text))

    def wider(self, asked: Asked, iri: str) -> tuple[str, str] | None:
        """The same, of the country or the continent in which the value lies; None where the tail is neither."""
        item, tail = self.aligner.properties[iri], next(iter(asked.tail.candidates), None)
        level = around(self.know, self.aligner, item, tail)
        return said_around(asked.question, readable(item.label), level) if level else None

    def is_mutual(self, iri: str) -> bool:
        """Has the property no direction, as *shares border with*?"""
        item = self.aligner.properties[iri]
        return bool(item.symmetric) or item.symmetric_share >= BOTH_WAYS

    def alike(self, asked: Asked, iri: str) -> bool:
        """Are the two of one kind, so that only the words tell which is which ("A manages B")?"""
        types = self.know.store.instance_types
        if not asked.tail.candidates or self.is_mutual(iri):
            return False
        return bool(set(types(asked.head.candidates[0].iri)) & set(types(asked.tail.candidates[0].iri)))

    def decisive(self, head: Mention, tail: Mention, named: Named) -> Iterator[tuple[list[str], bool]]:
        """Properties that could make the sentence right about the two; where there are none, such as could make it
        wrong, and whether it is these. A bound ("more than 500") is right of many amounts, so there both are told. A
        class ("an album") is hardly meant where a value is excluded."""
        heads = _likely(head)
        if tail.value is not None:
            held = list(dict.fromkeys(iri for one in heads for iri in self.valued(one, tail)))
            yield held, False
            bounded = isinstance(tail.value, Amount) and bool(tail.value.bound)
            if (bounded or not held) and (_is_name(head) or self._are_things(head) and heads[0].label[:1].islower()):
                yield list(self.otherwise(heads[0], tail, named)), True
            return
        pairs = [(one, other) for one in heads for other in _likely(tail) if one.iri != other.iri]
        named_both = not tail.is_common and _is_name(head)
        found = dict.fromkeys(
            iri
            for one, other in pairs
            for iri in self.linking(one.iri, other.iri)
            if named_both or self.fit(self.aligner.properties[iri], one, other) >= USUAL
        )
        against = not found and (named_both or bool(self.know.complete) and self._are_things(head, tail))
        if against:
            found = dict.fromkeys(iri for pair in pairs[:1] for iri in self.excluding(*pair, named))
        if against and not named_both:
            found = dict.fromkeys(iri for iri in found if iri in self.know.complete)
        yield [iri for iri in found if iri not in self.kinds], against  # what a thing is, the grammar reads well

    def _are_things(self, *places: Mention) -> bool:
        """Are they names, or common nouns that the KG knows as things of some kind and not as kinds: "tuberculosis"?"""
        store = self.know.store
        means = [one for place in places if not _is_name(place) for one in _likely(place)]
        steps = [store.profile.property_of(one) for one in (*store.profile.type, *store.profile.subclass)]
        typed = all(store.instance_types(one.iri) for one in means)
        return typed and not any(store.has_incoming(one.iri, step) for one in means for step in steps)

    def fits(self, asked: Asked, iri: str, least: float = USUAL) -> bool:
        """May the property well join what the two may well mean?"""
        if asked.tail.value is not None or not asked.tail.candidates:
            return True
        item = self.aligner.properties[iri]
        pairs = ((one, other) for one in _likely(asked.head) for other in _likely(asked.tail))
        return any(
            self.fit(item, one, other) >= least or around(self.know, self.aligner, item, other) for one, other in pairs
        )

    def linking(self, head: str, tail: str) -> Iterator[str]:
        for statement in self.know.links(head, tail):
            if statement.predicate.value in self.aligner.properties:
                yield statement.predicate.value
        for statement in self.know.links(tail, head):  # "A, the father of B" where the KG has "child"
            item = self.aligner.properties.get(statement.predicate.value)
            if item is not None and item.inverse in self.aligner.properties:
                yield item.inverse  # type: ignore[misc]
        for iri, listed in self.know.about(head).items():
            item = self.aligner.properties.get(iri)
            if item is not None and self.know.widens(item):
                values = (one.value.value for one in listed if isinstance(one.value, NamedNode))
                if any(tail in self.know.wider(value) for value in values):
                    yield iri

    def excluding(self, head: Candidate, tail: Candidate, named: Named) -> Iterator[str]:
        """Properties of which the head has another value of the tail's kind, and just one, or all by declaration."""
        for iri, listed in self.know.about(head.iri).items():
            item = self.aligner.properties.get(iri)
            values = {one.value.value for one in listed if isinstance(one.value, NamedNode)}
            if item is None or item.datatype != "entity" or not values or values & named.iris:
                continue
            closed = iri in self.know.complete or self.know.single(item) or named_whole(item)
            if closed and (self.fit(item, head, tail) >= USUAL or self._lies(item, tail, values)):
                yield iri

    def _lies(self, item: Property, tail: Candidate, values: Iterable[str]) -> bool:
        """Is it said in what a value lies, and are the values that the graph has places?"""
        return bool(around(self.know, self.aligner, item, tail)) and all(map(self.know.is_place, values))

    def fit(self, item: Property, head: Candidate, tail: Candidate | None) -> float:
        """How well two ends fit a property, the head being its subject, 0 to 1."""
        return self.aligner.fit(Aligned(item, False, 1.0, 1.0, 1.0), head, tail)

    def valued(self, head: Candidate, tail: Mention) -> Iterator[str]:
        """Properties of which the KG has this date or amount."""
        value = tail.value
        dated = isinstance(value, DateValue) or (isinstance(value, Amount) and as_year(value) is not None)
        kinds = ("time", *STRINGS) if dated else ("quantity", *STRINGS)
        for iri, listed in self.know.about(head.iri).items():
            item = self.aligner.properties.get(iri)
            if item is None or item.datatype not in kinds:
                continue
            if any(holds(one, tail, self.know) for one in listed):
                yield iri

    def otherwise(self, head: Candidate, tail: Mention, named: Named) -> Iterator[str]:
        """Properties of which the head has other dates or amounts, none of them in the text."""
        for iri, listed in self.know.about(head.iri).items():
            item = self.aligner.properties.get(iri)
            if item is None or is_vague(item):
                continue
            if item.datatype == "time" and not (iri in self.know.complete or self.know.mostly_single(item)):
                continue
            if not any(_differs(self.know, one, tail) for one in listed):
                continue
            if not any(_says(self.know, one, value) for one in listed for value in named.values):
                yield iri

    def denies(self, asked: Asked, iri: str, named: Named) -> bool:
        """Has the KG another value of the property for whatever the head may well mean, too?"""
        heads, tail = _likely(asked.head), asked.tail
        if tail.value is not None:
            return all(iri in self.otherwise(one, tail, named) for one in heads)
        return all(iri in self.excluding(one, other, named) for one in heads for other in _likely(tail))

    def is_lone(self, asked: Asked, iri: str) -> bool:
        """Is it all that the graph could say of the two: no other property joins things of their kinds, or has this day
        or this large an amount of the head? Of what a common noun means ("man") it could say more."""
        head, tail = asked.head, asked.tail
        if not tail.candidates:
            return asked.properties == (iri,) and _is_telling(tail)
        if head.is_common or tail.is_common:
            return False
        typed = all(self.know.store.instance_types(one.candidates[0].iri) for one in (head, tail))
        return typed and not self.rivals(asked, iri)

    def rivals(self, asked: Asked, iri: str) -> tuple[str, ...]:
        """What else the sentence may say of the two: properties with names near to this one's, and the most frequent
        ones that join things of their kinds; of a date or a string that the KG has, only what else it has of the head.
        Support is denied by no relation that does not fit their kinds, nor by what says hardly anything ("part of"); an
        accusation heeds what is seldom said of such things, but of two names nothing that the graph never says of the
        like."""
        found, head, items = dict.fromkeys(self.relations.near(iri)), asked.head.candidates[0], self.aligner.properties
        if not asked.tail.candidates and not asked.against:
            return tuple(one for one in found if one in self.know.about(head.iri))
        tail = asked.tail.candidates[0] if asked.tail.candidates else None
        heads = self.aligner.types(head.iri)
        kind = items[iri].datatype
        if tail is None:
            found |= dict.fromkeys(self.relations.usual(heads, kind))
        else:
            found |= dict.fromkeys(self.relations.joining(heads, self.aligner.types(tail.iri)))
        if isinstance(asked.tail.value, Amount) and asked.against:
            found |= dict.fromkeys(self.relations.meant(asked.question.text, kind))
        if not asked.against:
            fitting = (one for one in found if self.fit(items[one], head, tail) >= USUAL)
            found = dict.fromkeys(one for one in fitting if not is_vague(items[one]))
        elif tail is not None:  # a date may be that of something else that is not named
            found = dict.fromkeys(one for one in found if self.fit(items[one], head, tail) >= HARDLY)
        return tuple(one for one in found if one != iri)


def _is_telling(tail: Mention) -> bool:
    """A day, or an amount of three digits or more: hardly two things have the same by chance."""
    value = tail.value
    if isinstance(value, DateValue):
        return value.day is not None
    return isinstance(value, Amount) and as_year(value) is None and len(value.value.normalize().as_tuple().digits) > 2


def _says(know: Knowledge, statement: Statement, said: Mention) -> bool:
    """Does the text say the value of a statement, or more exactly when ("November 18, 2009" for 2009)?"""
    if holds(statement, said, know):
        return True
    dated = isinstance(said.value, DateValue) and isinstance(spoken(statement), Time)
    return dated and compare(know, statement, said.text, said.value) is Agreement.FINER


def _differs(know: Knowledge, statement: Statement, tail: Mention) -> bool:
    """Is it a date or an amount that can be compared with the tail's, and another one?"""
    value = tail.value
    if isinstance(spoken(statement), Time) and isinstance(value, Amount):
        year = as_year(value)
        value = year if year is not None and year.year >= _A_YEAR else value
    return compare(know, statement, tail.text, value) is Agreement.DIFFERENT


def _likely(place: Mention) -> list[Candidate]:
    """What it may well mean."""
    likely = [one for one in place.candidates[:_CANDIDATES] if one.score >= _LIKELY]
    return likely or list(place.candidates[:1])


def _bare(place: Mention) -> Mention:
    """The name without brackets behind it, in which there may be another one: "Lovers of Paris (or Pot-Bouille)"."""
    said = BRACKETS.search(place.text)
    if said is None or not said.start():
        return place
    return replace(place, end=place.start + said.start(), text=place.text[: said.start()])


def _is_name(head: Mention) -> bool:
    return not head.is_common or head.refers_to is not None


def _written(place: Mention) -> Hashable:
    """The same for a name that stands there once more, meaning the same."""
    return place.text, place.refers_to, tuple(one.iri for one in place.candidates[:_CANDIDATES])
