"""A picture of a sweep: the ROC curve on the left, precision over recall on the right."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from kgstore.errors import InputError
from kgstore.verifier.measure.picture import Dot, Line, Shape, Words, png, svg
from kgstore.verifier.measure.sweep import Curves

_WIDTH, _HEIGHT = 1100, 560
_TOP, _BOTTOM, _SIDE = 60, 480, 420
_ROC, _PR = 80, 640
_CURVE, _MARK, _GRID, _AXIS = "#08519c", "#e6550d", "#e0e0e0", "#555555"
_DRAWN = {".svg": svg, ".png": png}


def check_plot(path: Path) -> None:
    """
    :raises InputError: if the name ends neither in .svg nor in .png
    """
    if path.suffix.lower() not in _DRAWN:
        raise InputError(f"{path} is neither .svg nor .png", "name a file that ends in one of them")


def sweep_plot(path: Path, curves: Curves, roc_auc: float, threshold: float) -> None:
    """Draw both curves, and a dot on each where the threshold is.

    :raises InputError: if the name ends neither in .svg nor in .png, or the file cannot be written
    """
    check_plot(path)
    picture = _DRAWN[path.suffix.lower()](_shapes(curves, roc_auc, threshold), _WIDTH, _HEIGHT)
    try:
        path.write_bytes(picture)
    except OSError as error:
        why = (error.strerror or str(error)).lower()
        raise InputError(f"cannot write {path}: {why}", "name another file for --plot") from None


def _shapes(curves: Curves, roc_auc: float, threshold: float) -> list[Shape]:
    at = int(np.searchsorted(curves.thresholds, threshold, side="left"))
    at = min(at, len(curves.thresholds) - 1)
    known = curves.found > 0  # before anything is found there is no precision to draw
    base = float(curves.precision[-1])
    return [
        *_frame(_ROC, f"roc, area {roc_auc:.3f}", "share flagged of good texts (across), of bad (up)"),
        Line(_ROC, _BOTTOM, _ROC + _SIDE, _TOP, _AXIS, dashed=True),
        *_curve(_ROC, curves.accused, curves.found),
        Dot(_x(_ROC, curves.accused[at]), _y(curves.found[at]), _MARK),
        *_frame(_PR, f"precision and recall, area {curves.pr_auc:.3f}", "recall (across), precision (up)"),
        Line(_PR, _y(base), _PR + _SIDE, _y(base), _AXIS, dashed=True),
        *_curve(_PR, curves.found[known], curves.precision[known]),
        *([Dot(_x(_PR, curves.found[at]), _y(curves.precision[at]), _MARK)] if curves.found[at] > 0 else []),
        Words(_WIDTH / 2, 22, f"dots: threshold {threshold:.3f}", _MARK, "middle"),
    ]


def _frame(left: float, title: str, below: str) -> list[Shape]:
    found: list[Shape] = [Words(left, 46, title, _CURVE)]
    for i in range(0, 11, 2):
        share = i / 10
        found.append(Line(left, _y(share), left + _SIDE, _y(share), _GRID))
        found.append(Words(left - 8, _y(share) + 5, f"{share:.1f}", anchor="end"))
        found.append(Words(_x(left, share), _BOTTOM + 20, f"{share:.1f}", anchor="middle"))
    found += [Line(left, _TOP, left, _BOTTOM, _AXIS), Line(left, _BOTTOM, left + _SIDE, _BOTTOM, _AXIS)]
    found.append(Words(left + _SIDE / 2, _BOTTOM + 46, below, anchor="middle"))
    return found


def _curve(left: float, across: Sequence[float], up: Sequence[float]) -> list[Shape]:
    points = [(_x(left, x), _y(y)) for x, y in zip(across, up, strict=True)]
    return [Line(*first, *second, _CURVE) for first, second in zip(points, points[1:], strict=False)]


def _x(left: float, share: float) -> float:
    return left + share * _SIDE


def _y(share: float) -> float:
    return _BOTTOM - share * (_BOTTOM - _TOP)
