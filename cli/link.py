"""``kgstore link``"""

from __future__ import annotations

from pathlib import Path

import click

from cli.batch import Settings, reports
from cli.options import format_option, kg_option
from cli.render import console, echo_json, note, plain, print_table
from cli.texts import STDIN, Text, read_texts


@click.command()
@click.argument("text")
@kg_option
@format_option()
def link(text: str, kg: Path, fmt: str) -> None:
    """Find the entities that a text names.

    TEXT is the text itself, or - for stdin. A name that may mean several entities, and none clearly, is left out.

    \b
    Example:
        kgstore link "Douglas Adams lived in Santa Barbara." --kg small.kg
    """
    item = read_texts([STDIN]).items[0] if text == STDIN else Text(text)
    entities = next(reports([item], Settings(kg)))["entities"]
    if fmt == "json":
        echo_json(entities)
        return
    rows = [
        (
            one["text"],
            one["id"],
            one["label"],
            f"{one['score']:.2f}",
            f"{one['start']}-{one['end']}",
            plain(one["description"], "dim"),
        )
        for one in entities
    ]
    if rows:
        header = ["mention", "id", "entity", "score", "characters", "description"]
        print_table(console(), header, rows, right=["score"])
    else:
        note("no entity of this KG is named clearly")
