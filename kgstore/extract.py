"""SPARQL results into files, two queries at a time, in processes that start when they are needed.

A query holds Python's lock until its last row is written, so threads do not help; processes that open the same store
read-only do. This file is also the program that they run: one JSON line in (query, target), one JSON line out (an error
or null). A child ends when its input does, so none outlives the process that started it.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import count
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Self

from pyoxigraph import QueryResultsFormat, Store

if TYPE_CHECKING:
    from kgstore.graph import Graph

WORTH_A_PROCESS = 100_000
"""Triples from which on two processes are faster than none: starting them takes a tenth of a second."""


class Extractor:
    """Runs SELECT queries over a graph and leaves their results as TSV files in a scratch folder.

    :param scratch: an empty folder; it goes when the extractor is left
    """

    def __init__(self, graph: Graph, scratch: Path, jobs: int = 2) -> None:
        self._graph, self._scratch, self._numbers = graph, scratch, count()
        self._idle: SimpleQueue[subprocess.Popen[str]] = SimpleQueue()
        self._children: list[subprocess.Popen[str]] = []
        self._jobs, self._store = jobs, Path()
        self._threads: ThreadPoolExecutor | None = None

    def __enter__(self) -> Self:
        self._scratch.mkdir(parents=True)
        if self._graph.path is not None and sys.executable and self._big():
            self._start(self._graph.path)
        return self

    def _big(self) -> bool:
        some = f"SELECT (COUNT(*) AS ?n) {{ SELECT * {{ ?s ?p ?o }} LIMIT {WORTH_A_PROCESS} }}"
        return any(row["n"].value == str(WORTH_A_PROCESS) for row in self._graph.solutions(some))

    def _start(self, store: Path) -> None:
        if not self._graph.read_only:  # its files may change under a reader; a checkpoint's never do
            store = self._scratch / "graph"
            self._graph.checkpoint(store)
        self._store, self._threads = store, ThreadPoolExecutor(self._jobs)

    def _child(self) -> subprocess.Popen[str]:
        try:
            return self._idle.get_nowait()
        except Empty:
            command = [sys.executable, "-P", __file__, str(self._store)]
            child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
            self._children.append(child)
            return child

    def submit(self, query: str) -> Future[Path]:
        """Start a query; the future holds the path of its TSV file, for the caller to delete when it is read."""
        target = self._scratch / f"{next(self._numbers)}.tsv"
        if self._threads is not None:
            return self._threads.submit(self._ask, query, target)
        self._graph.solutions_to_csv(query, target)
        done: Future[Path] = Future()
        done.set_result(target)
        return done

    def _ask(self, query: str, target: Path) -> Path:
        child = self._child()
        assert child.stdin is not None and child.stdout is not None
        try:
            child.stdin.write(json.dumps([query, str(target)]) + "\n")
            child.stdin.flush()
            answer = child.stdout.readline()
        except BrokenPipeError:
            answer = ""
        finally:
            self._idle.put(child)
        if not answer or (error := json.loads(answer)):
            from kgstore.errors import StoreError  # here, because the child runs this file without its package

            why = error if answer else "the process that reads it ended"
            raise StoreError(f"the graph cannot be read ({why}): check it with `kgstore doctor`")
        return target

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if self._threads is not None:
            self._threads.shutdown(wait=False, cancel_futures=True)
        for child in self._children:
            if kind is not None:
                child.kill()
            child.communicate()
        if self._threads is not None:
            self._threads.shutdown()
        shutil.rmtree(self._scratch, ignore_errors=True)


def serve(path: str) -> None:
    store = Store.read_only(path)
    for line in sys.stdin:
        query, target = json.loads(line)
        try:
            store.query(query).serialize(target, format=QueryResultsFormat.TSV)  # type: ignore[arg-type]
            error = None
        except (OSError, RuntimeError, SyntaxError) as problem:
            error = str(problem)
        print(json.dumps(error), flush=True)


if __name__ == "__main__":
    serve(sys.argv[1])
