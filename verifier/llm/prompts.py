"""What a language model is asked: ``prompts.toml`` has the words, the same every time; only the question changes.

There are three tasks. `FACTS` reads a text. `MISSED` reads one sentence of it again, with what was found there.
`CHECK` asks of every fact whether the text says so. Replies are JSON lists, which a grammar or a schema can enforce.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

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

@cache
def _tables() -> dict[str, dict[str, Any]]:
    return tomllib.loads(Path(__file__).with_name("prompts.toml").read_text(encoding="utf-8"))


def task(name: str) -> Task:
    """The task of that name in ``prompts.toml``.

    :raises KeyError: if there is none
    """
    found = _tables()[name]
    examples = tuple((one["question"], one["reply"]) for one in found.get("examples", ()))
    return Task(name, found["instruction"], examples, found.get("judges", False))


FACTS, MISSED, CHECK = task("facts"), task("missed"), task("check")
