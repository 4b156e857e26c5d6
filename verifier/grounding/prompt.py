"""What a model is asked, and where in it each triple stands: the task of GGA, section 5, in words of our own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

PREFIX = "ans:"
"""What each answer is to begin with."""
_TASK = (
    "You look things up in a list of facts. A fact is a line (subject, relation, object). "
    f'Reply with the names that answer the question, one a line, each after "{PREFIX}". Write nothing else.'
)
_EXAMPLES = (
    (
        (
            ("Harbour Lights", "painted_by", "Mara Quill"),
            ("Harbour Lights", "shown_in", "Lindholm Museum"),
            ("Harbour Lights", "year", "1931"),
            ("Winter Ferry", "painted_by", "Mara Quill"),
        ),
        "where can you see Harbour Lights",
        ("Lindholm Museum",),
    ),
    (
        (
            ("Old Mill Road", "recorded_by", "The Tin Larks"),
            ("Silver Gate", "recorded_by", "The Tin Larks"),
            ("Old Mill Road", "length", "3:40"),
            ("Silver Gate", "year", "1978"),
        ),
        "what songs did The Tin Larks record",
        ("Old Mill Road", "Silver Gate"),
    ),
)

Words = tuple[str, str, str]
Message = dict[str, str]
Spans = tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Question:
    """One question as text.

    :param content: what the last message says
    :param spans: for each triple, the character spans of head, relation and tail in ``content``
    """

    content: str
    spans: tuple[Spans, ...]

    @property
    def messages(self) -> list[Message]:
        """The whole conversation up to the reply."""
        return [*_OPENING, {"role": "user", "content": self.content}]


def ask(triples: Sequence[Words], question: str) -> Question:
    """The question below its triples.

    >>> asked = ask([("Ada", "born_in", "London")], "where was Ada born")
    >>> asked.content
    'Facts:\\n(Ada, born_in, London)\\nQuestion: where was Ada born'
    >>> [asked.content[start:end] for start, end in asked.spans[0]]
    ['Ada', 'born_in', 'London']
    """
    text, spans = "Facts:\n", []
    for triple in triples:
        text += "("
        parts = []
        for part in triple:
            shown = " ".join(part.split())
            parts.append((len(text), len(text) + len(shown)))
            text += f"{shown}, "
        text = f"{text[:-2]})\n"
        spans.append(tuple(parts))
    return Question(f"{text}Question: {' '.join(question.split())}", tuple(spans))


def sentence(triple: Words) -> str:
    """A triple by itself, as it is embedded for SAS (section 4.2).

    >>> sentence(("Ada", "born_in", "London"))
    'Ada born_in London'
    """
    return " ".join(" ".join(triple).split())


def reply(answers: Sequence[str]) -> str:
    """What a model is to say."""
    return "\n".join(f"{PREFIX} {answer}" for answer in answers)


def plain(messages: Sequence[Message]) -> str:
    """The conversation for a model that has no chat template."""
    return "".join(f"{one['content']}\n\n" for one in messages)


def _opening() -> tuple[Message, ...]:
    found: list[Message] = [{"role": "system", "content": _TASK}]
    for triples, question, answers in _EXAMPLES:
        found.append({"role": "user", "content": ask(triples, question).content})
        found.append({"role": "assistant", "content": reply(answers)})
    return tuple(found)


_OPENING = _opening()
