"""How often a judge is right, source by source."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from kgstore.verifier.protocols import Judge
from kgstore.verifier.training.pairs import LABELS, Pair

NOT_ENTAILED = (1, 2)
_BINS = 15


@dataclass(frozen=True, slots=True)
class Accuracy:
    """What a judge does with the rows of one source.

    :param classes: the labels that the source has; ``not_entailment`` where it is binary
    :param accuracy: the best of these classes is right; a source without neutral rows is not asked for neutral
    :param three_way: the best of all three classes is right
    :param balanced: mean over the classes of the share that is found
    :param blind: ``accuracy`` where the premise is withheld: what the hypothesis alone gives away
    :param calibration: expected calibration error over 15 bins of equal width, of three ways, 0 to 1; None where the
        source is binary
    """

    rows: int
    classes: tuple[str, ...]
    accuracy: float
    three_way: float
    balanced: float
    blind: float | None = None
    calibration: float | None = None


def measure(judge: Judge, sources: Mapping[str, Sequence[Pair]], *, blind: bool = False) -> dict[str, Accuracy]:
    """Accuracy by source.

    :param blind: also without premises, which takes as long again
    """
    return {name: _accuracy(judge, rows, blind) for name, rows in sources.items() if rows}


def _accuracy(judge: Judge, rows: Sequence[Pair], blind: bool) -> Accuracy:
    given = judge.judge([(row.premise, row.hypothesis) for row in rows])
    kinds = sorted({row.allowed for row in rows})
    right = _right(given, rows, kinds)
    without = _right(judge.judge([("", row.hypothesis) for row in rows]), rows, kinds) if blind else None
    by_kind = [np.mean([ok for ok, row in zip(right, rows, strict=True) if row.allowed == kind]) for kind in kinds]
    exact = np.array([int(p.argmax()) in row.allowed for p, row in zip(given, rows, strict=True)])
    return Accuracy(
        rows=len(rows),
        classes=tuple(_name(kind) for kind in kinds),
        accuracy=float(np.mean(right)),
        three_way=float(exact.mean()),
        balanced=float(np.mean(by_kind)),
        blind=None if without is None else float(np.mean(without)),
        calibration=None if any(len(kind) > 1 for kind in kinds) else calibration_error(given.max(1), exact),
    )


def _name(allowed: tuple[int, ...]) -> str:
    return LABELS[allowed[0]] if len(allowed) == 1 else "not_entailment" if allowed == NOT_ENTAILED else "other"


def _right(given: np.ndarray, rows: Sequence[Pair], kinds: Sequence[tuple[int, ...]]) -> list[bool]:
    """Whether the best of the classes that the source knows is right, for each row."""
    scores = np.stack([given[:, list(kind)].sum(1) for kind in kinds], 1)
    if any(len(kind) > 1 and kind != NOT_ENTAILED for kind in kinds) or len(kinds) == 1:
        return [int(p.argmax()) in row.allowed for p, row in zip(given, rows, strict=True)]
    return [kinds[best] == row.allowed for best, row in zip(scores.argmax(1), rows, strict=True)]


def calibration_error(confidence: np.ndarray, right: np.ndarray) -> float:
    """Mean distance of confidence from accuracy over bins of equal width, weighted by their rows, 0 to 1.

    >>> calibration_error(np.array([0.9, 0.9]), np.array([True, False]))
    0.4
    """
    at = np.minimum((confidence * _BINS).astype(int), _BINS - 1)
    error = sum(abs(confidence[at == one].sum() - right[at == one].sum()) for one in range(_BINS))
    return round(float(error) / max(1, len(right)), 6)


def table(found: Mapping[str, Accuracy]) -> Iterable[str]:
    """Lines of a Markdown table."""
    yield "| source | rows | classes | accuracy | three-way | hypothesis alone | calibration error |"
    yield "|---|---:|---|---:|---:|---:|---:|"
    for name, one in found.items():
        classes = ", ".join(one.classes)
        alone = "" if one.blind is None else f"{one.blind:.3f}"
        error = "" if one.calibration is None else f"{one.calibration:.3f}"
        yield f"| {name} | {one.rows:,} | {classes} | {one.accuracy:.3f} | {one.three_way:.3f} | {alone} | {error} |"
