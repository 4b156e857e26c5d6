"""A value that a sentence may say of something else than the name beside it accuses nobody."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import pytest

from kgstore.verifier.claims import Candidate, Label, Mention, Passage
from kgstore.verifier.pipeline import Verifier
from kgstore.verifier.reader.others import LINKED, may_be_others, surely_meant
from kgstore.verifier.values import Amount, DateValue
from tests.plain_graph import plain_store
from tests.test_reader import Told

GRAPH = """
@prefix : <http://ex/> .
:person rdfs:label "person" . :town rdfs:label "town" . :realm rdfs:label "realm" .
:home rdfs:label "place of birth" ; a owl:FunctionalProperty .
:born rdfs:label "date of birth" ; a owl:FunctionalProperty .
:died rdfs:label "date of death" ; a owl:FunctionalProperty . :people rdfs:label "population" .
:began rdfs:label "inception" ; a owl:FunctionalProperty . :ended rdfs:label "dissolved" ; a owl:FunctionalProperty .
:ann a :person ; rdfs:label "Ann Smith" ; :home :graz ; :born "1890-05-07"^^xsd:date ; :died "1931-05-07"^^xsd:date .
:graz a :town ; rdfs:label "Graz" . :oslo a :town ; rdfs:label "Oslo" .
:field a :town ; rdfs:label "Northfield" ; :people 5000 ; :began "1850-01-01"^^xsd:date .
:old a :realm ; rdfs:label "Old Realm" ; :ended "1917-03-15"^^xsd:date .
"""


@pytest.fixture(scope="module")
def verifier(tmp_path_factory):
    with plain_store(GRAPH, tmp_path_factory.mktemp("others")) as store:
        yield Verifier(store, judge="none")


@pytest.mark.parametrize(
    "text",
    [
        "On 3 May 1949 life began for the person to whom Ann Smith gave a ring.",
        "Of Ann Smith's offspring, at least one was delivered in Oslo.",
        "Ann Smith has a cousin who, by the way, was born in Oslo.",
        "Ann Smith has a cousin, one that was born in Oslo.",
        "The Ann Smith expedition began in Oslo.",
        "Ann Smith was there; the fair was in Oslo.",
        "Ann Smith (7 May 1890, Graz – 7 May 1931, Old Realm) was a writer.",
        "A party begun in 1828 had Ann Smith for a member.",
        "Some 8,000 live in the town that serves as the seat of Northfield.",
        "She sang in Northfield in 1934.",
        "NORTHFIELD, May 1934",
        "The Northfield town hall goes back to 1934.",
        "The Northfield fire station was opened in 1934.",
        "Northfield has 12 beds in its hospital.",
    ],
)
def test_what_stands_beside_a_name_is_not_said_of_it(verifier, text):
    assert all(one.label is not Label.CONTRADICTORY for one in verifier.verify(text).verdicts)


@pytest.mark.parametrize(
    ("text", "accused"),
    [
        ("In 1934, Ann Smith founded Northfield.", True),
        ("Ann Smith founded Northfield in 1934.", True),
        ("Northfield dates from 1934.", True),
        ("Ann Smith founded Northfield and then Bob Roe Park, opened in 1934.", False),
        ("In 1934, Old Realm founded Northfield.", False),
    ],
)
def test_a_date_beside_a_person_is_that_of_what_a_person_never_has(tmp_path, text, accused):
    said = {"The inception of Northfield is 1934.": 0.99}
    with plain_store(GRAPH, tmp_path) as store:
        verifier = Verifier(store, judge="none")
        verifier.reader = Told(said)
        made = verifier.verify(text).verdicts
    assert any(one.label is Label.CONTRADICTORY for one in made) is accused


def test_what_is_said_of_a_name_is_held_against_it(verifier):
    told = "Ann Smith was born in Oslo.", "Northfield was founded in 1934.", "Northfield has a population of 8,000."
    for text in told:
        assert [one.label for one in verifier.verify(text).verdicts] == [Label.CONTRADICTORY]


@pytest.mark.parametrize(
    ("text", "others"),
    [
        ("In 1828 Ann Smith founded it.", False),
        ("In 1828, the Ann Smith was launched.", False),
        ("It was in 1828 that Ann Smith was born.", False),
        ("Oslo saw Ann Smith in 1828.", True),
        ("Ann Smith sang, two years after her birth in 1828.", True),
        ("The Ann Smith zoo, founded in 1828, is closed.", True),
        ("The Ann Smith gazebo was built in 1828.", True),
        ("Ann Smith has been known since 1828.", False),
        ("It is Ann Smith who was born in 1828.", False),
        ("Ann Smith herself was born in 1828.", False),
        ("At Acme, which Ann Smith left in 1828, all went on.", True),
        ("In 1828, a year before Ann Smith came, it burnt.", True),
    ],
)
def test_of_whom_a_date_is_said(text, others):
    def place(name: str, value: DateValue | None = None) -> Mention:
        at = text.index(name)
        return Mention(at, at + len(name), name, () if value else (Candidate(name, name, 1.0),), value)

    named = [place(name) for name in ("Ann Smith", "Oslo") if name in text]
    year = place("1828", DateValue(1828))
    assert may_be_others(text, Passage(0, len(text), (*named, year)), named[0], year, {"zoo"}.__contains__) is others


@pytest.mark.parametrize(
    ("text", "others"),
    [
        ("Ann Smith was born in Graz.", False),
        ("Ann Smith was a writer who was born in Graz.", False),
        ("Ann Smith, a writer who was born in Graz, sang.", False),
        ("The Ann Smith expedition began in Graz.", True),
    ],
)
def test_of_whom_a_place_is_said(text, others):
    ann, graz = (
        Mention(text.index(name), text.index(name) + len(name), name, (Candidate(name, name, 1.0),))
        for name in ("Ann Smith", "Graz")
    )
    assert may_be_others(text, Passage(0, len(text), (ann, graz)), ann, graz, {"expedition"}.__contains__) is others


@pytest.mark.parametrize(("who", "others"), [("Ann Smith", False), ("Eva Roe", True)])
def test_a_pronouns_own_name_does_not_take_its_date(who, others):
    """ "The general Robert E. Lee moved to Lexington, where he died in 1870"."""
    text = f"The singer {who} lived where she was born in 1828."
    ann = (Candidate("ann", "Ann Smith", 1.0),)
    name = Mention(11, 11 + len(who), who, ann if who == "Ann Smith" else (Candidate("eva", "Eva Roe", 1.0),))
    she = Mention(text.index("she"), text.index("she") + 3, "she", ann, refers_to=(0, 1))
    year = Mention(text.index("1828"), text.index("1828") + 4, "1828", value=DateValue(1828))
    assert may_be_others(text, Passage(0, len(text), (name, she, year)), she, year, {"zoo"}.__contains__) is others


@pytest.mark.parametrize("has_dates", [True, False])
def test_a_name_that_has_no_such_date_does_not_take_it(has_dates):
    text = "Oslo saw Ann Smith born in 1828."
    ann = Mention(9, 18, "Ann Smith", (Candidate("ann", "Ann Smith", 1.0),))
    oslo = Mention(0, 4, "Oslo", (Candidate("oslo", "Oslo", 1.0),))
    year = Mention(27, 31, "1828", value=DateValue(1828))
    passage = Passage(0, len(text), (oslo, ann, year))
    assert may_be_others(text, passage, ann, year, {"zoo"}.__contains__, lambda _: has_dates) is has_dates


@pytest.mark.parametrize(
    ("text", "others"),
    [("This Graz opera came to be in 1828.", False), ("In Graz an opera, begun in 1828, stood.", True)],
)
def test_a_name_that_tells_which_one_a_noun_means_does_not_take_its_date(text, others):
    graz = Mention(text.index("Graz"), text.index("Graz") + 4, "Graz", (Candidate("graz", "Graz", 1.0),))
    opera = Mention(
        text.index("opera"), text.index("opera") + 5, "opera", (Candidate("house", "House", 1.0),), refers_to=(0, 1)
    )
    year = Mention(text.index("1828"), text.index("1828") + 4, "1828", value=DateValue(1828))
    assert may_be_others(text, Passage(0, len(text), (graz, opera, year)), opera, year, lambda noun: False) is others


@pytest.mark.parametrize("score", [0.6, 0.8])
def test_a_name_that_may_mean_another_accuses_nobody(score):
    ann = Mention(0, 9, "Ann Smith", (Candidate("ann", "Ann Smith", score),))
    graz = Mention(22, 26, "Graz", (Candidate("graz", "Graz", 1.0),))
    assert surely_meant(ann, graz) is (score >= LINKED)


def test_a_noun_that_names_the_property_is_nobody_who_may_have_it(tmp_path):
    text = "With a population of 8,000 and a hall, all sleep."
    nouns = ':number rdfs:label "population" ; :of :field . :hall rdfs:label "hall" ; :of :field .'
    with plain_store(f"{GRAPH} {nouns}", tmp_path) as store:
        guide = Verifier(store, judge="none").guide
        named = {
            name: Candidate(f"http://ex/{iri}", name, 1.0) for name, iri in (("population", "number"), ("hall", "hall"))
        }
        said = [Mention(text.index(one), text.index(one) + len(one), one, (named[one],)) for one in named]
        left_out = Mention(0, 0, "", (Candidate("http://ex/field", "Northfield", 1.0),), refers_to=(0, 1))
        people = Mention(21, 26, "8,000", value=Amount(Decimal(8000)))
        passage = Passage(0, len(text), (left_out, *said, people))
        asked = replace(guide.about(text, passage, left_out, people, "http://ex/people"), against=True)
        others = guide.doubles(text, [passage], asked, "http://ex/people")
        assert [one.head.text for one in others] == ["hall"]


@pytest.mark.parametrize(("year", "accused"), [("1800-01-01", True), ("1934-01-01", False), ("", False)])
def test_what_the_graph_denies_of_all_that_a_name_may_mean_is_wrong(tmp_path, year, accused):
    """Two towns are called so; of the second the graph has another year, this year or none."""
    began = f' ; :began "{year}"^^xsd:date' if year else ""
    with plain_store(f'{GRAPH} :twin a :town ; rdfs:label "Northfield"{began} .', tmp_path) as store:
        verifier = Verifier(store, judge="none")
        verifier.reader = Told({"The inception of Northfield is 1934.": 0.99})
        made = verifier.verify("Ann Smith came to Northfield, which goes back to 1934.").verdicts
    assert any(one.label is Label.CONTRADICTORY for one in made) is accused
