"""What the classes of a model mean for a judge: entailed, neutral or contradicted."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from kgstore.errors import InputError

LABELS = ("entails", "neutral", "contradicts")
ENTAILS, NEUTRAL, CONTRADICTS = range(3)
_KINDS = (
    (ENTAILS, ("entail", "support", "consistent", "faithful", "factual", "attributable")),
    (CONTRADICTS, ("contradict", "refut")),
    (NEUTRAL, ("neutral", "unknown", "unrelated", "neither", "nei", "not enough", "extrapolatory")),
)
_DENIED = re.compile(r"(?:not|no|non)[ _-]+(?!enough)|(?:un|in)(?=(?:support|consistent|faithful))")
_NAMELESS = re.compile(r"label[ _-]?\d+", re.IGNORECASE)


def places(labels: Sequence[str]) -> np.ndarray:
    """Where the probability of each class goes: float32 ``(classes, 3)``, one 1 in each row.

    What is denied is neutral: a text that does not entail a claim need not contradict it.

    >>> places(["contradiction", "entailment", "neutral"]).argmax(1).tolist()
    [2, 0, 1]
    >>> places(["entailment", "not_entailment"]).argmax(1).tolist()
    [0, 1]

    :raises InputError: if a class has no name that tells what it means, or two classes mean the same
    """
    if any(_NAMELESS.fullmatch(label) for label in labels):
        raise InputError(
            f"the judge's classes are called {', '.join(labels)}, which does not tell which of them is entailment",
            "write their meaning into id2label of its config.json, such as entailment, neutral, contradiction",
        )
    found = [_meaning(label) for label in labels]
    if None in found or len(set(found)) < len(found) or len(found) < 2:
        raise InputError(
            f"a judge with the classes {', '.join(labels)} tells no entailment",
            "take one with entailment, neutral and contradiction, two of them, or one score",
        )
    return np.eye(len(LABELS), dtype=np.float32)[np.array(found, np.int64)]


def probabilities(logits: np.ndarray, places: np.ndarray) -> np.ndarray:
    """P(entails), P(neutral), P(contradicts), rows that sum to 1.

    >>> probabilities(np.array([[0.0, 0.0], [1000.0, 0.0]]), places(["contradiction", "entailment"])).tolist()
    [[0.5, 0.0, 0.5], [0.0, 0.0, 1.0]]

    :param logits: ``(n, classes)``
    :param places: of `places`, ``(classes, 3)``
    """
    powers = np.exp(logits - logits.max(1, keepdims=True))
    return powers / powers.sum(1, keepdims=True) @ places


def _meaning(label: str) -> int | None:
    """
    >>> [_meaning(label) for label in ("REFUTES", "NOT ENOUGH INFO", "no contradiction", "inconsistent", "dog")]
    [2, 1, 1, 1, None]
    """
    words = label.strip().lower()
    denied = _DENIED.match(words)
    words = words[denied.end() :] if denied else words.replace("_", " ")
    kind = next((kind for kind, starts in _KINDS if words.startswith(starts)), None)
    return NEUTRAL if denied and kind is not None else kind
