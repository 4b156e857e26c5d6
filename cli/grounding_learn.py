"""``kgstore grounding train`` and ``evaluate``"""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click
from rich.console import Console

from kgstore.cli.options import format_option, judge_option
from kgstore.cli.render import console, count, echo_json, note, plain, print_table
from kgstore.verifier.grounding.collect import read_rows

if TYPE_CHECKING:
    from kgstore.verifier.grounding.evaluate import Comparison
    from kgstore.verifier.grounding.rates import Rates

_rows = click.argument("rows_file", metavar="ROWS", type=click.Path(exists=True, dir_okay=False, path_type=Path))
_layer = click.option(
    "--layer",
    type=click.IntRange(min=1),
    metavar="N",
    help="Layer whose hidden states SAS is taken of, from 1. [default: of the upper half the one that tells the "
    "training answers apart best]",
)
_HEADER = ["AUC", "95 % interval", "F1 (class 1)", "F1 (macro)", "precision", "recall"]


@click.command()
@_rows
@click.option(
    "-o",
    "--output",
    "target",
    required=True,
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Write the detector to FILE, as JSON.",
)
@_layer
@click.option("--all", "everything", is_flag=True, help="Learn from all rows, also those that `evaluate` tests on.")
@format_option()
def train(rows_file: Path, target: Path, layer: int | None, everything: bool, fmt: str) -> None:
    """Train the GGA detector on measured answers.

    ROWS is what `kgstore grounding measure` wrote. The detector learns from three fifths of the rows, split by a digest
    of what the questions are about, so that `evaluate` can test on the others.

    \b
    Example:
        kgstore grounding train rows.jsonl -o detector.json
    """
    from kgstore.verifier.grounding.detector import train as learn
    from kgstore.verifier.grounding.evaluate import check, choose_layer, judged

    rows = judged(read_rows(rows_file))
    learnt = rows if everything else check(rows)[0]
    detector = learn(learnt, layer or choose_layer(learnt))
    detector.save(target)
    if fmt == "json":
        data = {"file": str(target), "rows": detector.rows, "layer": detector.layer, "threshold": detector.threshold}
        echo_json({**data, "importances": detector.importances()})
        return
    out = console()
    _print_importances(detector.importances(), out)
    note(f"learnt from {count(detector.rows, 'answer')}; SAS of layer {detector.layer}; in {target}")


@click.command()
@_rows
@click.option(
    "--detector",
    "detector_file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Test this detector. [default: one is trained on the training rows]",
)
@_layer
@judge_option
@click.option(
    "--plots",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="FOLDER",
    help="Draw boxes, quadrants, layers and ablation into FOLDER, as .svg and .png.",
)
@format_option()
def evaluate(
    rows_file: Path, detector_file: Path | None, layer: int | None, judge: str | None, plots: Path | None, fmt: str
) -> None:
    """Compare the GGA detector with six baselines on answers that nothing was learnt from.

    ROWS is what `kgstore grounding measure` wrote. Three fifths of the rows, split by a digest of what the questions
    are about, serve for learning: the trees, and direction and threshold of each baseline. The rest is tested on.
    Class 1 are the wrong answers. Intervals come from 2,000 draws of the tested answers with replacement. A
    detector that was trained with --all has seen the tested rows, and its figures are worth nothing here.

    \b
    Example:
        kgstore grounding evaluate rows.jsonl --plots pictures
    """
    from kgstore.embedding import load_embedder
    from kgstore.verifier.grounding.detector import load
    from kgstore.verifier.grounding.evaluate import compare
    from kgstore.verifier.judges.opening import open_judge

    if plots is not None:
        from kgstore.verifier.measure.figure import check_plot

        check_plot(plots / "boxes.svg")
    rows = read_rows(rows_file)
    gga = load(detector_file) if detector_file else None
    found = compare(rows, load_embedder(None), open_judge(judge), layer, gga)
    if plots is not None:
        from kgstore.verifier.grounding.pictures import comparison_pictures

        for path in comparison_pictures(plots, rows, found):
            note(f"drawn: {path}")
    if fmt == "json":
        echo_json(asdict(found))
        return
    _print(found)


def _print(found: Comparison) -> None:
    out = console()
    learnt, tested = (f"{share:.1%}" for share in found.wrong)
    out.print(plain(f"learnt from {count(found.learnt, 'answer')} ({learnt} wrong)"))
    out.print(plain(f"tested on {count(found.tested, 'answer')} ({tested} wrong), SAS of layer {found.layer}"))
    out.print()
    rows = [
        (one.category, one.name, *_cells(one.rates), "" if one.ahead is None else _ahead(*one.ahead))
        for one in found.methods
    ]
    print_table(out, ["category", "method", *_HEADER, "GGA ahead in AUC by"], rows, right=_HEADER)
    out.print()
    rows = [(name, *_cells(one)) for name, one in {**found.ablation, **found.single}.items()]
    print_table(out, ["features", *_HEADER], rows, right=_HEADER)
    out.print()
    _print_importances(found.importances, out)
    out.print()
    rows = [
        (
            name,
            f"{one.right:.4f}",
            f"{one.wrong:.4f}",
            str(one.freedom),
            f"{one.t:.2f}",
            f"{one.p:.2g}",
            f"{one.d:.2f}",
        )
        for name, one in found.measures.items()
    ]
    print_table(out, ["measure", "right answers", "wrong answers", "df", "t", "p", "Cohen's d"], rows)
    out.print(plain("Pearson's r: " + ", ".join(f"{name} {r:.3f}" for name, r in found.correlations.items())))
    out.print()
    rows = [
        (one.name, str(one.answers), *("" if rate is None else f"{rate:.3f}" for rate in (one.wrong, one.prd, one.sas)))
        for one in found.quadrants
    ]
    print_table(out, ["quadrant", "answers", "wrong", "PRD", "SAS"], rows, right=["answers", "wrong", "PRD", "SAS"])


def _cells(one: Rates) -> tuple[str, ...]:
    between = "" if one.interval is None else f"{one.interval[0]:.3f} to {one.interval[1]:.3f}"
    numbers = (f"{value:.4f}" for value in (one.f1, one.macro_f1, one.precision, one.recall))
    return (f"{one.auc:.4f}", between, *numbers)


def _ahead(difference: float, interval: tuple[float, float] | None) -> str:
    return f"{difference:.3f}" + ("" if interval is None else f" ({interval[0]:.3f} to {interval[1]:.3f})")


def _print_importances(importances: dict[str, float], out: Console) -> None:
    rows = [(name, f"{share:.3f}") for name, share in importances.items()]
    print_table(out, ["feature", "share of the gain"], rows, right=["share of the gain"])
