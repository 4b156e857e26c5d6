"""``kgstore correct``"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kgstore.cli.batch import Settings, open_verifier
from kgstore.cli.options import (
    calibration_option,
    complete_option,
    embedder_option,
    extractor_options,
    format_option,
    judge_option,
    optional_kg_option,
    output_option,
    reader_option,
    with_settings,
)
from kgstore.cli.progress import counting
from kgstore.cli.render import clean, count, echo_json, note, sink
from kgstore.cli.texts import Text, read_document
from kgstore.cli.verify import wanted
from kgstore.verifier.llm.edits import changes
from kgstore.verifier.methods.registry import REWRITING
from kgstore.verifier.report.correct import Corrected, correct_text

if TYPE_CHECKING:
    from kgstore.verifier.methods.graphcorrect import Rewritten


@dataclass(frozen=True, slots=True)
class Done:
    """One corrected text: what is printed, what JSON has, and what is told on stderr."""

    text: str
    data: dict[str, Any]
    notes: list[str]


@click.command()
@click.argument("files", nargs=-1, metavar="[FILE|-]...")
@optional_kg_option
@click.option(
    "--context",
    metavar="FILE",
    help="A document to correct by, in place of a KG. A language model does it: name one with --gguf or --llm.",
)
@click.option(
    "--method",
    "rewriting",
    type=click.Choice(REWRITING),
    default=REWRITING[0],
    show_default=True,
    help="How a document corrects: fact by fact, each edit checked (graphcorrect), the same as the paper has it, "
    "unchecked (published), or the whole text in one go (direct).",
)
@click.option("--text", "literal", metavar="TEXT", help="A text to correct, in place of a file.")
@with_settings(
    extractor_options, judge_option, reader_option, calibration_option, complete_option, embedder_option
)
@format_option("jsonl")
@output_option
def correct(
    files: tuple[str, ...],
    settings: Settings,
    context: str | None,
    rewriting: str,
    literal: str | None,
    fmt: str,
    output: Path | None,
) -> None:
    """Correct what a KG contradicts in a text, or what a document does not say.

    Edits are as small as possible, and each is verified again before it is made. The corrected text goes to stdout,
    what was changed to stderr; --format json has both. Files and batches work as with `kgstore verify`: a line of a
    batch may bring a "context", a document of its own.

    \b
    Example:
        kgstore correct report.txt --kg small.kg -o corrected.txt
        kgstore correct --text "Douglas Adams was born in London." --kg small.kg --format json
        kgstore correct summary.txt --context article.txt --gguf model.gguf
    """
    texts = wanted(files, literal)
    document = None if context is None else read_document(context)
    alone = [item for item in texts.items if item.context is None and document is None]
    if alone and settings.kg is None:
        raise click.UsageError("nothing to correct by: name a KG with --kg, or a document with --context")
    if len(alone) == len(texts.items) and settings.reading.llm and not settings.reading.asks:
        raise click.UsageError("--llm needs --extractor llama or combined: by a KG no language model corrects")
    if settings.complete and settings.kg is None:
        raise click.UsageError("--complete is about the properties of a KG: name it with --kg")
    whole: list[dict[str, Any]] = []
    with ExitStack() as stack, sink(output) as stream, counting("correcting", len(texts.items)) as advance:
        for item, done in zip(texts.items, _corrected(texts.items, settings, document, rewriting, stack), strict=True):
            if fmt == "text":
                shown = clean(done.text) if stream.isatty() else done.text
                click.echo(shown, file=stream, nl=not done.text.endswith("\n"))
                for line in done.notes:
                    note(line if item.id is None else f"{item.id}: {line}")
            elif fmt == "jsonl":
                echo_json(done.data, stream, indent=False)
            else:
                whole.append(done.data)
            advance(1)
        if fmt == "json":
            echo_json(whole if texts.batch or len(whole) > 1 else whole[0], stream)


def _corrected(
    items: tuple[Text, ...], settings: Settings, document: str | None, method: str, stack: ExitStack
) -> Iterator[Done]:
    """What is needed is opened at the first text that needs it, and closed with ``stack``."""
    verifier = store = rewriter = None
    for item in items:
        context = document if item.context is None else item.context
        if context is not None:
            from kgstore.verifier.methods.rewriter import Rewriter

            if rewriter is None:
                rewriter = Rewriter(settings.reading, settings.judge, settings.embedder, method)
                stack.enter_context(closing(rewriter))
            yield _by_document(item, rewriter(item.text, context))
            continue
        if verifier is None or store is None:
            verifier, store = stack.enter_context(open_verifier(settings))
        yield _by_kg(item, correct_text(item.text, verifier.verify, store))


def _by_kg(item: Text, done: Corrected) -> Done:
    edits = [
        {"start": one.start, "end": one.end, "old": item.text[one.start : one.end], "new": one.text}
        for one in done.corrections
    ]
    notes = _edits(edits)
    if done.withheld:
        notes.append(f"{count(done.withheld, 'contradicted claim')} left as it was: no edit that verifies")
    data = {"edits": edits, "withheld": done.withheld, "label": done.report.label}
    return Done(done.text, {"id": item.id, "text": item.text, "corrected": done.text} | data, _or_nothing(notes))


def _by_document(item: Text, done: Rewritten) -> Done:
    edits = [
        {"start": one.start, "end": one.end, "old": one.old, "new": one.new} for one in changes(item.text, done.text)
    ]
    data = {
        "edits": edits,
        "triples": [{"old": one.old, "new": one.new} for one in done.edits],
        "flagged": {"before": len(done.before), "after": len(done.after)},
        "refused": dict(done.refused),
        "notices": done.notices,
    }
    notes = [*done.notices, *_edits(edits)]
    notes += [f"{count(many, 'reply', 'replies')} of the model refused: {why}" for why, many in done.refused.items()]
    if done.after:
        left = f"{count(len(done.after), 'fact')} that the document does not bear out"
        notes.append(f"{left}: " + "; ".join(dict.fromkeys(f"“{one.claim.text}”" for one in done.after)))
    return Done(done.text, {"id": item.id, "text": item.text, "corrected": done.text} | data, _or_nothing(notes))


def _edits(edits: list[dict[str, Any]]) -> list[str]:
    return [f"{one['start']}: “{one['old']}” → “{one['new']}”" for one in edits]


def _or_nothing(notes: list[str]) -> list[str]:
    return notes or ["nothing to correct"]
