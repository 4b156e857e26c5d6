"""Which loader reads a file: by its name, or as told."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from kgstore.errors import InputError
from kgstore.loaders.protocol import Loader
from kgstore.loaders.sources import COMPRESSIONS

if TYPE_CHECKING:
    from kgstore.loaders.table_names import Known, Names

@dataclass(frozen=True, slots=True)
class Setting:
    """What a loader may need besides the file.

    :param jobs: processes for a Wikidata dump
    :param name: of the KG; names in tables become IRIs under it
    :param after: lines that are already loaded, of a format that is made of lines
    :param beside: for a table: what the other tables of the load name
    :param known: for a table: what the KG knows already
    """

    jobs: int = 2
    name: str = "kg"
    after: int = 0
    beside: Sequence[Names] = ()
    known: Known | None = None


@dataclass(frozen=True, slots=True)
class Format:
    """A kind of file.

    :param home: the module with its ``loader(format, setting)``, imported when it is asked for
    :param suffixes: ends of file names that mean it; ``.gz``, ``.bz2`` or ``.zst`` may follow
    :param aliases: other names that people give it
    :param by_line: made of lines, so that a load that was killed in the middle of a file goes on there
    :param separator: of a table: what stands between its cells, empty where its header tells; None for other files
    """

    home: str
    suffixes: tuple[str, ...]
    aliases: tuple[str, ...] = ()
    by_line: bool = False
    separator: str | None = None


FORMATS: dict[str, Format] = {
    "wikidata": Format("wikidata", (".json", ".jsonl", ".ndjson"), ("json",), by_line=True),
    "ntriples": Format("rdf", (".nt",), ("nt", "n-triples"), by_line=True),
    "nquads": Format("rdf", (".nq",), ("nq", "n-quads"), by_line=True),
    "turtle": Format("rdf", (".ttl",), ("ttl",)),
    "trig": Format("rdf", (".trig",)),
    "rdfxml": Format("rdf", (".rdf", ".owl", ".xml"), ("rdf", "xml", "owl", "rdf/xml")),
    "jsonld": Format("rdf", (".jsonld",), ("json-ld",)),
    "csv": Format("table", (".csv",), separator=""),
    "tsv": Format("table", (".tsv", ".tab"), separator="\t"),
}
"""A loader is one file, and one line here."""
CONTINUED = frozenset(name for name, one in FORMATS.items() if one.by_line)
"""Formats of lines: a load that was killed in the middle of a file goes on there."""
TABLES = tuple(name for name, one in FORMATS.items() if one.separator is not None)
_ALIASES = {alias: name for name, one in FORMATS.items() for alias in one.aliases}


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
    for format, one in FORMATS.items():
        if name.endswith(one.suffixes):
            return format
    shown = "standard input" if str(path) == "-" else path
    raise InputError(f"the format of {shown} cannot be told from its name", f"give --format, one of {known}")


def loader_for(format: str, setting: Setting | None = None) -> Loader:
    """The loader of a format, one of `FORMATS`."""
    return import_module(f"kgstore.loaders.{FORMATS[format].home}").loader(format, setting or Setting())


def separator_of(format: str) -> str | None:
    """What stands between the cells of a table, None where its header tells."""
    return FORMATS[format].separator or None
