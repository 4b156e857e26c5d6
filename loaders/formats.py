"""Which loader reads a file: by its name, or as told."""

from __future__ import annotations

from pathlib import Path

from kgstore.errors import InputError
from loaders.protocol import Loader
from loaders.sources import COMPRESSIONS

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


def loader_for(format: str, *, jobs: int = 2, name: str = "kg", after: int = 0) -> Loader:
    """
    :param jobs: processes for a Wikidata dump
    :param name: of the KG; names in tables become IRIs under it
    :param after: lines of a Wikidata dump that are already loaded
    """
    if format == "wikidata":
        from loaders.wikidata import WikidataLoader

        return WikidataLoader(jobs, after=after)
    if format in ("csv", "tsv"):
        from loaders.table import TableLoader

        return TableLoader(name, "\t" if format == "tsv" else None)
    from loaders.rdf import RdfLoader

    return RdfLoader(format)
