"""``kgstore path``"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from kgstore.cli.answers import path_answer, paths_between
from kgstore.cli.graphs import GRAPHS, print_graph
from kgstore.cli.options import kg_option
from kgstore.cli.render import console, echo_json, note, plain
from kgstore.cli.rows import print_rows, rows_option
from kgstore.networks import link_of
from kgstore.opening import KG, open_kg
from kgstore.prefixes import compact
from kgstore.topology import Edge

_COLUMNS = ("path", "step", "subject", "predicate", "object", "subject_label", "predicate_label", "object_label")


@click.command()
@click.argument("start")
@click.argument("end")
@kg_option
@click.option("--hops", type=click.IntRange(1, 3), default=3, show_default=True, help="Longest chain.")
@click.option(
    "-k", "--paths", "k", type=click.IntRange(min=1), default=4, show_default=True, help="Print at most so many."
)
@rows_option(*GRAPHS)
def path(start: str, end: str, kg: Path, hops: int, k: int, fmt: str) -> None:
    """Find the shortest chains of statements between two entities.

    START and END are names, ids (Q42) or IRIs. Statements may be walked against their direction, which an arrow shows.

    \b
    Example:
        kgstore path "Douglas Adams" "Charlie Chaplin" --kg small.kg
        kgstore path "Douglas Adams" "Charlie Chaplin" --kg small.kg --format dot | dot -Tsvg > path.svg
    """
    with open_kg(kg, note) as store:
        first, found = paths_between(store, start, end, hops, k)
        if fmt == "json":
            echo_json([path_answer(one, store) for one in found])
            return
        if print_graph(fmt, lambda: [link_of(store.label, *_parts(edge)) for one in found for edge in one]):
            return
        steps = [(i, j, *_row(edge, store)) for i, one in enumerate(found, 1) for j, edge in enumerate(one, 1)]
        if print_rows(fmt, _COLUMNS, steps):
            return
        show_paths(first, found, store, hops)


def show_paths(start: str, found: Sequence[tuple[Edge, ...]], store: KG, hops: int) -> None:
    """Chains of statements that begin at an entity, for a person."""
    out = console()
    for one in found:
        out.print(plain(chain(one, start, store)))
    if not found:
        note(f"no path of at most {hops} steps")


def chain(edges: tuple[Edge, ...], start: str, store: KG) -> str:
    """A path in words, from its start: ``A —[spouse]→ B ←[child]— C``."""
    words, at = [store.label(start)], start
    for edge in edges:
        name = store.label(edge.property)
        forward = edge.subject == at
        at = edge.object if forward else edge.subject
        words += [f"—[{name}]→" if forward else f"←[{name}]—", store.label(at)]
    return " ".join(words)


def _parts(edge: Edge) -> tuple[str, str, str]:
    return edge.subject, edge.property, edge.object


def _row(edge: Edge, store: KG) -> tuple[str, ...]:
    parts = _parts(edge)
    return (*map(compact, parts), *map(store.label, parts))
