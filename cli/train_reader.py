"""``kgstore train-reader``"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from kgstore.cli.progress import spinning
from kgstore.cli.training import Asked, train, training_options
from kgstore.errors import InputError
from kgstore.store import Store

_ROWS = (
    'Sentences of your own besides: JSON lines with "text", "head" and "tail" (offsets, such as [0, 9]) and '
    '"relations", labels of what the sentence asserts between the two.'
)


@click.command("train-reader")
@training_options("reader", 5_000, "sentences", "--rows", _ROWS)
def train_reader(kg: Path, **given: Any) -> None:
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

    asked = Asked(**given)
    if asked.base is None and not shipped():
        raise InputError("no reader came with this installation", "name one with `--from`")
    with Store(kg) as store, spinning() as say:
        from kgstore.verifier.training.reader_tune import own_pairs

        say("making sentences")
        learnt, held = own_pairs(store, asked.number, asked.seed, asked.files)
    train(asked, learnt, held, "reader", FOLDER)
