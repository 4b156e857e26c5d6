"""What a sentence says to whoever reads it ("you may recall", "we all know") is no claim beside what it tells.

Where nothing else in the sentence is decided it stays, open, so that no sentence is passed over in silence.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from kgstore.verifier.claims import Label, Passage, Verdict
from kgstore.verifier.english.words import words

_ANYBODY = words("pronouns.speakers") | words("pronouns.subjects")


def without_asides(verdicts: Sequence[Verdict], passages: Iterable[Passage]) -> list[Verdict]:
    """The verdicts of one text, less those on what is said of "you", "we" or an "it" that stands for nothing.

    :param passages: its sentences
    """
    spans = [(one.start, one.end) for one in passages]
    told = {at for at in spans if any(_within(one, at) and one.label is not Label.EXTRAPOLATORY for one in verdicts)}
    return [one for one in verdicts if not (_is_aside(one) and any(_within(one, at) for at in told))]


def _is_aside(verdict: Verdict) -> bool:
    head = verdict.claim.head
    named = head.candidates or head.refers_to is not None
    return verdict.label is Label.EXTRAPOLATORY and not named and bool({head.text, head.text.lower()} & _ANYBODY)


def _within(verdict: Verdict, span: tuple[int, int]) -> bool:
    return span[0] <= verdict.claim.start < span[1]
