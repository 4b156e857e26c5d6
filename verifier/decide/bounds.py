"""A date that bounds another: "founded before 1900", "had closed by 1980", "born after 1950"."""

from __future__ import annotations

import re

from kgstore.catalog import Property
from kgstore.model import Time
from kgstore.verbalise import value_text
from kgstore.verifier.claims import Candidate, Claim, Label
from kgstore.verifier.decide.outcome import Outcome, contradicts, supports, undecided
from kgstore.verifier.kg.knowledge import Knowledge
from kgstore.verifier.values.compare_dates import side
from kgstore.verifier.values.dates import DateValue

METHOD = "rule:date"
_BOUND = re.compile(r"(?:^| )(by|before|after)$")
_NEAR = re.compile(
    r"\b(?:shortly|soon|just|right|immediately|directly|long|well|days?|weeks?|months?|years?|decades?|"
    r"centur(?:y|ies))\s+(?:by|before|after)\s+(?:the\s+)?(?:year\s+)?$"
)
"""Words that say how far off the bound is, which a stored date on the right side need not agree with."""
_SEASON = re.compile(r"\b(?:in|on) (?:(?:early|late|the) )*(?:spring|summer|autumn|fall|winter) of$")


def bound_of(relation: str, value: object) -> str:
    """ "by", "before" or "after" where the relation makes the date a bound, else "".

    >>> bound_of("was founded before", DateValue(1900)), bound_of("was founded in", DateValue(1900))
    ('before', '')
    """
    match = _BOUND.search(relation)
    return match[1] if match and isinstance(value, DateValue) and value.certain else ""


def dateless(claim: Claim) -> str:
    """The relation without what belongs to the date: "was founded in" for "was founded before", "... in summer of"."""
    if not isinstance(claim.tail.value, DateValue):
        return claim.relation
    bound = bound_of(claim.relation, claim.tail.value)
    return _SEASON.sub("in", f"{claim.relation.removesuffix(bound)}in" if bound else claim.relation)


def decide_season(claim: Claim, found: Outcome) -> Outcome:
    """The finding about the year alone: one that agrees does not say that the season does."""
    if found.label is not Label.ATTRIBUTABLE or not _SEASON.search(claim.relation):
        return found
    held = [one.statement for one in found.evidence]
    return undecided(f"{METHOD}-finer", held, f"{found.reason}, but it does not say which season", True)


def decide_bound(know: Knowledge, item: Property, head: Candidate, claim: Claim) -> Outcome | None:
    """What the KG's dates say about the bound, None where there is none that lies clearly on one side of it."""
    value, bound = claim.tail.value, bound_of(claim.relation, claim.tail.value)
    if not isinstance(value, DateValue) or not bound or item.datatype != "time":
        return None
    held = know.values(head.iri, item)
    sides = {side(value, one.value) if isinstance(one.value, Time) else 0 for one in held}
    if sides not in ({-1}, {1}):
        return None if bound == "by" or not held else undecided("rule:several-values", held, _told(know, item, held))
    right = sides == ({1} if bound == "after" else {-1})
    reason = f"{item.label} of {head.label} is {', '.join(value_text(one.value, know.store.label) for one in held[:3])}"
    if not know.mostly_single(item) and not (right and bound != "after") or right and _is_near(claim):
        return undecided("rule:several-values", held, f"{reason}, which does not decide it", True)
    return (supports if right else contradicts)(METHOD, held, reason)


def _is_near(claim: Claim) -> bool:
    return bool(_NEAR.search(claim.text[: max(claim.tail.start - claim.start, 0)]))


def _told(know: Knowledge, item: Property, held: list) -> str:
    return f"the KG's {item.label} ({value_text(held[0].value, know.store.label)}) does not clearly lie on one side"
