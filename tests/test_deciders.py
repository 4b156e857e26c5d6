"""Each decider by itself: a claim of the small KG goes in, its finding comes out, or None where it has no say."""

from __future__ import annotations

import pytest

from kgstore.store import Store
from kgstore.verifier.claims import Claim, Label
from kgstore.verifier.decide.accuse import is_plain, may_be_over
from kgstore.verifier.decide.age import decide_age
from kgstore.verifier.decide.bounds import dateless, decide_bound
from kgstore.verifier.decide.chain import decide_chain
from kgstore.verifier.decide.classes import decide_class
from kgstore.verifier.decide.comparison import decide_comparison
from kgstore.verifier.decide.complete import may_mean
from kgstore.verifier.decide.count import decide_count
from kgstore.verifier.decide.direct import decide_direct, tail_kinds
from kgstore.verifier.decide.finding import Finding, meant
from kgstore.verifier.decide.kind import another_kind, place_alone
from kgstore.verifier.decide.magnitude import magnitude, measured
from kgstore.verifier.decide.qualified import decide_qualified
from kgstore.verifier.decide.superlative import decide_superlative
from kgstore.verifier.decide.tier import Tier
from kgstore.verifier.decide.titles import spare_titles
from kgstore.verifier.kg.kinds import classes_named
from kgstore.verifier.link.beings import Beings
from kgstore.verifier.pipeline import Verifier
from kgstore.verifier.report.moved import moved
from tests.plain_graph import plain_store

YES, OPEN, NO = Label.ATTRIBUTABLE, Label.EXTRAPOLATORY, Label.CONTRADICTORY


@pytest.fixture(scope="module")
def verifier(small_kg):
    with Store(small_kg, read_only=True) as store:
        yield Verifier(store, judge="none", reader="none")


def claim(verifier: Verifier, text: str) -> Claim:
    (found,) = verifier.claims(text)
    return found


def told(found: Finding | None) -> tuple | None:
    return None if found is None else (found.outcome.label, found.outcome.method)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Douglas Adams died at the age of 49.", (YES, Tier.AGE)),
        ("Douglas Adams died at the age of 50.", (NO, Tier.AGE)),
        ("Douglas Adams was born in Cambridge.", None),
    ],
)
def test_an_age_at_death_is_worked_out_from_two_dates(verifier, text, expected):
    assert told(decide_age(claim(verifier, text), verifier.knowledge, verifier.aligner)) == expected


@pytest.mark.parametrize(("bound", "label"), [("before 1960", YES), ("after 1960", NO), ("in 1952", None)])
def test_a_bound_on_a_date_is_compared_with_the_date(verifier, bound, label):
    one = claim(verifier, f"Douglas Adams was born {bound}.")
    item = next(item for item in verifier.store.properties().values() if item.label == "date of birth")
    found = decide_bound(verifier.knowledge, item, one.head.candidates[0], one)
    assert (found and found.label) == label and dateless(one) == "was born in"


@pytest.mark.parametrize(
    ("text", "label"),
    [("The spouse of Yoko Ono died in London.", NO), ("The spouse of Yoko Ono died in New York City.", YES)],
)
def test_a_chain_goes_by_way_of_who_is_not_named(verifier, text, label):
    found = decide_chain(claim(verifier, text), verifier.knowledge, verifier.aligner, frozenset())
    assert told(found) == (label, Tier.MULTI_HOP)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Douglas Adams is a city.", (NO, Tier.DISJOINT)),
        ("Douglas Adams is a writer.", None),
        ("Oslo is a human.", None),
    ],
)
def test_nobody_is_a_city(verifier, text, expected):
    assert told(decide_class(claim(verifier, text), verifier.knowledge)) == expected


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("Neil Young is older than Douglas Adams.", YES),
        ("Douglas Adams was older than Neil Young.", NO),
        ("Douglas Adams was taller than Neil Young.", OPEN),
        ("Germany is larger than Norway.", OPEN),
        ("Canada is larger than Norway.", YES),
    ],
)
def test_two_things_are_compared_by_what_the_kg_measures(verifier, text, label):
    found = decide_comparison(claim(verifier, text), verifier.knowledge, verifier.aligner)
    assert told(found) == (label, Tier.COMPARISON)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("John Lennon had two children.", (YES, Tier.COUNT)),
        ("Lenny Kravitz has 1 child.", (YES, Tier.COUNT)),
        ("Michael Jackson had five children.", None),
    ],
)
def test_what_the_kg_lists_is_counted(verifier, text, expected):
    assert told(decide_count(claim(verifier, text), verifier.knowledge, verifier.aligner)) == expected


def test_the_largest_of_its_kind_needs_others_to_compare_with(verifier):
    one = claim(verifier, "Oslo is the largest city in Norway.")
    found = decide_superlative(one, verifier.knowledge, verifier.aligner)
    assert told(found) == (OPEN, Tier.SUPERLATIVE)


def test_a_kind_beside_a_place_is_asked_apart_from_the_place(verifier):
    for text, why in (("Oslo is a city in Norway.", None), ("Oslo is a river in Norway.", "Oslo is a river")):
        one = claim(verifier, text)
        plain = place_alone(one, verifier.knowledge, verifier.aligner.is_noun)
        assert plain is not None and plain.relation == "is in"
        doubt = another_kind(one, one.head.candidates[0], verifier.knowledge)
        assert doubt == (why and f"the KG does not say that {why}")
    assert place_alone(claim(verifier, "Oslo is in Norway."), verifier.knowledge, verifier.aligner.is_noun) is None


def test_a_plain_claim_is_decided_by_its_own_property(verifier):
    one = claim(verifier, "Douglas Adams was born in Cambridge.")
    found = decide_direct(one, one.head.candidates, verifier.knowledge, verifier.aligner, frozenset())
    assert told(found) == (YES, Tier.STATEMENT) and found.reading.property.label == "place of birth"
    assert tail_kinds(one.tail) == {"entity", "string"}
    assert tail_kinds(claim(verifier, "Douglas Adams was born in 1952.").tail) == {"time"}
    assert decide_qualified(one, verifier.knowledge, verifier.aligner) is None
    assert meant(one.head.candidates).label == "Douglas Adams" and meant(()) is None
    assert is_plain(one) and not is_plain(claim(verifier, "Douglas Adams was born before 1960."))
    assert not may_be_over(one, found.reading.property)  # one is born once


def test_a_size_is_read_with_the_statement_that_says_it(verifier):
    adams = claim(verifier, "Douglas Adams was born in Cambridge.").head.candidates[0].iri
    item = measured(["height"], [adams], verifier.aligner)[0]
    size = magnitude(verifier.knowledge, adams, item)
    oslo = claim(verifier, "Oslo is in Norway.").head.candidates[0].iri
    assert item.label == "height" and size is not None and len(size.statements) == 1
    assert magnitude(verifier.knowledge, oslo, item) is None


def test_a_surname_may_mean_somebody_who_is_listed(verifier):
    adams = claim(verifier, "Douglas Adams was born in Cambridge.").head.candidates[0].iri
    born = [one for one in verifier.store.statements(adams) if one.predicate.value.endswith("/P19")]
    assert may_mean(verifier.knowledge, "Cambridge", born) and not may_mean(verifier.knowledge, "Oslo", born)


def test_beings_have_kinds_and_a_gender(verifier):
    one, beings = claim(verifier, "Douglas Adams was born in Cambridge."), Beings(verifier.store)
    assert beings.is_person(one.head) and not beings.is_person(one.tail)
    assert (beings.gender(one.head), beings.gender(one.tail)) == ("male", "")
    assert {"human", "novelist"} <= beings.kinds(one.head) and beings.is_one(one.tail, frozenset(("city",)))


def test_classes_are_found_by_their_noun_in_either_number(verifier):
    labels = {verifier.store.label(one) for one in classes_named(verifier.store, "writers")}
    assert "writer" in labels and classes_named(verifier.store, "nothing") == []


def test_offsets_move_together_and_titles_that_need_no_sparing_stay(verifier):
    text = "Douglas Adams was born in Cambridge."
    (verdict,) = verifier.verdicts(text, verifier.claims(text))
    later = moved(verdict, 10).claim
    assert (later.start, later.head.start, later.tail.start) == (10, 10, 10 + text.index("Cambridge"))
    assert spare_titles([verdict], verifier.knowledge) == [verdict]


def test_a_region_named_after_a_continent_is_no_other_one(tmp_path):
    """ "Malaysia is a country in Southeast Asia", of which the KG has Asia, and Earth around it."""
    graph = """
    @prefix : <http://ex/> .
    :land rdfs:label "country" . :region rdfs:label "region" .
    :continent rdfs:label "continent" ; a owl:FunctionalProperty .
    :asia a :region ; rdfs:label "Asia" . :south a :region ; rdfs:label "Southeast Asia" .
    :africa a :region ; rdfs:label "Africa" . :malaysia a :land ; rdfs:label "Malaysia" ; :continent :asia .
    """
    with plain_store(graph, tmp_path) as store:
        verifier = Verifier(store, judge="none", reader="none")
        labels = [
            [one.label for one in verifier.verify(f"The continent of Malaysia is {name}.").verdicts]
            for name in ("Southeast Asia", "Africa", "Asia")
        ]
    assert labels == [[OPEN], [NO], [YES]]


def test_an_office_that_a_country_may_once_have_had_is_not_held_against_what_is(tmp_path):
    graph = """
    @prefix : <http://ex/> .
    :land rdfs:label "country" . :post rdfs:label "office" . :person rdfs:label "person" .
    :office rdfs:label "office held by head of government" ; a owl:FunctionalProperty .
    :first a :post ; rdfs:label "Prime Minister" . :other a :post ; rdfs:label "Governor-General" .
    :norway a :land ; rdfs:label "Norway" ; :office :first . :ann a :person ; rdfs:label "Ann Smith" .
    """
    with plain_store(graph, tmp_path) as store:
        verdicts = Verifier(store, judge="none").verify("Ann Smith governed Norway as Governor-General.").verdicts
    assert all(one.label is not NO for one in verdicts)
