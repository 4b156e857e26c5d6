"""Relations that lie near to one another: what bars no support, and what no accusation."""

from __future__ import annotations

import pytest

from kgstore.store import Store
from kgstore.verifier.claims import Claim, Hop, Label, Mention, Verdict
from kgstore.verifier.decide.tier import Tier
from kgstore.verifier.pipeline import Verifier
from kgstore.verifier.reader.assertions import Assertion
from kgstore.verifier.reader.joining import joined
from kgstore.verifier.values import DateValue
from tests.plain_graph import plain_store
from tests.test_reader import GRAPH, told, verified

CAPITAL = """
ex:Land rdfs:label "country" . ex:City rdfs:label "city" .
ex:capital rdfs:label "capital" . ex:located rdfs:label "location" .
ex:north a ex:Land ; rdfs:label "Norland" ; ex:capital ex:graz . ex:graz a ex:City ; rdfs:label "Graz" .
ex:south a ex:Land ; rdfs:label "Sudland" ; ex:located ex:linz . ex:linz a ex:City ; rdfs:label "Linz" .
"""


@pytest.mark.parametrize(("sure", "supported"), [(0.8, True), (0.6, False)])
def test_where_a_thing_lies_is_no_rival_of_what_its_capital_is(tmp_path, sure, supported):
    said = {"The capital of Norland is Graz.": sure, "The location of Norland is Graz.": 0.95}
    with plain_store(CAPITAL, tmp_path) as store:
        assert bool(told(store, "Norland, as one knows, looks to Graz.", said)) is supported


@pytest.mark.parametrize(("sure", "accused"), [(0.98, True), (0.95, False)])
def test_a_thing_that_goes_by_a_common_noun_may_have_another_value(everyday_kg, sure, accused):
    with Store(everyday_kg) as store:
        found = told(store, "In that table sulfur stands at 42.", {"The atomic number of sulfur is 42.": sure})
    assert any(label is Label.CONTRADICTORY for _, label in found) is accused


@pytest.mark.parametrize(("noun", "accused"), [("career", True), ("band", False)])
def test_a_step_by_a_noun_that_names_the_relation_is_none(small_kg, noun, accused):
    """ "Ann Smith, whose career began in 1915": her work period, and no career that has a date of its own."""
    text = f"Ann Smith, whose {noun} began in 1915, sang."
    at = text.index("1915")
    ann, year = Mention(0, 9, "Ann Smith"), Mention(at, at + 4, "1915", value=DateValue(1915))
    before = Verdict(
        Claim(0, year.end, text[: year.end], ann, "began in", year, bridge=(Hop(noun),)), Label.EXTRAPOLATORY,
        (0, 1, 0), Tier.MULTI_HOP,
    )  # fmt: skip
    with Store(small_kg) as store:
        iri = next(iri for iri, item in store.properties().items() if item.label == "work period (start)")
        read = Claim(0, year.end, text[: year.end], ann, "work period (start)", year, property=iri)
        verdict = Verdict(read, Label.CONTRADICTORY, (0, 0, 1), Tier.DATE, relation=iri)
        know = Verifier(store, judge="none", reader="none").knowledge
        found = joined([before], [Assertion(read, 0.95, 0.2)], lambda _: verdict, know)
    assert any(one.label is Label.CONTRADICTORY for one in found) is accused


def test_a_hand_that_made_it_is_no_step(tmp_path):
    """ "Grey Dunes comes from the hand of Ann Smith" """
    with plain_store(GRAPH, tmp_path) as store:
        verdicts, _ = verified(store, "Grey Dunes comes from the hand of Ann Smith.", director=0.96)
    assert [one.label for one in verdicts] == [Label.ATTRIBUTABLE]
