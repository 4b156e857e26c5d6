"""What a state has, by its adjective: "the German capital" is no German that is a capital."""

from __future__ import annotations

import pytest

from kgstore.store import Store
from kgstore.verifier.pipeline import Verifier


@pytest.fixture(scope="module")
def verifier(small_kg):
    with Store(small_kg) as store:
        yield Verifier(store)


def found(verifier: Verifier, text: str) -> set[tuple[str, str, str, str]]:
    verdicts = verifier.verify(text).verdicts
    return {(one.claim.head.text, one.claim.relation, one.claim.tail.text, one.label.value) for one in verdicts}


@pytest.mark.parametrize(
    "text",
    [
        "Berlin is the German capital.",
        "The German capital is Berlin.",
        "Berlin, the German capital, was bombed.",
        "The German capital, Berlin, was bombed.",
        "The German capital Berlin was bombed.",
    ],
)
def test_the_capital_is_that_of_the_state(verifier, text):
    assert ("German", "capital", "Berlin", "attributable") in found(verifier, text)


def test_another_capital_is_not_supported_by_lying_there(verifier):
    said = found(verifier, "Munich is the German capital.")
    assert {(head, relation) for head, relation, _, _ in said} == {("German", "capital")}
    assert "attributable" not in {label for *_, label in said}


def test_a_trade_is_no_office_of_the_state(verifier):
    said = found(verifier, "Douglas Adams was the German author.")
    assert ("Douglas Adams", "nationality", "German", "extrapolatory") in said


def test_whoever_holds_the_office_is_reached_through_the_state(verifier):
    ((head, relation, _, _),) = found(verifier, "The German president was born in Oslo.")
    assert (head, relation) == ("German", "was born in")
