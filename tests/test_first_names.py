"""Who is named by a first name alone may be somebody else."""

from __future__ import annotations

import pytest

from kgstore.verifier.claims import Label
from kgstore.verifier.pipeline import Verifier
from tests.plain_graph import plain_store


@pytest.mark.parametrize(("name", "accused"), [("Albert", False), ("Sixth", True), ("George Sixth", True)])
def test_nobody_is_accused_by_a_first_name_that_is_not_in_the_label(tmp_path, name, accused):
    """ "Albert" is an alias of George VI, and the name of many."""
    graph = """
    ex:human rdfs:label "human" . ex:born rdfs:label "date of birth" ; a owl:FunctionalProperty .
    ex:king a ex:human ; rdfs:label "George Sixth" ; skos:altLabel "Albert", "Sixth" ; ex:born "1895-12-14"^^xsd:date .
    """
    with plain_store(graph, tmp_path) as store:
        (verdict,) = Verifier(store, reader="none").verify(f"{name} was born on 3 May 1901.").verdicts
    assert (verdict.label is Label.CONTRADICTORY) == accused


def test_whom_a_name_of_one_word_describes_is_not_called_so(tmp_path):
    graph = """
    ex:human rdfs:label "human" . ex:film rdfs:label "film" .
    ex:born rdfs:label "date of birth" ; a owl:FunctionalProperty .
    ex:made rdfs:label "director" ; a owl:FunctionalProperty .
    ex:dunes a ex:film ; rdfs:label "Dunes" ; ex:made ex:ann .
    ex:ann a ex:human ; rdfs:label "Ann Smith" ; ex:born "1951-05-07"^^xsd:date .
    """
    with plain_store(graph, tmp_path) as store:
        (verdict,) = Verifier(store, reader="none").verify("The director of Dunes was born on 3 May 1901.").verdicts
    assert verdict.label is Label.CONTRADICTORY


PAIR = """
ex:human rdfs:label "human" . ex:town rdfs:label "town" . ex:born rdfs:label "place of birth" .
ex:ann a ex:human ; rdfs:label "Ann Smith" . ex:bea a ex:human ; rdfs:label "Bea Smith" ; ex:born ex:graz .
ex:more a ex:human ; rdfs:label "Bea Roe" . ex:graz a ex:town ; rdfs:label "Graz" .
"""


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("Ann Smith's sister Bea Smith sang. Bea was born in Graz.", Label.ATTRIBUTABLE),
        ("Ann Smith's sisters Bea Smith and Bea Roe sang. Bea was born in Graz.", Label.EXTRAPOLATORY),
        ("Ann Smith met Bea Smith and Bea Poe. Bea was born in Graz.", Label.EXTRAPOLATORY),
    ],
)
def test_a_first_name_means_the_only_one_who_was_named_with_it(tmp_path, text, label):
    with plain_store(PAIR, tmp_path) as store:
        born = [one for one in Verifier(store, reader="none").verify(text).verdicts if one.claim.tail.text == "Graz"]
    assert [one.label for one in born] == [label]
