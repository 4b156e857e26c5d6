"""Pairs of premise and hypothesis with what is known of their relation, read from files."""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import orjson

from kgstore.errors import InputError
from kgstore.verifier.measure import reviews

LABELS = ("entailment", "neutral", "contradiction")
"""The judge's classes, in the order of its outputs."""
OPEN_LICENCES = frozenset(("permissive", "permissive-mixed", "share-alike"))
"""Licence classes of rows that weights which are passed on may be trained on."""
_ALLOWED = {
    "entailment": (0,), "neutral": (1,), "contradiction": (2,), "not_entailment": (1, 2), "not_contradiction": (0, 1)
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Pair:
    """One row to learn from, or to be measured on.

    :param allowed: numbers of the classes (see `LABELS`) that are right: more than one where the source is binary
    """

    premise: str
    hypothesis: str
    allowed: tuple[int, ...]
    source: str


def read_pairs(path: Path, licences: frozenset[str] | None = None) -> Iterator[Pair]:
    """The rows of a file of JSON lines (also ``.gz``) with ``premise``, ``hypothesis``, ``label`` and ``source``, or
    of reviews of `kgstore serve`.

    :param licences: only rows whose ``licence`` is one of these
    :raises InputError: at the first line that is no such row
    """
    open_ = gzip.open if path.suffix == ".gz" else open
    with open_(path, "rb") as lines:
        reviewed = _reviewed(path) if reviews.holds(path) else None
        for number, line in enumerate(lines, 1):
            try:
                row = orjson.loads(line)
                if reviewed is not None and row["id"] not in reviewed:
                    continue
                pair = Pair(row["premise"], row["hypothesis"], _ALLOWED[row["label"]], row.get("source", path.stem))
            except (ValueError, KeyError, TypeError) as error:
                expected = 'each line needs "premise", "hypothesis" and "label"'
                raise InputError(f"{path}, line {number}: {error!r}", expected) from None
            if licences is None or row.get("licence") in licences:
                yield pair


def _reviewed(path: Path) -> set[str]:
    """The reviews of a file that count: each claim's last, if there was something to judge by."""
    return {row["id"] for row in reviews.latest(reviews.read(path)) if row["premise"]}


def part_of(text: str, parts: int = 10) -> int:
    """Which of so many parts a text belongs to, the same on every machine.

    >>> part_of("A cat sleeps."), part_of("A cat sleeps.", 2)
    (7, 1)
    """
    return int.from_bytes(hashlib.md5(text.encode(), usedforsecurity=False).digest()[:8], "big") % parts
