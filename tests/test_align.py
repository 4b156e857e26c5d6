"""From the words of a relation to properties of the shipped slice, in both directions."""

from __future__ import annotations

import pytest

from kgstore.store import Store
from kgstore.verbalise import readable
from kgstore.verifier.english import wording
from kgstore.verifier.kg.align import TOP, Aligner
from kgstore.verifier.pipeline import Verifier
from tests.plain_graph import plain_store

ENTITY, TIME, AMOUNT = frozenset(("entity", "string")), frozenset(("time",)), frozenset(("quantity", "string"))


@pytest.fixture(scope="module")
def aligner(small_kg):
    with Store(small_kg) as store:
        yield Aligner(store)


def iri(aligner: Aligner, name: str) -> str:
    return aligner.store.catalog.lookup([name.lower()])[name.lower()][0].iri


@pytest.mark.parametrize(
    ("relation", "kinds", "label", "turned"),
    [
        ("was born in", ENTITY, "place of birth", False),
        ("was the birthplace of", ENTITY, "place of birth", True),
        ("was born on", TIME, "date of birth", False),
        ("died in", ENTITY, "place of death", False),
        ("died on", TIME, "date of death", False),
        ("is married to", ENTITY, "spouse", False),
        ("wife", ENTITY, "spouse", False),
        ("is the capital of", ENTITY, "capital", True),
        ("capital", ENTITY, "capital", False),
        ("is a citizen of", ENTITY, "country of citizenship", False),
        ("studied at", ENTITY, "educated at", False),
        ("worked for", ENTITY, "employer", False),
        ("was directed by", ENTITY, "director", False),
        ("directed", ENTITY, "director", True),
        ("lasts", AMOUNT, "duration", False),
        ("has a population of", AMOUNT, "population", False),
        ("is tall", AMOUNT, "height", False),
    ],
)
def test_the_usual_words_of_a_relation_mean_it(aligner, relation, kinds, label, turned):
    found = aligner.align(relation, kinds)
    assert (label, turned) in [(one.property.label, one.turned) for one in found[:TOP]]


@pytest.mark.parametrize("relation", ["was born in", "zorked", "is", "", "of", "\x00", "x " * 200, "was director of"])
@pytest.mark.parametrize("kinds", [ENTITY, TIME, AMOUNT, frozenset()])
def test_scores_fall_and_stay_between_0_and_1(aligner, relation, kinds):
    found = aligner.align(relation, kinds)
    scores = [round(one.score, 3) for one in found]
    assert len(found) <= TOP and scores == sorted(scores, reverse=True)
    assert all(0 <= share <= 1 for one in found for share in (one.score, one.text, one.fit))
    assert len({(one.property.iri, one.turned) for one in found}) == len(found)


def test_the_kind_of_the_tail_decides_between_place_and_date(aligner):
    assert aligner.align("was born in", TIME)[0].property.label == "date of birth"
    assert aligner.align("was born in", ENTITY)[0].property.label != "date of birth"


def test_nothing_is_aligned_where_no_kind_of_tail_is_possible(aligner):
    assert aligner.align("was born in", frozenset()) == []


def test_types_of_head_and_tail_weigh(aligner):
    adams, oslo = iri(aligner, "Douglas Adams"), iri(aligner, "Oslo")
    fitting = {one.property.label: one.fit for one in aligner.align("was born in", ENTITY, [adams], [oslo])}
    odd = {one.property.label: one.fit for one in aligner.align("was born in", ENTITY, [oslo], [adams])}
    assert fitting["place of birth"] > odd.get("place of birth", 0)


def test_the_same_question_twice_has_the_same_answer(aligner):
    assert aligner.align("was hanging around with", ENTITY) == aligner.align("was hanging around with", ENTITY)


@pytest.mark.parametrize(
    ("text", "known"),
    [("capital", True), ("cause of death", True), ("wife", True), ("population", True), ("zork", False), ("", False)],
)
def test_nouns_of_relations_are_known(aligner, text, known):
    assert aligner.is_noun(text) is known


def test_likeness_is_a_share_and_highest_for_the_property_s_own_words(aligner):
    by_label = {item.label: item.iri for item in aligner.properties.values()}
    own = aligner.likeness("was born in", by_label["place of birth"])
    other = aligner.likeness("was born in", by_label["place of death"])
    assert 0 <= other < own <= 1


@pytest.mark.parametrize("label, sentence", [
    ("birth date", "was born on"), ("founded", "was founded in"), ("birthDate", "was born on"), ("job title", "is"),
    ("works for", "was employed by"),
])
def test_labels_of_domain_graphs_have_the_usual_wordings(label, sentence):
    usual, other = wording.table()
    name = readable(label).lower()
    wordings = usual.get(name) or other.get(name)
    assert wordings and wording.normal(sentence) in {wording.normal(one.text) for one in wordings}


AWARDS = """
ex:got rdfs:label "award received"@en . ex:up rdfs:label "nominated for"@en .
ex:ann rdfs:label "Ann Smith"@en ; ex:up ex:prize ; ex:got ex:medal .
ex:prize rdfs:label "Zorn Prize"@en . ex:medal rdfs:label "Ulta Medal"@en .
"""


@pytest.mark.parametrize(
    ("said", "supported"),
    [
        ("received the Zorn Prize", False),
        ("earned the Zorn Prize", False),
        ("received a nomination for the Zorn Prize", True),
        ("got a nomination for the Zorn Prize", True),
        ("received the Ulta Medal", True),
    ],
)
def test_who_received_a_nomination_received_no_award(tmp_path, said, supported):
    with plain_store(AWARDS, tmp_path) as store:
        verifier = Verifier(store)
        verifier.without = frozenset(("nli",))
        (verdict,) = verifier.verify(f"Ann Smith {said}.").verdicts
    assert (verdict.label.value == "attributable") is supported
