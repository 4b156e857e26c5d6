"""What many reports come to: how many texts and claims have which label, and about what the texts are wrong."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from kgstore.cli.render import count
from kgstore.cli.unread import Read, coverages
from kgstore.cli.verdicts import LOOK

MOST = 5
"""Entities that are named in words."""
LISTED = 100
"""Entities that JSON has."""
NO_CLAIMS = "no_claims"


@dataclass(slots=True)
class Totals:
    """
    :param read: what was read of the texts
    :param contradicted: how often the KG contradicts what is said of an entity, by its id
    """

    texts: Counter[str] = field(default_factory=Counter)
    claims: Counter[str] = field(default_factory=Counter)
    read: Read = field(default_factory=Read)
    contradicted: Counter[str] = field(default_factory=Counter)
    names: dict[str, str] = field(default_factory=dict)

    def add(self, report: Mapping[str, Any]) -> None:
        self.texts[report["label"]] += 1
        for coverage in coverages([report]):
            self.read.add(coverage)
        for claim in report["claims"]:
            self.claims[claim["label"]] += 1
            against = [one for one in claim["evidence"] if one["role"] == "contradicts"]
            if claim["label"] == "contradictory" and against:
                about = against[0]["subject"]
                self.contradicted[about] += 1
                self.names[about] = against[0]["labels"][0]

    @property
    def worst(self) -> int:
        """Place in `LOOK` of the worst label of a claim; 0 where there is no claim."""
        return max((place for place, label in enumerate(LOOK) if self.claims[label]), default=0)

    def as_dict(self) -> dict[str, Any]:
        claims = self.claims.total()
        return {
            "texts": {label: self.texts[label] for label in (*LOOK, NO_CLAIMS)},
            "claims": {
                label: {"count": self.claims[label], "share": self.claims[label] / claims if claims else None}
                for label in LOOK
            },
            "sentences": self.read.sentences,
            "read": self.read.read,
            "contradicted": [
                {"id": about, "label": self.names[about], "claims": times} for about, times in self._worst_of(LISTED)
            ],
        }

    def lines(self) -> list[str]:
        """
        >>> totals = Totals(Counter(attributable=2, no_claims=1), Counter(attributable=3, contradictory=1))
        >>> totals.lines()[0]
        '3 texts: 2 attributable, 1 without claims'
        >>> totals.lines()[1]
        '4 claims: 75.0 % attributable, 0.0 % extrapolatory, 25.0 % contradictory'
        """
        words = [f"{self.texts[one]:,} {one}" for one in LOOK if self.texts[one]]
        words += [f"{self.texts[NO_CLAIMS]:,} without claims"] if self.texts[NO_CLAIMS] else []
        said = [": ".join(filter(None, (count(self.texts.total(), "text"), ", ".join(words))))]
        if claims := self.claims.total():
            shares = ", ".join(f"{100 * self.claims[one] / claims:.1f} % {one}" for one in LOOK)
            said.append(f"{count(claims, 'claim')}: {shares}")
        if self.contradicted:
            worst = (f"{self.names[about]} ({about}) {times:,}" for about, times in self._worst_of(MOST))
            said.append(f"most contradicted: {', '.join(worst)}")
        return said

    def _worst_of(self, most: int) -> list[tuple[str, int]]:
        return sorted(self.contradicted.items(), key=lambda one: (-one[1], one[0]))[:most]
