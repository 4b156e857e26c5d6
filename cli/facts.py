"""``kgstore facts``"""

from __future__ import annotations

from pathlib import Path

import click

from kgstore.cli.options import format_option, kg_option, limit_option
from kgstore.cli.render import console, count, echo_json, note, plain, print_table
from kgstore.cli.resolve import resolve_entity
from kgstore.cli.statements import remarks
from kgstore.model import Rank, Statement
from kgstore.naming import resolve_property
from kgstore.prefixes import compact
from kgstore.store import Store
from kgstore.verbalise import value_text
from kgstore.verifier.report.report import statement_dict


@click.command()
@click.argument("entity")
@kg_option
@click.option("--property", "-p", "prop", metavar="PROPERTY", help="Only this property: an id (P19), a name or an IRI.")
@click.option("--incoming", is_flag=True, help="Statements about others whose value is this entity.")
@click.option("--references", is_flag=True, help="Also read where each statement comes from (JSON only).")
@limit_option(1000, "statements")
@format_option()
def facts(entity: str, kg: Path, prop: str | None, incoming: bool, references: bool, limit: int, fmt: str) -> None:
    """List the statements about an entity.

    ENTITY is a name, an id (Q42) or an IRI. Ranks other than normal and qualifiers are shown behind the value.

    \b
    Example:
        kgstore facts "Douglas Adams" --property "place of birth" --kg small.kg
    """
    with Store(kg) as store:
        found = resolve_entity(store, entity)
        wanted = None if prop is None else resolve_property(store, prop).iri
        if incoming:
            statements = store.incoming(found.iri, wanted, limit=limit + 1)
        else:
            statements = store.statements(found.iri, wanted, references=references)
        statements.sort(key=lambda one: (store.label(one.predicate.value), list(Rank).index(one.rank)))
        shown = statements[:limit]
        if fmt == "json":
            echo_json([statement_dict(one, store) for one in shown])
        else:
            out = console()
            out.print(plain(f"{found.label} ({compact(found.iri)})", "bold"))
            first = "subject" if incoming else "value"
            print_table(out, ["id", "property", first, ""], [_row(one, store, incoming) for one in shown])
    note(count(len(shown), "statement") + (", and there are more: raise --limit" if len(statements) > limit else ""))


def _row(one: Statement, store: Store, incoming: bool) -> tuple[object, ...]:
    other = store.label(one.subject.value) if incoming else value_text(one.value, store.label)
    prop = one.predicate.value
    return compact(prop), store.label(prop), other, plain(remarks(one, store), "dim")
