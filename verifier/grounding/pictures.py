"""Pictures of one answer and of a comparison."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from kgstore.errors import InputError
from kgstore.verifier.grounding.measure import Row
from kgstore.verifier.measure.figure import BLUE, GREY, ORANGE, PALE, check_plot, figure, save

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from kgstore.verifier.grounding.evaluate import Comparison

__all__ = ["answer_picture", "check_plot", "comparison_pictures"]

_LONGEST, _LINE, _ACROSS = 60, 0.26, 100
"""Characters of a triple, inches of a line, characters of a line of the answer."""


def answer_picture(path: Path, data: Mapping[str, Any]) -> None:
    """Draw what `kgstore grounding analyse` prints: triples with bars of attention, tokens shaded by their SAS.

    :raises InputError: if the file cannot be written
    """
    check_plot(path)
    lines = _lines(data["tokens"])
    triples = data["triples"]
    drawn, _ = figure(10, _LINE * (len(triples) + len(lines)) + 1.8)
    drawn.clear()
    top, below = drawn.subplots(2, 1, height_ratios=(max(1, len(triples)), max(1, len(lines))))
    head = f"PRD {data['prd']:.3f}, SAS {data['sas']:.3f}"
    head += f", risk {data['risk']:.2f}" if data["risk"] is not None else ""
    top.set_title(f"{_cut(data['question'])}\n{head}", loc="left")
    names = [_cut(", ".join(one["triple"])) for one in triples]
    colours = [ORANGE if one["on_path"] else PALE for one in triples]
    top.barh(range(len(names)), [one["attention"] for one in triples], color=colours)
    top.set(yticks=range(len(names)), yticklabels=names, xlabel="attention (dark: on the path)")
    top.invert_yaxis()
    below.set_title("answer, darker where it is closer to a triple", loc="left", color=GREY)
    below.set(xlim=(0, _ACROSS), ylim=(max(1, len(lines)), 0))
    below.axis("off")
    for row, line in enumerate(lines):
        x = 0
        for text, sas in line:
            shade = 1 - 0.6 * min(1.0, max(0.0, sas))
            below.axvspan(x, x + len(text), 1 - (row + 1) / len(lines), 1 - row / len(lines), color=(shade, shade, 1))
            below.text(x, row + 0.5, text, family="monospace", va="center", size=9, parse_math=False)
            x += len(text)
    save(path, drawn)


def _lines(tokens: Sequence[Mapping[str, Any]]) -> list[list[tuple[str, float]]]:
    """Words and their SAS, in lines of at most `_ACROSS` characters."""
    lines: list[list[tuple[str, float]]] = [[]]
    for one in tokens:
        text = one["text"].replace("\n", " ") or " "
        if sum(len(word) for word, _ in lines[-1]) + len(text) > _ACROSS:
            lines.append([])
        lines[-1].append((text, one["sas"]))
    return lines


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
        "boxes": _boxes({"PRD": prd, "SAS": sas}, wrong),
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
        save(path, drawn[path.stem])
    return paths


def _boxes(measures: Mapping[str, np.ndarray], wrong: np.ndarray) -> Figure:
    """Median, quartiles, and the 5th and 95th percentile of right and wrong answers."""
    drawn, all_axes = figure(6.4, 5.2, columns=len(measures))
    for axes, (name, values) in zip(all_axes, measures.items(), strict=True):
        parts = [values[~wrong], values[wrong]]
        labels = [f"{word}\n{len(part):,}" for word, part in zip(("right", "wrong"), parts, strict=True)]
        boxes = axes.boxplot(parts, whis=(5, 95), showfliers=False, tick_labels=labels, patch_artist=True)
        for box, colour in zip(boxes["boxes"], (BLUE, ORANGE), strict=True):
            box.set(facecolor="white", edgecolor=colour)
        axes.set_title(name)
    return drawn


def _scatter(prd: np.ndarray, sas: np.ndarray, wrong: np.ndarray) -> Figure:
    drawn, (axes,) = figure(6.4, 5.2)
    for part, colour, label in ((~wrong, BLUE, "right"), (wrong, ORANGE, "wrong")):
        axes.plot(prd[part], sas[part], ".", color=colour, markersize=4, label=label)
    axes.axvline(float(np.median(prd)), ls="--", color=GREY)
    axes.axhline(float(np.median(sas)), ls="--", color=GREY)
    axes.set(xlabel="PRD", ylabel="SAS")
    axes.legend()
    return drawn


def _layers(by_layer: Sequence[tuple[float, float]]) -> Figure:
    drawn, (axes,) = figure(6.4, 5.2)
    for at, colour, label in ((1, BLUE, "SAS high"), (0, ORANGE, "PRD low")):
        axes.plot(range(1, len(by_layer) + 1), [one[at] for one in by_layer], color=colour, label=label)
    axes.set(xlabel="layer", ylabel="AUC", ylim=(0, 1))
    axes.legend()
    return drawn


def _ablation(found: Mapping[str, tuple[float, float]]) -> Figure:
    drawn, (axes,) = figure(6.4, 5.2)
    for place, (colour, label) in enumerate(((BLUE, "AUC"), (ORANGE, "recall"))):
        across = np.arange(len(found)) + 0.4 * place - 0.2
        axes.bar(across, [one[place] for one in found.values()], 0.36, color=colour, label=label)
    _named(axes, list(found))
    axes.legend()
    return drawn


def _named(axes: Axes, names: Sequence[str]) -> None:
    axes.set(xticks=range(len(names)), xticklabels=[name.replace(" ", "\n", 1) for name in names], ylim=(0, 1))


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else text[: _LONGEST - 2] + ".."
