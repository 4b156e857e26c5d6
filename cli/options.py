"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]

kg_option = click.option(
    "--kg",
    envvar="KGSTORE_KG",
    show_envvar=True,
    required=True,
    type=click.Path(path_type=Path),
    metavar="KG",
    help="Folder of the knowledge graph.",
)

output_option = click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, writable=True, path_type=Path),
    metavar="FILE",
    help="Write to FILE instead of the terminal.",
)


jobs_option = click.option(
    "--jobs",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    metavar="N",
    help="Processes to use when there are several texts.",
)


def format_option(*more: str, default: str = "text") -> Decorator:
    """``--format text|json`` and whatever else a command can print."""
    choices = ["text", "json", *more]
    return click.option(
        "--format",
        "fmt",
        type=click.Choice(choices),
        default=default,
        show_default=True,
        help="What to print.",
    )


def limit_option(default: int, what: str) -> Decorator:
    """``--limit N``, at least 1."""
    return click.option(
        "--limit",
        type=click.IntRange(min=1),
        default=default,
        show_default=True,
        metavar="N",
        help=f"Print at most N {what}.",
    )


embedder_option = click.option(
    "--embedder",
    envvar="KGSTORE_EMBEDDER",
    show_envvar=True,
    type=click.Path(path_type=Path),
    metavar="FOLDER",
    help="A sentence-transformers model in place of the built-in one; a KG needs the one that it was loaded with.",
)


def extractor_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """``--extractor`` and ``--gguf``: what finds the claims."""
    command = click.option(
        "--gguf",
        envvar="KGSTORE_GGUF",
        show_envvar=True,
        type=click.Path(path_type=Path),
        metavar="FILE",
        help="The model of --extractor llama.",
    )(command)
    return click.option(
        "--extractor",
        type=click.Choice(["rules", "llama"]),
        default="rules",
        show_default=True,
        help="What finds the claims: grammar rules, or a local language model (needs --gguf).",
    )(command)


class Listing(click.ParamType):
    """Words with commas between them; blanks and empty words do not count.

    >>> Listing().convert("en, de,,", None, None)
    ('en', 'de')
    """

    name = "list"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[str, ...]:
        if isinstance(value, tuple):
            return value
        words = tuple(word.strip() for word in value.split(",") if word.strip())
        return words or self.fail(f"{value!r} names nothing", param, ctx)
