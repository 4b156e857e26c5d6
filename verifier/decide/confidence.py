"""How sure a verdict is. Base rates by tier, moved by how well the relation was understood."""

from __future__ import annotations

from verifier.align import Aligned
from verifier.claims import Label
from verifier.decide.outcome import Outcome

_BASE = {
    "rule:statement": 0.97,
    "rule:inverse": 0.95,
    "rule:hierarchy": 0.90,
    "rule:date": 0.95,
    "rule:number": 0.94,
    "rule:string": 0.93,
    "rule:multi-hop": 0.90,
    "rule:single-value": 0.88,
    "rule:place": 0.88,
    "rule:no-value": 0.93,
    "rule:negation": 0.88,
    "rule:time": 0.80,
}
_SILENT = {  # p(attributable) where nothing decides
    "rule:several-values": 0.06,
    "rule:ambiguous": 0.08,
    "rule:multi-hop": 0.15,
    "rule:open": 0.20,
    "rule:not-linked": 0.15,
    "rule:no-property": 0.25,
    "rule:time-open": 0.45,
    "rule:finer": 0.30,
    "rule:date-finer": 0.40,
    "rule:number-finer": 0.35,
}


def probabilities(outcome: Outcome, reading: Aligned | None) -> tuple[float, float, float]:
    """Attributable, extrapolatory, contradictory; they sum to 1 and the label has the most."""
    if outcome.label is Label.EXTRAPOLATORY:
        attributable = _SILENT.get(outcome.method, 0.20)
        contradictory = 0.25 if outcome.closed else 0.08
        return _rounded(attributable, contradictory)
    sure = _BASE.get(outcome.method, 0.85) * (0.75 + 0.25 * (reading.score if reading else 0.6))
    sure = max(sure, 0.5)
    if outcome.label is Label.ATTRIBUTABLE:
        return _rounded(sure, (1 - sure) * 0.2)
    return _rounded((1 - sure) * 0.25, sure)


def _rounded(attributable: float, contradictory: float) -> tuple[float, float, float]:
    attributable, contradictory = round(attributable, 4), round(contradictory, 4)
    return attributable, round(1 - attributable - contradictory, 4), contradictory
