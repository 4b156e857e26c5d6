"""Places that a text gives by the country or the continent in which they lie."""

from __future__ import annotations

import pytest

from kgstore.store import Store
from kgstore.verifier.claims import Candidate, Label
from kgstore.verifier.kg.knowledge import Knowledge
from kgstore.verifier.pipeline import Verifier
from kgstore.verifier.reader.around import around
from tests.test_reader import Told

BIRTH, CITIZENSHIP, DEATH = (f"http://www.wikidata.org/entity/{one}" for one in ("P19", "P27", "P20"))


@pytest.fixture(scope="module")
def verifier(small_kg):
    with Store(small_kg, read_only=True) as store:
        yield Verifier(store, judge="none")


def place(iri: str) -> Candidate:
    return Candidate(f"http://www.wikidata.org/entity/{iri}", "", 1.0)


@pytest.mark.parametrize(
    ("prop", "tail", "level"),
    [(BIRTH, "Q183", "country"), (DEATH, "Q46", "continent"), (BIRTH, "Q84", ""), (CITIZENSHIP, "Q183", "")],
)
def test_what_a_value_lies_in_is_its_country_or_its_continent(verifier, prop, tail, level):
    """Nothing lies in London so that one would say it instead, and who is a citizen of Germany is not in it."""
    guide = verifier.guide
    assert around(guide.know, guide.aligner, guide.aligner.properties[prop], place(tail)) == level


def labels(verifier: Verifier, text: str, statement: str, sure: float) -> set[Label]:
    verifier.reader = Told({statement: sure})
    return {one.label for one in verifier.verify(text).verdicts} - {Label.EXTRAPOLATORY}


@pytest.mark.parametrize(
    ("where", "sure", "found"),
    [
        ("Brazilian town", 0.95, {Label.CONTRADICTORY}),
        ("Brazilian town", 0.85, set()),
        ("British port city", 0.6, {Label.ATTRIBUTABLE}),
    ],
)
def test_a_country_is_read_as_that_of_the_place(verifier, where, sure, found):
    text = f"Charlie Chaplin owes the first air in those lungs to some {where}."
    said = "The country of the place of birth of "
    assert labels(verifier, text, f"{said}Charlie Chaplin is {where.split()[0]}.", sure) == found


def test_a_continent_is_read_as_that_of_the_place(verifier):
    text = "Charlie Chaplin owes the first air in those lungs to some town of Europe."
    said = "The continent of the place of birth of Charlie Chaplin is Europe."
    assert labels(verifier, text, said, 0.6) == {Label.ATTRIBUTABLE}


def test_the_adjective_of_a_place_belongs_to_the_name_behind_it(verifier):
    """ "Its first shop stood in the Swedish town of Malmö, the next one in Oslo": Oslo is not said to be Swedish."""
    text = "Charlie Chaplin owes the first air in those lungs to the Brazilian town of Olinda."
    assert not labels(verifier, text, "The country of the place of birth of Charlie Chaplin is Brazilian.", 0.95)


@pytest.mark.parametrize(("behind", "meant"), [(" port city", "France"), (" singer", "French")])
def test_before_a_kind_of_place_a_peoples_adjective_means_the_place(verifier, behind, meant):
    _, (passage,) = verifier.read(f"Charlie Chaplin knew a French{behind}.")
    (adjective,) = [one for one in passage.places if one.text == "French"]
    assert adjective.candidates[0].label == meant


def test_a_village_that_the_graph_puts_nowhere_may_be_a_part_of_a_city(everyday_kg):
    """ "The Harlem-born entertainer" was accused of New York City."""
    city, harlem, london = (f"http://www.wikidata.org/entity/{one}" for one in ("Q60", "Q189074", "Q84"))
    with Store(everyday_kg, read_only=True) as store:
        know = Knowledge(store)
        assert know.exclusive(city, london) and not know.exclusive(city, harlem) and not know.exclusive(harlem, city)


@pytest.mark.parametrize(("one", "other"), [("Q6106", "Q719"), ("Q490", "Q13362"), ("Q544890", "Q138367")])
def test_a_city_is_no_part_of_another_though_the_graph_puts_it_nowhere(everyday_kg, one, other):
    """Saginaw is a "home rule city of Michigan", Plainfield a "city in New Jersey"; Milan was a country once, too."""
    with Store(everyday_kg, read_only=True) as store:
        assert Knowledge(store).exclusive(*(f"http://www.wikidata.org/entity/{each}" for each in (one, other)))


@pytest.mark.parametrize("what", ["university", "zoo"])
def test_what_stands_in_a_place_is_neither_its_country_nor_founded_with_it(everyday_kg, what):
    """ "Mombasa, whose university was founded in 1620" was accused by the year of Kenya."""
    with Store(everyday_kg, read_only=True) as store:
        verifier = Verifier(store, judge="none")
        said = {f"The inception of the country of Mombasa is {year}.": 0.99 for year in (1620, 1621)}
        verifier.reader = Told(said)
        verifier.reader.two_steps = True
        text = f"Mombasa, whose {what} was founded in 1620, is well known."
        assert not [one for one in verifier.verify(text).verdicts if one.label is Label.CONTRADICTORY]
