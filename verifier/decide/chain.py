"""A claim of several steps: "the spouse of A was born in B" walks from A over statements."""

from __future__ import annotations

from dataclasses import dataclass, replace

from kgstore.model import NamedNode, Rank, Statement
from kgstore.verifier.claims import Candidate, Claim, Evidence, Hop, Label, Role
from kgstore.verifier.decide.accuse import NEAR
from kgstore.verifier.decide.direct import decide_direct
from kgstore.verifier.decide.finding import Finding
from kgstore.verifier.decide.outcome import Tiers, no_property, not_linked, undecided
from kgstore.verifier.decide.tier import Tier
from kgstore.verifier.english.words import ordered, words
from kgstore.verifier.kg.align import Aligned, Aligner
from kgstore.verifier.kg.knowledge import Knowledge

_CLOSE = 0.6
"""Words less close to a property's name are no step."""
_APART = words("nouns.telling_apart") | frozenset(ordered("numbers.ordinals"))
"""Of what these tell from the others of its kind, the KG may list one only and not that one."""
LIKELY = 0.15
"""A candidate with less than this share of its name's weight is not likely to be meant."""


@dataclass(frozen=True, slots=True)
class _Reached:
    """An entity at the end of some hops, the statements that lead there, and whether it is the only one."""

    entity: Candidate
    path: tuple[Statement, ...]
    only: bool


def decide_chain(claim: Claim, know: Knowledge, aligner: Aligner, without: Tiers) -> Finding:
    if not claim.head.candidates:
        return Finding(not_linked(claim.head), why_not="entity not found")
    front = [_Reached(one, (), one.score >= 0.5) for one in claim.head.candidates if one.score >= LIKELY]
    head = front[0].entity if front else claim.head.candidates[0]
    for hop in claim.bridge:
        readings = _readings(front, hop, aligner)
        front = _step(front, hop, readings, know)
        if not front:
            return _in_one(claim, know, aligner, without) or _no_way(hop, head, bool(readings))
    results = []
    for reached in front[:12]:
        found = decide_direct(replace(claim, bridge=()), (reached.entity,), know, aligner, without)
        results.append((reached, found))
    for reached, found in results:
        if found.outcome.label is Label.ATTRIBUTABLE:
            return _joined(found, head, reached, Label.ATTRIBUTABLE)
    reached, found = results[0]
    if all(one.outcome.label is Label.CONTRADICTORY for _, one in results) and len(results) == 1 and reached.only:
        return _joined(found, head, reached, Label.CONTRADICTORY)
    return _joined(found, head, reached, Label.EXTRAPOLATORY)


def _in_one(claim: Claim, know: Knowledge, aligner: Aligner, without: Tiers) -> Finding | None:
    """ "The death of A occurred in B" read as one relation, "death occurred in", where the KG knows no such step, and
    the step's words are among those of the property: that of "a friend of A was born in B" are not."""
    if len(claim.bridge) != 1 or claim.bridge[0].noun:
        return None
    whole = replace(claim, bridge=(), relation=f"{claim.bridge[0].relation} {claim.relation}")
    found = decide_direct(whole, claim.head.candidates, know, aligner, without)
    if found.outcome.label is Label.EXTRAPOLATORY or found.reading is None:
        return None
    shared = aligner.likeness(claim.bridge[0].relation, found.reading.property.iri) > 0
    return found if shared else None


def _no_way(hop: Hop, head: Candidate, named: bool) -> Finding:
    """:param named: do the words of the step name a property of the KG at all?"""
    if not named:
        outcome = no_property(hop.relation)
        return Finding(outcome, head=head, why_not="relation not understood")
    outcome = undecided(Tier.OPEN, [], f"the KG has no “{hop.relation}” for {head.label}")
    return Finding(outcome, head=head, why_not="no statement in the KG")


def _joined(found: Finding, head: Candidate, reached: _Reached, label: Label) -> Finding:
    role = Role.RELATED if label is Label.EXTRAPOLATORY else Role.SUPPORTS
    leading = tuple(Evidence(one, role) for one in reached.path)
    evidence = found.outcome.evidence
    if label is Label.EXTRAPOLATORY:
        evidence = tuple(replace(one, role=Role.RELATED) for one in evidence)
    outcome = replace(found.outcome, label=label, method=Tier.MULTI_HOP, evidence=leading + evidence)
    return replace(found, outcome=outcome, head=head)


def _readings(front: list[_Reached], hop: Hop, aligner: Aligner) -> list[Aligned]:
    """The properties that the words of a hop may mean, best first."""
    if hop.property is not None:
        return [Aligned(aligner.properties[hop.property], False, 1.0, 1.0, 1.0, read=True)]
    here = [one.entity.iri for one in front]
    heads, tails = ((), here) if hop.turned else (here, ())
    found = aligner.align(hop.relation, frozenset(("entity",)), heads, tails, 4)
    best = max((one.text for one in found), default=0.0)
    # the founding of a club is a step to who founded it; where nobody did, none to its country
    return [one for one in found if one.text >= max(_CLOSE, best - NEAR)]


def _step(front: list[_Reached], hop: Hop, readings: list[Aligned], know: Knowledge) -> list[_Reached]:
    """One hop from each entity, by the best reading of the relation that leads anywhere."""
    noun = hop.noun
    for reading in readings:
        found: list[_Reached] = []
        single = know.single(reading.property) or reading.property.functionality >= 0.7 or hop.definite
        single = single and not is_one_of_several(hop.relation)
        for reached in front:
            if reading.turned is not hop.turned:
                statements = [
                    one
                    for one in know.store.incoming(reached.entity.iri, reading.property.iri, 20)
                    if one.rank is not Rank.DEPRECATED
                ]
                ends = [(one, one.subject.value) for one in statements]
            else:
                ends = [
                    (one, one.value.value)
                    for one in know.values(reached.entity.iri, reading.property)
                    if isinstance(one.value, NamedNode)
                ]
            only = reached.only and single and len(ends) == 1
            for statement, iri in ends:
                found += [
                    _Reached(Candidate(end, know.store.label(end), 1.0), (*reached.path, statement, *path), only)
                    for end, path in _of_kind(know, iri, noun)
                ]
        if found:
            return found
    return []


def is_one_of_several(described: str) -> bool:
    """Do words tell one from others of its kind?

    >>> is_one_of_several("second husband"), is_one_of_several("husband")
    (True, False)
    """
    return not _APART.isdisjoint(described.lower().split())


def _of_kind(know: Knowledge, iri: str, noun: str) -> list[tuple[str, tuple[Statement, ...]]]:
    """The entity itself, or what it lies in where the text names that kind ("a country")."""
    if not noun or _called(know, iri, noun):
        return [(iri, ())]
    wider = [(place, path) for place, path in know.wider(iri).items() if _called(know, place, noun)]
    if wider:
        shortest = min(len(path) for _, path in wider)
        return [(place, path) for place, path in wider if len(path) == shortest]
    return [(iri, ())]


def _called(know: Knowledge, iri: str, noun: str) -> bool:
    return any(know.store.label(kind).lower() in (noun, f"sovereign {noun}") for kind in know.kinds(iri))
