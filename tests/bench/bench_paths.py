"""How fast are the best four ways of up to three hops, next to one shortest way by networkx?

Run:    python -m tests.bench.bench_paths my.kg --pairs 400 --seed 7      (--times 10 joins ten copies of the graph)
Prints: one JSON line (arguments, milliseconds and memory of both), so runs can be appended and compared.

networkx looks for one way of any length in an undirected graph; we look for the best four, with properties, and stop at
three hops. Pairs are drawn evenly over all linked entities, and (every second one) over the thousand best linked ones.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import random
import tempfile
import time
from pathlib import Path

import networkx
import numpy as np

from kgstore import layout
from kgstore.lines import Lines, key, number_lines, save_keys
from kgstore.topology import Topology


def resident() -> float:
    """Megabytes of this process that no file backs."""
    with open("/proc/self/status", encoding="ascii") as status:
        return next(int(line.split()[1]) / 1024 for line in status if line.startswith("RssAnon"))


def grown(folder: Path, target: Path, times: int, seed: int) -> Path:
    """The topology with every entity ``times`` over, named ``e0 ..``; each edge of a copy leads into a random copy."""
    target.mkdir()
    start, other, link = (np.load(folder / f"{name}.npy") for name in ("start", "other", "link"))
    n, draw = len(start) - 1, np.random.default_rng(seed)
    one, forward = np.repeat(np.arange(n), np.diff(start)), link % 2 == 0
    a, b, links = one[forward], other[forward].astype(np.int64), link[forward].astype(np.int64)
    a, links = np.concatenate([a + n * i for i in range(times)]), np.tile(links, times)
    b = np.concatenate([b + n * draw.integers(times, size=len(b)) for _ in range(times)])
    ends, others, both = np.concatenate((a, b)), np.concatenate((b, a)), np.concatenate((links, links + 1))
    order = np.lexsort((both, others, ends))
    np.save(target / "start.npy", np.concatenate(([0], np.cumsum(np.bincount(ends, minlength=n * times)))))
    np.save(target / "other.npy", others[order].astype(np.uint32))
    np.save(target / "link.npy", both[order].astype(link.dtype))
    names, table = [f"e{i}" for i in range(n * times)], target / "entities.txt"
    table.write_text("".join(f"{name}\n" for name in names), encoding="utf-8")
    number_lines(table, len(names))
    save_keys(table, np.array([key(name) for name in names], np.uint64), np.arange(len(names)))
    meta = json.loads((folder / "topology.json").read_text(encoding="utf-8"))
    (target / "topology.json").write_text(json.dumps({**meta, "catalog": "."}), encoding="utf-8")
    return target


def drawn_pairs(folder: Path, count: int, seed: int) -> list[tuple[int, int]]:
    draw, degree = random.Random(seed), np.diff(np.load(folder / "start.npy"))
    linked, best = np.flatnonzero(degree).tolist(), np.argsort(-degree, kind="stable")[:1000].tolist()
    return [tuple(draw.sample(best if i % 2 else linked, 2)) for i in range(count)]


def milliseconds(call, pairs: list[tuple[int, int]]) -> np.ndarray:
    for pair in pairs[:20]:
        call(*pair)
    times = []
    for pair in pairs:
        began = time.perf_counter()
        call(*pair)
        times.append(time.perf_counter() - began)
    return np.array(times) * 1000


def summary(times: np.ndarray) -> dict[str, float]:
    p50, p95 = np.percentile(times, (50, 95))
    return {"mean": round(times.mean(), 3), "p50": round(p50, 3), "p95": round(p95, 3), "max": round(times.max(), 3)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("kg", type=Path)
    parser.add_argument("--pairs", type=int, default=400)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--times", type=int, default=1)
    given = parser.parse_args()
    folder = layout.generation_path(given.kg, layout.read_manifest(given.kg).generation) / "topology"
    with tempfile.TemporaryDirectory() as place:
        if given.times > 1:
            folder = grown(folder, Path(place, "grown"), given.times, given.seed)
        measured = measure(folder, drawn_pairs(folder, given.pairs, given.seed))
    print(json.dumps({**{name: str(value) for name, value in vars(given).items()}, **measured}))


def measure(folder: Path, pairs: list[tuple[int, int]]) -> dict[str, object]:
    meta = json.loads((folder / "topology.json").read_text(encoding="utf-8"))
    names = Lines(folder / meta["catalog"] / "entities.txt")
    named = {number: names[number][0] for pair in pairs for number in pair}
    before, began = resident(), time.perf_counter()
    topology = Topology(folder)
    opened = time.perf_counter() - began
    mine = milliseconds(lambda a, b: topology.paths([named[a]], [named[b]]), pairs)
    held = resident() - before
    linked = sum(bool(topology.paths([named[a]], [named[b]])) for a, b in pairs)
    before = resident()
    graph = networkx.Graph()
    start, other = np.load(folder / "start.npy"), np.load(folder / "other.npy")
    ends = np.repeat(np.arange(len(start) - 1), np.diff(start))
    graph.add_edges_from(zip(ends.tolist(), other.tolist(), strict=True))
    theirs_held = resident() - before

    def theirs(a: int, b: int) -> None:
        with contextlib.suppress(networkx.NetworkXNoPath):
            networkx.bidirectional_shortest_path(graph, a, b)

    networks = milliseconds(theirs, pairs)
    return {
        "edges": len(topology), "open_ms": round(opened * 1000, 2), "pairs_with_a_way": linked,
        "kgstore_ms": summary(mine), "networkx_ms": summary(networks), "slower_pairs": int((mine > networks).sum()),
        "kgstore_mb": round(held, 1), "networkx_mb": round(theirs_held, 1),
        "files_mb": round(sum(one.stat().st_size for one in folder.glob("*.npy")) / 2**20, 1),
    }  # fmt: skip


if __name__ == "__main__":
    main()
