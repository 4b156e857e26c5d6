"""Tiers for claims whose tail is an entity: the statement, its inverse, hierarchies, and values that exclude it."""

from __future__ import annotations

from kgstore.catalog import Property
from kgstore.model import Special, Statement
from kgstore.verbalise import listed, verbalise
from kgstore.verifier.claims import Candidate, Label
from kgstore.verifier.decide import complete
from kgstore.verifier.decide.outcome import Outcome, contradicts, supports, undecided
from kgstore.verifier.decide.tier import Tier
from kgstore.verifier.kg.align import Aligned
from kgstore.verifier.kg.knowledge import Knowledge, entity_of
from kgstore.verifier.kg.world import of_values


def decide_entity(
    know: Knowledge, reading: Aligned, head: Candidate, tail: Candidate, past: bool = False
) -> Outcome:
    """What the KG says about head -property-> tail (the other way round where the reading is turned).

    :param past: it is only said to have held once
    """
    subject, obj = (tail, head) if reading.turned else (head, tail)
    found = _forward(know, reading.property, subject, obj, reading.turned, reading.read)
    inverse = know.store.properties().get(reading.property.inverse or "")
    if found.label is Label.EXTRAPOLATORY and found.method is not Tier.FINER and inverse and inverse.statements:
        other = _forward(know, inverse, obj, subject, not reading.turned)  # the capital of B is C, so it is not A
        if other.label is Label.CONTRADICTORY and other.method in (Tier.SINGLE_VALUE, Tier.COMPLETE):
            return other
    if found.label is Label.ATTRIBUTABLE and not past:
        for item, one, value in ((reading.property, subject, obj), (inverse, obj, subject)):
            if item is not None and (better := _superseded(know, item, one.iri, value.iri)):
                names = listed(know.store.label(entity_of(each)) for each in better)
                reason = f"{item.label} of {one.label} is {names}; {value.label} is stated elsewhere, with no time"
                return undecided(Tier.SEVERAL_VALUES, better, reason, True)
    return found


def _superseded(know: Knowledge, item: Property, subject: str, obj: str) -> list[Statement]:
    """Values of a property with one value that are preferred to all others, if the object is none of them: a former
    capital says of itself that it is one, the country knows better."""
    preferred = [one for one in know.values(subject, item) if one.rank == "preferred"]
    known = [one for one in preferred if entity_of(one)]
    if not known or any(_is(one, obj) for one in known) or any(know.related(entity_of(one), obj) for one in known):
        return []
    return known if of_values(item, known).closed else []


def _forward(
    know: Knowledge, item: Property, subject: Candidate, obj: Candidate, turned: bool = False, read: bool = False
) -> Outcome:
    label = item.label
    held = know.values(subject.iri, item)
    exact = [one for one in held if _is(one, obj.iri)]
    if exact:
        return supports(
            Tier.INVERSE if turned else Tier.STATEMENT,
            exact,
            f"the KG states this: {verbalise(subject.label, label, obj.label)}".removesuffix("."),
        )
    mirrored = _mirrored(know, item, subject.iri, obj.iri)
    if mirrored:
        return supports(Tier.INVERSE, mirrored, f"the KG states it the other way round, about {obj.label}")
    upwards = _wider_value(know, item, held, obj.iri) or _along(know, item, subject.iri, obj.iri)
    if upwards:
        return supports(
            Tier.HIERARCHY, upwards, f"{label} of {subject.label} lies within or is a kind of {obj.label}"
        )
    if know.none(held):
        return contradicts(Tier.NO_VALUE, know.none(held), f"the KG states that {subject.label} has no {label}")
    apart = know.conflicts(subject.iri, item.iri, obj.iri)
    if apart:
        other = know.store.label(apart[0].predicate.value)
        reason = f"{subject.label} has a {other}, and the KG declares that nothing with one has {obj.label} as {label}"
        return contradicts(Tier.CONFLICT, apart, reason)
    known = [one for one in held if entity_of(one)]
    if not held:
        return undecided(Tier.OPEN, [], f"the KG has no {label} for {subject.label}")
    if any(one.value is Special.SOME for one in held) or not known:
        return undecided(Tier.OPEN, held, f"the KG has a {label} for {subject.label} that is not known")
    names = ", ".join(know.store.label(entity_of(one)) for one in known[:3])
    if any(know.related(entity_of(one), obj.iri) for one in known):
        return undecided(Tier.FINER, known, f"{obj.label} is more exact than what the KG holds ({names})")
    world = of_values(item, known, read)
    if world.closed and item.iri in (*know.types, *know.subclass) and item.single_valued is not True:
        return undecided(Tier.SEVERAL_VALUES, known, f"{names} is not all that {subject.label} can be")
    declared = item.iri in know.complete
    if world.closed or declared:
        if world.closed and any(know.ended(one) for one in known):
            reason = f"{names} is a former {label} of {subject.label}, and the KG has no later one"
            return undecided(Tier.SEVERAL_VALUES, known, reason)
        open_place = know.of_place(item) and not all(know.exclusive(entity_of(one), obj.iri) for one in known)
        if open_place or any(know.nameless(iri) or know.share_name(iri, obj.iri) for iri in map(entity_of, known)):
            return undecided(Tier.SEVERAL_VALUES, known, f"{names} and {obj.label} may go together")
        if world.closed:
            reason = f"{subject.label} has one {label}, and it is {names} ({world.why})"
            return contradicts(Tier.SINGLE_VALUE, known, reason)
        names = listed(know.store.label(entity_of(one)) for one in known)
        reason = f"under “{label}” the KG lists {names} for {subject.label} and not {obj.label}"
        if doubt := complete.doubt(know, item, subject.iri, held, obj.iri):
            return undecided(Tier.SEVERAL_VALUES, known, f"{reason}, but {doubt}")
        return contradicts(Tier.COMPLETE, known, f"{reason}, and {complete.WHY}")
    reason = f"under “{label}” the KG lists {names} for {subject.label} and not {obj.label}, but {world.why}"
    return undecided(Tier.SEVERAL_VALUES, known, reason)


def _is(statement: Statement, iri: str) -> bool:
    return entity_of(statement) == iri


def _mirrored(know: Knowledge, item: Property, subject: str, obj: str) -> list[Statement]:
    """The same fact as the KG states it about the object: by the inverse property, or a symmetric one."""
    found: list[Statement] = []
    about = know.about(obj)
    if item.inverse:
        found += [one for one in about.get(item.inverse, ()) if _is(one, subject)]
    if item.symmetric or item.symmetric_share >= 0.5:
        found += [one for one in about.get(item.iri, ()) if _is(one, subject)]
    return [one for one in found if one.rank != "deprecated"]


def _along(know: Knowledge, item: Property, subject: str, obj: str) -> list[Statement]:
    """Steps of a property that is declared transitive; what a taxon lies under is what it is a kind of."""
    if item.transitive and not item.symmetric:
        return list(know.along(subject, item, obj))
    above = know.taxon() if item.iri in (*know.types, *know.subclass) else None
    return list(know.along(subject, above, obj)) if above is not None else []


def _wider_value(know: Knowledge, item: Property, held: list[Statement], obj: str) -> list[Statement]:
    """A statement whose value lies in (or is a kind of) the object, and the statements that lead there."""
    for one in held:
        if value := entity_of(one):
            path = know.wider(value).get(obj)
            if path and item.iri in know.country_level and not (len(path) == 1 and know.continent(path)):
                continue  # what a country was part of once says nothing of what lies in it
            if path and not know.widens(item) and (know.is_place(obj) or any(map(know.is_place_step, path))):
                continue  # a member of an organisation in Geneva is not in Geneva, the capital of Bavaria not Germany's
            if path and not (know.country(value) and not know.continent(path)):
                return [one, *path]
    return []
