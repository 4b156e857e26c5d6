"""Options that several commands share."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any

import click

from kgstore import memory
from kgstore.default import default_kg, made_kg
from kgstore.errors import InputError
from kgstore.opening import is_elsewhere
from kgstore.remote.address import written
from kgstore.verifier.methods.registry import AUTO, DOCUMENT_METHODS, METHODS, REGISTRY
from kgstore.verifier.read.reading import EXTRACTORS, RULES, Reading

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


def _kg_option(check: Callable[[click.Context, click.Parameter, Path | None], Path | None], about: str) -> Decorator:
    return click.option(
        "--kg",
        envvar="KGSTORE_KG",
        show_envvar=True,
        type=click.Path(path_type=Path),
        metavar="KG",
        callback=check,
        help=f"{about}",
    )


def _named(ctx: click.Context, param: click.Parameter, kg: Path | None) -> Path:
    """The KG of a command that changes one: only what is named."""
    if kg is None:
        raise click.MissingParameter(ctx=ctx, param=param)
    if is_elsewhere(kg):
        instead = "name a folder, or copy it with `kgstore mirror`"
        raise click.UsageError(f"{written(kg)} is a server, which is only read: {instead}")
    return kg


def _known(ctx: click.Context, param: click.Parameter, kg: Path | None) -> Path:
    """The KG of a command that reads one."""
    found = kg or default_kg()
    if found is None:
        raise click.UsageError("no KG: name one with --kg or KGSTORE_KG, or make the default one with `kgstore demo`")
    return found


def _local(ctx: click.Context, param: click.Parameter, kg: Path | None) -> Path:
    """The KG of a command that reads one and opens it many times over."""
    found = _known(ctx, param, kg)
    if is_elsewhere(found):
        instead = "copy it into a folder with `kgstore mirror`, and name that"
        raise click.UsageError(f"{written(found)} is a server: {instead}")
    return found


def _examined(ctx: click.Context, param: click.Parameter, kg: Path | None) -> Path | None:
    """The KG of `kgstore doctor`, which also looks at a configuration file that is broken."""
    try:
        return _known(ctx, param, kg)
    except InputError:
        return made_kg() if made_kg().exists() else None


def _known_or_none(ctx: click.Context, param: click.Parameter, kg: Path | None) -> Path | None:
    """The KG of a command that reads one unless it is given a document."""
    return kg or (None if ctx.params.get("context") else default_kg())


_DEFAULT = "[default: the one of the configuration file, or of `kgstore demo`]"
_USUAL = f"Folder of the knowledge graph, or sparql+http://host:port/path. {_DEFAULT}"
kg_option, written_kg_option = _kg_option(_known, _USUAL), _kg_option(_named, "Folder of the knowledge graph.")
local_kg_option = _kg_option(_local, f"Folder of the knowledge graph. {_DEFAULT}")
examined_kg_option = _kg_option(_examined, f"Folder of the knowledge graph. {_DEFAULT}")
optional_kg_option = _kg_option(_known_or_none, _USUAL)



def _output_option(dir_okay: bool, about: str) -> Decorator:
    kind = click.Path(dir_okay=dir_okay, writable=True, path_type=Path)
    return click.option("-o", "--output", type=kind, metavar="FILE", help=about)


output_option = _output_option(False, "Write to FILE instead of the terminal.")
reports_option = _output_option(True, "Write to FILE instead of the terminal; with --shard-size, a folder.")


jobs_option = click.option(
    "--jobs",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    metavar="N",
    help="Processes to use when there are several texts.",
)


def _allow(ctx: click.Context, param: click.Parameter, value: str | None) -> None:
    if value is not None:
        size = memory.parse_size(value)
        if size < LEAST_MEMORY:
            needed = memory.shown(LEAST_MEMORY)
            raise InputError(f"{value} of memory is too little for any load or verifier", f"allow at least {needed}")
        os.environ[memory.VARIABLE] = str(size)  # for this process and the ones that it starts


LEAST_MEMORY = 800_000_000
memory_option = click.option(
    "--memory",
    metavar="SIZE",
    callback=_allow,
    expose_value=False,
    help="Stay within about SIZE of memory, such as 4G: what sorts, reads ahead and runs beside is made to fit.",
)


def format_option(*more: str, default: str = "text") -> Decorator:
    """``--format text|json`` and whatever else a command can print."""
    return click.option(
        "--format",
        "fmt",
        type=click.Choice(list(dict.fromkeys(("text", "json", *more)))),
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
    """``--extractor`` and which language model it asks, handed to the command as one ``reading``."""

    @wraps(command)
    def with_reading(
        extractor: str, gguf: Path | None, llm: str | None, llm_model: str | None, careful: bool, **others: Any
    ) -> Any:
        unused: dict[str, object] = {"--careful": careful}
        if not REGISTRY[others.get("method") or others.get("rewriting") or AUTO].asks:
            unused |= {"--llm": llm, "--llm-model": llm_model}
        reading = Reading(extractor, gguf, llm, llm_model, careful)
        if not reading.asks and (named := [name for name, value in unused.items() if value]):
            asking = " or ".join(name for name, home in EXTRACTORS.items() if home)
            raise click.UsageError(f"{named[0]} needs --extractor {asking}: the rules ask no language model")
        _check_server(llm, llm_model)
        return command(reading=reading, **others)

    return joined(with_reading, [_EXTRACTOR, *_MODEL, _CAREFUL])


def model_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Which language model a command asks, handed to it as one ``reading``; claims are found by the rules."""

    @wraps(command)
    def with_reading(gguf: Path | None, llm: str | None, llm_model: str | None, **others: Any) -> Any:
        _check_server(llm, llm_model)
        return command(reading=Reading(RULES, gguf, llm, llm_model), **others)

    return joined(with_reading, _MODEL)


SETTLED = ("kg", "embedder", "reading", "judge", "calibration", "method", "complete", "reader", "candidates")
"""Parameters of commands that make a verifier what it is."""


def with_settings(*options: Decorator) -> Decorator:
    """Options about the verifier, handed to the command as one ``settings`` (`kgstore.cli.batch.Settings`).

    The KG goes into it, and whatever else of `SETTLED` the command has options for.
    """

    def decorated(command: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(command)
        def settled(**given: Any) -> Any:
            from kgstore.cli.batch import Settings

            about = {name: given.pop(name) for name in SETTLED if name in given}
            return command(settings=Settings(**about), **given)

        return joined(settled, list(options))

    return decorated


def engine_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """``--engine`` and ``--shard-size``, handed to the command as one ``engine``; None for this machine's processes."""

    @wraps(command)
    def with_engine(engine: str, shard_size: int | None, **others: Any) -> Any:
        if engine == LOCAL:
            if shard_size is not None:
                raise click.UsageError("--shard-size needs --engine ray")
            return command(engine=None, **others)
        from kgstore.cli.corpus import Engine
        from kgstore.cli.spread import address_of

        return command(engine=Engine(address_of(engine), shard_size), **others)

    return joined(with_engine, [_ENGINE, _SHARD_SIZE])


def _check_server(llm: str | None, llm_model: str | None) -> None:
    if llm_model and not llm:
        raise click.UsageError("--llm-model names a model of a server: give its address with --llm")


def joined(command: Callable[..., Any], options: list[Decorator]) -> Callable[..., Any]:
    """The command with all these options, in this order in its help."""
    for option in reversed(options):
        command = option(command)
    return command


LOCAL = "local"
_ENGINE = click.option(
    "--engine",
    default=LOCAL,
    show_default=True,
    metavar="local|ray[://ADDRESS]",
    help="What runs the verifiers: local (processes of --jobs), ray (its own, on this machine) or the Ray at an "
    "address. Ray takes texts as a stream, writes jsonl or parquet, and stands the loss of workers and machines.",
)
_SHARD_SIZE = click.option(
    "--shard-size",
    type=click.IntRange(min=1),
    metavar="N",
    help="With --engine ray: write files of N reports each, and a ledger, into the folder of --output.",
)
_EXTRACTOR = click.option(
    "--extractor",
    type=click.Choice(list(EXTRACTORS)),
    default=RULES,
    show_default=True,
    help="What finds the claims: grammar rules, a language model (--gguf or --llm), or both.",
)
_MODEL: list[Decorator] = [
    click.option(
        "--gguf",
        envvar="KGSTORE_GGUF",
        show_envvar=True,
        type=click.Path(path_type=Path),
        metavar="FILE",
        help="The language model, a file on this machine.",
    ),
    click.option(
        "--llm",
        metavar="URL",
        help="A server with OpenAI's interface in your own network, in place of a file. "
        "Its key, if it wants one, is read from KGSTORE_LLM_KEY.",
    ),
    click.option("--llm-model", metavar="NAME", help="Which model of the server. [default: its first]"),
]
_CAREFUL = click.option("--careful", is_flag=True, help="The language model reads twice and checks what it found.")


calibration_option = click.option(
    "--calibration",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Weights of the confidence, written by `kgstore calibrate`. [default: the KG's own, else built-in ones]",
)

candidates_option = click.option(
    "--candidates",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Add statements that texts claim and the KG lacks to FILE, as Turtle, for somebody to look through; the KG "
    "stays as it is.",
)

complete_option = click.option(
    "--complete",
    multiple=True,
    metavar="PROPERTY",
    help="A property, by name or id, whose lists in the KG lack nothing: what is not listed of a thing that has any is "
    "contradicted; all stands for every property. Repeatable, besides those of the KG's profile.",
)

answer_timeout_option = click.option(
    "--timeout",
    type=click.FloatRange(min=0, min_open=True),
    default=120.0,
    show_default=True,
    metavar="SECONDS",
    help="Longest wait for an answer (over HTTP, then 504). A SPARQL query gets a quarter of it.",
)

max_text_option = click.option(
    "--max-text",
    type=click.IntRange(min=1),
    default=200_000,
    show_default=True,
    metavar="N",
    help="Characters of a text; longer ones are refused (over HTTP with 413).",
)

judge_option = click.option(
    "--judge",
    envvar="KGSTORE_JUDGE",
    show_envvar=True,
    metavar="NAME|PATH",
    help="Who is asked about claims that the rules leave open: default (the built-in one), none, a folder with an NLI "
    "model of Hugging Face or of `kgstore train-judge`, or a GGUF file: a language model that reads whole documents.",
)

reader_option = click.option(
    "--reader",
    envvar="KGSTORE_READER",
    show_envvar=True,
    metavar="NAME|PATH",
    help="What tells which relations a sentence asserts, beside the grammar: default (the built-in one), none, or a "
    "folder of `kgstore train-reader`.",
)

method_option = click.option(
    "--method",
    type=click.Choice(list(dict.fromkeys((*METHODS, *DOCUMENT_METHODS)))),
    default=AUTO,
    show_default=True,
    help="How claims are decided: auto (all tiers together), or one published method as its paper has it.",
)


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
