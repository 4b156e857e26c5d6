"""``kgstore rollback``"""

from __future__ import annotations

from pathlib import Path

import click

from kgstore import layout
from kgstore.cli.options import format_option, written_kg_option
from kgstore.cli.render import echo_json, note


@click.command()
@click.argument("generation", type=click.IntRange(min=1), required=False, metavar="[GENERATION]")
@written_kg_option
@format_option()
def rollback(generation: int | None, kg: Path, fmt: str) -> None:
    """Make an older generation of a KG the current one again.

    The one before the current one unless a number is given, which may also be that of a later one: nothing is deleted
    until `kgstore prune`. Who reads the KG keeps what it opened.

    \b
    Example:
        kgstore rollback --kg small.kg
        kgstore rollback 3 --kg small.kg
    """
    manifest = layout.rollback(kg, None if generation is None else f"{generation:06d}")
    if fmt == "json":
        echo_json({"generation": manifest.generation, "fingerprint": manifest.fingerprint, "counts": manifest.counts})
        return
    note(
        f"generation {int(manifest.generation)} of {manifest.created} is current: "
        f"{manifest.counts.get('triples', 0):,} triples"
    )
