"""The KG as the tiers see it: statements that count, places within places, kinds of things, and what excludes what."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cached_property, lru_cache

from kgstore.catalog import Property
from kgstore.constraints import Conflicts
from kgstore.model import NamedNode, Rank, Special, Statement, Triple
from kgstore.prefixes import compact
from kgstore.verifier.english.words import either, words
from kgstore.verifier.kg.declared import declared_complete
from kgstore.verifier.kg.protocol import KnowledgeGraph
from kgstore.verifier.kg.world import of_property

_DEPTH = 7
_LONGEST, _WIDEST = 25, 200
"""Steps along one property, and things that are followed at each; from a species to its kingdom takes 20."""
_PLACES = words("properties.of_places")
_SAME = words("properties.same")
_TOWN = re.compile(rf"\b{either('classes.towns')}\b(?! in | district)", re.IGNORECASE)
_AREA = re.compile(rf"\b{either('classes.areas')}\b", re.IGNORECASE)
_NO_TOWN = re.compile(rf"^{either('classes.no_town')}", re.IGNORECASE)
_STATE = re.compile(rf"^{either('classes.provinces')}\b", re.IGNORECASE)
_CITY = re.compile(rf"^{either('classes.cities')}", re.IGNORECASE)
_OF_PAST = "historical country"
_OF_ITS_OWN = re.compile(rf"\b{either('classes.governed')}\b", re.IGNORECASE)


def entity_of(statement: Statement) -> str:
    """The IRI of a value that is an entity, empty for other values."""
    return statement.value.value if isinstance(statement.value, NamedNode) else ""


def _place(statement: Statement) -> tuple[str, str]:
    return statement.predicate.value, statement.id or str(statement.value)


class Knowledge:
    """Reads of one store, remembered; safe because a reader's generation never changes.

    :param complete: properties whose lists lack nothing, besides those of the profile; see `declared_complete`
    """

    def __init__(self, store: KnowledgeGraph, complete: Iterable[str] = ()) -> None:
        self.store = store
        profile = store.profile
        self.complete = declared_complete(store, complete)
        self.same_as = frozenset(profile.property_of(one) for one in profile.same_as)
        self._upwards = tuple(profile.property_of(one) for one in (*profile.located, *profile.part_of))
        self._located = self._upwards[: len(profile.located)]
        top = self._located[-2:] if profile.wikibase else ()  # country and continent come last
        self._topmost, self.country_level = top[1:], top[:1]
        self._classes = tuple(profile.property_of(one) for one in (*profile.type, *profile.subclass))
        self.whereabouts = self._labelled(frozenset(profile.whereabouts))
        self.types = self._classes[: len(profile.type)]
        self.subclass = self._classes[len(profile.type) :]
        self._downwards = self._inverses(self._upwards[:1] if profile.located else ())
        self._same = self._labelled(_SAME)
        self.about = lru_cache(maxsize=4096)(self._about)
        self.upwards = lru_cache(maxsize=8192)(self._steps)
        self.wider = lru_cache(maxsize=8192)(self._wider)
        self.names = lru_cache(maxsize=512)(self._names)  # type: ignore[method-assign]
        self.kinds = lru_cache(maxsize=16384)(self._kinds)

    def _about(self, subject: str) -> dict[str, list[Statement]]:
        """In one order, whichever graph tells it: what is read of many comes from the first ones."""
        found: dict[str, list[Statement]] = {}
        for statement in sorted(self.store.statements(subject), key=_place):
            found.setdefault(statement.predicate.value, []).append(statement)
        return found

    def values(self, subject: str, item: Property) -> list[Statement]:
        """Statements of a property that are not deprecated."""
        return [one for one in self.about(subject).get(item.iri, ()) if one.rank is not Rank.DEPRECATED]

    def links(self, subject: str, obj: str) -> list[Statement]:
        """All statements that say something of ``obj`` about ``subject``, not deprecated."""
        return [
            one
            for listed in self.about(subject).values()
            for one in listed
            if one.rank is not Rank.DEPRECATED and entity_of(one) == obj
        ]

    def _kinds(self, iri: str) -> frozenset[str]:
        direct = self.store.instance_types(iri)
        return frozenset(direct).union(*map(self.store.supertypes, direct))

    def _steps(self, iri: str) -> dict[str, list[Statement]]:
        """What leads upwards from a thing: asked for by itself, since a country has thousands of other statements."""
        every = dict.fromkeys((*self._upwards, *self.subclass))
        return {step: found for step in every if (found := self.store.statements(iri, step))}

    def _wider(self, iri: str) -> dict[str, tuple[Statement, ...]]:
        """Everything that a thing lies in, is part of, or is a kind of -> the statements that lead there."""
        found: dict[str, tuple[Statement, ...]] = {}
        front: list[tuple[str, tuple[Statement, ...]]] = [(iri, ())]
        for _ in range(_DEPTH):
            following = []
            for place, path in front:
                about = self.upwards(place)
                steps = (*self._upwards, *self.subclass)
                if path:
                    first = path[0].predicate.value  # places lead to places and classes to classes, never across
                    steps = self.subclass if first in self._classes else self._upwards
                if path and path[-1].predicate.value in (*self.country_level, *self._topmost):
                    steps = self._topmost  # above a country there is its continent only, not what ruled it once
                for upwards in steps:
                    held = [
                        one
                        for one in about.get(upwards, ())
                        if one.rank is not Rank.DEPRECATED and entity_of(one) and not self.ended(one)
                    ]
                    if path and len(held) > 1 and upwards not in self._classes:
                        continue  # a peninsula in two countries puts nothing in either
                    for statement in held:
                        value = entity_of(statement)
                        if value not in found and value != iri:
                            found[value] = (*path, statement)
                            following.append((value, found[value]))
                for statement in self._holders(place) if not path or path[0].predicate.value in self._located else ():
                    holder = statement.subject.value
                    if holder not in found and holder != iri:
                        found[holder] = (*path, statement)
                        following.append((holder, found[holder]))
            front = following
            if len(found) > 400:
                break
        if any(one in self._topmost for one in self.upwards(iri)):  # it says itself on which continent it lies
            return {
                place: path
                for place, path in found.items()
                if len(path) == 1 or path[-1].predicate.value not in self._topmost
            }
        return found

    def _holders(self, place: str) -> list[Statement]:
        """Statements by which a bigger place says that it contains this one."""
        return [
            one
            for predicate in self._downwards
            for one in self.store.incoming(place, predicate, 5)
            if one.rank is not Rank.DEPRECATED and not self.ended(one)
        ]

    def _inverses(self, properties: Iterable[str]) -> tuple[str, ...]:
        """What says the same the other way round, as the graph declares it."""
        wanted = set(properties)
        known = self.store.properties()
        return tuple(iri for iri, item in known.items() if item.inverse in wanted and iri not in wanted)

    def _labelled(self, labels: frozenset[str]) -> frozenset[str]:
        return frozenset(iri for iri, item in self.store.properties().items() if item.label in labels)

    def disjoint(self, kind: str) -> set[str]:
        """The classes that the graph declares to have no member in common with this one."""
        return self._disjoint.get(kind, set())

    @cached_property
    def _disjoint(self) -> Mapping[str, set[str]]:
        return self.store.disjoint()

    def conflicts(self, subject: str, wanted: str, value: str) -> list[Statement]:
        """What the KG holds of a subject that excludes a value by a conflicts-with constraint (Wikidata's Q21502838).

        Only mandatory constraints count, and only the exact value: others have too many exceptions.
        """
        for prop, exceptions in self._conflicts.get((wanted, value), []) + self._conflicts.get((wanted, ""), []):
            held = [one for one in self.about(subject).get(prop, ()) if one.rank is not Rank.DEPRECATED]
            held = [one for one in held if one.value is not Special.NONE]
            if held and subject not in exceptions:
                return held[:1]
        return []

    @cached_property
    def _conflicts(self) -> Conflicts:
        return self.store.conflicts()

    def along(self, iri: str, item: Property, wanted: str) -> tuple[Statement, ...]:
        """The chain of a property's own statements from one thing to another, empty where there is none."""
        seen: set[str] = {iri, ""}
        front: list[tuple[str, tuple[Statement, ...]]] = [(iri, ())]
        for _ in range(_LONGEST):
            following: list[tuple[str, tuple[Statement, ...]]] = []
            for place, path in front:
                for statement in self.values(place, item):
                    if (value := entity_of(statement)) in seen:
                        continue
                    if value == wanted:
                        return (*path, statement)
                    seen.add(value)
                    following.append((value, (*path, statement)))
            front = following[:_WIDEST]
        return ()

    def taxon(self) -> Property | None:
        """The property that leads from a taxon to the one above it, None where the graph has no taxa."""
        known = self.store.properties().values()
        return next((item for item in known if item.label == "parent taxon" and item.statements), None)

    def of_place(self, item: Property) -> bool:
        """Does the property say where something is or happens?"""
        return item.iri in self._upwards or any(word in item.label for word in _PLACES)

    def widens(self, item: Property) -> bool:
        """Is a wider place true, too? Not of "capital of", nor of "capital"."""
        return self.of_place(item) and "capital" not in item.label

    def lets_lie(self, item: Property) -> bool:
        """Is its value a place in whose country the thing is then, too? Not what it is a part of."""
        return self.widens(item) and item.iri not in self._upwards[len(self._located) :]

    def is_place_step(self, statement: Statement) -> bool:
        """Does the statement lead from a place to the one around it, or back?"""
        return statement.predicate.value in (*self._located, *self._downwards)

    def is_place(self, iri: str) -> bool:
        """Is this a country, or does it lie somewhere?"""
        return self.country(iri) or any(self.is_place_step(path[0]) for path in self.wider(iri).values() if path)

    def country(self, iri: str) -> bool:
        """Is this a country? What holds of its citizens and films need not hold of the island that it lies on."""
        return any(self.store.label(kind) in self.store.profile.country for kind in self.kinds(iri))

    def level(self, iri: str) -> str:
        """The property of which a country, or a continent, is a value; empty for what is neither."""
        if self.country(iri):
            return next(iter(self.country_level), "")
        return next(iter(self._topmost), "") if self._is_continent(iri) else ""

    def continent(self, path: tuple[Statement, ...]) -> bool:
        """Does the way end with a continent?"""
        return path[-1].predicate.value in self._topmost

    def ended(self, statement: Statement) -> bool:
        """Does a qualifier say that the statement held until some time?"""
        return any(name.value in self.store.profile.end for name, _ in statement.qualifiers)

    def nameless(self, iri: str) -> bool:
        """Has the KG no label for it? Then nobody can check what it is."""
        return self.store.label(iri) == compact(iri)

    def exclusive(self, place: str, other: str) -> bool:
        """Can nothing be in both places? Only where the KG shows it: other continents, or two places of one kind.

        The KG often lacks the step from a place to the one around it, so not being related proves nothing. A country
        of the past shares its ground with countries of today.
        """
        if self._one_place(place, other):
            return False
        here, there = self._continents(place), self._continents(other)
        if here and there and not here & there:
            return True
        if self.past(other) or self._neighbours(place, other):
            return False
        if self._settled(place) and self._settled(other):
            return not (self._may_be_quarter(place) or self._may_be_quarter(other))
        own = set(self.store.instance_types(other))
        level = [one for one in (place, *self.wider(place)) if own & set(self.store.instance_types(one))]
        nested = all(self.related(one, level[0]) for one in level)  # a borough that is a city, and its city
        return bool(level) and nested and not any(self.related(one, other) or self.past(one) for one in level)

    def _one_place(self, place: str, other: str) -> bool:
        """May both be one place, or one in the other? They share a name, one replaces the other, or is a kind of it."""
        names = {name.casefold() for name in self.names(place)} & {name.casefold() for name in self.names(other)}
        linked = (*self.links(place, other), *self.links(other, place))
        return bool(names) or self.share_name(place, other) or any(one.predicate.value in self._same for one in linked)

    def share_name(self, one: str, other: str) -> bool:
        """May one be a part of the other, by its name ("Southeast Asia", "7th arrondissement of Paris") or by that of
        its kind ("Borough of New York City")?"""
        return self._is_of(one, other) or self._is_of(other, one)

    def _is_of(self, part: str, whole: str) -> bool:
        name = self.store.label(whole)
        kinds = [self.store.label(kind) for kind in self.store.instance_types(part)]
        return self.store.label(part).endswith(f" {name}") or any(f" {name} " in f" {kind} " for kind in kinds)

    def _neighbours(self, place: str, other: str) -> bool:
        """Do both lie directly in one small area, such as a county? People often name the bigger place nearby."""
        return any(
            _AREA.search(self.store.label(kind))
            for area in self._around(place) & self._around(other)
            for kind in self.store.instance_types(area)
        )

    def _around(self, place: str) -> set[str]:
        """The places one step up."""
        paths = self.wider(place).items()
        return {one for one, path in paths if len(path) == 1 and path[0].predicate.value not in self.country_level}

    def _settled(self, place: str) -> bool:
        """Is it a town or a city of its own, neither a part of one nor something bigger?"""
        today = [kind for kind in self.store.instance_types(place) if self.store.label(kind) != _OF_PAST]
        labels = {self.store.label(kind) for kind in set(today).union(*map(self.store.supertypes, today))}
        direct = [self.store.label(kind) for kind in today]
        town = "human settlement" in labels or any(_TOWN.search(kind) for kind in direct)
        state = not labels.isdisjoint(self.store.profile.country)
        if any(map(_CITY.search, direct)) and not state:  # Vienna is a city and a state, Graz a city and a district
            return True
        return town and not state and not any(_STATE.search(kind) or _NO_TOWN.search(kind) for kind in direct)

    def _may_be_quarter(self, place: str) -> bool:
        """May a village be a part of a city, since the KG does not say where it lies? So Harlem may be."""
        kinds = map(self.store.label, self.store.instance_types(place))
        return not self.wider(place) and not any(map(_OF_ITS_OWN.search, kinds))

    def _continents(self, place: str) -> set[str]:
        if self._is_continent(place):
            return {place}
        return {one for one, path in self.wider(place).items() if self.continent(path) and self._is_continent(one)}

    def _is_continent(self, place: str) -> bool:
        return any(self.store.label(kind) == "continent" for kind in self.store.instance_types(place))

    def past(self, place: str) -> bool:
        """Is it a place that there is no more?"""
        kinds = {self.store.label(kind) for kind in self.store.instance_types(place)}
        ended = any("dissolved" in self.store.label(one) for one in self.about(place))
        return ended or (_OF_PAST in kinds and "country" not in kinds)

    def related(self, one: str, other: str) -> bool:
        """Does either lie in, belong to, or count as a kind of the other?"""
        return one == other or other in self.wider(one) or one in self.wider(other)

    def narrower(self, one: str, other: str) -> bool:
        """Is a property declared to be a narrower one than another?"""
        steps = self.store.profile.subproperty
        return any(True for step in steps for _ in self.store.match(one, step, NamedNode(other)))

    def single(self, item: Property) -> bool:
        """Does one value of this property exclude another?"""
        return of_property(item).closed

    def mostly_single(self, item: Property) -> bool:
        """Do most subjects have one value, so that another date is not likely to be a further one?"""
        return item.single_valued is True or item.functionality >= 0.6

    def _names(self, iri: str) -> list[str]:
        """Label and aliases."""
        profile = self.store.profile
        found = [self.store.label(iri)]
        for predicate in (*profile.label, *profile.alias):
            objects = (triple.object for triple in self.store.match(iri, predicate))
            found += [
                one.value
                for one in objects
                if not isinstance(one, Triple) and getattr(one, "language", None) in (None, *self.store.languages)
            ]
        return list(dict.fromkeys(found))

    def none(self, statements: Iterable[Statement]) -> list[Statement]:
        return [one for one in statements if one.value is Special.NONE]

