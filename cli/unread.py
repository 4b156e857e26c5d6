"""What of the texts was not read, in one line."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
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


def told(found: Iterable[Json]) -> str:
    """How many sentences of one or more texts were read, and why the others were not; empty where there are none.

    >>> told([{"language": "en", "sentences": 3, "read": 1, "unread": [{"why": "question"}, {"why": "question"}]}])
    'read 1 of 3 sentences; 2 not: question (2)'

    :param found: the coverage of each report
    """
    found = list(found)
    sentences = sum(one["sentences"] for one in found)
    reasons: dict[str, list[str]] = defaultdict(list)
    for one in found:
        for unread in one["unread"]:
            reasons[kind(unread["why"])].append(unread["why"])
    line = f"read {sum(one['read'] for one in found):,} of {count(sentences, 'sentence')}" if sentences else ""
    if reasons:
        ordered = sorted(reasons.values(), key=lambda whys: -len(whys))
        line += f"; {sum(map(len, ordered)):,} not: {', '.join(map(_reason, ordered))}"
    others = sorted({name_of(one["language"]) for one in found if is_other(one["language"])})
    if others and OTHER_LANGUAGE not in reasons:
        line += f"; written in {' and '.join(others)}, and only English is understood"
    return line


def kind(why: str) -> str:
    """A reason without what it names.

    >>> kind("no relation recognised between Ann and Oslo"), kind("in another language: German")
    ('no relation recognised', 'in another language')
    """
    return why.partition(": ")[0].partition(" between ")[0]


def _reason(whys: list[str]) -> str:
    """What sentences have in common, and how many they are."""
    shared = whys[0] if len(set(whys)) == 1 else kind(whys[0])
    return shared if len(whys) == 1 else f"{shared} ({len(whys):,})"
