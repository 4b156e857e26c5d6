"""Writing to a KG folder: a new generation beside the current one, then one atomic switch.

Killed at any instant, a writer leaves the old generation current and untouched. What it had written stays as
``generations/NNNNNN.partial``; the next writer continues it (``resume``) or removes it.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Self

from kgstore import layout, ledger, sources
from kgstore.derive import BEGUN, VECTORS, Earlier, Report, derive, ignore
from kgstore.errors import DiskFull, IndexMissing, InputError, NotAStore
from kgstore.graph import Graph
from kgstore.layout import BASE, FORMAT, GENERATIONS, LOCK, MANIFEST, PARTIAL, Lock, Manifest
from kgstore.model import Triple
from kgstore.profile import Profile, named, stored
from kgstore.sources import SourceFile

_PROGRESS = "progress.json"
UPDATE = "what older sources say of the same entities"
"""What `StoreWriter.supersede` takes out, for `StoreWriter.intend`."""
_FEW = 0.1
"""Up to this share of new triples the graph's files are left as they are: to rewrite all takes as long as a load."""


class StoreWriter:
    """One load into a KG folder, new or existing; all of it becomes visible with `commit`, or nothing does.

    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp(), "demo.kg")
    >>> with StoreWriter(folder) as writer:
    ...     writer.bulk_load([b'<http://ex/Ada> <http://ex/bornIn> <http://ex/London> .'])
    ...     writer.ledger({"name": "demo", "sha256": "0" * 64})
    ...     writer.commit(vectors=False).counts["triples"]
    1

    Leaving the block without `commit`, or with an exception, removes the new generation. An interrupt (Ctrl-C, a kill)
    leaves it for ``resume`` if at least one source was finished, or marked as begun.

    :param name: the KG's name; the folder's without its suffix unless told
    :param profile: a built-in profile's name, a TOML file or a `Profile`; the KG's own, else detected from the data
    :param languages: languages of names and descriptions, best first; added behind those that the KG already has
    :param resume: continue what a killed writer left, if it started from the same generation; see ``resumed``
    :raises StoreLocked: on entering, if somebody else writes
    :raises NotAStore: on entering, if the folder holds other things
    :raises InputError: on entering, if what a killed writer left is damaged
    """

    def __init__(
        self,
        path: Path,
        name: str | None = None,
        profile: str | Path | Profile | None = None,
        languages: Sequence[str] = ("en",),
        *,
        resume: bool = False,
    ) -> None:
        self.path = Path(path)
        self._name, self._resume = name, resume
        self._profile = profile if profile is None or isinstance(profile, Profile) else named(profile)
        self._languages = tuple(languages)
        self._lock = Lock(self.path)
        self._graph: Graph | None = None
        self._partial: Path | None = None
        self._keep = False
        self.current: Manifest | None = None
        self.manifest: Manifest | None = None
        self._done: tuple[str, ...] = ()
        self.continues = False
        """Whether there was something to continue."""
        self.resumed: list[dict[str, Any]] = []
        """Records of the sources that the continued writer had finished: skip these."""
        self._last = 0
        """Number of the last source that is finished."""
        self._before = 0
        """The same, of the generation that this one is built on."""
        self._source: SourceFile | None = None
        self._changed, self._removed, self._committing = 0, False, False
        self.intended: tuple[str, ...] = ()
        """Sources that `remove` has to take out before `commit`; a killed writer may have begun it."""
        self.progress: dict[str, Any] = {}
        """What `mark` noted last about the source that the continued writer was reading; empty between two."""

    def __enter__(self) -> Self:
        _check_folder(self.path)
        self._lock.__enter__()
        try:
            self._open()
        except BaseException as error:
            self._leave(keep=False)
            self._say_if_full(error)
            raise
        return self

    def _open(self) -> None:
        for path in layout.leftovers(self.path):
            path.unlink()
        self.current = layout.read_manifest(self.path) if (self.path / MANIFEST).exists() else None
        base = self.current.generation if self.current else None
        if base is not None:  # a writer was killed right after the switch
            (layout.generation_path(self.path, base) / BASE).unlink(missing_ok=True)
        left = layout.partials(self.path)
        usable = [one for one in left if self._resume and _base_of(one) == base]
        fresh = layout.generation_path(self.path, layout.next_generation(self.path) + PARTIAL)
        for one in left:
            if one not in usable[-1:]:
                shutil.rmtree(one)
        if usable:
            self._partial = usable[-1].with_suffix(PARTIAL)
            usable[-1].rename(self._partial)
            self._continue()
        else:
            self._partial = fresh
            self._begin(base)

    def _begin(self, base: str | None) -> None:
        assert self._partial is not None
        if base is not None and (layout.generation_path(self.path, base) / "sealed").is_dir():
            raise InputError(f"{self.path} is sealed and cannot be changed", "make an open KG with `kgstore unseal`")
        self._partial.mkdir(parents=True)
        if base is not None:
            old = layout.generation_path(self.path, base)
            graph = Graph(old / "graph", read_only=True)
            graph.checkpoint(self._partial / "graph")
            graph.close()
            layout.link_tree(old / sources.FOLDER, self._partial / sources.FOLDER)
        self._graph = Graph(self._partial / "graph")
        self._graph.flush()
        self._before = self._last = max(ledger.numbered(self._graph), default=0)
        self._note_base()

    def _note_base(self) -> None:
        assert self._partial is not None
        base = {"generation": self.current.generation if self.current else None, "sources": self._before}
        layout.write_json(self._partial / BASE, {**base, "removing": self.intended})

    def _continue(self) -> None:
        partial = self._partial
        assert partial is not None
        for one in partial.iterdir():  # of an index that was begun
            if one.name in ("graph", sources.FOLDER, BASE, _PROGRESS):
                continue
            if one.name == VECTORS and (one / "vectors.raw").exists():
                shutil.rmtree(partial / BEGUN, ignore_errors=True)
                one.rename(partial / BEGUN)  # each shard of them took a minute to embed
            elif one.is_dir() and one.name != BEGUN:
                shutil.rmtree(one)
            elif one.is_file():
                one.unlink()
        try:
            self._graph = Graph(partial / "graph")
            records = ledger.numbered(self._graph)
            begun = json.loads((partial / BASE).read_text(encoding="utf-8"))
            self._before, self.intended = begun["sources"], tuple(begun["removing"])
            self._changed = len(self._graph)  # how many that were is not known: all are compacted
            for path in (partial / sources.FOLDER).glob("*"):  # of a source whose record was just removed
                if sources.number_of(path) <= self._before and sources.number_of(path) not in records:
                    path.unlink()
            self._last = max(records, default=self._before)
            self.resumed = [record for number, record in records.items() if number > self._before]
            if (partial / _PROGRESS).exists():
                progress = json.loads((partial / _PROGRESS).read_text(encoding="utf-8"))
                number, kept = progress.pop("number"), progress.pop("kept")
                if number > self._last:  # else that source was finished since
                    self.progress = progress
                    self._source = SourceFile(sources.source_path(partial, number), kept)
        except (NotAStore, ValueError, KeyError, TypeError) as error:
            why = f"what the killed load left in {partial} cannot be read ({error})"
            raise InputError(why, "load again without --resume") from None
        self.continues = True

    @property
    def graph(self) -> Graph:
        """The new generation's graph, for small additions and look-ups; dumps go through `bulk_load`."""
        if self._graph is None:
            raise ValueError("the writer is not open: use it in a `with` block, before commit")
        return self._graph

    def bulk_load(self, blocks: Iterable[bytes], steady: bool = False) -> None:
        """Stream N-Triples into the new generation, see `Graph.bulk_load`; they belong to the next source."""
        self.graph.bulk_load(self._kept(blocks), steady)

    def add(self, triples: Sequence[Triple]) -> int:
        """Add a few triples, which belong to the next source; return how many were new."""
        lines = "".join(f"{triple.subject} {triple.predicate} {triple.object} .\n" for triple in triples)
        for _ in self._kept([lines.encode()]):
            pass
        return self.graph.add(triples)

    def numbers_of(self, names: Iterable[str]) -> list[int]:
        """The sources of an earlier generation that have these names; of several with one name all.

        :raises InputError: if there is none of a name, or what a source says was not kept
        """
        found: list[int] = []
        records = ledger.numbered(self.graph)
        older = {number: record["name"] for number, record in records.items() if number <= self._before}
        for name in dict.fromkeys(names):
            numbers = [number for number, own in older.items() if own == name]
            if not numbers and not self.continues:  # a writer that was killed may have taken it out already
                others = ", ".join(sorted(set(older.values()))) or "those of another KG"
                raise InputError(f"the KG has no source {name}", f"its sources are {others}")
            found += numbers
        self._check_kept(records if found else ())
        return found

    def _check_kept(self, numbers: Iterable[int]) -> None:
        """
        :raises InputError: if what a source says was not kept
        """
        assert self._partial is not None
        for number in numbers:
            if not sources.source_path(self._partial, number).exists():
                name = ledger.numbered(self.graph)[number]["name"]
                why = f"what {name} says was not kept by the kgstore that loaded it"
                raise InputError(why, "load all files again into a new KG")

    def again(self) -> None:
        """Forget what the killed writer kept of the source that it was reading, which comes from its beginning now."""
        if self._source is not None:
            self._source.close()
            self._source = None
        self.progress = {}

    def _kept(self, blocks: Iterable[bytes]) -> Iterator[bytes]:
        for block in blocks:
            self._file().write(block)
            self._changed += block.count(b"\n")
            yield block

    def _file(self) -> SourceFile:
        if self._source is None:
            assert self._partial is not None
            self._source = SourceFile(sources.source_path(self._partial, self._last + 1))
        return self._source

    def mark(self, progress: Mapping[str, Any]) -> None:
        """Note how far the source is that is being read, for ``resume``; replaces the last mark. On disk on return."""
        self.graph.flush()
        assert self._partial is not None
        ours = {"number": self._last + 1, "kept": self._file().mark()}
        layout.write_json(self._partial / _PROGRESS, {**progress, **ours})
        self.progress = dict(progress)

    def keep(self) -> None:
        """From now on, leaving the block without `commit` keeps the new generation for ``resume``."""
        self._keep = True

    def ledger(self, record: ledger.Record) -> None:
        """Note a finished source; the keys are in `kgstore.ledger`. On disk when this returns."""
        self._file().mark()
        self._file().close()
        self._last += 1
        ledger.write(self.graph, record, self._last)
        self.graph.flush()
        assert self._partial is not None
        (self._partial / _PROGRESS).unlink(missing_ok=True)
        self.progress, self._source = {}, None

    def remove(self, names: Iterable[str], report: Report = ignore) -> int:
        """Take sources out that an earlier generation had: their triples go, but for those that another source has.

        :return: how many triples went
        :raises InputError: see `numbers_of`
        """
        partial = self._partial
        assert partial is not None
        names = tuple(dict.fromkeys(names))
        gone, records = self.numbers_of(names), ledger.numbered(self.graph)
        self.intend(names)
        stay = [number for number in records if number not in gone]
        lines = sum(records[number].get("counts", {}).get("triples", 0) for number in stay)
        removed = 0
        old, kept = ([sources.source_path(partial, one) for one in some] for some in (gone, stay))
        for some in sources.only_in(old, kept, lines):
            removed += self.graph.remove_lines(some)
            self._changed += len(some)
            self._removed = True
            report(f"{removed:,} triples removed")
        for number, path in zip(gone, old, strict=True):
            ledger.remove(self.graph, number)
            path.unlink()
        self._done = names
        return removed

    def supersede(self, report: Report = ignore) -> int:
        """Take out what older sources say of the entities that the new ones describe (see `kgstore.supersede`), but for
        what other sources, or the new ones, say too. An older source of which nothing is left goes.

        :return: how many triples went
        :raises InputError: if what an older source says was not kept
        """
        from kgstore import supersede

        partial = self._partial
        assert partial is not None
        older = [number for number in ledger.numbered(self.graph) if number <= self._before]
        self._check_kept(older)
        self.intend((UPDATE,))
        removed, lines = supersede.take_out(self.graph, partial, older, report) if older else (0, 0)
        self._changed, self._removed = self._changed + lines, self._removed or bool(lines)
        self._done = (UPDATE,)
        return removed

    def intend(self, names: Iterable[str]) -> None:
        """Note what is to be removed, so that who continues this writer cannot forget it.

        :param names: of sources, or `UPDATE` alone

        :raises InputError: if this one continues another, which was to remove other sources
        """
        names = tuple(dict.fromkeys(names))
        if self.continues and set(names) != set(self.intended):
            self.keep()
            why = f"what was killed was to remove {', '.join(self.intended) or 'no source'}"
            raise InputError(why, "repeat it as it was, or leave out --resume")
        if names != self.intended:
            self.intended = names
            self._note_base()

    def commit(
        self,
        vectors: bool = True,
        report: Report = ignore,
        embedder: Path | None = None,
        anew: bool = False,
        half: bool | None = None,
    ) -> Manifest:
        """Derive catalog, topology and vectors, and make the new generation the current one.

        :param vectors: embed every statement, too (slow); property names are always embedded
        :param embedder: folder of the embedding model; the built-in one unless told
        :param report: told what is going on, a line at a time
        :param anew: take no vectors over from the generation before
        :param half: keep vectors of statements in half precision, as it was unless told
        :raises InputError: if sources were to be removed and are not
        """
        if set(self._done) != set(self.intended):
            self.intend(())
        graph, partial = self.graph, self._partial
        assert partial is not None
        if self._source is not None:
            self._source.mark()
            self._source.close()
            self._source = None
        graph.flush()
        records = ledger.numbered(graph)
        profile = self._profile or (stored(self.current.profile) if self.current else graph.profile)
        languages = tuple(dict.fromkeys((*(self.current.languages if self.current else ()), *self._languages)))
        compact = self._changed > _FEW * (self.current.counts.get("triples", 0) if self.current else 0)
        earlier = self._earlier(records, profile, anew)
        self._committing = True
        counts, model = derive(graph, profile, partial, languages, vectors, report, embedder, earlier, compact, half)
        graph.close()
        self._graph = None
        manifest = Manifest(
            format=FORMAT,
            name=self._name or (self.current.name if self.current else self.path.stem or "kg"),
            profile=profile.stored(),
            languages=languages,
            generation=partial.name.removesuffix(PARTIAL),
            fingerprint=ledger.fingerprint(records.values(), counts["triples"]),
            embedder=model,
            created=layout.now(),
            counts={**counts, "sources": len(records)},
        )
        layout.write_manifest(partial, manifest)
        (partial / _PROGRESS).unlink(missing_ok=True)
        layout.sync_tree(partial)
        done = layout.generation_path(self.path, manifest.generation)
        partial.rename(done)
        self._partial = None
        layout.sync(done.parent)
        layout.sync(self.path)
        layout.write_manifest(self.path, manifest)
        (done / BASE).unlink()
        self.manifest = manifest
        return manifest

    def _say_if_full(self, error: BaseException) -> None:
        """
        :raises DiskFull: if that is what the error means
        """
        if layout.is_full(error):
            raise DiskFull(self.path, layout.free_bytes(self.path)) from None

    def _earlier(self, numbers: Iterable[int], profile: Profile, anew: bool) -> Earlier:
        """What need not be made from the graph.

        :param numbers: of the sources that the graph holds
        """
        from kgstore.catalog_rows import FOLDER, Said, usable

        assert self._partial is not None
        said = sorted((self._partial / sources.FOLDER).glob("*"))
        kept = all(sources.source_path(self._partial, number) in said for number in numbers)
        whole = Said(said) if kept else None
        if anew or self.current is None:
            return Earlier(said=whole)
        old = layout.generation_path(self.path, self.current.generation)
        rows = old / "catalog" / FOLDER
        few = self._changed <= _FEW * self.current.counts.get("triples", 0)
        if not self._removed and few and usable(rows, profile):
            after = sources.source_path(self._partial, self._before)
            whole = Said([path for path in said if path > after], rows)
        return Earlier(old / VECTORS, self.current.embedder, whole)

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, *_: object) -> None:
        interrupted = kind is not None and not issubclass(kind, Exception)
        keep = self._keep
        if interrupted and self._committing:  # all is loaded
            keep = self._partial is not None and (self._partial / BASE).exists()
        elif interrupted and self._graph is not None:
            keep = keep or bool(self.progress) or self._last > self._before
        self._leave(keep)
        if error is not None and not keep:
            self._say_if_full(error)

    def _leave(self, keep: bool) -> None:
        if self._source is not None:
            self._source.close()
            self._source = None
        if self._graph is not None:
            self._graph.close()
            self._graph = None
        if self._partial is not None and not keep:
            shutil.rmtree(self._partial, ignore_errors=True)
        self._partial = None
        inside = self.path / GENERATIONS
        new = not (self.path / MANIFEST).exists() and not (inside.is_dir() and any(inside.iterdir()))
        if new:  # nothing came of a new KG: leave no trace of it
            shutil.rmtree(inside, ignore_errors=True)
            (self.path / LOCK).unlink(missing_ok=True)
        self._lock.__exit__()
        if new and self.path.is_dir() and not any(self.path.iterdir()):
            self.path.rmdir()


def rebuild_index(
    path: Path,
    vectors: bool | None = None,
    report: Report = ignore,
    embedder: Path | None = None,
    resume: bool = False,
    half: bool | None = None,
) -> Manifest:
    """Derive catalog, topology and vectors anew, as a new generation whose graph shares the old one's files.

    :param vectors: as it was unless told
    :param resume: go on with an embedding that was interrupted, which costs one shard of it at most
    :param half: keep vectors of statements in half precision, or not; what was embedded is not embedded again, unless
        it is to be more exact than it was
    :raises InputError: if a precision is named and there are, or are to be, no vectors
    """
    current = layout.read_manifest(path)
    had = bool(current.counts.get("vectors"))
    if half is not None and not (had if vectors is None else vectors):
        raise InputError("there are no vectors whose precision could be changed", "add --vectors to make them")
    with StoreWriter(path, languages=(), resume=resume) as writer:
        if writer.resumed or writer.progress:
            writer.keep()
            raise InputError("a load was killed, not an index", "go on with `kgstore load --resume`, or leave it out")
        anew = half is None
        if half is None and had:
            half = _are_half(layout.generation_path(path, current.generation) / VECTORS)
        return writer.commit(had if vectors is None else vectors, report, embedder, anew, half)


def _are_half(vectors: Path) -> bool:
    """Are vectors kept in half precision? No, where they are damaged."""
    from kgstore.vectors import Vectors

    try:
        return Vectors(vectors).half
    except (IndexMissing, OSError, RuntimeError):
        return False


def _base_of(partial: Path) -> str | None:
    """The generation that a killed writer began from, None for a new KG, empty where that cannot be told."""
    try:
        return json.loads((partial / BASE).read_text(encoding="utf-8"))["generation"]
    except (OSError, ValueError, TypeError, KeyError):
        return ""


def _check_folder(path: Path) -> None:
    if path.exists() and not path.is_dir():
        raise NotAStore(path, "it is a file")
    if path.is_dir() and not (path / MANIFEST).exists():
        ours = {GENERATIONS, LOCK, *(one.name for one in layout.leftovers(path))}
        foreign = sorted(one.name for one in path.iterdir() if one.name not in ours)
        if foreign:
            raise NotAStore(path, f"it holds other files, such as {foreign[0]}")
