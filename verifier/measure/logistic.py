"""Softmax regression that starts from known weights and moves away from them only as far as the data insist.

The loss is the negative log likelihood of the labels that may be right, plus ``strength / 2`` times the squared
distance from the prior weights. A row may leave several labels open ("not attributable"): then the probability of any
of them counts, and each step takes the open labels by their present shares (K. Lange, A gradient algorithm locally
equivalent to the EM algorithm, 1995). Newton's method, with halved steps where a whole one does not help.
"""

from __future__ import annotations

import numpy as np

_STEPS, _CLOSE = 50, 1e-6


def fit(values: np.ndarray, right: np.ndarray, prior: np.ndarray, strength: float) -> np.ndarray:
    """The best weights, float64 ``(d, k)``.

    :param values: float64 ``(n, d)``, features of each row
    :param right: bool ``(n, k)``, the labels that may be right, at least one a row
    :param prior: float64 ``(d, k)``, the weights where nothing is known
    :param strength: above 0; as much as so many rows in favour of the prior, roughly
    """
    weights = prior.copy()
    loss = _loss(values, right, weights, prior, strength)
    for _ in range(_STEPS):
        step = _step(values, right, weights, prior, strength)
        size = 1.0
        while (new := _loss(values, right, weights - size * step, prior, strength)) > loss and size > 1e-4:
            size /= 2
        if new > loss:
            break
        weights, gain, loss = weights - size * step, loss - new, new
        if gain < _CLOSE * max(1.0, loss):
            break
    return weights


def probabilities(values: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Float64 ``(n, k)``; rows sum to 1."""
    sums = values @ weights
    powers = np.exp(sums - sums.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True)


def log_loss(shares: np.ndarray, right: np.ndarray) -> np.ndarray:
    """``-log P(a label that may be right)`` of each row, ``(n,)``."""
    return -np.log(np.clip((shares * right).sum(axis=1), 1e-12, 1.0))


def _loss(values: np.ndarray, right: np.ndarray, weights: np.ndarray, prior: np.ndarray, strength: float) -> float:
    lost = log_loss(probabilities(values, weights), right).sum()
    return float(lost + strength / 2 * ((weights - prior) ** 2).sum())


def _step(values: np.ndarray, right: np.ndarray, weights: np.ndarray, prior: np.ndarray, strength: float) -> np.ndarray:
    """Newton's step, ``(d, k)``, with the labels that are open shared out as the weights now say."""
    shares = probabilities(values, weights)
    target = shares * right
    target /= np.clip(target.sum(axis=1, keepdims=True), 1e-12, None)
    slope = values.T @ (shares - target) + strength * (weights - prior)
    d, k = weights.shape
    curve = np.zeros((k, d, k, d))
    for i in range(k):
        for j in range(i, k):
            both = shares[:, i] * ((i == j) - shares[:, j])
            curve[i, :, j] = curve[j, :, i] = (values * both[:, None]).T @ values
    flat = curve.reshape(k * d, k * d)
    flat[np.diag_indices(k * d)] += strength
    return np.linalg.solve(flat, slope.T.reshape(-1)).reshape(k, d).T
