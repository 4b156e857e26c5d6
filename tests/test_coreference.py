"""What pronouns and definite nouns refer to, in texts about entities of the shipped slice."""

from __future__ import annotations

import pytest

from kgstore.store import Store
from kgstore.verifier.claims import Label, Mention
from kgstore.verifier.kg.align import Aligner
from kgstore.verifier.link.coreference import Coreference, is_called
from kgstore.verifier.link.linker import link
from kgstore.verifier.pipeline import Verifier
from kgstore.verifier.stages import RulesExtractor
from tests.plain_graph import plain_store
from tests.test_reader import GRAPH


@pytest.fixture(scope="module")
def store(small_kg):
    with Store(small_kg) as store:
        yield store


def named(store: Store, name: str, start: int = 0) -> Mention:
    hits = store.catalog.lookup([name.lower()]).get(name.lower(), [])
    return link(store, Mention(start, start + len(name), name), hits)


def told(store: Store, *names: str) -> Coreference:
    topics = Coreference(store)
    for i, name in enumerate(names):
        topics.about(named(store, name, 100 * i))
    return topics


@pytest.mark.parametrize("who", ["Douglas Adams", "Zork Zorkson"])
def test_a_subject_of_whom_nothing_was_understood_is_what_he_means_next(store, who):
    aligner = Aligner(store)
    text = f"Neil Young was born in Toronto.\n\n{who} became Norway's first poet. He died in 2001."
    *_, died = RulesExtractor(store, aligner.is_noun, aligner.is_value).extract(text)
    assert died.head.text == "He"
    assert [one.label for one in died.head.candidates] == ([who] if who == "Douglas Adams" else [])


@pytest.mark.parametrize(
    ("names", "phrase", "meant"),
    [
        (["The Intouchables"], "film", "The Intouchables"),
        (["Oslo"], "city", "Oslo"),
        (["Germany", "Oslo"], "country", "Germany"),
        (["Meryl Streep", "Oslo"], "actor", "Meryl Streep"),
        (["Douglas Adams"], "film", None),
        (["Oslo"], "song", None),
        ([], "city", None),
    ],
)
def test_the_film_is_the_latest_topic_of_that_type(store, names, phrase, meant):
    found = told(store, *names).noun(phrase)
    assert (found and found.text) == meant


def test_what_the_text_calls_a_thing_counts(store):
    topics = Coreference(store)
    topics.about(Mention(0, 10, "Zed Zorkov"), "linguist")
    assert topics.noun("linguist").text == "Zed Zorkov"
    assert topics.noun("chemist") is None


def test_the_same_thing_twice_is_one_topic(store):
    topics = told(store, "Douglas Adams", "Oslo", "Douglas Adams", "Oslo")
    assert topics.topic.text == "Oslo"
    assert topics.noun("writer").start == 0


def test_only_so_many_topics_are_remembered(store):
    topics = told(store, "Oslo")
    for i in range(40):
        topics.about(Mention(1000 + i, 1001 + i, "X"))
    assert topics.noun("city") is None


@pytest.mark.parametrize(
    "between",
    ["454 square kilometres is much.", "Visitors praise the food.", "The basin of the city measures 454 hectares."],
)
def test_what_stands_between_is_no_new_topic(store, between):
    aligner = Aligner(store)
    extractor = RulesExtractor(store, aligner.is_noun, aligner.is_value)
    claims = extractor.extract(f"Oslo is a city. {between} It lies in Norway.")
    assert (claims[-1].head.text, claims[-1].head.candidates[0].label) == ("It", "Oslo")
    assert not any(claim.head.text == "Visitors" for claim in claims)


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("Neil Young was born in Toronto. It is in Canada.", "Toronto"),
        ("Neil Young was born in Toronto and lives in Zorkville. It is in Canada.", None),
        ("Oslo is a city. Neil Young was born in Toronto. It is in Canada.", "Oslo"),
        ("Neil Young is a singer. It is in Canada.", None),
        ("Neil Young was born in Toronto. Many people know the name. It is in Canada.", "Toronto"),
        ("Neil Young was born in Toronto and died in Oslo. Few people know this. It is in Canada.", None),
    ],
)
def test_without_a_topic_it_is_the_only_thing_that_was_named(store, text, meant):
    aligner = Aligner(store)
    claim = RulesExtractor(store, aligner.is_noun, aligner.is_value).extract(text)[-1]
    assert (claim.head.text, claim.tail.text) == ("It", "Canada")
    assert (claim.head.refers_to and text[slice(*claim.head.refers_to)]) == meant


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("Oslo is the capital of Norway. The country borders Sweden.", "Norway"),
        ("Oslo is the capital of Norway. The city lies in Sweden.", "Oslo"),
    ],
)
def test_the_country_is_the_latest_one_that_was_named(store, text, meant):
    aligner = Aligner(store)
    heads = [one.head for one in RulesExtractor(store, aligner.is_noun, aligner.is_value).extract(text)]
    meant_by = [text[slice(*one.refers_to)] for one in heads if one.refers_to and one.start > text.index(".")]
    assert meant_by == ([meant] if meant else [])


def test_a_table_may_call_people_by_what_they_do(tmp_path):
    graph = """
    @prefix : <http://ex/> .
    :doctor a rdfs:Class ; rdfs:label "doctor" . :ward rdfs:label "Cardiology" .
    :a a :doctor ; rdfs:label "Anna Abel" ; :worksFor :ward ; :born "1950-01-10"^^xsd:date .
    :worksFor rdfs:label "works for" . :born rdfs:label "born" .
    """
    with plain_store(graph, tmp_path) as store:
        verifier = Verifier(store, judge="none", reader="none")
        verdicts = verifier.verify("Anna Abel was born in 1950. She works for Cardiology.").verdicts
    assert [one.label for one in verdicts] == [Label.ATTRIBUTABLE] * 2


@pytest.mark.parametrize(
    ("noun", "kind", "right"),
    [("firm", "company", True), ("company", "aviation company", True), ("company", "municipal corporation", False)],
)
def test_a_city_is_no_company(noun, kind, right):
    """Many a city of the United States is a municipal corporation; "the American company" behind "Los Angeles" is none
    of them."""
    assert is_called(noun, [kind]) is right


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("Grey Dunes stars Ann Smith and Bob Jones. Bob Jones sang. The director was Carl Roe.", "Grey Dunes"),
        ("Grey Dunes is a film. Low Tide is a film. Low Tide is loud. The director was Carl Roe.", "Low Tide"),
    ],
)
def test_a_noun_of_a_relation_speaks_of_what_the_whole_text_is_about(tmp_path, text, meant):
    with plain_store(GRAPH, tmp_path) as store:
        *_, last = Verifier(store, judge="none", reader="none").claims(text)
    assert (last.head.candidates[0].label, last.tail.text) == (meant, "Carl Roe")


def test_a_noun_stands_for_nothing_before_anything_was_said_of_it(everyday_kg):
    """ "In Poland people pay with the złoty" was read of the people of Poland, as if "people" were a relation."""
    with Store(everyday_kg, read_only=True) as store:
        _, (passage,) = Verifier(store, judge="none", reader="none").read("In Poland people pay with the złoty.")
    (people,) = [one for one in passage.places if one.text == "people"]
    assert people.refers_to is None and people.candidates[0].label != "Poland"
