"""The parts of the verifier that can be swapped, each behind one method."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np

from kgstore.verifier.claims import Claim


class Extractor(Protocol):
    """Finds what a text claims."""

    def extract(self, text: str) -> list[Claim]:
        """Claims in reading order, each with its character span; ``[]`` when nothing is claimed."""
        ...


class Judge(Protocol):
    """Natural language inference. A model gets its path and settings in the constructor."""

    def judge(self, pairs: Sequence[tuple[str, str]]) -> np.ndarray:
        """(premise, hypothesis) -> float32 ``(n, 3)``: P(entails), P(neutral), P(contradicts); rows sum to 1."""
        ...
