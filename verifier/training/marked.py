"""Rows from Wikipedia sentences in which all that is asserted is marked, and what a hurried reader takes to be.

A corpus that was aligned with Wikidata lists one fact of a sentence, and says nothing of the others. ``data/marked``
has the marks of some of its sentences, which were read for it one by one: ``facts``, ``maybe`` (not learnt either way)
and ``nofacts``, each of a head, a label and a tail in the sentence's own words.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from kgstore.verifier.reader.asking import Span
from kgstore.verifier.training.reader_rows import SYMMETRIC, Row, apart, read

SOURCE = "marked"
_NAMED = {"his": "{}'s", "her": "{}'s", "its": "{}'s", "their": "{}'s"}
_PRONOUNS = frozenset("he she it they him them his her its their".split())
_SILENT = 2
"""Pairs of which nothing is said, of a sentence."""

Ends = tuple[str, str]


def marked(folder: Path, sentences: Iterable[Mapping], chance: random.Random) -> Iterator[Row]:
    """The marked ones among some sentences (``id``, ``text`` and ``triples``, as those of TekGen and FewRel)."""
    known = {one["id"]: one for one in sentences}
    for path in sorted(folder.glob("*.jsonl")):
        for line in read(path):
            if line["id"] in known:
                one = known[line["id"]]
                yield from _rows(one["text"], one["triples"][0]["head_name"], line, chance)


def _rows(text: str, name: str, marks: Mapping, chance: random.Random) -> Iterator[Row]:
    facts, doubt, denied = (_by_ends(marks.get(key, ())) for key in ("facts", "maybe", "nofacts"))
    labels = list(dict.fromkeys(label for said in facts.values() for label in said))
    ends = list(dict.fromkeys((*facts, *denied)))
    names = list(dict.fromkeys(one for pair in ends for one in pair))
    silent = [(a, b) for a in names for b in names if a != b and (a, b) not in facts and (a, b) not in doubt]
    for head, tail in dict.fromkeys((*ends, *chance.sample(silent, min(_SILENT, len(silent))))):
        said, unsure = facts.get((head, tail), ()), doubt.get((head, tail), ())
        back = [one for one in facts.get((tail, head), ()) if one not in SYMMETRIC]
        wrong = dict.fromkeys((*denied.get((head, tail), ()), *back, *labels))
        rivals = tuple(one for one in wrong if one not in said and one not in unsure)
        if (row := _placed(text, name, head, tail)) is not None and (said or rivals):
            yield replace(row, said=tuple(said), rivals=rivals, open=tuple(unsure))


def _by_ends(triples: Iterable[tuple[str, str, str]]) -> dict[Ends, list[str]]:
    found: dict[Ends, list[str]] = {}
    for head, label, tail in triples:
        found.setdefault((head, tail), []).append(label)
    return found


def _placed(text: str, name: str, head: str, tail: str) -> Row | None:
    """Where the two stand nearest to each other; whom the sentence is about in place of a pronoun."""
    if tail.lower() in _PRONOUNS or (head.lower() in _PRONOUNS and name in text):
        return None
    places = [(a, b) for a in _places(text, head) for b in _places(text, tail) if apart(a, b)]
    if not places:
        return None
    (start, end), other = min(places, key=lambda pair: abs(pair[0][0] - pair[1][0]))
    if head.lower() in _PRONOUNS:
        word = _NAMED.get(head.lower(), "{}").format(name)
        grown = len(word) - (end - start)
        text = text[:start] + word + text[end:]
        end = start + len(name)
        if other[0] > start:
            other = (other[0] + grown, other[1] + grown)
    return Row(text, (start, end), other, (), source=SOURCE)


def _places(text: str, name: str) -> list[Span]:
    return [found.span() for found in re.finditer(rf"(?<!\w){re.escape(name)}(?!\w)", text)]
