"""``kgstore prune``"""

from __future__ import annotations

from pathlib import Path

import click

from kgstore import layout
from kgstore.cli.options import format_option, written_kg_option
from kgstore.cli.render import count, echo_json, note


@click.command()
@written_kg_option
@click.option(
    "--keep",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    metavar="N",
    help="Generations that stay, the current one among them.",
)
@format_option()
def prune(kg: Path, keep: int, fmt: str) -> None:
    """Delete old generations of a KG.

    What killed loads left behind goes, too. Generations that somebody is reading stay.

    \b
    Example:
        kgstore prune --keep 2 --kg small.kg
    """
    gone = layout.prune(kg, keep)
    if fmt == "json":
        echo_json({"deleted": gone, "kept": layout.generations(kg)})
        return
    for name in gone:
        click.echo(f"deleted {name}")
    note(f"{count(len(gone), 'generation')} deleted, {len(layout.generations(kg))} kept")
