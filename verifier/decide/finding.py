"""What one reading of a claim finds, and how likely that reading is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kgstore.verifier.claims import Candidate
from kgstore.verifier.decide.outcome import Outcome
from kgstore.verifier.kg.align import Aligned, Aligner

MEANT = 0.5
"""A candidate with less than this share of its name's weight is as likely something else."""


@dataclass(frozen=True, slots=True)
class Finding:
    """An outcome with the reading it belongs to."""

    outcome: Outcome
    reading: Aligned | None = None
    head: Candidate | None = None
    tail: Candidate | None = None
    why_not: str | None = None
    readings: Sequence[Aligned] = ()


def weight(finding: Finding, aligner: Aligner) -> float:
    reading = finding.reading
    assert reading is not None and finding.head is not None
    fit = aligner.fit(reading, finding.head, finding.tail)
    return (
        reading.text
        * (0.4 + 0.6 * fit)
        * (0.3 + 0.7 * finding.head.score)
        * (0.3 + 0.7 * finding.tail.score if finding.tail else 1.0)
    )


def meant(candidates: Sequence[Candidate]) -> Candidate | None:
    """The likeliest candidate, if it is as likely as all others together."""
    return candidates[0] if candidates and candidates[0].score >= MEANT else None
