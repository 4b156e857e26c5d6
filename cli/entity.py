"""``kgstore entity``"""

from __future__ import annotations

from pathlib import Path

import click

from kgstore.cli.answers import Json, entity_answer
from kgstore.cli.options import format_option, kg_option
from kgstore.cli.render import console, echo_json, note, plain, print_pairs
from kgstore.opening import open_kg
from kgstore.prefixes import compact


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
    with open_kg(kg, note) as store:
        found = entity_answer(store, name)
    if fmt == "json":
        echo_json(found)
    else:
        show_entity(found)


def show_entity(found: Json) -> None:
    """What `entity_answer` found, for a person."""
    out = console()
    out.print(plain(found["label"], "bold"))
    print_pairs(
        out,
        [
            ("id", found["id"]),
            ("IRI", found["iri"]),
            ("description", found["description"]),
            ("also called", ", ".join(one for one in found["names"] if one != found["label"])),
            ("types", ", ".join(f"{label} ({compact(iri)})" for iri, label in found["types"].items())),
            ("links to entities", f"{found['degree']:,}"),
            ("sitelinks", found["sitelinks"] or None),
        ],
    )

