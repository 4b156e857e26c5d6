"""``kgstore watch``"""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kgstore.cli.options import complete_option, embedder_option, judge_option, kg_option, reader_option, with_settings
from kgstore.cli.render import clean, count, echo_json, note
from kgstore.errors import InputError

if TYPE_CHECKING:
    from kgstore.cli.batch import Settings

_LOG = logging.getLogger(__name__)
Stamp = tuple[int, int]


@click.command()
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@kg_option
@click.option(
    "--every",
    type=click.FloatRange(min=0.05),
    default=1.0,
    show_default=True,
    metavar="SECONDS",
    help="How often to look for changes.",
)
@click.option(
    "--format",
    "fmt",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="What to print: json is a line for each text that has changed, with its report.",
)
@with_settings(judge_option, reader_option, complete_option, embedder_option)
def watch(
    folder: Path,
    settings: Settings,
    every: float,
    fmt: str,
) -> None:
    """Verify the texts of a folder, and again what changes.

    First all .txt, .md and .jsonl files are verified, also those in folders in it; then, until Ctrl-C, each that is
    written anew. Printed are the verdicts that are new or have changed, and how many went away.

    \b
    Example:
        kgstore watch docs/ --kg company.kg
        kgstore watch answers/ --kg company.kg --format json
    """
    from kgstore.cli.batch import open_verifier
    from kgstore.verifier.report.report import report_dict

    before: dict[str, list[dict[str, Any]]] = {}
    try:
        with open_verifier(settings) as (verifier, store):
            for path, gone in changes(folder, every):
                old = {key: before.pop(key) for key in list(before) if key == path or key.startswith(f"{path}#")}
                for name, text in [] if gone else _texts(path):
                    report = report_dict(verifier.verify(text, name), store)
                    if fmt == "json":
                        echo_json(report, indent=False)
                    else:
                        show_changes(name, report, old.get(name))
                    before[name] = report["claims"]
                if gone and fmt == "text":
                    click.echo(f"{path}: gone")
    except KeyboardInterrupt:
        note(f"{count(len(before), 'text')} watched")


def changes(folder: Path, every: float) -> Iterator[tuple[str, bool]]:
    """Files of texts, sorted, then without end each that is written anew or goes away (True).

    They are compared by time and size again and again: that works on every file system, also over a network.
    """
    from kgstore.cli.folders import texts_in
    from kgstore.cli.texts import KINDS

    known: dict[str, Stamp] = {}
    first = True
    while True:
        now: dict[str, Stamp] = {}
        for path in texts_in(folder, KINDS)[0]:
            try:
                found = path.stat()
            except OSError:  # it went away between two looks
                continue
            now[str(path)] = (found.st_mtime_ns, found.st_size)
        for name, stamp in now.items():
            if known.get(name) != stamp:
                yield name, False
        for name in set(known) - set(now):
            yield name, True
        if first:
            first = False
            note(f"{count(len(now), 'file')} in {folder}: waiting for changes, Ctrl-C ends")
        known = now
        time.sleep(every)


def _texts(path: str) -> list[tuple[str, str]]:
    """Names and texts of a file; what cannot be read is said, and read when it has changed."""
    from kgstore.cli.texts import BATCH, read_texts

    batch = path.lower().endswith(BATCH)
    try:
        return [(f"{path}#{one.id}" if batch else path, one.text) for one in read_texts([path]).items]
    except InputError as error:
        _LOG.error("%s", clean(str(error)))
        return []


def show_changes(name: str, report: dict[str, Any], before: list[dict[str, Any]] | None) -> None:
    """A line for each verdict that is new or has changed, and what would be right."""
    from kgstore.cli.render import console, plain
    from kgstore.cli.verdicts import LOOK, STATEMENT_ID, summary

    out = console()
    had = [_said(one) for one in before or ()]
    out.print(plain(f"{name}: ", "bold").append_text(summary(report)))
    for claim in report["claims"]:
        if _said(claim) in had:
            had.remove(_said(claim))
            continue
        sign, colour = LOOK[claim["label"]]
        out.print(plain(f"  {sign} {claim['label']}  {' '.join(claim['text'].split())}", colour))
        if claim["label"] == "contradictory":
            out.print(plain(f"      {STATEMENT_ID.sub('', claim.get('explanation') or '')}"))
    if had:
        out.print(plain(f"  {count(len(had), 'verdict')} of before no longer", "dim"))


def _said(claim: dict[str, Any]) -> tuple[str, str]:
    """What tells a verdict from another; not where it stands, which an edit above it moves."""
    return claim["text"], claim["label"]
