"""One claim against the KG: every plausible reading through the tiers, and the verdict that they allow together.

Support may come from any plausible reading. A contradiction needs more: the relation must be understood, and no other
likely meaning of the names may leave the question open. False accusations are the worst error.
"""

from __future__ import annotations

from dataclasses import replace

from kgstore.verifier.claims import Claim, Label, MeasureKind, Role, Verdict
from kgstore.verifier.decide.accuse import EXACTLY
from kgstore.verifier.decide.age import decide_age
from kgstore.verifier.decide.chain import decide_chain
from kgstore.verifier.decide.classes import decide_class
from kgstore.verifier.decide.combine import certain
from kgstore.verifier.decide.comparison import decide_comparison
from kgstore.verifier.decide.count import decide_count
from kgstore.verifier.decide.direct import decide_direct
from kgstore.verifier.decide.features import traits
from kgstore.verifier.decide.finding import Finding
from kgstore.verifier.decide.kind import another_kind, place_alone
from kgstore.verifier.decide.outcome import Outcome, Tiers, kept, no_property, undecided
from kgstore.verifier.decide.qualified import decide_qualified
from kgstore.verifier.decide.superlative import decide_superlative
from kgstore.verifier.decide.tier import Tier
from kgstore.verifier.decide.when import timed
from kgstore.verifier.english.wording import normal
from kgstore.verifier.kg.align import Aligner
from kgstore.verifier.kg.knowledge import Knowledge

_NAMED, _USUAL = 0.65, 0.5
"""A property that shares less with the words, or that is hardly ever had by things like the two, is not what they mean.
"""


def decide(claim: Claim, know: Knowledge, aligner: Aligner, without: Tiers = frozenset()) -> Verdict:
    """The verdict of the rules on one claim, not yet weighed; never raises for want of evidence.

    :param without: tiers that are switched off: what they find counts as not found, so that another reading may win
    """
    finding = _found(claim, know, aligner, without)
    then = finding.outcome if finding.outcome.method is Tier.AGE else timed(know, claim, finding.outcome)
    outcome = kept(_asserted(claim, _of_its_kind(claim, know, finding, then)), without)
    return Verdict(
        claim,
        outcome.label,
        certain(outcome.label),
        outcome.method,
        outcome.evidence,
        _why(claim, finding, outcome),
        relation=finding.reading.property.iri if finding.reading else None,
        head=finding.head,
        tail=finding.tail,
        why_not=finding.why_not,
        traits=traits(outcome, finding.reading, finding.readings),
    )


def _why(claim: Claim, finding: Finding, outcome: Outcome) -> str:
    """The reason. Of a property that the words hardly name, or that things like these hardly have, it is not that the
    KG says nothing of it ("moved to Paris" is no driving side)."""
    reading, silent = finding.reading, outcome.method is Tier.OPEN and not outcome.evidence
    if not silent or reading is None or claim.property is not None or reading.text >= EXACTLY:
        return outcome.reason
    meant = reading.text >= _NAMED and reading.fit >= _USUAL
    return outcome.reason if meant else no_property(claim.relation).reason


def _found(claim: Claim, know: Knowledge, aligner: Aligner, without: Tiers) -> Finding:
    """The finding about the plain form, neither denied nor doubted, whenever it held."""
    if claim.bridge:
        return decide_chain(claim, know, aligner, without)
    kind = claim.measure.kind if claim.measure else None
    if kind is MeasureKind.SUPERLATIVE:
        return decide_superlative(claim, know, aligner)
    if kind is MeasureKind.COMPARISON:
        compared = decide_comparison(claim, know, aligner)
        if compared.outcome.label is not Label.EXTRAPOLATORY:
            return compared
        stated = decide_direct(claim, claim.head.candidates, know, aligner, without)
        outright = stated.reading is not None and stated.reading.text >= EXACTLY  # "was named after B" compares nothing
        return stated if outright and stated.outcome.label is Label.ATTRIBUTABLE else compared
    if (age := decide_age(claim, know, aligner)) is not None:
        return age
    direct = decide_direct(claim, claim.head.candidates, know, aligner, without)
    if direct.outcome.label is not Label.EXTRAPOLATORY:
        return direct
    other = decide_count(claim, know, aligner) if kind is MeasureKind.COUNT else None
    found = other or decide_qualified(claim, know, aligner) or decide_class(claim, know)
    return found or _in_place(claim, know, aligner, without) or direct


def _in_place(claim: Claim, know: Knowledge, aligner: Aligner, without: Tiers) -> Finding | None:
    """Support for "A is a river in B" by where A is; what A is, `_of_its_kind` asks."""
    plain = place_alone(claim, know, aligner.is_noun)
    if plain is None:
        return None
    found = decide_direct(plain, plain.head.candidates, know, aligner, without)
    placed = found.reading is not None and know.of_place(found.reading.property)
    return found if placed and found.outcome.label is Label.ATTRIBUTABLE else None


def _of_its_kind(claim: Claim, know: Knowledge, finding: Finding, outcome: Outcome) -> Outcome:
    """Support by a place alone is none for a claim that names a class, too, which the head is not known to be."""
    if outcome.label is not Label.ATTRIBUTABLE or claim.bridge or finding.head is None or finding.reading is None:
        return outcome
    if not know.of_place(finding.reading.property):
        return outcome  # "was a participant in B": the noun is the relation
    if claim.said.most:
        why: str | None = f"that does not say whether it is the {claim.said.most}"
    else:
        why = another_kind(claim, finding.head, know)
    statements = [one.statement for one in outcome.evidence]
    return outcome if why is None else undecided(Tier.KIND, statements, f"{outcome.reason}, but {why}")


def _asserted(claim: Claim, outcome: Outcome) -> Outcome:
    """What a negated or a hedged sentence makes of the finding about its plain form, and one that says more than it."""
    compared = normal(claim.relation) == ("be",) and claim.said.compared
    if compared and outcome.label is Label.ATTRIBUTABLE:
        statements = [one.statement for one in outcome.evidence]
        return undecided(Tier.FINER, statements, f"{outcome.reason}, which does not compare it")
    if claim.negated and not claim.hedged and outcome.label is not Label.EXTRAPOLATORY:
        if claim.said.for_a_time:
            statements = [one.statement for one in outcome.evidence]
            reason = f"the text denies it for a time only; {outcome.reason}"
            return undecided(Tier.TIME_OPEN, statements, reason)
        if outcome.label is Label.ATTRIBUTABLE:
            turned = tuple(replace(one, role=Role.CONTRADICTS) for one in outcome.evidence)
            return replace(
                outcome,
                label=Label.CONTRADICTORY,
                method=Tier.NEGATION,
                evidence=turned,
                reason=f"the text denies it, but {outcome.reason}",
            )
        turned = tuple(replace(one, role=Role.SUPPORTS) for one in outcome.evidence)
        return replace(outcome, label=Label.ATTRIBUTABLE, method=Tier.NEGATION, evidence=turned)
    if claim.hedged and (claim.negated or outcome.label is Label.CONTRADICTORY):
        related = tuple(replace(one, role=Role.RELATED) for one in outcome.evidence)
        return replace(
            outcome,
            label=Label.EXTRAPOLATORY,
            method=Tier.HEDGED,
            evidence=related,
            reason=f"the text does not assert it; {outcome.reason}",
        )
    return outcome
