"""Pictures of one answer and of a comparison, drawn by `kgstore.verifier.measure.picture`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from kgstore.errors import InputError
from kgstore.verifier.grounding.measure import Row
from kgstore.verifier.measure.picture import Line, Rect, Shape, Words, png, svg
from kgstore.verifier.measure.reliability_plot import check_plot

if TYPE_CHECKING:
    from kgstore.verifier.grounding.evaluate import Comparison

__all__ = ["answer_picture", "check_plot", "comparison_pictures"]

_RIGHT, _WRONG, _GRID, _AXIS = "#08519c", "#d94801", "#e0e0e0", "#555555"
_PATH, _OTHER, _INK = "#d94801", "#9ecae1", "#222222"
_LINE = 22
_WIDTH, _HEIGHT = 640, 520
_LEFT, _TOP, _END, _BOTTOM = 90, 50, 610, 450
_LONGEST = 60


def answer_picture(path: Path, data: Mapping[str, Any]) -> None:
    """Draw what `kgstore grounding analyse` prints: triples with bars of attention, tokens shaded by their SAS.

    :raises InputError: if the file cannot be written
    """
    head = f"PRD {data['prd']:.3f}, SAS {data['sas']:.3f}"
    if data["risk"] is not None:
        head += f", risk {data['risk']:.2f}"
    shapes: list[Shape] = [Words(20, 28, _cut(data["question"]), _INK), Words(20, 28 + _LINE, head, _AXIS)]
    most = max(one["attention"] for one in data["triples"]) or 1.0
    y = 44 + 2 * _LINE
    for one in data["triples"]:
        long = 180 * one["attention"] / most
        colour = _PATH if one["on_path"] else _OTHER
        shapes += [
            Rect(200 - long, y - 13, long, 15, colour),
            Words(210, y, _cut(", ".join(one["triple"])), colour if one["on_path"] else _INK),
        ]
        y += _LINE
    y += _LINE
    shapes.append(Words(20, y, "answer, darker where it is closer to a triple", _AXIS))
    y += _LINE
    x = 20.0
    for one in data["tokens"]:
        text = one["text"].replace("\n", " ") or " "
        wide = 12 * len(text)
        if x + wide > 980:
            x, y = 20.0, y + _LINE
        shapes += [Rect(x, y - 15, wide, 19, _shade(one["sas"])), Words(x, y, text, _INK)]
        x += wide
    _write(path, shapes, 1000, int(y) + 30)


def comparison_pictures(folder: Path, rows: Sequence[Row], found: Comparison) -> list[Path]:
    """Boxes, quadrants, layers and ablation, each as SVG and PNG.

    :return: the files
    :raises InputError: if one cannot be written
    """
    kept = [row for row in rows if row["wrong"] is not None]
    wrong = np.array([bool(row["wrong"]) for row in kept])
    prd = np.array([row["prd"] for row in kept])
    sas = np.array([row["sas_layers"][found.layer - 1] for row in kept])
    drawn = {
        "boxes": [*_boxes("PRD", prd, wrong, 0), *_boxes("SAS", sas, wrong, 1)],
        "quadrants": _scatter(prd, sas, wrong),
        "layers": _layers(found.by_layer),
        "ablation": _ablation({name: (one.auc, one.recall) for name, one in found.ablation.items()}),
    }
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"cannot make {folder}: {error.strerror or error}", "name another folder") from None
    paths = [folder / f"{name}{suffix}" for name in drawn for suffix in (".svg", ".png")]
    for path in paths:
        _write(path, drawn[path.stem], _WIDTH, _HEIGHT)
    return paths


def _boxes(name: str, values: np.ndarray, wrong: np.ndarray, at: int) -> Iterable[Shape]:
    """Median, quartiles, and the 5th and 95th percentile of right and wrong answers."""
    low, high = np.quantile(values, (0.02, 0.98))
    left = _LEFT + at * 280
    yield Words(left + 90, 30, name, _INK, "middle")
    for share in np.linspace(0, 1, 5):
        value, y = low + share * (high - low), _y(share)
        yield Line(left, y, left + 200, y, _GRID)
        yield Words(left - 8, y + 5, f"{value:.2f}", _AXIS, "end")
    for place, (label, part, colour) in enumerate(
        (("right", values[~wrong], _RIGHT), ("wrong", values[wrong], _WRONG))
    ):
        marks = np.clip((np.quantile(part, (0.05, 0.25, 0.5, 0.75, 0.95)) - low) / (high - low or 1), 0, 1)
        least, quarter, middle, three, most = (_y(float(one)) for one in marks)
        x = left + 50 + place * 90
        yield Line(x, least, x, quarter, colour)
        yield Line(x, three, x, most, colour)
        for end in (three, quarter):
            yield Line(x - 25, end, x + 25, end, colour)
        for side in (x - 25, x + 25):
            yield Line(side, three, side, quarter, colour)
        yield Rect(x - 25, middle - 2, 50, 4, colour)
        yield Words(x, _BOTTOM + 24, label, colour, "middle")
        yield Words(x, _BOTTOM + 46, f"{len(part):,}", colour, "middle")


def _scatter(prd: np.ndarray, sas: np.ndarray, wrong: np.ndarray) -> list[Shape]:
    (left, right), (low, high) = (np.quantile(values, (0.005, 0.995)) for values in (prd, sas))
    x = _LEFT + np.clip((prd - left) / (right - left or 1), 0, 1) * (_END - _LEFT)
    y = _BOTTOM - np.clip((sas - low) / (high - low or 1), 0, 1) * (_BOTTOM - _TOP)
    shapes: list[Shape] = [Words(_LEFT, 30, "right", _RIGHT), Words(_LEFT + 90, 30, "wrong", _WRONG)]
    for at in np.argsort(wrong, kind="stable").tolist():
        shapes.append(Rect(float(x[at]) - 1.5, float(y[at]) - 1.5, 3, 3, _WRONG if wrong[at] else _RIGHT))
    middle_x, middle_y = float(np.median(x)), float(np.median(y))
    shapes += [
        Line(middle_x, _TOP, middle_x, _BOTTOM, _AXIS, dashed=True),
        Line(_LEFT, middle_y, _END, middle_y, _AXIS, dashed=True),
        Line(_LEFT, _BOTTOM, _END, _BOTTOM, _AXIS),
        Line(_LEFT, _TOP, _LEFT, _BOTTOM, _AXIS),
        Words(_LEFT, _BOTTOM + 24, f"{left:.2f}", _AXIS, "middle"),
        Words(_END, _BOTTOM + 24, f"{right:.2f}", _AXIS, "end"),
        Words((_LEFT + _END) / 2, _BOTTOM + 24, "PRD", _INK, "middle"),
        Words(_LEFT - 8, _BOTTOM, f"{low:.2f}", _AXIS, "end"),
        Words(_LEFT - 8, _TOP + 8, f"{high:.2f}", _AXIS, "end"),
        Words(_LEFT - 8, (_TOP + _BOTTOM) / 2, "SAS", _INK, "end"),
    ]
    return shapes


def _layers(by_layer: Sequence[tuple[float, float]]) -> list[Shape]:
    shapes: list[Shape] = [
        Words(_LEFT, 30, "AUC of each layer: SAS high", _RIGHT),
        Words(_END, 30, "PRD low", _WRONG, "end"),
        *_scale(),
    ]
    step = (_END - _LEFT) / max(1, len(by_layer) - 1)
    for at, colour in ((0, _WRONG), (1, _RIGHT)):
        for number in range(len(by_layer) - 1):
            one, other = by_layer[number][at], by_layer[number + 1][at]
            shapes.append(Line(_LEFT + number * step, _y(one), _LEFT + (number + 1) * step, _y(other), colour))
    shapes.append(Words(_LEFT, _BOTTOM + 24, "1", _AXIS, "middle"))
    shapes.append(Words(_END, _BOTTOM + 24, str(len(by_layer)), _AXIS, "end"))
    return shapes


def _ablation(found: Mapping[str, tuple[float, float]]) -> list[Shape]:
    shapes: list[Shape] = [Words(_LEFT, 30, "AUC", _RIGHT), Words(_LEFT + 60, 30, "recall", _WRONG), *_scale()]
    wide = (_END - _LEFT) / max(1, len(found))
    for at, (name, (auc, recall)) in enumerate(found.items()):
        left = _LEFT + at * wide + 8
        for place, (value, colour) in enumerate(((auc, _RIGHT), (recall, _WRONG))):
            x, thick = left + place * (wide - 16) / 2, (wide - 16) / 2 - 3
            shapes.append(Rect(x, _y(value), thick, _BOTTOM - _y(value), colour))
        first, _, second = name.partition(" ")
        shapes.append(Words(left + wide / 2 - 8, _BOTTOM + 22, first, _INK, "middle"))
        shapes.append(Words(left + wide / 2 - 8, _BOTTOM + 42, second, _INK, "middle"))
    return shapes


def _scale() -> Iterable[Shape]:
    for tenth in range(0, 11, 2):
        yield Line(_LEFT, _y(tenth / 10), _END, _y(tenth / 10), _GRID)
        yield Words(_LEFT - 8, _y(tenth / 10) + 5, f"{tenth / 10:.1f}", _AXIS, "end")


def _y(share: float) -> float:
    return _BOTTOM - share * (_BOTTOM - _TOP)


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else text[: _LONGEST - 2] + ".."


def _shade(share: float) -> str:
    other = round(255 - 150 * min(1.0, max(0.0, share)))
    return f"#{other:02x}{other:02x}ff"


def _write(path: Path, shapes: Sequence[Shape], width: int, height: int) -> None:
    """The dots of `kgstore.verifier.measure.picture`'s letters know lower case only; SVG has all letters."""
    if path.suffix.lower() == ".png":
        small = [replace(one, text=one.text.casefold()) if isinstance(one, Words) else one for one in shapes]
        data = png(small, width, height)
    else:
        data = svg(shapes, width, height)
    try:
        path.write_bytes(data)
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror or error}", "name another file") from None
