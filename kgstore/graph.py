"""The triples of a KG, in Oxigraph.

Everything that is data lies in the default graph. The ledger (which sources were loaded, see `kgstore.ledger`) lies in
the named graph ``urn:kgstore:ledger`` and shows up in no look-up here unless it is asked for by name.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import pyoxigraph as ox
from pyoxigraph import BlankNode, Literal, NamedNode, Quad, Triple

from kgstore.errors import InputError, NotAStore
from kgstore.memory import share
from kgstore.prefixes import WELL_KNOWN

if TYPE_CHECKING:
    from kgstore.model import Statement
    from kgstore.profile import Profile
    from kgstore.sparql import Answer, Stop
    from kgstore.statements import Reader

DEFAULT = ox.DefaultGraph()
LEDGER = NamedNode("urn:kgstore:ledger")
Term = NamedNode | BlankNode | Literal | Triple
_NT = ox.RdfFormat.N_TRIPLES
_BLANK = re.compile(b"_:")
"""In a third of the time that ``in`` takes for two bytes."""

BATCH = 24_000_000
"""Bytes of N-Triples for one call of Oxigraph, less where memory is limited; sorted, they take three times that."""
WRITERS = 2
"""Calls at a time; their triples are sorted in memory before they are written."""


class Graph:
    """One Oxigraph store.

    >>> graph = Graph()                                 # no path: lives in memory
    >>> graph.bulk_load([b'<http://ex/Ada> <http://ex/bornIn> "London" .'])
    >>> [triple.object.value for triple in graph.match(subject="http://ex/Ada")], len(graph)
    (['London'], 1)

    :param read_only: opens a finished generation, in any number of processes; the folder must not change meanwhile
    :param profile: tells `statements` how the data is shaped; detected from the data unless told
    :raises NotAStore: if the folder is no Oxigraph store
    """

    def __init__(self, path: Path | None = None, *, read_only: bool = False, profile: Profile | None = None) -> None:
        self.path = None if path is None else Path(path)
        self.read_only = read_only
        self._profile = profile
        try:
            if self.path is None:
                self._store = ox.Store()
            elif read_only:
                self._store = ox.Store.read_only(str(self.path))
            else:
                self._store = ox.Store(str(self.path))
        except (OSError, RuntimeError) as error:  # the latter where Oxigraph finds a checksum wrong
            raise NotAStore(self.path or Path(), f"its graph cannot be opened: {error}") from None
        self._reader: Reader | None = None

    def __repr__(self) -> str:
        return f"Graph({str(self.path)!r})" if self.path else "Graph()"

    def close(self) -> None:
        """Let go of the files. The graph cannot be used afterwards."""
        self._reader = None
        self.__dict__.pop("_store", None)

    # -- triples ------------------------------------------------------------

    def match(
        self,
        subject: NamedNode | BlankNode | str | None = None,
        predicate: NamedNode | str | None = None,
        obj: Term | str | None = None,
    ) -> Iterator[Triple]:
        """Triples that fit, in no particular order; None fits anything, a plain string is an IRI."""
        for quad in self._store.quads_for_pattern(_node(subject), _node(predicate), _node(obj), DEFAULT):
            yield quad.triple

    def __contains__(self, triple: Triple) -> bool:
        return _quad(triple, DEFAULT) in self._store

    def __len__(self) -> int:
        """Number of triples without the ledger; counts them one by one."""
        return len(self._store) - sum(1 for _ in self.ledger_triples())

    def add(self, triples: Iterable[Triple]) -> int:
        """Add all or none, return how many were new. Holds them in memory; for dumps see `bulk_load`."""
        self._check_writable()
        new = {quad for quad in (_quad(triple, DEFAULT) for triple in triples) if quad not in self._store}
        self._store.extend(new)
        self._changed()
        return len(new)

    def remove(self, triples: Iterable[Triple]) -> int:
        """Remove what is there, return how many that were."""
        self._check_writable()
        gone = {quad for quad in (_quad(triple, DEFAULT) for triple in triples) if quad in self._store}
        for quad in gone:
            self._store.remove(quad)
        self._changed()
        return len(gone)

    def bulk_load(self, blocks: Iterable[bytes], steady: bool = False) -> None:
        """Stream N-Triples in, in constant memory; after an error some of the triples may be there.

        Each block holds whole lines. Oxigraph sorts a call's triples in memory before it writes them, so it gets
        `BATCH` bytes a call (533 MB in one call took 1.7 GB of memory, and twice the time). It needs no lock of
        Python's, so that the next blocks are made meanwhile: what the earlier ones said may then be in the graph, or
        not yet. The lines must be well-formed: the loaders drop and count bad lines before. IRIs and language tags are
        not checked again here, because real dumps hold tags (``zh-classical``) that strict parsers refuse. Oxigraph
        would give blank nodes new names in every call; blocks that have any take another, slower way, on which they
        keep theirs.

        :param steady: make blocks only while nothing is written, for those that depend on what the graph holds
        :raises InputError: if a line does not parse; whatever the iterator raises comes through unchanged
        """
        self._check_writable()
        running: deque[Future[None]] = deque()
        try:
            with ThreadPoolExecutor(WRITERS) as threads:
                for batch in _batches(blocks):
                    if len(running) == WRITERS:
                        running.popleft().result()
                    running.append(threads.submit(self._write, batch))
                    if steady:
                        running.popleft().result()
                while running:
                    running.popleft().result()
        except SyntaxError as error:
            raise InputError(f"N-Triples do not parse: {error}", "drop the line before loading") from None
        self._changed()

    def _write(self, batch: list[bytes]) -> None:
        """
        :raises SyntaxError: if a line does not parse
        """
        plain, named = list[bytes](), list[bytes]()
        for block in batch:
            (named if _BLANK.search(block) else plain).append(block)  # blank nodes, or a text that looks so
        self._store.bulk_load(input=b"".join(plain), format=_NT, lenient=True)
        for block in named:
            self._store.bulk_extend(ox.parse(block, format=_NT, lenient=True))

    def ledger_triples(self) -> Iterator[Triple]:
        """What the ledger says, as triples."""
        for quad in self._store.quads_for_pattern(None, None, None, LEDGER):
            yield quad.triple

    def add_to_ledger(self, triples: Iterable[Triple]) -> None:
        self._store.extend(_quad(triple, LEDGER) for triple in triples)

    def remove_from_ledger(self, triples: Iterable[Triple]) -> None:
        for triple in triples:
            self._store.remove(_quad(triple, LEDGER))

    def remove_lines(self, lines: Iterable[bytes]) -> int:
        """Remove the triples of N-Triples lines; return how many were there."""
        self._check_writable()
        there = {quad for quad in ox.parse(b"\n".join(lines), format=_NT, lenient=True) if quad in self._store}
        for quad in there:
            self._store.remove(quad)
        self._changed()
        return len(there)

    def dump(self, output: IO[bytes] | Path, format: ox.RdfFormat = ox.RdfFormat.N_TRIPLES) -> None:
        """Write all triples without the ledger.

        :param output: a binary file, or the path of one
        """
        target = str(output) if isinstance(output, Path) else output
        self._store.dump(target, format=format, from_graph=DEFAULT, prefixes=_prefixes(format))

    # -- the store's files ------------------------------------------------------------

    def checkpoint(self, target: Path) -> None:
        """A copy of the store at a new path; shares its files by hard links where the file system can."""
        self._store.backup(str(target))

    def optimize(self) -> None:
        self._store.optimize()

    def flush(self) -> None:
        self._store.flush()

    # -- SPARQL ------------------------------------------------------------

    def solutions(self, sparql: str) -> ox.QuerySolutions:
        """Our own SELECT, in this process and without limits; `query` is for other people's."""
        return self._store.query(sparql, prefixes=WELL_KNOWN)  # type: ignore[return-value]

    def solutions_to_csv(self, sparql: str, target: Path | IO[bytes]) -> None:
        """Write a SELECT's solutions and a header line: CSV (bare values), or TSV (terms) if the path ends so."""
        tabbed = isinstance(target, Path) and target.suffix == ".tsv"
        form = ox.QueryResultsFormat.TSV if tabbed else ox.QueryResultsFormat.CSV
        self.solutions(sparql).serialize(str(target) if isinstance(target, Path) else target, format=form)

    @property
    def store(self) -> ox.Store:
        """Oxigraph's own, for a library that wants it."""
        return self._store

    def query(
        self,
        sparql: str,
        *,
        timeout: float = 30.0,
        limit: int = 10_000,
        languages: Sequence[str] = ("en",),
        stop: Stop | None = None,
    ) -> Answer:
        """Anybody's SPARQL, read-only and within limits; see `kgstore.sparql.run`."""
        from kgstore.sparql import run, run_here

        if self.path is None:
            return run_here(self._store, sparql, limit=limit, languages=languages)
        return run(self.path, sparql, timeout=timeout, limit=limit, languages=languages, stop=stop)

    # -- statements ------------------------------------------------------------

    @property
    def profile(self) -> Profile:
        if self._profile is None:
            from kgstore.profile import detect

            self._profile = detect(self.match())
        return self._profile

    def statements(self, subject: str, predicate: str | None = None, references: bool = False) -> list[Statement]:
        """What the graph says about a subject, see `kgstore.statements`."""
        return self._statements().of(subject, predicate, references)

    def incoming(self, obj: str, predicate: str | None = None, limit: int = 200) -> list[Statement]:
        """Statements whose value is ``obj``, see `kgstore.statements`."""
        return self._statements().to(obj, predicate, limit)

    def _statements(self) -> Reader:
        if self._reader is None:
            from kgstore.statements import reader

            self._reader = reader(self._store, self.profile)
        return self._reader

    def _check_writable(self) -> None:
        if self.read_only:
            raise ValueError("the graph was opened read-only")

    def _changed(self) -> None:
        self._reader = None


def _batches(blocks: Iterable[bytes]) -> Iterator[list[bytes]]:
    """Blocks, some at a time, about `BATCH` bytes together."""
    batch, size, most = [], 0, share(0.02, BATCH, 2_000_000)
    enough = most // 16  # the first ones are smaller, so that writing begins at once
    for block in blocks:
        batch.append(block)
        size += len(block)
        if size >= enough:
            yield batch
            batch, size, enough = [], 0, min(2 * enough, most)
    if size:
        yield batch


def _quad(triple: Triple, graph: Any) -> Quad:
    return Quad(triple.subject, triple.predicate, triple.object, graph)


def _node(term: Term | str | None) -> Any:
    return NamedNode(term) if isinstance(term, str) else term


def _prefixes(format: ox.RdfFormat) -> dict[str, str] | None:
    return WELL_KNOWN if format in (ox.RdfFormat.TURTLE, ox.RdfFormat.N3) else None
