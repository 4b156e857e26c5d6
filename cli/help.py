"""``kgstore help``"""

from __future__ import annotations

import difflib
import tomllib
from functools import cache
from pathlib import Path

import click

from kgstore.cli.main import COMMANDS, main
from kgstore.errors import InputError


@click.command()
@click.argument("topic", required=False)
def help(topic: str | None) -> None:
    """Explain a topic, or a command.

    Without TOPIC the topics are listed.

    \b
    Example:
        kgstore help labels
        kgstore help verify
    """
    if topic is None:
        listed = "\n".join(f"  {name:12}{topics()[name]['about']}" for name in topics())
        click.echo(f"Topics:\n{listed}\n\n`kgstore help COMMAND` and `kgstore COMMAND --help` explain a command.")
    elif topic in topics():
        click.echo(topics()[topic]["text"].strip())
    elif topic in COMMANDS:
        main(["--help"] if topic == "help" else [topic, "--help"], prog_name="kgstore", standalone_mode=False)
    else:
        near = difflib.get_close_matches(topic, [*topics(), *COMMANDS], 1)
        hint = f"did you mean {near[0]}? " if near else ""
        raise InputError(f"there is no topic or command {topic!r}", f"{hint}`kgstore help` lists the topics")


@cache
def topics() -> dict[str, dict[str, str]]:
    """Topic -> ``about``, a line, and ``text``."""
    return tomllib.loads(Path(__file__).with_name("topics.toml").read_text(encoding="utf-8"))
