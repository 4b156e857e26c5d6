"""``kgstore``: the group of all commands.

A command's module is imported when that command runs, so that ``kgstore --help`` stays quick. Errors end here: what the
user did wrong (a `KgError` or a wrong option) becomes one line and exit code 2, anything else is a bug: its traceback,
where to report it, and exit code 70.
"""

from __future__ import annotations

import logging
import os
import sys
from importlib import import_module
from typing import Any

import click

from kgstore import extras, memory
from kgstore.cli import logs, watched
from kgstore.default import OPTIONS, configured
from kgstore.errors import KgError, ModelMissing
from kgstore.memory import is_short

LOG = logging.getLogger(__name__)
COMMANDS = {
    "demo": "Make the KG of everyday knowledge that comes along, and check a text with it.",
    "load": "Load files into a KG, which is made if there is none.",
    "info": "Show what a KG holds.",
    "entity": "Show what a KG knows an entity by: names, description, types.",
    "facts": "List the statements about an entity.",
    "path": "Find the shortest chains of statements between two entities.",
    "search": "Find entities by name and statements by meaning.",
    "sparql": "Run a read-only SPARQL query.",
    "link": "Find the entities that a text names.",
    "explain-reading": "Show how a text is read, stage by stage.",
    "verify": "Check every claim of a text against a KG, or against a document.",
    "replay": "Make a report again from its receipt, and say whether it has the same bytes.",
    "serve": "Serve a page to check texts on, and REST.",
    "watch": "Verify the texts of a folder, and again what changes.",
    "shell": "Ask a KG one thing after the other, and verify sentences.",
    "mcp": "Serve a KG to a program that speaks MCP, over stdin and stdout.",
    "page": "Write stored reports as one HTML page.",
    "correct": "Correct what a KG contradicts in a text, or what a document does not say.",
    "enrich": "Add facts of a KG to a text.",
    "evaluate": "Measure the verdicts on labelled claims.",
    "reproduce": "Compute a table of a paper on your data, beside the paper's figures.",
    "ablate": "Measure what each tier of the verdicts earns.",
    "sweep": "Try every threshold of the graph kernel, or of any score, on labelled rows.",
    "calibrate": "Make confidence mean what it says on your own labelled claims.",
    "train-judge": "Tune the judge on the statements of a KG.",
    "train-reader": "Tune the relation reader on the statements of a KG.",
    "mirror": "Copy a part of the graph behind a SPARQL endpoint into a KG.",
    "seal": "Write a KG in a read-only form of a quarter of its size.",
    "unseal": "Make an open KG of a sealed one.",
    "remove": "Take sources out of a KG.",
    "grounding": "Look inside a local language model that answers from a KG's triples.",
    "index": "Rebuild what is derived from the graph: catalog, topology, vectors.",
    "prune": "Delete old generations of a KG.",
    "rollback": "Make an older generation of a KG the current one again.",
    "diff": "List the statements that were added to a KG and removed from it.",
    "validate": "Check whether a KG keeps the rules of its domain, written as SHACL shapes.",
    "export": "Write all triples of a KG.",
    "backup": "Copy a KG into a new folder.",
    "bundle": "Write one archive that installs kgstore where there is no network.",
    "doctor": "Check every part of a KG against its graph, the models against their checksums, and say how to mend it.",
    "help": "Explain a topic, or a command.",
    "completion": "Print the script that completes commands in a shell.",
}
"""Name and first line of help. Kept here so that listing them imports nothing; a test compares them."""

# Products are small here, and there a second thread only waits for the first. Large inputs have threads of their own.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

INTERRUPTED, BROKEN_PIPE = 130, 141  # as shells say it: 128 + number of the signal
CRASHED = 70  # EX_SOFTWARE of BSD's sysexits.h
WITHOUT = {"help", "completion", "doctor", "replay"}
"""Commands that do without the configuration file, and work if it is broken."""


class LazyGroup(click.Group):
    """A group that knows its commands by name and imports one when it is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        module = name.replace("-", "_")
        return logs.attach(getattr(import_module(f"kgstore.cli.{module}"), module)) if name in COMMANDS else None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name, command, rest = super().resolve_command(ctx, args)
        if name in COMMANDS and name not in WITHOUT and not {"-h", "--help"}.intersection(rest):
            found = {key: value for key, value in configured().items() if key in OPTIONS}
            inner = command.commands if isinstance(command, click.Group) else ()
            ctx.default_map = {name: {**found, **dict.fromkeys(inner, found)}}
        return name, command, rest

    def invoke(self, ctx: click.Context) -> Any:
        try:
            result = super().invoke(ctx)
            sys.stdout.flush()
        except BrokenPipeError:  # the reader (`| head`) has seen enough
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
            ctx.exit(BROKEN_PIPE)
        return result

    def main(self, *args: Any, standalone_mode: bool = True, **extra: Any) -> Any:
        if not standalone_mode:
            return super().main(*args, standalone_mode=False, **extra)  # type: ignore[call-overload]
        with logs.started():
            code = self._ended(args, extra)
            LOG.debug("ended with %d, %s of memory at most", code, memory.shown(memory.peak()))
        sys.exit(code)

    def _ended(self, args: tuple[Any, ...], extra: dict[str, Any]) -> int:
        """Run a command; its exit code."""
        try:
            if (ended := watched.run(list(args[0] if args and args[0] is not None else sys.argv[1:]))) is not None:
                return ended
            code = super().main(*args, standalone_mode=False, **extra)  # type: ignore[call-overload]
        except click.exceptions.NoArgsIsHelpError as error:
            error.show()
            return 2
        except click.UsageError as error:
            name = error.ctx.command_path if error.ctx else "kgstore"
            return _gave_up(f"{error.format_message().rstrip('.')}: see `{name} --help`")
        except click.ClickException as error:
            return _gave_up(error.format_message())
        except KgError as error:
            LOG.debug("where it was found:", exc_info=True)
            return _ran_out(error) if isinstance(error, ModelMissing) and is_short(error) else _gave_up(str(error))
        except click.Abort:
            LOG.error("interrupted")
            return INTERRUPTED
        except ModuleNotFoundError as error:
            missing = extras.hint(error)
            return _crashed() if missing is None else _gave_up(missing)
        except Exception as error:
            return _ran_out(error) if is_short(error) else _crashed()
        return code if isinstance(code, int) else 0


def _gave_up(message: str) -> int:
    LOG.error("%s", " ".join(message.split()))
    return 2


def _ran_out(error: Exception) -> int:
    """Of memory; in a child its parent says so, who knows how much is needed."""
    if watched.WATCHED in os.environ:
        LOG.debug("memory ran out", exc_info=True)
        return CRASHED
    return _gave_up(f"memory ran out ({error or type(error).__name__}): allow more, or take less at a time")


def _crashed() -> int:
    LOG.critical("this is a bug of kgstore, please report it with the lines above and the command", exc_info=True)
    return CRASHED


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.version_option(package_name="kgstore")
def main() -> None:
    """An offline knowledge graph in a folder, and a verifier of what texts claim.

    \b
    Example:
        kgstore demo
        echo "Barack Obama was born in Kenya." | kgstore verify -

    Results go to stdout, progress and counts to stderr (-q: none, -v: each step; before or behind the command's name).
    Exit codes: 0 done, 1 what --fail-on names was found,
    2 wrong use or wrong input, 70 a bug of kgstore. KGSTORE_KG in the environment stands for --kg, NO_COLOR turns
    colours off, and `kgstore completion bash` (or zsh, fish) prints the script for completion by the tab key.
    """


logs.attach(main)
