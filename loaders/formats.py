"""Which loader reads a file: by its name, or as told."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from kgstore.errors import InputError
from kgstore.loaders.protocol import Loader
from kgstore.loaders.sources import COMPRESSIONS

if TYPE_CHECKING:
    from kgstore.loaders.table_names import Known, Names

FORMATS: dict[str, tuple[str, ...]] = {
    "wikidata": (".json", ".jsonl", ".ndjson"),
    "ntriples": (".nt",),
    "nquads": (".nq",),
    "turtle": (".ttl",),
    "trig": (".trig",),
    "rdfxml": (".rdf", ".owl", ".xml"),
    "jsonld": (".jsonld",),
    "csv": (".csv",),
    "tsv": (".tsv", ".tab"),
}
"""Each format with the ends of file names that mean it; ``.gz``, ``.bz2`` or ``.zst`` may follow."""

CONTINUED = frozenset(("wikidata", "ntriples", "nquads"))
"""Formats of lines: a load that was killed in the middle of a file goes on there."""

_ALIASES = {
    "json": "wikidata",
    "nt": "ntriples",
    "nq": "nquads",
    "ttl": "turtle",
    "rdf": "rdfxml",
    "xml": "rdfxml",
    "owl": "rdfxml",
    "rdf/xml": "rdfxml",
    "json-ld": "jsonld",
    "n-triples": "ntriples",
    "n-quads": "nquads",
}


def format_of(path: Path | str, told: str | None = None) -> str:
    """
    >>> format_of("latest-all.json.gz"), format_of("x.dat", "ttl")
    ('wikidata', 'turtle')

    :param told: a format's name, or its suffix; goes before the file's name
    :raises InputError: if the format is not known
    """
    known = ", ".join(FORMATS)
    if told is not None:
        name = told.lower().lstrip(".")
        name = _ALIASES.get(name, name)
        if name not in FORMATS:
            raise InputError(f"format {told!r} is unknown", f"choose one of {known}")
        return name
    name = Path(path).name.lower()
    for ending in COMPRESSIONS:
        name = name.removesuffix(ending)
    for format, endings in FORMATS.items():
        if name.endswith(endings):
            return format
    shown = "standard input" if str(path) == "-" else path
    raise InputError(f"the format of {shown} cannot be told from its name", f"give --format, one of {known}")


TABLES = ("csv", "tsv")


def loader_for(
    format: str,
    *,
    jobs: int = 2,
    name: str = "kg",
    after: int = 0,
    beside: Sequence[Names] = (),
    known: Known | None = None,
) -> Loader:
    """
    :param jobs: processes for a Wikidata dump
    :param name: of the KG; names in tables become IRIs under it
    :param after: lines that are already loaded, of a format in `CONTINUED`
    :param beside: for a table: what the other tables of the load name
    :param known: for a table: what the KG knows already
    """
    if format == "wikidata":
        from kgstore.loaders.wikidata import WikidataLoader

        return WikidataLoader(jobs, after=after)
    if format in TABLES:
        from kgstore.loaders.table import TableLoader

        return TableLoader(name, separator_of(format), beside, known)
    from kgstore.loaders.rdf import RdfLoader

    return RdfLoader(format, after=after)


def separator_of(format: str) -> str | None:
    """What stands between the cells of a table, None where its header tells."""
    return "\t" if format == "tsv" else None
