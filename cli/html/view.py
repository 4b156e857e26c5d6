"""What a page shows of a report, worked out from its JSON form (``kgstore.report/1``)."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from kgstore.cli.html.graph import Graph, contrast, path_graph
from kgstore.cli.unread import coverages, told
from kgstore.cli.verdicts import LOOK

Json = Mapping[str, Any]

MARGIN = 40
"""Characters shown on either side of a correction that is not within its claim."""

UNDECIDED = "there is evidence on the matter, but it leaves this open"
"""Why a claim is open where the report gives no ``why_not``."""

MEANING = {
    "kas": "Attribution of the whole text (ClaimVer): 0 contradicted, 0.5 neither, 1 borne out. Every "
    "supported claim adds to it, so a long text comes near 1 in spite of some errors: read it beside the counts.",
    "fd": "Factuality degree (Factum): how near, on average, the best matching statement of the KG comes to each fact "
    "of the text, 0 to 1.",
    "kernel": "Likeness of the graph of what is said and that of the evidence (KEA, Weisfeiler-Lehman kernel), 0 to 1.",
    "tms": "Triplets match (ClaimVer): how closely the statements match the words and entities of the claim, 0 to 1.",
    "nli": "What the judge says of the claim, given the evidence: entails, neutral, contradicts.",
    "similarity": "Cosine of the claim and the closest statement about its subject (Factum), 0 where there is none.",
}
OF_CLAIM = {**MEANING, "kas": "Attribution (ClaimVer) of this claim alone: 0 contradicted, 0.5 neither, 1 borne out."}


@dataclass(frozen=True, slots=True)
class Piece:
    """Characters of the text that the same claims cover.

    :param claims: numbers of those claims, 1 the first; the worst label's first
    :param label: the worst label among them, empty without any
    :param ends: numbers of the claims that end with this piece
    :param why: why the sentence was not read, empty where it was
    """

    text: str
    claims: tuple[int, ...]
    label: str
    ends: tuple[int, ...]
    why: str = ""


@dataclass(frozen=True, slots=True)
class Change:
    """``old`` is replaced by ``new``; ``before`` and ``after`` stay."""

    before: str
    old: str
    new: str
    after: str = ""


@dataclass(frozen=True, slots=True)
class Entity:
    """:param mentions: the words of the text that name it, each once; ``score``: of the least certain of them"""

    id: str
    label: str
    description: str
    mentions: tuple[str, ...]
    score: float


@dataclass(frozen=True, slots=True)
class ClaimView:
    """One claim as its card shows it; ``raw`` is the report's own."""

    number: int
    raw: Json
    change: Change | None
    graph: Graph | None
    paths: tuple[tuple[Graph | None, Sequence[Json]], ...]
    sums: tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class ReportView:
    """One text as its section shows it.

    :param counts: label -> claims, all three labels
    :param reasons: why claims are not decided, with their numbers; the commonest first
    :param changes: the whole text with its corrections, the last of them with what follows; empty if there are none
    :param overlapping: corrections left out of ``changes`` because others touch the same words
    :param read: how many sentences were read, and why not the others; empty if that is not known
    """

    number: int
    raw: Json
    title: str
    counts: dict[str, int]
    pieces: tuple[Piece, ...]
    claims: tuple[ClaimView, ...]
    entities: tuple[Entity, ...]
    reasons: tuple[tuple[str, tuple[int, ...]], ...]
    changes: tuple[Change, ...]
    overlapping: int
    read: str = ""

    @property
    def decided(self) -> int:
        return len(self.claims) - self.counts["extrapolatory"]


def view(report: Json, number: int) -> ReportView:
    """:param report: as `verifier.report.report.report_dict` makes it; ``number``: 1 for the first text of the page"""
    text, claims = report["text"], report["claims"]
    counts = Counter(claim["label"] for claim in claims)
    changes, overlapping = all_changes(text, claims)
    return ReportView(
        number,
        report,
        title="" if report.get("id") is None else str(report["id"]),
        counts={label: counts[label] for label in LOOK},
        pieces=tuple(pieces(text, claims, (report.get("coverage") or {}).get("unread", ()))),
        claims=tuple(_claim(at, claim, report) for at, claim in enumerate(claims, 1)),
        entities=tuple(entities(report.get("entities") or ())),
        reasons=tuple(reasons(claims)),
        changes=tuple(changes),
        overlapping=overlapping,
        read=told(coverages([report])),
    )


def _claim(number: int, claim: Json, report: Json) -> ClaimView:
    features = (claim.get("features") or {}).values()
    weighed = [[feature["value"] * weight for weight in feature["weights"]] for feature in features]
    sums = [sum(column) for column in zip(*weighed, strict=True)] if weighed else [0.0, 0.0, 0.0]
    return ClaimView(
        number,
        claim,
        change(report["text"], claim),
        contrast(claim, report),
        tuple((path_graph(path), path) for path in claim.get("paths") or () if path),
        (sums[0], sums[1], sums[2]),
    )


def pieces(text: str, claims: Sequence[Json], unread: Sequence[Json] = ()) -> list[Piece]:
    """The text cut wherever a claim, or a sentence that was not read, starts or ends; claims may overlap, and lie
    within each other.

    >>> both = [{"start": 0, "end": 3, "label": "attributable"}, {"start": 1, "end": 3, "label": "contradictory"}]
    >>> [(one.text, one.claims, one.label, one.ends) for one in pieces("abcd", both)]
    [('a', (1,), 'attributable', ()), ('bc', (2, 1), 'contradictory', (1, 2)), ('d', (), '', ())]
    """
    worst = list(LOOK)
    starts, ends = defaultdict(list), defaultdict(list)
    for number, claim in enumerate(claims, 1):
        starts[claim["start"]].append(number)
        ends[claim["end"]].append(number)
    whys = {one["start"]: (one["end"], one["why"]) for one in unread}
    bounds = {*starts, *ends, *whys, *(end for end, _ in whys.values())}
    reason = 0, ""
    found = [Piece("", (), "", tuple(ends[0]))] if 0 in ends else []  # claims of no words at all, at the very start
    active: set[int] = set()
    for left, right in pairwise(sorted({0, len(text), *bounds})):
        reason = whys.get(left, reason)
        active = active.union(starts[left]).difference(ends[left])
        order = sorted(active, key=lambda one: (-worst.index(claims[one - 1]["label"]), one))
        label = claims[order[0] - 1]["label"] if order else ""
        cut = left + (left > 0 and text[left - 1:left + 1] == "\r\n")  # one line end, cut in two
        why = reason[1] if left < reason[0] else ""
        found.append(Piece(text[cut:right], tuple(order), label, tuple(ends.get(right, ())), why))
    return found


def change(text: str, claim: Json) -> Change | None:
    """The claim's words with its correction; a correction elsewhere stands among the words around it."""
    edit = claim.get("correction")
    if not edit:
        return None
    start, end = edit["start"], edit["end"]
    within = claim["start"] <= start and end <= claim["end"]
    left, right = (claim["start"], claim["end"]) if within else (max(0, start - MARGIN), end + MARGIN)
    return Change(text[left:start], text[start:end], edit["text"], text[end:right])


def all_changes(text: str, claims: Sequence[Json]) -> tuple[list[Change], int]:
    """The whole text with its corrections, each with what stands before it; where two touch, the surer one stays.

    :return: the changes; how many corrections were left out
    """
    edits: dict[tuple[int, int, str], float] = {}
    for claim in claims:
        if edit := claim.get("correction"):
            key = edit["start"], edit["end"], edit["text"]
            edits[key] = max(edits.get(key, 0.0), claim["confidence"])
    kept: list[tuple[int, int, str]] = []
    for one in sorted(edits, key=lambda edit: -edits[edit]):
        if all(one[1] <= other[0] or other[1] <= one[0] for other in kept):
            kept.append(one)
    kept.sort()
    changes, done = [], 0
    for start, end, new in kept:
        changes.append(Change(text[done:start], text[start:end], new))
        done = end
    if changes:
        changes[-1] = replace(changes[-1], after=text[done:])
    return changes, len(edits) - len(kept)


def reasons(claims: Sequence[Json]) -> list[tuple[str, tuple[int, ...]]]:
    """Why claims are not decided, the commonest reason first, with the numbers of the claims."""
    groups: dict[str, list[int]] = defaultdict(list)
    for number, claim in enumerate(claims, 1):
        if claim["label"] == "extrapolatory":
            groups[(claim.get("why_not") or UNDECIDED).partition(":")[0]].append(number)
    return sorted(((why, tuple(numbers)) for why, numbers in groups.items()), key=lambda one: -len(one[1]))


def entities(mentions: Sequence[Json]) -> list[Entity]:
    """The linked entities in the order of the text, each once."""
    groups: dict[str, list[Json]] = defaultdict(list)
    for mention in mentions:
        groups[mention["id"]].append(mention)
    return [
        Entity(
            name,
            found[0]["label"],
            found[0]["description"],
            tuple(dict.fromkeys(" ".join(one["text"].split()) for one in found)),
            min(one["score"] for one in found),
        )
        for name, found in groups.items()
    ]
