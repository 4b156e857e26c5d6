"""Replies of a fixed form from a local model: what must come next is written for it, it only chooses the rest.

Half of a list of facts is brackets, quotes and keys. They are read in one go, which costs a fraction of writing them
token by token, and the model is asked only where it has a choice. Always the likeliest token that fits is taken.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Protocol

import numpy as np

from kgstore.verifier.llm.prompts import KEYS

LONGEST = 120
"""Bytes in one part of a fact."""

LIKELY = 64
"""So many of the likeliest tokens are looked at before all of them are."""


class NoRoom(Exception):
    """The model can take no more tokens."""


class Writer(Protocol):
    """What is needed of a model."""

    def read(self, text: str) -> None:
        """Go on with this text. Raises `NoRoom`."""
        ...

    def take(self, token: int) -> None:
        """Go on with one token. Raises `NoRoom`."""
        ...

    def logits(self) -> np.ndarray:
        """Float32 ``(tokens,)``: how well each token would go on; the greater the better."""
        ...

    def piece(self, token: int) -> bytes:
        """The bytes of a token, none for one that controls."""
        ...


def write_facts(model: Writer, most: int, enough: Callable[[str], bool]) -> str:
    """A JSON list of at most ``most`` facts, or what of it there was room for.

    :param enough: sees the unfinished list after each fact, and says whether to stop there
    """
    reply = ""
    try:
        opening = _piece(model, lambda piece: piece.lstrip().startswith(b"[")).strip()
        ahead = "["
        if opening == b"[":
            model.read(ahead)
            opening, ahead = opening + _piece(model, lambda piece: piece.lstrip()[:1] in (b"{", b"]")).lstrip(), ""
        if opening.startswith(b"[]"):
            return "[]"
        for _ in range(most):
            fact = {}
            for key, start in zip(KEYS, ('{"head": "', '", "relation": "', '", "tail": "'), strict=True):
                model.read(ahead + start)
                fact[key], closing = _string(model)
                ahead = ""
            reply += (", " if reply else "[") + json.dumps(fact, ensure_ascii=False)
            if enough(reply):
                break
            if not closing.startswith((b"},", b"}]")):
                model.read('"}')
                closing = b"}" + _piece(model, lambda piece: piece.lstrip()[:1] in (b",", b"]")).lstrip()
                ahead = ", "
            else:
                ahead = '"}, '
            if closing.startswith(b"}]"):
                break
    except NoRoom:
        return reply
    return reply + "]"


def write_answers(model: Writer, most: int) -> str:
    """A JSON list of ``most`` times yes or no, or of fewer if there was no room."""
    answers: list[str] = []
    try:
        for number in range(most):
            model.read('", "' if number else '["')
            answers.append(_piece(model, lambda piece: piece.lower() in (b"yes", b"no")).decode().lower())
            model.read(answers[-1])
    except NoRoom:
        pass
    return json.dumps(answers)


def _string(model: Writer) -> tuple[str, bytes]:
    """What the model writes between quotes, and how its last token goes on after the closing one."""
    written = b""
    while len(written) < LONGEST:
        token = _token(model, _goes_on if written.strip() else _begins)
        piece = model.piece(token)
        before, quote, closing = piece.partition(b'"')
        if quote and not before.endswith(b"\\"):
            return (written + before).decode(errors="ignore"), closing
        written += piece.replace(b'\\"', b'"')
        model.take(token)
    return written.decode(errors="ignore"), b""


def _goes_on(piece: bytes) -> bool:
    """Whether a token can stand in a string, or end it: no control characters, no escape but that of a quote."""
    if not piece or any(byte < 32 or byte == 127 for byte in piece):
        return False
    before, quote, after = piece.partition(b'"')
    if quote and before.endswith(b"\\"):
        return piece.count(b"\\") == 1 and b'"' not in after
    return b"\\" not in before


def _begins(piece: bytes) -> bool:
    """Whether a token can be the first of a string."""
    return _goes_on(piece) and bool(piece.partition(b'"')[0].strip())


def _piece(model: Writer, fits: Callable[[bytes], bool]) -> bytes:
    return model.piece(_token(model, fits))


def _token(model: Writer, fits: Callable[[bytes], bool]) -> int:
    """The likeliest token that fits."""
    for tokens in likeliest(model.logits()):
        for token in tokens:
            if fits(model.piece(int(token))):
                return int(token)
    raise NoRoom


def likeliest(logits: np.ndarray) -> Iterator[np.ndarray]:
    """Tokens, likeliest first: a few, and only then all of them."""
    few = np.argpartition(-logits, min(LIKELY, len(logits) - 1))[:LIKELY]
    yield few[np.argsort(-logits[few], kind="stable")]
    yield np.argsort(-logits, kind="stable")
