"""The pipeline: files through their loaders into a new generation of a KG folder."""

from __future__ import annotations

import resource
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from kgstore.errors import InputError, LoadError
from kgstore.layout import Manifest, generation_path
from kgstore.profile import Profile
from kgstore.writer import StoreWriter
from loaders.filters import Filters
from loaders.formats import format_of, loader_for
from loaders.protocol import Block, Skipped
from loaders.sources import Source, digest_of

_LINES_SHOWN = 5
_WIKIDATA_ONLY = {"statements", "properties", "types", "entities", "min_sitelinks"}


@dataclass(frozen=True, slots=True)
class Event:
    """How far a load is; comes a few times a second.

    :param part: ``read`` while a file is being read, else what is being done to the whole KG
    :param read: bytes of the file read so far (compressed), of ``total``; both 0 where unknown
    :param seconds: since the file, or the part, was begun
    """

    part: str
    path: str = ""
    read: int = 0
    total: int = 0
    entities: int = 0
    statements: int = 0
    triples: int = 0
    seconds: float = 0.0

    @property
    def rate(self) -> float:
        """Triples a second."""
        return self.triples / self.seconds if self.seconds else 0.0


@dataclass(slots=True)
class Left:
    """How many were skipped for one reason, and where the first few were.

    :param where: (file, line, what)
    """

    count: int = 0
    where: list[tuple[str, int | None, str]] = field(default_factory=list)


@dataclass(slots=True)
class Summary:
    """What a load did.

    :param triples: written; the graph holds fewer where sources repeat each other (see the manifest's counts)
    :param skipped: by reason; one that starts with ``filter`` or ``truthy`` was asked for, others are faults
    :param seconds: by part: ``read`` (and load), ``index``
    :param peak_rss: bytes: the peak of this process plus that of its biggest child
    :param disk: bytes of the new generation
    :param unchanged: files that were not read again, because the KG already holds them (``resume``)
    """

    entities: int = 0
    statements: int = 0
    triples: int = 0
    skipped: dict[str, Left] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)
    peak_rss: int = 0
    disk: int = 0
    files: int = 0
    unchanged: list[str] = field(default_factory=list)
    manifest: Manifest | None = None

    def count(self, path: str, skipped: Skipped) -> None:
        left = self.skipped.setdefault(skipped.reason, Left())
        left.count += skipped.count
        if len(left.where) < _LINES_SHOWN and (skipped.line is not None or skipped.what):
            left.where.append((path, skipped.line, skipped.what))


Report = Callable[[Event], None]


def ignore(event: Event) -> None:
    """A report that goes nowhere."""


def load(
    paths: Sequence[Path | str],
    kg: Path,
    *,
    format: str | None = None,
    profile: str | Path | Profile | None = None,
    languages: Sequence[str] | None = None,
    filters: Filters | None = None,
    vectors: bool = True,
    jobs: int = 2,
    name: str | None = None,
    resume: bool = False,
    embedder: Path | None = None,
    report: Report = ignore,
) -> Summary:
    """Load files into a KG folder, new or existing: all of them become visible at the end, or (after an error) none.

    What an existing KG holds stays; triples that it has already are not doubled.

    :param paths: files; ``-`` is standard input and needs ``format``
    :param languages: of names, best first; goes before those of ``filters``
    :param resume: continue a load that was killed: finished files are not read again
    :raises InputError: if a format, filter or profile makes no sense, before anything is written
    :raises LoadError: if a file cannot be read, or not to its end
    """
    if not paths:
        raise InputError("no file to load", "name at least one")
    filters = filters or Filters()
    if languages is not None:
        filters = replace(filters, languages=tuple(languages))
    formats = [format_of(path, format) for path in paths]
    chosen = _WIKIDATA_ONLY.intersection(filters.chosen())
    if chosen and "wikidata" not in formats:
        raise InputError(f"the filter {sorted(chosen)[0]} works on Wikidata dumps only", "leave it out")
    for path in paths:
        if str(path) != "-" and not Path(path).is_fifo():
            Source(path).close()                                            # missing and empty files: now, not later
    summary, unmet = Summary(), set(filters.properties or ())
    kg = Path(kg)
    started = time.monotonic()
    with StoreWriter(kg, name, profile, filters.languages, resume=resume) as writer:
        kg_name = name or (writer.current.name if writer.current else kg.stem or "kg")
        done = {(record["sha256"], _frozen(record.get("options"))) for record in writer.resumed}
        for path, form in zip(paths, formats, strict=True):
            options = _options(form, filters)
            if done and str(path) != "-" and (digest_of(path), _frozen(options)) in done:
                summary.unchanged.append(str(path))
                continue
            _load_one(path, form, options, filters, jobs, kg_name, writer, summary, unmet, report)
        if unmet and filters.limit is None and not summary.unchanged and "wikidata" in formats:
            why = f"the filter names the property {sorted(unmet)[0]}, which no statement has"
            raise InputError(why, "correct it, or leave it out")
        summary.seconds["read"] = time.monotonic() - started
        started = time.monotonic()
        summary.manifest = writer.commit(
            vectors=vectors, embedder=embedder,
            report=lambda message: report(Event(message, seconds=time.monotonic() - started)),
        )
    summary.seconds["index"] = time.monotonic() - started
    summary.disk = _disk(generation_path(kg, summary.manifest.generation))
    usage = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    summary.peak_rss = sum(one.ru_maxrss for one in usage) * 1024                                  # it counts in KB
    return summary


def _load_one(
    path: Path | str, form: str, options: dict[str, Any], filters: Filters, jobs: int, kg_name: str,
    writer: StoreWriter, summary: Summary, unmet: set[str], report: Report,
) -> None:
    one, loader = Summary(), loader_for(form, jobs=jobs, name=kg_name)
    with Source(path) as source:
        writer.bulk_load(_counted(loader.read(source, filters), source, one, unmet, report))
    faults = {reason: left for reason, left in one.skipped.items() if not reason.startswith(("filter", "truthy"))}
    if not one.triples and faults:
        reason, left = next(iter(faults.items()))
        why = f"nothing in it can be read as {form} ({left.count} times {reason})"
        raise LoadError(source.name, why, "check the file, or --format")
    writer.ledger({
        "name": Path(source.name).name, "sha256": source.sha256, "bytes": source.offset, "options": options,
        "counts": {"entities": one.entities, "statements": one.statements, "triples": one.triples},
        "skipped": {reason: left.count for reason, left in one.skipped.items()},
    })
    summary.files += 1
    summary.entities += one.entities
    summary.statements += one.statements
    summary.triples += one.triples
    for reason, left in one.skipped.items():
        total = summary.skipped.setdefault(reason, Left())
        total.count += left.count
        total.where += left.where[:_LINES_SHOWN - len(total.where)]


def _counted(
    items: Iterable[Block | Skipped], source: Source, one: Summary, unmet: set[str], report: Report
) -> Iterator[bytes]:
    """The blocks' bytes; counts go into ``one``, ids of ``unmet`` properties that turn up are taken out of it."""
    started, told = time.monotonic(), 0.0
    for item in items:
        if isinstance(item, Skipped):
            one.count(source.name, item)
            continue
        one.entities += item.entities
        one.statements += item.statements
        one.triples += item.data.count(b"\n")
        for name in [name for name in unmet if f"/prop/direct/{name}>".encode() in item.data]:
            unmet.discard(name)
        now = time.monotonic()
        if now - told > 0.2:
            told = now
            report(_event(source, item.offset, one, now - started))
        if item.data:
            yield item.data
    report(_event(source, source.offset, one, time.monotonic() - started))


def _event(source: Source, offset: int, one: Summary, seconds: float) -> Event:
    return Event("read", source.name, offset, source.size, one.entities, one.statements, one.triples, seconds)


def _options(form: str, filters: Filters) -> dict[str, Any]:
    """Whatever changes what is taken from a file, as the ledger keeps it."""
    options: dict[str, Any] = {"format": form}
    if form == "wikidata":
        options["languages"] = list(filters.languages)
    for key in filters.chosen():
        if form == "wikidata" or key not in _WIKIDATA_ONLY:
            value = getattr(filters, key)
            options[key] = sorted(value) if isinstance(value, frozenset) else value
    return options


def _frozen(options: Any) -> str:
    return repr(sorted((options or {}).items()))


def _disk(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
