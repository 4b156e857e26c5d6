"""The triples of a graph as text, in order if wanted, without the ledger; and a digest of all that a generation holds.

Lines are sorted by their bytes. That takes a folder for scratch of the size of the output and little memory: runs of
about `RUN` bytes are sorted in memory and merged.
"""

from __future__ import annotations

import hashlib
import heapq
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO

import pyoxigraph as ox

from kgstore.duck import read_only
from kgstore.graph import Graph
from kgstore.prefixes import WELL_KNOWN
from kgstore.sealed import SealedGraph

FORMATS = {
    "nquads": ox.RdfFormat.N_QUADS,
    "ntriples": ox.RdfFormat.N_TRIPLES,
    "turtle": ox.RdfFormat.TURTLE,
    "trig": ox.RdfFormat.TRIG,
    "rdfxml": ox.RdfFormat.RDF_XML,
    "jsonld": ox.RdfFormat.JSON_LD,
}
RUN = 64_000_000
TABLES = ("entity", "name", "edge", "property")
_BLOCK = 1 << 20
_NT = ox.RdfFormat.N_TRIPLES


def export(graph: Graph | SealedGraph, output: IO[bytes], format: str = "nquads", in_order: bool = False) -> None:
    """Write all triples; N-Quads are written as N-Triples, because all data lies in the default graph.

    :param format: one of `FORMATS`
    :param in_order: equal graphs give equal bytes
    """
    form = FORMATS[format]
    if form == ox.RdfFormat.N_QUADS:
        form = _NT
    if not in_order:
        graph.dump(output, form)
        return
    with sorted_lines(graph) as lines:
        if form == _NT:
            output.writelines(lines)
        else:
            prefixes = WELL_KNOWN if form in (ox.RdfFormat.TURTLE, ox.RdfFormat.TRIG) else None
            triples = (quad.triple for line in lines for quad in ox.parse(line, format=_NT, lenient=True))
            ox.serialize(triples, output, form, prefixes=prefixes)


@contextmanager
def sorted_lines(graph: Graph | SealedGraph) -> Iterator[Iterator[bytes]]:
    """All triples as lines of N-Triples, ascending by their bytes."""
    with tempfile.TemporaryDirectory(prefix="kgstore-sort-") as scratch, ExitStack() as files:
        runs = _Runs(Path(scratch))
        graph.dump(runs, _NT)  # type: ignore[arg-type]
        yield heapq.merge(*(files.enter_context(path.open("rb", _BLOCK)) for path in runs.finished()))


class _Runs:
    """A binary file to write lines to, which leaves them in sorted files."""

    def __init__(self, scratch: Path) -> None:
        self._scratch, self._parts, self._size = scratch, list[bytes](), 0
        self._files: list[Path] = []

    def write(self, data: bytes) -> int:
        self._parts.append(bytes(data))
        self._size += len(data)
        if self._size >= RUN:
            self._save()
        return len(data)

    def flush(self) -> None:
        """Nothing waits that `finished` would not save."""

    def finished(self) -> list[Path]:
        self._save(last=True)
        return self._files

    def _save(self, last: bool = False) -> None:
        data = b"".join(self._parts)
        end = len(data) if last else data.rfind(b"\n") + 1
        lines = data[:end].splitlines(keepends=True)  # carriage returns are escaped in N-Triples
        self._parts, self._size = [data[end:]], len(data) - end
        if lines:
            lines.sort()
            self._files.append(self._scratch / str(len(self._files)))
            with self._files[-1].open("wb") as file:
                file.writelines(lines)


def digests(generation: Path, graph: bool = True) -> dict[str, str]:
    """Of each part of a generation a digest of what it says, however that lies on the disk: equal for equal content.

    :param graph: its sorted lines, too, without the ledger
    :return: keys ``graph``, ``catalog/..``, ``topology/..`` and, for the tables of the database, ``catalog.duckdb/..``
    """
    found = {}
    if graph:
        opened, digest = Graph(generation / "graph", read_only=True), hashlib.sha256()
        with sorted_lines(opened) as lines:
            for line in lines:
                digest.update(line)
        opened.close()
        found["graph"] = digest.hexdigest()
    for path in sorted(path for part in ("catalog", "topology") for path in (generation / part).glob("*.*")):
        with path.open("rb") as file:
            found[f"{path.parent.name}/{path.name}"] = hashlib.file_digest(file, "sha256").hexdigest()
    with read_only(generation / "catalog.duckdb") as db:
        for table in TABLES:
            rows, total = db.execute(f"SELECT count(*), sum(hash(one)) FROM {table} one").fetchall()[0]
            found[f"catalog.duckdb/{table}"] = f"{rows} rows {total}"
    return found
