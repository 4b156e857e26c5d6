"""A local language model as a judge: it reads a document once and says yes or no to each statement about it.

What counts is not the word that it would write but how far it leans to it, "yes" against "no", at the first token of
the reply. A small model says yes too readily, so that the leaning is moved before it becomes a probability.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from pathlib import Path
from typing import Protocol

import numpy as np

from kgstore.verifier.judges.labels import ENTAILS, LABELS, NEUTRAL
from kgstore.verifier.judges.premise import fitted
from kgstore.verifier.llm.prompts import Task

TASK = Task("judged", "Check a statement against a document.", ())
QUESTION = "Does the document say that all of this statement is true? Answer Yes or No."
YES, NO = "Yes", "No"
READS = 8000
"""Characters of a document that are read at once."""
SHIFT = 1.3
"""Leaning to yes, in logits, from which a statement is rather entailed: half way between the best thresholds of QAGS-X
and SummEval, on the halves of their articles that nothing is reported on, by Qwen2.5-Coder-1.5B (Q4_K_M)."""
_AROUND = 64
"""Tokens kept for what stands around premise and hypothesis."""


class Leaning(Protocol):
    """A language model that can be asked how it would begin a reply, `kgstore.verifier.llm.llama.LlamaModel`."""

    context: int

    def size(self, text: str) -> int: ...

    def leaning(self, task: Task, shared: str, question: str, words: Sequence[str]) -> np.ndarray | None: ...


class AskingJudge:
    """P(entails) is the model's leaning to yes; the rest is P(neutral): a "no" cannot tell denial from silence.

    :ivar reads: characters of a premise that are best read together
    """

    reads = READS

    def __init__(self, model: Leaning) -> None:
        self.model = model

    def judge(self, pairs: Sequence[tuple[str, str]]) -> np.ndarray:
        """P(entails), P(neutral), P(contradicts) of each pair, float32 ``(n, 3)``. Pairs of one premise that stand
        together are read together.
        """
        rows = np.zeros((len(pairs), len(LABELS)), np.float32)
        read = [(self._premise(*pair), pair[1]) for pair in pairs]
        for premise, group in groupby(range(len(read)), key=lambda at: read[at][0]):
            for at in group:
                question = f"Statement: {read[at][1]}\n\n{QUESTION}"
                leaning = self.model.leaning(TASK, f"Document:\n{premise}\n\n", question, (YES, NO))
                if leaning is not None:
                    rows[at, ENTAILS] = 1 / (1 + np.exp(SHIFT - float(leaning[0] - leaning[1])))
        rows[:, NEUTRAL] = 1 - rows[:, ENTAILS]
        return rows

    def _premise(self, premise: str, hypothesis: str) -> str:
        room = self.model.context - self.model.size(hypothesis) - self.model.size(QUESTION) - _AROUND
        return fitted(premise, hypothesis, self.model.size, max(1, room))


def gguf_judge(path: Path) -> AskingJudge:
    """A judge from a GGUF file.

    :raises ModelMissing: if there is none
    """
    from kgstore.verifier.llm.llama import LlamaModel

    return AskingJudge(LlamaModel(path))
