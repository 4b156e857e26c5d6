"""``kgstore``: the group of all commands.

A command's module is imported when that command runs, so that ``kgstore --help`` stays quick. Errors end here: what the
user did wrong (a `KgError` or a wrong option) becomes one line and exit code 2, anything else is a bug: its traceback,
where to report it, and exit code 70.
"""

from __future__ import annotations

import os
import sys
import traceback
from importlib import import_module
from typing import Any, NoReturn

import click

from kgstore import extras
from kgstore.cli import watched
from kgstore.default import OPTIONS, configured
from kgstore.errors import KgError
from kgstore.memory import is_short

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


class LazyGroup(click.Group):
    """A group that knows its commands by name and imports one when it is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        module = name.replace("-", "_")
        return getattr(import_module(f"kgstore.cli.{module}"), module) if name in COMMANDS else None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def invoke(self, ctx: click.Context) -> Any:
        ctx.default_map = dict.fromkeys(COMMANDS, {key: value for key, value in configured().items() if key in OPTIONS})
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
        try:
            if (ended := watched.run(list(args[0] if args and args[0] is not None else sys.argv[1:]))) is not None:
                sys.exit(ended)
            code = super().main(*args, standalone_mode=False, **extra)  # type: ignore[call-overload]
        except click.exceptions.NoArgsIsHelpError as error:
            error.show()
            sys.exit(2)
        except click.UsageError as error:
            name = error.ctx.command_path if error.ctx else "kgstore"
            _give_up(f"{error.format_message().rstrip('.')}: see `{name} --help`")
        except click.ClickException as error:
            _give_up(error.format_message())
        except KgError as error:
            _give_up(str(error))
        except click.Abort:
            click.echo("kgstore: interrupted", err=True)
            sys.exit(INTERRUPTED)
        except ModuleNotFoundError as error:
            if (missing := extras.hint(error)) is None:
                _crashed()
            _give_up(missing)
        except Exception as error:
            if is_short(error):
                _give_up(f"memory ran out ({error or type(error).__name__}): allow more, or take less at a time")
            _crashed()
        sys.exit(code if isinstance(code, int) else 0)


def _give_up(message: str) -> NoReturn:
    click.echo(f"kgstore: {' '.join(message.split())}", err=True)
    sys.exit(2)


def _crashed() -> NoReturn:
    traceback.print_exc()
    click.echo("kgstore: this is a bug of kgstore, please report it with the lines above and the command", err=True)
    sys.exit(CRASHED)


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.version_option(package_name="kgstore")
def main() -> None:
    """An offline knowledge graph in a folder, and a verifier of what texts claim.

    \b
    Example:
        kgstore demo
        echo "Barack Obama was born in Kenya." | kgstore verify -

    Results go to stdout, progress and counts to stderr. Exit codes: 0 done, 1 what --fail-on names was found,
    2 wrong use or wrong input, 70 a bug of kgstore. KGSTORE_KG in the environment stands for --kg, NO_COLOR turns
    colours off, and `kgstore completion bash` (or zsh, fish) prints the script for completion by the tab key.
    """
