"""Every labelled claim beside the verdict that it got: what all measures and tables are made of."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from kgstore.verifier.claims import WORST_FIRST, Label
from kgstore.verifier.measure.labelled import Json, kind_of
from kgstore.verifier.measure.metrics import match_spans

Reports = Mapping[str, Json]

NO_CLAIMS, MISSING, NOT_FOUND, NO_CLAIM = "no_claims", "missing", "not found", "no claim"
A, E, C = (label.value for label in Label)


@dataclass(frozen=True, slots=True)
class Judged:
    """One labelled claim and what was made of it.

    :param row: position of its row among the labelled rows
    :param gold: its label; ``no claim`` where a passage has none there
    :param got: the verdict's label; ``not found`` where a claim of a passage was missed, ``missing`` without a report
    :param right: in binary sets, whether the verdict is attributable exactly where the label is
    :param accusation: called contradictory without being so; in binary sets only what is attributable can be accused
    :param source: the labelled row, and within a passage what the claim adds to it
    :param verdict: the claim of the report that decided, as JSON; empty where there is none
    """

    row: int
    text: str
    gold: str
    got: str
    right: bool
    accusation: bool
    source: Json
    verdict: Json

    @property
    def method(self) -> str:
        """The tier that decided, ``not found`` or ``missing`` where none did."""
        return self.verdict.get("method") or (self.got if self.got in (MISSING, NOT_FOUND) else "no claim found")

    @property
    def labelled(self) -> bool:
        """False for what was found in a passage beside its labelled claims."""
        return self.gold != NO_CLAIM

    @property
    def compared(self) -> bool:
        """Whether a label stands beside a verdict here; a text in which nothing is claimed counts as extrapolatory."""
        return self.labelled and self.got not in (MISSING, NOT_FOUND)

    @property
    def decided(self) -> bool:
        return self.got in (A, C)


def judged(gold: Sequence[Json], reports: Reports) -> list[Judged]:
    """All labelled claims in the order of the rows; after a passage's own claims those found beside them.

    Empty for rows of the kind ``context``, which are measured by their scores only.
    """
    kind = kind_of(gold) if gold else "labels"
    if kind == "context":
        return []
    if kind == "passages":
        return [one for i, row in enumerate(gold) for one in _passage(i, row, reports.get(row["id"]))]
    return [_text(i, row, reports.get(row["id"]), kind) for i, row in enumerate(gold)]


def text_label(report: Json | None) -> str:
    """The worst label of a report's claims; extrapolatory where it claims nothing, ``missing`` without a report."""
    if report is None:
        return MISSING
    label = report.get("label")
    if label is None:
        labels = {claim["label"] for claim in report["claims"]}
        label = next((one.value for one in WORST_FIRST if one in labels), NO_CLAIMS)
    return E if label == NO_CLAIMS else label


def p_attributable(report: Json) -> float:
    """The least P(attributable) of a report's claims, 0 without claims."""
    return min((probabilities(claim)[0] for claim in report["claims"]), default=0.0)


def probabilities(verdict: Json) -> tuple[float, float, float]:
    """Attributable, extrapolatory, contradictory; a verdict that states none is sure of its label."""
    stated = verdict.get("probabilities")
    a, e, c = ((stated.get(one, 0.0) if stated else float(verdict["label"] == one)) for one in (A, E, C))
    return a, e, c


def confidence(verdict: Json) -> float:
    """The probability of the verdict's own label."""
    return probabilities(verdict)[(A, E, C).index(verdict["label"])]


def _text(i: int, row: Json, report: Json | None, kind: str) -> Judged:
    """A text of one claim. Where more were found, the one that decides is the least attributable of the worst."""
    got = text_label(report)
    right = got == row["label"]
    if kind == "binary" and got != MISSING:  # silence about a false claim is no error
        right = (got == A) == (row["label"] == A)
    accused = got == C and (row["label"] == A if kind == "binary" else row["label"] != C)
    deciding = [claim for claim in report["claims"] if claim["label"] == got] if report else []
    verdict: Json = min(deciding, key=lambda claim: probabilities(claim)[0], default={})
    return Judged(i, row["text"], row["label"], got, right, accused, row, verdict)


def _passage(i: int, row: Json, report: Json | None) -> Iterable[Judged]:
    claims = report["claims"] if report else []
    matches = match_spans(spans(row["claims"]), spans(claims))
    for right, match in zip(row["claims"], matches, strict=True):
        text, source = row["text"][right["start"] : right["end"]], {**row, **right, "id": row["id"]}
        if match is None:
            yield Judged(i, text, right["label"], NOT_FOUND if report else MISSING, False, False, source, {})
            continue
        got = claims[match]["label"]
        accused = got == C and right["label"] != C
        yield Judged(i, text, right["label"], got, got == right["label"], accused, source, claims[match])
    for place, claim in enumerate(claims):
        if place not in matches:
            accused = claim["label"] == C
            yield Judged(i, claim.get("text", ""), NO_CLAIM, claim["label"], False, accused, row, claim)


def spans(claims: Iterable[Json]) -> list[tuple[int, int]]:
    return [(claim["start"], claim["end"]) for claim in claims]
