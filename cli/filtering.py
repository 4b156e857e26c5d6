"""Options about what of a file is loaded."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any

import click

from kgstore.cli.options import Decorator, Listing, joined
from kgstore.loaders.filters import Filters, read_ids

_FILTERS: list[Decorator] = [
    click.option(
        "--lang",
        type=Listing(),
        metavar="en,de",
        help="Languages of names and descriptions, best first; en unless told.",
    ),
    click.option(
        "--statements",
        type=click.Choice(["full", "truthy"]),
        default="full",
        show_default=True,
        help="truthy keeps the values of best rank only, without qualifiers and references.",
    ),
    click.option(
        "--properties", type=Listing(), metavar="P19,P20", help="Keep the statements of these properties only."
    ),
    click.option("--types", type=Listing(), metavar="Q5,Q515", help="Keep items that are an instance of one of these."),
    click.option(
        "--entities",
        type=click.Path(path_type=Path),
        metavar="FILE",
        help="Keep the items that FILE lists, one id a line.",
    ),
    click.option(
        "--min-sitelinks",
        type=click.IntRange(min=0),
        default=0,
        metavar="N",
        help="Keep items with at least N sitelinks.",
    ),
    click.option(
        "--limit", type=click.IntRange(min=1), metavar="N", help="Stop after N entities (Wikidata), triples or rows."
    ),
]


def filter_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """What of the files is loaded, handed to the command as ``filters``."""

    @wraps(command)
    def with_filters(
        lang: tuple[str, ...] | None,
        statements: str,
        properties: tuple[str, ...] | None,
        types: tuple[str, ...] | None,
        entities: Path | None,
        min_sitelinks: int,
        limit: int | None,
        **others: Any,
    ) -> Any:
        kept = None if entities is None else frozenset(read_ids(entities))
        filters = Filters(lang or ("en",), statements, _set(properties), _set(types), kept, min_sitelinks, limit)
        return command(filters=filters, **others)

    return joined(with_filters, _FILTERS)


def _set(words: tuple[str, ...] | None) -> frozenset[str] | None:
    return None if words is None else frozenset(words)
