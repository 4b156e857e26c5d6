"""``kgstore index``"""

from __future__ import annotations

from pathlib import Path

import click

from kgstore.cli.options import embedder_option, format_option, memory_option, written_kg_option
from kgstore.cli.progress import spinning
from kgstore.cli.render import echo_json, note
from kgstore.writer import rebuild_index


@click.command()
@written_kg_option
@click.option("--vectors/--no-vectors", default=None, help="Embed every statement or not; as it was unless told.")
@click.option(
    "--precision",
    type=click.Choice(["full", "half"]),
    help="Of the vectors: half of it takes half the room, and nothing is embedded again. As it was unless told.",
)
@embedder_option
@memory_option
@click.option("--resume", is_flag=True, help="Go on with vectors that were interrupted; what is embedded is kept.")
@format_option()
def index(
    kg: Path, vectors: bool | None, precision: str | None, embedder: Path | None, resume: bool, fmt: str
) -> None:
    """Rebuild what is derived from the graph: catalog, topology, vectors.

    The result is a new generation; who reads the old one is not disturbed.

    \b
    Example:
        kgstore index --vectors --kg small.kg
        kgstore index --precision half --kg small.kg
    """
    half = None if precision is None else precision == "half"
    with spinning() as say:
        manifest = rebuild_index(kg, vectors, say, embedder, resume, half)
    if fmt == "json":
        echo_json({"generation": manifest.generation, "fingerprint": manifest.fingerprint, "counts": manifest.counts})
        return
    note(
        f"generation {int(manifest.generation)} is current: "
        + ", ".join(f"{n:,} {what}" for what, n in manifest.counts.items())
    )
