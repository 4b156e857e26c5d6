"""What a language model is asked to put a text right by a document, with examples of our own.

GraphCorrect asks two questions for each triple: `TRIPLE` shows it and the document, `INSERT` shows the text and both
triples, so that the document and the text never meet in one question. `DIRECT` shows text and document at once. What is
wrong comes before the document: where it came last, a small model mostly said it again. It still does so often, and
`TAIL` therefore hides the tail.
"""

from __future__ import annotations

import json

from kgstore.verifier.llm.prompts import Task, Triple, written

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


def as_reply(text: str) -> str:
    """
    >>> as_reply("Ada")
    '{"text": "Ada"}'
    """
    return json.dumps({"text": text}, ensure_ascii=False)


_HOLT = (
    "Mira Holt, who taught chemistry in Basel for 30 years, died on Sunday in Graz at the age of 59. "
    "Her sister Ida said the family would found a prize in her name."
)
_HARBOUR = (
    "The Glass Harbour opened in 12 cinemas on Friday. Its director, Tom Reyes, said that he had waited for the money "
    "since March. The film was shot in Porto."
)

TRIPLE = Task(
    "triple",
    """\
The statement is wrong: the document does not say it. Read the document and write what it says instead. Keep head, \
relation or tail where they are right, and take the new words from the document. The three parts read one after the \
other must be a sentence. Reply with a list of one statement, which must differ from the wrong one.""",
    (
        (
            about_triple(_HOLT, ("Mira Holt", "died in", "Basel")),
            written([("Mira Holt", "died in", "Graz")]),
        ),
        (
            about_triple(_HARBOUR, ("The Glass Harbour director Tom Reyes", "has found", "12 million for the film")),
            written([("The Glass Harbour director Tom Reyes", "had waited for", "the money for the film")]),
        ),
        (
            about_triple(_HOLT, ("The family", "has founded", "a prize")),
            written([("The family", "would found", "a prize")]),
        ),
    ),
)
"""Step 1: the triple, corrected by the document."""

TAIL = Task(
    "tail",
    """\
Complete the statement by what the document says: write a few words of the document in place of "?". The three parts \
read one after the other must be a sentence. Reply with a list of this one statement.""",
    (
        (
            about_tail(_HOLT, ("Mira Holt", "died in", "Basel")),
            written([("Mira Holt", "died in", "Graz")]),
        ),
        (
            about_tail(_HARBOUR, ("The Glass Harbour director Tom Reyes", "has waited since", "last year")),
            written([("The Glass Harbour director Tom Reyes", "has waited since", "March")]),
        ),
        (
            about_tail(_HOLT, ("the family of Mira Holt", "will found", "a school")),
            written([("the family of Mira Holt", "will found", "a prize in her name")]),
        ),
    ),
)
"""Step 1 for small models: the tail that the document gives to the same head and relation."""

INSERT = Task(
    "insert",
    """\
The text says the old statement. Make it say the new one instead. Change only the words in which the two statements \
differ, and copy all others letter by letter. Reply with a JSON object: "text" is the whole new text.""",
    (
        (
            about_insert(
                "Chemist Mira Holt has died in basel, aged 59, her sister says.",
                ("Chemist Mira Holt", "has died in", "basel"),
                ("Chemist Mira Holt", "has died in", "Graz"),
            ),
            as_reply("Chemist Mira Holt has died in Graz, aged 59, her sister says."),
        ),
        (
            about_insert(
                "The Glass Harbour, a film by Tom Reyes, will open in all cinemas next week.",
                ("The Glass Harbour", "will open in", "all cinemas"),
                ("The Glass Harbour", "opened in", "12 cinemas"),
            ),
            as_reply("The Glass Harbour, a film by Tom Reyes, opened in 12 cinemas next week."),
        ),
    ),
)
"""Step 2: the text with the new triple in place of the old one."""

DIRECT = Task(
    "direct",
    """\
The text is wrong: the document does not say all of it. Read the document and correct the text by it. Change as few \
words as you can, copy all others letter by letter, and add nothing. Reply with a JSON object: "text" is the whole \
corrected text, which must differ from the wrong one.""",
    (
        (
            about_text(_HOLT, "Chemist Mira Holt has died in basel, aged 59, her sister says."),
            as_reply("Chemist Mira Holt has died in Graz, aged 59, her sister says."),
        ),
        (
            about_text(_HARBOUR, "Tom Reyes' film the glass harbour has opened in more than 100 cinemas."),
            as_reply("Tom Reyes' film the glass harbour has opened in 12 cinemas."),
        ),
    ),
)
"""The baseline: no triples."""
