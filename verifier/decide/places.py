""" "in B": a place within a place. Two places of one level (two countries, two continents) exclude each other."""

from __future__ import annotations

from collections.abc import Sequence

from kgstore.model import NamedNode, Rank, Statement
from kgstore.verifier.claims import Candidate, Label
from kgstore.verifier.decide.entities import decide_entity
from kgstore.verifier.decide.outcome import Outcome, contradicts, supports
from kgstore.verifier.decide.tier import Tier
from kgstore.verifier.kg.align import Aligned
from kgstore.verifier.kg.knowledge import Knowledge


def is_place_word(reading: Aligned, know: Knowledge) -> bool:
    """Is the property one that says where something lies?"""
    return reading.property.label in know.store.profile.whereabouts


def decide_place(know: Knowledge, reading: Aligned, head: Candidate, tail: Candidate) -> Outcome:
    """Like any entity, but anything that ``head`` lies in counts, whatever property says so."""
    found = decide_entity(know, reading, head, tail)
    if reading.turned or found.label is not Label.EXTRAPOLATORY:
        return found
    wider = know.wider(head.iri)
    if tail.iri in wider:
        return supports(Tier.HIERARCHY, list(wider[tail.iri]), f"{head.label} lies in {tail.label}")
    if any(know.share_name(place, tail.iri) for place in wider):
        return found
    own = set(know.store.instance_types(tail.iri))
    level = [(place, path) for place, path in wider.items() if own & set(know.store.instance_types(place))]
    if len(level) == 1 and _only_way(know, level[0][1]) and know.exclusive(level[0][0], tail.iri):
        place, path = level[0]
        return contradicts(Tier.PLACE, list(path), f"{head.label} lies in {know.store.label(place)}")
    return found


def _only_way(know: Knowledge, path: Sequence[Statement]) -> bool:
    """Does each step still hold, and does the KG know no other place for it? A town may have lain in many countries."""
    for step in path:
        held = [one for one in know.about(step.subject.value).get(step.predicate.value, ()) if _holds(know, one)]
        if not _holds(know, step) or len({one.value for one in held}) > 1:
            return False
    return True


def _holds(know: Knowledge, step: Statement) -> bool:
    past = not isinstance(step.value, NamedNode) or know.past(step.value.value)
    return step.rank is not Rank.DEPRECATED and not past and not know.ended(step)
