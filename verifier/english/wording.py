"""How relations are worded: normal forms of phrases, and the table of what English says for which relation."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from kgstore.verifier.english.words import words

_TABLE = Path(__file__).with_name("phrases.toml")
_BE = words("wording.be")
_HAVE = words("wording.have")
_OF_NOUNS = words("prepositions.of_nouns")
_DROPPED = words("wording.dropped")
_WORD = re.compile(r"[^\W_]+(?:[-'’][^\W_]+)*")
_BRITISH = (
    ("isation", "ization"),
    ("ised", "ized"),
    ("ises", "izes"),
    ("ising", "izing"),
    ("our", "or"),
    ("programme", "program"),
)
LIGHT = words("wording.light")
"""Words that say little of a relation on their own."""


@dataclass(frozen=True, slots=True)
class Wording:
    """One way to say a relation; ``turned`` where the value comes first ("B is the birthplace of A")."""

    text: str
    turned: bool = False


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """A crude stem, the same for "influences", "influenced" and "influencing".

    >>> [stem(word) for word in ("influences", "influenced", "starring", "stars", "parties", "bus")]
    ['influenc', 'influenc', 'star', 'star', 'party', 'bus']
    """
    if word in _BE:
        return "be"
    if word in _HAVE:
        return "have"
    for british, american in _BRITISH:
        if word.endswith(british) and len(word) > len(british) + 3:
            word = word[: -len(british)] + american
    if len(word) <= 3:
        return word
    for ending, left in (("ies", "y"), ("ing", ""), ("ed", ""), ("es", ""), ("s", ""), ("e", ""), ("ion", "")):
        if (
            word.endswith(ending)
            and len(word) - len(ending) >= (4 if ending == "ion" else 3)
            and not word.endswith(("ss", "us", "is"))
        ):
            word = word[: -len(ending)] + left
            break
    if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "lsz":
        word = word[:-1]
    return word


@lru_cache(maxsize=65536)
def normal(phrase: str) -> tuple[str, ...]:
    """The stems of a phrase without articles.

    >>> normal("was the director of")
    ('be', 'director', 'of')
    """
    words = [word for word in _WORD.findall(phrase.lower()) if word not in _DROPPED]
    return tuple(stem(word) for word in words)


def content(stems: tuple[str, ...]) -> frozenset[str]:
    """The stems that carry meaning; all of them where none does."""
    return frozenset(stems) - LIGHT or frozenset(stems)


def readings(relation: str) -> Iterator[tuple[tuple[str, ...], bool]]:
    """The normal forms under which a relation may be listed, and whether head and tail are swapped in them.

    "is the director of" may be the noun "director" read backwards; "has a population of" is the noun "population".

    >>> list(readings("is the director of"))
    [(('be', 'director', 'of'), False), (('director', 'of'), False), (('director',), True)]
    """
    stems = normal(relation)
    if not stems:
        return
    yield stems, False
    rest = stems[1:]
    if stems[0] == "be" and rest:
        yield rest, False
        if rest[-1] in _OF_NOUNS and len(rest) > 1:
            yield rest[:-1], True
    if stems[0] == "have" and rest:
        yield rest, False
        if rest[-1] in ("of", "in", "at") and len(rest) > 1:
            yield rest[:-1], False
    if stems[-1] == "be" and len(stems) > 1:
        yield stems[:-1], False


@lru_cache(maxsize=1)
def entries() -> dict[str, dict[str, list[str]]]:
    """The table: usual label of a relation -> ``says``, ``nouns``, ``turned``, ``also``, ``unlearnt``, ``light``; what
    is in ``unlearnt`` is in ``also``, too."""
    with _TABLE.open("rb") as file:
        table = tomllib.load(file)
    return {label: {**one, "also": [*one.get("also", ()), *one.get("unlearnt", ())]} for label, one in table.items()}


@lru_cache(maxsize=1)
def table() -> tuple[dict[str, tuple[Wording, ...]], dict[str, tuple[Wording, ...]]]:
    """Usual label of a relation (lower case) -> its wordings; and the same for other labels that graphs give it."""
    usual: dict[str, tuple[Wording, ...]] = {}
    other: dict[str, tuple[Wording, ...]] = {}
    for label, entry in entries().items():
        wordings = (
            *(Wording(text) for text in (*entry.get("says", ()), *entry.get("nouns", ()))),
            *(Wording(text, turned=True) for text in entry.get("turned", ())),
        )
        usual[label.lower()] = wordings
        for name in entry.get("also", ()):
            other.setdefault(name.lower(), wordings)
    return usual, other


@lru_cache(maxsize=4096)
def usual_label(label: str) -> str:
    """How a relation is usually labelled that a graph names as the relation reader has not learnt it; else its label.

    >>> usual_label("music composer"), usual_label("runway name"), usual_label("associated band/associated artist")
    ('composer', 'runway name', 'associated band')
    """
    return _usual_labels().get(label.lower()) or (label.split("/")[0] if label.count(" ") > 1 else label)


@lru_cache(maxsize=1)
def _usual_labels() -> dict[str, str]:
    return {name.lower(): label for label, entry in entries().items() for name in entry.get("unlearnt", ())}


@lru_cache(maxsize=1)
def light() -> dict[str, frozenset[str]]:
    """Usual label of a relation (lower case) -> stems that say little of it: who "received a nomination" received
    nothing.
    """
    return {
        label.lower(): frozenset(map(stem, entry["light"])) for label, entry in entries().items() if "light" in entry
    }


@lru_cache(maxsize=1)
def nouns() -> frozenset[str]:
    """All nouns of the table, lower case."""
    return frozenset(noun.lower() for entry in entries().values() for noun in entry.get("nouns", ()))
