"""Reports on many texts, in input order, by one process or several."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import click

from kgstore.cli.logs import follow
from kgstore.cli.opening import open_store
from kgstore.cli.render import count
from kgstore.cli.texts import Text
from kgstore.embedding import load_embedder
from kgstore.memory import workers
from kgstore.opening import KG
from kgstore.verifier.decide.combine import load_combination
from kgstore.verifier.document.context import ContextVerifier
from kgstore.verifier.judges.opening import open_judge
from kgstore.verifier.methods.registry import AUTO, DOCUMENT_METHODS, METHODS
from kgstore.verifier.pipeline import Verifier
from kgstore.verifier.read.reading import Reading
from kgstore.verifier.reader.opening import open_reader
from kgstore.verifier.report.candidates import add, candidates
from kgstore.verifier.report.report import report_dict

VERIFIER = 500_000_000
"""Bytes of a process with a verifier."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What every process needs to make the same verifier.

    :param kg: None where every text has a document
    :param context: a document for the texts that bring none
    :param context_name: what reports call that document
    :param beside: the KG decides what a document leaves open
    :param matching: claims get their triplets match score, see `kgstore.verifier.methods.matching`
    :param complete: properties of the KG whose lists lack nothing
    :param candidates: where statements go that texts claim and the KG lacks
    """

    kg: Path | None
    embedder: Path | None = None
    reading: Reading = Reading()
    judge: str | None = None
    calibration: Path | None = None
    method: str = AUTO
    context: str | None = None
    context_name: str = "the document"
    beside: bool = False
    matching: bool = False
    complete: tuple[str, ...] = ()
    reader: str | None = None
    candidates: Path | None = None


def check_sources(settings: Settings, items: Sequence[Text]) -> None:
    """Has every text something to be checked against, by a method that can do it?

    :raises UsageError: if not
    """
    alone = [item for item in items if item.context is None and settings.context is None]
    if settings.complete and settings.kg is None:
        raise click.UsageError("--complete is about the properties of a KG: name it with --kg")
    if alone and settings.kg is None:
        where = "" if len(alone) == len(items) else f" for {count(len(alone), 'text')} without a context"
        raise click.UsageError(f"nothing to check against{where}: name a KG with --kg, or a document with --context")
    if alone and settings.method not in METHODS:
        raise click.UsageError(f"--method {settings.method} checks against a document: name one with --context")
    if len(alone) < len(items) and settings.method not in DOCUMENT_METHODS:
        raise click.UsageError(f"--method {settings.method} checks against a KG, not against a document")


@contextmanager
def open_verifier(settings: Settings) -> Iterator[tuple[Verifier, KG]]:
    """A verifier and the store that it asks."""
    assert settings.kg is not None
    with open_store(settings.kg, settings.embedder) as store:
        yield verifier_of(store, settings), store


def reports(items: Sequence[Text], settings: Settings, jobs: int = 1) -> Iterator[dict[str, Any]]:
    """One report (``kgstore.report/1``) a text, as plain JSON values, in the order of ``items``."""
    jobs = min(workers(jobs, VERIFIER, 1.0), len(items))
    if jobs < 2:
        desk = Desk(settings)
        try:
            for item in items:
                yield desk.report(item)
        finally:
            desk.close()
        return
    Desk(settings).close()  # an error here, not in the children
    open_judge(settings.judge)
    open_reader(settings.reader)
    os.environ["OMP_NUM_THREADS"] = str(max(1, (os.cpu_count() or 1) // jobs))  # read by the children's libraries
    chunk = max(1, min(16, len(items) // (4 * jobs)))
    with ProcessPoolExecutor(jobs, get_context("spawn"), _start, (settings,)) as pool:
        yield from pool.map(_report_here, items, chunksize=chunk)


_HERE: list[Desk] = []
"""In a child process: what makes its reports."""


def _start(settings: Settings) -> None:
    follow()
    _HERE[:] = [Desk(settings)]


def _report_here(item: Text) -> dict[str, Any]:
    return _HERE[0].report(item)


class Desk:
    """What one process needs for reports: the KG's verifier, the documents' verifier, or both."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.store = open_store(settings.kg, settings.embedder) if settings.kg is not None else None
        self.verifier = verifier_of(self.store, settings) if self.store is not None else None

    @cached_property
    def against(self) -> ContextVerifier:
        settings = self.settings
        beside = self.verifier if settings.beside else None
        embedder = load_embedder(settings.embedder) if self.store is None else self.store.embedder
        return ContextVerifier(settings.reading, settings.judge, settings.method, beside, embedder)

    def report(self, item: Text) -> dict[str, Any]:
        key = None if item.id is None else str(item.id)
        said = self.settings.context if item.context is None else item.context
        if said is not None:
            document = self.against.document(said, self.settings.context_name)
            report = self.against.verify(item.text, document, key)
            return {**report_dict(report, self.against.sources(document)), "id": item.id}
        assert self.verifier is not None and self.store is not None
        report = self.verifier.verify(item.text, id=key)
        if self.settings.candidates is not None:
            add(self.settings.candidates, candidates(report, self.store))
        return {**report_dict(report, self.store), "id": item.id}

    def close(self) -> None:
        if self.store is not None:
            self.store.close()


def verifier_of(store: KG, settings: Settings) -> Verifier:
    combination = load_combination(settings.calibration) if settings.calibration else None
    method = settings.method if settings.method in METHODS else AUTO  # another one is for documents only
    settled = (settings.reading, settings.judge, combination, method, settings.matching)
    return Verifier(store, *settled, settings.complete, settings.reader)
