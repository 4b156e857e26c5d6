"""``kgstore unseal``"""

from __future__ import annotations

from pathlib import Path

import click

from kgstore.cli.options import format_option, written_kg_option
from kgstore.cli.progress import spinning
from kgstore.cli.render import echo_json, note
from kgstore.layout import read_manifest
from kgstore.seal import unseal as make_open


@click.command()
@click.argument("sealed", type=click.Path(path_type=Path))
@written_kg_option
@click.option("--vectors/--no-vectors", default=False, show_default=True, help="Embed every statement.")
@format_option()
def unseal(sealed: Path, kg: Path, vectors: bool, fmt: str) -> None:
    """Make an open KG of a sealed one.

    A sealed KG does not keep what each source says, so several are one in the open KG.

    \b
    Example:
        kgstore unseal small.sealed --kg small.kg
    """
    with spinning() as say:
        manifest = make_open(sealed, kg, vectors, say)
    if fmt == "json":
        echo_json({"generation": manifest.generation, "counts": manifest.counts})
    note(f"{kg}: {manifest.counts['triples']:,} triples")
    if (sources := read_manifest(sealed).counts.get("sources", 1)) > 1:
        note(f"its {sources} sources are one now, {sealed.resolve().name}: a sealed KG does not keep what each says")
