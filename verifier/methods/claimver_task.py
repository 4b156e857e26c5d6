"""What ClaimVer asks a language model, in our own words, and how the reply is read. Pure functions over strings.

The paper's prompt asks for span, label, triplets and rationale of every claim in one reply (figure 3). Ours does so
with numbered triplets and JSON: a number is either one of those given or not.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from kgstore.verifier.claims import Label, Triple
from kgstore.verifier.llm.prompts import task
from kgstore.verifier.llm.windows import sentences

LABELS = {
    "supported": Label.ATTRIBUTABLE, "unknown": Label.EXTRAPOLATORY, "contradicted": Label.CONTRADICTORY,
}  # fmt: skip
"""A small model knows these words better than the paper's."""

MOST_TRIPLETS = 4
"""Triplets that one claim may name."""

FEWEST, MOST_WORDS = 3, 30
"""Triple in a span."""

_UNSAFE = re.compile(r"[^\s]*[\"\\\[\]^\x00-\x1f\x7f]+[^\s]*")
_SPECIAL = re.compile(r"[^\w\s]")


@dataclass(frozen=True, slots=True)
class Part:
    """One claim of a reply; ``triplets`` are numbers from 1, each of a triplet that was given."""

    span: str
    label: Label
    triplets: tuple[int, ...]
    why: str


def question(text: str, triplets: Sequence[Triple]) -> str:
    """A text and the numbered triplets."""
    lines = [f"{number}. {' | '.join(one)}" for number, one in enumerate(triplets, 1)]
    return "\n".join([f"Text: {text}", "Triplets:", *(lines or ["none"])])


def most_claims(sentences: int) -> int:
    """How many claims a text of so many sentences may have; else a model might repeat itself for ever."""
    return min(24, 2 + 2 * sentences)


def tokens(text: str) -> int:
    """Room for the reply about a text."""
    return 80 * most_claims(len(sentences(text)))


def schema(text: str, given: int) -> dict[str, Any]:
    """What a reply about a text must look like, as JSON Schema; with no triplets given none can be named."""
    numbers: dict[str, Any] = {"type": "array", "items": {"type": "integer"}, "maxItems": 0}
    if given:
        numbers = {"type": "array", "items": {"enum": list(range(1, given + 1))}, "maxItems": MOST_TRIPLETS}
    fields = {
        "span": {"type": "string", "pattern": f"^({'|'.join(spans)})$"} if (spans := _spans(text)) else {"const": ""},
        "triplets": numbers,
        "why": {"type": "string", "maxLength": 200},
        "label": {"enum": list(LABELS)},
    }
    claim = {"type": "object", "properties": fields, "required": list(fields), "additionalProperties": False}
    return {"type": "array", "items": claim, "maxItems": most_claims(len(sentences(text)))}


def _spans(text: str) -> list[str]:
    """Patterns of all runs of words within a sentence, one for each word that a run may begin with.

    So a model that is held to its schema can only copy. Runs have three words at least, since a name alone claims
    nothing, and end before signs that JSON or a pattern would need escaped.
    """
    found = []
    for start, end in sentences(text):
        for part in _UNSAFE.split(text[start:end]):
            words = [_SPECIAL.sub(r"[\g<0>]", word) for word in part.split()]
            for first in range(len(words) - FEWEST + 1):
                must, may = words[first : first + FEWEST], words[first + FEWEST : first + MOST_WORDS]
                found.append(" ".join(must) + "".join(f"( {word}" for word in may) + ")?" * len(may))
    return found


def parse(reply: str, given: int) -> tuple[list[Part], Counter[str]]:
    """The claims of a reply, and what of it was left out, by reason. Of a reply that was cut off its whole claims.

    >>> parts, out = parse('[{"span": "Ada sang", "triplets": [1, 9], "why": "", "label": "supported"}, {"sp', 2)
    >>> parts[0].triplets, dict(out)
    ((1,), {'triplet not among those given': 1, 'end of a reply that was cut off': 1})

    :param given: how many triplets were given
    """
    parts: list[Part] = []
    out: Counter[str] = Counter()
    decoder, at = json.JSONDecoder(), reply.find("[") + 1
    if not at:
        return [], Counter({"reply that is no list": 1})
    while True:
        while at < len(reply) and reply[at] in " \t\r\n,":
            at += 1
        if reply.startswith("]", at):
            return parts, out
        try:
            item, at = decoder.raw_decode(reply, at)
        except (json.JSONDecodeError, RecursionError):
            out["end of a reply that was cut off"] += 1
            return parts, out
        match item:
            case {"span": str(span), "triplets": list(numbers), "label": str(word)} if word in LABELS:
                distinct = dict.fromkeys(map(_number, numbers))
                good = [number for number in distinct if 1 <= number <= given]
                if len(good) < len(distinct):
                    out["triplet not among those given"] += len(distinct) - len(good)
                why = item.get("why")
                parts.append(Part(span, LABELS[word], tuple(good), why if isinstance(why, str) else ""))
            case _:
                out["claim without span, triplets or label"] += 1


def _number(value: object) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) else 0


TASK = task("claimver")
