"""``kgstore export``"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import click

from kgstore.cli.options import kg_option, output_option
from kgstore.errors import InputError
from kgstore.export import FORMATS
from kgstore.export import export as write
from kgstore.store import Store


@click.command()
@kg_option
@click.option(
    "--format",
    "fmt",
    type=click.Choice(list(FORMATS)),
    default="nquads",
    show_default=True,
    help="What to write. All triples lie in the default graph, so N-Quads and N-Triples are the same.",
)
@click.option("--sorted", "in_order", is_flag=True, help="In one order, so that equal graphs give equal files. Slower.")
@output_option
def export(kg: Path, fmt: str, in_order: bool, output: Path | None) -> None:
    """Write all triples of a KG.

    The ledger (which sources were loaded when) is not among them. Loading the file again gives the same graph.

    \b
    Example:
        kgstore export --kg small.kg --sorted | sha256sum
        kgstore export --kg company.kg --format turtle -o company.ttl
    """
    with Store(kg) as store, _binary(output) as file:
        write(store.graph, file, fmt, in_order)


@contextmanager
def _binary(path: Path | None) -> Iterator[IO[bytes]]:
    """Stdout, or a file that appears when all is written."""
    if path is None:
        yield sys.stdout.buffer
        return
    special = path.exists() and not path.is_file()  # /dev/null, a named pipe
    partial = path if special else path.with_name(path.name + ".part")
    try:
        with partial.open("wb") as file:
            yield file
        if not special:
            partial.replace(path)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise InputError(f"cannot write {path}: {reason}", "name another file for --output") from None
    finally:
        if not special:
            partial.unlink(missing_ok=True)
