"""``kgstore enrich``"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from kgstore.cli.batch import Settings, open_verifier
from kgstore.cli.options import embedder_option, format_option, kg_option, model_options, output_option, with_settings
from kgstore.cli.progress import counting
from kgstore.cli.render import clean, count, echo_json, note, sink, warn
from kgstore.cli.texts import Text
from kgstore.cli.verify import wanted
from kgstore.opening import KG
from kgstore.verifier.methods.enrich import FACTS, PREDICATES, Enriched
from kgstore.verifier.methods.enrich import enrich as enriched
from kgstore.verifier.report.report import statement_dict


@click.command()
@click.argument("files", nargs=-1, metavar="[FILE|-]...")
@kg_option
@click.option("--text", "literal", metavar="TEXT", help="A text to enrich, in place of a file.")
@click.option(
    "-n",
    "--predicates",
    type=click.IntRange(min=1),
    default=PREDICATES,
    show_default=True,
    metavar="N",
    help="Look at the facts of the N predicates closest to the text.",
)
@click.option(
    "-m",
    "--facts",
    type=click.IntRange(min=1),
    default=FACTS,
    show_default=True,
    metavar="M",
    help="Add at most M facts.",
)
@with_settings(model_options, embedder_option)
@format_option("jsonl")
@output_option
def enrich(
    files: tuple[str, ...],
    settings: Settings,
    literal: str | None,
    predicates: int,
    facts: int,
    fmt: str,
    output: Path | None,
) -> None:
    """Add facts of a KG to a text.

    Added are facts about what the text speaks of, those that are closest to it and not in it yet: as sentences at the
    ends of paragraphs, or, with --gguf or --llm, written into them by a language model. What a model writes is taken
    only if it names nothing else and leaves nothing out. The new text goes to stdout; the facts, and the factuality
    degree (FD) before and after, to stderr; --format json has all of it.

    \b
    Example:
        kgstore enrich report.txt --kg small.kg -o enriched.txt
        kgstore enrich --text "Douglas Adams was born in Cambridge." --kg small.kg -n 3 -m 3 --format json
    """
    texts = wanted(files, literal)
    if left_out := sum(item.context is not None for item in texts.items):
        note(f"{count(left_out, 'line')} with a context: it is not used, facts come from the KG only")
    whole: list[dict[str, Any]] = []
    with (
        open_verifier(settings) as (verifier, store),
        sink(output) as stream,
        counting("enriching", len(texts.items)) as advance,
    ):
        model = verifier.language_model
        for item in texts.items:
            done = enriched(item.text, verifier, predicates, facts, model)
            _tell(item, done, facts_too=fmt == "text")
            if fmt == "text":
                shown = clean(done.text) if stream.isatty() else done.text
                click.echo(shown, file=stream, nl=not shown.endswith("\n"))
            elif fmt == "jsonl":
                echo_json(_dict(item, done, store), stream, indent=False)
            else:
                whole.append(_dict(item, done, store))
            advance(1)
        if fmt == "json":
            echo_json(whole if texts.batch or len(whole) > 1 else whole[0], stream)


def _dict(item: Text, done: Enriched, store: KG) -> dict[str, Any]:
    facts = [
        {**statement_dict(fact.statement, store), "sentence": fact.sentence, "similarity": fact.similarity}
        for fact in done.facts
    ]
    return {
        "id": item.id,
        "text": item.text,
        "enriched": done.text,
        "facts": facts,
        "fd": {"before": done.before, "after": done.after},
        "notices": list(done.notices),
    }


def _tell(item: Text, done: Enriched, facts_too: bool) -> None:
    where = "" if item.id is None else f"{item.id}: "
    for fact in done.facts if facts_too else ():
        note(f"{where}added ({fact.similarity:.2f}): {fact.sentence}")
    if not done.facts:
        note(f"{where}nothing to add: the KG has no facts about what the text speaks of that are not in it")
    for notice in done.notices:
        warn(f"{where}{notice}")
    if facts_too:
        note(f"{where}FD {_number(done.before)} before, {_number(done.after)} after")


def _number(degree: float | None) -> str:
    return "undefined (no facts)" if degree is None else f"{degree:.3f}"
