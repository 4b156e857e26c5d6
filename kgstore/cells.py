"""Many vectors, searched by cells: codes of one byte a number, and the exact rows beside them, all mapped.

    cells.0.faiss ..   codes by cell, so many vectors a file; the id of a vector is its row
    cells.rows         the vectors row by row, single or half precision; what the codes find is compared by these
    cells.json         how many cells, how many a query looks into, and the recall that was measured with that

How many cells a query looks into is chosen when they are built: as few as find what comparing all vectors finds.
This is also the one door to FAISS, which few vectors go through as well: `open_flat`, `write_flat`.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from itertools import pairwise
from math import sqrt
from pathlib import Path
from typing import Any

import numpy as np

from kgstore.layout import link
from kgstore.pages import read_here_and_there, read_soon

PART = 500_000
"""Vectors of a file: their codes are in memory while it is written."""
BLOCK = 50_000
"""Vectors that are read at a time."""
_SAMPLE = 40
"""Vectors for each cell that the cells are learnt from."""
_TESTS, _BEST = 200, 10
"""Vectors that recall is measured with, drawn from all; and how many nearest ones of each are looked for."""
_WANTED = 0.97
"""Share of them that must be found. Queries are not among the vectors, and find a little less."""
_AGAIN, _LEAST = 4, 64
"""So many times the wanted number, and so many at least, are found by codes and compared exactly."""
_SEED = 7
_ID = 8
"""Bytes of a vector's id behind the codes of a cell."""


@dataclass(frozen=True, slots=True)
class Shape:
    """How the vectors are kept.

    :param cells: groups of vectors that are near to one another
    :param probes: cells that a query looks into
    :param recall: share of the ten nearest that are found so, 0 to 1, over ``tests`` vectors drawn from all
    """

    vectors: int
    dim: int
    half: bool
    cells: int
    probes: int
    recall: float
    tests: int


def exist(folder: Path) -> bool:
    return (folder / "cells.json").exists()


class Cells:
    """Finished ones, for reading."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.shape = Shape(**json.loads((folder / "cells.json").read_text(encoding="utf-8")))
        self.rows = rows_of(folder)
        read_here_and_there(self.rows.ctypes.data, self.rows.nbytes)

    def __len__(self) -> int:
        return self.shape.vectors

    @cached_property
    def _parts(self) -> list[Any]:
        import faiss

        files = sorted(self.folder.glob("cells.*.faiss"), key=lambda path: int(path.suffixes[0][1:]))
        return [_quiet(faiss.read_index(str(path), faiss.IO_FLAG_MMAP)) for path in files]

    def search(self, queries: np.ndarray, k: int, probes: int | None = None) -> tuple[np.ndarray, np.ndarray]:
        """Inner products and rows of the nearest vectors, best first; row -1 where there are no more.

        :param queries: float32 ``(n, dim)``
        :param probes: cells to look into, as it was chosen unless told
        """
        probes, many = min(probes or self.shape.probes, self.shape.cells), max(_LEAST, _AGAIN * k)
        near, cells = self._parts[0].quantizer.search(queries, probes)
        found, wanted = [], np.unique(cells[cells >= 0]).tolist()
        for part in self._parts:
            _read_cells(part, wanted)
        for part in self._parts:
            part.nprobe = probes
            found.append(part.search_preassigned(queries, many, cells, near))
        scores, rows = (np.concatenate(each, axis=1) for each in zip(*found, strict=True))
        best = np.argsort(-scores, axis=1, kind="stable")[:, :many]
        rows = np.take_along_axis(rows, best, axis=1)
        exact = np.where(rows < 0, -np.inf, np.einsum("nkd,nd->nk", self.take(np.maximum(rows, 0)), queries))
        best = np.argsort(-exact, axis=1, kind="stable")[:, :k]
        return np.take_along_axis(exact, best, axis=1), np.take_along_axis(rows, best, axis=1)

    def take(self, rows: np.ndarray) -> np.ndarray:
        """The vectors of some rows, float32, in whatever shape the rows come."""
        width = self.rows.strides[0]
        read_soon(self.rows.ctypes.data + np.unique(rows) * width, width)
        return self.rows[rows].astype(np.float32)

    def close(self) -> None:
        """Let go of the files."""
        self.__dict__.pop("_parts", None)
        self.rows = np.empty((0, self.shape.dim), np.float32)


def rows_of(folder: Path) -> np.ndarray:
    """The exact vectors, mapped, to be read from the first to the last."""
    shape = Shape(**json.loads((folder / "cells.json").read_text(encoding="utf-8")))
    kind = np.float16 if shape.half else np.float32
    return np.memmap(folder / "cells.rows", kind, "r", shape=(shape.vectors, shape.dim))


def _quiet(part: Any) -> Any:
    """Reading ahead by threads of its own takes longer than reading, and the system would read too much."""
    import faiss

    lists: Any = faiss.downcast_InvertedLists(part.invlists)
    if hasattr(lists, "prefetch_nthread"):
        lists.prefetch_nthread = 0
        read_here_and_there(int(lists.ptr), lists.totsize)
    return part


def _read_cells(part: Any, cells: list[int]) -> None:
    """Begin to read the codes of some cells, and the ids behind them."""
    lists = part.invlists
    sizes = np.array([lists.list_size(cell) for cell in cells], np.int64)
    addresses = np.array([int(lists.get_codes(cell)) for cell in cells], np.int64)
    read_soon(addresses[sizes > 0], sizes[sizes > 0] * (part.code_size + _ID))


def build_cells(
    raw: Path, dim: int, folder: Path, half: bool, report: Callable[[str], None] = lambda message: None
) -> Shape:
    """Write all files from a file of floats, which becomes one of them, or goes. Memory grows with `PART`."""
    import faiss

    for old in folder.glob("cells.*"):
        old.unlink()
    vectors = np.memmap(raw, np.float32, "r").reshape(-1, dim)
    count = len(vectors)
    cells = max(1, int(2 * sqrt(count)))
    index = faiss.IndexIVFScalarQuantizer(
        faiss.IndexFlatIP(dim), dim, cells, faiss.ScalarQuantizer.QT_8bit, faiss.METRIC_INNER_PRODUCT, False
    )
    index.cp.seed, index.cp.min_points_per_centroid = _SEED, 1
    draw = np.random.default_rng(_SEED)
    index.train(vectors[np.sort(draw.choice(count, min(count, _SAMPLE * cells), replace=False))])
    report(f"{cells:,} cells learnt")
    for number, (first, last) in enumerate(pairwise([*range(0, count, PART), count])):
        index.reset()
        for start in range(first, last, BLOCK):
            end = min(start + BLOCK, last)
            index.add_with_ids(np.ascontiguousarray(vectors[start:end]), np.arange(start, end))
        faiss.write_index(index, str(folder / f"cells.{number}.faiss"))
        report(f"{last:,} vectors in cells")
    index.reset()
    rows = folder / "cells.rows"
    if half:
        with rows.open("wb") as file:
            for start in range(0, count, BLOCK):
                file.write(vectors[start : start + BLOCK].astype(np.float16).tobytes())
    else:
        link(raw, rows)
    shape = _measured(folder, Shape(count, dim, half, cells, 1, 0.0, min(_TESTS, count)), draw)
    report(f"a query looks into {shape.probes:,} of {cells:,} cells and finds {shape.recall:.1%} of the ten nearest")
    raw.unlink()
    return shape


def _measured(folder: Path, shape: Shape, draw: np.random.Generator) -> Shape:
    """Look into twice as many cells until enough is found; an eighth of all at most."""
    _write(folder, shape)
    cells, most = Cells(folder), max(1, -(-shape.cells // 8))
    queries = cells.take(np.sort(draw.choice(shape.vectors, shape.tests, replace=False)))
    right = nearest(rows_of(folder), queries, _BEST)
    probes = min(4, most)
    while (recall := share_found(right, cells.search(queries, _BEST, probes)[0])) < _WANTED and probes < most:
        probes = min(most, 2 * probes)
    cells.close()
    shape = replace(shape, probes=probes, recall=round(recall, 4))
    _write(folder, shape)
    return shape


def _write(folder: Path, shape: Shape) -> None:
    (folder / "cells.json").write_text(json.dumps(asdict(shape)), encoding="utf-8")


def share_found(right: np.ndarray, scores: np.ndarray) -> float:
    """Share of the right ones that were found, 0 to 1, judged by inner products: what is as near is as right.

    :param right: inner products of the nearest vectors of each query, best first
    """
    return float(np.mean(scores[:, : right.shape[1]] >= right[:, -1:] - 2e-6))


def nearest(vectors: np.ndarray, queries: np.ndarray, k: int) -> np.ndarray:
    """Inner products with the nearest vectors, best first, by comparing all of them."""
    best = np.full((len(queries), 0), -np.inf, np.float32)
    for start in range(0, len(vectors), BLOCK):
        scores = queries @ np.asarray(vectors[start : start + BLOCK], np.float32).T
        best = np.concatenate([best, scores], axis=1)
        best = -np.partition(-best, min(k, best.shape[1]) - 1, axis=1)[:, :k]
    return -np.sort(-best, axis=1)


# -- few vectors: every one is compared --------------------------------------------------------------------------------


def write_flat(vectors: np.ndarray, ids: np.ndarray, path: Path, half: bool) -> None:
    """
    :param vectors: float32 ``(n, dim)``
    """
    import faiss

    kind = vectors.shape[1], faiss.ScalarQuantizer.QT_fp16, faiss.METRIC_INNER_PRODUCT
    index = faiss.IndexIDMap2(faiss.IndexScalarQuantizer(*kind) if half else faiss.IndexFlatIP(kind[0]))
    if len(ids):
        index.add_with_ids(vectors, ids)
    faiss.write_index(index, str(path))


def open_flat(path: Path) -> Any:
    """The index, mapped."""
    import faiss

    return faiss.read_index(str(path), faiss.IO_FLAG_MMAP_IFC)


def is_half(index: Any) -> bool:
    """Is a flat index in half precision?"""
    import faiss

    return hasattr(faiss.downcast_index(index.index), "sq")
