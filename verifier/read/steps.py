"""A text in the steps in which it is worked on where somebody waits: what comes first is short."""

from __future__ import annotations

import re

from kgstore.verifier.read.paragraphs import paragraphs

STEP = 600
"""Characters of a step, but for a sentence that is longer."""
FIRST = 300
"""Characters of the first step."""
_END = re.compile(r"[.!?][\"'”’)]*\s+(?=[\"'“‘(]?[A-Z\d])|\n")


def steps(text: str) -> list[tuple[int, int]]:
    """The first sentence, and then all the paragraphs, so that the first sentence is read twice; nothing for a text
    of one sentence, where there is nothing to wait for.

    >>> steps("Ann was born in Oslo. She died there.")
    [(0, 21), (0, 37)]
    >>> steps("Ann was born in Oslo.")
    []
    """
    found = list(paragraphs(text, STEP))
    if not found:
        return []
    start, end = found[0]
    first = _END.search(text, start, min(end, start + FIRST))
    cut = min(end, start + FIRST) if first is None else first.end()
    return [] if cut >= len(text.rstrip()) else [(start, start + len(text[start:cut].rstrip())), *found]
