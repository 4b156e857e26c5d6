"""A line with editing, completion and history. prompt_toolkit is imported here only."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from prompt_toolkit import PromptSession
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.history import FileHistory

from kgstore.cli.render import clean
from kgstore.errors import KgError

Offers = Callable[[str], Iterable[tuple[str, int]]]


class Offering(Completer):
    """:param offers: what may stand for the end of a text, and how many characters of it that replaces"""

    def __init__(self, offers: Offers) -> None:
        self.offers = offers

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterator[Completion]:
        try:
            for text, replaced in self.offers(document.text_before_cursor):
                yield Completion(text, -replaced, display=clean(text))
        except KgError:  # a KG without a catalog completes nothing
            return


def lines(prompt: str, offers: Offers, history: Path, **ends: Any) -> Iterator[str]:
    """Each line that is typed, until Ctrl-D. Ctrl-C throws the line away; a pasted text is one line.

    :param ends: ``input`` and ``output`` of prompt_toolkit, the terminal unless given
    """
    session: PromptSession[str] = PromptSession(
        prompt, completer=Offering(offers), history=FileHistory(str(history)), complete_while_typing=False, **ends
    )
    while True:
        try:
            yield session.prompt()
        except KeyboardInterrupt:
            continue
        except EOFError:
            return
