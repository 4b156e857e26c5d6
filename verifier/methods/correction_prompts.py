"""What a language model is asked to put a text right by a document.

GraphCorrect asks two questions for each triple: `TRIPLE` shows it and the document, `INSERT` shows the text and both
triples, so that the document and the text never meet in one question. `DIRECT` shows text and document at once. What is
wrong comes before the document: where it came last, a small model mostly said it again. It still does so often, and
`TAIL` therefore hides the tail.
"""

from __future__ import annotations

from kgstore.verifier.llm.prompts import Triple, task, written

TEXT_SCHEMA = {
    "type": "object",
    "properties": {"text": {"type": "string"}},
    "required": ["text"],
    "additionalProperties": False,
}
"""The form of the reply to `INSERT` and `DIRECT`."""


HIDDEN = "?"
"""Stands for a tail that is hidden."""


def about_triple(document: str, triple: Triple) -> str:
    """The question of `TRIPLE`."""
    return f"Wrong statement: {written([triple])[1:-1]}\nDocument: {document}"


def about_tail(document: str, triple: Triple) -> str:
    """The question of `TAIL`."""
    head, relation, _ = triple
    return f"Statement: {written([(head, relation, HIDDEN)])[1:-1]}\nDocument: {document}"


def about_insert(text: str, old: Triple, new: Triple) -> str:
    """The question of `INSERT`."""
    return f"Text: {text}\nOld: {' '.join(old)}.\nNew: {' '.join(new)}."


def about_text(document: str, text: str) -> str:
    """The question of `DIRECT`."""
    return f"Wrong text: {text}\nDocument: {document}"


TRIPLE, TAIL, INSERT, DIRECT = (task(name) for name in ("triple", "tail", "insert", "direct"))
