"""Small graphs for programs that draw them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import click

from kgstore.networks import Link, dot, graphml

GRAPHS = ("graphml", "dot")


def print_graph(fmt: str, links: Callable[[], Sequence[Link]]) -> bool:
    """Print a graph as GraphML (extra kea) or DOT, False where ``fmt`` is neither."""
    if fmt in GRAPHS:
        click.echo(dot(links()) if fmt == "dot" else graphml(links()), nl=False)
    return fmt in GRAPHS
