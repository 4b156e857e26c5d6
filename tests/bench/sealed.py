"""How small is a sealed KG, and how quick?

Run:    python -m tests.bench.sealed KG SEALED [--count 2000] [--seed 7]
Prints: one JSON line: bytes a triple of both, by part; milliseconds at the 50th and 95th percentile, first time and
        again, of the triples of an entity, of its statements, and of a name, for entities that are drawn evenly.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from kgstore.store import Store


def sizes(kg: Path) -> dict[str, float]:
    [generation] = kg.glob("generations/*")
    with Store(kg) as store:
        triples = store.manifest.counts["triples"]
    found = {}
    for part in sorted(generation.iterdir()):
        files = [part] if part.is_file() else [one for one in part.rglob("*") if one.is_file()]
        found[part.name] = round(sum(one.stat().st_size for one in files) / triples, 2)
    return {"all": round(sum(found.values()), 1), **{name: size for name, size in found.items() if size >= 0.05}}


def timed(ask: Callable[[str], object], given: Sequence[str]) -> list[float]:
    times = []
    for one in given:
        started = time.perf_counter()
        ask(one)
        times.append(1000 * (time.perf_counter() - started))
    cuts = statistics.quantiles(times, n=20)
    return [round(cuts[9], 3), round(cuts[18], 3)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kg", type=Path)
    parser.add_argument("sealed", type=Path)
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=7)
    args = parser.parse_args()
    found: dict[str, object] = {"bytes a triple": {one.name: sizes(one) for one in (args.kg, args.sealed)}}
    for kg in (args.kg, args.sealed):
        with Store(kg) as store:
            draw = random.Random(args.seed)
            some = [store.catalog.at(draw.randrange(len(store.catalog))) for _ in range(args.count)]
            iris, names = [one.iri for one in some], [one.label for one in some]
            asked = {
                "triples": lambda iri, store=store: list(store.match(iri)),
                "statements": store.statements,
                "name": lambda name, store=store: store.lookup([name]),
            }
            found[kg.name] = {
                what: {"first": timed(ask, names if what == "name" else iris),
                       "again": timed(ask, names if what == "name" else iris)}
                for what, ask in asked.items()
            }  # fmt: skip
    print(json.dumps(found))


if __name__ == "__main__":
    main()
