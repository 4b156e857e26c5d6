"""Fitting weights to labelled verdicts, and what is said about how good they are."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from kgstore.errors import InputError
from kgstore.verifier.claims import Label
from kgstore.verifier.decide.combine import Combination, shipped
from kgstore.verifier.measure.calibration import Example, calibrate, examples, weighed
from kgstore.verifier.measure.logistic import fit, probabilities
from kgstore.verifier.measure.reliability import Quality, accusations, bins, quality, recalibrated, threshold_for
from kgstore.verifier.measure.reliability_plot import reliability_plot

A, E, C = Label
RIGHT = {A: (True, False, False), E: (False, True, False), C: (False, False, True), None: (False, True, True)}


def example(label: Label, right: Label | None, group: object, source: str = "", **doubts: float) -> Example:
    """A verdict with that label; ``right`` None is what a binary row says of a claim that is not attributable."""
    values = {label.value: 1.0, **{f"{label.value}, {name}": value for name, value in doubts.items()}}
    return Example(values, RIGHT[right], str(group), source)


def many(label: Label, **counts: int) -> list[Example]:
    names = {"a": A, "e": E, "c": C}
    rows = [names[name] for name, number in counts.items() for _ in range(number)]
    return [example(label, right, i) for i, right in enumerate(rows)]


def test_without_data_the_weights_are_the_prior_and_with_much_data_they_are_the_counts():
    prior = np.array([[1.0, 0.0, -1.0]])
    assert np.allclose(fit(np.zeros((0, 1)), np.zeros((0, 3), bool), prior, 1.0), prior)
    right = np.array([RIGHT[A]] * 600 + [RIGHT[E]] * 300 + [RIGHT[C]] * 100)
    weights = fit(np.ones((1000, 1)), right, prior, 0.01)
    assert np.allclose(probabilities(np.ones((1, 1)), weights), [[0.6, 0.3, 0.1]], atol=1e-3)


def test_rows_that_leave_two_labels_open_say_only_what_they_say():
    right = np.array([RIGHT[A]] * 500 + [RIGHT[None]] * 500)
    weights = fit(np.ones((1000, 1)), right, np.log([[0.2, 0.6, 0.2]]), 0.01)
    shares = probabilities(np.ones((1, 1)), weights)[0]
    assert shares[0] == pytest.approx(0.5, abs=1e-3) and shares[1] > 2 * shares[2]


def test_fitting_is_no_worse_for_a_feature_that_separates_perfectly():
    values = np.array([[1.0, 0.0]] * 50 + [[1.0, 1.0]] * 50)
    right = np.array([RIGHT[C]] * 50 + [RIGHT[E]] * 50)
    shares = probabilities(values, fit(values, right, np.zeros((2, 3)), 1.0))
    assert np.isfinite(shares).all() and (shares[:50, 2] > 0.85).all() and (shares[50:, 1] > 0.85).all()


def test_a_few_rows_change_little_and_many_decide():
    start = shipped().weights
    before = shipped().probabilities({"contradictory": 1.0})[2]
    few, lots = (calibrate(many(C, c=3 * n, e=n), start).weights for n in (2, 200))
    after = [Combination(weights).probabilities({"contradictory": 1.0})[2] for weights in (few, lots)]
    assert 0.75 < after[0] < before and after[1] == pytest.approx(0.75, abs=0.02)


def test_verdicts_of_one_label_do_not_move_the_weights_of_another():
    start = shipped().weights
    weights = calibrate(many(C, c=30, e=30), start).weights
    assert all(weights[name] == row for name, row in start.items() if not name.startswith("contradictory"))


def test_a_tier_that_is_often_wrong_gets_less_than_its_label():
    good = [example(C, C, i) for i in range(200)]
    bad = [example(C, (E, C)[i % 2], 300 + i, **{"words differ": 1.0}) for i in range(100)]
    model = Combination(calibrate(good + bad, shipped().weights).weights)
    assert model.probabilities(good[0].features)[2] > 0.95
    assert model.probabilities(bad[0].features)[2] == pytest.approx(0.5, abs=0.06)


def test_one_subject_is_never_in_two_folds():
    told = [example(C, E, "the same subject") for _ in range(20)] + many(C, c=40)
    shares = calibrate(told, shipped().weights).shares
    assert (shares[:20, 2] > 0.95).all()  # learnt from the others only, which are all right
    with pytest.raises(ValueError, match="two subjects"):
        calibrate(told[:20], shipped().weights)


# -- from reports to examples ------------------------------------------------------------------------------------------


def report(*claims: tuple[int, int, Label]) -> dict:
    return {
        "claims": [
            {"start": start, "end": end, "features": {label.value: {"value": 1.0, "weights": [0, 0, 0]}}}
            for start, end, label in claims
        ]
    }


def test_the_worst_claim_of_a_text_stands_for_its_label():
    gold = [
        {"id": "1", "text": "", "label": "extrapolatory", "subject": "Q1"},
        {"id": "2", "text": "", "label": "attributable", "subject": None},
        {"id": "3", "text": "", "label": "attributable"},
    ]
    reports = {"1": report((0, 9, A), (0, 9, E)), "2": report((0, 9, A)), "3": report()}
    skipped: Counter[str] = Counter()
    found = list(examples(gold, reports, skipped, "file"))
    assert [(one.label, one.right, one.group) for one in found] == [(E, RIGHT[E], "Q1"), (A, RIGHT[A], "2")]
    assert skipped == {"no claim found": 1} and {one.source for one in found} == {"file"}


def test_claims_of_a_passage_are_compared_where_the_words_are_the_same():
    labelled = [{"start": 0, "end": 10, "label": "attributable"}, {"start": 20, "end": 40, "label": "contradictory"}]
    labelled.append({"start": 90, "end": 99, "label": "contradictory"})
    gold = [{"id": "1", "text": "", "claims": labelled, "subject": "Q1"}]
    skipped: Counter[str] = Counter()
    found = list(examples(gold, {"1": report((0, 10, E), (20, 32, C))}, skipped))
    assert [(one.label, one.right) for one in found] == [(E, RIGHT[A])]
    assert skipped == {"claim found with other words": 1, "claim not found": 1}


def test_not_attributable_leaves_two_labels_open():
    gold = [{"id": "1", "text": "", "label": "not_attributable"}]
    (one,) = examples(gold, {"1": report((0, 9, E))}, Counter())
    assert one.right == RIGHT[None]


# -- reliability and accusations ---------------------------------------------------------------------------------------


def test_bins_and_the_calibration_error_are_those_of_the_textbook():
    rows = [example(C, C, 1), example(C, E, 2), example(C, C, 3), example(A, A, 4)]
    shares = np.array([[0, 0.05, 0.95], [0, 0.05, 0.95], [0, 0.35, 0.65], [0.75, 0.25, 0]])
    assert [(one.low, one.verdicts, one.right) for one in bins(rows, shares)] == [
        (0.6, 1, 1),
        (0.7, 1, 1),
        (0.9, 2, 0.5),
    ]
    found = quality(rows, shares)
    assert found.calibration_error == pytest.approx((2 * 0.45 + 0.35 + 0.25) / 4)
    assert found.brier == pytest.approx((0.005 + 1.805 + 0.245 + 0.125) / 4)
    with pytest.raises(ValueError):
        quality([], np.zeros((0, 3)))


def test_binary_rows_are_held_against_the_probability_of_attributable():
    rows = [example(E, None, 1, "binary"), example(C, None, 2, "binary"), example(A, A, 3, "binary")]
    shares = np.array([[0.1, 0.8, 0.1], [0.1, 0.1, 0.8], [0.9, 0.1, 0.0]])
    found = quality(rows, shares)
    assert found.calibration_error == pytest.approx(0.1) and found.brier == pytest.approx(0.01)


def test_a_perfect_forecast_has_no_calibration_error():
    rows = many(C, c=75, e=25)
    assert quality(rows, np.tile([0.0, 0.25, 0.75], (100, 1))).calibration_error == pytest.approx(0)


ACCUSED = [(C, C, 0.99), (C, C, 0.9), (C, E, 0.8), (C, C, 0.7), (C, A, 0.6), (E, E, 0.1), (A, A, 0.0), (E, C, 0.3)]


@pytest.mark.parametrize(
    ("most", "threshold", "false", "given_up"),
    [(1.0, 0.5, 2, 0), (0.5, 0.5, 2, 0), (0.3, 0.6001, 1, 0), (0.0, 0.8001, 0, 1)],
)
def test_the_threshold_allows_so_many_false_accusations_and_no_fewer(most, threshold, false, given_up):
    rows = [example(label, right, i) for i, (label, right, _) in enumerate(ACCUSED)]
    shares = np.array([[0.0, 1 - p, p] for *_, p in ACCUSED])
    found = threshold_for(rows, shares, most)
    assert found == pytest.approx(threshold, abs=2e-4)
    counted = accusations(rows, shares, found)
    assert (counted.innocent, counted.false, counted.given_up) == (4, false, given_up)
    assert counted.rate == false / 4 and counted.interval[0] <= counted.rate <= counted.interval[1]


def test_what_is_reported_is_what_the_new_weights_do_out_of_fold():
    rows = [*many(C, c=60, e=20), *many(A, a=80), *many(E, e=40)]
    done = recalibrated(rows, shipped(), most=0.05)
    assert done.verdicts == 200 and done.subjects == 80
    assert done.after.log_loss < done.before.log_loss
    assert done.accusations.threshold == done.combination.threshold > 0.7
    assert done.combination.about["fitted_on"] == [": 200 verdicts"]
    assert weighed(rows, done.combination).shape == (200, 3)


# -- the picture -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "begins"), [("a.svg", b"<?xml "), ("b.PNG", b"\x89PNG\r\n\x1a\n")])
def test_the_plot_is_a_picture_of_its_kind(tmp_path, name, begins):
    rows = many(C, c=75, e=25)
    shares = np.tile([0.0, 0.25, 0.75], (100, 1))
    now = quality(rows, shares), bins(rows, shares)
    path = tmp_path / name
    reliability_plot(path, now)
    alone = path.read_bytes()
    reliability_plot(path, now, (replace(now[0], calibration_error=0.5), now[1]))
    assert alone.startswith(begins) and path.read_bytes().startswith(begins) and path.read_bytes() != alone


def test_the_svg_is_well_formed_and_says_the_error(tmp_path):
    from xml.etree import ElementTree

    reliability_plot(tmp_path / "a.svg", (Quality(0.034, 0.1, 0.1), []))
    root = ElementTree.parse(tmp_path / "a.svg").getroot()
    assert any("0.034" in (one.text or "") for one in root.iter())


def test_the_same_values_draw_the_same_bytes(tmp_path):
    for name in ("a.svg", "b.svg", "a.png", "b.png"):
        reliability_plot(tmp_path / name, (Quality(0.034, 0.1, 0.1), []))
    for kind in ("svg", "png"):
        assert (tmp_path / f"a.{kind}").read_bytes() == (tmp_path / f"b.{kind}").read_bytes()


def test_a_plot_of_another_kind_or_in_no_folder_is_refused(tmp_path):
    now = Quality(0.0, 0.0, 0.0), []
    with pytest.raises(InputError, match="neither .svg nor .png"):
        reliability_plot(tmp_path / "a.gif", now)
    with pytest.raises(InputError, match="cannot write"):
        reliability_plot(tmp_path / "no" / "a.svg", now)
