"""``kgstore sweep``"""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kgstore.cli.options import embedder_option, format_option
from kgstore.cli.progress import counting
from kgstore.cli.render import console, count, echo_json, note, plain, print_table, sink
from kgstore.cli.scores import between, number
from kgstore.errors import InputError
from kgstore.verifier.measure.labelled import HALVES
from kgstore.verifier.measure.sweep_rows import Row, read_rows

if TYPE_CHECKING:
    from kgstore.verifier.measure.sweep_measures import Swept

SETTINGS = ("default", "paper", "stored")


@click.command()
@click.argument("rows", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "--setting",
    type=click.Choice(SETTINGS),
    help="How graphs are compared: as by default, as in the KEA paper, or not at all, with the scores in the file. "
    "[default: default where there are graphs]",
)
@click.option(
    "--kernel",
    metavar="NAME",
    help="A kernel of GraKeL (extra kea) in place of ours, by the name of its class: ShortestPath, PyramidMatch ..",
)
@click.option(
    "--half",
    type=click.Choice(HALVES),
    help="Use only this half of the rows. [default: choose the threshold on one, report on the other]",
)
@click.option(
    "--threshold",
    type=click.FloatRange(0, 1),
    metavar="T",
    help="Also measure this threshold.",
)
@click.option(
    "--measure",
    type=click.Choice(["balanced_accuracy", "f1"]),
    default="balanced_accuracy",
    show_default=True,
    help="What the best threshold is best at.",
)
@click.option(
    "--consistent-from",
    "from_",
    type=float,
    metavar="N",
    help="Labels that are numbers are good from N on. [default: 4 for ratings from 1 to 5, 0.6 for shares]",
)
@click.option(
    "--together",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    metavar="N",
    help="N rows after one another are about one thing, so that they are never in two halves.",
)
@click.option(
    "--plot",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Draw the ROC curve and precision over recall, as .svg or .png.",
)
@click.option(
    "--into",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    metavar="KG",
    help="Write the threshold that labels chose (or --threshold) into a KG, for its verify --method kernel.",
)
@embedder_option
@format_option()
def sweep(
    rows: Path,
    setting: str | None,
    kernel: str | None,
    half: str | None,
    threshold: float | None,
    measure: str,
    from_: float | None,
    together: int,
    plot: Path | None,
    into: Path | None,
    embedder: Path | None,
    fmt: str,
) -> None:
    """Try every threshold of the graph kernel, or of any score, on labelled rows.

    ROWS is JSON lines, `{"id", "subject", "claim": [[head, relation, tail], ...], "context": [...], "label"}` or with a
    `score` from 0 to 1 (high is good) in place of the graphs, or CSV as KEA Explain stores its results (how surely it
    is bad, label, claim graph, context graph, number of the passage). Rows below the threshold are flagged; a tie is
    not below. A label is attributable, consistent or accurate for what is good, another word, or a number.

    The threshold is chosen on one half and measured on the other. Beside it stand the thresholds that need no labels.
    To choose one for a KG, let the scores be the claims' `scores.kernel` of reports made with `--method kernel`.

    \b
    Example:
        kgstore sweep pairs.csv --plot roc.svg
        kgstore sweep pairs.csv --setting paper --kernel ShortestPath
        kgstore sweep scores.jsonl --measure f1 --threshold 0.5
    """
    from kgstore.verifier.measure.sweep_measures import STORED, null_of, scores_of, swept
    from kgstore.verifier.measure.sweep_plot import check_plot, sweep_plot

    if plot:
        check_plot(plot)
    if kernel and setting == STORED:
        raise click.UsageError("--kernel compares graphs: leave --setting stored out")
    read = read_rows(rows, from_, together)
    setting = setting or ("default" if any(row.claim for row in read) else STORED)
    used = _usable([row for row in read if half in (None, row.half)], setting == STORED)
    model, more = None, {}
    if setting != STORED:
        from kgstore.embedding import load_embedder
        from kgstore.verifier.kernel.memory import Memory

        model = Memory(load_embedder(embedder))
        more["null"] = null_of(setting, model, kernel)
    with counting("comparing", len(used)) as advance:
        scores = scores_of(used, setting, model, advance, kernel)
    try:
        found = swept(used, scores, half=half, measure=measure, given=threshold, **more)
    except ValueError as error:
        raise InputError(f"{count(len(used), 'row')} of {rows}: {error}", "label more rows") from None
    if plot:
        sweep_plot(plot, found.curves, found.roc_auc or 0.0, found.thresholds[0].rates.threshold)
        note(f"curves drawn in {plot}")
    if into:
        chosen = found.thresholds[0].rates.threshold if threshold is None else threshold
        _write(into, min(1.0, chosen))
    echo_json(_plain(found, setting)) if fmt == "json" else _print(found, setting)


def _usable(rows: list[Row], stored: bool) -> list[Row]:
    """Those that have what is looked at: a score that is stored, or graphs."""
    used = [row for row in rows if (row.score is not None if stored else row.claim)]
    if len(used) < len(rows):
        note(f"left out: {count(len(rows) - len(used), 'row')} with {'no score' if stored else 'no claim graph'}")
    return used


def _write(folder: Path, threshold: float) -> None:
    from kgstore.verifier.methods.kea import OWN, threshold_json

    with sink(folder / OWN) as stream:
        stream.write(threshold_json(threshold))
    note(f"threshold {threshold:.3f} written to {folder / OWN}")


def _plain(found: Swept, setting: str) -> dict[str, Any]:
    return {
        "rows": found.rows,
        "bad": found.bad,
        "setting": setting,
        "roc_auc": found.roc_auc,
        "roc_auc_interval": found.roc_auc_interval,
        "pr_auc": found.curves.pr_auc,
        "measured_on": found.measured_on,
        "thresholds": [
            {"source": one.source, **asdict(one.rates), "balanced_accuracy_interval": one.interval}
            for one in found.thresholds
        ],
    }


def _print(found: Swept, setting: str) -> None:
    out = console()
    out.print(plain(f"{count(found.rows, 'row')}, {found.bad:,} of them bad, setting “{setting}”", "bold"))
    out.print(plain(f"ROC-AUC {number(found.roc_auc)}, 95 % interval {between(found.roc_auc_interval)}"))
    out.print(plain(f"area under precision and recall {number(found.curves.pr_auc)}"))
    out.print()
    header = ["threshold from", "threshold", "balanced accuracy", "95 % interval"]
    header += ["precision", "recall", "F1", "accuracy"]
    lines = [
        (
            one.source,
            number(one.rates.threshold) if one.rates.threshold <= 1 else "above 1",
            number(one.rates.balanced_accuracy),
            between(one.interval),
            *(number(rate) for rate in (one.rates.precision, one.rates.recall, one.rates.f1, one.rates.accuracy)),
        )
        for one in found.thresholds
    ]
    print_table(out, header, lines, right=[one for one in header if one not in (header[0], "95 % interval")])
    out.print(plain(f"measured on the half “{found.measured_on}”"))
