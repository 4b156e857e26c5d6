"""Comparisons, counts and superlatives: several statements of the KG together."""

from __future__ import annotations

import pytest

from kgstore.verifier.claims import Label
from kgstore.verifier.pipeline import Verifier
from tests.plain_graph import plain_store

COUNTRY = """
ex:city a owl:Class ; rdfs:label "city"@en . ex:mountain a owl:Class ; rdfs:label "mountain"@en .
ex:land a owl:Class ; rdfs:label "country"@en . ex:human a owl:Class ; rdfs:label "human"@en .
ex:prize a owl:Class ; rdfs:label "prize"@en .
ex:nor a ex:land ; rdfs:label "Norland"@en .
ex:alt a ex:city ; rdfs:label "Altstad"@en ; ex:in ex:nor ; ex:pop 900000 .
ex:ber a ex:city ; rdfs:label "Berstad"@en ; ex:in ex:nor ; ex:pop 400000 .
ex:cor a ex:city ; rdfs:label "Corstad"@en ; ex:in ex:nor ; ex:pop 50000 .
ex:fog a ex:mountain ; rdfs:label "Mount Fog"@en ; ex:in ex:nor ; ex:high 2100 .
ex:hail a ex:mountain ; rdfs:label "Mount Hail"@en ; ex:in ex:nor ; ex:high 2500 .
ex:ice a ex:mountain ; rdfs:label "Mount Ice"@en ; ex:in ex:nor .
ex:ada a ex:human ; rdfs:label "Ada Berg"@en ; ex:born "1901-05-01"^^xsd:date ; ex:won ex:p1, ex:p2 ;
    ex:child ex:cy, ex:di .
ex:cy a ex:human ; rdfs:label "Cy Berg"@en ; ex:born "1930-02-03"^^xsd:date .
ex:di a ex:human ; rdfs:label "Di Berg"@en .
ex:p1 a ex:prize ; rdfs:label "Reed Prize for Physics"@en . ex:p2 a ex:prize ; rdfs:label "Reed Prize for Peace"@en .
ex:in rdfs:label "located in"@en . ex:pop rdfs:label "population"@en .
ex:high rdfs:label "elevation above sea level"@en .
ex:born rdfs:label "date of birth"@en . ex:won rdfs:label "award received"@en . ex:child rdfs:label "child"@en .
"""
PROFILE = """
name = "own"
located = ["http://example.org/in"]
"""
YES, OPEN, NO = Label.ATTRIBUTABLE, Label.EXTRAPOLATORY, Label.CONTRADICTORY


@pytest.fixture(scope="module")
def verifier(tmp_path_factory):
    with plain_store(COUNTRY, tmp_path_factory.mktemp("measures"), PROFILE) as store:
        verifier = Verifier(store, reader="none")  # what it adds is no matter of these tiers
        verifier.without = frozenset(("nli",))
        yield verifier


@pytest.mark.parametrize(
    ("text", "found", "method"),
    [
        ("Altstad has more inhabitants than Corstad.", YES, "rule:comparison"),
        ("Corstad has more inhabitants than Altstad.", NO, "rule:comparison"),
        ("Mount Hail is higher than Mount Fog.", YES, "rule:comparison"),
        ("Mount Fog is higher than Mount Hail.", NO, "rule:comparison"),
        ("Mount Fog is higher than Mount Ice.", OPEN, "rule:comparison"),
        ("Ada Berg is older than Cy Berg.", YES, "rule:comparison"),
        ("Ada Berg is younger than Cy Berg.", NO, "rule:comparison"),
        ("Ada Berg is older than Di Berg.", OPEN, "rule:comparison"),
        ("Mount Fog is not higher than Mount Hail.", YES, "rule:negation"),
        ("Ada Berg won two Reed Prizes.", YES, "rule:count"),
        ("Ada Berg won three Reed Prizes.", OPEN, "rule:count"),
        ("Ada Berg has two children.", YES, "rule:count"),
        ("Ada Berg has at least two children.", YES, "rule:count"),
        ("Ada Berg has four children.", OPEN, "rule:count"),
        ("Altstad is the largest city of Norland.", YES, "rule:superlative"),
        ("Berstad is the second largest city of Norland.", YES, "rule:superlative"),
        ("Corstad is the largest city of Norland.", NO, "rule:superlative"),
        ("Mount Hail is the highest mountain of Norland.", OPEN, "rule:superlative"),
        ("Mount Fog is the highest mountain of Norland.", NO, "rule:superlative"),
    ],
)
def test_what_several_statements_say_together(verifier, text, found, method):
    (verdict,) = verifier.verify(text).verdicts
    assert (verdict.label, verdict.method) == (found, method), verdict.reason
    assert verdict.reason and (verdict.evidence or found is OPEN)


def test_the_reason_names_what_is_missing(verifier):
    (verdict,) = verifier.verify("Mount Fog is higher than Mount Ice.").verdicts
    assert "elevation above sea level for Mount Ice" in verdict.reason
    (verdict,) = verifier.verify("Mount Hail is the highest mountain of Norland.").verdicts
    assert "no elevation above sea level for 1 of the other 2" in verdict.reason


def test_no_edit_is_offered_for_a_comparison(verifier):
    for text in ("Ada Berg is younger than Cy Berg.", "Corstad is the largest city of Norland."):
        (verdict,) = verifier.verify(text).verdicts
        assert verdict.label is NO and verdict.correction is None
