"""``kgstore entity``"""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import click

from kgstore.cli.options import format_option, kg_option
from kgstore.cli.render import console, echo_json, plain, print_pairs
from kgstore.cli.resolve import resolve_entity
from kgstore.model import Literal
from kgstore.prefixes import compact
from kgstore.store import Store


@click.command()
@click.argument("name")
@kg_option
@format_option()
def entity(name: str, kg: Path, fmt: str) -> None:
    """Show what a KG knows an entity by: names, description, types.

    NAME is a name, an id (Q42) or an IRI. Where several entities have the name, they are listed.

    \b
    Example:
        kgstore entity "Douglas Adams" --kg small.kg
    """
    with Store(kg) as store:
        found = resolve_entity(store, name)
        names = _names(store, found.iri)
        types = {iri: store.label(iri) for iri in found.types}
    if fmt == "json":
        echo_json({**asdict(found), "id": compact(found.iri), "names": names, "types": types})
        return
    out = console()
    out.print(plain(found.label, "bold"))
    print_pairs(
        out,
        [
            ("id", compact(found.iri)),
            ("IRI", found.iri),
            ("description", found.description),
            ("also called", ", ".join(one for one in names if one != found.label)),
            ("types", ", ".join(f"{label} ({compact(iri)})" for iri, label in types.items())),
            ("links to entities", f"{found.degree:,}"),
            ("sitelinks", found.sitelinks or None),
        ],
    )


def _names(store: Store, iri: str) -> list[str]:
    """Labels and aliases in the KG's languages, labels first."""
    found = []
    for predicate in (*store.profile.label, *store.profile.alias):
        for triple in store.match(iri, predicate):
            if isinstance(triple.object, Literal) and triple.object.language in (None, "mul", *store.languages):
                found.append(triple.object.value)
    return list(dict.fromkeys(found))
