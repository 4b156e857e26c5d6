"""Which rows are learnt from and which tested on. Whatever is asked about one thing falls on one side."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import numpy as np

from kgstore.verifier.grounding.measure import Row

TRAIN = 0.6
"""Share of the topics that are learnt from."""
FOLDS = 3


def split(rows: Sequence[Row]) -> tuple[list[Row], list[Row]]:
    """Rows to learn from and rows to test on, by a digest of what they are about."""
    learnt = [row for row in rows if _share(row, 0) < TRAIN]
    return learnt, [row for row in rows if _share(row, 0) >= TRAIN]


def folds(rows: Sequence[Row]) -> np.ndarray:
    """Int ``(len(rows),)``, 0 to 2: the fold of each row, by another part of the digest."""
    return np.array([int(_share(row, 8) * FOLDS) for row in rows])


def _share(row: Row, start: int) -> float:
    about = "\n".join(row.get("topics") or [row["question"]])
    return int.from_bytes(hashlib.sha256(about.encode()).digest()[start : start + 8], "big") / 2**64
