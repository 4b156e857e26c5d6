"""``kgstore calibrate``"""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict
from pathlib import Path

import click

from kgstore.cli.batch import Settings, reports
from kgstore.cli.options import (
    embedder_option,
    extractor_options,
    format_option,
    jobs_option,
    judge_option,
    kg_option,
    reader_option,
    with_settings,
)
from kgstore.cli.progress import counting
from kgstore.cli.render import console, count, echo_json, note, plain, print_table, sink
from kgstore.cli.scores import half_option, labelled_rows, number, spaced
from kgstore.cli.texts import Text
from kgstore.errors import InputError, StoreNotFound
from kgstore.verifier.decide.combine import OWN, shipped
from kgstore.verifier.measure.calibration import Example, examples
from kgstore.verifier.measure.labelled import Json
from kgstore.verifier.measure.reliability import Accusations, Calibration, recalibrated
from kgstore.verifier.measure.reliability_plot import check_plot, reliability_plot


@click.command()
@click.argument("labelled", nargs=-1, required=True, type=click.Path(exists=True, dir_okay=False, path_type=Path))
@kg_option
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help=f"Write the weights to FILE, for --calibration. [default: {OWN} in the KG, which then always uses them]",
)
@click.option(
    "--max-false-accusations",
    "most",
    type=click.FloatRange(0, 100),
    metavar="PERCENT",
    help="Withhold accusations of which one is too unsure, so that at most so many of the claims that are not "
    "contradictory are called so. [default: withhold those below 0.5]",
)
@click.option(
    "--folds", type=click.IntRange(min=2), default=5, show_default=True, metavar="N", help="Parts to test on in turn."
)
@click.option(
    "--plot",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Draw how often verdicts of each confidence are right, as .svg or .png.",
)
@half_option
@with_settings(extractor_options, judge_option, reader_option, embedder_option)
@jobs_option
@format_option()
def calibrate(
    labelled: tuple[Path, ...],
    settings: Settings,
    output: Path | None,
    most: float | None,
    folds: int,
    plot: Path | None,
    half: str | None,
    jobs: int,
    fmt: str,
) -> None:
    """Make confidence mean what it says on your own labelled claims.

    LABELLED are files as for `kgstore evaluate`. The probabilities of a verdict are a logistic function of its
    features; their weights start from the built-in ones and move as far as the labelled claims insist: thirty change
    little, a thousand decide. What is reported as "after" is cross-validated: each part of the claims is weighed by
    what the other parts teach, and the claims about one subject are in one part. "before" is with the built-in weights.

    The weights go into the KG, where verify, correct and evaluate use them, or into a FILE for their --calibration.

    \b
    Example:
        kgstore calibrate claims.jsonl --kg small.kg --max-false-accusations 1 --plot reliability.svg
        kgstore calibrate claims.jsonl more.jsonl --kg small.kg -o weights.json
    """
    if plot:
        check_plot(plot)
    kg = settings.kg
    assert kg is not None  # its option is required
    if not kg.is_dir():
        raise StoreNotFound(kg)
    gold = {path: labelled_rows(path, half) for path in labelled}
    skipped: Counter[str] = Counter()
    rows = _verified(gold, settings, jobs, skipped)
    try:
        done = recalibrated(rows, shipped(), folds=folds, most=None if most is None else most / 100)
    except ValueError as error:
        why = f"{count(len(rows), 'verdict')} on {count(sum(map(len, gold.values())), 'row')}: {error}"
        raise InputError(why, "label more claims about entities of the KG") from error
    target = output or kg / OWN
    with sink(target) as stream:
        stream.write(done.combination.to_json())
    if plot:
        reliability_plot(plot, (done.after, done.bins), (done.before, done.bins_before))
    if fmt == "json":
        echo_json(_plain(done, skipped, target))
    else:
        _print(done, skipped)
        _warn(done.accusations, most)
        note(f"weights written to {target}")


def _verified(gold: dict[Path, list[Json]], settings: Settings, jobs: int, skipped: Counter[str]) -> list[Example]:
    """The examples of all files, in order."""
    items = [Text(row["text"], row["id"]) for rows in gold.values() for row in rows]
    found: list[Example] = []
    with counting("verifying", len(items)) as advance:
        coming = reports(items, settings, jobs)
        for path, rows in gold.items():
            made = {}
            for row in rows:
                made[row["id"]] = {"claims": next(coming)["claims"]}
                advance(1)
            found += examples(rows, made, skipped, str(path))
    return found


def _plain(done: Calibration, skipped: Counter[str], target: Path) -> Json:
    found = asdict(done)
    return {**found, "combination": {**done.combination.about}, "left_out": dict(skipped), "written": str(target)}


def _print(done: Calibration, skipped: Counter[str]) -> None:
    out = console()
    left_out = "".join(f"; left out: {n:,} {why}" for why, n in skipped.items())
    title = f"{count(done.verdicts, 'verdict')} on claims about {count(done.subjects, 'subject')}{left_out}"
    out.print(plain(title, "bold"))
    out.print()
    before, after = asdict(done.before), asdict(done.after)
    rows = [(spaced(name), number(before[name]), number(after[name])) for name in before]
    print_table(out, ["measure", "before", "after"], rows, right=["before", "after"])
    out.print()
    header = ["confidence", "verdicts", "mean", "right"]
    parts = [
        (f"{one.low:.1f} to {one.high:.1f}", one.verdicts, number(one.confidence), number(one.right))
        for one in done.bins
    ]
    print_table(out, header, parts, right=header[1:])
    out.print()
    accused = done.accusations
    share = ""
    if accused.interval:
        share = f": {accused.rate:.1%}, 95 % interval " + " to ".join(f"{end:.1%}" for end in accused.interval)
    innocent = f"{count(accused.innocent, 'claim')} that are not contradictory"
    out.print(plain(f"accusations are withheld below {accused.threshold:.2f}"))
    out.print(plain(f"false accusations: {accused.false} of {innocent}{share}"))
    out.print(plain(f"true contradictions given up: {accused.given_up} of {accused.right + accused.given_up}"))


def _warn(accused: Accusations, most: float | None) -> None:
    if most is None:
        return
    if accused.rate > most / 100:
        note(f"no threshold keeps false accusations at {most:g} % of these claims")
    elif accused.interval is None or accused.interval[1] > most / 100:
        note(f"these are too few claims to prove that false accusations stay at {most:g} %")
