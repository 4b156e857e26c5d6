"""``kgstore seal``"""

from __future__ import annotations

from pathlib import Path

import click

from kgstore.cli.options import format_option, kg_option
from kgstore.cli.progress import spinning
from kgstore.cli.render import echo_json, note, size
from kgstore.seal import seal as write_sealed


@click.command()
@kg_option
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), required=True, metavar="FOLDER", help="A new folder."
)
@format_option()
def seal(kg: Path, output: Path, fmt: str) -> None:
    """Write a KG in a read-only form of a quarter of its size.

    Statements, links, paths and verdicts are those of the open KG, and every command that reads one takes it. SPARQL
    and search by meaning need the open form, which `kgstore unseal` makes again.

    \b
    Example:
        kgstore seal --kg small.kg -o small.sealed
    """
    with spinning() as say:
        manifest = write_sealed(kg, output, say)
    taken = sum(path.stat().st_size for path in output.rglob("*") if path.is_file())
    triples = manifest.counts["triples"]
    if fmt == "json":
        echo_json({"triples": triples, "bytes": taken, "bytes_a_triple": round(taken / max(1, triples), 1)})
    note(f"{output}: {triples:,} triples in {size(taken)}, {taken / max(1, triples):.1f} bytes each")
