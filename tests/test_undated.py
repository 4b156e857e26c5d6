"""A date beside a relation that the graph never dates: that of an event, unless the relation lasts for a time."""

from __future__ import annotations

import pytest

from kgstore.verifier.claims import Label
from kgstore.verifier.pipeline import Verifier
from tests.plain_graph import plain_store

GRAPH = """
ex:publisher rdfs:label "publisher"@en . ex:employer rdfs:label "employer"@en .
ex:dunes a ex:book ; rdfs:label "Grey Dunes"@en ; ex:publisher ex:nord . ex:nord rdfs:label "Nord Press"@en .
ex:ann a ex:person ; rdfs:label "Ann Smith"@en ; ex:employer ex:nord .
"""


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("Grey Dunes was published in 1961 by Nord Press.", Label.ATTRIBUTABLE),
        ("In 1961, Ann Smith was employed by Nord Press.", Label.EXTRAPOLATORY),
    ],
)
def test_the_date_of_an_event_keeps_nothing_open(tmp_path, text, label):
    with plain_store(GRAPH, tmp_path) as store:
        verdicts = Verifier(store, judge="none", reader="none").verify(text).verdicts
        found = [one.label for one in verdicts if one.claim.tail.text == "Nord Press"]
        assert found == [label]
