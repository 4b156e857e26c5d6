"""Of what began several times the graph may not have every time."""

from __future__ import annotations

import pytest

from kgstore.verifier.claims import Label
from kgstore.verifier.pipeline import Verifier
from tests.plain_graph import plain_store

GRAPH = """
ex:began rdfs:label "inception" . ex:born rdfs:label "date of birth" .
ex:land rdfs:label "Old Realm" ; ex:began "1143-08-10"^^xsd:date , "1949-05-23"^^xsd:date .
ex:firm rdfs:label "Acme Works" ; ex:began "1949-12-30"^^xsd:date , "1950-01-02"^^xsd:date .
ex:ann rdfs:label "Ann Smith" ; ex:born "1882-01-01"^^xsd:date , "1887-01-01"^^xsd:date .
""" + "".join(f'ex:x{at} rdfs:label "Thing {at}" ; ex:began "19{at}-01-01"^^xsd:date . ' for at in range(10, 40))


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("Old Realm was founded in 1871.", Label.EXTRAPOLATORY),
        ("Old Realm was founded in 1112.", Label.CONTRADICTORY),
        ("Old Realm was founded in 1143.", Label.ATTRIBUTABLE),
        ("Acme Works was founded in 1871.", Label.CONTRADICTORY),
        ("Ann Smith was born in 1871.", Label.CONTRADICTORY),
    ],
)
def test_another_year_beside_several(tmp_path, text, label):
    with plain_store(GRAPH, tmp_path) as store:
        (verdict,) = Verifier(store, judge="none", reader="none").verify(text).verdicts
    assert verdict.label is label
