"""Reports on many texts, in input order, by one process or several."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from cli.opening import open_store
from cli.texts import Text
from kgstore.store import Store
from verifier.decide.combine import load_combination
from verifier.extract.reading import Reading
from verifier.judges.opening import open_judge
from verifier.methods import AUTO
from verifier.pipeline import Verifier
from verifier.report import report_dict


@dataclass(frozen=True, slots=True)
class Settings:
    """What every process needs to make the same verifier."""

    kg: Path
    embedder: Path | None = None
    reading: Reading = Reading()
    judge: str | None = None
    calibration: Path | None = None
    method: str = AUTO


@contextmanager
def open_verifier(settings: Settings) -> Iterator[tuple[Verifier, Store]]:
    """A verifier and the store that it asks."""
    with open_store(settings.kg, settings.embedder) as store:
        yield _verifier(store, settings), store


def reports(items: Sequence[Text], settings: Settings, jobs: int = 1) -> Iterator[dict[str, Any]]:
    """One report (``kgstore.report/1``) a text, as plain JSON values, in the order of ``items``."""
    jobs = min(jobs, len(items))
    if jobs < 2:
        with open_verifier(settings) as (verifier, store):
            for item in items:
                yield _report(verifier, store, item)
        return
    open_store(settings.kg, settings.embedder).close()      # an error here, not in the children
    open_judge(settings.judge)
    if settings.calibration:
        load_combination(settings.calibration)
    os.environ["OMP_NUM_THREADS"] = str(max(1, (os.cpu_count() or 1) // jobs))  # read by the children's libraries
    chunk = max(1, min(16, len(items) // (4 * jobs)))
    with ProcessPoolExecutor(jobs, get_context("spawn"), _start, (settings,)) as pool:
        yield from pool.map(_report_here, items, chunksize=chunk)


_HERE: list[Any] = []
"""In a child process: its verifier and its store."""


def _start(settings: Settings) -> None:
    store = open_store(settings.kg, settings.embedder)
    _HERE[:] = [_verifier(store, settings), store]


def _report_here(item: Text) -> dict[str, Any]:
    return _report(*_HERE, item)


def _verifier(store: Store, settings: Settings) -> Verifier:
    combination = load_combination(settings.calibration) if settings.calibration else None
    return Verifier(store, settings.reading, settings.judge, combination, settings.method)


def _report(verifier: Verifier, store: Store, item: Text) -> dict[str, Any]:
    report = verifier.verify(item.text, id=None if item.id is None else str(item.id))
    return {**report_dict(report, store), "id": item.id}
