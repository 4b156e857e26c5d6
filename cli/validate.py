"""``kgstore validate``"""

from __future__ import annotations

from dataclasses import astuple, fields
from pathlib import Path

import click

from kgstore.cli.options import kg_option
from kgstore.cli.render import console, count, echo_json, note, print_table
from kgstore.cli.rows import print_rows, rows_option
from kgstore.prefixes import compact
from kgstore.shapes import Violation, violations
from kgstore.store import Store

_COLUMNS = tuple(field.name for field in fields(Violation))


@click.command()
@kg_option
@click.option(
    "--shapes",
    type=click.Path(path_type=Path),
    required=True,
    metavar="FILE",
    help="SHACL shapes as Turtle, RDF/XML or N-Triples.",
)
@rows_option()
@click.pass_context
def validate(ctx: click.Context, kg: Path, shapes: Path, fmt: str) -> None:
    """Check whether a KG keeps the rules of its domain, written as SHACL shapes.

    Needs the extra rdf (pySHACL). The graph is read where it lies, and not changed. Exits with 1 if a rule is broken.

    \b
    Example:
        kgstore validate --shapes shapes.ttl --kg company.kg
        kgstore validate --shapes shapes.ttl --kg company.kg --format csv > broken.csv
    """
    with Store(kg) as store:
        found = violations(store, shapes)
        rows = [_row(one, store) for one in found]
        if fmt == "json":
            echo_json({"conforms": not found, "results": [dict(zip(_COLUMNS, row, strict=True)) for row in rows]})
        elif not print_rows(fmt, _COLUMNS, rows) and rows:
            print_table(console(), ["", "what", "rule", "message"], [
                (row[3], f"{store.label(one.focus)} ({row[0]})", row[4], row[5])
                for one, row in zip(found, rows, strict=True)
            ])  # fmt: skip
    note(f"{count(len(found), 'result')}: {kg} breaks these rules" if found else f"{kg} keeps all rules of {shapes}")
    ctx.exit(1 if found else 0)


def _row(one: Violation, store: Store) -> tuple[str, ...]:
    return (compact(one.focus), compact(one.path), compact(one.value), *astuple(one)[3:])
