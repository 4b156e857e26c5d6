"""How good are the verdicts on labelled claims, and where they are wrong, why?

Four kinds of labelled rows, told apart by what they hold:

labels     ``label`` is attributable, extrapolatory or contradictory: per label, macro-F1, confusion, false accusations
binary     some ``label`` is not_attributable: ROC-AUC of P(attributable), false accusations of attributable claims
passages   ``claims`` with offsets: span F1 (overlap of one half or more), labels of the spans that were met
context    ``consistent`` 0 or 1: ROC-AUC and balanced accuracy, the threshold of each half tried on the other

A text without claims counts as extrapolatory, and its P(attributable) as 0; else that is the least of its claims'.
All kinds but the last also say how many claims are decided (``coverage``), how often rightly (``accuracy_of_decided``),
and whether confidence means what it says (``calibration_error`` over 10 bins of equal width, ``brier``).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field

import numpy as np

from kgstore.verifier.claims import Label
from kgstore.verifier.measure.bootstrap import Interval, intervals
from kgstore.verifier.measure.judged import NOT_FOUND, Judged, Reports, judged, p_attributable
from kgstore.verifier.measure.labelled import HALVES, Json, half_of, kind_of
from kgstore.verifier.measure.metrics import LabelScore, balanced_accuracy, best_threshold, label_score, roc_auc
from kgstore.verifier.measure.sample import sample


@dataclass(frozen=True, slots=True)
class Scores:
    """What `evaluate` found.

    :param kind: ``labels``, ``binary``, ``passages`` or ``context``
    :param missing: rows without a report; they count as wrong wherever a label is expected
    :param measures: name -> value, None where it is undefined: the kind decides which names there are
    :param labels: label -> precision, recall, F1, support
    :param confusion: gold label -> predicted label -> count
    :param intervals: name of a measure -> its 95 % interval, None where there is none, see `verifier.measure.bootstrap`
    """

    kind: str
    rows: int
    missing: int
    measures: dict[str, float | None]
    labels: dict[str, LabelScore] = field(default_factory=dict)
    confusion: dict[str, dict[str, int]] = field(default_factory=dict)
    intervals: dict[str, Interval | None] = field(default_factory=dict)

    def to_dict(self) -> Json:
        """Plain values, to print as JSON."""
        return asdict(self)


def evaluate(gold: Sequence[Json], reports: Reports, *, seconds: float | None = None) -> Scores:
    """Measure reports against labels.

    :param reports: id -> report as `kgstore.verifier.report.report.report_dict` makes it
    :param seconds: how long the verification took; without it the reports' own timings are added up
    :raises ValueError: if there is nothing to measure
    """
    if not gold:
        raise ValueError("no labelled rows")
    kind = kind_of(gold)
    missing = sum(row["id"] not in reports for row in gold)
    rates = _throughput(gold, reports, seconds)
    if kind == "context":
        return Scores(kind, len(gold), missing, _context(gold, reports) | rates)
    rows = sample(gold, reports)
    measures = {name: plain(values[0]) for name, values in rows.measures().items()}
    pairs = Counter((one.gold, one.got) for one in judged(gold, reports) if one.labelled)
    compared = {pair: n for pair, n in pairs.items() if pair[1] != NOT_FOUND}
    labels = {} if kind == "binary" else _label_scores(compared)
    return Scores(kind, len(gold), missing, measures | rates, labels, _table(pairs), intervals(rows))


def plain(value: float) -> float | None:
    return None if np.isnan(value) else float(value)


def _label_scores(pairs: Mapping[tuple[str, str], int]) -> dict[str, LabelScore]:
    """Scores of the labels that the gold has, from best to worst."""
    return {label.value: label_score(pairs, label) for label in Label if any(right == label for right, _ in pairs)}


def _table(pairs: Mapping[tuple[str, str], int]) -> dict[str, dict[str, int]]:
    table: dict[str, dict[str, int]] = {}
    for right, got in sorted(pairs, key=lambda pair: (_rank(pair[0]), _rank(pair[1]))):
        table.setdefault(right, {})[got] = pairs[right, got]
    return table


def _rank(label: str) -> tuple[int, str]:
    """Labels from best to worst, then anything else."""
    known = list(Label)
    return (known.index(Label(label)) if label in known else len(known)), label


def _context(gold: Sequence[Json], reports: Reports) -> dict[str, float | None]:
    halves: dict[str, list[tuple[float, bool]]] = {half: [] for half in HALVES}
    for row in gold:
        if row["id"] in reports:
            halves[half_of(row)].append((1 - p_attributable(reports[row["id"]]), bool(row["consistent"])))
    first, second = halves.values()
    risks = first + second
    tried = [balanced_accuracy(there, best_threshold(here)) for here, there in ((first, second), (second, first))]
    return {
        "balanced_accuracy": sum(tried) / 2,
        "roc_auc": roc_auc([risk for risk, good in risks if not good], [risk for risk, good in risks if good]),
    }


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

    Each has ``id, text, gold, got, method, why_not, reason, triple, accusation, gold_evidence``; ``gold`` is ``no
    claim`` where a passage has none there, ``got`` is ``not found`` where a claim of a passage was missed. Context rows
    have no errors.
    """
    for one in judged(gold, reports):
        if not one.right:
            yield _error(one, one.source["id"] in reports)


def _error(one: Judged, reported: bool) -> Json:
    silent = "no claim found" if reported else "no report"
    return {
        "id": one.source["id"],
        "text": one.text,
        "gold": one.gold,
        "got": one.got,
        "method": one.verdict.get("method", ""),
        "why_not": one.verdict.get("why_not") if one.verdict else silent,
        "reason": one.verdict.get("explanation", ""),
        "triple": one.verdict.get("triple"),
        "accusation": one.accusation,
        "gold_evidence": one.source.get("evidence", []),
    }


def causes(found: Iterable[Json]) -> Counter[tuple[str, str, str, str]]:
    """How often each (gold, got, method, why_not) is behind an error, to mend the commonest first."""
    return Counter((error["gold"], error["got"], error["method"], error["why_not"] or "") for error in found)
