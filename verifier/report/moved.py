"""Verdicts on a part of a text, as verdicts on the whole."""

from __future__ import annotations

from dataclasses import replace

from kgstore.verifier.claims import Claim, Mention, Verdict


def moved(verdict: Verdict, by: int) -> Verdict:
    """The verdict with all its offsets raised by so many characters."""
    edit = verdict.correction
    edit = edit and replace(edit, start=edit.start + by, end=edit.end + by)
    return replace(verdict, claim=_claim(verdict.claim, by), correction=edit)


def _claim(claim: Claim, by: int) -> Claim:
    measure = claim.measure
    if measure is not None and measure.things is not None:
        measure = replace(measure, things=_mention(measure.things, by))
    head, tail = _mention(claim.head, by), _mention(claim.tail, by)
    return replace(claim, start=claim.start + by, end=claim.end + by, head=head, tail=tail, measure=measure)


def _mention(mention: Mention, by: int) -> Mention:
    span = mention.refers_to
    return replace(
        mention,
        start=mention.start + by,
        end=mention.end + by,
        refers_to=span and (span[0] + by, span[1] + by),
    )
