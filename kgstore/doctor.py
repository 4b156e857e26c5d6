"""Is a KG in order? Every file of its current generation against the graph, and what to do about what is not.

The graph is the truth. Catalog and topology are derived once more into a scratch folder and compared by what they say;
of the vectors, the sentences are made anew and some are embedded again. Of a sealed KG the terms and the two orders of
its triples are compared with each other, and the other parts are only opened.
"""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path

from kgstore import layout, ledger, sources, weights
from kgstore.default import config_file, configured
from kgstore.errors import FormatTooNew, IndexMissing, InputError, KgError, ModelMissing, NotAStore
from kgstore.graph import Graph
from kgstore.layout import Manifest, Pin
from kgstore.profile import stored
from kgstore.sealed import FOLDER as SEALED
from kgstore.sealed import SealedGraph
from kgstore.store import Store

Report = Callable[[str], None]
_PARTS = {"graph", "catalog", "catalog.duckdb", "topology", "vectors", "sources", SEALED, layout.MANIFEST}
_EMBEDDED, _ALIKE = 64, 0.99


@dataclass(frozen=True, slots=True)
class Finding:
    """What one check found.

    :param what: the part or file
    :param problem: empty if it is in order
    :param mend: what to do
    :param fault: whether answers may be wrong or missing; else it only takes room
    """

    what: str
    problem: str = ""
    mend: str = ""
    fault: bool = False


def examine_models() -> Iterator[Finding]:
    """Are the models that came along those that were tested? A fifth of a second."""
    again = "install kgstore and its packages again"
    wrong = weights.problems()
    yield from [Finding(name, why, again, fault=True) for name, why in wrong.items()] or [Finding("models")]


def examine_configuration() -> Iterator[Finding]:
    """Can the configuration file be read, if there is one?"""
    if not config_file().is_file():
        return
    try:
        configured()
        yield Finding("configuration")
    except InputError as error:
        yield Finding("configuration", error.why, error.instead, fault=True)


def examine(folder: Path, quick: bool = False, report: Report = lambda message: None) -> Iterator[Finding]:
    """
    :param quick: whether each part opens and has the right size, in a second; else everything, which takes about as
        long as `kgstore index` and as much room for scratch as the catalog
    :raises StoreNotFound: if there is no such folder
    :raises FormatTooNew: if a later kgstore wrote it
    """
    try:
        manifest = layout.read_manifest(folder)
    except FormatTooNew:
        raise
    except NotAStore as error:
        known = layout.generations(folder)
        mend = f"run `kgstore rollback {int(known[-1])} --kg {folder}`" if known else error.instead
        yield Finding(layout.MANIFEST, error.why, mend, fault=True)
        return
    yield Finding(layout.MANIFEST)
    yield from _left(folder)
    generation = layout.generation_path(folder, manifest.generation)
    older = [one for one in layout.generations(folder) if one != manifest.generation]
    back = f"run `kgstore rollback --kg {folder}`, " if older else ""
    restore = f"{back}put a backup in its place, or load its files again"
    if not (generation / layout.MANIFEST).exists():
        name = f"generation {int(manifest.generation)}"
        yield Finding(name, "it is not there, or has no manifest", restore, fault=True)
        return
    for name in sorted({one.name for one in generation.iterdir()} - _PARTS):
        yield Finding(name, "it is not a part of a KG", "move it elsewhere")
    pin = Pin(generation)
    try:
        report("reading the graph")
        problem = _graph(generation, manifest, quick)
        yield Finding("graph", problem, restore if problem else "", fault=bool(problem))
        if problem:
            return
        mend, sealed = f"run `kgstore index --kg {folder}`", (generation / SEALED).is_dir()
        if sealed:
            mend = "make an open KG of it with `kgstore unseal`, and seal that"
        else:
            report("reading the sources")
            problem = _sources(generation, quick)
            new = "load all files into a new KG, or do without `kgstore remove` and `load --replace`"
            yield Finding("sources", problem, new if problem else "")
        for part, check in (("catalog and topology", _derived), ("vectors", _vectors)):
            report(f"comparing {part} with the graph")
            problems = check(folder, generation, manifest, quick or sealed)
            yield from [Finding(what, why, mend, fault=True) for what, why in problems] or [Finding(part)]
    finally:
        pin.close()


def _left(folder: Path) -> Iterator[Finding]:
    if owner := layout.writing(folder):
        yield Finding(layout.LOCK, f"{owner} is writing", "wait until it ends")
        return
    for path in (*layout.partials(folder), *layout.leftovers(folder)):
        mend = f"repeat that load with --resume, or run `kgstore prune --kg {folder}`"
        yield Finding(path.name, "a load that was killed left it", mend)


def _graph(generation: Path, manifest: Manifest, quick: bool) -> str:
    try:
        graph: Graph | SealedGraph
        if (generation / SEALED).is_dir():
            graph = SealedGraph(generation / SEALED, stored(manifest.profile))
        else:
            graph = Graph(generation / "graph", read_only=True)
        records = ledger.read(graph)
        if len(records) != manifest.counts.get("sources"):
            return f"its ledger has {len(records)} sources, the manifest {manifest.counts.get('sources')}"
        if quick:
            return ""
        if isinstance(graph, SealedGraph):
            if problem := graph.problem():
                return problem
            count = len(graph)
        else:
            lines = _Lines()
            graph.dump(lines)  # type: ignore[arg-type]
            count = lines.count
        if count != manifest.counts["triples"]:
            return f"it holds {count:,} triples, the manifest says {manifest.counts['triples']:,}"
        if ledger.fingerprint(records, count) != manifest.fingerprint:
            return "its fingerprint is not the manifest's"
    except (KgError, OSError, RuntimeError, ValueError) as error:
        return f"it cannot be read: {error}"
    return ""


class _Lines:
    """A binary file that counts lines."""

    count = 0

    def write(self, data: bytes) -> int:
        self.count += bytes(data).count(b"\n")
        return len(data)

    def flush(self) -> None:
        """Nothing waits."""


def _sources(generation: Path, quick: bool) -> str:
    graph = Graph(generation / "graph", read_only=True)
    for number, record in ledger.numbered(graph).items():
        path = sources.source_path(generation, number)
        if not path.exists():
            return f"what {record['name']} says was not kept"
        try:
            lines = None if quick else sum(block.count(b"\n") for block in sources.blocks(path))
        except sources.Damaged as error:
            return str(error).partition(":")[0]
        known = record.get("counts", {}).get("triples", lines)
        if lines is not None and lines != known:
            return f"{path.name} has {lines:,} triples, the ledger says {known:,}"
    return ""


def _derived(folder: Path, generation: Path, manifest: Manifest, quick: bool) -> list[tuple[str, str]]:
    try:
        with Store(folder, generation=manifest.generation) as store:
            entities, edges = len(store.catalog), len(store.topology)
            store.catalog.search("a", 1)
    except (IndexMissing, OSError, ValueError, KeyError) as error:
        return [("catalog and topology", f"it cannot be opened: {error}")]
    counted = manifest.counts.get("entities"), manifest.counts.get("edges")
    if (entities, edges) != counted:
        return [("catalog and topology", f"{entities:,} entities and {edges:,} edges, the manifest has {counted}")]
    return [] if quick else _rebuilt(generation, manifest)


def _rebuilt(generation: Path, manifest: Manifest) -> list[tuple[str, str]]:
    from kgstore.catalog_build import build_catalog
    from kgstore.export import digests

    profile = stored(manifest.profile)
    graph = Graph(generation / "graph", read_only=True, profile=profile)
    with tempfile.TemporaryDirectory(prefix="kgstore-doctor-") as scratch:
        new = Path(scratch)
        build_catalog(graph, profile, new / "catalog.duckdb", manifest.languages, topology=new / "topology")
        try:
            found = digests(generation, graph=False)
        except (KgError, OSError) as error:
            return [("catalog and topology", f"it cannot be read: {error}")]
        right = digests(new, graph=False)
    return [
        (what, "it is missing" if what not in found else "it does not say what the graph says")
        for what in sorted(right.keys() | found.keys())
        if right.get(what) != found.get(what)
    ]


def _vectors(folder: Path, generation: Path, manifest: Manifest, quick: bool) -> list[tuple[str, str]]:
    if manifest.embedder is None:
        return []
    wanted = manifest.counts.get("vectors")
    try:
        with Store(folder, generation=manifest.generation) as store:
            names, rows = store.property_names
            if len(names) != len(rows) or not len(names) and store.catalog.properties():
                return [("property names", f"{len(names):,} names and {len(rows):,} vectors")]
            if wanted is None:
                return []
            if len(store.vectors) != wanted:
                return [("vectors", f"{len(store.vectors):,} statements, the manifest has {wanted:,}")]
            return [] if quick else _sentences(store, generation)
    except (IndexMissing, OSError, ValueError, RuntimeError) as error:
        return [("vectors", f"they cannot be opened: {error}")]


def _sentences(store: Store, generation: Path) -> list[tuple[str, str]]:
    from kgstore.lines import FIELD
    from kgstore.vectors import sentences

    facts = sentences(store.graph, store.profile, store.catalog, Counter())
    some: list[str] = []
    with (generation / "vectors" / "statements.txt").open(encoding="utf-8", newline="\n") as lines:
        for number, (line, fact) in enumerate(zip_longest(lines, facts)):
            if line is None or fact is None or line[:-1] != FIELD.join(fact[1:]):
                return [("vectors", f"line {number + 1} of statements.txt is not what the graph says")]
            if number % max(1, len(store.vectors) // _EMBEDDED) == 0:
                some.append(fact[-1])
    try:
        found = store.nearest(store.embedder.embed(some), k=1)
    except ModelMissing:
        return []
    if any(not near or near[0].score < _ALIKE for near in found):
        return [("vectors", "they are not those of their sentences")]
    return []
