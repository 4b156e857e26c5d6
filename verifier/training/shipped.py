"""Makes the judge that comes with kgstore, from the packaged sentence model, in three courses.

    python -m kgstore.verifier.training.shipped --nli DIR --kg small.kg --kg medium.kg --work DIR \
        -o verifier/models/judge

The first is general language inference (`verifier.training.public`); the second and third are pairs made from KGs,
other ones each time, with half of the general rows. The temperature is set on a part of the rows that are kept aside,
and the table of the model card is measured on the others.
"""

from __future__ import annotations

import argparse
import logging
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import orjson

from kgstore.store import Store
from kgstore.verifier.judges.native import NativeJudge
from kgstore.verifier.training import fit, public
from kgstore.verifier.training.embedder import original
from kgstore.verifier.training.measure import measure, table
from kgstore.verifier.training.pairs import Pair, part_of
from kgstore.verifier.training.tune import kg_pairs

SEED = 13
COURSES = (
    fit.Recipe(epochs=2, rate=1e-4, seed=SEED, max_tokens=128),
    fit.Recipe(epochs=1, rate=7e-5, seed=SEED + 1, max_tokens=128),
    fit.Recipe(epochs=1, rate=5e-5, seed=SEED + 2, max_tokens=128),
)
PER_KG = (18_000, 12_000)
"""Pairs from each KG in the second and in the third course."""
_SETTING = ("infotabs", "snli", "mnli", "fever_rte_dev", "cad_nli", "KG pairs, other subjects")
"""A fifth of the kept-aside rows of these (by hypothesis) sets the temperature and is not reported."""
_MOST_ROWS = 2_000

_log = logging.getLogger(__name__)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nli", type=Path, required=True, help="folder of train.jsonl.gz and dev.jsonl.gz")
    parser.add_argument("--kg", type=Path, action="append", required=True, help="a KG to make pairs from; repeatable")
    parser.add_argument("--unseen", type=Path, help="a KG to measure with only")
    parser.add_argument("-o", "--output", type=Path, required=True)
    parser.add_argument("--work", type=Path, required=True, help="folder of the courses; what is done stays done")
    parser.add_argument("--base", type=Path, help="another BERT to start from")
    given = parser.parse_args(arguments)
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")

    general = public.learnt(given.nli, SEED)
    made: list[list[Pair]] = [[], []]
    held: list[Pair] = []
    for folder in given.kg:
        with Store(folder) as store:
            for course, number in enumerate(PER_KG):
                learnt, aside = kg_pairs(store, number, SEED + course)
                made[course] += learnt
            held += aside
    _log.info("%d general rows, %d and %d pairs of KGs", len(general), *map(len, made))
    courses = (general, general[::2] + made[0], general[1::2] + made[1])
    at = given.base or original()
    for number, (pairs, recipe) in enumerate(zip(courses, COURSES, strict=True), 1):
        at = _course(pairs, recipe, at, given.work / f"course{number}")
    model, tokenizer = fit.load(at)

    sources = public.measured(given.nli)
    sources["KG pairs, other subjects"] = held
    setting = [row for name in _SETTING for row in sources.get(name, ()) if part_of(row.hypothesis) < 2]
    rows = fit.encoded(setting, tokenizer, fit.MAX_TOKENS)
    heat = fit.temperature(fit.logits_of(model, rows), [allowed for _, _, allowed in rows])
    fit.save(model, tokenizer, given.output, temperature=heat, max_tokens=fit.MAX_TOKENS)
    _log.info("temperature %.3f", heat)

    for name in _SETTING:
        sources[name] = [row for row in sources.get(name, ()) if part_of(row.hypothesis) >= 2]
    if given.unseen:
        with Store(given.unseen) as store:
            sources["KG pairs, other KG"] = kg_pairs(store, _MOST_ROWS, SEED)[0]
    found = measure(NativeJudge(given.output), {name: rows[:_MOST_ROWS] for name, rows in sources.items()}, blind=True)
    (given.output / "results.json").write_bytes(
        orjson.dumps({name: asdict(one) for name, one in found.items()}, option=orjson.OPT_INDENT_2)
    )
    print("\n".join(table(found)))


def _course(pairs: list[Pair], recipe: fit.Recipe, base: Path, target: Path) -> Path:
    """Train what lies in one folder further into another one, unless that is there."""
    if not (target / "config.json").exists():
        model, tokenizer = fit.load(base)
        fit.train(model, fit.encoded(pairs, tokenizer, recipe.max_tokens), recipe, lambda now: _log.info("%s", now))
        fit.save(model, tokenizer, target, temperature=1.0, max_tokens=fit.MAX_TOKENS)
    return target


if __name__ == "__main__":
    main()
