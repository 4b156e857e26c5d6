"""Semantic Alignment Score: how close an answer's hidden states come to the triples that were given.

Source: GGA, section 4.2.
"""

from __future__ import annotations

import numpy as np


def alignment(hidden: np.ndarray, triples: np.ndarray) -> np.ndarray:
    """The closest triple of each answer token; SAS, 0 to 1, is the mean.

    >>> alignment(np.array([[3.0, 4.0], [0.0, 2.0]]), np.array([[1.0, 0.0], [0.0, 5.0]])).mean()
    np.float64(0.9)

    :param hidden: ``(n, d)``, hidden states of the answer tokens
    :param triples: ``(m, d)``, mean hidden states of the triples, at least one, of the same layer
    :return: float64 ``(n,)``, cosines, those below 0 as 0
    :raises ValueError: if a state is not finite
    """
    if not np.isfinite(hidden).all() or not np.isfinite(triples).all():
        raise ValueError("a hidden state is not finite")
    cosines = _rows(hidden) @ _rows(triples).T
    return np.clip(cosines.max(axis=1), 0.0, 1.0)


def _rows(vectors: np.ndarray) -> np.ndarray:
    lengths = np.linalg.norm(vectors.astype(np.float64), axis=1, keepdims=True)
    return vectors / np.where(lengths > 0, lengths, 1.0)
