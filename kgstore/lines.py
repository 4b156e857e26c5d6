"""Tables of text in memory-mapped files: opened at once whatever their size, rows fetched in microseconds.

A table is a text file with one row a line, its fields divided by the unit separator, and arrays beside it: where each
line begins, and (for look-up by content) sorted hashes with the row that each leads to.
"""

from __future__ import annotations

import mmap
import os
from collections.abc import Iterator, Sequence
from hashlib import md5
from pathlib import Path

import numpy as np

FIELD = "\x1f"
_BLOCK = 16 << 20


class Lines:
    """A table's rows, by number.

    :param path: the text file; ``number_lines`` and ``save_keys`` made the arrays beside it
    """

    def __init__(self, path: Path) -> None:
        with path.open("rb") as file:
            self._text = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) if path.stat().st_size else b""
        self._starts = open_array(path.with_suffix(".starts.npy"))
        self._keys = open_array(path.with_suffix(".keys.npy"))
        self._rows = open_array(path.with_suffix(".rows.npy"))

    def __len__(self) -> int:
        return len(self._starts) - 1

    def __getitem__(self, row: int) -> list[str]:
        """The fields of one row; must be 0 or more and less than the length."""
        starts = self._starts
        return self._text[int(starts[row]):int(starts[row + 1]) - 1].decode().split(FIELD)

    def find(self, texts: Sequence[str]) -> Iterator[tuple[str, int, list[str]]]:
        """The first row whose first field is the text, for those texts that have one: text, row number, fields."""
        keys = self._keys
        wanted = np.array([key(text) for text in texts], np.uint64)
        at = np.searchsorted(keys, wanted)
        hits = np.flatnonzero(keys[np.minimum(at, len(keys) - 1)] == wanted) if len(keys) else ()
        for hit in hits:
            position, text = int(at[hit]), texts[int(hit)]
            while position < len(keys) and keys[position] == wanted[hit]:  # more than once: two texts with one hash
                row = int(self._rows[position])
                fields = self[row]
                if fields[0] == text:
                    yield text, row, fields
                    break
                position += 1

    def close(self) -> None:
        self._starts = self._keys = self._rows = np.empty(0, np.uint64)
        if isinstance(self._text, mmap.mmap):
            self._text.close()


def key(text: str) -> int:
    """64 bits of a text's MD5, as DuckDB's ``md5_number_lower`` gives them."""
    return int.from_bytes(md5(text.encode("utf-8", "replace"), usedforsecurity=False).digest()[8:], "little")


def open_array(path: Path) -> np.ndarray:
    """A saved array, mapped: only what is touched is read. A plain ndarray, because slices of `np.memmap` are slow."""
    return np.asarray(np.load(path, mmap_mode="r"))


def new_array(path: Path, dtype: type, length: int) -> np.memmap:
    """A mapped array to fill. Its room is taken at once: on a full disk, writing to a map would kill the process.

    :raises OSError: if there is not enough room
    """
    array = np.lib.format.open_memmap(path, "w+", dtype, (length,))
    if hasattr(os, "posix_fallocate"):  # macOS has none
        with path.open("r+b") as file:
            os.posix_fallocate(file.fileno(), 0, path.stat().st_size)
    return array


def number_lines(path: Path, rows: int) -> None:
    """Save where each line of a file begins, and the file's size behind them."""
    starts = new_array(path.with_suffix(".starts.npy"), np.int64, rows + 1)
    done = passed = 0
    with path.open("rb") as file:
        while block := file.read(_BLOCK):
            ends = np.flatnonzero(np.frombuffer(block, np.uint8) == 10) + (passed + 1)
            starts[done + 1:done + 1 + len(ends)] = ends
            done, passed = done + len(ends), passed + len(block)
    if done != rows:
        raise ValueError(f"{path} has {done} lines, not {rows}")
    starts.flush()


def save_keys(path: Path, keys: np.ndarray, rows: np.ndarray) -> None:
    """Save the hashes of a table's first fields, sorted, and the first row of each."""
    order = np.argsort(keys, kind="stable")
    np.save(path.with_suffix(".keys.npy"), keys[order])
    np.save(path.with_suffix(".rows.npy"), rows[order].astype(np.uint32 if len(rows) < 2**32 else np.uint64))
