"""Measures of labelled claims, each worked out by hand."""

from __future__ import annotations

import json

import pytest

from kgstore.errors import InputError
from kgstore.verifier.measure.evaluate import causes, errors, evaluate
from kgstore.verifier.measure.judged import p_attributable, text_label
from kgstore.verifier.measure.labelled import read_gold
from kgstore.verifier.measure.metrics import (
    balanced_accuracy,
    best_threshold,
    label_score,
    match_spans,
    overlap,
    roc_auc,
)

A, E, C = "attributable", "extrapolatory", "contradictory"


def claim(label: str, p: float = 1.0, start: int = 0, end: int = 10, **more: object) -> dict:
    return {"start": start, "end": end, "label": label, "probabilities": {A: p}, "method": "rule:x", "why_not": None,
            "explanation": "because", **more}


def report(*claims: dict, label: str | None = None, ms: float = 10.0) -> dict:
    worst = next((one for one in (C, E, A) if any(c["label"] == one for c in claims)), "no_claims")
    return {"label": label or worst, "claims": list(claims), "timings_ms": {"total": ms}}


def gold(*labels: str) -> list[dict]:
    return [{"id": str(i), "text": f"text {i}", "label": label} for i, label in enumerate(labels)]


def test_labels_are_scored_as_worked_out_by_hand():
    rows = gold(A, A, A, E, E, C, C)
    predicted = [[claim(A)], [claim(A)], [claim(C)], [], [claim(E)], [claim(C)], [claim(A)]]
    scores = evaluate(rows, {str(i): report(*claims) for i, claims in enumerate(predicted)})
    assert scores.kind == "labels"
    assert scores.measures["accuracy"] == pytest.approx(5 / 7)
    assert scores.labels[A].precision == pytest.approx(2 / 3)
    assert scores.labels[A].recall == pytest.approx(2 / 3)
    assert (scores.labels[E].f1, scores.labels[C].f1) == (1.0, 0.5)
    assert scores.measures["macro_f1"] == pytest.approx((2 / 3 + 1 + 0.5) / 3)
    assert scores.measures["false_accusations"] == pytest.approx(1 / 5)
    assert scores.confusion == {A: {A: 2, C: 1}, E: {E: 2}, C: {A: 1, C: 1}}
    assert scores.to_dict()["labels"][E]["support"] == 2


def test_a_missing_report_counts_against_its_label():
    scores = evaluate(gold(A, E), {"1": report()})
    assert (scores.missing, scores.measures["accuracy"], scores.labels[A].f1) == (1, 0.5, 0.0)
    assert scores.confusion[A] == {"missing": 1}


def test_macro_f1_is_over_the_labels_that_the_set_has():
    assert evaluate(gold(E, E), {"0": report(), "1": report(claim(A))}).measures["macro_f1"] == pytest.approx(2 / 3)


def test_a_text_is_as_good_as_its_worst_claim():
    assert text_label(report(claim(A), claim(E), claim(C))) == C
    assert text_label({"claims": [claim(A), claim(E)]}) == E
    assert text_label(report()) == E
    assert text_label(None) == "missing"
    assert p_attributable(report(claim(A, 0.9), claim(E, 0.3))) == 0.3
    assert p_attributable(report()) == 0.0
    assert p_attributable({"claims": [{"label": A}]}) == 1.0


def test_binary_sets_are_ranked_by_the_least_probability():
    rows = gold(A, A, "not_attributable", "not_attributable")
    got = {"0": report(claim(A, 0.9)), "1": report(claim(C, 0.4)), "2": report(claim(A, 0.4)), "3": report()}
    scores = evaluate(rows, got)
    assert scores.kind == "binary"
    assert scores.measures["roc_auc"] == pytest.approx(3.5 / 4)                     # pairs: 1, 1, 1/2, 1
    assert scores.measures["false_accusations"] == 0.5
    assert [(error["id"], error["got"]) for error in errors(rows, got)] == [("1", C), ("2", A)]


def passage(*claims: tuple[int, int, str]) -> dict:
    return {"id": "p", "text": "x" * 100, "claims": [{"start": s, "end": e, "label": label} for s, e, label in claims]}


def test_spans_of_a_passage_are_matched_by_half_their_overlap():
    row = passage((0, 10, A), (20, 30, C), (40, 50, E), (60, 70, A))
    found = report(claim(A, start=0, end=10), claim(E, start=20, end=35), claim(C, start=40, end=50),
                   claim(A, start=64, end=90), claim(A, start=91, end=99))
    scores = evaluate([row], {"p": found})
    assert scores.kind == "passages"
    assert scores.measures["span_f1"] == pytest.approx(2 * 3 / (4 + 5))
    assert scores.measures["label_accuracy"] == pytest.approx(1 / 3)
    assert scores.measures["false_accusations"] == pytest.approx(1 / 2)
    assert scores.confusion[A] == {A: 1, "not found": 1}
    assert [(e["gold"], e["got"], e["accusation"]) for e in errors([row], {"p": found})] == [
        (C, E, False), (E, C, True), (A, "not found", False), ("no claim", A, False), ("no claim", A, False)]


def test_a_found_span_is_used_once_and_gold_spans_choose_in_order():
    assert match_spans([(0, 10), (0, 9)], [(0, 10)]) == [0, None]
    assert match_spans([(0, 10), (0, 9)], [(0, 9), (0, 10)]) == [1, 0]
    assert match_spans([(0, 10)], [(5, 15)]) == [None]                              # a third
    assert match_spans([], [(0, 1)]) == []
    assert overlap((3, 3), (3, 3)) == 0.0


def test_context_sets_take_the_threshold_of_one_half_for_the_other():
    rows = [{"id": str(i), "text": "t", "context": "c", "consistent": i % 2} for i in range(20)]
    got = {row["id"]: report(claim(A, 0.9 if row["consistent"] else 0.2)) for row in rows}
    scores = evaluate(rows, got)
    assert scores.measures["balanced_accuracy"] == 1.0
    assert scores.measures["roc_auc"] == 1.0


def test_metrics_of_nothing():
    assert roc_auc([], [0.3]) is None
    assert label_score({}, A).f1 == 0.0
    assert balanced_accuracy([], 0.5) == 0.0
    assert best_threshold([(0.2, True), (0.2, False)]) == -1.0
    with pytest.raises(ValueError, match="no labelled rows"):
        evaluate([], {})


def test_throughput_comes_from_the_clock_or_from_the_reports():
    got = {"0": report(claim(A), claim(A), ms=250.0), "1": report(claim(E), ms=250.0)}
    assert evaluate(gold(A, E), got).measures["claims_per_second"] == pytest.approx(6)
    assert evaluate(gold(A, E), got, seconds=3.0).measures["texts_per_second"] == pytest.approx(2 / 3)
    got["0"]["timings_ms"] = got["1"]["timings_ms"] = {}
    assert evaluate(gold(A, E), got).measures["claims_per_second"] is None


def test_errors_carry_their_cause_and_can_be_counted():
    rows = gold(A, A, A, C, E)
    unlinked = claim(E, method="link", why_not="entity not found")
    predicted = [[unlinked], [claim(A), unlinked], [], [claim(C)], [claim(C)]]
    got = {str(i): report(*claims) for i, claims in enumerate(predicted)}
    found = list(errors(rows, got))
    assert [error["id"] for error in found] == ["0", "1", "2", "4"]
    assert causes(found).most_common(1) == [((A, E, "link", "entity not found"), 2)]
    assert found[2]["why_not"] == "no claim found"
    assert [error["accusation"] for error in found] == [False, False, False, True]
    assert found[0]["method"] == "link"


def test_an_error_without_a_report_says_so():
    assert [error["why_not"] for error in errors(gold(A), {})] == ["no report"]


@pytest.mark.parametrize(("lines", "why"), [
    ("", "no labelled claims"),
    ("{", "line 1 is not JSON"),
    ("[1]", "line 1 is not an object"),
    ('{"id": "a", "text": "t", "label": "true"}', "has the label 'true'"),
    ('{"id": "a", "text": "t"}', "has the label None"),
    ('{"text": "t", "label": "attributable"}', "lacks an id"),
    ('{"id": "a", "text": "t", "label": "attributable"}\n\n{"id": "a", "text": "t", "label": "attributable"}',
     "line 3 repeats the id a"),
    ('{"id": "a", "text": "t", "claims": [{"start": 0}]}', "a claim without"),
    ('{"id": "a", "text": "t", "label": "attributable"}\n{"id": "b", "text": "t", "consistent": 1}', "mixes context"),
])
def test_a_bad_labelled_file_is_named_with_its_line(tmp_path, lines, why):
    path = tmp_path / "gold.jsonl"
    path.write_text(lines, encoding="utf-8")
    with pytest.raises(InputError, match=why):
        read_gold(path)


def test_a_good_labelled_file_is_read(tmp_path):
    path = tmp_path / "gold.jsonl"
    path.write_text("\n".join(json.dumps(row) for row in gold(A, "not_attributable")) + "\n", encoding="utf-8")
    assert len(read_gold(path)) == 2
