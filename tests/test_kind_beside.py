"""The noun beside a name says which of several things of that name is meant."""

from __future__ import annotations

import pytest

from kgstore.verifier.pipeline import Verifier
from tests.plain_graph import plain_store

GRAPH = """
ex:film rdfs:label "film" . ex:book rdfs:label "literary work" .
ex:f a ex:film ; rdfs:label "Grey Dunes" . ex:b a ex:book ; rdfs:label "Grey Dunes" ; rdfs:comment "novel by Ann Roe" .
"""


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("The novel Grey Dunes is long.", ["b"]),
        ("The film “Grey Dunes” is long.", ["f"]),
        ("Grey Dunes, a very long novel by Ann Roe, is sad.", ["b"]),
        ("Grey Dunes is long.", ["b", "f"]),
        ("The opera Grey Dunes is long.", ["b", "f"]),
    ],
)
def test_a_noun_tells_what_is_meant(tmp_path, text, meant):
    with plain_store(GRAPH, tmp_path) as store:
        names = {one.text: one for one in Verifier(store, judge="none", reader="none").rules.mentions(text, False)}
    found = names["Grey Dunes"].candidates
    assert sorted(one.iri[-1] for one in found) == meant
    assert sum(one.score for one in found) == pytest.approx(1, abs=0.01)
