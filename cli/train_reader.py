"""``kgstore train-reader``"""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import click

from cli.opening import open_store
from cli.options import format_option, kg_option
from cli.progress import counting, spinning
from cli.render import count, echo_json, note
from kgstore.errors import InputError

if TYPE_CHECKING:
    from verifier.training.reader_fit import Progress
    from verifier.training.reader_rows import Row


@click.command("train-reader")
@kg_option
@click.option(
    "-o",
    "--output",
    "target",
    required=True,
    type=click.Path(file_okay=False, path_type=Path),
    metavar="FOLDER",
    help="Where to write the reader; give it to --reader.",
)
@click.option("--number", default=5_000, show_default=True, type=click.IntRange(min=100), help="Sentences to make.")
@click.option(
    "--rows",
    "files",
    multiple=True,
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help='Sentences of your own besides: JSON lines with "text", "head" and "tail" (offsets, such as [0, 9]) and '
    '"relations", labels of what the sentence asserts between the two. May be given again.',
)
@click.option(
    "--from",
    "base",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    metavar="FOLDER",
    help="The reader to start from, in place of the built-in one.",
)
@click.option("--epochs", default=1.0, show_default=True, type=click.FloatRange(0.01), help="Times to go over them.")
@click.option("--rate", default=3e-5, show_default=True, type=float, help="Highest learning rate.")
@click.option("--seed", default=13, show_default=True, type=int, help="The same seed gives the same sentences.")
@click.option("--show", default=0, type=click.IntRange(min=0), metavar="N", help="Print N rows and train nothing.")
@format_option()
def train_reader(
    kg: Path,
    target: Path,
    number: int,
    files: tuple[Path, ...],
    base: Path | None,
    epochs: float,
    rate: float,
    seed: int,
    show: int,
    fmt: str,
) -> None:
    """Tune the relation reader on the statements of a KG.

    Sentences are made from the graph, two facts at a time, in the words that the KG has for its relations. A tenth is
    kept aside, and precision and recall on it are printed from before and after. 5,000 sentences take about five
    minutes on two cores. Sentences of your own texts teach it most: give them with --rows.

    \b
    Example:
        kgstore train-reader --kg company.kg -o company-reader
        kgstore verify report.txt --kg company.kg --reader company-reader
    """
    from verifier.read.opening import shipped
    from verifier.read.reader import FOLDER

    if base is None and not shipped():
        raise InputError("no reader came with this installation", "name one with `--from`")
    with open_store(kg) as store, TemporaryDirectory() as work:
        from verifier.training.reader_tune import own_rows, tune

        with spinning() as say:
            say("making sentences")
            rows = own_rows(store, number, seed, files)
        if show:
            _show(rows[0][:show], fmt)
            return
        from verifier.training.reader_fit import Recipe

        batch = Recipe().batch
        recipe = Recipe(steps=max(1, round(epochs * len(rows[0]) / batch)), rate=rate, seed=seed)
        with counting("training", recipe.steps * batch) as advance:
            done = 0

            def report(progress: Progress) -> None:
                nonlocal done
                advance(progress.step * batch - done)
                done = progress.step * batch

            found = tune(store, rows, target, recipe, Path(work), base or FOLDER, report)
    if fmt == "json":
        echo_json({"folder": str(target), **asdict(found)})
        return
    before, after = found.before, found.after
    note(f"learnt from {count(found.rows, 'row')}")
    note(
        f"on {count(after.relations, 'question')} about other sentences: recall {after.recall:.3f} (before: "
        f"{before.recall:.3f}), precision {after.precision:.3f} (before: {before.precision:.3f})"
    )
    note(f"use it with `--reader {target}`")


def _show(rows: list[Row], fmt: str) -> None:
    for row in rows:
        if fmt == "json":
            echo_json({"text": row.text, "head": row.head, "tail": row.tail, "relations": row.said}, indent=False)
        else:
            said = ", ".join(row.said) or "nothing"
            click.echo(f"{row.text}\n    {row.text[slice(*row.head)]} · {said} · {row.text[slice(*row.tail)]}")
