"""A sentence that names two and nothing else speaks of these: a sure reading needs no certain words there."""

from __future__ import annotations

import pytest

from kgstore.store import Store
from kgstore.verifier.claims import Label, Mention, Passage
from kgstore.verifier.decide.tier import Tier
from kgstore.verifier.kg.knowledge import Knowledge
from kgstore.verifier.pipeline import Verifier
from kgstore.verifier.reader.joining import ALONE, ALONE_DATED
from kgstore.verifier.reader.others import are_alone
from tests.bench.bench_hidden import hide, of_text
from tests.plain_graph import plain_store
from tests.test_reader import Told

GRAPH = """
@prefix : <http://ex/> .
:person rdfs:label "person" . :city rdfs:label "city" . :museum rdfs:label "museum" .
:home rdfs:label "place of birth" ; a owl:FunctionalProperty .
:died rdfs:label "date of death" ; a owl:FunctionalProperty .
:founded rdfs:label "inception" ; a owl:FunctionalProperty .
:zone rdfs:label "time zone" ; a owl:FunctionalProperty .
:ann a :person ; rdfs:label "Ann Smith" ; :home :graz ; :died "1951-05-07"^^xsd:date .
:bob a :person ; rdfs:label "Bob Jones" ; :home :oslo ; :died "1988-01-02"^^xsd:date .
:graz a :city ; rdfs:label "Graz" ; :zone :cet ; :founded "1128"^^xsd:gYear .
:oslo a :city ; rdfs:label "Oslo" ; :zone :cet ; :founded "1040"^^xsd:gYear . :cet rdfs:label "Central Time" .
"""
HOME = "The place of birth of Ann Smith is Oslo."
DIED = "The date of death of Ann Smith is 1950."


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    with plain_store(GRAPH, tmp_path_factory.mktemp("alone")) as store:
        yield store


def verified(store: Store, text: str, said: dict[str, float]) -> list[tuple[str, Label]]:
    verifier = Verifier(store, judge="none")
    verifier.reader = Told(said)
    found = verifier.verify(text).verdicts
    return [(one.claim.relation, one.label) for one in found if one.label is not Label.EXTRAPOLATORY]


@pytest.mark.parametrize(
    ("text", "statement", "sure", "accused"),
    [
        ("Ann Smith, I hear, was one of the many children of Oslo.", HOME, ALONE + 0.01, True),
        ("Ann Smith, I hear, was one of the many children of Oslo.", HOME, ALONE - 0.01, False),
        ("Ann Smith, as Bob Jones says, was one of the many children of Oslo.", HOME, ALONE + 0.01, False),
        ("Ann Smith, as Zeb Quill says, was one of the many children of Oslo.", HOME, ALONE + 0.01, False),
        ("Ann Smith's last candle burnt down in 1950.", DIED, ALONE_DATED + 0.01, False),  # it may be the candle's
        ("In 1950 Ann Smith laid down her pen for good.", DIED, ALONE_DATED + 0.01, True),
        ("In 1950 Ann Smith laid down her pen for good.", DIED, ALONE_DATED - 0.01, False),
    ],
)
def test_a_surer_reading_accuses_where_nothing_else_is_named(store, text, statement, sure, accused):
    assert bool(verified(store, text, {statement: sure})) is accused


def place(text: str, name: str, refers_to: tuple[int, int] | None = None) -> Mention:
    return Mention(text.index(name), text.index(name) + len(name), name, refers_to=refers_to)


def test_who_is_alone_with_whom():
    text = "Ann has the house in Graz that she built beside Zeb Quill."
    ann, graz = place(text, "Ann"), place(text, "Graz")
    house, herself, other = place(text, "house"), place(text, "she", (0, 3)), place(text, "she", (70, 73))
    assert are_alone(Passage(0, len(text), (ann, house, graz, herself)), ann, graz)
    assert not are_alone(Passage(0, len(text), (ann, graz, other)), ann, graz)
    assert not are_alone(Passage(0, len(text), (ann, graz), unknown=(place(text, "Zeb Quill"),)), ann, graz)
    assert not are_alone(Passage(0, len(text), (herself, graz)), herself, graz)


@pytest.mark.parametrize(
    ("text", "statement", "label"),
    [
        ("The clocks of Graz are set to Central Time.", "The time zone of Graz is Central Time.", Label.ATTRIBUTABLE),
        ("The annals of Graz begin in 1500.", "The inception of Graz is 1500.", None),  # they may be younger
        ("In 1500 Graz, they say, had just been begun.", "The inception of Graz is 1500.", Label.CONTRADICTORY),
        ("The sons of Ann Smith began in 1950.", DIED, None),
    ],
)
def test_a_step_that_is_none_bars_no_sure_reading(store, text, statement, label):
    assert [one for _, one in verified(store, text, {statement: 0.97})] == [label] * (label is not None)


def test_a_step_by_no_property_is_not_understood(store):
    verifier = Verifier(store, judge="none", reader="none")
    (verdict,) = verifier.verify("The clocks of Graz are set to Central Time.").verdicts
    assert verdict.method == Tier.NO_PROPERTY and "“clocks”" in verdict.reason


def test_what_a_graph_lacks_it_holds_against_nobody(store, capsys):
    verifier = Verifier(store, judge="none")
    text = "Ann Smith was born in Graz and died on 7 May 1951."
    counts = of_text({"id": "a", "text": text}, verifier, hide(verifier.knowledge))
    assert (counts["texts"], counts["hidden"], counts["accused"]) == (1, 2, 0), capsys.readouterr().out


def test_what_is_hidden_is_not_found(store):
    know = Knowledge(store)
    hidden = hide(know)
    hidden.add(("http://ex/ann", "http://ex/home"))
    assert not know.links("http://ex/ann", "http://ex/graz") and know.about("http://ex/ann")
    hidden.clear()
    assert know.links("http://ex/ann", "http://ex/graz")
