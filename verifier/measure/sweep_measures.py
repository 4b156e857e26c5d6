"""What a sweep reports: a threshold chosen on one half of the rows, measured on the other, and those without labels."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from kgstore.embedding import Embedder
from kgstore.verifier.kernel.compare import DEFAULT, PAPER, Setting, likeness
from kgstore.verifier.kernel.graphs import Shape, graph_of
from kgstore.verifier.kernel.threshold import mixture_threshold, null_threshold
from kgstore.verifier.kernel.wl import similarity
from kgstore.verifier.measure.bootstrap import Interval
from kgstore.verifier.measure.labelled import HALVES
from kgstore.verifier.measure.sweep import Curves, Rates, balanced_interval, curves, rates, roc_interval
from kgstore.verifier.measure.sweep_rows import Row

STORED = "stored"
SETTINGS: dict[str, Setting] = {"default": DEFAULT, "paper": PAPER}
FLAG_ALL = 2.0
"""A threshold above every score."""


@dataclass(frozen=True, slots=True)
class Measured:
    """One threshold.

    :param source: where it is from
    :param interval: 95 % interval of the balanced accuracy
    """

    source: str
    rates: Rates
    interval: Interval | None


@dataclass(frozen=True, slots=True)
class Swept:
    """What a sweep found.

    :param curves: over all rows; so are ``roc_auc`` and its interval
    :param thresholds: as measured on the half ``measured_on``; the first is the one that labels chose
    """

    rows: int
    bad: int
    curves: Curves
    roc_auc: float | None
    roc_auc_interval: Interval | None
    measured_on: str
    thresholds: tuple[Measured, ...]


def scores_of(
    rows: Sequence[Row], setting: str, embedder: Embedder | None, advance: Callable[[int], None] = lambda step: None,
    kernel: str | None = None,
) -> list[float]:
    """The score of each row, 0 to 1.

    :param setting: one of `SETTINGS`, or ``stored``
    :param embedder: needed for all but ``stored``
    :param kernel: one of GraKeL's in place of ours
    :raises InputError: if GraKeL has no such kernel, or it cannot compare these graphs
    """
    found = []
    for row in rows:
        if setting == STORED or embedder is None:
            found.append(row.score or 0.0)
        else:
            found.append(likeness(row.claim, row.context, embedder, _setting(setting, kernel)).score)
        advance(1)
    return found


def kernel_alone(row: Row) -> float:
    """The paper's kernel on the graphs as they are, without selection and clustering: for graphs that went through
    both before they were stored.
    """
    return similarity(graph_of(row.claim, Shape.ENTITIES), graph_of(row.context, Shape.ENTITIES))


def swept(
    rows: Sequence[Row],
    scores: Sequence[float],
    *,
    half: str | None = None,
    measure: str = "balanced_accuracy",
    given: float | None = None,
    null: Callable[[Sequence[Row]], float | None] = lambda rows: None,
) -> Swept:
    """Measure all thresholds that are of interest.

    :param half: the half that all rows are of, so that the threshold is chosen on what it is measured on
    :param given: another threshold to measure
    :param null: rows -> a threshold that uses no labels, see `null_of`
    :raises ValueError: if good or bad rows are missing
    """
    bad, groups = [row.bad for row in rows], [row.group for row in rows]
    tuned = [at for at, row in enumerate(rows) if half or row.half == HALVES[0]]
    rest = [at for at, row in enumerate(rows) if half or row.half == HALVES[1]]
    whole = curves(scores, bad)
    shown, flags = [scores[at] for at in rest], [bad[at] for at in rest]
    curves(shown, flags)  # both kinds must be there, too
    named = {
        f"labels ({half or HALVES[0]})": curves([scores[at] for at in tuned], [bad[at] for at in tuned]).best(measure),
        "mixture": mixture_threshold(shown),
        "wrong on purpose": null([rows[at] for at in rest]),
        "given": given,
        "flag all": FLAG_ALL,
    }
    drawn = [groups[at] for at in rest]
    found = tuple(
        Measured(name, rates(shown, flags, at), balanced_interval(shown, flags, drawn, at))
        for name, at in named.items()
        if at is not None
    )
    return Swept(len(rows), sum(bad), whole, *roc_interval(scores, bad, groups), half or HALVES[1], found)


def null_of(setting: str, embedder: Embedder, kernel: str | None = None) -> Callable[[Sequence[Row]], float | None]:
    """`null_threshold` over the graphs of rows."""
    chosen = _setting(setting, kernel)
    return lambda rows: null_threshold([(row.claim, row.context) for row in rows], embedder, chosen)


def _setting(name: str, kernel: str | None) -> Setting:
    return replace(SETTINGS[name], kernel=kernel or "")
