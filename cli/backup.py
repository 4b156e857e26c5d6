"""``kgstore backup``"""

from __future__ import annotations

from pathlib import Path

import click

from kgstore.backup import backup as copy
from kgstore.cli.options import format_option, kg_option
from kgstore.cli.render import echo_json, note, size


@click.command()
@click.argument("target", type=click.Path(path_type=Path), metavar="FOLDER")
@kg_option
@format_option()
def backup(target: Path, kg: Path, fmt: str) -> None:
    """Copy a KG into a new folder.

    The copy holds the current generation and is a KG itself: use it as it is, or move it to where the KG was. It shares
    no file with the original, and can be made while others read or load.

    \b
    Example:
        kgstore backup /mnt/safe/company-2024-05.kg --kg company.kg
    """
    manifest = copy(kg, target)
    octets = sum(path.stat().st_size for path in target.rglob("*") if path.is_file())
    if fmt == "json":
        echo_json({"backup": str(target), "bytes": octets, "generation": manifest.generation,
                   "fingerprint": manifest.fingerprint})  # fmt: skip
        return
    note(f"{target} is a copy of generation {int(manifest.generation)}: {size(octets)}")
