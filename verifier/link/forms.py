"""Where a text uses a form of a name that the graph itself does not give: "the Sava", "JRR Tolkien", "Alien"."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from kgstore.catalog import STATED, NameHit, fold
from kgstore.verifier.english.words import either
from kgstore.verifier.kg.protocol import KnowledgeGraph
from kgstore.verifier.values.units import singular

_THE = re.compile(r"\b[Tt]he (?:(?:river|upper|lower|middle) )?$")
_NO_NOUN = re.compile(
    rf"$|['’]s\b|\W*[^\w\s]| (?:{either('names.behind_river')}|[a-z]+(?:s|ed))\b"
)
"""What follows "the Sava" where that is not "the Minnesota legislature"."""
_FIRST = re.compile(r"[^\W_]")


@dataclass(frozen=True, slots=True)
class WithForms:
    """A graph that knows names by their usual other forms, too."""

    store: KnowledgeGraph

    def lookup(self, names: Iterable[str]) -> dict[str, list[NameHit]]:
        """But for Wikidata, which has them as aliases, a common noun in the plural is the one in the singular: "kidney
        beans", "Beta cells"."""
        names = list(names)
        found = self.store.lookup(names, forms=True)
        if self.store.profile.wikibase:
            return found
        one = {name: of_one(name) for name in names if name[1:].islower() and name not in found}
        known = self.store.lookup([single for name, single in one.items() if single != name])
        return found | {name: hits for name, single in one.items() if (hits := _common(name, known.get(single, ())))}


def _common(name: str, hits: Iterable[NameHit]) -> list[NameHit]:
    """What the singular of a name may be: nobody called Adam is meant by "Adams"."""
    return [hit for hit in hits if " " in name or name.islower() or hit.name[:1].islower()]


def of_one(name: str) -> str:
    """A name with its last word in the singular.

    >>> of_one("kidney beans"), of_one("sweet potatoes")
    ('kidney bean', 'sweet potato')
    """
    *before, last = name.split(" ")
    return " ".join((*before, last[:-2] if last.endswith("toes") else singular(last)))


def stands(text: str, start: int, end: int, name: str, kind: str, opens: bool) -> bool:
    """Does a name stand in the text as its form wants it? One that the graph gives always does.

    >>> stands("Along the Sava", 10, 14, "the Sava", "derived", False)
    True
    >>> stands("Ann Sava", 4, 8, "the Sava", "derived", False)
    False

    :param name: as it must stand, see `kgstore.short_names`
    :param opens: the span begins a sentence
    """
    if kind in STATED:
        return True
    span = text[start:end]
    if name.startswith(f"{span}, "):
        return re.search(rf"\b{re.escape(name.rpartition(', ')[2])}\b", text) is not None
    article, _, bare = name.partition(" ") if fold(name) != fold(span) else ("", "", name)
    if article == "the" and not _NO_NOUN.match(text, end):
        return False
    if article and not _THE.search(text, 0, start) and (article == "the" or (opens and " " not in span)):
        return False
    return _capital(bare) == _capital(span) and bare.isupper() == span.isupper()


def _capital(name: str) -> bool:
    first = _FIRST.search(name)
    return first is not None and first[0].isupper()
