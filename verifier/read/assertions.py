"""What the relation reader makes of a text, and one list of verdicts of it and of the grammar's.

A sure reading becomes a claim of one property, and the tiers decide it as any other. It comes in where the grammar
found nothing between the two places, or nothing that it could decide. And the reader is heard on what the grammar
decided: a verdict that rests on words which the reader does not take to say so stays open.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from verifier.claims import Claim, Label, Mention, Passage, Role, Verdict
from verifier.judges.labels import ENTAILS
from verifier.protocols import Judge
from verifier.read.asking import Span
from verifier.read.guide import Asked, Guide, named_in

METHOD = "reader"
SUPPORTED = 0.5
"""P(asserted) from which a statement of the KG supports what the sentence says."""
ACCUSED = 0.9
"""The same for another value of the KG that contradicts it."""
BEHIND = 0.1
"""So much less likely than another relation between the same two, a reading supports nothing."""
DOUBTED, DENIED = 0.02, 0.05
"""Below these the reader denies that the words say what the grammar read: supported, contradicted by the KG."""
_DOUBT = re.compile(
    r"\b(?:not|never|no longer|neither|nor|cannot|without|unless|whether|if|may|might|could|would|perhaps|possibly|"
    r"probably|allegedly|reportedly|supposedly|rumou?red|alleged|planned|refused|declined|denied|failed|false)\b|n['’]t\b",
    re.IGNORECASE,
)
_BEFORE = 40
"""Characters before the two places in which a word may deny what is said of them."""


@dataclass(frozen=True, slots=True)
class Assertion:
    """That a sentence asserts a relation.

    :param sure: P(asserted)
    :param ahead: how much more likely than the likeliest of the others between the two; 0 for the best, else negative
    """

    claim: Claim
    sure: float
    ahead: float


def assertions(
    text: str, passages: Sequence[Passage], guide: Guide, reader: Judge, least: float = SUPPORTED
) -> tuple[list[Assertion], dict[tuple[Span, Span, str], float]]:
    """What the sentences assert, as far as the KG has something to say of it; and all that was read, for the grammar.

    :param least: P(asserted) from which a reading counts
    :return: the second: the spans of head and tail and the property -> P(asserted)
    """
    named = named_in(passages)
    asked = [
        (one, iri)
        for passage in passages
        for one in guide.questions(text, passage, named)
        if not _doubtful(text, one)
        for iri in one.properties
    ]
    shares = _read(reader, [guide.said(one, iri) for one, iri in asked])
    heard = {(_span(one.head), _span(one.tail), iri): share for (one, iri), share in zip(asked, shares, strict=True)}
    sure = [(one, iri, share) for (one, iri), share in zip(asked, shares, strict=True) if share >= least]
    rivals = [(one, other) for one, iri, _ in sure for other in guide.near(iri) if other not in one.properties]
    against = _read(reader, [guide.said(*each) for each in rivals])
    for (one, other), share in zip(rivals, against, strict=True):
        heard[_span(one.head), _span(one.tail), other] = share
    found = []
    for one, iri, share in sure:
        others = [heard[_span(one.head), _span(one.tail), other] for other in (*one.properties, *guide.near(iri))]
        found.append(Assertion(_claim(text, one, iri, guide), share, share - max(others)))
    return found, heard


def _read(reader: Judge, pairs: Sequence[tuple[str, str]]) -> list[float]:
    return [float(share) for share in reader.judge(pairs)[:, ENTAILS]] if pairs else []


def joined(
    verdicts: Sequence[Verdict], made: Sequence[Assertion], decide: Callable[[Claim], Verdict]
) -> list[Verdict]:
    """The grammar's verdicts and what the reader adds to them, in reading order; no two places twice."""
    kept = list(verdicts)
    for one in sorted(made, key=lambda each: -each.sure):
        if one.ahead < -BEHIND:
            continue
        verdict = decide(one.claim)
        if verdict.label is Label.EXTRAPOLATORY or (verdict.label is Label.CONTRADICTORY and not _accuses(one)):
            continue
        same = [other for other in kept if _same(other.claim, one.claim)]
        if any(other.claim.negated or other.label is Label.ATTRIBUTABLE for other in same):
            continue
        if verdict.label is Label.CONTRADICTORY and _explained(one.claim, kept):
            continue
        kept = [other for other in kept if other not in same]
        method = f"{METHOD}:{verdict.method.partition(':')[2]}"
        kept.append(replace(verdict, method=method, scores={**verdict.scores, METHOD: round(one.sure, 4)}))
    return sorted(kept, key=lambda each: each.claim.start)


def _accuses(one: Assertion) -> bool:
    return one.ahead >= 0 and one.sure >= ACCUSED


def _explained(claim: Claim, kept: Sequence[Verdict]) -> bool:
    """Is the tail what something else that the sentence says of the head rightly has?"""
    return any(
        other.label is Label.ATTRIBUTABLE and _overlap(other.claim.tail, claim.tail) and _one_head(other.claim, claim)
        for other in kept
    )


def withheld(verdict: Verdict, heard: dict[tuple[Span, Span, str], float]) -> Verdict:
    """The verdict; open where the reader does not take the words to say it."""
    if verdict.relation is None or verdict.claim.bridge or verdict.claim.measure or verdict.claim.negated:
        return verdict
    sure = heard.get((_span(verdict.claim.head), _span(verdict.claim.tail), verdict.relation))
    needed = DENIED if verdict.label is Label.CONTRADICTORY else DOUBTED
    if sure is None or verdict.label is Label.EXTRAPOLATORY or sure >= needed:
        return verdict
    return replace(
        verdict,
        label=Label.EXTRAPOLATORY,
        method=METHOD,
        evidence=tuple(replace(one, role=Role.RELATED) for one in verdict.evidence),
        reason=f"the words do not seem to say this ({sure:.2f} by the reader); {verdict.reason}",
        scores={**verdict.scores, METHOD: round(sure, 4)},
    )


def _claim(text: str, one: Asked, iri: str, guide: Guide) -> Claim:
    start, end = min(one.head.start, one.tail.start), max(one.head.end, one.tail.end)
    label = guide.aligner.properties[iri].label
    return Claim(start, end, text[start:end], one.head, label, one.tail, property=iri)


def _doubtful(text: str, one: Asked) -> bool:
    start, end = min(one.head.start, one.tail.start), max(one.head.end, one.tail.end)
    return _DOUBT.search(text, max(0, start - _BEFORE), end) is not None


def _span(mention: Mention) -> Span:
    return mention.start, mention.end


def _overlap(one: Mention, other: Mention) -> bool:
    return one.start < other.end and other.start < one.end


def _one_head(one: Claim, other: Claim) -> bool:
    same = one.head.candidates[:1] == other.head.candidates[:1] and bool(one.head.candidates)
    return same or _overlap(one.head, other.head)


def _same(one: Claim, other: Claim) -> bool:
    """Do both claims speak of the same two, in either direction?"""
    if one.bridge or one.measure is not None:
        return False
    if _overlap(one.tail, other.tail) and _one_head(one, other):
        return True
    return _overlap(one.tail, other.head) and _overlap(one.head, other.tail)
