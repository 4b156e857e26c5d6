"""Files as bytes: plain, gzip, bzip2 or zstandard, or standard input; always in bounded memory.

What a file is compressed with is read off its first bytes; a name that promises another thing (``.gz``) is an error.
"""

from __future__ import annotations

import bz2
import gzip
import hashlib
import io
import os
import sys
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from kgstore import zstd
from kgstore.errors import LoadError

LONGEST_LINE = 64 << 20
"""Bytes of the longest line we read (64 MB); longer ones are skipped and counted. Wikidata's longest is about 5 MB."""

MOST_RATIO = 200
"""How many times its size a compressed file may unpack to, where it unpacks to more than `FREE_BYTES`.

Dumps unpack to 10 to 30 times their size, gzip can reach 1,000 times and bzip2 and zstandard far more.
"""
FREE_BYTES = 256 << 20
"""What any file may unpack to (256 MB), whatever its size."""

CHUNK = 1 << 20
_MAGIC = {b"\x1f\x8b": "gzip", b"BZh": "bzip2", b"\x28\xb5\x2f\xfd": "zstandard"}
COMPRESSIONS = {".gz": "gzip", ".bz2": "bzip2", ".zst": "zstandard"}


class Source:
    """One opened input.

    :param path: a file, or ``-`` for standard input
    :param ratio: how many times its size it may unpack to; not looked at below `FREE_BYTES`
    :param partly: hand out what comes before the place where compressed data ends early; ``cut`` says that it did
    :raises LoadError: if it is missing, a folder, empty, or not compressed as its name says; `read` raises it where the
        compressed data is damaged, ends early, or unpacks to more than ``ratio`` allows
    """

    def __init__(self, path: Path | str, ratio: int = MOST_RATIO, partly: bool = False) -> None:
        self.ratio, self._unpacked, self._partly, self.cut = ratio, 0, partly, False
        self.path, self.name = path, "standard input" if str(path) == "-" else str(path)
        self._raw = _Counting(self._open())
        self.size = 0 if str(path) == "-" else os.stat(path).st_size
        head = self._raw.peek()
        kind = next((kind for magic, kind in _MAGIC.items() if head.startswith(magic)), "")
        if not head:
            self.close()
            raise LoadError(self.name, "the file is empty")
        promised = COMPRESSIONS.get(Path(self.name).suffix.lower())
        if promised and promised != kind:
            self.close()
            raise LoadError(self.name, f"it is no {promised} file", "rename it, or compress it again")
        self._file = _opened(kind, self._raw)

    def _open(self) -> IO[bytes]:
        if str(self.path) == "-":
            return sys.stdin.buffer
        if Path(self.path).is_dir():
            raise LoadError(self.name, "it is a folder", "name the files in it")
        try:
            return open(self.path, "rb", buffering=0)
        except FileNotFoundError:
            raise LoadError(self.name, "there is no such file", "check the path") from None
        except OSError as error:
            raise LoadError(self.name, f"it cannot be opened: {error.strerror}", "check its permissions") from None

    @property
    def sha256(self) -> str:
        """Of the bytes read so far, as they lie on the disk; hexadecimal."""
        return self._raw.digest.hexdigest()

    @property
    def offset(self) -> int:
        """Bytes read so far, as they lie on the disk."""
        return self._raw.count

    def read(self, size: int = -1) -> bytes:
        """At most ``size`` bytes of what the file holds, unpacked; empty at the end."""
        if size < 0:
            return b"".join(iter(lambda: self.read(CHUNK), b""))
        try:
            data = self._some(size)
        except (gzip.BadGzipFile, zlib.error, zstd.ZstdError) as error:
            raise LoadError(self.name, f"the compressed data is damaged: {error}", "get the file again") from None
        except OSError as error:
            raise LoadError(self.name, f"it cannot be read: {error}", "get the file again") from None
        self._unpacked += len(data)
        if self._unpacked > max(FREE_BYTES, self.ratio * self.offset):
            why = f"it unpacks to more than {self.ratio} times its size, as files do that are made to fill a disk"
            raise LoadError(self.name, why, "raise --max-ratio if you trust it")
        return data

    def _some(self, size: int) -> bytes:
        missing = size
        parts: list[bytes] = []
        while missing > 0:
            try:
                part = self._file.read1(missing)
            except EOFError:
                if not self._partly:
                    raise LoadError(self.name, "the compressed data ends early", "get the whole file") from None
                self.cut = True
                break
            if not part:
                break
            missing -= len(part)
            parts.append(part)
        return b"".join(parts)

    def close(self) -> None:
        self._raw.close()

    def __enter__(self) -> Source:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def blocks(self, size: int = CHUNK) -> Iterator[tuple[int, bytes]]:
        """Stretches of whole lines with the number of their first line, 1-based, each about ``size`` bytes.

        A line longer than `LONGEST_LINE` comes as an empty block: the caller counts it as skipped. The last line may
        lack its line end; where compressed data ends early, it is left out.
        """
        line, held, dropping = 1, 0, False
        parts: list[bytes] = []
        while piece := self.read(size):
            end = piece.rfind(b"\n") + 1
            if dropping:
                start = piece.find(b"\n") + 1
                if not start:
                    continue
                line, dropping = line + 1, False
                piece, end = piece[start:], end - start
            if end:
                block = b"".join((*parts, piece[:end]))
                yield line, block
                line += block.count(b"\n")
                parts, held = [], 0
            if end < len(piece):
                parts.append(piece[end:])
                held += len(piece) - end
            if held > LONGEST_LINE:
                yield line, b""
                parts, held, dropping = [], 0, True
        if parts and not self.cut:
            yield line, b"".join(parts)


def opened(source: Source | Path | str) -> Source:
    return source if isinstance(source, Source) else Source(source)


def digest_of(path: Path | str) -> str:
    """The sha256 of a whole file."""
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


class _Counting(io.RawIOBase):
    """A file that counts and digests the bytes read from it, and can be looked at once before."""

    def __init__(self, file: IO[bytes]) -> None:
        self._inside, self._head, self.count = file, b"", 0
        self.digest = hashlib.sha256()

    def peek(self) -> bytes:
        while len(self._head) < 4 and (more := self._inside.read(4 - len(self._head))):
            self._head += more
        return self._head

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        data = self._head[: len(buffer)] if self._head else self._inside.read(len(buffer))
        self._head = self._head[len(data) :]
        buffer[: len(data)] = data
        self.count += len(data)
        self.digest.update(data)
        return len(data)

    def close(self) -> None:
        if self._inside is not sys.stdin.buffer:
            self._inside.close()
        super().close()


def _opened(kind: str, raw: _Counting) -> Any:
    buffered = io.BufferedReader(raw, 1 << 17)
    if kind == "zstandard":
        return zstd.ZstdFile(buffered, options={zstd.DecompressionParameter.window_log_max: 27})
    if kind == "gzip":
        return gzip.GzipFile(fileobj=buffered)
    return bz2.BZ2File(buffered) if kind == "bzip2" else buffered
