"""``kgstore correct``"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from cli.batch import Settings, open_verifier
from cli.options import (
    calibration_option,
    embedder_option,
    extractor_options,
    format_option,
    judge_option,
    kg_option,
    output_option,
)
from cli.progress import counting
from cli.render import clean, count, echo_json, note, sink
from cli.texts import Text
from cli.verify import wanted
from verifier.correct import Corrected, correct_text
from verifier.extract.reading import Reading


@click.command()
@click.argument("files", nargs=-1, metavar="[FILE|-]...")
@kg_option
@click.option("--text", "literal", metavar="TEXT", help="A text to correct, in place of a file.")
@extractor_options
@judge_option
@calibration_option
@embedder_option
@format_option("jsonl")
@output_option
def correct(
    files: tuple[str, ...],
    kg: Path,
    literal: str | None,
    reading: Reading,
    judge: str | None,
    calibration: Path | None,
    embedder: Path | None,
    fmt: str,
    output: Path | None,
) -> None:
    """Correct what a KG contradicts in a text.

    Edits are as small as possible, and each is verified again before it is made. The corrected text goes to stdout,
    what was changed to stderr; --format json has both. Files and batches work as with `kgstore verify`.

    \b
    Example:
        kgstore correct report.txt --kg small.kg -o corrected.txt
        kgstore correct --text "Douglas Adams was born in London." --kg small.kg --format json
    """
    texts = wanted(files, literal)
    if left_out := sum(item.context is not None for item in texts.items):
        note(f"{count(left_out, 'line')} with a context: it is not used, texts are corrected by the KG only")
    whole: list[dict[str, Any]] = []
    with (
        open_verifier(Settings(kg, embedder, reading, judge, calibration)) as (verifier, store),
        sink(output) as stream,
        counting("correcting", len(texts.items)) as advance,
    ):
        for item in texts.items:
            done = correct_text(item.text, verifier.verify, store)
            if fmt == "text":
                click.echo(
                    done.text if not stream.isatty() else clean(done.text), file=stream, nl=not done.text.endswith("\n")
                )
                _tell(item, done)
            elif fmt == "jsonl":
                echo_json(_dict(item, done), stream, indent=False)
            else:
                whole.append(_dict(item, done))
            advance(1)
        if fmt == "json":
            echo_json(whole if texts.batch or len(whole) > 1 else whole[0], stream)


def _dict(item: Text, done: Corrected) -> dict[str, Any]:
    edits = [
        {"start": one.start, "end": one.end, "old": item.text[one.start : one.end], "new": one.text}
        for one in done.corrections
    ]
    return {
        "id": item.id,
        "text": item.text,
        "corrected": done.text,
        "edits": edits,
        "withheld": done.withheld,
        "label": done.report.label,
    }


def _tell(item: Text, done: Corrected) -> None:
    where = "" if item.id is None else f"{item.id}: "
    for one in done.corrections:
        note(f"{where}{one.start}: “{item.text[one.start : one.end]}” → “{one.text}”")
    if done.withheld:
        note(f"{where}{count(done.withheld, 'contradicted claim')} left as it was: no edit that verifies")
    if not done.corrections and not done.withheld:
        note(f"{where}nothing to correct")
