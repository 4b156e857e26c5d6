"""``kgstore remove``"""

from __future__ import annotations

from pathlib import Path

import click

from kgstore.cli.options import embedder_option, format_option, written_kg_option
from kgstore.cli.progress import spinning
from kgstore.cli.render import count, echo_json, note
from kgstore.store import Store
from kgstore.writer import StoreWriter


@click.command()
@click.argument("sources", nargs=-1, required=True, metavar="SOURCE...")
@written_kg_option
@embedder_option
@format_option()
def remove(sources: tuple[str, ...], kg: Path, embedder: Path | None, fmt: str) -> None:
    """Take sources out of a KG.

    SOURCE is a name that `kgstore info` lists. What another source says as well stays. The result is a new generation:
    `kgstore rollback` undoes it. To put a newer file in a source's place, see `kgstore load --replace`.

    \b
    Example:
        kgstore remove offices.csv --kg company.kg
    """
    with Store(kg) as store:
        vectors = bool(store.manifest and store.manifest.counts.get("vectors"))
    with spinning() as say, StoreWriter(kg, languages=()) as writer:
        gone = writer.remove(sources, say)
        manifest = writer.commit(vectors, say, embedder)
    if fmt == "json":
        echo_json({"removed": gone, "generation": manifest.generation, "counts": manifest.counts})
        return
    note(f"{count(gone, 'triple')} removed; generation {int(manifest.generation)}: {manifest.counts['triples']:,} left")
