"""Small graphs of one's own domain, written as Turtle, for tests of what is said about claims."""

from __future__ import annotations

from pathlib import Path

from kgstore.loaders.run import load
from kgstore.store import Store

PREFIXES = """
@prefix ex: <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
"""


def plain_store(turtle: str, folder: Path, profile: str = "rdfs") -> Store:
    """A store in a new folder with these triples; the prefixes above are known.

    :param profile: a built-in profile's name, or the text of a TOML file
    """
    (folder / "graph.ttl").write_text(PREFIXES + turtle, encoding="utf-8")
    if "=" in profile:
        (folder / "profile.toml").write_text(profile, encoding="utf-8")
    load(
        [folder / "graph.ttl"],
        folder / "plain.kg",
        vectors=False,
        profile=folder / "profile.toml" if "=" in profile else profile,
    )
    return Store(folder / "plain.kg")
