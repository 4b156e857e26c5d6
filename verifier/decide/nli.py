"""A judge of language for claims that the rules leave open: its probabilities, and what may follow from them.

The judge never decides alone. It may find that a claim follows, but only from statements that hold both of its ends;
and it may confirm a contradiction that the rules saw and withheld because the words could mean something else.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from kgstore.model import Literal, Statement
from kgstore.verifier.claims import Claim, Evidence, Label, Role, Verdict
from kgstore.verifier.decide.accuse import is_plain
from kgstore.verifier.decide.grounds import Ground, grounds, premise, sentence
from kgstore.verifier.decide.tier import Tier
from kgstore.verifier.judges.hypothesis import hypothesis
from kgstore.verifier.judges.labels import CONTRADICTS, ENTAILS, LABELS
from kgstore.verifier.kg.align import Aligner
from kgstore.verifier.kg.knowledge import Knowledge
from kgstore.verifier.protocols import Judge

METHOD = "nli"
ENTAILED = 0.9
"""P(entails) from which a claim follows, both from all that the KG says and from the one ground alone."""
DENIED = 0.95
"""P(contradicts) from which a contradiction that the rules saw is confirmed."""
MEANT = 0.5
"""A head with less than this share of its name's weight is as likely something else, and nothing is judged of it."""
NAMED = 0.8
"""A candidate with less than this share of its name's weight is not surely meant, and nobody is accused by it."""


@dataclass(frozen=True, slots=True)
class Question:
    """What a judge is asked about one verdict: premises, of which the first is all that seems to the point, and each of
    the others something that could decide."""

    verdict: Verdict
    hypothesis: str
    premise: str
    grounds: list[Ground]
    against: Ground | None

    @property
    def premises(self) -> list[str]:
        alone = [*self.grounds, self.against] if self.against else self.grounds
        return [self.premise, *(ground.text for ground in alone)]


def questions(
    text: str, verdicts: Sequence[Verdict], know: Knowledge, aligner: Aligner
) -> dict[int, Question]:
    """Positions of the verdicts that a judge could decide, and what to ask it.

    A claim with a name that the KG does not know is not judged, nor one for which nothing could come of it.
    """
    claims = [one.claim for one in verdicts]
    asked = {
        at: _question(text, one, claims, know, aligner)
        for at, one in enumerate(verdicts)
        if is_open(one) and one.claim.said.whole
    }
    return {at: question for at, question in asked.items() if question is not None}


def second_opinions(verdicts: Sequence[Verdict], asked: Mapping[int, Question], judge: Judge) -> list[Verdict]:
    """The verdicts, those that were asked about with the judge's probabilities in ``scores``, a few decided by it.

    :param asked: of `questions`; all of a text are judged in one call
    """
    rows = judge.judge([(text, question.hypothesis) for question in asked.values() for text in question.premises])
    found, start = list(verdicts), 0
    for at, question in asked.items():
        end = start + len(question.premises)
        found[at] = _decided(question, rows[start:end])
        start = end
    return found


def is_open(verdict: Verdict) -> bool:
    """May a judge have a say? Only where the rules left a claim open that is asserted, and whose names are known."""
    claim, tier = verdict.claim, Tier.of(verdict.method)
    if verdict.label is not Label.EXTRAPOLATORY or tier is None or not tier.for_a_judge or verdict.head is None:
        return False
    if verdict.why_not == "entity not found" or verdict.head.score < MEANT:
        return False
    if claim.negated or claim.hedged or claim.measure or claim.when or claim.until:
        return False
    named = claim.tail.candidates or claim.tail.value is not None
    return bool(named) or claim.tail.text.islower()


def _question(
    text: str, verdict: Verdict, claims: Sequence[Claim], know: Knowledge, aligner: Aligner
) -> Question | None:
    assert verdict.head is not None
    found = grounds(verdict, know, aligner)
    against = None if found else _against(verdict, know, aligner)
    if not found and against is None:
        return None
    tail = None if verdict.tail is None else verdict.tail.label
    said = hypothesis(text, verdict.claim, verdict.head.label, tail, claims)
    return Question(verdict, said, premise(verdict, found, know), found, against)


def _against(verdict: Verdict, know: Knowledge, aligner: Aligner) -> Ground | None:
    """The statements that contradict the claim if its words mean what they seem to, where the names are sure and a word
    of the property is among them: "rebuilt in" is no inception.
    """
    ends = [one for one in (verdict.head, verdict.tail) if one is not None]
    if verdict.method != Tier.AMBIGUOUS or not is_plain(verdict.claim) or any(one.score < NAMED for one in ends):
        return None
    if not verdict.relation or not aligner.likeness(verdict.claim.relation, verdict.relation):
        return None
    statements = tuple(one.statement for one in verdict.evidence)
    if any(isinstance(one.value, Literal) for one in statements):
        return None  # written otherwise is not yet another thing
    return Ground(statements, "\n".join(sentence(one, know.store) for one in statements))


def _decided(question: Question, rows: np.ndarray) -> Verdict:
    """:param rows: P(entails), P(neutral), P(contradicts) for each of the question's premises"""
    scores = {f"nli_{name}": round(float(share), 4) for name, share in zip(LABELS, rows[0], strict=True)}
    verdict = replace(question.verdict, scores={**question.verdict.scores, **scores})
    alone = rows[1:]
    if question.grounds:
        best = int(alone[:, ENTAILS].argmax())
        sure = float(min(rows[0, ENTAILS], alone[best, ENTAILS]))
        if sure >= ENTAILED:
            return _entailed(verdict, question.grounds[best], sure)
    elif question.against is not None:
        sure = float(min(rows[0, CONTRADICTS], alone[0, CONTRADICTS]))
        if sure >= DENIED:
            return _denied(verdict, question.against.statements, sure)
    return verdict


def _entailed(verdict: Verdict, ground: Ground, sure: float) -> Verdict:
    sure = round(sure, 4)
    return replace(
        verdict,
        label=Label.ATTRIBUTABLE,
        probabilities=(sure, round(1 - sure, 4), 0.0),
        method=METHOD,
        evidence=tuple(Evidence(one, Role.SUPPORTS) for one in ground.statements),
        reason=f"in other words than the KG's, but it follows from its statement ({sure:.2f} by the judge)",
        relation=ground.statements[-1].predicate.value,
        why_not=None,
        traits={},
    )


def _denied(verdict: Verdict, against: Sequence[Statement], sure: float) -> Verdict:
    sure = round(sure, 4)
    return replace(
        verdict,
        label=Label.CONTRADICTORY,
        probabilities=(0.0, round(1 - sure, 4), sure),
        method=METHOD,
        evidence=tuple(Evidence(one, Role.CONTRADICTS) for one in against),
        reason=f"{verdict.reason.partition('; ')[2] or verdict.reason} ({sure:.2f} by the judge)",
        why_not=None,
        traits={},
    )
