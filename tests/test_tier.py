"""What is asked of a tier, and that its names are those of the weights that were fitted."""

from __future__ import annotations

import json
import pickle
import re
from pathlib import Path

import pytest

from kgstore.verifier.claims import Claim, Label, Mention, Verdict
from kgstore.verifier.decide.outcome import supports, undecided
from kgstore.verifier.decide.tier import Tier
from kgstore.verifier.values.frozen import FrozenDict

FITTED = Path(__file__).parent.parent / "verifier" / "decide" / "combination.json"


def test_every_rule_that_was_weighed_is_a_tier():
    weighed = set(re.findall(r"rule:[a-z-]+", FITTED.read_text(encoding="utf-8")))
    assert weighed and weighed <= {tier.value for tier in Tier}


def test_the_readers_verdicts_come_by_the_same_rules():
    assert Tier.of("reader:single-value") is Tier.of("rule:single-value") is Tier.SINGLE_VALUE
    assert Tier.of("kernel") is Tier.of("rule:nothing") is None


def test_a_tier_that_speaks_of_values_is_closed_unless_told():
    assert undecided(Tier.SEVERAL_VALUES, [], "").closed and not undecided(Tier.OPEN, [], "").closed
    assert not undecided(Tier.SEVERAL_VALUES, [], "", closed=False).closed
    assert supports(Tier.OPEN, [], "").closed


@pytest.mark.parametrize("tier", [Tier.DATE, Tier.NUMBER])
def test_a_value_can_be_finer(tier):
    assert tier.finer == f"{tier}-finer" and tier.finer.closed


def test_a_method_is_written_by_its_name():
    assert json.dumps(Tier.DATE) == '"rule:date"' and f"{Tier.DATE}" == "rule:date"


def test_the_scores_of_a_verdict_do_not_change():
    mention = Mention(0, 3, "Ann")
    given = {"kernel": 0.5}
    verdict = Verdict(Claim(0, 3, "Ann", mention, "is", mention), Label.EXTRAPOLATORY, (0, 1, 0), "t", scores=given)
    given["kernel"] = 0.6
    assert verdict.scores == {"kernel": 0.5} and pickle.loads(pickle.dumps(verdict)) == verdict
    for change in (lambda one: one.update(a=1), lambda one: one.pop("kernel"), lambda one: one.__setitem__("a", 1)):
        with pytest.raises(TypeError, match="make a new one"):
            change(FrozenDict(given))
