"""What ``kgstore train-judge`` and ``train-reader`` have in common: options, training, and what is said of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kgstore.cli.options import format_option, kg_option
from kgstore.cli.progress import counting
from kgstore.cli.render import count, echo_json, note

if TYPE_CHECKING:
    from kgstore.verifier.training.fit import Progress
    from kgstore.verifier.training.pairs import Pair

Command = Callable[..., Any]


@dataclass(frozen=True, slots=True)
class Asked:
    """The options of a training command, ``--kg`` apart; ``files`` are the user's own rows."""

    target: Path
    number: int
    files: tuple[Path, ...]
    base: Path | None
    epochs: float
    rate: float
    seed: int
    show: int
    fmt: str


def training_options(what: str, number: int, made: str, rows: str, rows_help: str) -> Callable[[Command], Command]:
    """The options of one command.

    :param what: judge or reader
    :param number: of pairs, unless given
    :param made: what is made of the graph
    :param rows: the option that names rows of the user's own
    """
    options = (
        kg_option,
        click.option(
            "-o",
            "--output",
            "target",
            required=True,
            type=click.Path(file_okay=False, path_type=Path),
            metavar="FOLDER",
            help=f"Where to write the {what}; give it to --{what}.",
        ),
        click.option(
            "--number", default=number, show_default=True, type=click.IntRange(min=100), help="Pairs to make."
        ),
        click.option(
            rows,
            "files",
            multiple=True,
            type=click.Path(exists=True, dir_okay=False, path_type=Path),
            metavar="FILE",
            help=f"{rows_help} May be given again.",
        ),
        click.option(
            "--from",
            "base",
            type=click.Path(exists=True, file_okay=False, path_type=Path),
            metavar="FOLDER",
            help=f"The {what} to start from, in place of the built-in one.",
        ),
        click.option(
            "--epochs", default=1.0, show_default=True, type=click.FloatRange(0.01), help="Times to go over them."
        ),
        click.option("--rate", default=3e-5, show_default=True, type=float, help="Highest learning rate."),
        click.option("--seed", default=13, show_default=True, type=int, help=f"The same seed gives the same {made}."),
        click.option(
            "--show", default=0, type=click.IntRange(min=0), metavar="N", help="Print N pairs and train nothing."
        ),
        format_option(),
    )

    def with_options(command: Command) -> Command:
        for option in reversed(options):
            command = option(command)
        return command

    return with_options


def train(asked: Asked, learnt: Sequence[Pair], held: Sequence[Pair], what: str, base: Path) -> None:
    """Train, and say how good the outcome is; or only show what would be learnt from.

    :param what: judge or reader
    :param base: the model to start from, unless one is asked for
    """
    if asked.show:
        _show(learnt[: asked.show], asked.fmt)
        return
    from kgstore.verifier.training.fit import Recipe
    from kgstore.verifier.training.tune import tune

    recipe = Recipe(epochs=asked.epochs, rate=asked.rate, seed=asked.seed)
    with counting("training", round(asked.epochs * len(learnt))) as advance:
        done = 0

        def report(progress: Progress) -> None:
            nonlocal done
            advance(progress.step * recipe.batch - done)
            done = progress.step * recipe.batch

        found = tune(learnt, held, asked.target, recipe, asked.base or base, report=report)
    if asked.fmt == "json":
        echo_json({"folder": str(asked.target), **asdict(found)})
        return
    before, after = found.before.get("held out"), found.after["held out"]
    measure = "three_way" if what == "judge" else "accuracy"  # the reader says yes or no
    was = "" if before is None else f" (before: {getattr(before, measure):.3f})"
    note(f"learnt from {count(found.pairs, 'pair')}")
    note(f"accuracy on {count(after.rows, 'pair')} kept aside: {getattr(after, measure):.3f}{was}")
    note(f"use it with `--{what} {asked.target}`")


def _show(pairs: Sequence[Pair], fmt: str) -> None:
    """Print what would be learnt from."""
    from kgstore.verifier.training.pairs import LABELS

    for pair in pairs:
        label = " or ".join(LABELS[number] for number in pair.allowed)
        if fmt == "json":
            row = {"premise": pair.premise, "hypothesis": pair.hypothesis, "label": label, "source": pair.source}
            echo_json(row, indent=False)
        else:
            click.echo(f"{label}: {pair.hypothesis}\n" + "".join(f"    {line}\n" for line in pair.premise.split("\n")))
