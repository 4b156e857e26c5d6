"""``kgstore evaluate``"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from kgstore.cli.batch import Settings, check_sources, reports
from kgstore.cli.options import (
    calibration_option,
    complete_option,
    embedder_option,
    extractor_options,
    format_option,
    jobs_option,
    judge_option,
    method_option,
    optional_kg_option,
    reader_option,
    with_settings,
)
from kgstore.cli.progress import counting
from kgstore.cli.render import console, count, echo_json, note, print_table, sink
from kgstore.cli.scores import (
    half_option,
    labelled_argument,
    labelled_rows,
    print_comparison,
    print_parts,
    print_scores,
    print_selective,
)
from kgstore.cli.texts import Text
from kgstore.errors import InputError
from kgstore.verifier.measure.breakdown import by_field, by_tier, has_field, selective
from kgstore.verifier.measure.compare_runs import compare
from kgstore.verifier.measure.evaluate import Scores, causes, errors
from kgstore.verifier.measure.evaluate import evaluate as measure
from kgstore.verifier.measure.judged import Judged, judged
from kgstore.verifier.measure.labelled import Json, read_reports

CAUSES = 10
"""Commonest causes of errors that are printed; JSON has all."""

_file = click.Path(dir_okay=False, path_type=Path)
_old_file = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.command()
@labelled_argument
@optional_kg_option
@click.option(
    "--errors",
    "errors_to",
    type=_file,
    metavar="FILE",
    help="Write every wrong verdict with its reason to FILE, as JSON lines.",
)
@click.option(
    "--reports", "reports_to", type=_file, metavar="FILE", help="Write the reports of this run to FILE, as JSON lines."
)
@click.option(
    "--against",
    type=_old_file,
    metavar="FILE",
    help="Compare with an earlier run, whose --reports FILE has: what was mended and what broke, claim by claim.",
)
@click.option(
    "--by", multiple=True, metavar="FIELD", help="Count also by this field of the rows, such as kind. Repeatable."
)
@half_option
@with_settings(
    extractor_options, judge_option, reader_option, calibration_option, complete_option, method_option, embedder_option
)
@jobs_option
@format_option()
def evaluate(
    labelled: Path,
    settings: Settings,
    errors_to: Path | None,
    reports_to: Path | None,
    against: Path | None,
    by: tuple[str, ...],
    half: str | None,
    jobs: int,
    fmt: str,
) -> None:
    """Measure the verdicts on labelled claims.

    LABELLED is a file of JSON lines with "id", "text" and one of: "label" (attributable, extrapolatory, contradictory;
    or attributable, not_attributable), "claims", a list of objects with "start", "end" and "label", or "consistent" (0
    or 1: does the whole text follow?). A row with a "context" is checked against that document, others against the KG.

    A false accusation is a claim called contradictory that is not. Coverage is the share of claims that are decided
    (attributable or contradictory). The calibration error is the mean distance between confidence and accuracy over ten
    bins of confidence. Intervals are percentiles of 2,000 draws of the rows with replacement, passages as a whole;
    those of false accusations, and of shares that are 0 or 1, are Clopper and Pearson's.

    --half takes the rows whose subject (or id, without one) has a SHA-256 digest that ends in the bit 0 (tune) or 1
    (report). The seconds do not include the start of the models.

    \b
    Example:
        kgstore evaluate claims.jsonl --kg small.kg --reports today.jsonl --errors errors.jsonl
        kgstore evaluate claims.jsonl --kg small.kg --against yesterday.jsonl --by kind --half report
        kgstore evaluate claims.jsonl --kg small.kg --method kernel
    """
    gold = labelled_rows(labelled, half, documents=True)
    earlier = read_reports(against) if against else None
    if earlier is not None and not any(row["id"] in earlier for row in gold):
        raise InputError(f"{against} has no report of any row in {labelled}", "name the reports of the same claims")
    items = [Text(row["text"], row["id"], row.get("context")) for row in gold]
    check_sources(settings, items)
    found, seconds = _verified(items, settings, jobs)
    scores = measure(gold, found, seconds=seconds)
    claims, wrong = judged(gold, found), list(errors(gold, found))
    _check_fields(by, claims, labelled)
    _write(found.values(), reports_to, "report")
    _write(wrong, errors_to, "error")
    comparison = None if earlier is None else compare(gold, found, earlier)
    if fmt == "json":
        more = {"against": None if comparison is None else {"file": str(against), **comparison.to_dict()}}
        echo_json({**scores.to_dict(), "half": half, **_parts(claims, wrong, by), **more})
        return
    _print(scores, claims, wrong, by)
    if comparison is not None:
        out = console()
        out.print()
        print_comparison(comparison, out)


def _verified(items: Sequence[Text], settings: Settings, jobs: int) -> tuple[dict[str, Json], float]:
    """The reports by id, and the seconds that they took."""
    found: dict[str, Json] = {}
    with counting("verifying", len(items)) as advance:
        coming = reports([items[0], *items], settings, jobs)
        next(coming)  # pays for the start of the models
        started = time.monotonic()
        for item, report in zip(items, coming, strict=True):
            found[item.id] = report
            advance(1)
    return found, time.monotonic() - started


def _check_fields(by: Iterable[str], claims: Sequence[Judged], labelled: Path) -> None:
    for field in by:
        if not has_field(claims, field):
            known = ", ".join(sorted({name for one in claims for name in one.source}))
            raise InputError(f"no row of {labelled} has the field “{field}”", f"name one of {known}")


def _write(records: Iterable[Json], path: Path | None, what: str) -> None:
    if path is None:
        return
    records = list(records)
    with sink(path) as stream:
        for record in records:
            echo_json(record, stream, indent=False)
    note(f"{count(len(records), what)} written to {path}")


def _parts(claims: Sequence[Judged], wrong: Sequence[Json], by: Iterable[str]) -> dict[str, Any]:
    names = ("gold", "got", "method", "why_not")
    return {
        "errors": len(wrong),
        "tiers": [asdict(part) for part in by_tier(claims)],
        "by": {field: [asdict(part) for part in by_field(claims, field)] for field in by},
        "selective": [asdict(one) for one in selective(claims)],
        "causes": [
            {**dict(zip(names, cause, strict=True)), "errors": number} for cause, number in causes(wrong).most_common()
        ],
    }


def _print(scores: Scores, claims: Sequence[Judged], wrong: Sequence[Json], by: Iterable[str]) -> None:
    out = console()
    print_scores(scores, out)
    out.print()
    print_parts("tier", by_tier(claims), out)
    for field in by:
        out.print()
        print_parts(field, by_field(claims, field), out)
    if selected := selective(claims):
        out.print()
        print_selective(selected, out)
    if wrong:
        out.print()
        counted = causes(wrong)
        rows = [(number, *cause) for cause, number in counted.most_common(CAUSES)]
        print_table(out, ["errors", "right", "given", "by", "not checked because"], rows, right=["errors"])
        if len(counted) > CAUSES:
            out.print(f"and {count(len(counted) - CAUSES, 'more cause')}: --format json has all")
    seconds, texts, rate = (scores.measures[name] for name in ("seconds", "texts_per_second", "claims_per_second"))
    note(f"{seconds:.1f} s: {texts:.1f} texts and {rate:.1f} claims a second")
