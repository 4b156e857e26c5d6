"""Where the work is done: a few threads, each with an open verifier of each KG, and no more at the door than wanted.

A verifier is made for one thread, and the first text pays for loading; so each thread has its own and is warmed before
the first request. The judge and the reader, which are large and never change, are shared.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import AsyncGenerator, Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

from kgstore.cli.opening import check_embedder
from kgstore.cli.server.errors import Busy, TimeUp, UnknownKg
from kgstore.cli.server.settings import Settings
from kgstore.embedding import Embedder, load_embedder
from kgstore.errors import IndexMissing, QueryStopped
from kgstore.sparql import Answer, Stop
from kgstore.store import Store
from kgstore.verifier.judges.opening import NONE, open_judge
from kgstore.verifier.judges.remembering import Remembering
from kgstore.verifier.pipeline import Verifier
from kgstore.verifier.reader.opening import open_reader

T = TypeVar("T")
QUERIES = 4
"""SPARQL queries at a time; each runs in a process of its own, which ends at the time limit."""
NAMES = 4
"""Best known entities of a KG that the warming text names."""


class Watch:
    """Stops work that nobody waits for any more, wherever it next asks the KG."""

    def __init__(self, seconds: float = float("inf")) -> None:
        self.end, self.stopped = time.monotonic() + seconds, False

    def check(self) -> None:
        if self.stopped or time.monotonic() > self.end:
            raise TimeUp


class WatchedStore(Store):
    """A store that looks at the watch each time that it is asked for something."""

    watch = Watch()

    def label(self, iri: str) -> str:
        self.watch.check()
        return super().label(iri)

    def statements(self, subject: str, predicate: str | None = None, references: bool = False) -> list[Any]:
        self.watch.check()
        return super().statements(subject, predicate, references)

    def match(self, *pattern: Any, **named: Any) -> Iterator[Any]:
        self.watch.check()
        return super().match(*pattern, **named)

    def paths(self, *ends: Any, **limits: Any) -> list[Any]:
        self.watch.check()
        return super().paths(*ends, **limits)


@dataclass(frozen=True, slots=True)
class Desk:
    """One thread's own store and verifier of a KG.

    :param candidates: where statements go that texts claim and the KG lacks
    """

    store: WatchedStore
    verifier: Verifier
    candidates: Path | None = None

    @contextmanager
    def watched(self, watch: Watch) -> Iterator[None]:
        self.store.watch = watch
        watch.check()
        try:
            yield
        finally:
            self.store.watch = WatchedStore.watch


@dataclass(slots=True)
class Desks:
    """The threads, and who may use them. Made, used and closed in one event loop."""

    settings: Settings
    running: int = 0
    refused: int = 0
    _pool: ThreadPoolExecutor = field(init=False)
    _mine: threading.local = field(default_factory=threading.local)
    _opened: list[Store] = field(default_factory=list)
    _queries: ThreadPoolExecutor = field(init=False)
    _asked: dict[str, Store] = field(default_factory=dict)
    _models: Models = field(init=False)

    def __post_init__(self) -> None:
        self._pool = ThreadPoolExecutor(self.settings.limits.workers, "kgstore-desk")
        self._queries = ThreadPoolExecutor(QUERIES, "kgstore-query")
        self._models = Models(self.settings)

    def kg(self, name: str | None) -> str:
        """The name of a KG that is served, the first where none is given.

        :raises UnknownKg: if there is no such KG
        """
        known = self.settings.named
        if not name:
            return next(iter(known))
        if name not in known:
            raise UnknownKg(name, list(known))
        return name

    async def warm(self) -> None:
        """Every thread opens every KG and verifies a text of it."""
        together = threading.Barrier(self.settings.limits.workers)

        def one() -> None:
            together.wait()
            for name in self.settings.named:
                _warmed(self._desk(name))

        loop = asyncio.get_running_loop()
        await asyncio.gather(*(loop.run_in_executor(self._pool, one) for _ in range(self.settings.limits.workers)))

    async def run(self, kg: str | None, job: Callable[[Desk], T]) -> T:
        """What the job returns, done by the next thread that is free. Whoever stops waiting stops the job.

        :raises Busy: if too many are waiting
        :raises TimeUp: if it takes too long
        """
        watch = Watch(self.settings.limits.seconds)
        future = asyncio.wrap_future(self._submit(self.kg(kg), job, watch))
        try:
            return await asyncio.wait_for(asyncio.shield(future), self.settings.limits.seconds)
        except TimeoutError:
            raise TimeUp from None
        finally:
            watch.stopped = True
            future.add_done_callback(lambda done: done.cancelled() or done.exception())

    async def query(self, kg: str | None, sparql: str) -> Answer:
        """The answer to a SPARQL query.

        :raises Busy: if too many are waiting
        :raises QueryError: if it does not parse, would write, or takes too long

        Whoever stops waiting ends its process.
        """
        name, limits = self.kg(kg), self.settings.limits
        if name not in self._asked:
            self._asked[name] = Store(self.settings.named[name])
            self._opened.append(self._asked[name])
        store, stop = self._asked[name], Stop()

        def work() -> Answer:
            if stop.stopped:  # it has waited, and whoever asked has left
                raise QueryStopped
            return store.query(sparql, timeout=limits.query_seconds, limit=limits.rows, stop=stop)

        future = asyncio.wrap_future(self._admitted(self._queries, work))
        try:
            return await asyncio.shield(future)
        finally:
            stop.stop()
            future.add_done_callback(lambda done: done.cancelled() or done.exception())

    async def each(self, kg: str | None, job: Callable[[Desk], Iterator[T]]) -> AsyncGenerator[T, None]:
        """The items of the job as they come.

        :raises Busy: before the first, if too many are waiting
        :raises TimeUp: if it takes too long
        """
        loop, items, watch = asyncio.get_running_loop(), asyncio.Queue[Any](), Watch(self.settings.limits.seconds)
        end = object()

        def put(desk: Desk) -> None:
            try:
                for item in job(desk):
                    watch.check()
                    loop.call_soon_threadsafe(items.put_nowait, item)
            finally:
                loop.call_soon_threadsafe(items.put_nowait, end)

        future = asyncio.wrap_future(self._submit(self.kg(kg), put, watch))
        future.add_done_callback(lambda done: items.put_nowait(end))
        try:
            while True:
                left = max(0.0, watch.end - time.monotonic())
                item = await asyncio.wait_for(items.get(), left)
                if item is end:
                    break
                yield item
            await future
        except TimeoutError:
            raise TimeUp from None
        finally:
            watch.stopped = True
            future.add_done_callback(lambda done: done.cancelled() or done.exception())

    def _submit(self, kg: str, job: Callable[[Desk], T], watch: Watch) -> Future[T]:
        def work() -> T:
            desk = self._desk(kg)
            with desk.watched(watch):
                return job(desk)

        return self._admitted(self._pool, work)

    def _admitted(self, pool: ThreadPoolExecutor, work: Callable[[], T]) -> Future[T]:
        """A place counts as taken until the work ends, even if nobody waits for it any more."""
        if self.running >= self.settings.limits.waiting:
            self.refused += 1
            raise Busy(self.settings.limits.waiting)
        loop = asyncio.get_running_loop()
        self.running += 1
        future = pool.submit(work)
        future.add_done_callback(lambda _: loop.is_closed() or loop.call_soon_threadsafe(self._leave))
        return future

    def _leave(self) -> None:
        self.running -= 1

    def _desk(self, kg: str) -> Desk:
        """This thread's own."""
        desks = self._mine.__dict__
        if kg not in desks:
            desks[kg] = self._models.desk(self.settings.named[kg])
            self._opened.append(desks[kg].store)
        return desks[kg]

    def close(self) -> None:
        """Wait for what runs, and let go of all files."""
        for pool in (self._pool, self._queries):
            pool.shutdown(wait=True, cancel_futures=True)
        for store in self._opened:
            store.close()
        self._opened.clear()


@dataclass
class Models:
    """The judge, the reader and the embedder, each loaded once for all threads."""

    settings: Settings
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @cached_property
    def judge(self) -> Remembering | None:
        found = open_judge(self.settings.judge)
        return None if found is None else Remembering(found)

    @cached_property
    def reader(self) -> Remembering | None:
        found = open_reader(self.settings.reader)
        return None if found is None else Remembering(found)

    @cached_property
    def embedder(self) -> Embedder:
        return load_embedder(self.settings.embedder)

    def desk(self, kg: Path) -> Desk:
        with self._lock:
            store = WatchedStore(kg)
            check_embedder(store, kg, self.settings.embedder, self.embedder)
            if store.manifest is None or store.manifest.embedder in (None, self.embedder.fingerprint):
                store.embedder = self.embedder
            judge = NONE if self.settings.judge == NONE else None
            verifier = Verifier(store, judge=judge, complete=self.settings.complete)
            verifier.second, verifier.reader = self.judge, self.reader
            return Desk(store, verifier, self.settings.candidates)


def _warmed(desk: Desk) -> None:
    """Verify a text about the KG's best known entities, so that all that is loaded late is loaded now."""
    store, verifier = desk.store, desk.verifier
    known = [store.catalog.at(index) for index in range(min(NAMES, len(store.catalog)))]
    pairs = zip(known, reversed(known), strict=True)
    text = " ".join(f"{one.label} is the spouse of {other.label} and was born in 1901." for one, other in pairs)
    verifier.verify(text or "Nobody was born in 1901.")
    for judge in (verifier.second, verifier.reader):
        if judge is not None:
            judge.judge([("Ann lives in Oslo.", "Ann lives in Rome.")])
    store.search("warm")
    try:
        store.paths([known[0].iri], [known[-1].iri], k=1) if known else None
    except IndexMissing:
        return
