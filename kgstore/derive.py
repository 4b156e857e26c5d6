"""Everything that follows from the graph of a generation: catalog, topology, vectors."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from kgstore.errors import IndexMissing, ModelMissing
from kgstore.graph import Graph
from kgstore.profile import Profile

if TYPE_CHECKING:
    from kgstore.catalog_rows import Said

Report = Callable[[str], None]
VECTORS, BEGUN, _COPY = "vectors", "vectors.begun", "graph.copy"


def ignore(message: str) -> None:
    """A report that goes nowhere."""


@dataclass(frozen=True, slots=True)
class Earlier:
    """What `derive` need not make from the graph.

    :param vectors: a folder of vectors, and ``embedder`` the fingerprint of the model that made them
    :param said: the lines that were loaded
    """

    vectors: Path | None = None
    embedder: str | None = None
    said: Said | None = None


def derive(
    graph: Graph,
    profile: Profile,
    folder: Path,
    languages: Sequence[str],
    vectors: bool,
    report: Report,
    embedder: Path | None = None,
    earlier: Earlier | None = None,
    compact: bool = True,
    half: bool | None = None,
) -> tuple[dict[str, int], str | None]:
    """Everything that follows from the graph; returns counts, also of triples, and the embedding model's fingerprint.

    Catalog and topology are made from a copy, which shares the graph's files. The graph itself is compacted meanwhile,
    from when the catalog's rows are there: to get these keeps all cores busy, what follows does not.

    :param graph: open for writing; it is closed
    :param vectors: embed every statement, too
    :param compact: put the graph into as few files as possible
    :param half: keep vectors of statements in half precision; as the earlier ones are unless told
    :raises ModelMissing: if statements are to be embedded and there is no model
    """
    from kgstore.catalog_build import build_catalog

    earlier, copy = earlier or Earlier(), folder / _COPY
    graph.checkpoint(copy)
    reading = Graph(copy, read_only=True, profile=profile)
    with ThreadPoolExecutor(1) as beside:
        compacting = list[Future[None]]()

        def then() -> None:
            if compact:
                compacting.append(beside.submit(graph.optimize))

        report("building the catalog")
        path = folder / "catalog.duckdb"
        counts = build_catalog(reading, profile, path, languages, report, earlier.said, then, folder / "topology")
        for one in compacting:
            if not one.done():
                report("compacting the graph")
            one.result()
    reading.close()
    shutil.rmtree(copy)
    graph.close()
    finished = Graph(folder / "graph", read_only=True, profile=profile)
    embedded, model = _vectors(finished, profile, folder, vectors, report, embedder, earlier, half)
    finished.close()
    return counts | embedded, model


def _vectors(
    graph: Graph,
    profile: Profile,
    folder: Path,
    statements: bool,
    report: Report,
    embedder: Path | None,
    earlier: Earlier,
    half: bool | None,
) -> tuple[dict[str, int], str | None]:
    """Vectors of property names and, if wanted, of statements; returns counts and the model's fingerprint."""
    from kgstore.catalog import Catalog

    counts: dict[str, int] = {}
    with Catalog(folder / "catalog.duckdb") as catalog:
        try:
            from kgstore.embedding import load_embedder
            from kgstore.vectors import Vectors, build_property_names, build_vectors

            model = load_embedder(embedder)
            report("embedding property names")
            old = earlier.vectors if earlier.embedder == model.fingerprint else None
            build_property_names(catalog.properties(), model, folder / VECTORS, old)
        except ModelMissing as error:
            if statements:
                raise
            report(f"property names are not embedded: {error}")
            return counts, None
        if statements:
            report("embedding statements")
            had = None
            with suppress(IndexMissing):
                had = Vectors(old) if old is not None else None
            if half is None:
                half = had is not None and had.half
            exact = had if had is not None and had.half <= half else None
            begun = folder / BEGUN if (folder / BEGUN).exists() else None
            place = folder / VECTORS
            counts["vectors"] = build_vectors(graph, profile, catalog, model, place, report, exact, begun, half)
            if had is not None:
                had.close()
        shutil.rmtree(folder / BEGUN, ignore_errors=True)
    return counts, model.fingerprint
