"""Makes the relation reader that comes with kgstore, from the shipped judge, in four courses.

    python -m verifier.training.reader --reading DIR --nli DIR --kg medium.kg --work DIR -o FOLDER

Each row of `verifier.training.reader_rows` becomes pairs of the sentence and one statement in words, whose relation the
sentence asserts between the two places or does not. Each course sees other pairs of the same rows; one that was
finished is not made again, so that a run that was stopped goes on with the next one.
"""

from __future__ import annotations

import argparse
import logging
import random
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from kgstore.store import Store
from verifier.judges.native import FOLDER as JUDGE
from verifier.read.asking import Question, hypothesis
from verifier.training import fit
from verifier.training import reader_rows as made
from verifier.training.pairs import Pair
from verifier.training.reader_names import Names

SEED = 13
MAX_TOKENS = 112
ASSERTED, UNASSERTED = (0,), (1, 2)
COURSES = (
    (30_000, fit.Recipe(epochs=1, rate=1e-4, seed=SEED, max_tokens=MAX_TOKENS)),
    (30_000, fit.Recipe(epochs=1, rate=8e-5, seed=SEED + 1, max_tokens=MAX_TOKENS)),
    (60_000, fit.Recipe(epochs=1, rate=1.8e-4, seed=SEED + 2, max_tokens=MAX_TOKENS)),
    (40_000, fit.Recipe(epochs=1, rate=1e-4, seed=SEED + 3, max_tokens=MAX_TOKENS)),
)
"""How many pairs, and how they are learnt."""
_MOST = 250
"""Rows of one relation of FewRel, which has 700 of each of 16."""
_SHARES = {"fewrel": 0.6, "docred": 0.8, "templates": 0.6}
"""Of the rows of a source that a course sees."""
_log = logging.getLogger(__name__)


def rows_of(reading: Path, nli: Path, store: Store, sayings: Path, templates: int) -> list[made.Row]:
    """All rows, without those that only ask about held-out relations."""
    chance = random.Random(SEED)
    rows = [
        *made.tekgen(reading / "tekgen.jsonl.gz", chance),
        *_few(made.fewrel(reading / "fewrel.jsonl.gz", chance), chance),
        *made.docred(reading / "docred.jsonl.gz", chance),
        *made.infoboxes(nli / "train.jsonl.gz"),
        *made.Templates(store, SEED).make(templates),
        *made.sayings(sayings, made.Fillers(store, chance)),
    ]
    return [row for row in rows if not (row.said and all(map(made.is_held_out, row.said)))]


def _few(rows: Iterable[made.Row], chance: random.Random) -> list[made.Row]:
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


def pairs(rows: Sequence[made.Row], names: Names, number: int, chance: random.Random) -> list[Pair]:
    """Sentence and statement, at most three of a row: what it asserts, and what it is easily taken to assert."""
    chosen = [row for row in rows if chance.random() < _SHARES.get(row.source, 1.0)]
    chance.shuffle(chosen)
    found: list[Pair] = []
    for row in chosen:
        for label, yes in names.asked(row, chance):
            question = Question(row.text, row.head, row.tail)
            said = hypothesis(question, names.shown(label, chance))
            found.append(Pair(row.text, said, ASSERTED if yes else UNASSERTED, row.source))
        if len(found) >= number:
            break
    return found


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--reading", type=Path, required=True, help="folder of tekgen, fewrel and docred")
    parser.add_argument("--nli", type=Path, required=True, help="folder of train.jsonl.gz, for InfoTabs")
    parser.add_argument("--kg", type=Path, required=True, help="a KG to make templates from")
    parser.add_argument("--sayings", type=Path, default=Path("data/sayings.jsonl"))
    parser.add_argument("--wordings", type=Path, help="what `verifier.training.wordings` wrote")
    parser.add_argument("--base", type=Path, default=JUDGE)
    parser.add_argument("--templates", type=int, default=6000)
    parser.add_argument("--work", type=Path, required=True, help="folder of the courses; what is done stays done")
    parser.add_argument("-o", "--output", type=Path, required=True)
    given = parser.parse_args(arguments)
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    with Store(given.kg) as store:
        rows = rows_of(given.reading, given.nli, store, given.sayings, given.templates)
        rows += made.wordings(given.wordings, random.Random(SEED)) if given.wordings else ()
        names = Names(rows, store)
    _log.info("%d rows, %d relations, %s", len(rows), len(names.labels), dict(Counter(row.source for row in rows)))
    at = given.base
    for number, (size, recipe) in enumerate(COURSES, 1):
        target = given.work / f"course{number}"
        if not (target / "config.json").exists():
            learnt = pairs(rows, names, size, random.Random(recipe.seed))
            asserted = sum(pair.allowed == ASSERTED for pair in learnt)
            _log.info("course %d: %d pairs, %d asserted", number, len(learnt), asserted)
            _learn(learnt, recipe, at, target)
        at = target
    model, tokenizer = fit.load(at)
    fit.save(model, tokenizer, given.output, temperature=1.0, max_tokens=MAX_TOKENS)


def _learn(learnt: Sequence[Pair], recipe: fit.Recipe, base: Path, target: Path) -> None:
    model, tokenizer = fit.load(base)
    fit.train(model, fit.encoded(learnt, tokenizer, recipe.max_tokens), recipe, lambda now: _log.info("%s", now))
    fit.save(model, tokenizer, target, temperature=1.0, max_tokens=MAX_TOKENS)


if __name__ == "__main__":
    main()
