"""What a model answered, and whether that is right: GGA, section 5, after SQuAD's measures."""

from __future__ import annotations

import re
import string
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from kgstore.verifier.grounding.prompt import PREFIX

ENOUGH = 0.3
"""Token F1 from which an answer counts as right though it is not exactly so."""
_ARTICLES = re.compile(r"\b(?:a|an|the)\b")
_PREFIX = re.compile(re.escape(PREFIX), re.IGNORECASE)
_LEAD = re.compile(r"^\s*(?:[-*\u2022]|\d+[.)])\s+|^\s*(?:the\s+)?answers?\s*(?:is|are)?\s*:\s*", re.IGNORECASE)
_PUNCTUATION = str.maketrans(dict.fromkeys(string.punctuation + "‘’“”–—", " "))


@dataclass(frozen=True, slots=True)
class Marks:
    """How right an answer is; ``f1`` is 0 to 1."""

    exact: bool
    f1: float

    @property
    def wrong(self) -> bool:
        """Neither exact nor close: the class 1 of the detector."""
        return not self.exact and self.f1 < ENOUGH


def after_prefix(output: str) -> int | None:
    """Where the answer begins: behind the first ``ans:``; None if there is none."""
    found = _PREFIX.search(output)
    return found.end() if found else None


def named(output: str) -> list[str]:
    """The names in an answer, each once: the rest of the line behind each ``ans:``, or every line where none has one.

    >>> named("ans: Old Mill Road\\nans: Silver Gate\\nans: Silver Gate\\n\\nThat is all.")
    ['Old Mill Road', 'Silver Gate']
    """
    parts = _PREFIX.split(output)
    lines = [part.strip().split("\n")[0] for part in parts[1:]] if len(parts) > 1 else output.split("\n")
    names = (_LEAD.sub("", line).strip(" \t,;") for line in lines)
    found: dict[str, str] = {}
    for name in names:
        found.setdefault(normalised(name), name)
    found.pop("", None)
    return list(found.values())


def normalised(text: str) -> str:
    """Lower case, without articles, punctuation and doubled blanks.

    >>> normalised("The  Tin-Larks!")
    'tin larks'
    """
    return " ".join(_ARTICLES.sub(" ", text.casefold().translate(_PUNCTUATION)).split())


def mark(output: str, gold: Sequence[str]) -> Marks:
    """Compare an answer with the right ones.

    All that was named, taken together, is compared with each right answer and with all of them together; the best
    comparison counts. So one of several right answers is enough, and each wrong name besides costs precision.

    >>> mark("ans: Silver Gate", ["Old Mill Road", "Silver Gate"])
    Marks(exact=True, f1=1.0)
    >>> mark("ans: Mill Street", ["Old Mill Road", "Silver Gate"]).f1
    0.4
    """
    said = [normalised(name) for name in named(output)]
    right = [normalised(name) for name in gold]
    exact = bool(said) and (set(said) == set(right) or (len(said) == 1 and said[0] in right))
    given = " ".join(said)
    return Marks(exact, max((token_f1(given, one) for one in (*right, " ".join(right))), default=0.0))


def token_f1(one: str, other: str) -> float:
    """Harmonic mean of the shares of words that two texts have in common, with repetition."""
    first, second = Counter(one.split()), Counter(other.split())
    both = (first & second).total()
    return 2 * both / (first.total() + second.total()) if both else 0.0
