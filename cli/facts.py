"""``kgstore facts``"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from kgstore.catalog import Entity
from kgstore.cli.answers import facts_about, facts_answer
from kgstore.cli.graphs import GRAPHS, print_graph
from kgstore.cli.options import kg_option, limit_option
from kgstore.cli.render import console, count, echo_json, note, plain, print_table
from kgstore.cli.rows import print_rows, rows_option
from kgstore.cli.statements import remarks
from kgstore.model import NamedNode, Statement
from kgstore.networks import Link, link_of
from kgstore.opening import KG, open_kg
from kgstore.prefixes import compact
from kgstore.verbalise import value_text

_COLUMNS = ("subject", "subject_label", "property", "property_label", "value_id", "value", "rank", "remarks")


@click.command()
@click.argument("entity")
@kg_option
@click.option("--property", "-p", "prop", metavar="PROPERTY", help="Only this property: an id (P19), a name or an IRI.")
@click.option("--incoming", is_flag=True, help="Statements about others whose value is this entity.")
@click.option("--references", is_flag=True, help="Also read where each statement comes from (JSON only).")
@limit_option(1000, "statements")
@rows_option(*GRAPHS)
def facts(entity: str, kg: Path, prop: str | None, incoming: bool, references: bool, limit: int, fmt: str) -> None:
    """List the statements about an entity.

    ENTITY is a name, an id (Q42) or an IRI. Ranks other than normal and qualifiers are shown behind the value. What
    many entities of the KG have comes first, identifiers and addresses come last.

    \b
    Example:
        kgstore facts "Douglas Adams" --property "place of birth" --kg small.kg
        kgstore facts "Douglas Adams" --format parquet --kg small.kg > adams.parquet
    """
    with open_kg(kg, note) as store:
        found, shown, more = facts_about(store, entity, prop, incoming, references, limit)
        if fmt == "json":
            echo_json(facts_answer(shown, store))
        elif not (
            print_graph(fmt, lambda: [_link(one, store) for one in shown])
            or print_rows(fmt, _COLUMNS, [_whole(one, store) for one in shown])
        ):
            show_facts(found, shown, store, incoming)
    note(count(len(shown), "statement") + (", and there are more: raise --limit" if more else ""))


def show_facts(about: Entity, statements: Sequence[Statement], store: KG, incoming: bool = False) -> None:
    """Statements about an entity, for a person."""
    out = console()
    out.print(plain(f"{about.label} ({compact(about.iri)})", "bold"))
    first = "subject" if incoming else "value"
    print_table(out, ["id", "property", first, ""], [_row(one, store, incoming) for one in statements])


def _whole(one: Statement, store: KG) -> tuple[str, ...]:
    ends = one.subject.value, one.predicate.value
    value = one.value
    return (
        *(part for end in ends for part in (compact(end), store.label(end))),
        compact(value.value) if isinstance(value, NamedNode) else "",
        value_text(value, store.label),
        one.rank.value,
        remarks(one, store),
    )


def _link(one: Statement, store: KG) -> Link:
    """A value that is no entity is a node of its own for each statement."""
    if isinstance(one.value, NamedNode):
        return link_of(store.label, one.subject.value, one.predicate.value, one.value.value)
    text = value_text(one.value, store.label)
    subject, prop = one.subject.value, one.predicate.value
    return Link(subject, prop, f"{subject} {prop} {text}", (store.label(subject), store.label(prop), text))


def _row(one: Statement, store: KG, incoming: bool) -> tuple[object, ...]:
    other = store.label(one.subject.value) if incoming else value_text(one.value, store.label)
    prop = one.predicate.value
    return compact(prop), store.label(prop), other, plain(remarks(one, store), "dim")
