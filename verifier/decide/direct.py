"""A claim of one step: every plausible reading of its words and names through the tiers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from kgstore.verifier.claims import Candidate, Claim, Label, Mention
from kgstore.verifier.decide.accuse import CLEAR, SURE, accuse, leave_open
from kgstore.verifier.decide.bounds import dateless, decide_bound, decide_season
from kgstore.verifier.decide.entities import decide_entity
from kgstore.verifier.decide.finding import Finding, weight
from kgstore.verifier.decide.literals import decide_literal
from kgstore.verifier.decide.outcome import Outcome, Tiers, kept, no_property, not_linked, undecided
from kgstore.verifier.decide.places import decide_place, is_place_word
from kgstore.verifier.decide.tier import Tier
from kgstore.verifier.english.wording import content, normal
from kgstore.verifier.english.words import words
from kgstore.verifier.kg.align import SURE as NAMED
from kgstore.verifier.kg.align import UNKNOWN, Aligned, Aligner
from kgstore.verifier.kg.knowledge import Knowledge
from kgstore.verifier.values import Amount, DateValue, as_year

_WIDE = 8
_SOME, _CLEARLY = 0.45, 0.65
"""How much of its words a relation must share with a property by which the KG links head and tail; the latter where the
words clearly name another property."""
_MUCH, _MOST = 0.5, 0.6
_BOTH_WAYS = 0.5
"""Share of statements that are there the other way round, too, from which a property has no direction."""
_FIRST = words("adverbs.first")
_NO_YEAR = words("prepositions.no_year")
"""A bare number after these is no year ("died at 57")."""


def decide_direct(
    claim: Claim, heads: Sequence[Candidate], know: Knowledge, aligner: Aligner, without: Tiers
) -> Finding:
    if not heads:
        return Finding(not_linked(claim.head), why_not="entity not found")
    tail = claim.tail
    kinds = tail_kinds(tail)
    if claim.property is not None:
        readings = [Aligned(aligner.properties[claim.property], False, 1.0, 1.0, 1.0, read=True)]
    else:
        readings = aligner.align(
            dateless(claim), kinds, [one.iri for one in heads], [one.iri for one in tail.candidates], _WIDE
        )
        readings = _with_links(claim, readings, heads, know, aligner)
    if not readings:
        return Finding(
            no_property(claim.relation),
            head=heads[0],
            tail=tail.candidates[0] if tail.candidates else None,
            why_not="relation not understood",
        )
    findings = [
        Finding(kept(outcome_of(know, claim, reading, head, target), without), reading, head, target)
        for reading in readings
        for head in heads
        for target in (tail.candidates or (None,))
    ]
    good = [one for one in findings if one.outcome.label is Label.ATTRIBUTABLE and _way_told(claim, one, know, aligner)]
    named = [one for one in readings if one.text > NAMED]
    placed = any(is_place_word(one, know) for one in named)  # "located in": wherever it is said to lie
    if not placed and (bar := max((_bar(claim, one) for one in named), default=0.0)):
        good = [one for one in good if _named_so(claim, one, named, aligner, bar)]
    if good:
        found = max(good, key=lambda one: (weight(one, aligner), one.reading.property.statements))  # type: ignore[union-attr]
    else:
        found = accuse(claim, findings, readings, know, aligner) or leave_open(claim, findings, aligner)
    return replace(found, readings=readings)


def _own_name(claim: Claim, reading: Aligned) -> bool:
    """Are the words a name of the property in the graph itself? Then it is meant, even if of such a thing it is new."""
    said, item = content(normal(claim.relation)), reading.property
    return bool(said) and said in (content(normal(name)) for name in (item.label, *item.aliases))


def _shares_words(claim: Claim, reading: Aligned, aligner: Aligner) -> bool:
    return aligner.likeness(claim.relation, reading.property.iri, turned=reading.turned) > 0


def _bar(claim: Claim, named: Aligned) -> float:
    """How much of the words a property must share to support a claim whose words name another one; 0 where they hardly
    mean that one, of such a thing. Dates are all alike, and what bears the property's own name means it.
    """
    exact = named.property.datatype in ("time", "quantity")
    if named.fit < UNKNOWN and named.property.datatype != "time" and not _own_name(claim, named):
        return 0.0
    return _MOST if exact else _MUCH


def _named_so(claim: Claim, finding: Finding, named: list[Aligned], aligner: Aligner, bar: float) -> bool:
    """Do the words name the property, or share most words with one of its names? Where they name another one, nothing
    else supports: "taught at" is an employer, and near to "educated at"; a place of birth is no place of death.
    """
    reading = finding.reading
    assert reading is not None
    iri, turned = reading.property.iri, reading.turned
    same = [one for one in named if one.property is reading.property]
    if same:  # the other way round: "is treated with" fits a disease as "treats" does not
        doubtful = all(one.fit < UNKNOWN for one in same)
        return reading.text > NAMED or doubtful or _shares_words(claim, reading, aligner)
    return aligner.likeness(claim.relation, iri, turned=turned) >= bar


def _way_told(claim: Claim, finding: Finding, know: Knowledge, aligner: Aligner) -> bool:
    """Do the words tell who is which? "A manages B" is near in meaning to "A reports to B", and says the reverse."""
    reading, head, tail = finding.reading, finding.head, finding.tail
    assert reading is not None
    item, types = reading.property, know.store.instance_types
    if reading.text > NAMED or head is None or tail is None or item.symmetric or item.symmetric_share >= _BOTH_WAYS:
        return True
    if not set(types(head.iri)) & set(types(tail.iri)):
        return True
    ways = (reading.turned, not reading.turned)
    here, there = (aligner.likeness(claim.relation, item.iri, turned=way) for way in ways)
    return here > there


def outcome_of(know: Knowledge, claim: Claim, reading: Aligned, head: Candidate, target: Candidate | None) -> Outcome:
    """What the KG says of the claim in one reading of its relation and its names."""
    item, relation, tail = reading.property, claim.relation, claim.tail
    if target is not None and item.datatype not in ("entity", ""):
        return _named(know, claim, reading, head, target)
    if target is not None:
        if is_place_word(reading, know):
            return decide_place(know, reading, head, target)
        return decide_entity(know, reading, head, target, claim.said.past)
    if tail.value is None and item.datatype == "entity":
        found = decide_literal(know, item, head, tail.text, None)
        if found.label is Label.CONTRADICTORY and found.method is not Tier.NO_VALUE:
            return undecided(
                Tier.NOT_LINKED,
                [one.statement for one in found.evidence],
                f"the KG knows nothing called {tail.text}",
                True,
            )
        return found
    value = tail.value
    if item.datatype == "time" and isinstance(value, Amount):
        aged = value.value < 100 and not relation.endswith(" in")  # "died aged 49", not "died in 49"
        value = as_year(value) if relation.rsplit(" ", 1)[-1] not in _NO_YEAR and not aged else None
        if value is None:
            return undecided(Tier.NO_PROPERTY, [], f"{tail.text} is no date")
    bounded = decide_bound(know, item, head, claim)
    # half of all dates lie on the right side
    if bounded and bounded.label is Label.ATTRIBUTABLE and reading.text < CLEAR:
        return undecided(Tier.SEVERAL_VALUES, [one.statement for one in bounded.evidence], bounded.reason)
    return bounded or decide_season(
        claim,
        decide_literal(know, item, head, tail.text, value, not _FIRST.isdisjoint(relation.split()), claim.when is None),
    )


def _named(know: Knowledge, claim: Claim, reading: Aligned, head: Candidate, target: Candidate) -> Outcome:
    """A string that is also an entity's name. "A is the birth name of B" may be said of B, and two names of one entity
    do not exclude each other.
    """
    item = reading.property
    subject, text = (target, claim.head.text) if reading.turned else (head, claim.tail.text)
    found = decide_literal(know, item, subject, text, None)
    if found.label is not Label.CONTRADICTORY or reading.turned:
        return found
    other = decide_literal(know, item, target, claim.head.text, None)
    if other.label is Label.ATTRIBUTABLE:
        return other
    if target.iri == head.iri or other.closed and claim.relation.endswith(" of"):
        held = [one.statement for one in found.evidence]
        reason = f"which of the two names is meant is not clear; {found.reason}"
        return undecided(Tier.SEVERAL_VALUES, held, reason, closed=False)
    return found


def tail_kinds(tail: Mention) -> frozenset[str]:
    """Datatypes of properties that can have such a tail."""
    if isinstance(tail.value, DateValue):
        return frozenset(("time", "quantity", "string") if not tail.value.certain else ("time",))
    if isinstance(tail.value, Amount):
        return frozenset(("quantity", "string", "time") if as_year(tail.value) else ("quantity", "string"))
    return frozenset(("entity", "string")) if tail.candidates else frozenset(("string", "entity", "coordinate"))


def _with_links(
    claim: Claim, readings: list[Aligned], heads: Sequence[Candidate], know: Knowledge, aligner: Aligner
) -> list[Aligned]:
    """Properties by which the KG links head and tail count as readings where the words do not clearly say otherwise."""
    clear = any(one.text >= CLEAR and one.score >= SURE for one in readings)
    known = {(one.property.iri, one.turned) for one in readings}
    found = list(readings)
    for head in heads:
        for tail in claim.tail.candidates:
            for turned, statements in ((False, know.links(head.iri, tail.iri)), (True, know.links(tail.iri, head.iri))):
                for statement in statements:
                    item = aligner.properties.get(statement.predicate.value)
                    if item is None or (item.iri, turned) in known:
                        continue
                    text = aligner.likeness(claim.relation, item.iri)
                    if text >= (_CLEARLY if clear else _SOME):
                        known.add((item.iri, turned))
                        found.append(Aligned(item, turned, text, text, 1.0))
    return found
