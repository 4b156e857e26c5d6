"""``kgstore shell``"""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING

import click

from kgstore.cli.logs import with_details
from kgstore.cli.options import complete_option, embedder_option, judge_option, kg_option, reader_option, with_settings
from kgstore.cli.render import clean, note
from kgstore.errors import KgError

if TYPE_CHECKING:
    from kgstore.cli.batch import Settings
    from kgstore.cli.dialogue import Dialogue

_LOG = logging.getLogger(__name__)


@click.command()
@kg_option
@with_settings(judge_option, reader_option, complete_option, embedder_option)
@with_details("Verdicts with all evidence, as of `kgstore verify -v`.")
def shell(
    settings: Settings,
    verbose: bool,
) -> None:
    """Ask a KG one thing after the other, and verify sentences.

    A line is a text to verify, a name or an id, a SPARQL query, or begins with a word: entity, facts, path, search,
    sparql, verify, help. The tab key completes names, history is kept from one time to the next. Where stdin is no
    terminal, each line of it is answered; the exit code is then 2 if one could not be.

    \b
    Example:
        kgstore shell --kg small.kg
        echo "facts Douglas Adams | place of birth" | kgstore shell --kg small.kg
    """
    from kgstore.cli.dialogue import Dialogue, history_file
    from kgstore.cli.opening import open_store

    assert settings.kg is not None
    with open_store(settings.kg, settings.embedder) as store:
        dialogue = Dialogue(store, settings, verbose)
        if sys.stdin.isatty():
            from kgstore.cli.prompting import lines

            name = store.identity.get("name", settings.kg)
            note(f"{name}: write a name, a query or a text; help says more, Ctrl-D ends")
            talk(dialogue, lines("> ", dialogue.completions, history_file()))
        elif talk(dialogue, sys.stdin):
            click.get_current_context().exit(2)


def talk(dialogue: Dialogue, lines: Iterable[str]) -> int:
    """Answer line by line until there is none, or one says to end; how many had no answer."""
    failed = 0
    for line in lines:
        try:
            if not dialogue.answer(line):
                break
        except KgError as error:
            failed += 1
            _LOG.error("%s", clean(" ".join(str(error).split())))
        except KeyboardInterrupt:
            failed += 1
            _LOG.error("interrupted")
        sys.stdout.flush()
    return failed
