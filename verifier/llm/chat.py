"""What the extractor needs of a language model, wherever it runs."""

from __future__ import annotations

from typing import Any, Protocol

from kgstore.verifier.llm.prompts import Task


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
