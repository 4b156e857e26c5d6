"""What of the texts was not read, in one line."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from kgstore.cli.render import count
from kgstore.verifier.english.language import is_other, name_of
from kgstore.verifier.read.coverage import OTHER_LANGUAGE

Json = Mapping[str, Any]


def coverages(reports: Iterable[Json]) -> list[Json]:
    """Those of the reports that have one; stored ones may be older."""
    return [report["coverage"] for report in reports if report.get("coverage")]


def is_unread(coverage: Json) -> bool:
    """Was a sentence left unread, or is the text in another language?"""
    return bool(coverage["unread"]) or is_other(coverage["language"])


@dataclass(slots=True)
class Read:
    """What was read of many texts. It grows with the kinds of reasons, not with the texts.

    :param reasons: kind of reason -> how many sentences, and the reason itself while all of them have the same
    :param others: languages of texts that are in no language that is understood
    """

    texts: int = 0
    sentences: int = 0
    read: int = 0
    unread: bool = False
    reasons: dict[str, tuple[int, str | None]] = field(default_factory=dict)
    others: set[str] = field(default_factory=set)

    def add(self, coverage: Json) -> None:
        self.texts += 1
        self.sentences += coverage["sentences"]
        self.read += coverage["read"]
        self.unread = self.unread or is_unread(coverage)
        for one in coverage["unread"]:
            why = one["why"]
            times, same = self.reasons.get(kind(why), (0, why))
            self.reasons[kind(why)] = times + 1, same if same == why else None
        if is_other(coverage["language"]):
            self.others.add(name_of(coverage["language"]))

    def line(self) -> str:
        """See `told`."""
        line = f"read {self.read:,} of {count(self.sentences, 'sentence')}" if self.sentences else ""
        if self.reasons:
            ordered = sorted(self.reasons.items(), key=lambda one: -one[1][0])
            words = [(same or what) + (f" ({times:,})" if times > 1 else "") for what, (times, same) in ordered]
            line += f"; {sum(times for times, _ in self.reasons.values()):,} not: {', '.join(words)}"
        if self.others and OTHER_LANGUAGE not in self.reasons:
            line += f"; written in {' and '.join(sorted(self.others))}, and only English is understood"
        return line


def told(found: Iterable[Json]) -> str:
    """How many sentences of one or more texts were read, and why the others were not; empty where there are none.

    >>> told([{"language": "en", "sentences": 3, "read": 1, "unread": [{"why": "question"}, {"why": "question"}]}])
    'read 1 of 3 sentences; 2 not: question (2)'

    :param found: the coverage of each report
    """
    all_of_it = Read()
    for one in found:
        all_of_it.add(one)
    return all_of_it.line()


def kind(why: str) -> str:
    """A reason without what it names.

    >>> kind("no relation recognised between Ann and Oslo"), kind("in another language: German")
    ('no relation recognised', 'in another language')
    """
    return why.partition(": ")[0].partition(" between ")[0]

