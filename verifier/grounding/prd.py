"""Path Reliance Degree: how far the attention of an answer goes to the shortest path rather than elsewhere.

Source: GGA, section 4.1. "Elsewhere" is every other token, the ones at the very beginning included, on which decoder
models park most of their attention: PRD of a small model is well below 0.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

_ROUNDING = 1e-3


def balance(mass: np.ndarray, total: np.ndarray, path: Sequence[bool]) -> np.ndarray:
    """Attention to the path minus attention to all else, for each layer, head and answer token; PRD is the mean.

    >>> mass = np.array([[[[0.5, 0.25]]]])              # one layer, one head, one token; two triples
    >>> balance(mass, np.ones((1, 1, 1)), [True, False]).mean()
    np.float64(0.0)

    :param mass: ``(L, H, n, K)``, softmaxed attention to each of K triples
    :param total: ``(L, H, n)``, the same to all tokens
    :param path: K times, whether the triple lies on a shortest path
    :return: ``(L, H, n)``, -1 to 1
    :raises ValueError: if what is given are no shares of one attention
    """
    on_path = mass[..., np.asarray(path, bool)].sum(axis=-1, dtype=np.float64)
    if not (mass >= 0).all() or not (on_path <= total + _ROUNDING).all() or not (total <= 1 + _ROUNDING).all():
        raise ValueError("attention is not between 0 and 1, or more goes to the path than to everything")
    return np.clip(2 * on_path - total, -1.0, 1.0)
