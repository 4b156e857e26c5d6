"""Free writing by a local model: plain text, or JSON of a schema. Always the likeliest token that fits is taken."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from kgstore.verifier.llm.constrained import NoRoom, Writer, likeliest


class Grammar(Protocol):
    """What may be written, token by token."""

    def first(self, tokens: np.ndarray) -> int | None:
        """The first of these tokens that may come next, None if none of them may."""
        ...

    def accept(self, token: int) -> None:
        """Go on after this token."""
        ...


def write(model: Writer, most: int, grammar: Grammar | None = None) -> str:
    """What the model writes until it stops, or until there is no room for more.

    :param most: tokens
    """
    written = b""
    try:
        for _ in range(most):
            token = _next(model.logits(), grammar)
            piece = b"" if token is None else model.piece(token)
            if token is None or not piece:  # a control token: the model has done
                break
            written += piece
            if grammar is not None:
                grammar.accept(token)
            model.take(token)
    except NoRoom:
        pass
    return written.decode(errors="ignore")


def _next(logits: np.ndarray, grammar: Grammar | None) -> int | None:
    if grammar is None:
        return int(np.argmax(logits))
    for tokens in likeliest(logits):
        if (token := grammar.first(tokens)) is not None:
            return token
    return None
