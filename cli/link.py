"""``kgstore link``"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from kgstore.cli.batch import Settings, open_verifier
from kgstore.cli.options import kg_option
from kgstore.cli.render import console, echo_json, note, plain, print_table
from kgstore.cli.rows import print_rows, rows_option
from kgstore.cli.texts import STDIN, read_texts
from kgstore.prefixes import compact
from kgstore.verifier.claims import Candidate, Mention

_COLUMNS = ("mention", "id", "entity", "score", "start", "end", "description")


@click.command()
@click.argument("text")
@kg_option
@rows_option()
def link(text: str, kg: Path, fmt: str) -> None:
    """Find the entities that a text names.

    TEXT is the text itself, or - for stdin. The score is the entity's share among all of that name; --format json lists
    the others, too.

    \b
    Example:
        kgstore link "Douglas Adams lived in Santa Barbara." --kg small.kg
    """
    if text == STDIN:
        text = read_texts([STDIN]).items[0].text
    with open_verifier(Settings(kg)) as (verifier, _):
        found = [one for one in verifier.rules.mentions(text) if one.candidates]
    if fmt == "json":
        echo_json([_dict(one) for one in found])
    elif not print_rows(fmt, _COLUMNS, [_whole(one, one.candidates[0]) for one in found]) and found:
        header = ["mention", "id", "entity", "score", "characters", "description"]
        print_table(console(), header, [_row(one, one.candidates[0]) for one in found], right=["score"])
    if not found:
        note("the text names no entity of this KG")


def _whole(mention: Mention, best: Candidate) -> tuple[Any, ...]:
    return mention.text, compact(best.iri), best.label, best.score, mention.start, mention.end, best.description


def _row(mention: Mention, best: Candidate) -> tuple[Any, ...]:
    where = f"{mention.start}-{mention.end}"
    return mention.text, compact(best.iri), best.label, f"{best.score:.2f}", where, plain(best.description, "dim")


def _dict(mention: Mention) -> dict[str, Any]:
    best, *others = map(_candidate, mention.candidates)
    return {"start": mention.start, "end": mention.end, "text": mention.text, **best, "others": others}


def _candidate(one: Candidate) -> dict[str, Any]:
    return {"id": compact(one.iri), "label": one.label, "description": one.description, "score": one.score}
