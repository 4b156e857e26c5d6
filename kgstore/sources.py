"""What each source said, as N-Triples in ``sources/000003.nt.zst``: kept so that a source can be taken out again.

The number is that of the source's record in the ledger. The files are packed quickly rather than tightly; those of a
dump of Wikidata take 7 % of the room that its graph takes. Generations share them.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from kgstore import zstd
from kgstore.errors import StoreError

if TYPE_CHECKING:
    import numpy as np

FOLDER = "sources"
MOST = 50_000_000
"""Lines whose hashes are held in memory at a time (8 bytes each); more take several passes over the files."""
_BLOCK = 1 << 20
_OPTIONS: dict[int, int] = {zstd.CompressionParameter.compression_level: 1, zstd.CompressionParameter.checksum_flag: 1}


class Damaged(StoreError):
    """A file of a source is not as it was written."""


def source_path(generation: Path, number: int) -> Path:
    return generation / FOLDER / f"{number:06d}.nt.zst"


def number_of(path: Path) -> int:
    """The number of the source that `source_path` leads to."""
    return int(path.name.partition(".")[0])


class SourceFile:
    """The file of one source, while it is written.

    :param size: what a killed writer had noted by `mark`; what it wrote after that is dropped
    """

    def __init__(self, path: Path, size: int = 0) -> None:
        path.parent.mkdir(exist_ok=True)
        self._file = path.open("r+b" if size else "wb")
        self._file.truncate(size)
        self._file.seek(size)
        self._frame: zstd.ZstdCompressor | None = None

    def write(self, block: bytes) -> None:
        """Add whole lines."""
        if self._frame is None:
            self._frame = zstd.ZstdCompressor(options=_OPTIONS)
        self._file.write(self._frame.compress(block))

    def mark(self) -> int:
        """Force all to the disk; bytes, for going on from here."""
        if self._frame is not None:
            self._file.write(self._frame.flush())
            self._frame = None
        self._file.flush()
        os.fsync(self._file.fileno())
        return self._file.tell()

    def close(self) -> None:
        self._file.close()


def blocks(path: Path) -> Iterator[bytes]:
    """Stretches of whole lines, each of about a megabyte.

    :raises Damaged: if the file is not as it was written
    """
    rest = b""
    try:
        with zstd.open(path) as unpacked:
            while piece := unpacked.read(_BLOCK):
                piece = rest + piece
                end = piece.rfind(b"\n") + 1
                yield piece[:end]
                rest = piece[end:]
    except (zstd.ZstdError, EOFError) as error:
        raise Damaged(f"{path.name} is damaged ({error}): load its files into a new KG") from None
    if rest:
        yield rest


def only_in(gone: Sequence[Path], kept: Sequence[Path], lines: int) -> Iterator[list[bytes]]:
    """The lines of some sources that no other source has, many at a time.

    Lines are compared by 64-bit hashes. Two different ones that share a hash (one chance in some thousand for 100
    million lines on both sides) would count as one, and a triple would stay that should go.

    :param lines: about how many lines the other sources have
    """
    import numpy as np

    parts = lines // MOST + 1
    for part in range(parts):
        others = [_hashes(block, part, parts)[1] for path in kept for block in blocks(path)]
        known = np.unique(np.concatenate(others)) if others else np.empty(0, np.int64)
        for path in gone:
            for block in blocks(path):
                mine, hashes = _hashes(block, part, parts)
                at = np.minimum(np.searchsorted(known, hashes), max(0, len(known) - 1))
                shared = known[at] == hashes if len(known) else np.zeros(len(hashes), bool)
                yield [mine[place] for place in np.flatnonzero(~shared).tolist()]


def _hashes(block: bytes, part: int, parts: int) -> tuple[list[bytes], np.ndarray]:
    import numpy as np

    lines = block.splitlines()
    hashes = np.fromiter(map(hash, lines), np.int64, len(lines))
    if parts == 1:
        return lines, hashes
    chosen = np.flatnonzero(hashes % parts == part)
    return [lines[place] for place in chosen.tolist()], hashes[chosen]
