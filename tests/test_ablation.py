"""A tier that is switched off, and what each tier earns on the shipped labelled claims."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from kgstore.store import Store
from kgstore.verifier.decide.outcome import kept, supports, tier, undecided
from kgstore.verifier.decide.tier import Tier
from kgstore.verifier.measure.ablation import ablate
from kgstore.verifier.measure.labelled import read_gold
from kgstore.verifier.pipeline import Verifier

LABELLED = Path(__file__).parent.parent / "data" / "labelled.jsonl"
A, E, C = "attributable", "extrapolatory", "contradictory"


@pytest.fixture(scope="module")
def verifier(small_kg: Path):
    with Store(small_kg, read_only=True) as store:
        yield Verifier(store)


def found(verifier: Verifier, text: str, *without: str) -> tuple[str, str]:
    verifier.without = frozenset(without)
    [verdict] = verifier.verify(text).verdicts
    verifier.without = frozenset()
    return verdict.label.value, verdict.method


@pytest.mark.parametrize(("text", "label", "method"), [
    ("Walt Disney was born in Chicago.", A, "rule:statement"),
    ("Walt Disney was born in Boston.", C, "rule:single-value"),
    ("Walt Disney was born on 5 December 1901.", A, "rule:date"),
    ("The spouse of Yoko Ono died in London.", C, "rule:multi-hop"),
    ("Walt Disney was not born in Chicago.", C, "rule:negation"),
])
def test_what_a_tier_alone_decides_is_undecided_without_it(verifier, text, label, method):
    assert found(verifier, text) == (label, method)
    assert found(verifier, text, method)[0] == E
    assert found(verifier, text, "rule:unheard-of") == (label, method)


def test_without_its_last_step_a_chain_is_undecided(verifier):
    assert found(verifier, "The spouse of Yoko Ono died in London.", "rule:single-value")[0] == E


def test_a_family_other_than_the_rules_is_one_tier():
    assert (tier("rule:date"), tier("nli:entails"), tier("nli")) == ("rule:date", "nli", "nli")
    outcome = supports("nli:entails", [], "so it is")
    assert kept(outcome, frozenset(("nli:entails",))) is outcome
    assert kept(outcome, frozenset(("nli",))).method == "rule:off"
    assert kept(undecided(Tier.OPEN, [], ""), frozenset(("rule:open",))).reason == "rule:open is switched off"


def test_every_tier_that_gave_a_verdict_is_tried_and_the_verifier_is_as_before(verifier):
    rows = read_gold(LABELLED)
    steps: list[str] = []
    scores, tiers = ablate(rows, verifier, steps.append)
    seen = {claim.method for row in rows for claim in verifier.verify(row["text"]).verdicts}
    assert {one.tier for one in tiers} == {tier(method) for method in seen}
    assert len(steps) == len(tiers) + 2 and verifier.without == frozenset()
    earned = {one.tier: one for one in tiers}
    dates = earned["rule:date"].without
    assert dates.differences["macro_f1"].change < 0 and not dates.mended
    assert {change.after for change in dates.broke} == {E}
    assert dates.differences["accuracy"].before == scores.measures["accuracy"]
    changes = [one.without.differences["macro_f1"].change for one in tiers]
    assert changes == sorted(changes)


class Yes:
    """A judge that finds that everything follows, and keeps what it was asked."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, str]] = []

    def judge(self, pairs):
        self.asked += pairs
        return np.tile(np.float32((0.98, 0.01, 0.01)), (len(pairs), 1))


def test_the_judge_is_a_tier_and_is_asked_nothing_twice(verifier):
    judge = Yes()
    before = verifier.second, verifier.reader
    verifier.second, verifier.reader = judge, None  # what the judge finds yields to the reader
    _, tiers = ablate([{"id": "1", "text": "Walt Disney created movies in Chicago.", "label": A},
                       {"id": "2", "text": "Walt Disney was in Chicago.", "label": A}], verifier)
    assert verifier.second is judge and len(judge.asked) == len(set(judge.asked)) > 0
    assert "nli" in {one.tier for one in tiers}
    verifier.second, verifier.reader = before


def test_the_verifier_is_as_before_after_an_error(verifier, monkeypatch):
    monkeypatch.setattr(type(verifier), "verdicts", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        ablate(read_gold(LABELLED), verifier)
    assert verifier.without == frozenset()
