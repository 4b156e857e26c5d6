"""Makes the relation reader that comes with kgstore, from the shipped judge.

    python -m verifier.training.reader --reading DIR --nli DIR --kg medium.kg --sayings DIR --work DIR -o FOLDER
"""

from __future__ import annotations

import argparse
import logging
import random
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from kgstore.store import Store
from verifier.judges.native import FOLDER as JUDGE
from verifier.read.asking import Encoder
from verifier.training import reader_fit as fit
from verifier.training import reader_rows as made
from verifier.training.reader_names import Names

SEED = 13
_MOST = 350
"""Rows of one relation from one source, before the harder ones made of them."""
_log = logging.getLogger(__name__)


def rows_of(reading: Path, nli: Path, store: Store, sayings: Path | None, templates: int) -> list[made.Row]:
    """All rows, without those that only ask about held-out relations."""
    chance = random.Random(SEED)
    rows = [
        *made.tekgen(reading / "tekgen.jsonl.gz", chance),
        *_few(made.fewrel(reading / "fewrel.jsonl.gz", chance), chance),
        *made.docred(reading / "docred.jsonl.gz", chance),
        *made.infoboxes(nli / "train.jsonl.gz"),
        *made.Templates(store, SEED).make(templates),
    ]
    if sayings is not None:
        fillers = made.Fillers(store, chance)
        for path in sorted(sayings.glob("*.jsonl")):
            rows += made.sayings(path, fillers)
    return [row for row in rows if not (row.said and all(map(made.is_held_out, row.said)))]


def _few(rows, chance: random.Random) -> list[made.Row]:
    rows = list(rows)
    chance.shuffle(rows)
    counted: Counter[str] = Counter()
    kept = []
    for row in rows:
        key = (*row.said, *row.rivals)[0]
        counted[key] += 1
        if counted[key] <= 2 * _MOST:
            kept.append(row)
    return kept


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--reading", type=Path, required=True)
    parser.add_argument("--nli", type=Path, required=True)
    parser.add_argument("--kg", type=Path, required=True)
    parser.add_argument("--sayings", type=Path)
    parser.add_argument("--base", type=Path, default=JUDGE)
    parser.add_argument("--templates", type=int, default=6000)
    parser.add_argument("--steps", type=int, default=2500)
    parser.add_argument("--rate", type=float, default=1e-4)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("-o", "--output", type=Path, required=True)
    given = parser.parse_args(arguments)
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    given.work.mkdir(parents=True, exist_ok=True)
    with Store(given.kg) as store:
        rows = rows_of(given.reading, given.nli, store, given.sayings, given.templates)
        names = Names(rows, store)
    _log.info("%d rows, %d relations, %s", len(rows), len(names.labels), dict(Counter(row.source for row in rows)))
    recipe = fit.Recipe(steps=given.steps, rate=given.rate, seed=given.seed)
    model, encoder = fit.load(given.base), Encoder(given.base / "tokenizer.json")
    fit.train(model, rows, names, encoder, recipe, given.work, lambda now: _log.info("%s", now))
    fit.save(model, encoder.tokenizer, given.output, recipe)


if __name__ == "__main__":
    main()
