"""Everything that follows from the graph of a generation: catalog, topology, vectors."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from kgstore.catalog_rows import Said
from kgstore.errors import IndexMissing, ModelMissing
from kgstore.graph import Graph
from kgstore.profile import Profile

Report = Callable[[str], None]
VECTORS, BEGUN = "vectors", "vectors.begun"


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
) -> tuple[dict[str, int], str | None]:
    """Everything that follows from the graph; returns counts, and the fingerprint of the embedding model."""
    from kgstore.catalog import Catalog, build_catalog
    from kgstore.topology import build_topology

    report("building the catalog")
    earlier = earlier or Earlier()
    counts = dict(build_catalog(graph, profile, folder / "catalog.duckdb", languages, report, earlier.said))
    with Catalog(folder / "catalog.duckdb") as catalog:
        report("building the topology")
        build_topology(graph, profile, catalog, folder / "topology")
        try:
            from kgstore.embedding import load_embedder
            from kgstore.vectors import Vectors, build_property_names, build_vectors

            model = load_embedder(embedder)
            report("embedding property names")
            old = earlier.vectors if earlier.embedder == model.fingerprint else None
            build_property_names(catalog, model, folder / VECTORS, old)
        except ModelMissing as error:
            if vectors:
                raise
            report(f"property names are not embedded: {error}")
            return counts, None
        if vectors:
            report("embedding statements")
            had = None
            with suppress(IndexMissing):
                had = Vectors(old) if old is not None else None
            begun = folder / BEGUN if (folder / BEGUN).exists() else None
            counts["vectors"] = build_vectors(graph, profile, catalog, model, folder / VECTORS, report, had, begun)
            if had is not None:
                had.close()
        shutil.rmtree(folder / BEGUN, ignore_errors=True)
    return counts, model.fingerprint
