"""How long does the comparison of two graphs take once their words are embedded?

Run:    python -m tests.bench.bench_kernel --seed 7
Prints: one JSON line (arguments, medians in milliseconds): a typical pair of 10 and 10 triples (clustering and kernel,
        the whole and each triple), the kernel alone beside GraKeL's, and a claim graph of 10 against 1,000 triples with
        relation selection; "embedding_s" is what embedding those 1,000 takes once.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import time
from collections.abc import Callable

from kgstore.embedding import load_embedder
from kgstore.verifier.kernel.clusters import merged
from kgstore.verifier.kernel.compare import DEFAULT, PAPER, compared, likeness
from kgstore.verifier.kernel.graphs import LabelGraph, Shape, Triple, graph_of
from kgstore.verifier.kernel.label_similarity import Labels
from kgstore.verifier.kernel.memory import Memory
from kgstore.verifier.kernel.wl import similarity

_NAMES = "Ada Bob Cleo Dan Eve Finn Gus Hal Ida Jon Kim Leo Mia Ned Oda Pia".split()
_PLACES = "London Paris Rome Oslo Cairo Lima Perth Delhi Seoul Tunis Quito Accra Dakar Riga Minsk Sofia".split()
_RELATIONS = "was born in;lived in;moved to;worked in;died in;wrote about;was mayor of;visited".split(";")


def setup(size: int, chance: random.Random) -> list[Triple]:
    """Different triples about a few people and places."""
    found: dict[Triple, None] = {}
    while len(found) < size:
        name = chance.choice(_NAMES) + (f" {chance.choice(_PLACES)}son" if size > 100 else "")
        found[name, chance.choice(_RELATIONS), chance.choice(_PLACES)] = None
    return list(found)


def measure(work: Callable[[], object], rounds: int) -> float:
    """Median milliseconds."""
    seconds = []
    for _ in range(rounds):
        start = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - start)
    return round(1000 * statistics.median(seconds), 3)


def grakel(one: LabelGraph, other: LabelGraph, iterations: int) -> float:
    from grakel import Graph
    from grakel.kernels import WeisfeilerLehman

    graphs = [
        Graph({i: {n: 1.0 for _, n in near} for i, near in enumerate(graph.near)}, dict(enumerate(graph.labels)))
        for graph in (one, other)
    ]
    return float(WeisfeilerLehman(n_iter=iterations, normalize=True).fit_transform(graphs)[0, 1])


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--rounds", type=int, default=100)
    options = parser.parse_args()
    chance, memory = random.Random(options.seed), Memory(load_embedder())
    claim, known, document = setup(10, chance), setup(10, chance), setup(1000, chance)
    start = time.perf_counter()
    memory.embed([" ".join(triple) for triple in document])
    embedding = time.perf_counter() - start
    compared(claim, known, memory)
    likeness(claim, document, memory)
    labels = Labels((label for triple in (*claim, *known) for label in triple), memory)
    names = merged(labels)
    pair = [graph_of(triples, Shape.ENTITIES, names) for triples in (claim, known)]
    grakel(*pair, PAPER.iterations)
    print(
        json.dumps(
            {
                **vars(options),
                "pair_ms": measure(lambda: compared(claim, known, memory), options.rounds),
                "pair_paper_ms": measure(lambda: compared(claim, known, memory, PAPER), options.rounds),
                "kernel_ms": measure(lambda: similarity(*pair, PAPER.iterations), options.rounds),
                "grakel_ms": measure(lambda: grakel(*pair, PAPER.iterations), options.rounds),
                "default_kernel_ms": measure(lambda: similarity(*pair, DEFAULT.iterations), options.rounds),
                "document_ms": measure(lambda: likeness(claim, document, memory), max(5, options.rounds // 10)),
                "embedding_s": round(embedding, 2),
            }
        )
    )


if __name__ == "__main__":
    main()
