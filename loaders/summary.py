"""What a load says while it runs, and when it is done."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from kgstore.layout import Manifest
from kgstore.loaders.protocol import Skipped

_SHOWN = 5


@dataclass(frozen=True, slots=True)
class Event:
    """How far a load is; comes a few times a second.

    :param part: ``read`` while a file is being read, else what is being done to the whole KG
    :param read: bytes of the file read so far (compressed), of ``total``; both 0 where unknown
    :param seconds: since the file, or the part, was begun
    """

    part: str
    path: str = ""
    read: int = 0
    total: int = 0
    entities: int = 0
    statements: int = 0
    triples: int = 0
    seconds: float = 0.0

    @property
    def rate(self) -> float:
        """Triples a second."""
        return self.triples / self.seconds if self.seconds else 0.0


def ignore(event: Event) -> None:
    """A report that goes nowhere."""


@dataclass(slots=True)
class Left:
    """How many were skipped for one reason, and where the first few were.

    :param where: (file, line, what)
    """

    count: int = 0
    where: list[tuple[str, int | None, str]] = field(default_factory=list)


@dataclass(slots=True)
class Summary:
    """What a load did.

    :param triples: written; the graph holds fewer where sources repeat each other (see the manifest's counts)
    :param skipped: by reason; one that starts with ``filter`` or ``truthy`` was asked for, others are faults
    :param seconds: by part: ``read`` (and load), ``index``
    :param peak_rss: bytes: the peak of this process plus that of the biggest process that read for it
    :param disk: bytes of the new generation
    :param unchanged: files that were not read again, because the killed load had finished them (``resume``)
    :param removed: triples of sources that these files replace
    :param continued: whether there was a killed load to continue
    :param incomplete: compressed files that end early; what comes before is loaded
    :param looks: the profile that fits the data, where the KG's own is another one and nobody chose it
    """

    entities: int = 0
    statements: int = 0
    triples: int = 0
    skipped: dict[str, Left] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)
    peak_rss: int = 0
    disk: int = 0
    files: int = 0
    unchanged: list[str] = field(default_factory=list)
    continued: bool = False
    removed: int = 0
    incomplete: list[str] = field(default_factory=list)
    looks: str = ""
    manifest: Manifest | None = None

    def count(self, path: str, skipped: Skipped) -> None:
        left = self.skipped.setdefault(skipped.reason, Left())
        left.count += skipped.count
        if len(left.where) < _SHOWN and (skipped.line is not None or skipped.what):
            left.where.append((path, skipped.line, skipped.what))

    def add(self, other: Summary) -> None:
        """Take in the counts of one file."""
        self.files += 1
        self.entities += other.entities
        self.statements += other.statements
        self.triples += other.triples
        for reason, left in other.skipped.items():
            total = self.skipped.setdefault(reason, Left())
            total.count += left.count
            total.where += left.where[: _SHOWN - len(total.where)]

    def faults(self) -> dict[str, int]:
        """How many were skipped for each reason that nobody asked for."""
        wanted = ("filter", "truthy")
        return {reason: left.count for reason, left in self.skipped.items() if not reason.startswith(wanted)}

    def counts(self) -> dict[str, Any]:
        """As JSON values, to go on from with `resumed`."""
        return {
            "entities": self.entities,
            "statements": self.statements,
            "triples": self.triples,
            "skipped": {reason: [left.count, left.where] for reason, left in self.skipped.items()},
        }

    @classmethod
    def resumed(cls, counts: dict[str, Any]) -> Summary:
        skipped = {
            reason: Left(count, [tuple(one) for one in where])  # type: ignore[misc]
            for reason, (count, where) in counts.get("skipped", {}).items()
        }
        return cls(counts.get("entities", 0), counts.get("statements", 0), counts.get("triples", 0), skipped)
