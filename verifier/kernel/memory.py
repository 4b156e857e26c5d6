"""An embedder that embeds each text once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from kgstore.embedding import Embedder


class Memory:
    """Another embedder's vectors, kept for as long as this object lives: 1.5 KB a text.

    >>> from kgstore.embedding import load_embedder
    >>> memory = Memory(load_embedder())
    >>> memory.embed(["Ada", "Ada"]).shape
    (2, 384)
    """

    def __init__(self, embedder: Embedder) -> None:
        self.dim, self.fingerprint = embedder.dim, embedder.fingerprint
        self._embedder = embedder
        self._known: dict[str, np.ndarray] = {}

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        """Float32 ``(len(texts), dim)``."""
        if new := [text for text in dict.fromkeys(texts) if text not in self._known]:
            self._known.update(zip(new, self._embedder.embed(new), strict=True))
        return np.array([self._known[text] for text in texts], np.float32).reshape(-1, self.dim)
