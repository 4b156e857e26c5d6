"""Accusations under a name that is but a part of a longer one, or by a noun that does not fit, are left open."""

from __future__ import annotations

import pytest

from kgstore.verifier.claims import Candidate, Label, Mention
from kgstore.verifier.pipeline import Verifier
from kgstore.verifier.reader.meant import Meant
from tests.plain_graph import plain_store

GRAPH = """
ex:firm rdfs:label "company" . ex:state rdfs:label "country" . ex:town rdfs:label "town" .
ex:began rdfs:label "inception" ; a owl:FunctionalProperty .
ex:seat rdfs:label "headquarters location" ; a owl:FunctionalProperty .
ex:land rdfs:label "country" ; a owl:FunctionalProperty .
ex:acme a ex:firm ; rdfs:label "Acme" ; ex:seat ex:graz ; ex:land ex:austria ; ex:began "1931-05-05"^^xsd:date .
ex:austria a ex:state ; rdfs:label "Austria" ; ex:began "1918-11-12"^^xsd:date .
ex:norway a ex:state ; rdfs:label "Norway" .
ex:film rdfs:label "film" . ex:leon a ex:film ; rdfs:label "Léon: The Professional" ;
skos:altLabel "The Professional" .
ex:leon ex:began "1994-09-14"^^xsd:date . ex:rome a ex:film ; rdfs:label "Open City" ; ex:began "1945-09-14"^^xsd:date .
ex:way rdfs:label "waterway" . ex:spree a ex:way ; rdfs:label "Spree" ; ex:began "1900-01-01"^^xsd:date .
ex:graz a ex:town ; rdfs:label "Graz" . ex:oslo a ex:town ; rdfs:label "Oslo" .
"""


@pytest.fixture(scope="module")
def verifier(tmp_path_factory):
    with plain_store(GRAPH, tmp_path_factory.mktemp("meant")) as store:
        yield Verifier(store, judge="none", reader="none")


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("Austria was founded in 1950.", Label.CONTRADICTORY),
        ("Nobody lives in Ullapool. Austria was founded in 1950.", Label.CONTRADICTORY),
        ("Austria (German: Österreich) was founded in 1950.", Label.CONTRADICTORY),
        ("Ann Roe's Open City was founded in 1950.", Label.CONTRADICTORY),
        ("Austria the Great was founded in 1950.", Label.EXTRAPOLATORY),
        ("He played for FC Austria Wien. Austria was founded in 1950.", Label.EXTRAPOLATORY),
        ("He left the University of Austria. Austria was founded in 1950.", Label.CONTRADICTORY),
        ("Open City (Italian film) was founded in 1950.", Label.CONTRADICTORY),
        ("The film Open City was founded in 1950.", Label.CONTRADICTORY),
        ("The novel Open City was founded in 1950.", Label.EXTRAPOLATORY),
        ("Her daughter Spree was founded in 1950.", Label.EXTRAPOLATORY),
        ("The Professional was founded in 1950.", Label.EXTRAPOLATORY),
        ("Acme is a company. The company was founded in 1950.", Label.CONTRADICTORY),
        ("Acme is a company. The Austrian company was founded in 1950.", Label.CONTRADICTORY),
        ("Acme is a company. Today the Norwegian company has its headquarters in Oslo.", Label.EXTRAPOLATORY),
        ("Acme is a company. The company from Oslo was founded in 1950.", Label.EXTRAPOLATORY),
        ("Acme is a company. The waterway was founded in 1950.", Label.EXTRAPOLATORY),
    ],
)
def test_a_noun_accuses_whom_it_fits(verifier, text, label):
    (verdict,) = [one for one in verifier.verify(text).verdicts if one.claim.tail.text in ("1950", "Oslo")][-1:]
    assert verdict.label is label


def test_a_part_of_a_name_accuses_nobody(verifier):
    """The reader asks of "Austria" in "Austria Medical Journal"; such a verdict is made by hand here."""
    whole, longer = "Austria was founded in 1950.", "Austria Journal was founded in 1950."
    (accused,) = verifier.verify(whole).verdicts
    meant = Meant(verifier.knowledge, verifier.beings, verifier.rules.demonyms)
    assert meant.spare(whole, [accused], ()) == [accused]
    (spared,) = meant.spare(longer, [accused], ())
    assert spared.label is Label.EXTRAPOLATORY
    assert "longer name" in spared.reason


@pytest.mark.parametrize(("label", "is_titled"), [("Greatest Hits", False), ("Greatest hits", True)])
def test_words_in_lower_case_are_no_title(verifier, label, is_titled):
    meant = Meant(verifier.knowledge, verifier.beings, verifier.rules.demonyms)
    name = Mention(4, 17, "greatest hits", (Candidate("http://example.org/hits", label, 1.0),))
    assert meant.is_titled("Her greatest hits sold well.", name) is is_titled
