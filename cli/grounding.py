"""``kgstore grounding``: the group of the commands that look inside a language model."""

from __future__ import annotations

import click

from kgstore.cli.grounding_analyse import analyse
from kgstore.cli.grounding_learn import evaluate, train
from kgstore.cli.grounding_measure import measure


@click.group(context_settings={"max_content_width": 110})
def grounding() -> None:
    """Look inside a local language model that answers from a KG's triples.

    Two measures show where an answer came from: PRD (path reliance degree, -1 to 1), how much of its attention goes to
    the triples between question and answer, and SAS (semantic alignment score, 0 to 1), how close its hidden states
    are to the triples. The detector GGA turns them, with cues of the answer's words, into the risk that it is wrong.

    Thousands of answers are measured into a file of rows, from which the detector is trained and evaluated. Needs
    kgstore's extra "grounding". Any decoder-only model will do, from a folder or a GGUF file.

    \b
    Example:
        kgstore grounding evaluate rows.jsonl
    """


for _command in (measure, analyse, train, evaluate):
    grounding.add_command(_command)
