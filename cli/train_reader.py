"""``kgstore train-reader``"""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kgstore.cli.opening import open_store
from kgstore.cli.options import format_option, kg_option
from kgstore.cli.progress import counting, spinning
from kgstore.cli.render import count, echo_json, note
from kgstore.cli.train_judge import show_pairs
from kgstore.errors import InputError

if TYPE_CHECKING:
    from kgstore.verifier.training.fit import Progress


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
@click.option("--number", default=5_000, show_default=True, type=click.IntRange(min=100), help="Pairs to make.")
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
@click.option("--show", default=0, type=click.IntRange(min=0), metavar="N", help="Print N pairs and train nothing.")
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

    Sentences are made from the graph, two facts at a time, in the words that the KG has for its relations, each with
    statements that it asserts or does not. A tenth is kept aside, and the accuracy on it is printed from before and
    after. Sentences of your own texts teach it most: give them with --rows.

    \b
    Example:
        kgstore train-reader --kg company.kg -o company-reader
        kgstore verify report.txt --kg company.kg --reader company-reader
    """
    from kgstore.verifier.reader.opening import FOLDER, shipped

    if base is None and not shipped():
        raise InputError("no reader came with this installation", "name one with `--from`")
    with open_store(kg) as store, spinning() as say:
        from kgstore.verifier.training.reader_tune import own_pairs

        say("making sentences")
        learnt, held = own_pairs(store, number, seed, files)
    if show:
        show_pairs(learnt[:show], fmt)
        return
    from kgstore.verifier.training.fit import Recipe
    from kgstore.verifier.training.tune import tune

    recipe = Recipe(epochs=epochs, rate=rate, seed=seed)
    with counting("training", round(epochs * len(learnt))) as advance:
        done = 0

        def report(progress: Progress) -> None:
            nonlocal done
            advance(progress.step * recipe.batch - done)
            done = progress.step * recipe.batch

        found = tune(learnt, held, target, recipe, base or FOLDER, report=report)
    if fmt == "json":
        echo_json({"folder": str(target), **asdict(found)})
        return
    was, after = found.before["held out"], found.after["held out"]
    note(f"learnt from {count(found.pairs, 'pair')}")
    gain = f"{after.accuracy:.3f} (before: {was.accuracy:.3f})"
    note(f"accuracy on {count(after.rows, 'pair')} of other sentences: {gain}")
    note(f"use it with `--reader {target}`")
