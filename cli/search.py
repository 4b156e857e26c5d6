"""``kgstore search``"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from kgstore.cli.answers import Json, has_vectors, no_vectors, search_answer
from kgstore.cli.opening import open_store
from kgstore.cli.options import embedder_option, kg_option, limit_option
from kgstore.cli.render import console, echo_json, note, plain, print_table
from kgstore.cli.rows import print_rows, rows_option


@click.command()
@click.argument("text")
@kg_option
@click.option(
    "--by",
    type=click.Choice(["name", "meaning", "both"]),
    default="both",
    show_default=True,
    help="Compare with the names of entities, with the statements as sentences, or with both.",
)
@embedder_option
@limit_option(10, "entities and N statements")
@rows_option()
def search(text: str, kg: Path, by: str, embedder: Path | None, limit: int, fmt: str) -> None:
    """Find entities by name and statements by meaning.

    Statements are found only if the KG was loaded with vectors. The score is 0 to 1 for names, the cosine for
    statements.

    \b
    Example:
        kgstore search "Duglas Adams" --kg small.kg
        kgstore search "who wrote about robots" --by meaning --kg small.kg
    """
    with open_store(kg, embedder) as store:
        found = search_answer(store, text, by, limit)
        silent = no_vectors(store) if by == "both" and not has_vectors(store) else None
    if fmt == "json":
        echo_json(found)
        return
    names, statements = found["entities"], found["statements"]
    listed = [("entity", one["id"], one["label"], one["description"], one["score"]) for one in names]
    listed += [("statement", one["subject"], one["sentence"], "", one["score"]) for one in statements]
    if print_rows(fmt, ("kind", "id", "text", "description", "score"), listed):
        return
    show_found(found, text)
    if silent is not None:
        note(f"statements were not searched, {silent}")


def show_found(found: Json, text: str) -> None:
    """What `search_answer` found, for a person."""
    names, statements = found["entities"], found["statements"]
    out = console()
    if names:
        rows = [(one["id"], _named(one), plain(one["description"], "dim")) for one in names]
        print_table(out, ["id", "entity", "description"], rows)
    if names and statements:
        out.print()
    if statements:
        print_table(out, ["score", "statement"], [(f"{one['score']:.2f}", one["sentence"]) for one in statements])
    if not names and not statements:
        note(f"nothing found for {text!r}")


def _named(one: dict[str, Any]) -> str:
    return one["label"] if one["name"] == one["label"] else f"{one['label']} ({one['name']})"
