"""A contrast in a model's words: kept only where it says what the evidence says."""

from __future__ import annotations

import pytest

from kgstore.verifier.kernel.pairs import Action
from kgstore.verifier.kernel.phrasing import phrased

CHANGES = [(Action.DELETE, ("Acme", "issue", "2")), (Action.ADD, ("Acme", "issue", "6"))]


class Saying:
    def __init__(self, words: str) -> None:
        self.words = words

    def write(self, task, question, most, schema=None):
        return self.words


@pytest.mark.parametrize(
    ("words", "kept"),
    [
        ("The text says issue 2, but the issue is 6.", True),
        ("The issue is 6, not 2.", True),
        ("The issue number is 2, not 6.", False),
        ("The issue is 6.", False),
        ("The text says issue 2, but in Oslo the issue is 6.", False),
        ("", False),
    ],
)
def test_what_stays(words, kept):
    assert phrased(Saying(words), "Acme is issue 2.", CHANGES) == (words if kept else None)
