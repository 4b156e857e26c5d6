"""What the grounding commands share: the graph, and the language model."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kgstore.errors import InputError

if TYPE_CHECKING:
    from kgstore.verifier.grounding.knowledge import Knowledge
    from kgstore.verifier.grounding.lm import LanguageModel

_OPTIONS = (
    click.option(
        "--kg",
        envvar="KGSTORE_KG",
        show_envvar=True,
        type=click.Path(path_type=Path),
        metavar="KG",
        help="Folder of the knowledge graph that the triples come from.",
    ),
    click.option(
        "--triples",
        type=click.Path(exists=True, dir_okay=False, path_type=Path),
        metavar="FILE",
        help="Triples in place of a KG: head|relation|tail a line, or with tabs, gzipped or not.",
    ),
    click.option(
        "--lm",
        envvar="KGSTORE_LM",
        show_envvar=True,
        required=True,
        type=click.Path(path_type=Path),
        metavar="FILE|FOLDER",
        help="The language model: a GGUF file, or a folder that transformers reads.",
    ),
    click.option(
        "-k",
        "number",
        type=click.IntRange(min=1),
        default=20,
        show_default=True,
        metavar="N",
        help="Triples that the model is shown.",
    ),
    click.option(
        "--tokens",
        type=click.IntRange(min=1),
        default=32,
        show_default=True,
        metavar="N",
        help="Tokens of an answer at most.",
    ),
)


def source_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """``--kg`` or ``--triples``, ``--lm``, ``-k`` and ``--tokens``."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


@contextmanager
def open_graph(kg: Path | None, triples: Path | None) -> Iterator[Knowledge]:
    """The graph that was named; ``--triples`` goes before a KG from the environment.

    :raises InputError: if none was
    """
    if triples is not None:
        from kgstore.verifier.grounding.knowledge import read_triples

        yield read_triples(triples)
    elif kg is not None:
        from kgstore.store import Store
        from kgstore.verifier.grounding.store_graph import StoreGraph

        with Store(kg) as store:
            yield StoreGraph(store)
    else:
        raise InputError("no graph was named", "name a KG with --kg, or a file with --triples")


def open_model(path: Path) -> LanguageModel:
    """
    :raises ModelMissing: if there is none
    """
    from kgstore.verifier.grounding.lm import LanguageModel

    return LanguageModel(path)
