"""The parts of the verifier that can be swapped, each behind one method."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol, runtime_checkable

import numpy as np

from kgstore.verifier.claims import Claim
from kgstore.verifier.llm.prompts import Task
from kgstore.verifier.read.proposition import Proposition


class Extractor(Protocol):
    """Finds what a text claims."""

    @property
    def notices(self) -> Sequence[str]:
        """What the last call left out or did otherwise than asked; empty when all went well."""
        ...

    def extract(self, text: str) -> list[Claim]:
        """Claims in reading order, each with its character span; ``[]`` when nothing is claimed."""
        ...


class LinkingExtractor(Extractor, Protocol):
    """An extractor that also links what others found."""

    def linked(self, text: str, propositions: Sequence[Proposition]) -> list[Claim]:
        """The claims of propositions that name outright what they mean."""
        ...


class Judge(Protocol):
    """Natural language inference. A model gets its path and settings in the constructor."""

    def judge(self, pairs: Sequence[tuple[str, str]]) -> np.ndarray:
        """(premise, hypothesis) -> float32 ``(n, 3)``: P(entails), P(neutral), P(contradicts); rows sum to 1."""
        ...


@runtime_checkable
class DocumentJudge(Judge, Protocol):
    """A judge that reads much of a document at once, such as `kgstore.verifier.judges.language_model.AskingJudge`."""

    reads: int
    """Characters of a premise that are best read together."""


class ChatModel(Protocol):
    """A language model that answers the questions of a task."""

    @property
    def room(self) -> int:
        """How much text (as `size` counts) one question may bring: its reply may take several times as much."""
        ...

    def size(self, text: str) -> int:
        """How much of `room` a text takes."""
        ...

    def ask(self, task: Task, question: str, most: int) -> str:
        """The reply as it is. The same question gives the same reply whatever was asked before.

        :param most: how many facts the reply may list, or how many it judges
        :raises KgError: if the model cannot be asked at all
        """
        ...

    def write(self, task: Task, question: str, most: int, schema: dict[str, Any] | None = None) -> str:
        """What the model writes, as it is: plain text, or JSON of a schema; empty if the question does not fit.

        A server that knows no schemas may send anything.

        :param most: tokens of the reply; what is cut off there is no whole JSON
        :raises KgError: if the model cannot be asked at all
        """
        ...

    def close(self) -> None:
        """Let go of what the model holds; the next question opens it again."""
        ...
