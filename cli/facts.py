"""``kgstore facts``"""

from __future__ import annotations

from pathlib import Path

import click

from cli.options import format_option, kg_option
from cli.render import console, count, echo_json, note, plain, table
from cli.resolve import resolve_entity, resolve_property
from cli.statements import remarks, statement_dict
from kgstore.model import Rank
from kgstore.prefixes import compact
from kgstore.store import Store
from kgstore.verbalise import value_text


@click.command()
@click.argument("entity")
@kg_option
@click.option("--property", "-p", "prop", metavar="PROPERTY", help="Only this property: an id (P19), a name or an IRI.")
@click.option("--incoming", is_flag=True, help="Statements about others whose value is this entity.")
@click.option("--references", is_flag=True, help="Also read where each statement comes from (JSON only).")
@format_option()
def facts(entity: str, kg: Path, prop: str | None, incoming: bool, references: bool, fmt: str) -> None:
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
            statements = store.incoming(found.iri, wanted)
        else:
            statements = store.statements(found.iri, wanted, references=references)
        statements.sort(key=lambda one: (store.label(one.predicate.value), list(Rank).index(one.rank)))
        if fmt == "json":
            echo_json([statement_dict(one, store) for one in statements])
            return
        out = console()
        if incoming:
            rows = [
                (
                    store.label(one.subject.value),
                    compact(one.predicate.value),
                    store.label(one.predicate.value),
                    found.label,
                    plain(remarks(one, store), "dim"),
                )
                for one in statements
            ]
            shown = table(["subject", "id", "property", "value", ""], rows)
        else:
            rows = [
                (
                    compact(one.predicate.value),
                    store.label(one.predicate.value),
                    value_text(one.value, store.label),
                    plain(remarks(one, store), "dim"),
                )
                for one in statements
            ]
            shown = table(["id", "property", "value", ""], rows)
        out.print(plain(f"{found.label} ({compact(found.iri)})", "bold"))
        if rows:
            out.print(shown)
        note(count(len(rows), "statement"))
