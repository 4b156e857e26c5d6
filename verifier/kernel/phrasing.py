"""A contrast in the words of a language model, on request; kept only where it says nothing beyond the evidence.

KEA Explain has a large model write its explanations from the edits of Algorithm 1. Ours are plain sentences, and a
model may say them more fluently: whatever name or number it adds, and whichever side it forgets, the plain text stays.
"""

from __future__ import annotations

from collections.abc import Sequence

from kgstore.verifier.kernel.pairs import Action, Edit
from kgstore.verifier.llm.chat import ChatModel
from kgstore.verifier.llm.faithful import strange
from kgstore.verifier.llm.prompts import Task

_TOKENS = 120


def question(said: str, changes: Sequence[Edit]) -> str:
    """What the text says, and what to delete and to add, a line each."""
    lines = [f"{'Wrong' if action is Action.DELETE else 'Right'}: {' | '.join(triple)}" for action, triple in changes]
    return "\n".join([f"Text: {said}", *lines])


TASK = Task(
    "contrast",
    """\
A text was compared with facts. Say in one or two sentences what the text says wrongly and what is true instead. Use
only the lines below: no other name, number or reason. Reply with the sentences alone.""",
    (
        (
            question(
                "Mira Holt was born in Linz in 1921.",
                [
                    (Action.DELETE, ("Mira Holt", "place of birth", "Linz")),
                    (Action.ADD, ("Mira Holt", "place of birth", "Graz")),
                ],
            ),
            "The text has Mira Holt born in Linz, but her place of birth is Graz.",
        ),
        (
            question(
                "The Glass Harbour came out on 4 May 1988.",
                [
                    (Action.DELETE, ("The Glass Harbour", "publication date", "4 May 1988")),
                    (Action.ADD, ("The Glass Harbour", "publication date", "4 May 1989")),
                ],
            ),
            "The text dates The Glass Harbour to 4 May 1988; its publication date is 4 May 1989.",
        ),
    ),
)


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
