"""A small graph whose properties have no labels: what is said of bounds on numbers, and by which names."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from kgstore.cli.main import main
from kgstore.store import Store
from kgstore.verifier.claims import Label
from kgstore.verifier.pipeline import Verifier
from tests.plain_graph import plain_store

GRAPH = """
ex:numberOfBeds a owl:DatatypeProperty , owl:FunctionalProperty .
ex:annualBudget a owl:DatatypeProperty , owl:FunctionalProperty .
ex:treatsCondition a owl:ObjectProperty .
ex:mary rdfs:label "St Mary Hospital" ; a ex:Hospital ; ex:numberOfBeds 420 ; ex:annualBudget 12500000 ;
    ex:treatsCondition ex:asthma , ex:diabetes .
ex:king rdfs:label "King's Clinic" ; a ex:Hospital ; ex:numberOfBeds 77 ; ex:annualBudget 3000000 ;
    ex:treatsCondition ex:asthma , ex:diabetes .
ex:Hospital rdfs:label "hospital" .
ex:asthma rdfs:label "asthma" .
ex:diabetes rdfs:label "diabetes" .
"""
NO = Label.CONTRADICTORY


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("hospital")
    plain_store(GRAPH, folder).close()
    return folder


@pytest.fixture(scope="module")
def verifier(folder):
    with Store(folder / "plain.kg", read_only=True) as store:
        yield Verifier(store, judge="none")


@pytest.mark.parametrize(
    ("text", "correction"),
    [
        ("St Mary Hospital has fewer than 400 beds.", None),  # nor has it fewer than 420
        ("St Mary Hospital has at most 300 beds.", None),
        ("The number of beds of St Mary Hospital is more than 450.", None),
        ("The annual budget of St Mary Hospital is more than 20 million.", None),
        ("The annual budget of St Mary Hospital is 20 million.", "12.5 million"),
    ],
)
def test_no_number_makes_a_bound_right(verifier, text, correction):
    (verdict,) = verifier.verify(text).verdicts
    assert verdict.label is NO, verdict.reason
    assert (verdict.correction and verdict.correction.text) == correction


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("St Mary Hospital has more than 500 beds.", NO),  # though 500 is less than its budget
        ("St Mary Hospital has at least 500 beds.", NO),
        ("St Mary Hospital has fewer than 400 beds.", NO),
        ("St Mary Hospital has more than 400 beds.", Label.ATTRIBUTABLE),
        ("St Mary Hospital has more than 500 nurses.", Label.EXTRAPOLATORY),
        ("St Mary Hospital planned to have more than 500 beds.", Label.EXTRAPOLATORY),
        ("St Mary Hospital has 12 beds in its maternity ward.", Label.EXTRAPOLATORY),
        ("St Mary Hospital has at most 12 beds in its maternity ward.", Label.EXTRAPOLATORY),
    ],
)
def test_a_bound_is_held_against_the_amount_that_is_meant(verifier, text, label):
    (verdict,) = verifier.verify(text).verdicts
    assert verdict.label is label, verdict.reason


@pytest.mark.parametrize("words", ["at least", "at most", "more than", "exactly"])
def test_how_exact_an_amount_is_is_no_part_of_the_relation(verifier, words):
    (claim,) = verifier.claims(f"St Mary Hospital has {words} 500 beds.")
    assert (claim.relation, claim.tail.text) == ("has beds", "500")


def test_a_verb_that_the_parser_takes_for_a_noun_is_the_only_one(verifier):
    for disease in ("asthma", "diabetes"):
        (verdict,) = verifier.verify(f"King's Clinic treats {disease}.").verdicts
        assert (verdict.claim.relation, verdict.label) == ("treats", Label.ATTRIBUTABLE)
    assert verifier.verify("King's Clinic beds and nurses.").coverage.unread[0].why.startswith("heading")


@pytest.mark.parametrize(
    "asked",
    [
        ["facts", "St Mary Hospital"],
        ["path", "St Mary Hospital", "King's Clinic"],
        ["verify", "--text", "The number of beds of St Mary Hospital is 420. St Mary Hospital treats asthma."],
    ],
)
def test_a_property_without_a_label_is_called_by_the_words_of_its_iri(folder, asked):
    result = CliRunner().invoke(main, [*asked, "--kg", str(folder / "plain.kg")], catch_exceptions=False)
    shown = [line.split("  ", 1)[-1] for line in result.stdout.splitlines()]  # but for the column of ids
    assert "treats condition" in result.stdout, result.stdout
    assert not any("http://example.org/treats" in line or "http://example.org/number" in line for line in shown)
