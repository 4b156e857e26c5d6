"""What would a load cost that keeps statements as rows, and only direct triples in Oxigraph?

Run:    python -m tests.bench.rows_load dump.json.gz [--limit 2000]
Prints: one JSON line: CPU seconds, which depend little on what else runs, of the load as it is and of its parts, and of
        the parts of the other load: converting to direct triples and rows, loading and compacting these triples alone,
        and writing the rows as Parquet (entity, property, rank, and the statement, qualifiers and references as JSON).
        The ratio is that of two whole loads: the other one converts, writes rows, and loads the direct triples as
        N-Triples, with catalog and topology. Sizes are bytes a triple of the load as it is.

This is a study, not a loader: nothing answers questions from the rows.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import orjson
import pyarrow
from pyarrow import parquet

from kgstore.graph import Graph
from kgstore.loaders.filters import Filters
from kgstore.loaders.protocol import Block
from kgstore.loaders.sources import opened
from kgstore.loaders.wikidata import WikidataLoader

STATEMENT, CLAIM = b"<http://www.wikidata.org/entity/statement/", b" <http://www.wikidata.org/prop/P"
ENTITY = b"<http://www.wikidata.org/entity/"
ROWS = 50_000
LOAD = (
    "from pathlib import Path; from kgstore.loaders.filters import Filters; from kgstore.loaders.run import load\n"
    "load([Path({dump!r})], Path({kg!r}), filters=Filters(limit={limit}), vectors=False, embedder=Path('none'), "
    "profile='wikidata')"
)


def cpu() -> float:
    return sum(one.ru_utime + one.ru_stime for one in map(resource.getrusage, (resource.RUSAGE_SELF, -1)))


def blocks(dump: Path, filters: Filters) -> Iterator[bytes]:
    for one in WikidataLoader(jobs=1).read(dump, filters):
        if isinstance(one, Block):
            yield one.data


def direct(lines: bytes) -> bytes:
    """Names, and triples of entities with values: no nodes of statements, values and references, no way to them."""
    kept = (
        line for line in lines.splitlines(keepends=True)
        if line.startswith(ENTITY) and not line.startswith(STATEMENT) and CLAIM not in line[:120]
    )  # fmt: skip
    return b"".join(kept)


def rows(dump: Path, limit: int) -> Iterator[tuple[str, str, str, bytes, bytes, bytes]]:
    entities = 0
    with opened(dump) as source:
        for _, block in source.blocks(1 << 20):
            for line in block.splitlines():
                line = line.strip().rstrip(b",")
                if line[:1] != b"{" or entities >= limit:
                    continue
                document, entities = orjson.loads(line), entities + 1
                for key, statements in (document.get("claims") or {}).items():
                    for one in statements:
                        parts = (orjson.dumps(one.get(name)) for name in ("mainsnak", "qualifiers", "references"))
                        yield (document["id"], key, one.get("rank", ""), *parts)  # type: ignore[misc]


def write_rows(dump: Path, limit: int, target: Path) -> int:
    names, count = ("entity", "property", "rank", "value", "qualifiers", "references"), 0
    writer, found = None, []
    for one in (*rows(dump, limit), None):
        if one is not None:
            found.append(one)
        if found and (one is None or len(found) == ROWS):
            table = pyarrow.table(dict(zip(names, map(list, zip(*found, strict=True)), strict=True)))
            writer = writer or parquet.ParquetWriter(target, table.schema, compression="zstd")
            writer.write_table(table)
            count, found = count + len(found), []
    if writer is not None:
        writer.close()
    return count


def bulk(data: list[bytes], folder: Path) -> None:
    graph = Graph(folder)
    graph.bulk_load(iter(data))
    graph.flush()
    graph.optimize()
    graph.close()


def size(folder: Path) -> int:
    return sum(one.stat().st_size for one in folder.rglob("*") if one.is_file())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dump", type=Path)
    parser.add_argument("--limit", type=int, default=2000)
    args = parser.parse_args()
    took: dict[str, float] = {}

    def timed(what: str, do: Callable[[], Any]) -> Any:
        before = cpu()
        found = do()
        took[what] = round(cpu() - before, 2)
        return found

    with tempfile.TemporaryDirectory(prefix="bench-rows-") as name:
        folder = Path(name)
        code = LOAD.format(dump=str(args.dump), kg=str(folder / "kg"), limit=args.limit)
        timed("load as it is", lambda: subprocess.run([sys.executable, "-c", code], check=True))
        full = timed("convert, full", lambda: list(blocks(args.dump, Filters(limit=args.limit))))
        timed("load and compact, full", lambda: bulk(full, folder / "full"))
        best = Filters(limit=args.limit, statements="truthy")
        truthy = timed("convert, truthy", lambda: list(blocks(args.dump, best)))
        few = [direct(one) for one in truthy]
        timed("load and compact, direct", lambda: bulk(few, folder / "direct"))
        (folder / "direct.nt").write_bytes(b"".join(few))
        code = LOAD.format(dump=str(folder / "direct.nt"), kg=str(folder / "few"), limit=None)
        timed("load, direct", lambda: subprocess.run([sys.executable, "-c", code], check=True))
        count = timed("rows to Parquet", lambda: write_rows(args.dump, args.limit, folder / "rows.parquet"))
        triples, kept = (sum(one.count(b"\n") for one in data) for data in (full, few))
        sizes = {one: round(size(folder / one) / triples, 1) for one in ("full", "direct")}
        sizes["rows"] = round((folder / "rows.parquet").stat().st_size / triples, 1)
    other = sum(took[one] for one in ("convert, truthy", "load, direct", "rows to Parquet"))
    print(json.dumps({
        "limit": args.limit, "load": os.getloadavg()[0], "triples": triples, "direct": kept, "statements": count,
        "CPU s": took, "as it is over rows": round(took["load as it is"] / other, 2),
        "bytes a triple": sizes,
    }))  # fmt: skip


if __name__ == "__main__":
    main()
