"""A picture of reliability: how often verdicts of each confidence are right, beside how often they should be."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from kgstore.errors import InputError
from kgstore.verifier.measure.picture import Dot, Line, Rect, Shape, Words, png, svg
from kgstore.verifier.measure.reliability import Bin, Quality

_WIDTH, _HEIGHT = 640, 560
_LEFT, _RIGHT, _TOP, _BOTTOM = 70, 620, 60, 480
_BAR, _NOW, _BEFORE, _GRID, _AXIS = "#c6dbef", "#08519c", "#e6550d", "#e0e0e0", "#555555"
_DRAWN = {".svg": svg, ".png": png}


def check_plot(path: Path) -> None:
    """
    :raises InputError: if the name ends neither in .svg nor in .png
    """
    if path.suffix.lower() not in _DRAWN:
        raise InputError(f"{path} is neither .svg nor .png", "name a file that ends in one of them")


def reliability_plot(
    path: Path, now: tuple[Quality, Sequence[Bin]], before: tuple[Quality, Sequence[Bin]] | None = None
) -> None:
    """Draw bars up to the share that is right, a dot at each bin's mean confidence, and the diagonal to compare.

    :param before: of the same verdicts with other weights, drawn as dots
    :raises InputError: if the name ends neither in .svg nor in .png, or the file cannot be written
    """
    check_plot(path)
    picture = _DRAWN[path.suffix.lower()](_shapes(now, before), _WIDTH, _HEIGHT)
    try:
        path.write_bytes(picture)
    except OSError as error:
        why = (error.strerror or str(error)).lower()
        raise InputError(f"cannot write {path}: {why}", "name another file for --plot") from None


def _shapes(now: tuple[Quality, Sequence[Bin]], before: tuple[Quality, Sequence[Bin]] | None) -> list[Shape]:
    (quality, bins), verdicts = now, sum(one.verdicts for one in now[1])
    found: list[Shape] = [
        Words(_LEFT, 22, f"{verdicts:,} verdicts: calibration error {quality.calibration_error:.3f}", _NOW),
    ]
    if before:
        found.append(Words(_LEFT, 44, f"before: {before[0].calibration_error:.3f}", _BEFORE))
    for i in range(0, 11, 2):
        share = i / 10
        found.append(Line(_LEFT, _y(share), _RIGHT, _y(share), _GRID))
        found.append(Words(_LEFT - 8, _y(share) + 5, f"{share:.1f}", anchor="end"))
        found.append(Words(_x(share), _BOTTOM + 20, f"{share:.1f}", anchor="middle"))
    for one in bins:
        left, top = _x(one.low) + 1, _y(one.right)
        found.append(Rect(left, top, _x(one.high) - left - 1, _BOTTOM - top, _BAR))
        middle = (_x(one.low) + _x(one.high)) / 2
        found.append(Words(middle, _BOTTOM + 42, f"{one.verdicts:,}", _AXIS, "middle"))
    found.append(Line(_x(0), _y(0), _x(1), _y(1), _AXIS, dashed=True))
    found += [Dot(_x(one.confidence), _y(one.right), _BEFORE) for one in (before[1] if before else ())]
    found += [Dot(_x(one.confidence), _y(one.right), _NOW) for one in bins]
    found += [Line(_LEFT, _TOP, _LEFT, _BOTTOM, _AXIS), Line(_LEFT, _BOTTOM, _RIGHT, _BOTTOM, _AXIS)]
    found.append(Words(_RIGHT, 44, "share that is right", _AXIS, "end"))
    found.append(Words((_LEFT + _RIGHT) / 2, _BOTTOM + 66, "confidence (above: how many verdicts)", anchor="middle"))
    return found


def _x(share: float) -> float:
    return _LEFT + share * (_RIGHT - _LEFT)


def _y(share: float) -> float:
    return _BOTTOM - share * (_BOTTOM - _TOP)
