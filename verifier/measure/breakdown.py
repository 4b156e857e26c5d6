"""Measures by part: which tier gave the verdicts, what kind of claim it was, and how sure the verdict is."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from kgstore.verifier.measure.judged import Judged, confidence

THRESHOLDS = (0.0, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99)
UNNAMED = "(none)"
"""Stands for the value of a field that a row does not have."""


@dataclass(frozen=True, slots=True)
class Part:
    """What became of the labelled claims that have something in common.

    :param right: how many got the right label; what was not found is wrong
    :param false_accusations: how many were called contradictory without being so
    """

    name: str
    claims: int
    right: int
    accuracy: float
    false_accusations: int


@dataclass(frozen=True, slots=True)
class Selected:
    """What is left if a verdict counts as undecided unless it is this sure.

    :param coverage: share of the claims that are decided, attributable or contradictory
    :param accuracy: share of those that is right
    """

    confidence: float
    decided: int
    coverage: float
    accuracy: float
    false_accusations: int


def by_tier(claims: Iterable[Judged]) -> list[Part]:
    """One part for each method, the one with most claims first."""
    return _parts(claims, lambda one: one.method)


def by_field(claims: Iterable[Judged], field: str) -> list[Part]:
    """One part for each value that a field of the labelled rows (in a passage, of the claims) has."""
    return _parts(claims, lambda one: UNNAMED if one.source.get(field) is None else str(one.source[field]))


def has_field(claims: Iterable[Judged], field: str) -> bool:
    return any(one.source.get(field) is not None for one in claims)


def _parts(claims: Iterable[Judged], key: Callable[[Judged], str]) -> list[Part]:
    parts: dict[str, list[Judged]] = {}
    for one in claims:
        if one.labelled:
            parts.setdefault(key(one), []).append(one)
    return [_part(name, parts[name]) for name in sorted(parts, key=lambda name: (-len(parts[name]), name))]


def _part(name: str, claims: Sequence[Judged]) -> Part:
    right = sum(one.right for one in claims)
    return Part(name, len(claims), right, right / len(claims), sum(one.accusation for one in claims))


def selective(claims: Iterable[Judged]) -> list[Selected]:
    """How many claims are decided and how well, from confidence 0 up, wherever one of `THRESHOLDS` leaves fewer."""
    compared = [one for one in claims if one.compared]
    found: list[Selected] = []
    for least in THRESHOLDS:
        kept = [one for one in compared if one.decided and confidence(one.verdict) >= least]
        if kept and (not found or len(kept) < found[-1].decided):
            accuracy = sum(one.right for one in kept) / len(kept)
            accused = sum(one.accusation for one in kept)
            found.append(Selected(least, len(kept), len(kept) / len(compared), accuracy, accused))
    return found
