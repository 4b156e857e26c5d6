"""Does a document entail a sentence? A judge reads a few stretches of it; the one that speaks most for it counts, and
beside it the mean of what it says of several sentences read together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeGuard

import numpy as np

from kgstore.verifier.document.source import Document, Premise
from kgstore.verifier.document.verbatim import says
from kgstore.verifier.judges.labels import CONTRADICTS, ENTAILS
from kgstore.verifier.protocols import DocumentJudge, Judge

NEAREST = 2
"""Sentences that are read alone for each hypothesis. More were measured to be no better."""
WINDOW = 520
"""Characters of a window: with a hypothesis about the 160 tokens that the built-in judge reads."""
_MOST = 512
"""Pairs that a judge is given at a time."""


@dataclass(frozen=True, slots=True)
class Entailed:
    """What a judge says of one hypothesis.

    :param nli: P(entails), P(neutral), P(contradicts) by the premise that entails most
    :param premise: that one; empty where the document has no sentence
    :param denial: the highest P(contradicts) by a single sentence
    :param denying: that sentence, -1 where none was read alone
    :param asked: False where no judge was there to ask
    :param balance: P(entails) less P(contradicts), -1 to 1, the mean of ``nli`` and of what was read beside
    """

    nli: tuple[float, float, float]
    premise: Premise
    denial: float = 0.0
    denying: int = -1
    asked: bool = True
    balance: float = 0.0

    @property
    def unsupported(self) -> float:
        """GraphEval's probability of an inconsistency, 0 to 1."""
        return 1 - self.nli[ENTAILS]


_SAID = np.array([1.0, 0.0, 0.0], np.float32)
NOTHING = Entailed((0.0, 1.0, 0.0), ())


def nearest(likeness: np.ndarray, most: int = NEAREST) -> list[list[Premise]]:
    """For each hypothesis the sentences most like it, best first.

    :param likeness: of `Document.likeness`, ``(hypotheses, sentences)``
    """
    return [[(number,) for number in np.argsort(-row, kind="stable")[:most].tolist()] for row in likeness]


def reads_whole(judge: Judge | None) -> TypeGuard[DocumentJudge]:
    """Does the judge read much of a document at once?"""
    return isinstance(judge, DocumentJudge)


def premises(document: Document, likeness: np.ndarray, judge: Judge) -> list[list[Premise]]:
    """For each hypothesis what is read: the sentences most like it, or all of the document if the judge can read much.

    :param likeness: of `Document.likeness`, ``(hypotheses, sentences)``
    """
    return [document.overlapping(judge.reads)] * len(likeness) if reads_whole(judge) else nearest(likeness)


def entailment(
    document: Document,
    hypotheses: Sequence[str],
    premises: Sequence[Sequence[Premise]],
    judge: Judge,
    word_for_word: bool = True,
    beside: Sequence[Sequence[Premise]] | None = None,
) -> list[Entailed]:
    """Ask the judge about each hypothesis and each of its premises; what is asked twice is judged once.

    :param premises: for each hypothesis those to be read, of `nearest` or `Document.overlapping`
    :param word_for_word: a premise that says the hypothesis so entails it, without being put to the judge
    :param beside: for each hypothesis premises that count for `Entailed.balance` alone
    """
    every = list(zip(hypotheses, premises, [()] * len(hypotheses) if beside is None else beside, strict=True))
    asked = dict.fromkeys(
        (document.read(premise), hypothesis) for hypothesis, wanted, more in every for premise in (*wanted, *more)
    )
    told = {pair: _SAID for pair in asked if word_for_word and says(*pair)}
    said = {hypothesis for _, hypothesis in told}
    pairs = [pair for pair in asked if pair[1] not in said]
    for at in range(0, len(pairs), _MOST):
        some = pairs[at : at + _MOST]
        told.update(zip(some, judge.judge(some), strict=True))

    def heard(hypothesis: str, wanted: Sequence[Premise]) -> list[tuple[Premise, np.ndarray]]:
        return [(p, told[pair]) for p in wanted if (pair := (document.read(p), hypothesis)) in told]

    return [_best(heard(hypothesis, wanted), heard(hypothesis, more)) for hypothesis, wanted, more in every]


def _best(alone: Sequence[tuple[Premise, np.ndarray]], beside: Sequence[tuple[Premise, np.ndarray]]) -> Entailed:
    read = alone or beside  # what only those beside say word for word
    if not read:
        return NOTHING
    premise, shares = max(read, key=lambda one: float(one[1][ENTAILS]))
    single = [(float(row[CONTRADICTS]), numbers[0]) for numbers, row in read if len(numbers) == 1]
    denial, denying = max(single, key=lambda one: one[0], default=(0.0, -1))
    balance = np.mean([row[ENTAILS] - row[CONTRADICTS] for row in (shares, *(row for _, row in beside))])
    e, n, c = (float(share) for share in shares)
    return Entailed((e, n, c), premise, denial, denying, balance=float(balance))
