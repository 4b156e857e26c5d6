"""A picture of a sweep: the ROC curve on the left, precision over recall on the right."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from kgstore.verifier.measure.figure import BLUE, GREY, ORANGE, check_plot, figure, save, unit
from kgstore.verifier.measure.sweep import Curves

__all__ = ["check_plot", "sweep_plot"]


def sweep_plot(path: Path, curves: Curves, roc_auc: float, threshold: float) -> None:
    """Draw both curves, and a dot on each where the threshold is.

    :raises InputError: if the name ends neither in .svg nor in .png, or the file cannot be written
    """
    check_plot(path)
    at = min(int(np.searchsorted(curves.thresholds, threshold, side="left")), len(curves.thresholds) - 1)
    known = curves.found > 0  # before anything is found there is no precision to draw
    base = float(curves.precision[-1])
    drawn, (roc, recall) = figure(11, 5.4, columns=2)
    drawn.suptitle(f"dots: threshold {threshold:.3f}", color=ORANGE)
    unit(roc)
    roc.plot([0, 1], [0, 1], "--", color=GREY)
    roc.plot(curves.accused, curves.found, color=BLUE)
    roc.plot([curves.accused[at]], [curves.found[at]], "o", color=ORANGE, clip_on=False)
    roc.set(title=f"ROC, area {roc_auc:.3f}", xlabel="share flagged of good texts", ylabel="share flagged of bad texts")
    unit(recall)
    recall.plot([0, 1], [base, base], "--", color=GREY)
    recall.plot(curves.found[known], curves.precision[known], color=BLUE)
    if curves.found[at] > 0:
        recall.plot([curves.found[at]], [curves.precision[at]], "o", color=ORANGE, clip_on=False)
    recall.set(title=f"precision and recall, area {curves.pr_auc:.3f}", xlabel="recall", ylabel="precision")
    save(path, drawn)
