"""The pipeline: files through their loaders into a new generation of a KG folder."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from kgstore import ledger
from kgstore.errors import InputError, LoadError
from kgstore.layout import generation_path
from kgstore.loaders.filters import Filters
from kgstore.loaders.formats import CONTINUED, TABLES, Setting, format_of, loader_for, separator_of
from kgstore.loaders.graph_names import GraphNames
from kgstore.loaders.options import LoadOptions
from kgstore.loaders.protocol import Block, Skipped
from kgstore.loaders.sources import Source, digest_of
from kgstore.loaders.summary import Event, Left, Summary, ignore
from kgstore.loaders.table_names import Names, names_of
from kgstore.memory import peak
from kgstore.profile import detect, stored
from kgstore.writer import UPDATE, StoreWriter

__all__ = ["Event", "Left", "LoadOptions", "Summary", "ignore", "load"]

SHARD = 5_000_000
"""Triples after which a load waits until all is written and notes how far it is: a killed one goes on there, or at the
file's start (`CONTINUED`)."""

_WIKIDATA_ONLY = {"statements", "properties", "types", "entities", "min_sitelinks"}
Report = Callable[[Event], None]


def load(
    paths: Sequence[Path | str],
    kg: Path,
    options: LoadOptions | None = None,
    *,
    report: Report = ignore,
    **more: Any,
) -> Summary:
    """Load files into a KG folder, new or existing: all of them become visible at the end, or (after an error) none.

    What an existing KG holds stays; triples that it has already are not doubled. A compressed file of lines that ends
    early is loaded as far as it goes: ``Summary.incomplete`` and the ledger say so. One that is to replace a source, or
    is of another format, is refused.

    :param paths: files; ``-`` is standard input and needs ``format``
    :param report: told of each step
    :param more: options by their names, besides or in place of those of ``options``
    :raises InputError: if a format, filter or profile makes no sense, or a resumed load is not the one that was killed,
        or was finished
    :raises LoadError: if a file cannot be read, or not to its end
    """
    options = replace(options or LoadOptions(), **more)
    files, started, kg = _files(paths, options), time.monotonic(), Path(kg)
    with StoreWriter(kg, options.name, options.profile, options.kept.languages, resume=options.resume) as writer:
        run = _Run(writer, options, report, _table_names(files, options.max_ratio))
        run.read_all(files)
        summary, readers = run.summary, peak(children=True)
        if options.replacing:
            report(Event("removing what the files replace"))
            summary.removed = writer.remove(options.replacing)
        elif options.update:
            summary.removed = writer.supersede(lambda message: report(Event(message)))
        summary.seconds["read"] = time.monotonic() - started
        started = time.monotonic()
        summary.manifest = writer.commit(
            vectors=options.vectors,
            embedder=options.embedder,
            report=lambda message: report(Event(message, seconds=time.monotonic() - started)),
        )
    summary.seconds["index"] = time.monotonic() - started
    folder = generation_path(kg, summary.manifest.generation)
    summary.disk = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    summary.peak_rss = peak() + readers
    return summary


def _files(paths: Sequence[Path | str], options: LoadOptions) -> list[_File]:
    """The files in the order in which they are read.

    :raises InputError: if the options do not go with them
    :raises LoadError: if one is missing or empty
    """
    if not paths:
        raise InputError("no file to load", "name at least one")
    formats = [format_of(path, options.format) for path in paths]
    files = [_File(path, form, _options(form, options.kept)) for path, form in zip(paths, formats, strict=True)]
    chosen = sorted(_WIKIDATA_ONLY.intersection(options.kept.chosen()))
    if chosen and "wikidata" not in formats:
        raise InputError(f"the filter {chosen[0]} works on Wikidata dumps only", "leave it out")
    if options.update and (options.replacing or {*formats} != {"wikidata"}):
        why = "an update is not possible " + ("beside --replace" if options.replacing else "with files of this kind")
        raise InputError(why, "--update is for Wikidata dumps; name the older file with --replace in other cases")
    for file in files:
        if str(file.path) != "-" and not Path(file.path).is_fifo():
            Source(file.path).close()  # missing and empty files: now, not later
    return sorted(files, key=lambda file: file.form in TABLES)  # tables may name what the other files describe


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

    :param names: what each table of the load names
    :ivar unmet: properties of the filter that no statement has had so far
    :ivar continued: whether a file was continued in the middle
    """

    def __init__(
        self, writer: StoreWriter, options: LoadOptions, report: Report, names: dict[_File, Names]
    ) -> None:
        self.writer, self.options, self.report, self.names = writer, options, report, names
        self.filters = options.kept
        self.kg_name = options.name or (writer.current.name if writer.current else writer.path.stem or "kg")
        self.summary, self.unmet, self.continued = Summary(), set(self.filters.properties or ()), False
        self.partly = not (options.replacing or options.update)  # files that end early are loaded as far as they go

    def read_all(self, files: Sequence[_File]) -> None:
        """
        :raises InputError: if the files do not go with the KG, or with the load that is continued
        """
        writer, finished, options = self.writer, _finished(files, self.writer), self.options
        wikidata = any(file.form == "wikidata" for file in files)
        self.summary.incomplete = [record["name"] for record in writer.resumed if record.get("incomplete")]
        kept = stored(writer.current.profile) if writer.current and options.profile is None else None
        if kept and wikidata and not kept.wikibase:
            why = f"{writer.path} has the profile {kept.name}, with which Wikidata's statements are not understood"
            raise InputError(why, "load the dump into a KG of its own, or give --profile wikidata")
        if options.resume and not writer.continues and _loaded(files, writer):
            why = f"nothing to continue, {writer.path} holds these files"
            raise InputError(why, "leave out --resume to load them again")
        self.summary.continued = writer.continues
        writer.numbers_of(options.replacing)  # unknown ones: now, not later
        writer.intend((UPDATE,) if options.update else options.replacing)
        for file in files:
            if file in finished:
                self.summary.unchanged.append(str(file.path))
            else:
                self.read(file)
        if self.unmet and wikidata and self.filters.limit is None and not (writer.resumed or self.continued):
            why = f"the filter names the property {sorted(self.unmet)[0]}, which no statement has"
            raise InputError(why, "correct it, or leave it out")
        if kept and not kept.wikibase and detect(writer.graph.match()).wikibase:
            self.summary.looks = "wikidata"

    def read(self, file: _File) -> None:
        with Source(file.path, self.options.max_ratio, self.partly and file.form in CONTINUED) as source:
            begin, mark = _begin(file), self.writer.progress
            if not all(mark.get(key) == value for key, value in begin.items()) or not self._continuable(file):
                mark = {}
                self.writer.again()
            one, after = Summary.resumed(mark.get("counts", {})), mark.get("line", 0)
            self.continued |= bool(after)
            beside = [names for other, names in self.names.items() if other is not file]
            known = GraphNames(self.writer.graph, self.filters.languages)
            loader = loader_for(file.form, Setting(self.options.jobs, self.kg_name, after, beside, known))
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
