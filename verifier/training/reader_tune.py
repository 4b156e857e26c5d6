"""Tuning the relation reader on a user's own graph."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from pathlib import Path

from kgstore.errors import InputError
from kgstore.store import Store
from kgstore.verifier.measure.reviews import holds, latest
from kgstore.verifier.measure.reviews import read as reviewed
from kgstore.verifier.training.pairs import Pair, part_of
from kgstore.verifier.training.reader import pairs
from kgstore.verifier.training.reader_names import Names
from kgstore.verifier.training.reader_rows import Row, Templates, read

_FEWEST = 100
_HELD = 9
"""Sentences of this tenth are measured, never learnt from."""


def own_pairs(store: Store, number: int, seed: int, files: Iterable[Path] = ()) -> tuple[list[Pair], list[Pair]]:
    """Pairs to learn from and to measure with: statements of the KG in words, and sentences of the user's own.

    :param files: JSON lines with ``text``, ``head`` and ``tail`` (``[start, end]``) and ``relations``, a list of
        labels, or reviews of `kgstore serve`
    :raises InputError: if the graph holds too little to make sentences of, or a line is no such row
    """
    rows = [*(row for path in files for row in _given(path)), *Templates(store, seed).make(number)]
    names, chance = Names(rows, store, all_labels=True), random.Random(seed)
    made = pairs(rows, names, number, chance, shares={})
    held = [pair for pair in made if part_of(pair.premise) == _HELD]
    learnt = [pair for pair in made if part_of(pair.premise) != _HELD]
    if len(learnt) < _FEWEST or not held:
        why = f"the graph gives {len(made)} pairs, too few to learn from"
        raise InputError(why, "load more, or give sentences of your own with `--rows`")
    return learnt, held


def _given(path: Path) -> Iterator[Row]:
    lines = latest(reviewed(path)) if holds(path) else read(path)
    for number, line in enumerate(lines, 1):
        if holds(path) and "relations" not in line:
            continue  # it was settled without a statement that names the relation
        try:
            (start, end), (first, last) = line["head"], line["tail"]
            yield Row(line["text"], (start, end), (first, last), tuple(line["relations"]), source="own")
        except (KeyError, TypeError, ValueError) as error:
            expected = 'each line needs "text", "head", "tail" and "relations"'
            raise InputError(f"{path}, line {number}: {error!r}", expected) from None
