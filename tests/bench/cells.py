"""Is a large index of vectors built within little memory, and does it find what comparing all of them finds?

Run:    python -m tests.bench.cells [--vectors 5000000] [--dim 384] [--half] [--folder DIR] [--seed 7]
        python -m tests.bench.cells --codes SQ8,PQ96np,PQ48np --vectors 200000
Prints: one JSON line: seconds of making the vectors up, and of building; peak memory of the building process in MB,
        with and without pages of files that are mapped; bytes a vector of codes and of rows; the shape that was chosen;
        recall@10 against comparing all vectors, for queries that are not among them; milliseconds of one query, with
        codes and rows mapped, first time and again, at the 50th and 95th percentile.

With ``--codes`` nothing is built: for each code of FAISS, bytes a vector, and recall@10 by the codes of all vectors
alone, and when the best 64 by codes are compared exactly.

The vectors are made up: 20,000 centres in 40 fields of a space of 64 dimensions, turned into ``--dim``, with noise in
all of them, so that neighbours exist and lie unevenly, as those of sentences do.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from kgstore import cells
from tests.bench.bench_load import Peak

FIELDS, CENTRES, INNER, QUERIES = 40, 20_000, 64, 500


class World:
    """Draws vectors."""

    def __init__(self, dim: int, seed: int) -> None:
        draw = np.random.default_rng(seed)
        fields = draw.normal(size=(FIELDS, INNER)).astype(np.float32)
        self.centres = fields[draw.integers(FIELDS, size=CENTRES)] + draw.normal(size=(CENTRES, INNER))
        self.share = 1 / np.arange(1, CENTRES + 1) ** 0.7
        self.share /= self.share.sum()
        self.turn = draw.normal(size=(INNER, dim)).astype(np.float32) / np.sqrt(INNER)
        self.dim = dim

    def vectors(self, count: int, draw: np.random.Generator) -> np.ndarray:
        inner = self.centres[draw.choice(CENTRES, count, p=self.share)]
        inner = inner + 0.5 * draw.standard_normal((count, INNER), np.float32)
        rows = inner.astype(np.float32) @ self.turn + 0.3 * draw.standard_normal((count, self.dim), np.float32)
        return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


def build(raw: Path, dim: int, half: bool) -> None:
    said = lambda message: print(f"{time.strftime('%H:%M:%S')} {message}", file=sys.stderr)  # noqa: E731
    cells.build_cells(raw, dim, raw.parent, half, said)


def measured(raw: Path, dim: int, half: bool) -> dict[str, float]:
    """The build in a process of its own."""
    started = time.monotonic()
    code = f"from pathlib import Path; from tests.bench.cells import build; build(Path({str(raw)!r}), {dim}, {half})"
    process = subprocess.Popen([sys.executable, "-c", code], start_new_session=True)
    peak, own = Peak(process.pid), 0
    while process.poll() is None:
        own = max(own, anonymous(process.pid))
        time.sleep(0.2)
    peak.over.set()
    if process.returncode:
        raise SystemExit("the build failed")
    return {"build s": round(time.monotonic() - started), "peak MB": round(peak.most / 1e6), "own MB": round(own / 1e6)}


def anonymous(pid: int) -> int:
    """Bytes in memory that are no pages of files."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return 0
    return sum(1024 * int(line.split()[1]) for line in lines if line.startswith("RssAnon"))


def timed(ask: Callable[[np.ndarray], object], queries: np.ndarray) -> list[float]:
    times = []
    for at in range(len(queries)):
        started = time.perf_counter()
        ask(queries[at : at + 1])
        times.append(1000 * (time.perf_counter() - started))
    cuts = statistics.quantiles(times, n=20)
    return [round(cuts[9], 2), round(cuts[18], 2)]


def coded(names: list[str], vectors: np.ndarray, queries: np.ndarray) -> dict[str, dict[str, float]]:
    """What codes of vectors cost and find, without cells."""
    import faiss

    found, right = {}, cells.nearest(vectors, queries, 10)
    for name in names:
        started, index = time.monotonic(), faiss.index_factory(vectors.shape[1], name, faiss.METRIC_INNER_PRODUCT)
        index.train(vectors[: 256 * 64])
        index.add(vectors)
        rows = index.search(queries, 64)[1]
        exact = np.einsum("nkd,nd->nk", vectors[rows], queries)
        found[name] = {
            "bytes a vector": index.sa_code_size(),
            "recall@10 by codes": round(cells.share_found(right, exact[:, :10]), 4),
            "recall@10 compared exactly": round(cells.share_found(right, -np.sort(-exact, axis=1)[:, :10]), 4),
            "s": round(time.monotonic() - started),
        }
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--vectors", type=int, default=5_000_000)
    parser.add_argument("--dim", type=int, default=384)
    parser.add_argument("--half", action="store_true")
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--codes", help="codes to compare instead, as FAISS names them")
    args = parser.parse_args()
    if args.codes:
        world, draw = World(args.dim, args.seed), np.random.default_rng(args.seed + 1)
        vectors = world.vectors(args.vectors, draw)
        print(json.dumps(coded(args.codes.split(","), vectors, world.vectors(QUERIES, draw))))
        return
    with tempfile.TemporaryDirectory(prefix="bench-cells-", dir=args.folder) as name:
        folder, world, draw = Path(name), World(args.dim, args.seed), np.random.default_rng(args.seed + 1)
        started = time.monotonic()
        with (folder / "raw").open("wb") as file:
            for start in range(0, args.vectors, 50_000):
                file.write(world.vectors(min(50_000, args.vectors - start), draw).tobytes())
        result: dict[str, object] = {"vectors": args.vectors, "dim": args.dim, "load": os.getloadavg()[0]}
        result["made up s"] = round(time.monotonic() - started)
        result |= measured(folder / "raw", args.dim, args.half)
        sizes = {kind: sum(one.stat().st_size for one in folder.glob(f"cells.{kind}")) for kind in ("*.faiss", "rows")}
        result["bytes a vector"] = {kind: round(size / args.vectors, 1) for kind, size in sizes.items()}
        found, queries = cells.Cells(folder), world.vectors(QUERIES, draw)
        result["shape"] = json.loads((folder / "cells.json").read_text())
        result["ms first"] = timed(lambda one: found.search(one, 10), queries)
        result["ms again"] = timed(lambda one: found.search(one, 10), queries)
        right = cells.nearest(cells.rows_of(folder), queries, 10)
        result["recall@10 of all"] = round(cells.share_found(right, found.search(queries, 10)[0]), 4)
    print(json.dumps(result))


if __name__ == "__main__":
    main()
