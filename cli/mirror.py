"""``kgstore mirror``"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from kgstore.cli.options import Listing, format_option, written_kg_option
from kgstore.cli.progress import Loading, spinning
from kgstore.cli.render import echo_json, note
from kgstore.errors import InputError
from kgstore.loaders.filters import read_ids
from kgstore.loaders.mirror import Mirror, Part
from kgstore.loaders.run import load as load_files


@click.command()
@click.argument("url")
@written_kg_option
@click.option("--class", "classes", type=Listing(), default=(), metavar="Q5,Q515", help="Everything of these classes.")
@click.option("--entities", metavar="Q42,Q84|FILE", help="These entities, or those of a file, one id a line.")
@click.option("--query", default="", metavar="SPARQL", help="Every IRI in the first column of a SELECT.")
@click.option(
    "--hops", type=click.IntRange(0, 5), default=0, show_default=True, metavar="N", help="Follow statements so far."
)
@click.option("--limit", type=click.IntRange(min=1), default=100_000, show_default=True, help="Entities at most.")
@click.option("--lang", type=Listing(), default=("en",), metavar="en,de", help="Languages of names; en unless told.")
@format_option()
@click.option(
    "--pause", type=click.FloatRange(min=0), default=0.1, show_default=True, metavar="SECONDS", help="Between requests."
)
def mirror(
    url: str,
    kg: Path,
    classes: tuple[str, ...],
    entities: str | None,
    query: str,
    hops: int,
    limit: int,
    lang: tuple[str, ...],
    pause: float,
    fmt: str,
) -> None:
    """Copy a part of the graph behind a SPARQL endpoint into a KG.

    The part is what --class, --entities and --query name, with the names of whatever it mentions. Answers are kept in
    KG.mirror until the copy is done: repeat an interrupted command, and it goes on where it was.

    \b
    Example:
        kgstore mirror sparql+http://127.0.0.1:7878/query --class Q5 --hops 1 --kg people.kg
    """
    from kgstore.remote.counted import profile_of
    from kgstore.remote.endpoint import Endpoint

    if not (classes or entities or query):
        raise click.UsageError("nothing to copy: name it with --class, --entities or --query")
    part = Part(classes, _ids(entities), query, hops, limit)
    with Endpoint(f"sparql+{url.removeprefix('sparql+')}") as endpoint, _kept(kg) as folder, spinning() as say:
        copied = Mirror(endpoint, profile_of(endpoint), lang, folder, pause, say)
        files = copied.copy(part)
    with Loading() as report:
        summary = load_files(files, kg, languages=lang, vectors=False, report=report)
    shutil.rmtree(folder)
    if fmt == "json":
        echo_json({"url": endpoint.url, "entities": copied.entities, "triples": summary.triples, "kg": str(kg)})
    note(f"{copied.entities:,} entities and {summary.triples:,} triples of {endpoint.url} are in {kg}")


@contextmanager
def _kept(kg: Path) -> Iterator[Path]:
    """The folder of what is copied; of a mirror that copied nothing, none stays to bar the next one."""
    folder = kg.with_name(f"{kg.name}.mirror")
    _remove_empty(folder)
    try:
        yield folder
    finally:
        _remove_empty(folder)


def _remove_empty(folder: Path) -> None:
    if (folder / "mirror.json").is_file() and not any(folder.glob("*.nt.gz")):
        shutil.rmtree(folder)


def _ids(entities: str | None) -> tuple[str, ...]:
    if entities is None:
        return ()
    if Path(entities).is_file():
        return tuple(sorted(read_ids(Path(entities))))
    found = tuple(one.strip() for one in entities.split(",") if one.strip())
    if not found:
        raise InputError("--entities names nothing", "write ids, or the name of a file with one a line")
    return found
