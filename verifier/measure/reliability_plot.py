"""A picture of reliability: how often verdicts of each confidence are right, beside how often they should be."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from kgstore.verifier.measure.figure import BLUE, GREY, ORANGE, PALE, check_plot, figure, save, unit
from kgstore.verifier.measure.reliability import Bin, Quality

__all__ = ["check_plot", "reliability_plot"]


def reliability_plot(
    path: Path, now: tuple[Quality, Sequence[Bin]], before: tuple[Quality, Sequence[Bin]] | None = None
) -> None:
    """Draw bars up to the share that is right, a dot at each bin's mean confidence, and the diagonal to compare.

    :param before: of the same verdicts with other weights, drawn as dots
    :raises InputError: if the name ends neither in .svg nor in .png, or the file cannot be written
    """
    check_plot(path)
    drawn, (axes,) = figure()
    unit(axes)
    quality, bins = now
    axes.bar([one.low for one in bins], [one.right for one in bins], [one.high - one.low for one in bins], align="edge",
             color=PALE, edgecolor="white")  # fmt: skip
    axes.plot([0, 1], [0, 1], "--", color=GREY)
    if before:
        dots = [one.confidence for one in before[1]], [one.right for one in before[1]]
        axes.plot(*dots, "o", color=ORANGE, label=f"before: {before[0].calibration_error:.3f}")
    label = f"calibration error {quality.calibration_error:.3f}"
    axes.plot([one.confidence for one in bins], [one.right for one in bins], "o", color=BLUE, label=label)
    for one in bins:
        axes.annotate(f"{one.verdicts:,}", ((one.low + one.high) / 2, 0), (0, 3), textcoords="offset points",
                      ha="center", color=GREY)  # fmt: skip
    axes.legend(loc="upper left", title=f"{sum(one.verdicts for one in bins):,} verdicts")
    axes.set(xlabel="confidence (in the bars: how many verdicts)", ylabel="share that is right")
    save(path, drawn)
