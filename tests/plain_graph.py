"""Small graphs of one's own domain, written as Turtle, for tests of what is said about claims."""

from __future__ import annotations

from pathlib import Path

import pyoxigraph as ox

from kgstore.model import Triple
from kgstore.store import Store

PREFIXES = """
@prefix ex: <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
"""


def plain_store(turtle: str, folder: Path) -> Store:
    """A store in a new folder with these triples; the prefixes above are known."""
    triples = ox.parse((PREFIXES + turtle).encode(), format=ox.RdfFormat.TURTLE)
    with Store(folder / "plain.kg", read_only=False) as store:
        store.add([Triple(one.subject, one.predicate, one.object) for one in triples], source="tests")
    return Store(folder / "plain.kg")
