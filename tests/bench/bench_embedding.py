"""How many verbalised statements a second does the default model embed, next to sentence-transformers?

Run:    python -m tests.bench.bench_embedding my.kg --statements 2000 --seed 7
Prints: one JSON line (arguments, rates, ratios, share of equal neighbours), so runs can be appended and compared.

``encode`` is `SentenceTransformer.encode` at batch 32, which sorts by length itself; ``input_order`` is the same model
at batch 32 without that. They take turns, and the best of the rounds counts: other programs' work only ever makes a
round slower.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import numpy as np

from kgstore.embedding import MiniLM, SentenceModel
from kgstore.store import Store
from kgstore.vectors import sentences

Run = Callable[[list[str]], np.ndarray]


def setup(kg: Path, statements: int, seed: int) -> tuple[list[str], dict[str, Run]]:
    with Store(kg) as store:
        every = list(sentences(store.graph, store.profile, store.catalog, Counter()))
    texts = [fact[-1] for fact in random.Random(seed).sample(every, min(statements, len(every)))]
    ours, theirs = MiniLM(), SentenceModel(MiniLM().path)._model

    def in_input_order(texts: list[str]) -> np.ndarray:
        batches = [texts[at:at + 32] for at in range(0, len(texts), 32)]
        return np.concatenate([theirs.encode(batch, batch_size=32, show_progress_bar=False) for batch in batches])

    def encode(texts: list[str]) -> np.ndarray:
        return theirs.encode(texts, batch_size=32, show_progress_bar=False)

    return texts, {"ours": ours.embed, "encode": encode, "input_order": in_input_order}


def measure(texts: list[str], runs: dict[str, Run], rounds: int) -> tuple[dict[str, float], dict[str, np.ndarray]]:
    """Statements a second and rows of each; the first round is not timed."""
    seconds: dict[str, list[float]] = {name: [] for name in runs}
    rows: dict[str, np.ndarray] = {}
    for number in range(rounds + 1):
        for name, run in runs.items():
            start = time.perf_counter()
            rows[name] = run(texts if number else texts[:64])
            seconds[name] += [time.perf_counter() - start] if number else []
    return {name: len(texts) / min(times) for name, times in seconds.items()}, rows


def overlap(ours: np.ndarray, theirs: np.ndarray, k: int = 10) -> float:
    """Share of the ``k`` nearest among the texts themselves that both have."""
    tops = [np.argsort(-(rows @ rows.T), axis=1, kind="stable")[:, :k] for rows in (ours, theirs)]
    return float(np.mean([len(set(a) & set(b)) / k for a, b in zip(*tops, strict=True)]))


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("kg", type=Path)
    parser.add_argument("--statements", type=int, default=2000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seed", type=int, default=7)
    options = parser.parse_args()
    texts, runs = setup(options.kg, options.statements, options.seed)
    rates, rows = measure(texts, runs, options.rounds)
    print(json.dumps({
        "bench": "embedding", "statements": len(texts), "rounds": options.rounds, "seed": options.seed,
        "per_second": {name: round(rate) for name, rate in rates.items()},
        "ours_to_encode": round(rates["ours"] / rates["encode"], 2),
        "ours_to_input_order": round(rates["ours"] / rates["input_order"], 2),
        "largest_difference": float(np.abs(rows["ours"] - rows["encode"]).max()),
        "same_top_10": round(overlap(rows["ours"], rows["encode"]), 4),
    }))  # fmt: skip


if __name__ == "__main__":
    main()
