"""Intervals, calibration and coverage of `kgstore.verifier.measure.evaluate`."""

from __future__ import annotations

import math

import numpy as np
import pytest

from kgstore.verifier.measure.bootstrap import DRAWS, draws, intervals, percentiles
from kgstore.verifier.measure.evaluate import evaluate
from kgstore.verifier.measure.exact import exact_interval
from kgstore.verifier.measure.metrics import roc_auc, weighted_auc
from kgstore.verifier.measure.sample import sample
from tests.test_evaluate import A, C, E, claim, gold, passage, report


def sure(label: str, p: float, **more: object) -> dict:
    """A verdict with all three probabilities."""
    rest = (1 - p) / 2
    return {**claim(label, **more), "probabilities": {one: p if one == label else rest for one in (A, E, C)}}


def many(n: int, wrong: int, label: str = A, instead: str = E) -> tuple[list[dict], dict]:
    rows = gold(*[label] * n)
    return rows, {str(i): report(sure(instead if i < wrong else label, 0.9)) for i in range(n)}


def test_calibration_error_is_the_distance_of_confidence_and_accuracy_by_tenths():
    rows = gold(A, A, A, A, E)
    stated = [sure(A, 0.95), sure(A, 0.95), sure(E, 0.62), sure(A, 0.66)]
    got = {str(i): report(one) for i, one in enumerate(stated)} | {"4": report()}   # no verdict, no confidence
    measures = evaluate(rows, got).measures
    assert measures["calibration_error"] == pytest.approx((2 * 0.05 + 2 * abs(0.64 - 0.5)) / 4)
    squares = [0.05**2 + 2 * 0.025**2] * 2 + [0.81**2 + 0.62**2 + 0.19**2] + [0.34**2 + 2 * 0.17**2]
    assert measures["brier"] == pytest.approx(sum(squares) / 4)


def test_calibration_of_binary_sets_is_that_of_p_attributable():
    rows = gold(A, "not_attributable")
    got = {"0": report(sure(A, 0.8)), "1": report(sure(E, 0.8))}        # 0.8 and 0.1
    measures = evaluate(rows, got).measures
    assert measures["calibration_error"] == pytest.approx((0.2 + 0.1) / 2)
    assert measures["brier"] == pytest.approx((0.2**2 + 0.1**2) / 2)


def test_a_verdict_of_confidence_one_has_a_bin():
    assert evaluate(gold(A), {"0": report(sure(A, 1.0))}).measures["calibration_error"] == 0.0


def test_coverage_is_the_share_of_claims_that_are_decided():
    rows = gold(A, A, A, C, E)
    got = {"0": report(sure(A, 0.9)), "1": report(sure(E, 0.9)), "2": report(sure(C, 0.9)), "3": report(sure(C, 0.9))}
    measures = evaluate(rows, got).measures
    assert measures["coverage"] == pytest.approx(3 / 5)
    assert measures["accuracy_of_decided"] == pytest.approx(2 / 3)


def test_what_nothing_can_be_said_of_is_undefined():
    measures = evaluate(gold(E), {"0": report()}).measures
    assert measures["accuracy_of_decided"] is None and measures["calibration_error"] is None
    assert evaluate(gold(C), {}).measures["false_accusations"] is None


def test_counting_each_row_once_gives_the_measures():
    rows, got = many(50, 7)
    drawn = sample(rows, got).measures(np.ones((3, 50)))
    for name, values in drawn.items():
        assert values == pytest.approx([evaluate(rows, got).measures[name]] * 3)


def test_an_interval_of_a_share_is_about_two_standard_errors_wide():
    rows, got = many(400, 80)
    low, high = intervals(sample(rows, got))["accuracy"]
    error = math.sqrt(0.8 * 0.2 / 400)
    assert low == pytest.approx(0.8 - 1.96 * error, abs=0.006)
    assert high == pytest.approx(0.8 + 1.96 * error, abs=0.006)
    assert intervals(sample(rows, got)) == intervals(sample(rows, got))             # the same draws each time


def test_no_false_accusation_among_n_claims_still_has_an_upper_bound():
    rows, got = many(200, 0)
    found = intervals(sample(rows, got))
    assert found["false_accusations"] == pytest.approx((0.0, 1 - 0.025 ** (1 / 200)))
    assert found["accuracy"] == pytest.approx((0.025 ** (1 / 200), 1.0))
    assert found["macro_f1"] is None                                    # no draw moves it, and it is no share


def test_few_false_accusations_have_the_exact_interval():
    rows, got = many(200, 1, instead=C)
    assert intervals(sample(rows, got))["false_accusations"] == exact_interval(1, 200)


@pytest.mark.parametrize(("hits", "n", "low", "high"), [
    (0, 10, 0.0, 0.3085), (1, 10, 0.0025, 0.4450), (5, 10, 0.1871, 0.8129), (10, 10, 0.6915, 1.0),
    (40, 2000, 0.0143, 0.0271),
])
def test_exact_intervals_are_those_of_the_tables(hits, n, low, high):
    assert exact_interval(hits, n) == pytest.approx((low, high), abs=6e-5)


def test_the_claims_of_a_passage_are_drawn_together():
    rows = [{**passage(*[(i * 10, i * 10 + 9, A) for i in range(8)]), "id": str(n)} for n in range(40)]
    halves = {str(n): report(*[sure(A if n % 2 else E, 0.9, start=i * 10, end=i * 10 + 9) for i in range(8)])
              for n in range(40)}
    found = intervals(sample(rows, halves))
    low, high = found["label_accuracy"]
    assert high - low > 0.25                                            # 40 things that vary, not 320
    assert found["false_accusations"] == exact_interval(0, 40)
    assert found["span_f1"] == exact_interval(40, 40)


def test_a_label_that_a_draw_leaves_out_does_not_count_as_missed():
    rows = gold(*[A] * 30, C)
    got = {str(i): report(sure(A, 0.9)) for i in range(30)} | {"30": report(sure(C, 0.9))}
    assert set(draws([sample(rows, got)])[0]["macro_f1"]) == {1.0}


def test_ranking_of_drawn_rows_is_that_of_the_rows_written_out():
    random = np.random.default_rng(3)
    scores = random.integers(0, 6, 40) / 5
    positive = random.random(40) < 0.4
    weights = random.integers(0, 3, (5, 40)).astype(float)
    for row, found in zip(weights, weighted_auc(scores, positive, weights), strict=True):
        written = [(score, good) for score, good, n in zip(scores, positive, row, strict=True) for _ in range(int(n))]
        pairs = [(p > n) + (p == n) / 2 for p, g in written if g for n, h in written if not h]
        assert found == pytest.approx(np.mean(pairs))
    assert roc_auc([], []) is None


def test_percentiles_leave_out_what_is_undefined():
    assert percentiles(np.array([np.nan, 0.0, 1.0])) == pytest.approx((0.025, 0.975))
    assert percentiles(np.array([np.nan])) is None
    assert percentiles(np.array([0.5, 0.5])) is None


def test_rows_are_drawn_in_blocks_alike_for_all_samples(monkeypatch):
    rows, got = many(30, 5)
    whole = draws([sample(rows, got)])[0]["accuracy"]
    monkeypatch.setattr("kgstore.verifier.measure.bootstrap._BLOCK", 3000)
    first, second = draws([sample(rows, got), sample(rows, got)])
    assert len(first["accuracy"]) == DRAWS and (first["accuracy"] == second["accuracy"]).all()
    assert first["accuracy"].mean() == pytest.approx(whole.mean(), abs=0.01)
