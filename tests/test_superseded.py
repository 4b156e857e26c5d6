"""What a graph says of a thing by a preferred value is not overruled by what others say of themselves."""

from __future__ import annotations

import pytest

from kgstore.store import Store
from kgstore.verifier.claims import Label
from kgstore.verifier.pipeline import Verifier


@pytest.fixture(scope="module")
def verifier(everyday_kg) -> Verifier:
    with Store(everyday_kg) as store:
        yield Verifier(store, judge="none", reader="none")


@pytest.mark.parametrize("text", ["Japan's capital is Kyoto.", "Kyoto is the capital of Japan."])
def test_a_former_capital_that_says_nothing_of_its_time_is_left_open(verifier, text):
    [verdict] = verifier.verify(text).verdicts
    assert verdict.label is Label.EXTRAPOLATORY and "Tokyo" in verdict.reason


@pytest.mark.parametrize(
    "text", ["Japan's capital is Tokyo.", "Tokyo is the capital of Japan.", "Oslo is the capital of Norway."]
)
def test_the_preferred_value_and_one_that_nothing_is_preferred_to_are_supported(verifier, text):
    [verdict] = verifier.verify(text).verdicts
    assert verdict.label is Label.ATTRIBUTABLE
