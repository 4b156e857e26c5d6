"""``kgstore train-judge``"""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kgstore.cli.opening import open_store
from kgstore.cli.options import format_option, kg_option
from kgstore.cli.progress import counting, spinning
from kgstore.cli.render import count, echo_json, note
from kgstore.errors import InputError

if TYPE_CHECKING:
    from kgstore.verifier.training.fit import Progress
    from kgstore.verifier.training.pairs import Pair


@click.command("train-judge")
@kg_option
@click.option(
    "-o",
    "--output",
    "target",
    required=True,
    type=click.Path(file_okay=False, path_type=Path),
    metavar="FOLDER",
    help="Where to write the judge; give it to --judge.",
)
@click.option("--number", default=10_000, show_default=True, type=click.IntRange(min=100), help="Pairs to make.")
@click.option(
    "--pairs",
    "files",
    multiple=True,
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help='Rows of your own besides: JSON lines with "premise", "hypothesis" and "label" (entailment, neutral, '
    "contradiction, not_entailment). May be given again.",
)
@click.option(
    "--from",
    "base",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    metavar="FOLDER",
    help="The judge to start from, in place of the built-in one.",
)
@click.option("--epochs", default=1.0, show_default=True, type=click.FloatRange(0.01), help="Times to go over them.")
@click.option("--rate", default=3e-5, show_default=True, type=float, help="Highest learning rate.")
@click.option("--seed", default=13, show_default=True, type=int, help="The same seed gives the same pairs.")
@click.option("--show", default=0, type=click.IntRange(min=0), metavar="N", help="Print N pairs and train nothing.")
@format_option()
def train_judge(
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
    """Tune the judge on the statements of a KG.

    Pairs of premise and hypothesis are made from the graph: facts in other words, coarser, turned round, denied; other
    values of the same property; facts that the premise is silent about. A tenth of the subjects is kept aside, and the
    accuracy on them is printed from before and after. 10,000 pairs take about five minutes on two cores.

    \b
    Example:
        kgstore train-judge --kg company.kg -o company-judge
        kgstore verify report.txt --kg company.kg --judge company-judge
    """
    from kgstore.verifier.judges.native import FOLDER
    from kgstore.verifier.judges.opening import ours
    from kgstore.verifier.training.pairs import read_pairs

    if base is None and not ours(FOLDER):
        raise InputError("no judge came with this installation", "name one with `--from`")
    with open_store(kg) as store:
        from kgstore.verifier.training.tune import kg_pairs, tune

        with spinning() as say:
            say("making pairs")
            learnt, held = kg_pairs(store, number, seed)
            learnt += [pair for file in files for pair in read_pairs(file)]
            if show:
                show_pairs(learnt[:show], fmt)
                return
        from kgstore.verifier.training.fit import Recipe

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
    before = found.before.get("held out")
    after = found.after["held out"]
    was = "" if before is None else f" (before: {before.three_way:.3f})"
    note(f"learnt from {count(found.pairs, 'pair')}")
    note(f"accuracy on {count(after.rows, 'pair')} about other subjects: {after.three_way:.3f}{was}")
    note(f"use it with `--judge {target}`")


def show_pairs(pairs: list[Pair], fmt: str) -> None:
    """Print what would be learnt from."""
    from kgstore.verifier.training.pairs import LABELS

    for pair in pairs:
        label = " or ".join(LABELS[number] for number in pair.allowed)
        if fmt == "json":
            row = {"premise": pair.premise, "hypothesis": pair.hypothesis, "label": label, "source": pair.source}
            echo_json(row, indent=False)
        else:
            click.echo(f"{label}: {pair.hypothesis}\n" + "".join(f"    {line}\n" for line in pair.premise.split("\n")))
