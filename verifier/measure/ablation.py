"""Which tier earns what: the verdicts again with each tier switched off.

A tier that is switched off finds nothing, so that another reading of the claim, or another tier, may win, and what it
alone had decided stays undecided. Texts are read and linked only once: tiers differ in what they decide, not in that.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass

from kgstore.verifier.claims import Claim, Label, Passage, Verdict
from kgstore.verifier.decide.outcome import tier
from kgstore.verifier.judges.remembering import Remembering
from kgstore.verifier.measure.compare_runs import Comparison, compare
from kgstore.verifier.measure.evaluate import Scores, evaluate
from kgstore.verifier.measure.labelled import Json
from kgstore.verifier.pipeline import Verifier

HEADLINE = {"labels": "macro_f1", "passages": "macro_f1", "binary": "roc_auc"}
"""The measure that a tier is to raise, by the kind of the rows."""


@dataclass(frozen=True, slots=True)
class Ablated:
    """What happens without one tier.

    :param verdicts: how many verdicts it gives when it is on
    :param without: the run with all tiers held against the one without it, so ``broke`` is what it had right
    """

    tier: str
    verdicts: int
    without: Comparison

    def to_dict(self) -> Json:
        """Plain values, to print as JSON."""
        return asdict(self)


def ablate(
    gold: Sequence[Json], verifier: Verifier, say: Callable[[str], None] = lambda message: None
) -> tuple[Scores, list[Ablated]]:
    """The scores with all tiers, and what each tier that was seen adds to them, the one that adds most first.

    :param gold: labelled rows of any kind but ``context``
    :param say: told what is being done
    """
    say("reading the texts")
    read = {row["id"]: verifier.read(row["text"]) for row in gold}
    say("with all tiers")
    judge = verifier.second
    verifier = verifier.but(judge=None if judge is None else Remembering(judge, most=sys.maxsize))
    full = _run(gold, read, verifier)
    methods = Counter(tier(claim["method"]) for report in full.values() for claim in report["claims"])
    found = []
    for name, verdicts in methods.most_common():
        say(f"without {name}")
        found.append(Ablated(name, verdicts, compare(gold, _run(gold, read, verifier.but(without=[name])), full)))
    scores = evaluate(gold, full)
    found.sort(key=lambda one: one.without.differences[HEADLINE[scores.kind]].change or 0.0)
    return scores, found


def _run(
    gold: Sequence[Json], read: dict[str, tuple[list[Claim], list[Passage]]], verifier: Verifier
) -> dict[str, Json]:
    """What the reports would hold of the verdicts."""
    return {
        row["id"]: {
            "text": row["text"],
            "claims": [_verdict(one) for one in verifier.verdicts(row["text"], *read[row["id"]])],
        }
        for row in gold
    }


def _verdict(verdict: Verdict) -> Json:
    return {
        "start": verdict.claim.start,
        "end": verdict.claim.end,
        "text": verdict.claim.text,
        "label": verdict.label.value,
        "method": verdict.method,
        "probabilities": dict(zip((label.value for label in Label), verdict.probabilities, strict=True)),
        "why_not": verdict.why_not,
    }
