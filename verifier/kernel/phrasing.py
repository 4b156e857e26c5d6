"""A contrast in the words of a language model, on request; kept only where it says nothing beyond the evidence.

KEA Explain has a large model write its explanations from the edits of Algorithm 1. Ours are plain sentences, and a
model may say them more fluently: whatever name or number it adds, and whichever side it forgets, the plain text stays.
"""

from __future__ import annotations

from collections.abc import Sequence

from kgstore.verifier.kernel.pairs import Action, Edit
from kgstore.verifier.llm.faithful import strange
from kgstore.verifier.llm.prompts import task
from kgstore.verifier.protocols import ChatModel

TASK = task("contrast")
_TOKENS = 120


def question(said: str, changes: Sequence[Edit]) -> str:
    """What the text says, and what to delete and to add, a line each."""
    lines = [f"{'Wrong' if action is Action.DELETE else 'Right'}: {' | '.join(triple)}" for action, triple in changes]
    return "\n".join([f"Text: {said}", *lines])


def phrased(model: ChatModel, said: str, changes: Sequence[Edit]) -> str | None:
    """The model's sentences, None where they name something that they were not given, leave out a value of either side
    or deny the right one, so that the plain text stays.

    :param said: the words of the claim
    :param changes: of `kgstore.verifier.kernel.pairs.edits`, with something on both sides
    """
    asked = question(said, changes)
    written = " ".join(model.write(TASK, asked, _TOKENS).split())
    values = [triple[2].casefold() for _, triple in changes]
    if not written or strange(written, [asked]) or any(value not in written.casefold() for value in values):
        return None
    right = [triple[2].casefold() for action, triple in changes if action is Action.ADD]
    if any(f"not {value}" in written.casefold() for value in right):  # "is 2, not 6", where 6 is right
        return None
    return written
