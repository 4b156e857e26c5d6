"""What a loader is: one kind of file in, blocks of N-Triples out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from kgstore.loaders.filters import Filters
from kgstore.loaders.sources import Source


@dataclass(frozen=True, slots=True)
class Block:
    """A stretch of a source as N-Triples; every line is whole and well-formed.

    :param data: UTF-8, lines end with ``.\\n``
    :param entities: how many entity documents, subjects or rows it was made from (the loader says which)
    :param statements: statements kept (Wikidata), else triples
    :param triples: how many lines ``data`` has
    :param line: last line of the source that it covers, 1-based
    :param offset: bytes of the source read so far, as they lie on the disk (compressed)
    """

    data: bytes
    entities: int
    statements: int
    triples: int
    line: int
    offset: int


@dataclass(frozen=True, slots=True)
class Skipped:
    """Something of the source that is not in the graph, and why.

    :param line: 1-based; None for a count that sums up several lines
    :param reason: the same words for the same reason, so that they can be counted
    :param what: what it was, at most 80 characters
    """

    line: int | None
    reason: str
    what: str = ""
    count: int = 1


class Loader(Protocol):
    """Turns one kind of file into N-Triples. Knows nothing of stores or progress bars."""

    suffixes: tuple[str, ...]

    def read(self, source: Source | Path | str, filters: Filters) -> Iterator[Block | Skipped]:
        """Stream in constant memory. A bad record becomes `Skipped`, never the end.

        :param source: a file, ``-`` for standard input, or one of these already opened
        :raises LoadError: if the file cannot be read, or ends early; what came before is not to be kept
        """
