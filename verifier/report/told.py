"""Verdicts for somebody who waits, sentence by sentence; what the rest of the text changes is told again."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import TypeVar

from kgstore.verifier.claims import Claim, Passage, Verdict
from kgstore.verifier.read.coverage import Outline
from kgstore.verifier.report.moved import moved


@dataclass(frozen=True, slots=True)
class Told:
    """The verdicts on one sentence, in reading order; none where no claim was read.

    :param start: offset of the sentence, to ``end``, where the next one starts
    :param again: these take the place of all that was told of claims which start in the sentence
    """

    start: int
    end: int
    verdicts: tuple[Verdict, ...]
    again: bool = False

    def moved(self, by: int) -> Told:
        """The same with all offsets raised by so many characters."""
        verdicts = tuple(moved(one, by) for one in self.verdicts)
        return replace(self, start=self.start + by, end=self.end + by, verdicts=verdicts)


Spanning = TypeVar("Spanning", Claim, Passage, Verdict)


def sentences(outline: Outline) -> list[int]:
    """Where the sentences of a text start, the first of them at 0, so that all of it is in one of them.

    >>> from kgstore.verifier.read.coverage import Stretch
    >>> sentences(Outline(" Ann lives. -- Bob, too.", (Stretch(1, 11), Stretch(12, 14), Stretch(15, 24))))
    [0, 15]
    """
    said = [one.start for one in outline.stretches if any(map(str.isalnum, outline.text[one.start : one.end]))]
    return [0, *said[1:]]


def apart(starts: list[int], found: Iterable[Spanning]) -> list[list[Spanning]]:
    """What starts in each of the sentences."""
    parts: list[list[Spanning]] = [[] for _ in starts]
    for one in found:
        parts[bisect_right(starts, _start(one)) - 1].append(one)
    return parts


def _start(one: Claim | Passage | Verdict) -> int:
    return one.claim.start if isinstance(one, Verdict) else one.start


@dataclass(slots=True)
class Telling:
    """What was told of one text so far: the verdicts by where their claims start, up to which offset."""

    known: dict[int, list[Verdict]] = field(default_factory=dict)
    end: int = 0

    def news(self, one: Told) -> Iterator[Told]:
        """The sentence, unless just that was told of it before."""
        again = one.start < self.end
        before = [told for at in range(one.start, min(one.end, self.end)) for told in self.known.pop(at, ())]
        for verdict in one.verdicts:
            self.known.setdefault(verdict.claim.start, []).append(verdict)
        self.end = max(self.end, one.end)
        if not again or _said(before) != _said(one.verdicts):
            yield replace(one, again=again)


def _said(verdicts: Iterable[Verdict]) -> list[tuple[object, ...]]:
    """What a reader is shown of them."""
    shown = [
        (one.claim.start, one.claim.end, one.claim.head.text, one.claim.relation, one.claim.tail.text, one.label,
         one.correction)
        for one in verdicts
    ]  # fmt: skip
    return sorted(shown, key=repr)
