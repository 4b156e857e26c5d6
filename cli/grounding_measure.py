"""``kgstore grounding measure``"""

from __future__ import annotations

from pathlib import Path

import click

from kgstore.cli.grounding_source import open_graph, open_model, source_options
from kgstore.cli.options import format_option
from kgstore.cli.progress import counting
from kgstore.cli.render import count, echo_json, note
from kgstore.verifier.grounding.collect import Plan, collect, read_questions, sample


@click.command()
@click.argument("questions", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@source_options
@click.option(
    "-o",
    "--output",
    "target",
    required=True,
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="ROWS",
    help="Write a row for each answer here. If the file is there already, only what is missing is added.",
)
@click.option(
    "--limit",
    type=click.IntRange(min=1),
    metavar="N",
    help="Ask only N of the questions, drawn by a digest of their ids. [default: all]",
)
@format_option()
def measure(
    questions: Path,
    kg: Path | None,
    triples: Path | None,
    lm: Path,
    number: int,
    tokens: int,
    target: Path,
    limit: int | None,
    fmt: str,
) -> None:
    """Let a model answer questions, and measure PRD and SAS of each answer.

    QUESTIONS is a file of JSON lines with "question" and "answers", a list of names of the graph, and if wanted "id"
    and "topic", the name or names that the question is about. An answer is right if it names the right ones, or shares
    so many words with them that the F1 is at least 0.3.

    A run can be stopped at any time; the same command goes on where it ended. Questions that lead to nothing (no entity
    found, no path of at most 3 steps to a right answer) are left out and counted, with the reason.

    \b
    Example:
        kgstore grounding measure questions.jsonl --triples kb.txt --lm model.gguf -o rows.jsonl
    """
    asked = sample(read_questions(questions), limit)
    plan = Plan(lm.name, number, tokens)
    with open_graph(kg, triples) as graph, counting("asking", len(asked)) as advance:
        counts = collect(asked, graph, lambda: open_model(lm), plan, target, advance)
    if fmt == "json":
        echo_json({"rows": str(target), "counts": counts})
        return
    note(f"{count(counts.pop('measured', 0), 'answer')} measured, in {target}")
    for why, number_left in sorted(counts.items()):
        note(f"{count(number_left, 'question')} left out: {why}")
