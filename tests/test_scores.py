"""ClaimVer's and Factum's formulas against worked examples."""

from __future__ import annotations

import pytest

from kgstore.verifier.claims import Label
from kgstore.verifier.report.scores import (
    attribution,
    claim_score,
    entity_presence,
    factuality_degree,
    triplets_match,
)


@pytest.mark.parametrize(
    ("label", "triplets", "score"),
    [
        (Label.ATTRIBUTABLE, 1, 2),
        (Label.EXTRAPOLATORY, 3, 1),
        (Label.EXTRAPOLATORY, 0, 0),
        (None, 0, 0),
        (Label.CONTRADICTORY, 1, -1),
    ],
)
def test_claim_score_follows_the_paper(label, triplets, score):
    assert claim_score(label, triplets) == score


def test_one_attributable_claim_scores_0_858():
    assert attribution([(0.9, 2)]) == pytest.approx(0.858, abs=5e-4)


def test_one_contradictory_claim_scores_0_083():
    assert attribution([(0.8, -1)]) == pytest.approx(0.083, abs=5e-4)


def test_a_text_without_claims_sits_in_the_middle():
    assert attribution([]) == 0.5


def test_a_long_wrong_text_does_not_overflow():
    assert attribution([(1.0, -1)] * 10_000) == 0.0
    assert attribution([(1.0, 2)] * 10_000) == 1.0


def test_a_wrong_claim_costs_more_than_a_related_one_gains():
    assert attribution([(0.5, 1)]) - 0.5 < 0.5 - attribution([(0.5, -1)])


def test_match_score_is_half_cosine_half_entities():
    assert triplets_match(0.6, 0.5) == pytest.approx(0.55)
    assert triplets_match(-0.3, 1.0) == 0.5


def test_entity_presence_counts_each_entity_once_and_tolerates_none():
    assert entity_presence(["Q1", "Q1", "Q2"], ["Q1"]) == 0.5
    assert entity_presence([], ["Q1"]) == 0.0


def test_factuality_degree_is_undefined_without_facts():
    assert factuality_degree([]) is None
    assert factuality_degree([0.0]) == 0.0
    assert factuality_degree([0.2, 0.4, 0.9]) == pytest.approx(0.5)
