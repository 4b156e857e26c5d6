"""What the detector sees of an answer: PRD, SAS and six cues of its surface (GGA, section 7.1)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from kgstore.verifier.grounding.answers import after_prefix
from kgstore.verifier.grounding.measure import Row

INNER = ("prd", "sas")
SURFACE = ("words", "repetition", "word_length", "unique_words", "prefix", "commas", "question_marks")
FEATURES = (*INNER, *SURFACE)
SETS: Mapping[str, tuple[str, ...]] = {
    "SAS only": ("sas",),
    "PRD only": ("prd",),
    "GGA core": INNER,
    "surface only": SURFACE,
    "GGA full": FEATURES,
}
"""The sets of the paper's ablation, and the surface by itself, which shows what PRD and SAS add to it."""


def surface(output: str) -> dict[str, float]:
    """Cues of an answer's words.

    ``words`` is how many there are, ``repetition`` the share of pairs of neighbouring words that stood there before,
    ``word_length`` the mean in characters, ``unique_words`` the share of different ones, ``prefix`` 1 if the answer
    begins with ``ans:`` somewhere; commas and question marks are counted.

    >>> surface("ans: Old Mill, Old Mill")["repetition"]
    0.25
    """
    words = output.split()
    cleaned = [word.strip(",.;").casefold() for word in words]
    pairs = list(zip(cleaned, cleaned[1:], strict=False))
    return {
        "words": float(len(words)),
        "repetition": 1 - len(set(pairs)) / len(pairs) if pairs else 0.0,
        "word_length": sum(map(len, words)) / len(words) if words else 0.0,
        "unique_words": len(set(cleaned)) / len(words) if words else 0.0,
        "prefix": float(after_prefix(output) is not None),
        "commas": float(output.count(",")),
        "question_marks": float(output.count("?")),
    }


def features(row: Row, layer: int) -> dict[str, float]:
    """All of `FEATURES`.

    :param layer: from 1, whose hidden states SAS is taken of
    """
    return {"prd": row["prd"], "sas": row["sas_layers"][layer - 1], **surface(row["output"])}


def table(rows: Sequence[Row], names: Sequence[str], layer: int) -> np.ndarray:
    """Float64 ``(len(rows), len(names))``."""
    found = [features(row, layer) for row in rows]
    return np.array([[one[name] for name in names] for one in found], dtype=np.float64).reshape(len(rows), len(names))
