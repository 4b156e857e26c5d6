"""When may a claim be called wrong? Only when no likely reading of it escapes; else it stays open, with the reason."""

from __future__ import annotations

from dataclasses import replace

from kgstore.catalog import Property
from kgstore.model import Literal, Time
from kgstore.verifier.claims import Candidate, Claim, Label, Mention, Role
from kgstore.verifier.decide.complete import SURELY, may_mean
from kgstore.verifier.decide.finding import Finding, weight
from kgstore.verifier.decide.outcome import Outcome
from kgstore.verifier.decide.places import is_place_word
from kgstore.verifier.decide.tier import Tier
from kgstore.verifier.english.wording import normal
from kgstore.verifier.english.words import words
from kgstore.verifier.kg.align import UNKNOWN, Aligned, Aligner
from kgstore.verifier.kg.knowledge import Knowledge
from kgstore.verifier.kg.world import at_a_time, changes, for_a_time, named_for_today
from kgstore.verifier.values import Agreement, DateValue, compare_date

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
_PREFIXES = words("relation.prefixes")
"""Split off by a hyphen, these make another relation: "co-directed", "re-released"."""
_BOUNDS = words("prepositions.bounds")
"""After these a date is a bound, and nothing that another date excludes; "dates back to" names the date itself."""
_BACK_TO = " back to"
_PAST = words("verbs.past")
"""Verbs of the past that do not end in "ed"."""
_TIMED = 0.1
"""From this share of statements with a time a graph tells what was so from what is."""


def accuse(
    claim: Claim, findings: list[Finding], readings: list[Aligned], know: Knowledge, aligner: Aligner
) -> Finding | None:
    """A contradiction that no likely reading of the claim escapes, else None."""
    sure = [
        one
        for one in findings
        if one.reading is not None
        and one.reading.score >= SURE
        and (one.reading.text >= CLEAR or _half(claim, one, findings, aligner))
        and (not _by_letters(one) or one.reading.text >= EXACTLY)
    ]
    if not sure:
        return None
    best = max(weight(one, aligner) for one in sure)
    top = max(one.score for one in readings)
    likely = [
        one
        for one in sure
        if one.reading.score >= top - NEAR  # type: ignore[union-attr]
        and weight(one, aligner) >= best * ALIKE
    ]
    accusing = [one for one in likely if one.outcome.label is Label.CONTRADICTORY]
    if not accusing:
        return None
    first = max(accusing, key=lambda one: weight(one, aligner))
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
    if _by_a_first_name(claim.head, first.head, know):
        return False
    bounded = first.outcome.method is Tier.DATE and claim.said.bound
    if not (_is_asserted(claim) if bounded else is_plain(claim)):
        return False
    read = claim.property is not None  # by the reader, whose two places may have no verb between them
    if changes(reading.property) and (claim.said.past or read and not claim.said.present):
        return False
    if (claim.property is not None or reading.text < CLEAR) and _dated_otherwise(claim, first, know):
        return False
    if first.outcome.method is Tier.COMPLETE:
        sure = all(one.score >= SURELY for one in (first.head, first.tail) if one is not None)
        if not sure or may_be_listed(claim, first.outcome, reading.property, first.tail, know):
            return False
    placed = first.outcome.method is Tier.PLACE or know.of_place(reading.property)  # shown to exclude each other
    if first.tail is not None and not placed and aligner.fit(reading, first.head, first.tail) < UNKNOWN - 0.05:
        return False
    for one in findings:
        other = one.reading
        if other is None or other.property is reading.property or one.head is not first.head:
            continue
        silent = one.outcome.method is Tier.OPEN and other.text >= max(reading.text, CLEAR)
        both_places = is_place_word(reading, know) and is_place_word(other, know)
        if silent and other.fit >= reading.fit - 0.05 and not both_places:
            return False  # what the words mean just as well is not known
    return True


def _by_a_first_name(mention: Mention, head: Candidate, know: Knowledge) -> bool:
    """Is somebody named by one word alone that is none of the label's: "Albert" for George VI? Many are called so."""
    if " " in mention.text or mention.refers_to is not None or mention.text.casefold() in head.label.casefold():
        return False
    if all(one.iri != head.iri for one in mention.candidates):
        return False  # whom a name describes is not called so
    return any(know.store.label(kind) in know.store.profile.person for kind in know.kinds(head.iri))


def _dated_otherwise(claim: Claim, first: Finding, know: Knowledge) -> bool:
    """Is the date that of something else about the head: "A's life began in 1960", when A was born and not at work?"""
    said, reading = claim.tail.value, first.reading
    if not isinstance(said, DateValue) or first.head is None or reading is None:
        return False
    others = (held for iri, held in know.about(first.head.iri).items() if iri != reading.property.iri)
    dates = (one.value for held in others for one in held if isinstance(one.value, Time))
    return any(compare_date(said, date) in (Agreement.SAME, Agreement.COARSER) for date in dates)


def _by_letters(finding: Finding) -> bool:
    if finding.outcome.method is not Tier.COMPLETE:
        return finding.outcome.method is Tier.STRING
    return any(isinstance(one.statement.value, Literal) for one in finding.outcome.evidence)


def may_be_over(claim: Claim, item: Property) -> bool:
    """Does the claim say what was so once, of a property of which another value may have been right then?"""
    if not (claim.said.past or _is_done(claim.relation)):
        return False
    return at_a_time(item) or for_a_time(item) or item.time_qualified >= _TIMED or named_for_today(item)


def _is_done(relation: str) -> bool:
    """Does the relation begin with a verb of the past: "wrote", "married in"?"""
    verb = relation.lower().partition(" ")[0].partition("-")[0]
    return verb in _PAST or len(verb) > 2 and verb.endswith("ed")


def may_be_listed(
    claim: Claim, outcome: Outcome, item: Property, tail: Candidate | None, know: Knowledge
) -> bool:
    """Does a list that is declared complete not deny the claim after all? It may speak of the past, or mean something
    listed by a part of its name, "Allen" Paul Allen, or a part of what is listed in one string.
    """
    if claim.said.former or may_be_over(claim, item):
        return True
    if claim.tail.value is not None:
        return False
    first = outcome.evidence[0].statement
    mention = claim.head if tail is not None and first.subject.value == tail.iri else claim.tail
    return may_mean(know, mention.text, know.about(first.subject.value).get(first.predicate.value, ()))


def is_plain(claim: Claim) -> bool:
    """Do the words say what their property says: no bare "is", no bound on a date, no prefix that turns them, nothing
    that goes "through" one country, or is "spoken" there, and in others?
    """
    bound = claim.relation.rsplit(" ", 1)[-1] in _BOUNDS and not claim.relation.endswith(_BACK_TO)
    return not (bound and isinstance(claim.tail.value, DateValue)) and _is_asserted(claim)


def _is_asserted(claim: Claim) -> bool:
    if claim.said.goes_on or claim.said.again:
        return False
    words = claim.relation.split()
    prefixes = {word.split("-")[0] for word in words}
    anywhere = "through" in words or words[-2:] == ["spoken", "in"]
    return normal(claim.relation) != ("be",) and not _PREFIXES & prefixes and not anywhere


def _alone(finding: Finding, findings: list[Finding]) -> bool:
    """Half-understood words count where the KG knows no other property of the head that they come near to, or none
    by which the claim of the same two would not be just as wrong.
    """
    reading = finding.reading
    assert reading is not None
    return reading.text >= HALF and all(
        one.reading is None or one.reading.property is reading.property or one.reading.text < reading.text - NEAR
        for one in findings
        if (one.outcome.closed or one.outcome.evidence) and not _just_as_wrong(one, finding)
    )


def _half(claim: Claim, finding: Finding, findings: list[Finding], aligner: Aligner) -> bool:
    """May half-understood words accuse? Not by a date: "A's life began in 1960" is no start of A's work."""
    assert finding.reading is not None
    alone = finding.outcome.method is not Tier.DATE and _alone(finding, findings)
    return alone and _in_words(claim, finding.reading, aligner)


def _in_words(claim: Claim, reading: Aligned, aligner: Aligner) -> bool:
    """Does the relation share words with the property? "Raised in" is close in meaning to a place of birth, no more."""
    return aligner.likeness(claim.relation, reading.property.iri) >= HALF


def _just_as_wrong(one: Finding, finding: Finding) -> bool:
    if one.head is not finding.head:
        return False
    unlikely = one.tail and finding.tail and one.tail.score < finding.tail.score / 2
    return bool(unlikely) or one.tail is finding.tail and one.outcome.label is Label.CONTRADICTORY


def leave_open(claim: Claim, findings: list[Finding], aligner: Aligner) -> Finding:
    """The most telling of the undecided findings."""
    best = max(findings, key=lambda one: weight(one, aligner) + (0.2 if one.outcome.closed else 0.0))
    outcome = best.outcome
    if outcome.label is not Label.EXTRAPOLATORY:
        related = tuple(replace(one, role=Role.RELATED) for one in outcome.evidence)
        other = outcome.label is Label.CONTRADICTORY
        why = "another reading of the sentence is possible" if other else f"“{claim.relation}” may mean something else"
        declared = outcome.method is Tier.COMPLETE  # which leaves nothing to ask a judge about
        outcome = replace(
            outcome,
            label=Label.EXTRAPOLATORY,
            method=Tier.SEVERAL_VALUES if declared else Tier.AMBIGUOUS,
            evidence=related,
            reason=f"{why}; {outcome.reason}",
        )
    why_not = (
        None
        if outcome.closed
        else "entity not found"
        if outcome.method is Tier.NOT_LINKED
        else "no statement in the KG"
    )
    return replace(best, outcome=outcome, why_not=why_not)
