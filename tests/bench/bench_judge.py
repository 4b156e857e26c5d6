"""How many pairs a second does a judge read, and how long does one take by itself?

Run:    python -m tests.bench.bench_judge my.kg --judge default --pairs 400 --seed 7
Prints: one JSON line (arguments, median rate, slowest over fastest, milliseconds of a pair alone), so that runs can
        be appended and compared.

Premises are a few statements of one subject in words, the hypothesis is one of them, as the verifier asks them.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import time
from pathlib import Path

from kgstore.store import Store
from kgstore.verifier.decide.grounds import sentence
from kgstore.verifier.judges.opening import open_judge
from kgstore.verifier.protocols import Judge

Pair = tuple[str, str]


def setup(kg: Path, judge: str, pairs: int, seed: int) -> tuple[Judge, list[Pair]]:
    chance, found = random.Random(seed), []
    with Store(kg, read_only=True) as store:
        while len(found) < pairs:
            subject = store.catalog.at(chance.randrange(len(store.catalog))).iri
            lines = [sentence(one, store) for one in store.statements(subject)[:40]]
            if lines:
                chance.shuffle(lines)
                found.append(("\n".join(lines[:6]), chance.choice(lines)))
    opened = open_judge(judge)
    if opened is None:
        raise SystemExit(f"there is no judge {judge}")
    return opened, found


def measure(judge: Judge, pairs: list[Pair]) -> tuple[float, float]:
    """Seconds for all pairs in one call, and the median of those for each of some by itself."""
    start = time.perf_counter()
    judge.judge(pairs)
    together = time.perf_counter() - start
    alone = []
    for pair in pairs[:30]:
        start = time.perf_counter()
        judge.judge([pair])
        alone.append(time.perf_counter() - start)
    return together, statistics.median(alone)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("kg", type=Path)
    parser.add_argument("--judge", default="default")
    parser.add_argument("--pairs", type=int, default=400)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seed", type=int, default=7)
    options = parser.parse_args()
    judge, pairs = setup(options.kg, options.judge, options.pairs, options.seed)
    rounds = [measure(judge, pairs) for _ in range(options.rounds)]
    seconds = [together for together, _ in rounds]
    print(
        json.dumps(
            {
                **{name: str(value) for name, value in vars(options).items()},
                "pairs_per_second": round(len(pairs) / statistics.median(seconds), 1),
                "slowest_over_fastest": round(max(seconds) / min(seconds), 2),
                "alone_ms": round(1000 * min(alone for _, alone in rounds), 1),
            }
        )
    )


if __name__ == "__main__":
    main()
