"""``kgstore train-judge``"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from kgstore.cli.progress import spinning
from kgstore.cli.training import Asked, train, training_options
from kgstore.errors import InputError
from kgstore.store import Store

_ROWS = (
    'Rows of your own besides: JSON lines with "premise", "hypothesis" and "label" (entailment, neutral, '
    "contradiction, not_entailment)."
)


@click.command("train-judge")
@training_options("judge", 10_000, "pairs", "--pairs", _ROWS)
def train_judge(kg: Path, **given: Any) -> None:
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

    asked = Asked(**given)
    if asked.base is None and not ours(FOLDER):
        raise InputError("no judge came with this installation", "name one with `--from`")
    with Store(kg) as store, spinning() as say:
        from kgstore.verifier.training.tune import kg_pairs

        say("making pairs")
        learnt, held = kg_pairs(store, asked.number, asked.seed)
    learnt += [pair for file in asked.files for pair in read_pairs(file)]
    train(asked, learnt, held, "judge", FOLDER)
