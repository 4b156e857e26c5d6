"""The pipeline: files through their loaders into a new generation of a KG folder."""

from __future__ import annotations

import resource
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from kgstore import ledger
from kgstore.errors import InputError, LoadError
from kgstore.layout import generation_path
from kgstore.loaders.filters import Filters
from kgstore.loaders.formats import CONTINUED, TABLES, format_of, loader_for, separator_of
from kgstore.loaders.known import GraphNames
from kgstore.loaders.protocol import Block, Skipped
from kgstore.loaders.sources import MOST_RATIO, Source, digest_of
from kgstore.loaders.summary import Event, Left, Summary, ignore
from kgstore.loaders.table_names import Names, names_of
from kgstore.memory import workers
from kgstore.profile import Profile, detect, stored
from kgstore.writer import UPDATE, StoreWriter

__all__ = ["Event", "Left", "Summary", "ignore", "load"]

SHARD = 1_000_000
"""Triples after which a load notes how far it is: a killed one goes on there, or at the file's start (`CONTINUED`)."""

_WIKIDATA_ONLY = {"statements", "properties", "types", "entities", "min_sitelinks"}
Report = Callable[[Event], None]


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
    max_ratio: int = MOST_RATIO,
    replacing: Sequence[str] = (),
    update: bool = False,
    report: Report = ignore,
) -> Summary:
    """Load files into a KG folder, new or existing: all of them become visible at the end, or (after an error) none.

    What an existing KG holds stays; triples that it has already are not doubled. A compressed file of lines that ends
    early is loaded as far as it goes: ``Summary.incomplete`` and the ledger say so. One that is to replace a source, or
    is of another format, is refused.

    :param paths: files; ``-`` is standard input and needs ``format``
    :param languages: of names, best first; goes before those of ``filters``
    :param resume: continue a load that was killed: what it had finished is not loaded again
    :param max_ratio: how many times its size a compressed file may unpack to, see `kgstore.loaders.sources.Source`
    :param replacing: names of sources of the KG whose place the files take: what these say and the files (or another
        source) do not is removed
    :param update: what the KG says already of the entities that the files describe gives way; dumps of Wikidata only
    :raises InputError: if a format, filter or profile makes no sense, or a resumed load is not the one that was killed,
        or was finished
    :raises LoadError: if a file cannot be read, or not to its end
    """
    if not paths:
        raise InputError("no file to load", "name at least one")
    filters = filters or Filters()
    if languages is not None:
        filters = replace(filters, languages=tuple(languages))
    files = [_File(path, form, _options(form, filters)) for path in paths for form in [format_of(path, format)]]
    chosen = sorted(_WIKIDATA_ONLY.intersection(filters.chosen()))
    wikidata = any(file.form == "wikidata" for file in files)
    if chosen and not wikidata:
        raise InputError(f"the filter {chosen[0]} works on Wikidata dumps only", "leave it out")
    if update and (replacing or not all(file.form == "wikidata" for file in files)):
        why = "an update is not possible " + ("beside --replace" if replacing else "with files of this kind")
        raise InputError(why, "--update is for Wikidata dumps; name the older file with --replace in other cases")
    for file in files:
        if str(file.path) != "-" and not Path(file.path).is_fifo():
            Source(file.path).close()  # missing and empty files: now, not later
    files.sort(key=lambda file: file.form in TABLES)  # tables may name what the other files describe
    started, kg = time.monotonic(), Path(kg)
    with StoreWriter(kg, name, profile, filters.languages, resume=resume) as writer:
        kg_name = name or (writer.current.name if writer.current else kg.stem or "kg")
        run = _Run(writer, filters, workers(jobs), kg_name, report)
        run.ratio, run.names = max_ratio, _table_names(files, max_ratio)
        finished = _finished(files, writer)
        run.partly = not (replacing or update)
        run.summary.incomplete = [record["name"] for record in writer.resumed if record.get("incomplete")]
        kept = stored(writer.current.profile) if writer.current and profile is None else None
        if kept and wikidata and not kept.wikibase:
            why = f"{kg} has the profile {kept.name}, with which Wikidata's statements are not understood"
            raise InputError(why, "load the dump into a KG of its own, or give --profile wikidata")
        if resume and not writer.continues and _loaded(files, writer):
            raise InputError(f"nothing to continue, {kg} holds these files", "leave out --resume to load them again")
        run.summary.continued = writer.continues
        writer.numbers_of(replacing)  # unknown ones: now, not later
        writer.intend((UPDATE,) if update else replacing)
        for file in files:
            if file in finished:
                run.summary.unchanged.append(str(file.path))
            else:
                run.read(file)
        if run.unmet and wikidata and filters.limit is None and not (writer.resumed or run.continued):
            why = f"the filter names the property {sorted(run.unmet)[0]}, which no statement has"
            raise InputError(why, "correct it, or leave it out")
        if kept and not kept.wikibase and detect(writer.graph.match()).wikibase:
            run.summary.looks = "wikidata"
        summary, readers = run.summary, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
        if replacing:
            report(Event("removing what the files replace"))
            summary.removed = writer.remove(replacing)
        elif update:
            summary.removed = writer.supersede(lambda message: report(Event(message)))
        summary.seconds["read"] = time.monotonic() - started
        started = time.monotonic()
        summary.manifest = writer.commit(
            vectors=vectors,
            embedder=embedder,
            report=lambda message: report(Event(message, seconds=time.monotonic() - started)),
        )
    summary.seconds["index"] = time.monotonic() - started
    folder = generation_path(kg, summary.manifest.generation)
    summary.disk = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    summary.peak_rss = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss + readers) * 1024  # it counts in KB
    return summary


@dataclass(frozen=True, slots=True, eq=False)
class _File:
    """:param options: whatever changes what is taken from the file, as the ledger keeps it"""

    path: Path | str
    form: str
    options: dict[str, Any]

    @property
    def name(self) -> str:
        return "standard input" if str(self.path) == "-" else Path(self.path).name


def _options(form: str, filters: Filters) -> dict[str, Any]:
    options: dict[str, Any] = {"format": form}
    if form == "wikidata":
        options["languages"] = list(filters.languages)
    for key in filters.chosen():
        if form == "wikidata" or key not in _WIKIDATA_ONLY:
            value = getattr(filters, key)
            options[key] = sorted(value) if isinstance(value, frozenset) else value
    return options


def _table_names(files: Sequence[_File], ratio: int) -> dict[_File, Names]:
    """What each table names, if there are several: they may speak of each other's rows."""
    tables = [file for file in files if file.form in TABLES and Path(file.path).is_file()]
    return {file: names_of(file.path, separator_of(file.form), ratio) for file in tables} if len(tables) > 1 else {}


def _finished(files: Sequence[_File], writer: StoreWriter) -> set[_File]:
    """The files that the killed load had read to their end.

    :raises InputError: if it had read others, or begun one in another way: the result would be a mixture
    """
    left, found = list(files), set()
    for record in writer.resumed:
        like = [file for file in left if (file.name, file.options) == (record["name"], record.get("options"))]
        same = [file for file in like if "limit" in file.options or digest_of(file.path) == record["sha256"]]
        if not same:
            raise _other_load(writer, record["name"])
        left.remove(same[0])
        found.add(same[0])
    begun = writer.progress
    if begun and not any(_begin(file) == {key: begun.get(key) for key in ("name", "size", "options")} for file in left):
        raise _other_load(writer, begun["name"])
    return found


def _begin(file: _File) -> dict[str, Any]:
    """What tells the file that a killed load was reading."""
    path = Path(file.path)
    return {"name": file.name, "size": path.stat().st_size if path.is_file() else 0, "options": file.options}


def _loaded(files: Sequence[_File], writer: StoreWriter) -> bool:
    """Whether a KG seems to hold all the files, judged by their names and sizes."""
    records = [(record["name"], record.get("bytes"), record.get("options")) for record in ledger.read(writer.graph)]
    return all((file.name, _begin(file)["size"], file.options) in records for file in files)


def _other_load(writer: StoreWriter, name: str) -> InputError:
    writer.keep()
    why = f"the load that was killed had read {name}, or had read it with other options"
    return InputError(why, "give the same files and options, or leave out --resume")


class _Run:
    """Reads file after file into a writer.

    :ivar unmet: properties of the filter that no statement has had so far
    :ivar continued: whether a file was continued in the middle
    :ivar names: what each table of the load names
    :ivar partly: whether files that end early are loaded as far as they go
    """

    def __init__(self, writer: StoreWriter, filters: Filters, jobs: int, kg_name: str, report: Report) -> None:
        self.writer, self.filters, self.jobs, self.kg_name, self.report = writer, filters, jobs, kg_name, report
        self.summary, self.unmet, self.continued = Summary(), set(filters.properties or ()), False
        self.names: dict[_File, Names] = {}
        self.ratio, self.partly = MOST_RATIO, True

    def read(self, file: _File) -> None:
        with Source(file.path, self.ratio, self.partly and file.form in CONTINUED) as source:
            begin, mark = _begin(file), self.writer.progress
            if not all(mark.get(key) == value for key, value in begin.items()) or not self._continuable(file):
                mark = {}
                self.writer.again()
            one, after = Summary.resumed(mark.get("counts", {})), mark.get("line", 0)
            self.continued |= bool(after)
            loader = loader_for(
                file.form,
                jobs=self.jobs,
                name=self.kg_name,
                after=after,
                beside=[names for other, names in self.names.items() if other is not file],
                known=GraphNames(self.writer.graph, self.filters.languages),
            )
            blocks = self._counted(loader.read(source, self.filters), source, one)
            shard = _Shard(blocks, after)
            self.writer.mark({**begin, "line": after, "counts": one.counts()})
            while not shard.done:
                self.writer.bulk_load(shard, steady=file.form in TABLES)
                self.writer.mark({**begin, "line": shard.line, "counts": one.counts()})
            if source.cut:
                one.count(source.name, Skipped(None, "file: it ends early, what was to follow is missing"))
                self.summary.incomplete.append(file.name)
            if not one.triples and (faults := one.faults()):
                reason, count = next(iter(faults.items()))
                why = f"nothing in it can be read as {file.form} ({count} times {reason})"
                raise LoadError(source.name, why, "check the file, or --format")
            counts = one.counts()
            skipped = {reason: count for reason, (count, _) in counts.pop("skipped").items()}
            self.writer.ledger(
                {
                    "name": file.name,
                    "sha256": source.sha256,
                    "bytes": source.offset,
                    "options": file.options,
                    "counts": counts,
                    "skipped": skipped,
                    **({"incomplete": True} if source.cut else {}),
                }
            )
        self.summary.add(one)

    def _continuable(self, file: _File) -> bool:
        return file.form in CONTINUED and self.filters.limit is None

    def _counted(self, items: Iterator[Block | Skipped], source: Source, one: Summary) -> Iterator[Block]:
        """The blocks; what they hold is counted in ``one``."""
        started, told = time.monotonic(), 0.0
        for item in items:
            if isinstance(item, Skipped):
                one.count(source.name, item)
                continue
            one.entities += item.entities
            one.statements += item.statements
            one.triples += item.triples
            for name in [name for name in self.unmet if f"/prop/direct/{name}>".encode() in item.data]:
                self.unmet.discard(name)
            now = time.monotonic()
            if now - told > 0.2:
                told = now
                self._tell(source, item.offset, one, now - started)
            yield item
        self._tell(source, source.offset, one, time.monotonic() - started)

    def _tell(self, source: Source, offset: int, one: Summary, seconds: float) -> None:
        self.report(Event("read", source.name, offset, source.size, one.entities, one.statements, one.triples, seconds))


class _Shard:
    """Hands out the bytes of blocks; each iteration ends after `SHARD` triples, the next one goes on."""

    def __init__(self, blocks: Iterator[Block], line: int) -> None:
        self._blocks, self.line, self.done = blocks, line, False

    def __iter__(self) -> Iterator[bytes]:
        triples = 0
        for block in self._blocks:
            if block.data:
                yield block.data
            self.line, triples = block.line, triples + block.triples
            if triples >= SHARD:
                return
        self.done = True
