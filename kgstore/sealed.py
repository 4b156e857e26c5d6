"""The triples of a sealed KG: read-only, compressed, memory-mapped, and read as a `kgstore.graph.Graph` is.

::

    terms.zst  blocks.npy      every term once, sorted, in blocks of `BLOCK` that are compressed each for itself
    dictionary                 zstd's dictionary for the blocks, made from a sample of them
    predicates.npy             the numbers of the terms that are predicates; columns name them by their place here
    spo.start.npy spo.p.npy spo.x.npy     for term ``i`` the slice ``start[i]:start[i + 1]`` is its triples as subject
    ops.start.npy ops.p.npy ops.x.npy     the same as object; ``x`` is the other end
    ledger.nt                  what the open graph says of its sources

Terms have the numbers of their order as N-Triples write them, so that none needs a key beside its text.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import accumulate
from pathlib import Path
from typing import IO, TYPE_CHECKING

import numpy as np
import pyoxigraph as ox
from pyoxigraph import BlankNode, Literal, NamedNode, Quad, Triple

from kgstore import zstd
from kgstore.errors import IndexMissing, QueryRefused
from kgstore.lines import open_array
from kgstore.prefixes import WELL_KNOWN

if TYPE_CHECKING:
    from kgstore.model import Statement
    from kgstore.profile import Profile
    from kgstore.sparql import Answer
    from kgstore.statements import Reader

FOLDER, BLOCK, LEVEL = "sealed", 32, 12
_KEPT = 8_192
_DEFAULT = ox.DefaultGraph()
_NT = ox.RdfFormat.N_TRIPLES
_CONSTRAINT = WELL_KNOWN["p"] + "P2302"
Term = NamedNode | BlankNode | Literal


class SealedGraph:
    """:raises IndexMissing: if the folder lacks a part"""

    read_only = True

    def __init__(self, folder: Path, profile: Profile) -> None:
        self.path, self.profile = folder, profile
        try:
            names = ("spo.start", "spo.p", "spo.x", "ops.start", "ops.p", "ops.x", "predicates", "blocks")
            arrays = {name: open_array(folder / f"{name}.npy") for name in names}
            self._text = np.memmap(folder / "terms.zst", np.uint8, "r")
            stored = (folder / "dictionary").read_bytes()
        except (FileNotFoundError, ValueError):
            raise IndexMissing(folder.parent, FOLDER) from None
        self._by = {side: tuple(arrays[f"{side}.{part}"] for part in ("start", "p", "x")) for side in ("spo", "ops")}
        self._predicates, self._blocks = arrays["predicates"], arrays["blocks"]
        self._dictionary = zstd.ZstdDict(stored) if stored else None
        self._block = lru_cache(_KEPT)(self._read_block)
        self._term = lru_cache(100_000)(self._read_term)
        self._reader: Reader | None = None

    def close(self) -> None:
        self._block.cache_clear()
        self._term.cache_clear()
        self._reader = None

    def __len__(self) -> int:
        """Number of triples without the ledger."""
        return len(self._by["spo"][2])

    # -- terms ------------------------------------------------------------------------------------

    def _read_block(self, number: int) -> list[bytes]:
        start, end = int(self._blocks[number]), int(self._blocks[number + 1])
        return zstd.decompress(self._text[start:end].tobytes(), self._dictionary).split(b"\n")

    def _read_term(self, number: int) -> Term:
        return parse(self._block(number // BLOCK)[number % BLOCK])

    def _number(self, term: Term) -> int:
        """-1 for a term that is not there."""
        wanted, low, high = str(term).encode(), 0, len(self._blocks) - 2
        while low < high:
            middle = (low + high + 1) // 2
            if self._block(middle)[0] <= wanted:
                low = middle
            else:
                high = middle - 1
        block = self._block(low) if high >= 0 else []
        return low * BLOCK + block.index(wanted) if wanted in block else -1

    # -- triples ----------------------------------------------------------------------------------

    def quads_for_pattern(
        self, subject: Term | None, predicate: NamedNode | None, obj: Term | None, graph: object = None
    ) -> Iterator[Quad]:
        """As `pyoxigraph.Store` has it; there is the default graph only."""
        for s, p, o in self._matching(subject, predicate, obj):
            yield Quad(self._term(s), self._term(int(self._predicates[p])), self._term(o), _DEFAULT)  # type: ignore[arg-type]

    def _matching(
        self, subject: Term | None, predicate: Term | None, obj: Term | None
    ) -> Iterator[tuple[int, int, int]]:
        numbers = [None if one is None else self._number(one) for one in (subject, predicate, obj)]
        if -1 in numbers:
            return
        s, p, o = numbers
        place = None
        if p is not None:
            place = int(np.searchsorted(self._predicates, p))
            if place == len(self._predicates) or self._predicates[place] != p:
                return
        here = o if s is None else s
        if here is None:
            yield from self._scan(place)
            return
        side, there = ("ops", None) if s is None else ("spo", o)
        start, preds, others = self._by[side]
        first, last = int(start[here]), int(start[here + 1])
        keep = np.ones(last - first, bool)
        if place is not None:
            keep &= preds[first:last] == place
        if there is not None:
            keep &= others[first:last] == there
        for at in (np.flatnonzero(keep) + first).tolist():
            ends = (here, int(others[at])) if side == "spo" else (int(others[at]), here)
            yield ends[0], int(preds[at]), ends[1]

    def _scan(self, place: int | None) -> Iterator[tuple[int, int, int]]:
        start, preds, others = self._by["spo"]
        for first in range(0, len(others), 1 << 20):
            here = preds[first:first + (1 << 20)]
            at = np.arange(len(here)) if place is None else np.flatnonzero(here == place)
            subjects = np.searchsorted(start, at + first, side="right") - 1
            yield from zip(subjects.tolist(), here[at].tolist(), others[at + first].tolist(), strict=True)

    def match(
        self, subject: Term | str | None = None, predicate: NamedNode | str | None = None, obj: Term | str | None = None
    ) -> Iterator[Triple]:
        """Triples that fit; None fits anything, a plain string is an IRI."""
        s, p, o = (NamedNode(one) if isinstance(one, str) else one for one in (subject, predicate, obj))
        return (quad.triple for quad in self.quads_for_pattern(s, p, o))  # type: ignore[arg-type]

    def statements(self, subject: str, predicate: str | None = None, references: bool = False) -> list[Statement]:
        return self._statements().of(subject, predicate, references)

    def incoming(self, obj: str, predicate: str | None = None, limit: int = 200) -> list[Statement]:
        return self._statements().to(obj, predicate, limit)

    def _statements(self) -> Reader:
        if self._reader is None:
            from kgstore.statements import reader

            self._reader = reader(self, self.profile)
        return self._reader

    def ledger_triples(self) -> Iterator[Triple]:
        """What the ledger says, as triples."""
        for quad in ox.parse((self.path / "ledger.nt").read_bytes(), format=_NT):
            yield quad.triple

    def dump(self, output: IO[bytes] | Path, format: ox.RdfFormat = _NT) -> None:
        """Write all triples without the ledger."""
        target = str(output) if isinstance(output, Path) else output
        ox.serialize(self.match(), target, format)

    def problem(self) -> str:
        """What is wrong with the files, as far as they can be compared with each other; empty if nothing is."""
        last, terms = b"", 0
        for number in range(len(self._blocks) - 1):
            try:
                block = self._read_block(number)
            except zstd.ZstdError as error:
                return f"its terms cannot be read: {error}"
            if [last, *block] != sorted({last, *block}):
                return f"its terms are out of order in block {number}"
            last, terms = block[-1], terms + len(block)
        if any(len(start) != terms + 1 or start[-1] != len(self) for start, _, _ in self._by.values()):
            return "its columns are not as long as its terms and triples need them"
        return "" if self._digest("spo") == self._digest("ops") else "its triples by subject and by object differ"

    def _digest(self, side: str) -> int:
        """A sum over all triples of one side, the same in whatever order they come."""
        (start, preds, others), total = self._by[side], 0
        for first in range(0, len(others), 1 << 20):
            there = others[first:first + (1 << 20)].astype(np.uint64)
            at = np.arange(first, first + len(there))
            here = (np.searchsorted(start, at, side="right") - 1).astype(np.uint64)
            subject, value = (here, there) if side == "spo" else (there, here)
            mixed = ((subject << np.uint64(32)) | value) * np.uint64(0x9E3779B97F4A7C15)
            mixed = (mixed ^ (mixed >> np.uint64(29)) ^ preds[first:first + len(there)]) * np.uint64(0xBF58476D1CE4E5B9)
            total += int((mixed ^ (mixed >> np.uint64(32))).sum(dtype=np.uint64))
        return total & 0xFFFFFFFFFFFFFFFF

    # -- SPARQL -----------------------------------------------------------------------------------

    def solutions(self, sparql: str) -> ox.QuerySolutions:
        """Our own SELECT over the constraints of properties, which are copied into memory for it."""
        small = ox.Store()
        for quad in self.quads_for_pattern(None, NamedNode(_CONSTRAINT), None):
            small.add(quad)
            small.extend(self.quads_for_pattern(quad.object, None, None))  # type: ignore[arg-type]
        return small.query(sparql, prefixes=WELL_KNOWN)  # type: ignore[return-value]

    def query(self, sparql: str, **_: object) -> Answer:
        """
        :raises QueryRefused: always
        """
        raise QueryRefused("a sealed KG answers no SPARQL", "make an open one of it with `kgstore unseal`")


def parse(text: bytes) -> Term:
    """A term as N-Triples write it.

    >>> parse(b'<http://ex/a>').value, parse(b'"say \\\\"A\\\\""@en').value, parse(b'_:b1').value
    ('http://ex/a', 'say "A"', 'b1')
    """
    if text.startswith(b"<"):
        return NamedNode(text[1:-1].decode())
    if text.startswith(b"_:"):
        return BlankNode(text[2:].decode())
    [quad] = ox.parse(b"<u:s> <u:p> " + text + b" .", format=_NT, lenient=True)
    return quad.object  # type: ignore[return-value]


def write_terms(folder: Path, terms: Iterator[Sequence[bytes]]) -> None:
    """Write ``terms.zst``, ``blocks.npy`` and ``dictionary`` from terms in their order, some at a time."""
    dictionary, starts, compressor = None, [0], zstd.ZstdCompressor(LEVEL)
    left: list[bytes] = []

    def packed(block: list[bytes]) -> bytes:
        return compressor.compress(b"\n".join(block), zstd.ZstdCompressor.FLUSH_FRAME)

    with (folder / "terms.zst").open("wb") as file:
        for some in terms:
            left += some
            blocks = [left[at:at + BLOCK] for at in range(0, len(left) - len(left) % BLOCK, BLOCK)]
            left = left[len(blocks) * BLOCK:]
            if len(starts) == 1 and blocks:
                dictionary = _trained([b"\n".join(one) for one in blocks])
                if dictionary is not None:  # digested once: for each block anew it takes a hundred times as long
                    compressor = zstd.ZstdCompressor(LEVEL, zstd_dict=dictionary.as_digested_dict)
            starts += accumulate((file.write(packed(block)) for block in blocks), initial=starts.pop())
        if left:
            starts.append(starts[-1] + file.write(packed(left)))
    (folder / "dictionary").write_bytes(b"" if dictionary is None else dictionary.dict_content)
    np.save(folder / "blocks.npy", np.array(starts, np.int64))


def _trained(blocks: Sequence[bytes]) -> zstd.ZstdDict | None:
    """A dictionary for blocks like these; None where there are too few to learn from."""
    step = max(1, len(blocks) // 20_000)
    try:
        return zstd.train_dict(list(blocks[::step]), 112_640)
    except (zstd.ZstdError, ValueError):
        return None
