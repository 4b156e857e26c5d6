"""One number from all that was found out about a sentence: a logistic model, learnt from texts with one label each.

A text is as consistent with a document as its worst sentence. So the model is fitted to the worst sentence of each
text, by the weights of the round before, until the choice stays the same. Consistent and inconsistent texts count the
same, however many there are of each.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path

import numpy as np
import orjson

from kgstore.verifier.document.features import NAMES
from kgstore.verifier.measure.logistic import fit, probabilities

SHIPPED = Path(__file__).with_name("combination.json")
WHOLE = Path(__file__).with_name("combination_whole.json")
"""For a judge that reads the whole document, a language model."""
STRENGTH = 10.0
"""Chosen by cross-validation within the half of the articles that was fitted to."""
SAID, SURE, UNKNOWN = 0.99, 0.9, 0.49
HEARD, KNOWN = 0.85, 0.51
"""Balance from which the judge says the same in every reading, and what that is worth at least."""
_BALANCE = NAMES.index("balance")
_ROUNDS = 30


@cache
def shipped(whole: bool = False) -> np.ndarray:
    """The weights that come with kgstore, float64 ``(len(NAMES),)``; how they were made is in the file.

    :param whole: those for a judge that reads the whole document
    """
    stored = orjson.loads((WHOLE if whole else SHIPPED).read_bytes())["weights"]
    return np.array([stored.get(name, 0.0) for name in NAMES])


def supports(values: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """P(attributable) of each sentence, 0 to 1.

    :param values: ``(n, len(NAMES))``
    """
    return probabilities(values, np.stack([weights, np.zeros(len(weights))], axis=1))[:, 0]


def balances(values: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """For `bounded`, of each sentence; 0 where the weights do not count them.

    :param values: ``(n, len(NAMES))``
    """
    return values[:, _BALANCE] * (weights[_BALANCE] != 0)


def bounded(share: float, entailed: float, strangers: int, balance: float = 0.0) -> float:
    """P(attributable) with what the weights cannot know: what is said word for word is borne out, and so is what the
    judge is sure of in every reading; a name, a number or a quotation that is nowhere in the document only if the judge
    is sure of it.

    >>> bounded(0.8, 0.3, 1), bounded(0.8, 0.95, 1), bounded(0.8, 0.3, 0), bounded(0.8, 1.0, 0)
    (0.49, 0.8, 0.8, 0.99)
    >>> bounded(0.4, 0.95, 0, 0.9), bounded(0.4, 0.95, 1, 0.9)
    (0.51, 0.4)

    :param entailed: P(entails) by the judge, 1 for what it need not be asked
    :param strangers: how many of these the sentence has
    :param balance: of `kgstore.verifier.document.entailment.Entailed`
    """
    if entailed >= 1:
        return max(share, SAID)
    if strangers:
        return min(share, UNKNOWN) if entailed < SURE else share
    return max(share, KNOWN) if balance >= HEARD else share


def fitted(texts: Sequence[np.ndarray], consistent: Sequence[bool], strength: float = STRENGTH) -> np.ndarray:
    """Weights for `supports`.

    :param texts: of each text the features of its sentences, ``(sentences, len(NAMES))``, at least one
    :param consistent: is the whole text so?
    :param strength: as of `kgstore.verifier.measure.logistic.fit`, towards weights of zero
    """
    marks = np.array(consistent, bool)
    fewer = min(marks.sum(), (~marks).sum())
    if fewer == 0:
        raise ValueError("texts of both kinds are needed")
    often = np.round(np.where(marks, (~marks).sum(), marks.sum()) / fewer).astype(int)
    right = np.repeat(np.stack([marks, ~marks], axis=1), often, axis=0)
    rows = np.stack([values.mean(axis=0) for values in texts])  # to begin with
    chosen: list[int] = []
    for _ in range(_ROUNDS):
        both = fit(np.repeat(rows, often, axis=0), right, np.zeros((rows.shape[1], 2)), strength)
        weights = both[:, 0] - both[:, 1]
        worst = [int(supports(values, weights).argmin()) for values in texts]
        if worst == chosen:
            break
        chosen = worst
        rows = np.stack([values[at] for values, at in zip(texts, chosen, strict=True)])
    return weights
