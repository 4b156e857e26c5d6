"""Other people's SPARQL, answered safely: nothing is written, nothing leaves the machine, and nothing runs for ever.

Oxigraph cannot stop a query that runs, so each one gets a process of its own (`kgstore.sparql_child`), which opens the
graph read-only and is killed at the time limit. It starts in less than a tenth of a second.
"""

from __future__ import annotations

import io
import json
import subprocess
import sys
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyoxigraph as ox
from pyoxigraph import BlankNode, Literal, NamedNode, Triple

from kgstore import sparql_child
from kgstore.errors import QueryRefused, QueryStopped, QuerySyntax, QueryTimeout
from kgstore.prefixes import WELL_KNOWN
from kgstore.sparql_rewrite import Query, prepare

MEMORY = 6 << 30
"""Address space that one query may take, in bytes."""


@dataclass(frozen=True, slots=True)
class Result:
    """The answer to a SELECT.

    :param rows: a term, or None where the variable is unbound, for each column
    :param truncated: there were more rows than the limit
    """

    columns: tuple[str, ...]
    rows: list[tuple[NamedNode | BlankNode | Literal | Triple | None, ...]]
    truncated: bool = False


@dataclass(frozen=True, slots=True)
class Triples:
    """The answer to a CONSTRUCT or DESCRIBE."""

    triples: list[Triple]
    truncated: bool = False


Answer = Result | Triples | bool


class Stop:
    """Ends a query from another thread, also one that has not begun."""

    def __init__(self) -> None:
        self.stopped = False
        self._lock = threading.Lock()
        self._child: subprocess.Popen[bytes] | None = None

    def stop(self) -> None:
        with self._lock:
            self.stopped = True
            self._end()

    def at(self, child: subprocess.Popen[bytes]) -> None:
        """From now on it is this process that is to end."""
        with self._lock:
            self._child = child
            if self.stopped:
                self._end()

    def _end(self) -> None:
        if self._child is not None and self._child.poll() is None:
            self._child.kill()


def run(
    graph: Path,
    sparql: str,
    *,
    timeout: float = 30.0,
    limit: int = 10_000,
    languages: Sequence[str] = ("en",),
    memory: int = MEMORY,
    stop: Stop | None = None,
) -> Answer:
    """Answer a query over a graph's folder, which nobody may be writing to.

    Queries written for the Wikidata Query Service run unchanged: its prefixes are implied, its label service is
    answered.

    :param timeout: seconds until the query is killed
    :param limit: rows (or triples) at most
    :param stop: by which another thread may end it
    :param languages: what ``[AUTO_LANGUAGE]`` stands for, best first
    :raises QuerySyntax: if it does not parse
    :raises QueryRefused: if it would write or ask another server, or needs more than ``memory``
    :raises QueryTimeout: if it takes longer
    :raises QueryStopped: if it was told to stop
    """
    query = prepare(sparql, languages)
    request = {
        "graph": str(graph), "query": query.text, "ledger": query.ledger, "prefixes": WELL_KNOWN, "limit": limit,
        "timeout": timeout, "memory": memory, "packages": str(Path(ox.__file__).parent.parent),
    }
    child = subprocess.Popen(
        [sys.executable, "-E", "-P", "-S", sparql_child.__file__],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )
    stop = stop or Stop()
    try:
        stop.at(child)
        data, said = child.communicate(json.dumps(request).encode(), timeout=timeout)
    except subprocess.TimeoutExpired:
        raise QueryTimeout(timeout) from None
    finally:
        if child.poll() is None:
            child.kill()
            child.communicate()
    if stop.stopped:
        raise QueryStopped
    return _read(data, _outcome(child.returncode, said.decode("utf-8", "replace"), timeout, memory))


def run_here(store: ox.Store, sparql: str, *, limit: int = 10_000, languages: Sequence[str] = ("en",)) -> Answer:
    """Answer a query over a store in memory, in this process: same rules, no time limit."""
    query: Query = prepare(sparql, languages)
    target = io.BytesIO()
    try:
        outcome = sparql_child.answer(store, query.text, WELL_KNOWN, query.ledger, limit, target)
    except SyntaxError as error:
        raise _syntax(str(error)) from None
    return _read(target.getvalue(), outcome)


def _syntax(message: str) -> QuerySyntax:
    """Oxigraph's message on one line; it lists everything that might have stood there, at length."""
    message = " ".join(message.split())
    return QuerySyntax(message if len(message) <= 160 else f"{message[:160]} ..")


def _outcome(code: int, said: str, timeout: float, memory: int) -> dict[str, Any]:
    """The child's last line, or what its death tells."""
    if code == -14:  # its own alarm
        raise QueryTimeout(timeout)
    if code in (-6, -9, -11) or "MemoryError" in said:  # so Rust and C++ end without memory, or the system ends them
        raise QueryRefused(f"it needs more than {memory / (1 << 30):.3g} GiB of memory", "narrow it or add a LIMIT")
    if code != 0:
        raise RuntimeError(f"the query process ended with {code}: {said.strip()}")
    return json.loads(said.strip().splitlines()[-1])


def _read(data: bytes, outcome: dict[str, Any]) -> Answer:
    kind = outcome["kind"]
    if kind == "boolean":
        return bool(outcome["value"])
    if kind == "syntax":
        raise _syntax(outcome["message"])
    if kind == "error":
        raise QueryRefused(f"it cannot be evaluated ({outcome['message']})", "write it another way")
    if kind == "triples":
        quads = ox.parse(data, format=ox.RdfFormat.N_TRIPLES, lenient=True)
        return Triples([quad.triple for quad in quads], outcome["truncated"])
    columns = tuple(name.removeprefix("?") for name in data[: data.index(b"\n")].decode().split("\t") if name)
    try:
        rows = [tuple(row) for row in ox.parse_query_results(data, format=ox.QueryResultsFormat.TSV)]  # type: ignore[union-attr]
    except SyntaxError:
        rows = _lenient_rows(data, len(columns))
    return Result(columns, rows, outcome["truncated"])


def _lenient_rows(data: bytes, width: int) -> list[tuple[Any, ...]]:
    """TSV with terms that the strict parser refuses and real dumps hold, such as the language tag ``zh-classical``."""
    lines = data.decode().split("\n")[1:-1]
    cells = (
        f"<row:{row}> <column:{column}> {cell} .\n"
        for row, line in enumerate(lines)
        for column, cell in enumerate(line.split("\t"))
        if cell
    )
    rows: list[list[Any]] = [[None] * width for _ in lines]
    for quad in ox.parse("".join(cells), format=ox.RdfFormat.TURTLE, lenient=True):
        rows[int(quad.subject.value[4:])][int(quad.predicate.value[7:])] = quad.object
    return [tuple(row) for row in rows]
