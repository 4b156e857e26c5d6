"""A judge that is not asked twice."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from kgstore.verifier.protocols import Judge

MOST = 20_000
"""Pairs that are kept; a text of 5,000 words asks about some thousand."""


class Remembering:
    """A judge whose answers are kept, for texts that are read in steps and then as a whole.

    The answers must not depend on what else is asked at the same time, as those of the shipped ones do not.
    """

    def __init__(self, judge: Judge, most: int = MOST) -> None:
        self.own, self.most = judge, most
        self.two_steps = bool(getattr(judge, "two_steps", False))  # of a relation reader: see reader.walks
        self._known: dict[tuple[str, str], np.ndarray] = {}

    def judge(self, pairs: Sequence[tuple[str, str]]) -> np.ndarray:
        """As the judge's own."""
        if len(self._known) > self.most:
            self._known = {}  # another thread may be reading the old one
        known = self._known
        new = [pair for pair in dict.fromkeys(pairs) if pair not in known]
        known.update(zip(new, map(np.copy, self.own.judge(new)) if new else (), strict=True))
        rows = [known[pair] for pair in pairs]
        return np.stack(rows) if rows else self.own.judge([])
