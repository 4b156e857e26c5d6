"""What goes on inside a model while it answers: attention by triple, hidden states, probabilities."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from threading import get_ident
from typing import Any

import numpy as np


@dataclass(frozen=True, slots=True)
class Trace:
    """What went on inside while ``n`` answer tokens were read, in ``L`` layers of ``H`` heads.

    :param mass: float32 ``(L, H, n, K)``, softmaxed attention from an answer token to the tokens of each triple
    :param total: float32 ``(L, H, n)``, the same to all tokens: 1 but for rounding
    :param hidden: float32 ``(L, n, d)``, the output of each layer at the answer tokens
    :param chosen: float32 ``(n,)``, the model's probability of each token of the answer
    :param highest: float32 ``(n,)``, the highest probability of any token in its place
    """

    mass: np.ndarray
    total: np.ndarray
    hidden: np.ndarray
    chosen: np.ndarray
    highest: np.ndarray


class NoWeights(Exception):
    """An attention module does not give its weights away."""


class Watch:
    """Notes what attention modules and blocks of a model put out while the answers to several prompts grow.

    :param shape: questions, layers, heads, tokens of an answer at most, triples, width of a hidden state
    """

    def __init__(self, shape: tuple[int, int, int, int, int, int]) -> None:
        questions, layers, heads, most, triples, width = shape
        self.mass = np.zeros((questions, layers, heads, most, triples), np.float32)
        self.total = np.zeros((questions, layers, heads, most), np.float32)
        self.hidden = np.zeros((questions, layers, most, width), np.float32)
        self.chosen = np.zeros((questions, most), np.float32)
        self.highest = np.zeros((questions, most), np.float32)
        self._step = -1
        self._asked: list[int] = []
        self._owner: Any = None

    def begin(self, asked: Sequence[int], owner: Any, shares: Any, tokens: Any) -> None:
        """A token more of some answers will be read.

        :param asked: the numbers of the questions, row by row
        :param owner: float32 ``(rows, prompt, K)``, 1 where a token of the prompt belongs to a triple
        :param shares: float32 ``(rows, vocabulary)``, probabilities of the token
        :param tokens: int ``(rows,)``, the token
        """
        self._step, self._asked, self._owner = self._step + 1, list(asked), owner
        self.chosen[self._asked, self._step] = shares.gather(1, tokens[:, None])[:, 0].numpy()
        self.highest[self._asked, self._step] = shares.amax(-1).numpy()

    @contextmanager
    def on(self, attentions: Sequence[Any], blocks: Sequence[Any]) -> Iterator[None]:
        """:raises NoWeights: if an attention does not give its weights away"""

        def attended(layer: int, out: Any) -> None:
            weights = next((one for one in out if one is not None and one.ndim == 4), None)
            if weights is None:
                raise NoWeights
            rows = weights[:, :, -1].float()
            mass = rows[..., : self._owner.shape[1]] @ self._owner
            self.mass[self._asked, layer, :, self._step] = mass.numpy()
            self.total[self._asked, layer, :, self._step] = rows.sum(-1).numpy()

        def left(layer: int, out: Any) -> None:
            self.hidden[self._asked, layer, self._step] = output(out)[:, -1].float().numpy()

        with hooked(attentions, attended), hooked(blocks, left):
            yield

    def trace(self, question: int, tokens: int, triples: int) -> Trace:
        """What was noted for the first tokens of one answer."""
        return Trace(
            self.mass[question, :, :, :tokens, :triples],
            self.total[question, :, :, :tokens],
            self.hidden[question, :, :tokens],
            self.chosen[question, :tokens],
            self.highest[question, :tokens],
        )


def output(out: Any) -> Any:
    """The hidden states in what a block returns, ``(texts, tokens, d)``."""
    return out[0] if isinstance(out, tuple) else out


@contextmanager
def hooked(modules: Sequence[Any], seen: Any) -> Iterator[None]:
    """``seen(number, output)`` for each of the modules whenever it has run in this thread."""
    here = get_ident()

    def ran(number: int, out: Any) -> None:
        if get_ident() == here:
            seen(number, out)

    handles = [
        module.register_forward_hook(lambda _, __, out, number=number: ran(number, out))
        for number, module in enumerate(modules)
    ]
    try:
        yield
    finally:
        for handle in handles:
            handle.remove()
