"""``kgstore evaluate``"""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
from rich.console import Console

from cli.batch import Settings, reports
from cli.options import embedder_option, extractor_options, format_option, jobs_option, kg_option
from cli.progress import counting
from cli.render import console, count, echo_json, note, plain, print_pairs, print_table, sink
from cli.texts import Text
from kgstore.errors import InputError
from verifier.evaluate import Scores, causes, errors
from verifier.evaluate import evaluate as measure
from verifier.extract.reading import Reading
from verifier.labelled import kind_of, read_gold

RATES = ("seconds", "texts_per_second", "claims_per_second")


@click.command()
@click.argument("labelled", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@kg_option
@click.option(
    "--errors",
    "errors_to",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Write every wrong verdict with its reason to FILE, as JSON lines.",
)
@extractor_options
@embedder_option
@jobs_option
@format_option()
def evaluate(
    labelled: Path,
    kg: Path,
    errors_to: Path | None,
    reading: Reading,
    embedder: Path | None,
    jobs: int,
    fmt: str,
) -> None:
    """Measure the verdicts on labelled claims.

    LABELLED is a file of JSON lines with "id", "text" and one of: "label" (attributable, extrapolatory, contradictory;
    or attributable, not_attributable), or "claims", a list of objects with "start", "end" and "label".

    A false accusation is a claim called contradictory that is not. The seconds do not include the start of the models.

    \b
    Example:
        kgstore evaluate claims.jsonl --kg small.kg --errors errors.jsonl
    """
    gold = read_gold(labelled)
    if kind_of(gold) == "context":
        raise InputError(
            f"{labelled} brings a document for each text", "texts are checked against a KG only: use labelled claims"
        )
    items = [Text(row["text"], row["id"]) for row in gold]
    found: dict[str, Any] = {}
    with counting("verifying", len(items)) as advance:
        coming = reports([items[0], *items], Settings(kg, embedder, reading), jobs)
        next(coming)  # pays for the start of the models
        started = time.monotonic()
        for item, report in zip(items, coming, strict=True):
            found[item.id] = report
            advance(1)
    scores = measure(gold, found, seconds=time.monotonic() - started)
    wrong = list(errors(gold, found))
    if errors_to is not None:
        with sink(errors_to) as stream:
            for error in wrong:
                echo_json(error, stream, indent=False)
        note(f"{count(len(wrong), 'error')} written to {errors_to}")
    if fmt == "json":
        echo_json({**scores.to_dict(), "errors": len(wrong)})
        return
    out = console()
    print_scores(scores, out)
    if wrong:
        out.print()
        rows = [(number, *cause) for cause, number in causes(wrong).most_common(10)]
        print_table(out, ["errors", "right", "given", "by", "not checked because"], rows, right=["errors"])


def print_scores(scores: Scores, out: Console) -> None:
    """Measures, labels and confusion matrix."""
    out.print(plain(f"{count(scores.rows, 'text')}, {scores.kind}", "bold"))
    if scores.missing:
        out.print(plain(f"{scores.missing} without a report", "red"))
    print_pairs(out, ((name.replace("_", " "), _number(name, value)) for name, value in scores.measures.items()))
    if scores.labels:
        out.print()
        rows = [
            (name, *(f"{one:.3f}" for one in (s.precision, s.recall, s.f1)), s.support)
            for name, s in scores.labels.items()
        ]
        header = ["label", "precision", "recall", "F1", "texts" if scores.kind == "labels" else "claims"]
        print_table(out, header, rows, right=header[1:])
    if scores.confusion:
        out.print()
        given = list(dict.fromkeys(got for row in scores.confusion.values() for got in row))
        header = ["right \\ given", *given]
        print_table(out, header, _matrix(scores, given), right=given)


def _matrix(scores: Scores, given: Sequence[str]) -> list[tuple[object, ...]]:
    return [(right, *(row.get(got, 0) for got in given)) for right, row in scores.confusion.items()]


def _number(name: str, value: float | None) -> str:
    if value is None:
        return "undefined"
    return f"{value:.1f}" if name in RATES else f"{value:.3f}"
