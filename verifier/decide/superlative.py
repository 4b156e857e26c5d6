""" "A is the largest city of B": all members of a class in a place side by side, where the KG has them."""

from __future__ import annotations

from kgstore.catalog import Property
from kgstore.model import NamedNode, Rank
from kgstore.verifier.claims import Candidate, Claim, Label, Measure
from kgstore.verifier.decide.finding import Finding, meant
from kgstore.verifier.decide.magnitude import Magnitude, magnitude, measured
from kgstore.verifier.decide.outcome import Outcome, contradicts, supports, undecided
from kgstore.verifier.decide.tier import Tier
from kgstore.verifier.kg.align import Aligner
from kgstore.verifier.kg.knowledge import Knowledge

_MOST_MEMBERS, _MOST_CLASSES = 2000, 200
_FEWEST = 2
"""Others that have to be there before a first one among them says anything."""


def decide_superlative(claim: Claim, know: Knowledge, aligner: Aligner) -> Finding:
    """The verdict on the first (or second ...) of a class in a place."""
    measure = claim.measure
    assert measure is not None
    place = meant(claim.tail.candidates)
    kind = meant(measure.things.candidates) if measure.things else None
    fitting = [one for one in claim.head.candidates if kind is not None and kind.iri in know.kinds(one.iri)]
    head = fitting[0] if len(fitting) == 1 else meant(claim.head.candidates)
    if head is None or place is None or kind is None:
        missing = claim.head.text if head is None else claim.tail.text if place is None else "that class"
        return _open(f"the KG knows nothing that is surely called {missing}", head, place, "entity not found")
    if kind.iri not in know.kinds(head.iri):
        return _open(f"the KG does not say that {head.label} is a {kind.label}", head, place)
    members = _members(know, kind.iri)
    if members is None:
        return _open(f"the KG has too many of the class {kind.label} to compare them all", head, place)
    others = [one for one in members if one != head.iri and place.iri in know.wider(one) and not know.past(one)]
    if len(others) < _FEWEST:
        return _open(f"the KG has hardly another {kind.label} of {place.label} to compare with", head, place)
    items = measured(measure.properties, [head.iri], aligner)
    judged = [_judged(know, item, measure, head, others, f"{kind.label} of {place.label}") for item in items]
    known = [one for one in judged if one is not None]
    if not known:
        return _open(f"the KG has nothing that “{claim.relation}” could measure", head, place)
    if len({one.label for one in known}) == 1:
        return Finding(known[0], None, head, place)
    first = next((one for one in known if one.label is Label.ATTRIBUTABLE), None)
    if first is not None:
        return Finding(first, None, head, place)
    statements = [one.statement for one in known[0].evidence]
    open_ = undecided(Tier.SUPERLATIVE, statements, "; ".join(one.reason for one in known), True)
    return Finding(open_, None, head, place)


def _open(reason: str, head: Candidate | None, place: Candidate | None, why: str = "no statement in the KG") -> Finding:
    return Finding(undecided(Tier.SUPERLATIVE, [], reason), head=head, tail=place, why_not=why)


def _members(know: Knowledge, kind: str) -> list[str] | None:
    """All instances of a class and of the classes below it, None where they are too many."""
    classes, front = {kind}, [kind]
    while front and len(classes) <= _MOST_CLASSES:
        below = {one for parent in front for one in _pointing(know, parent, know.subclass)} - classes
        classes |= below
        front = sorted(below)
    found: dict[str, None] = {}
    for one in sorted(classes):
        found.update(dict.fromkeys(_pointing(know, one, know.types)))
        if len(found) > _MOST_MEMBERS:
            return None
    return list(found)


def _pointing(know: Knowledge, iri: str, properties: tuple[str, ...]) -> list[str]:
    return [
        one.subject.value
        for predicate in properties
        for one in know.store.incoming(iri, predicate, _MOST_MEMBERS + 1)
        if one.rank is not Rank.DEPRECATED and isinstance(one.subject, NamedNode)
    ]


def _judged(
    know: Knowledge, item: Property, measure: Measure, head: Candidate, others: list[str], group: str
) -> Outcome | None:
    """What one property says, None where the KG does not know it of the head."""
    own = magnitude(know, head.iri, item)
    if own is None:
        return None
    sizes = {one: size for one in others if (size := magnitude(know, one, item)) and size.dimension == own.dimension}
    ahead = [one for one, size in sizes.items() if _ahead(size, own, measure.direction)]
    near = [one for one, size in sizes.items() if one not in ahead and not _ahead(own, size, measure.direction)]
    statements = [*own.statements[:1], *(sizes[one].statements[0] for one in ahead[:3])]
    if len(ahead) >= measure.rank:
        names = ", ".join(know.store.label(one) for one in ahead[:3])
        reason = f"by {item.label}, {names} come before {head.label} as {group}"
        return contradicts(Tier.SUPERLATIVE, statements, reason)
    if len(sizes) < len(others):
        without = len(others) - len(sizes)
        reason = f"the KG has no {item.label} for {without} of the other {len(others)} that are {group}"
        return undecided(Tier.SUPERLATIVE, statements, reason, True)
    if near or len(ahead) < measure.rank - 1:
        reason = f"by {item.label} the KG gives {head.label} no clear rank or a better one"
        return undecided(Tier.SUPERLATIVE, statements, reason, True)
    before = f"{len(ahead)} before it" if ahead else "none before it"
    reason = f"by {item.label}, {head.label} has {before} of the {len(others) + 1} that the KG has as {group}"
    return supports(Tier.SUPERLATIVE, statements, reason)


def _ahead(one: Magnitude, other: Magnitude, way: int) -> bool:
    return one.least > other.most if way > 0 else one.most < other.least
