"""Which rows of a folder of merged NLI sets the shipped judge learns from, and which it is measured on.

The folder holds ``train.jsonl.gz`` and ``dev.jsonl.gz`` (see `read_pairs` for the fields, with ``licence``).
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from kgstore.verifier.training.pairs import OPEN_LICENCES, Pair, part_of, read_pairs

LEARNT = frozenset(range(8))
"""Of sources that have a development part only, these tenths of the premises are learnt from, the others measured."""
_HALVED = frozenset(("mnli", "snli", "fm2"))
_MOST = {"conjnli_adv": 6_000, "tabfact_pairs": 3_000, "tabfact_prelim": 1_500}
"""Fewer rows of sources whose labels are automatic, or that ask for sums over a whole table."""
_STRANGERS = 0.06
"""Share of rows that are given once more with the premise of another row, and of those without any: neutral. A judge
that has not read the premise cannot get them right."""


def learnt(folder: Path, seed: int = 13) -> list[Pair]:
    """The rows to learn from, only those whose licence lets weights be passed on."""
    chance = random.Random(seed)
    rows = list(read_pairs(folder / "train.jsonl.gz", OPEN_LICENCES))
    chance.shuffle(rows)
    taken: Counter[str] = Counter()
    kept = []
    for row in rows:
        taken[row.source] += 1
        if taken[row.source] <= _MOST.get(row.source, len(rows)):
            kept.append(row)
    dev = read_pairs(folder / "dev.jsonl.gz", OPEN_LICENCES)
    kept += [row for row in dev if row.source in _HALVED and part_of(row.premise) in LEARNT]
    return kept + strangers(kept, chance)


def measured(folder: Path) -> dict[str, list[Pair]]:
    """The rows of the development part that `learnt` leaves out, by source."""
    found: dict[str, list[Pair]] = {}
    for row in read_pairs(folder / "dev.jsonl.gz"):
        if row.source not in _HALVED or part_of(row.premise) not in LEARNT:
            found.setdefault(row.source, []).append(row)
    return dict(sorted(found.items()))


def strangers(rows: Sequence[Pair], chance: random.Random) -> list[Pair]:
    """Some of the hypotheses under a premise of another row of their source, a few under none: all neutral."""
    by_source: dict[str, list[Pair]] = {}
    for row in rows:
        by_source.setdefault(row.source, []).append(row)
    found = []
    for row in rows:
        if chance.random() < _STRANGERS:
            other = chance.choice(by_source[row.source])
            premise = "" if chance.random() < 0.15 else other.premise
            if premise != row.premise and not _akin(premise, row.hypothesis):
                found.append(Pair(premise, row.hypothesis, (1,), f"{row.source}:stranger"))
    return found


def _akin(premise: str, hypothesis: str) -> bool:
    """Whether a capitalised word or a number stands in both, so that they may speak of one thing after all."""
    first, second = (
        {word.strip(".,()'s") for word in text.split() if word[:1].isupper() or word[:1].isdigit()}
        for text in (premise, hypothesis)
    )
    return bool(first & second - {"The", "A", "In", "An"})
