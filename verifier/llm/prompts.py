"""What a language model is asked, with examples of our own. The same words every time: only the question changes.

There are three tasks. `FACTS` reads a text. `MISSED` reads one sentence of it again, with what was found there.
`CHECK` asks of every fact whether the text says so. Replies are JSON lists, which a grammar or a schema can enforce.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from kgstore.verifier.claims import Triple

KEYS = ("head", "relation", "tail")


@dataclass(frozen=True, slots=True)
class Task:
    """One kind of question.

    :param examples: questions with their right replies
    :param judges: the reply is a list of "yes" and "no", one for each fact; else a list of facts
    """

    name: str
    instruction: str
    examples: tuple[tuple[str, str], ...]
    judges: bool = False


def written(facts: Iterable[Triple]) -> str:
    """Facts as a model writes them. Small models need the keys: in lists of three they lose track of what comes where.

    >>> written([("Ada", "was born in", "Rome")])
    '[{"head": "Ada", "relation": "was born in", "tail": "Rome"}]'
    """
    return json.dumps([dict(zip(KEYS, fact, strict=True)) for fact in facts], ensure_ascii=False)


def about_sentence(before: str, sentence: str, known: Sequence[Triple]) -> str:
    """The question of `MISSED`."""
    found = "; ".join(" | ".join(fact) for fact in known)
    return f"Before: {before or '-'}\nSentence: {sentence}\nFound: {found or '-'}"


def about_facts(text: str, facts: Sequence[Triple]) -> str:
    """The question of `CHECK`."""
    lines = (f"{number}. {' '.join(fact)}" for number, fact in enumerate(facts, 1))
    return "\n".join([f"Text: {text}", *lines])


def messages(task: Task, question: str) -> list[dict[str, str]]:
    """The conversation that a model continues."""
    turns = []
    for asked, reply in task.examples:
        turns += [{"role": "user", "content": asked}, {"role": "assistant", "content": reply}]
    turns.append({"role": "user", "content": question})
    # not as a system message: some models' templates refuse that role
    turns[0]["content"] = f"{task.instruction}\n\n{turns[0]['content']}"
    return turns


FACTS = Task(
    "facts",
    """\
List the facts that the text states, each as one JSON object with "head", "relation" and "tail".
- Copy head and tail from the text, letter by letter: a name, a date, a number with its unit, or a short noun phrase.
- The relation is the few words of the text that connect them.
- Write the full name where the text says he, she, it or "the film".
- One object for each fact: split "and", and give date and place separately.
- State only what the text asserts. Leave out opinions, questions, and what is denied, doubted or only said by others.
- Answer [] if there is no fact.""",
    (
        (
            "Mira Holt, an Austrian chemist, was born on 3 March 1921 in Graz. She taught at the University of Basel "
            "and, in 1960, received the Lang Prize. She did not marry and may have known Emil Roth. Many admired her.",
            written(
                (
                    ("Mira Holt", "has nationality", "Austrian"),
                    ("Mira Holt", "is a", "chemist"),
                    ("Mira Holt", "was born on", "3 March 1921"),
                    ("Mira Holt", "was born in", "Graz"),
                    ("Mira Holt", "taught at", "University of Basel"),
                    ("Mira Holt", "received", "Lang Prize"),
                )
            ),
        ),
        ("What a lovely evening it was, and how quickly it passed!", "[]"),
        (
            "The Glass Harbour is a drama film directed by Tom Reyes, with Ann Cole and Luc Petit in the main roles. "
            "The film runs for 95 minutes. The mother of Ann Cole was born in Lyon.",
            written(
                (
                    ("The Glass Harbour", "is a", "drama film"),
                    ("The Glass Harbour", "directed by", "Tom Reyes"),
                    ("The Glass Harbour", "main roles", "Ann Cole"),
                    ("The Glass Harbour", "main roles", "Luc Petit"),
                    ("The Glass Harbour", "runs for", "95 minutes"),
                    ("The mother of Ann Cole", "was born in", "Lyon"),
                )
            ),
        ),
    ),
)

MISSED = Task(
    "missed",
    """\
Somebody listed facts of a sentence. List those that are still missing, as JSON objects with "head", "relation", "tail".
- Copy head and tail from the text, letter by letter. For he, she or it write the full name, which stands before.
- State only what the sentence itself asserts. Answer [] if nothing is missing.""",
    (
        (
            about_sentence(
                "Mira Holt taught at the University of Basel.",
                "The Austrian chemist died on 9 May 1980 in Bern.",
                [("Mira Holt", "died on", "9 May 1980")],
            ),
            written(
                [
                    ("Mira Holt", "has nationality", "Austrian"),
                    ("Mira Holt", "is a", "chemist"),
                    ("Mira Holt", "died in", "Bern"),
                ]
            ),
        ),
        (
            about_sentence(
                "", "The Glass Harbour was made by Tom Reyes.", [("The Glass Harbour", "was made by", "Tom Reyes")]
            ),
            "[]",
        ),
        (about_sentence("The Glass Harbour opened in May.", "Who would not enjoy such a thing?", []), "[]"),
        (
            about_sentence(
                "The Glass Harbour opened in May.",
                "It was shot in Porto, and Ann Cole, who sings in it, comes from Lyon.",
                [("Ann Cole", "comes from", "Lyon")],
            ),
            written([("The Glass Harbour", "was shot in", "Porto"), ("Ann Cole", "sings in", "The Glass Harbour")]),
        ),
    ),
)

CHECK = Task(
    "check",
    """\
For each numbered statement: does the text assert exactly this? Answer with a list of "yes" and "no", one for each.
Say "no" if the text says it of somebody else, says something else, denies it, doubts it or does not mention it.""",
    (
        (
            about_facts(
                "Mira Holt and her brother Karl, a painter, lived in Graz. She never visited Rome and died in 1980.",
                [
                    ("Mira Holt", "lived in", "Graz"),
                    ("Mira Holt", "is a", "painter"),
                    ("Mira Holt", "died in", "Graz"),
                    ("Mira Holt", "died in", "1980"),
                    ("Mira Holt", "visited", "Rome"),
                    ("Karl", "is a", "painter"),
                ],
            ),
            '["yes", "no", "no", "yes", "no", "yes"]',
        ),
        (
            about_facts(
                "The Glass Harbour, made after a novel by Luc Petit, may have been shot in Porto.",
                [("The Glass Harbour", "was shot in", "Porto"), ("The Glass Harbour", "after a novel by", "Luc Petit")],
            ),
            '["no", "yes"]',
        ),
    ),
    judges=True,
)
