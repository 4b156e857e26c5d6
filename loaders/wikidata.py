"""The JSON dump of Wikidata (``latest-all.json.gz``): one array, one entity document a line.

Plain JSON lines, a byte order mark, Windows line ends and arrays on one line are read as well. A line that cannot be
read is skipped and counted; so are lexemes. Lines longer than 64 MB (`sources.LONGEST_LINE`) are not read.

An array that is not closed is read to its end, and counted as a file that may have been cut.

An entity that comes twice is merged: the graph holds the union of both documents, and the second one is counted.

Conversion runs in ``jobs`` processes. Each has one batch of lines at a time and hands its result over in the order of
the file, so that memory stays flat and the output does not depend on the number of processes.
"""

from __future__ import annotations

import multiprocessing
import os
import subprocess
import sys
from collections import deque
from collections.abc import Iterator
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, NamedTuple

import orjson

from kgstore.errors import LoadError
from kgstore.loaders.filters import Filters
from kgstore.loaders.formats import Setting
from kgstore.loaders.protocol import Block, Skipped
from kgstore.loaders.sources import Source, opened
from kgstore.loaders.values import BadValue
from kgstore.loaders.wikibase import Writer

BATCH = 2 << 20
_NAMED = 5
"""So many skips of a batch and reason come with their line, the rest as one sum."""


class Result(NamedTuple):
    """What became of one batch."""

    data: bytes
    ids: list[str]
    statements: int
    skipped: list[Skipped]


class WikidataLoader:
    """Reads a dump; see the module for the rules.

    :param jobs: processes to convert in; 1 converts in this one
    :param after: lines that an earlier run has done; they are read, but not converted again
    """

    suffixes = (".json", ".jsonl", ".ndjson")

    def __init__(self, jobs: int = 2, batch: int = BATCH, after: int = 0) -> None:
        self.jobs, self.batch, self.after = jobs, batch, after

    def read(self, source: Source | Path | str, filters: Filters) -> Iterator[Block | Skipped]:
        """Blocks of about 2 MB of JSON each; ``entities`` counts documents, properties included."""
        seen, kept, brackets = _Seen(), 0, _Brackets()
        with opened(source) as source:
            for work, result in self._converted(source, brackets, filters):
                if filters.limit is not None and kept + len(result.ids) > filters.limit:
                    result = convert(work.data, work.line, filters, filters.limit - kept)
                yield from result.skipped
                for name in result.ids:
                    if seen.again(name):
                        yield Skipped(None, "duplicate entity: merged with the one before", name)
                kept += len(result.ids)
                triples = result.data.count(b"\n")
                yield Block(result.data, len(result.ids), result.statements, triples, work.last, work.offset)
                if kept == filters.limit:
                    return
            if brackets.left_open and not source.cut:
                yield Skipped(None, "file: its array is not closed, it may have been cut")

    def _converted(self, source: Source, brackets: _Brackets, filters: Filters) -> Iterator[tuple[_Work, Result]]:
        """Every batch with its result, in order. Small files never start a second process."""
        workers: list[_Worker] = []
        idle: list[_Worker] = []
        waiting: deque[tuple[_Worker, _Work]] = deque()

        def oldest() -> tuple[_Work, Result]:
            worker, work = waiting.popleft()
            idle.append(worker)
            return work, worker.result(source)

        try:
            for number, (line, data) in enumerate(brackets.watch(source.blocks(self.batch))):
                if line <= self.after:
                    passed = self.after + 1 - line
                    data = b"".join(data.split(b"\n", passed)[passed:])
                    line = self.after + 1
                    if not data:
                        continue
                work = _Work(line, data, source.offset)
                here = self.jobs < 2 or number < 2 * self.jobs
                while waiting and (here or not data or len(waiting) == self.jobs):
                    yield oldest()
                if not data:
                    yield work, Result(b"", [], 0, [Skipped(line, "line is longer than 64 MB")])
                elif here:
                    yield work, convert(data, line, filters, filters.limit)
                else:
                    if not idle:
                        workers.append(_Worker(filters))
                        idle.append(workers[-1])
                    worker = idle.pop()
                    worker.send(work)
                    waiting.append((worker, work))
            while waiting:
                yield oldest()
        finally:
            for worker in workers:
                worker.close()


class _Brackets:
    """Watches the blocks of a dump go by, and knows whether they are an array that is not closed."""

    def __init__(self) -> None:
        self._first = self._last = b""

    def watch(self, blocks: Iterator[tuple[int, bytes]]) -> Iterator[tuple[int, bytes]]:
        for line, data in blocks:
            self._first = self._first or data[:100].removeprefix(b"\xef\xbb\xbf").strip()
            self._last = data[-100:].strip() or self._last
            yield line, data

    @property
    def left_open(self) -> bool:
        return self._first.startswith(b"[") and not self._last.endswith(b"]")


class _Work(NamedTuple):
    line: int
    data: bytes
    offset: int

    @property
    def last(self) -> int:
        return self.line + max(0, self.data.count(b"\n") - self.data.endswith(b"\n"))


class _Worker:
    """A process that converts batches until its pipe closes (also when we are killed, so that none is left behind).

    It is no fork, which would copy Oxigraph's threads and locks half alive, and none of multiprocessing's own, which
    would run the caller's script once more.
    """

    def __init__(self, filters: Filters) -> None:
        self._pipe, theirs = multiprocessing.Pipe()
        code = f"from kgstore.loaders.wikidata import serve; serve({theirs.fileno()})"
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
        self._process = subprocess.Popen(
            [sys.executable, "-c", code], pass_fds=[theirs.fileno()], env=environment, stdin=subprocess.DEVNULL
        )
        theirs.close()
        self._pipe.send(filters)

    def send(self, work: _Work) -> None:
        self._pipe.send((work.data, work.line))

    def result(self, source: Source) -> Result:
        try:
            return self._pipe.recv()
        except EOFError:
            raise LoadError(source.name, "a process that was reading it died", "load it again, with --jobs 1") from None

    def close(self) -> None:
        self._pipe.close()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


def serve(handle: int) -> None:
    """What such a process does; it gets the filters first."""
    pipe = Connection(handle)
    try:
        filters = pipe.recv()
        while True:
            data, line = pipe.recv()
            pipe.send(convert(data, line, filters, filters.limit))
    except (EOFError, BrokenPipeError, KeyboardInterrupt):
        return


def convert(data: bytes, line: int, filters: Filters, limit: int | None = None) -> Result:
    """Convert a batch of lines.

    :param line: number of its first line
    :param limit: stop after so many entities
    """
    writer, skips, statements = Writer(filters), _Skips(), 0
    ids: list[str] = []
    for number, text in enumerate(data.split(b"\n"), line):
        skips.line = number
        for document in _documents(text, skips):
            if limit is not None and len(ids) >= limit:
                break
            kind = document.get("type") if isinstance(document, dict) else None
            if kind in ("lexeme", "mediainfo", "entity-schema"):
                skips(f"{kind}: not supported", str(document.get("id")), 1)
                continue
            mark = len(skips.all)
            try:
                written = writer.write(document, skips)
            except BadValue as error:
                del skips.all[mark:]
                skips(f"document: {error}", _shown(text), 1)
            except (AttributeError, KeyError, TypeError, ValueError):
                del skips.all[mark:]
                skips("document: not shaped like an entity", _shown(text), 1)
            else:
                if written.kept:
                    ids.append(written.id)
                    statements += written.statements
    return Result(writer.take(), ids, statements, skips.summed())


def _documents(text: bytes, skips: _Skips) -> list[Any]:
    if skips.line == 1:
        text = text.removeprefix(b"\xef\xbb\xbf")
    text = text.strip().rstrip(b",").rstrip()
    if text in (b"", b"[", b"]", b"[]"):
        return []
    if not text.startswith((b"{", b"[")):  # orjson takes 12 times the text's memory before it looks at it
        skips("line: not JSON", _shown(text), 1)
        return []
    try:
        found = orjson.loads(text)
    except orjson.JSONDecodeError as error:
        starts, ends = text.startswith(b"[{"), text.endswith(b"}]")
        if starts != ends:  # the array starts, or ends, on a document's line
            return _documents(text[1:] if starts else text[:-1], skips)
        skips(f"line: {_reason(text, error)}", _shown(text), 1)
        return []
    return found if isinstance(found, list) else [found]


def _reason(text: bytes, error: orjson.JSONDecodeError) -> str:
    try:
        text.decode()
    except UnicodeDecodeError:
        return "not UTF-8"
    return "nested too deep" if "depth limit" in str(error) else "not JSON"


def _shown(text: bytes) -> str:
    return "".join(one if one.isprintable() else "." for one in text[:80].decode("utf-8", "replace"))


class _Skips:
    """Collects what is skipped in a batch."""

    def __init__(self) -> None:
        self.line = 0
        self.all: list[Skipped] = []

    def __call__(self, reason: str, what: str, count: int) -> None:
        self.all.append(Skipped(self.line, reason, what[:80], count))

    def summed(self) -> list[Skipped]:
        """The first few of each reason one by one, the rest as one sum."""
        first: dict[str, list[Skipped]] = {}
        rest: dict[str, int] = {}
        for one in self.all:
            group = first.setdefault(one.reason, [])
            if len(group) < _NAMED:
                group.append(one)
            else:
                rest[one.reason] = rest.get(one.reason, 0) + one.count
        return [
            *(one for group in first.values() for one in group),
            *(Skipped(None, reason, "", count) for reason, count in rest.items()),
        ]


class _Seen:
    """The ids met so far, a bit each in pages of 65,536: 20 MB for all of Wikidata."""

    def __init__(self) -> None:
        self._pages: dict[tuple[str, int], bytearray] = {}

    def again(self, name: str) -> bool:
        """Whether it was met before; from now on it was."""
        number = int(name[1:])
        key = (name[0], number >> 16)
        if (page := self._pages.get(key)) is None:
            page = self._pages[key] = bytearray(8192)
        at, bit = (number & 65535) >> 3, 1 << (number & 7)
        met = bool(page[at] & bit)
        page[at] |= bit
        return met


def loader(format: str, setting: Setting) -> WikidataLoader:
    """See `kgstore.loaders.formats.Format`."""
    return WikidataLoader(setting.jobs, after=setting.after)
