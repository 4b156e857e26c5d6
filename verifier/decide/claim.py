"""One claim against the KG: every plausible reading through the tiers, and the verdict that they allow together.

Support may come from any plausible reading. A contradiction needs more: the relation must be understood, and no other
likely meaning of the names may leave the question open. False accusations are the worst error.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from kgstore.model import NamedNode, Rank, Statement
from verifier.align import UNKNOWN, Aligned, Aligner
from verifier.claims import Candidate, Claim, Evidence, Label, MeasureKind, Mention, Role, Verdict
from verifier.decide.confidence import probabilities
from verifier.decide.entities import decide_entity
from verifier.decide.knowledge import Knowledge
from verifier.decide.literals import decide_literal
from verifier.decide.outcome import Outcome, undecided
from verifier.decide.places import decide_place, is_place_word
from verifier.decide.when import dated
from verifier.values import Amount, DateValue, as_year
from verifier.wording import normal

SURE = 0.55
"""A reading below this score cannot contradict; ``CLEAR`` is the same for its words alone."""
CLEAR = 0.86
HALF = 0.6
"""Words this close to a property's name are enough where nothing else that the KG knows of the head comes near."""
EXACTLY = 0.95
"""Strings are compared letter by letter, so only a relation that is named outright lets one contradict another."""
NEAR = 0.12
"""Readings within this distance of the best are equally plausible."""
ALIKE = 0.7
"""A finding with this share of the best one's weight is as good a guess at what the names mean."""
LIKELY = 0.15
"""A candidate with less than this share of its name's weight is not likely to be meant."""
_WIDE = 8
_NO_YEAR = frozenset("at by for with aged to".split())
"""A bare number after these is no year ("died at 57")."""
_PREFIXES = frozenset("co re un dis mis pre ex".split())
"""Split off by a hyphen, these make another relation: "co-directed", "re-released"."""
_BOUNDS = frozenset("by until till before after from".split())
"""After these a date is a bound, and nothing that another date excludes."""


@dataclass(frozen=True, slots=True)
class Finding:
    """An outcome with the reading it belongs to."""

    outcome: Outcome
    reading: Aligned | None = None
    head: Candidate | None = None
    tail: Candidate | None = None
    why_not: str | None = None


def decide(claim: Claim, know: Knowledge, aligner: Aligner) -> Verdict:
    """The verdict of the rules on one claim; never raises for want of evidence."""
    if claim.measure is not None and claim.measure.kind is not MeasureKind.COUNT:
        reason = f"a {claim.measure.kind} needs more than one statement"
        outcome = undecided("rule:measure", [], reason)
        return Verdict(
            claim, outcome.label, probabilities(outcome, None), outcome.method, reason=reason, why_not="not decided"
        )
    finding = _chain(claim, know, aligner) if claim.bridge else _direct(claim, claim.head.candidates, know, aligner)
    if claim.when is not None and finding.outcome.label is not Label.EXTRAPOLATORY:
        finding = replace(finding, outcome=dated(know, finding.outcome, claim.when))
    outcome = _asserted(claim, finding.outcome)
    return Verdict(
        claim,
        outcome.label,
        probabilities(outcome, finding.reading),
        outcome.method,
        outcome.evidence,
        outcome.reason,
        relation=finding.reading.property.iri if finding.reading else None,
        head=finding.head,
        tail=finding.tail,
        why_not=finding.why_not,
    )


def _asserted(claim: Claim, outcome: Outcome) -> Outcome:
    """What a negated or a hedged sentence makes of the finding about its plain form."""
    if claim.negated and not claim.hedged and outcome.label is not Label.EXTRAPOLATORY:
        if outcome.label is Label.ATTRIBUTABLE:
            turned = tuple(replace(one, role=Role.CONTRADICTS) for one in outcome.evidence)
            return replace(
                outcome,
                label=Label.CONTRADICTORY,
                method="rule:negation",
                evidence=turned,
                reason=f"the text denies it, but {outcome.reason}",
            )
        turned = tuple(replace(one, role=Role.SUPPORTS) for one in outcome.evidence)
        return replace(outcome, label=Label.ATTRIBUTABLE, method="rule:negation", evidence=turned)
    if claim.hedged and (claim.negated or outcome.label is Label.CONTRADICTORY):
        related = tuple(replace(one, role=Role.RELATED) for one in outcome.evidence)
        return replace(
            outcome,
            label=Label.EXTRAPOLATORY,
            method="rule:hedged",
            evidence=related,
            reason=f"the text does not assert it; {outcome.reason}",
        )
    return outcome


# -- one step ---------------------------------------------------------------------------------------------------------


def _direct(claim: Claim, heads: Sequence[Candidate], know: Knowledge, aligner: Aligner) -> Finding:
    if not heads:
        return Finding(
            undecided("rule:not-linked", [], f"the KG knows nothing called {claim.head.text}"),
            why_not="entity not found",
        )
    tail = claim.tail
    kinds = tail_kinds(tail)
    readings = aligner.align(
        claim.relation, kinds, [one.iri for one in heads], [one.iri for one in tail.candidates], _WIDE
    )
    readings = _with_links(claim, readings, heads, know, aligner)
    if not readings:
        return Finding(
            undecided("rule:no-property", [], f"no property of the KG fits “{claim.relation}”"),
            head=heads[0],
            tail=tail.candidates[0] if tail.candidates else None,
            why_not="relation not understood",
        )
    findings = [
        Finding(_outcome(know, claim.relation, reading, head, tail, target), reading, head, target)
        for reading in readings
        for head in heads
        for target in (tail.candidates or (None,))
    ]
    good = [one for one in findings if one.outcome.label is Label.ATTRIBUTABLE]
    if good:
        return max(good, key=lambda one: (_weight(one, aligner), one.reading.property.statements))  # type: ignore[union-attr]
    return _against(claim, findings, readings, know, aligner) or _open(claim, findings, aligner)


def _outcome(
    know: Knowledge, relation: str, reading: Aligned, head: Candidate, tail: Mention, target: Candidate | None
) -> Outcome:
    item = reading.property
    if target is not None and item.datatype not in ("entity", ""):
        subject, text = (target, head.label) if reading.turned else (head, tail.text)
        return decide_literal(know, item, subject, text, None)
    if target is not None:
        if is_place_word(reading):
            return decide_place(know, reading, head, target)
        return decide_entity(know, reading, head, target)
    if tail.value is None and item.datatype == "entity":
        found = decide_literal(know, item, head, tail.text, None)
        if found.label is Label.CONTRADICTORY and found.method != "rule:no-value":
            return undecided(
                "rule:not-linked",
                [one.statement for one in found.evidence],
                f"the KG knows nothing called {tail.text}",
                True,
            )
        return found
    value = tail.value
    if item.datatype == "time" and isinstance(value, Amount):
        value = as_year(value) if relation.rsplit(" ", 1)[-1] not in _NO_YEAR else None
        if value is None:
            return undecided("rule:no-property", [], f"{tail.text} is no date")
    return decide_literal(know, item, head, tail.text, value)


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
                    text = aligner.likeness(claim.relation, item.iri, meaning=not clear)
                    if text >= (0.65 if clear else 0.30):
                        known.add((item.iri, turned))
                        found.append(Aligned(item, turned, text, text, 1.0))
    return found


def _weight(finding: Finding, aligner: Aligner) -> float:
    reading = finding.reading
    assert reading is not None and finding.head is not None
    fit = aligner.fit(reading, finding.head, finding.tail)
    return (
        reading.text
        * (0.4 + 0.6 * fit)
        * (0.3 + 0.7 * finding.head.score)
        * (0.3 + 0.7 * finding.tail.score if finding.tail else 1.0)
    )


def _against(
    claim: Claim, findings: list[Finding], readings: list[Aligned], know: Knowledge, aligner: Aligner
) -> Finding | None:
    """A contradiction that no likely reading of the claim escapes, else None."""
    sure = [
        one
        for one in findings
        if one.reading is not None
        and one.reading.score >= SURE
        and (one.reading.text >= CLEAR or _alone(one, findings))
        and (one.outcome.method != "rule:string" or one.reading.text >= EXACTLY)
    ]
    if not sure:
        return None
    best = max(_weight(one, aligner) for one in sure)
    top = max(one.score for one in readings)
    likely = [
        one
        for one in sure
        if one.reading.score >= top - NEAR  # type: ignore[union-attr]
        and _weight(one, aligner) >= best * ALIKE
    ]
    accusing = [one for one in likely if one.outcome.label is Label.CONTRADICTORY]
    if not accusing:
        return None
    first = max(accusing, key=lambda one: _weight(one, aligner))
    if not _may_accuse(claim, first, findings, know, aligner):
        return None
    for one in likely:
        if one.outcome.label is not Label.CONTRADICTORY:
            same_names = one.head is first.head and one.tail is first.tail
            if one.outcome.closed or not same_names:
                if same_names and one.reading.fit < first.reading.fit - 0.2:  # type: ignore[union-attr]
                    continue
                if not same_names and one.reading is not first.reading:
                    continue
                return None
    return first


def _may_accuse(claim: Claim, first: Finding, findings: list[Finding], know: Knowledge, aligner: Aligner) -> bool:
    """The last check before a contradiction: is the relation named, do both ends fit it, and is no better
    reading silent?
    """
    reading = first.reading
    assert reading is not None and first.head is not None
    if normal(claim.relation) == ("be",) or (
        isinstance(claim.tail.value, DateValue) and claim.relation.rsplit(" ", 1)[-1] in _BOUNDS
    ):
        return False
    if _PREFIXES & set(claim.relation.split()):
        return False
    placed = first.outcome.method == "rule:place" or know.of_place(reading.property)  # shown to exclude each other
    if first.tail is not None and not placed and aligner.fit(reading, first.head, first.tail) < UNKNOWN - 0.05:
        return False
    for one in findings:
        other = one.reading
        if other is None or other.property is reading.property or one.head is not first.head:
            continue
        silent = one.outcome.method == "rule:open" and other.text >= max(reading.text, CLEAR)
        if silent and other.fit >= reading.fit - 0.05 and not (is_place_word(reading) and is_place_word(other)):
            return False  # what the words mean just as well is not known
    return True


def _alone(finding: Finding, findings: list[Finding]) -> bool:
    """Half-understood words count where the KG knows no other property of the head that they come near to."""
    reading = finding.reading
    assert reading is not None
    return reading.text >= HALF and all(
        one.reading is None or one.reading.property is reading.property or one.reading.text < reading.text - NEAR
        for one in findings
        if one.outcome.closed or one.outcome.evidence
    )


def _open(claim: Claim, findings: list[Finding], aligner: Aligner) -> Finding:
    """The most telling of the undecided findings."""
    best = max(findings, key=lambda one: _weight(one, aligner) + (0.2 if one.outcome.closed else 0.0))
    outcome = best.outcome
    if outcome.label is Label.CONTRADICTORY:
        related = tuple(replace(one, role=Role.RELATED) for one in outcome.evidence)
        outcome = replace(
            outcome,
            label=Label.EXTRAPOLATORY,
            method="rule:ambiguous",
            evidence=related,
            reason=f"another reading of the sentence is possible; {outcome.reason}",
        )
    why = (
        None
        if outcome.closed
        else "entity not found"
        if outcome.method == "rule:not-linked"
        else "no statement in the KG"
    )
    return replace(best, outcome=outcome, why_not=why)


# -- several steps ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Reached:
    """An entity at the end of some hops, the statements that lead there, and whether it is the only one."""

    entity: Candidate
    path: tuple[Statement, ...]
    only: bool


def _chain(claim: Claim, know: Knowledge, aligner: Aligner) -> Finding:
    if not claim.head.candidates:
        return Finding(
            undecided("rule:not-linked", [], f"the KG knows nothing called {claim.head.text}"),
            why_not="entity not found",
        )
    front = [_Reached(one, (), one.score >= 0.5) for one in claim.head.candidates if one.score >= LIKELY]
    head = front[0].entity if front else claim.head.candidates[0]
    for hop in claim.bridge:
        front = _step(front, hop.relation, hop.noun, hop.definite, know, aligner)
        if not front:
            return _in_one(claim, know, aligner) or Finding(
                undecided("rule:open", [], f"the KG has no “{hop.relation}” for {head.label}"),
                head=head,
                why_not="no statement in the KG",
            )
    results = []
    for reached in front[:12]:
        found = _direct(replace(claim, bridge=()), (reached.entity,), know, aligner)
        results.append((reached, found))
    for reached, found in results:
        if found.outcome.label is Label.ATTRIBUTABLE:
            return _joined(found, head, reached, Label.ATTRIBUTABLE)
    reached, found = results[0]
    if all(one.outcome.label is Label.CONTRADICTORY for _, one in results) and len(results) == 1 and reached.only:
        return _joined(found, head, reached, Label.CONTRADICTORY)
    return _joined(found, head, reached, Label.EXTRAPOLATORY)


def _in_one(claim: Claim, know: Knowledge, aligner: Aligner) -> Finding | None:
    """ "The death of A occurred in B" read as one relation, "death occurred in", where the KG knows no such step."""
    if len(claim.bridge) != 1 or claim.bridge[0].noun:
        return None
    whole = replace(claim, bridge=(), relation=f"{claim.bridge[0].relation} {claim.relation}")
    found = _direct(whole, claim.head.candidates, know, aligner)
    return found if found.outcome.label is not Label.EXTRAPOLATORY else None


def _joined(found: Finding, head: Candidate, reached: _Reached, label: Label) -> Finding:
    role = Role.RELATED if label is Label.EXTRAPOLATORY else Role.SUPPORTS
    leading = tuple(Evidence(one, role) for one in reached.path)
    evidence = found.outcome.evidence
    if label is Label.EXTRAPOLATORY:
        evidence = tuple(replace(one, role=Role.RELATED) for one in evidence)
    outcome = replace(found.outcome, label=label, method="rule:multi-hop", evidence=leading + evidence)
    return replace(found, outcome=outcome, head=head)


def _step(
    front: list[_Reached], relation: str, noun: str, definite: bool, know: Knowledge, aligner: Aligner
) -> list[_Reached]:
    """One hop from each entity, by the best reading of the relation that leads anywhere."""
    for reading in aligner.align(relation, frozenset(("entity",)), [one.entity.iri for one in front], k=4):
        if reading.text < 0.6:
            continue
        found: list[_Reached] = []
        single = know.single(reading.property) or reading.property.functionality >= 0.7 or definite
        for reached in front:
            if reading.turned:
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
