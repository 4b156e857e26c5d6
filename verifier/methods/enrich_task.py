"""What a language model is asked to make of a paragraph and facts, in our own words."""

from __future__ import annotations

from collections.abc import Sequence

from kgstore.verifier.llm.prompts import Task


def question(paragraph: str, facts: Sequence[str]) -> str:
    """The paragraph and the facts, one a line."""
    return "\n".join([f"Paragraph: {paragraph}", "Facts:", *(f"- {fact}" for fact in facts)])


TASK = Task(
    "enrich",
    """\
Write the paragraph again so that it also says what the facts say. Keep everything that the paragraph says, in its own
words and order. Add nothing that stands neither in the paragraph nor in the facts. Use the names of the facts as they
are. Reply with the new paragraph alone.""",
    (
        (
            question(
                "Mira Holt was a chemist. She taught in Basel.",
                [
                    "The date of birth of Mira Holt is 3 March 1921.",
                    "The place of birth of Mira Holt is Graz.",
                    "The award received by Mira Holt is the Silver Flask.",
                ],
            ),
            "Mira Holt, who was born on 3 March 1921 in Graz, was a chemist. She taught in Basel and received the "
            "Silver Flask.",
        ),
        (
            question(
                "The Glass Harbour is a drama film directed by Tom Reyes.",
                ["The country of origin of The Glass Harbour is Portugal.", "Tom Reyes is a human."],
            ),
            "The Glass Harbour is a drama film from Portugal directed by Tom Reyes.",
        ),
    ),
)
