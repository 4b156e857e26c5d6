"""From verdicts to probabilities: features that can be read, weights from a file, accusations that are withheld."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kgstore.errors import InputError
from kgstore.verifier.claims import Label, Role
from kgstore.verifier.decide.combine import OWN, Combination, certain, combination_of, load_combination, shipped
from kgstore.verifier.decide.features import decided, features
from kgstore.verifier.pipeline import Verifier
from tests.small_graph import known, small_store, verdict

A, E, C = Label


@pytest.fixture(scope="module")
def store():
    with small_store() as store:
        yield store


@pytest.fixture
def wrong(store):
    against = known(store, "Q1-born"), Role.CONTRADICTS
    text = "Ada Lovelace was born in Paris."
    return verdict(text, "Ada Lovelace", "was born in", "Paris", C, against, tail_is="Q3")


def test_features_name_the_label_the_tier_and_what_is_doubtful(wrong):
    found = features(replace(wrong, method="rule:single-value", traits={"words differ": 0.25, "types differ": 0.0}))
    assert found["contradictory"] == found["contradictory by rule:single-value"] == 1
    assert found["contradictory, words differ"] == 0.25
    assert "contradictory, types differ" not in found and decided(found) is C
    assert all(name.startswith("contradictory") and 0 < value <= 1 for name, value in found.items())


def test_a_judge_that_was_not_asked_adds_no_features(wrong):
    asked = replace(wrong, scores={"nli_entails": 0.1, "nli_neutral": 0.2, "nli_contradicts": 0.7})
    new = features(asked).keys() - features(wrong).keys()
    assert new == {"contradictory, judged", "contradictory, judge entails", "contradictory, judge contradicts"}


def test_probabilities_are_the_softmax_of_the_reported_values_times_weights(wrong):
    model = Combination({"contradictory": (0.0, 1.0, 2.0), "contradictory, words differ": (2.0, 0.0, -2.0)})
    found = model.weigh(replace(wrong, traits={"words differ": 0.5}))
    assert found.probabilities == pytest.approx((0.3333, 0.3333, 0.3333), abs=2e-4)
    assert sum(found.probabilities) == pytest.approx(1, abs=1e-12)
    assert found.features["contradictory, words differ"] == (0.5, (2.0, 0.0, -2.0))
    assert found.label is C


@pytest.mark.parametrize("sums", [(0, 0, 0), (800, -800, 0), (9.9, 0.1, -9), (-0.02, 10.5, 0.3), (9.2, -0.8, 0.0)])
def test_probabilities_sum_to_1_whatever_the_weights(sums):
    for i, label in enumerate(Label):
        shares = Combination({label.value: sums}).probabilities({label.value: 1.0})
        assert round(sum(shares), 9) == 1 and all(0 <= one <= 1 for one in shares)
        assert shares[i] == max(shares)


@pytest.mark.parametrize("label", Label)
def test_a_tier_without_weights_falls_back_to_the_base_rate_of_its_label(label):
    known, new = ({label.value: 1.0, f"{label.value} by rule:{one}": 1.0} for one in ("statement", "of tomorrow"))
    for values in (known, new):
        shares = shipped().probabilities(values)
        assert max(shares) == shares[list(Label).index(label)] > 0.6


def test_an_accusation_below_the_threshold_is_withheld_and_says_so(wrong):
    weights = {"contradictory": (-1.0, -0.5, 1.5)}
    sure = Combination(weights).weigh(wrong).confidence
    assert Combination(weights, sure - 0.01).weigh(wrong).label is C
    held = Combination(weights, 0.95).weigh(wrong)
    assert held.label is E and held.method == wrong.method
    assert held.why_not == f"not sure enough: {sure:.2f} < 0.95" and held.why_not in held.reason
    assert {one.role for one in held.evidence} == {Role.RELATED}
    assert held.confidence == held.probabilities[1] and decided(held.features) is C


@pytest.mark.parametrize("label", [A, E])
def test_only_accusations_are_withheld(wrong, label):
    model = Combination({label.value: (-1.0, -1.0, 2.0)}, 1.0)
    assert model.weigh(replace(wrong, label=label)).label is label


def test_weights_are_read_as_they_were_written(tmp_path):
    made = Combination({"a": (0.5, -0.25, -0.25), 'b "c"': (1.0, 0.0, -1.0)}, 0.75, {"fitted_on": ["x: 3 verdicts"]})
    (tmp_path / "weights.json").write_text(made.to_json())
    assert load_combination(tmp_path / "weights.json") == made
    (tmp_path / "none.json").write_text(Combination({}).to_json())
    assert load_combination(tmp_path / "none.json") == Combination({})


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        '{"schema": "kgstore.report/1"}',
        '{"schema": "kgstore.combination/1", "threshold": 0.5}',
        '{"schema": "kgstore.combination/1", "threshold": 1.5, "weights": {}}',
        '{"schema": "kgstore.combination/1", "threshold": 0.5, "weights": {"a": [1, 2]}}',
        '{"schema": "kgstore.combination/1", "threshold": 0.5, "weights": {"a": [1, 2, "x"]}}',
        '{"schema": "kgstore.combination/1", "threshold": 0.5, "weights": {"a": [1, 2, 1e999]}}',
    ],
)
def test_a_file_that_holds_no_weights_is_refused(tmp_path, text):
    (tmp_path / "weights.json").write_text(text)
    with pytest.raises(InputError, match="weights.json holds no weights"):
        load_combination(tmp_path / "weights.json")
    with pytest.raises(InputError, match="cannot read"):
        load_combination(tmp_path / "absent.json")


def test_a_kg_uses_its_own_weights_where_it_has_them(tmp_path):
    assert combination_of(None) is combination_of(tmp_path) is shipped()
    own = Combination({"a": (1.0, 0.0, -1.0)}, 0.6)
    (tmp_path / OWN).write_text(own.to_json())
    assert combination_of(tmp_path) == own


def test_every_shipped_weight_belongs_to_a_label_and_the_base_rates_are_there():
    weights = shipped().weights
    assert set(map(str, Label)) <= set(weights) and shipped().threshold == 0.5 and shipped().about["fitted_on"]
    assert all(sum(name.startswith(label.value) for label in Label) == 1 for name in weights)


def test_a_verifier_reports_the_features_of_each_verdict(small_kg):
    from kgstore.store import Store

    with Store(small_kg) as store:
        for model in (None, Combination({}, 0.9)):
            verifier = Verifier(store, combination=model)
            (found,) = verifier.verify("Douglas Adams was born in London.").verdicts
            assert found.features["contradictory by rule:single-value"][0] == 1
            assert found.probabilities == verifier.combination.probabilities(features(replace(found, label=C)))
            assert (found.label, found.correction is None) == ((C, False) if model is None else (E, True))


def test_an_unweighed_verdict_is_all_for_its_label():
    assert [certain(label) for label in Label] == [(1, 0, 0), (0, 1, 0), (0, 0, 1)]
