"""A date that bounds another: "founded before 1900", "had closed by 1980", "born after 1950"."""

from __future__ import annotations

from kgstore.catalog import Property
from kgstore.model import Time
from kgstore.verbalise import value_text
from kgstore.verifier.claims import Candidate, Claim, Label
from kgstore.verifier.decide.outcome import Outcome, contradicts, supports, undecided
from kgstore.verifier.decide.tier import Tier
from kgstore.verifier.kg.knowledge import Knowledge
from kgstore.verifier.values.compare_dates import side
from kgstore.verifier.values.dates import DateValue


def dateless(claim: Claim) -> str:
    """The relation without what belongs to the date: "was founded in" for "was founded before", "... in summer of"."""
    if not isinstance(claim.tail.value, DateValue):
        return claim.relation
    ending = claim.said.bound or claim.said.season
    return f"{claim.relation.removesuffix(ending)}in" if ending else claim.relation


def decide_season(claim: Claim, found: Outcome) -> Outcome:
    """The finding about the year alone: one that agrees does not say that the season does."""
    if found.label is not Label.ATTRIBUTABLE or not claim.said.season:
        return found
    held = [one.statement for one in found.evidence]
    return undecided(Tier.DATE_FINER, held, f"{found.reason}, but it does not say which season")


def decide_bound(know: Knowledge, item: Property, head: Candidate, claim: Claim) -> Outcome | None:
    """What the KG's dates say about the bound, None where there is none that lies clearly on one side of it."""
    value, bound = claim.tail.value, claim.said.bound
    if not isinstance(value, DateValue) or not bound or item.datatype != "time":
        return None
    held = know.values(head.iri, item)
    sides = {side(value, one.value) if isinstance(one.value, Time) else 0 for one in held}
    if sides not in ({-1}, {1}):
        told = _told(know, item, held) if held else ""
        return None if bound == "by" or not held else undecided(Tier.SEVERAL_VALUES, held, told, closed=False)
    right = sides == ({1} if bound == "after" else {-1})
    reason = f"{item.label} of {head.label} is {', '.join(value_text(one.value, know.store.label) for one in held[:3])}"
    if not know.mostly_single(item) and not (right and bound != "after") or right and claim.said.near:
        return undecided(Tier.SEVERAL_VALUES, held, f"{reason}, which does not decide it")
    return (supports if right else contradicts)(Tier.DATE, held, reason)


def _told(know: Knowledge, item: Property, held: list) -> str:
    return f"the KG's {item.label} ({value_text(held[0].value, know.store.label)}) does not clearly lie on one side"
