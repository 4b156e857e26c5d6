"""How good are the verdicts on labelled claims, and where they are wrong, why?

Four kinds of labelled rows, told apart by what they hold:

labels     ``label`` is attributable, extrapolatory or contradictory: per label, macro-F1, confusion, false accusations
binary     some ``label`` is not_attributable: ROC-AUC of P(attributable), false accusations of attributable claims
passages   ``claims`` with offsets: span F1 (overlap of one half or more), labels of the spans that were met
context    ``consistent`` 0 or 1: ROC-AUC and balanced accuracy, the threshold of each half tried on the other

A text without claims counts as extrapolatory, and its P(attributable) as 0; else that is the least of its claims'.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

import orjson

from verifier.claims import WORST_FIRST, Label
from verifier.labelled import Json, kind_of
from verifier.metrics import LabelScore, balanced_accuracy, best_threshold, label_score, match_spans, roc_auc

Reports = Mapping[str, Json]

NO_CLAIMS, MISSING, NOT_FOUND = "no_claims", "missing", "not found"


@dataclass(frozen=True, slots=True)
class Scores:
    """What `evaluate` found.

    :param kind: ``labels``, ``binary``, ``passages`` or ``context``
    :param missing: rows without a report; they count as wrong wherever a label is expected
    :param measures: name -> value, None where it is undefined: the kind decides which names there are
    :param labels: label -> precision, recall, F1, support
    :param confusion: gold label -> predicted label -> count
    """

    kind: str
    rows: int
    missing: int
    measures: dict[str, float | None]
    labels: dict[str, LabelScore] = field(default_factory=dict)
    confusion: dict[str, dict[str, int]] = field(default_factory=dict)

    def to_dict(self) -> Json:
        """Plain values, to print as JSON."""
        return asdict(self)


def evaluate(gold: Sequence[Json], reports: Reports, *, seconds: float | None = None) -> Scores:
    """Measure reports against labels.

    :param reports: id -> report as `verifier.report.report_dict` makes it
    :param seconds: how long the verification took; without it the reports' own timings are added up
    :raises ValueError: if there is nothing to measure
    """
    if not gold:
        raise ValueError("no labelled rows")
    kind = kind_of(gold)
    scores = {"labels": _labels, "binary": _binary, "passages": _passages, "context": _context}[kind](gold, reports)
    missing = sum(row["id"] not in reports for row in gold)
    measures = scores.measures | _throughput(gold, reports, seconds)
    return Scores(kind, len(gold), missing, measures, scores.labels, scores.confusion)


def text_label(report: Json | None) -> str:
    """The worst label of a report's claims; extrapolatory where it claims nothing, ``missing`` without a report."""
    if report is None:
        return MISSING
    label = report.get("label")
    if label is None:
        labels = {claim["label"] for claim in report["claims"]}
        label = next((one.value for one in WORST_FIRST if one in labels), NO_CLAIMS)
    return Label.EXTRAPOLATORY.value if label == NO_CLAIMS else label


def p_attributable(report: Json) -> float:
    """The least P(attributable) of a report's claims, 0 without claims."""
    return min((_probability(claim) for claim in report["claims"]), default=0.0)


def _probability(claim: Json) -> float:
    return claim.get("probabilities", {}).get(Label.ATTRIBUTABLE, 1.0 if claim["label"] == Label.ATTRIBUTABLE else 0.0)


def _labels(gold: Sequence[Json], reports: Reports) -> Scores:
    pairs = Counter((row["label"], text_label(reports.get(row["id"]))) for row in gold)
    labels = _label_scores(pairs)
    measures: dict[str, float | None] = {
        "macro_f1": sum(score.f1 for score in labels.values()) / len(labels),
        "accuracy": sum(count for (right, got), count in pairs.items() if right == got) / len(gold),
        "false_accusations": _accusations(pairs),
    }
    return Scores("labels", len(gold), 0, measures, labels, _table(pairs))


def _label_scores(pairs: Mapping[tuple[str, str], int]) -> dict[str, LabelScore]:
    """Scores of the labels that the gold has, from best to worst."""
    return {label.value: label_score(pairs, label) for label in Label if any(right == label for right, _ in pairs)}


def _accusations(pairs: Mapping[tuple[str, str], int]) -> float:
    """Share of the claims that are not contradictory and were called so."""
    innocent = sum(count for (right, _), count in pairs.items() if right != Label.CONTRADICTORY)
    accused = sum(n for (right, got), n in pairs.items() if right != Label.CONTRADICTORY and got == Label.CONTRADICTORY)
    return accused / max(1, innocent)


def _table(pairs: Mapping[tuple[str, str], int]) -> dict[str, dict[str, int]]:
    table: dict[str, dict[str, int]] = {}
    for (right, got), count in sorted(pairs.items()):
        table.setdefault(right, {})[got] = count
    return table


def _binary(gold: Sequence[Json], reports: Reports) -> Scores:
    pairs = Counter((row["label"], text_label(reports.get(row["id"]))) for row in gold)
    scored = [(row["label"] == Label.ATTRIBUTABLE, p_attributable(reports[row["id"]]))
              for row in gold if row["id"] in reports]
    attributable = {pair: count for pair, count in pairs.items() if pair[0] == Label.ATTRIBUTABLE}
    measures = {
        "roc_auc": roc_auc([p for true, p in scored if true], [p for true, p in scored if not true]),
        "false_accusations": _accusations(attributable),
    }
    return Scores("binary", len(gold), 0, measures, {}, _table(pairs))


def _passages(gold: Sequence[Json], reports: Reports) -> Scores:
    met = claimed = found = 0
    pairs: Counter[tuple[str, str]] = Counter()
    for row in gold:
        claims = reports.get(row["id"], {"claims": []})["claims"]
        claimed, found = claimed + len(row["claims"]), found + len(claims)
        for right, i in zip(row["claims"], match_spans(_spans(row["claims"]), _spans(claims)), strict=True):
            met += i is not None
            pairs[right["label"], NOT_FOUND if i is None else claims[i]["label"]] += 1
    compared = {pair: count for pair, count in pairs.items() if pair[1] != NOT_FOUND}
    measures: dict[str, float | None] = {
        "span_f1": 2 * met / max(1, claimed + found),
        "span_precision": met / max(1, found),
        "span_recall": met / max(1, claimed),
        "label_accuracy": sum(count for (right, got), count in compared.items() if right == got) / max(1, met),
        "false_accusations": _accusations(compared),
    }
    return Scores("passages", len(gold), 0, measures, _label_scores(compared), _table(pairs))


def _spans(claims: Iterable[Json]) -> list[tuple[int, int]]:
    return [(claim["start"], claim["end"]) for claim in claims]


def _context(gold: Sequence[Json], reports: Reports) -> Scores:
    halves: tuple[list[tuple[float, bool]], list[tuple[float, bool]]] = ([], [])
    for row in gold:
        if row["id"] in reports:
            half = int(hashlib.md5(row["id"].encode(), usedforsecurity=False).hexdigest(), 16) % 2
            halves[half].append((1 - p_attributable(reports[row["id"]]), bool(row["consistent"])))
    risks = halves[0] + halves[1]
    tried = [balanced_accuracy(halves[1 - half], best_threshold(halves[half])) for half in (0, 1)]
    measures = {
        "balanced_accuracy": sum(tried) / 2,
        "roc_auc": roc_auc([risk for risk, good in risks if not good], [risk for risk, good in risks if good]),
    }
    return Scores("context", len(gold), 0, measures)


def _throughput(gold: Sequence[Json], reports: Reports, seconds: float | None) -> dict[str, float | None]:
    measured = [reports[row["id"]] for row in gold if row["id"] in reports]
    if seconds is None:
        seconds = sum(_milliseconds(report) for report in measured) / 1000
    claims = sum(len(report["claims"]) for report in measured)
    rates = (len(measured) / seconds, claims / seconds) if seconds > 0 else (None, None)
    return {"seconds": seconds, "texts_per_second": rates[0], "claims_per_second": rates[1]}


def _milliseconds(report: Json) -> float:
    timings = report.get("timings_ms") or {}
    return timings.get("total", sum(timings.values()))


# -- errors -----------------------------------------------------------------------------------------------------------


def errors(gold: Sequence[Json], reports: Reports) -> Iterator[Json]:
    """Every wrong verdict, in the order of the rows, with the tier that gave it and its reason.

    Each has ``id, text, gold, got, method, why_not, reason, accusation``; ``gold`` is ``no claim`` where a passage has
    none there, ``got`` is ``not found`` where a claim of a passage was missed. Context rows have no errors.
    """
    kind = kind_of(gold) if gold else "labels"
    for row in gold:
        report = reports.get(row["id"])
        if kind == "passages":
            yield from _passage_errors(row, report)
        elif kind != "context":
            got = text_label(report)
            wrong = got != row["label"]
            if kind == "binary":                                        # silence about a false claim is no error
                wrong = (got == Label.ATTRIBUTABLE) != (row["label"] == Label.ATTRIBUTABLE)
            if wrong or got == MISSING:
                claims = [claim for claim in report["claims"] if claim["label"] == got] if report else []
                yield _error(row, row["text"], row["label"], got, claims[0] if claims else None, report)


def _passage_errors(row: Json, report: Json | None) -> Iterator[Json]:
    claims = report["claims"] if report else []
    matches = match_spans(_spans(row["claims"]), _spans(claims))
    for right, i in zip(row["claims"], matches, strict=True):
        text = row["text"][right["start"]:right["end"]]
        if i is None:
            yield _error(row, text, right["label"], NOT_FOUND if report else MISSING, None, report)
        elif claims[i]["label"] != right["label"]:
            yield _error(row, text, right["label"], claims[i]["label"], claims[i], report)
    for i, claim in enumerate(claims):
        if i not in matches:
            yield _error(row, claim.get("text", ""), "no claim", claim["label"], claim, report)


def _error(row: Json, text: str, right: str, got: str, claim: Json | None, report: Json | None) -> Json:
    claim = claim or {}
    silent = "no report" if report is None else "no claim found"
    return {
        "id": row["id"], "text": text, "gold": right, "got": got,
        "method": claim.get("method", ""),
        "why_not": claim.get("why_not") if claim else silent,
        "reason": claim.get("explanation", ""),
        "triple": claim.get("triple"),
        "accusation": got == Label.CONTRADICTORY and right != Label.CONTRADICTORY,
        "gold_evidence": row.get("evidence", []),
    }


def causes(found: Iterable[Json]) -> Counter[tuple[str, str, str, str]]:
    """How often each (gold, got, method, why_not) is behind an error, to mend the commonest first."""
    return Counter((error["gold"], error["got"], error["method"], error["why_not"] or "") for error in found)


def write_errors(found: Iterable[Json], path: Path) -> int:
    """Write errors as JSON lines and return how many there were."""
    lines = [orjson.dumps(error) + b"\n" for error in found]
    path.write_bytes(b"".join(lines))
    return len(lines)
