"""Sentences as people write them: what they claim, and that nothing in them is called wrong that may be right."""

from __future__ import annotations

import pytest

from kgstore.prefixes import expand
from kgstore.store import Store
from kgstore.verifier.claims import Label
from kgstore.verifier.kg.knowledge import Knowledge
from kgstore.verifier.pipeline import Verifier
from kgstore.verifier.read.phrases import are_several
from tests.plain_graph import plain_store


@pytest.fixture(scope="module")
def verifier(small_kg):
    with Store(small_kg) as store:
        yield Verifier(store, reader="none")  # these are about the grammar


def labels(verifier: Verifier, text: str) -> list[tuple[str, str]]:
    return [(one.claim.tail.text, one.label.value) for one in verifier.verify(text).verdicts]


def test_a_noun_that_names_a_relation_asks_for_it_of_the_topic(verifier):
    text = "Germany borders France. The capital is Berlin. The official language is French."
    verdicts = verifier.verify(text).verdicts
    assert [verdict.claim.relation for verdict in verdicts] == ["borders", "capital", "official language"]
    assert {verdict.head.label for verdict in verdicts} == {"Germany"}
    assert verdicts[1].label is Label.ATTRIBUTABLE


def test_the_value_of_a_relation_may_come_first(verifier):
    text = "Germany borders France. Berlin is the capital. German is the official language. It has a president."
    verdicts = verifier.verify(text).verdicts[1:3]
    assert [(one.claim.relation, one.claim.tail.text) for one in verdicts] == [
        ("capital", "Berlin"),
        ("official language", "German"),
    ]
    assert {one.head.label for one in verdicts} == {"Germany"} and verdicts[0].label is Label.ATTRIBUTABLE
    [_, wife] = verifier.verify("Douglas Adams was a writer. Jane Belson was the spouse.").verdicts
    assert (wife.head.label, wife.claim.relation) == ("Douglas Adams", "spouse")


@pytest.mark.parametrize("words", ["was raised in", "grew up in", "was brought up in", "spent his childhood in"])
def test_where_somebody_grew_up_may_be_elsewhere_than_the_place_of_birth(verifier, words):
    [(_, label)] = labels(verifier, f"Douglas Adams {words} Toronto.")
    assert label == Label.EXTRAPOLATORY
    assert labels(verifier, "Douglas Adams was born in Cambridge and raised in Toronto.") == [
        ("Cambridge", Label.ATTRIBUTABLE),
        ("Toronto", Label.EXTRAPOLATORY),
    ]


def test_one_of_several_who_direct_is_not_excluded_by_another(verifier):
    assert all(label != Label.CONTRADICTORY for _, label in labels(verifier, "Douglas Adams co-directed Hamlet."))


@pytest.mark.parametrize(("people", "label"), [("3.7 million", "extrapolatory"), ("19.2 million", "contradictory")])
def test_an_amount_between_those_of_other_times_may_be_right(verifier, people, label):
    for text in (f"Berlin has a population of {people}.", f"With a population of {people}, Berlin is in Germany."):
        assert labels(verifier, text)[0] == (people, label)


def test_a_participle_at_the_beginning_is_no_name(verifier):
    verdicts = verifier.verify("Douglas Adams was a writer. Born in Zorkville, Adams lived in London.").verdicts
    assert {verdict.head.label for verdict in verdicts} == {"Douglas Adams"}
    assert [verdict.claim.tail.text for verdict in verdicts] == ["writer", "Zorkville", "London"]


def test_who_taught_at_a_university_need_not_have_been_taught_there(verifier):
    [verdict] = verifier.verify("Douglas Adams taught at St John's College.").verdicts
    assert verdict.label is not Label.ATTRIBUTABLE
    [verdict] = verifier.verify("Douglas Adams was educated at St John's College.").verdicts
    assert verdict.label is Label.ATTRIBUTABLE


def test_a_value_that_nobody_knows_is_no_other_name(verifier):
    [verdict] = verifier.verify("Douglas Adams was born in Zorkville.").verdicts
    assert verdict.relation is not None and verifier.store.label(verdict.relation) == "place of birth"


@pytest.mark.parametrize("words", ["at the age of", "aged", "of a heart attack at the age of", "in 2001 at the age of"])
def test_an_age_at_death_follows_from_the_dates(verifier, words):
    assert labels(verifier, f"Douglas Adams died {words} 49.") == [("49", Label.ATTRIBUTABLE)]
    assert labels(verifier, f"Douglas Adams died {words} 57.") == [("57", Label.CONTRADICTORY)]
    [verdict] = verifier.verify(f"Douglas Adams died {words} 57.").verdicts
    assert len(verdict.evidence) == 2 and "49" in verdict.reason


def test_an_age_that_is_not_exact_or_of_another_year_is_left_open(verifier):
    for words in ("died aged about 50", "died in 1999 at the age of 49", "moved to Zorkville at the age of 57"):
        assert {label for _, label in labels(verifier, f"Douglas Adams {words}.")} == {Label.EXTRAPOLATORY}


def test_a_city_that_was_in_many_countries_is_not_placed_by_one_of_the_past(verifier):
    with_jerusalem = verifier.store.catalog.lookup(["jerusalem"])
    assert with_jerusalem, "the slice has the city"
    for place in ("Western Asia", "the Middle East", "Asia"):
        assert all(label != Label.CONTRADICTORY for _, label in labels(verifier, f"Jerusalem is a city in {place}."))


def test_the_thing_that_a_noun_names_is_not_what_the_text_is_about(verifier):
    verdicts = verifier.verify("Germany is a country. The rupiah is a coin.").verdicts
    heads = [one.head and one.head.label for one in verdicts]
    assert heads[0] == "Germany" and "Germany" not in heads[1:]


def test_a_pronoun_goes_with_the_name_at_the_beginning_of_its_sentence(verifier):
    text = "Stephen Fry was an actor. Douglas Adams and his sister Zorka Adams both lived in Zorkville."
    heads = {one.head.label for one in verifier.verify(text).verdicts[1:] if one.head}
    assert "Stephen Fry" not in heads


@pytest.mark.parametrize(("height", "label"), [("1.93", "extrapolatory"), ("1.5", "contradictory")])
def test_two_measurements_may_differ_by_a_little(verifier, height, label):
    assert [found for _, found in labels(verifier, f"Douglas Adams was {height} metres tall.")] == [label]


def test_a_title_with_a_colon_that_the_kg_lacks_is_neither_of_its_parts(verifier):
    for text in ("Cambridge: The Reckoning was written by Ann Smith", "Ann Smith wrote Cambridge: The Reckoning"):
        [verdict] = verifier.verify(f"{text} in 2017.").verdicts
        ends = {verdict.claim.head.text, verdict.claim.tail.text}
        assert ends == {"Ann Smith", "Cambridge: The Reckoning"} and verdict.label is Label.EXTRAPOLATORY
    [verdict] = verifier.verify("Germany: Berlin is the capital.").verdicts[-1:]
    assert verdict.claim.head.text == "Berlin"


def test_a_verb_between_two_names_is_read_where_the_parser_takes_it_for_a_participle(verifier):
    first = verifier.verify("Zorkov directed Moon Rising, which was shown in Berlin.").verdicts[0].claim
    assert (first.head.text, first.relation, first.tail.text) == ("Zorkov", "directed", "Moon Rising")
    [verdict] = verifier.verify("Douglas Adams's Solaris (1975) starred Jane Belson.").verdicts
    assert (verdict.claim.head.text, verdict.claim.tail.text) == ("Solaris", "Jane Belson")
    last = verifier.verify("With its capital in Toronto, Germany borders France.").verdicts[-1].claim
    assert (last.head.text, last.relation, last.tail.text) == ("Germany", "borders", "France")


def test_a_name_ends_before_a_date(verifier):
    verdicts = verifier.verify("Zorkcorp was founded by Ann Smith and Bob Jones on April 4, 1975.").verdicts
    found = [(one.claim.tail.text, one.claim.when.year) for one in verdicts]
    assert found == [("Ann Smith", 1975), ("Bob Jones", 1975)]


def test_a_name_is_plural_by_its_noun():
    assert are_several("Nobel Prizes") and are_several("Academy Awards for Best Picture")
    assert not are_several("Nobel Prize in Physics")  # 1921 of them


@pytest.mark.parametrize("words", ["with 3.7 million inhabitants", "with a population of 3.7 million"])
def test_an_amount_between_commas_is_a_claim_of_its_own(verifier, words):
    found = labels(verifier, f"Berlin, {words}, is the capital of Germany.")
    assert [tail for tail, _ in found] == ["3.7 million", "Germany"]


def test_what_a_crew_consisted_of_is_the_crew(verifier):
    claims = [one.claim for one in verifier.verify("The cast of Hamlet consisted of Ann Smith and Bob Jones.").verdicts]
    assert [(one.relation, one.tail.text) for one in claims] == [("cast", "Ann Smith"), ("cast", "Bob Jones")]


@pytest.mark.parametrize(
    "words",
    ["Oslo, the capital of Norway,", "Oslo, the capital and largest city of Norway,", "The capital of Norway, Oslo,",
     "Norway's capital, Oslo,"],
)  # fmt: skip
def test_what_a_name_is_between_commas_is_a_claim_of_its_own(verifier, words):
    found = [one.claim for one in verifier.verify(f"{words} was visited by Douglas Adams.").verdicts]
    ends = {frozenset((one.head.text, one.tail.text)) for one in found}
    assert ends == {frozenset(("Oslo", "Norway")), frozenset(("Oslo", "Douglas Adams"))}
    assert len(found) == 2 + ("largest" in words)


def test_the_capital_of_a_part_is_not_that_of_the_whole(verifier):
    know = Knowledge(verifier.store)
    properties = {one.label: one for one in verifier.store.catalog.properties().values()}
    assert know.widens(properties["place of birth"])
    assert not know.widens(properties["capital of"]) and not know.widens(properties["capital"])
    contains = know.about(expand("Q183"))[expand("P150")]
    assert contains and all(map(know.is_place_step, contains))  # Houston is the capital of a county of Texas


def test_a_name_of_one_word_that_nobody_knows_may_begin_a_sentence(verifier):
    found = labels(verifier, "Zorkov, born in Cambridge in 1956, was a writer.")
    assert [tail for tail, _ in found] == ["Cambridge", "1956", "writer"]


def test_a_place_does_not_say_which_is_the_largest(verifier):
    found = labels(verifier, "Mulhouse is the seat and largest city of Germany.")
    assert len(found) == 2 and all(label != Label.ATTRIBUTABLE for _, label in found)


def test_stars_may_be_a_verb_behind_and(verifier):
    text = "Solaris was released by Zork on May 25, 1977, and stars Ann Smith, Bob Jones and Cid Hale."
    assert [tail for tail, _ in labels(verifier, text)] == ["Zork", "Ann Smith", "Bob Jones", "Cid Hale"]


def test_a_thing_that_nobody_spoke_of_is_the_thing_itself(verifier):
    assert labels(verifier, "The piano is a keyboard instrument.") == [("keyboard instrument", Label.ATTRIBUTABLE)]
    assert labels(verifier, "The film is a comedy.") == []  # some film


@pytest.mark.parametrize(
    "text",
    [
        "Douglas Adams died of cancer on 11 May 2001.",
        "Douglas Adams died in 2001 from cancer.",
    ],
)
def test_a_death_has_a_date_and_a_cause(verifier, text):
    found = [one.claim for one in verifier.verify(text).verdicts]
    assert {one.tail.text for one in found} in ({"11 May 2001", "cancer"}, {"2001", "cancer"})
    assert {one.relation for one in found} <= {"died on", "died in", "died of", "died from"}


def test_a_relative_clause_may_have_two_verbs(verifier):
    text = "Douglas Adams was an English writer who was born in Cambridge and died in Santa Barbara."
    assert [tail for tail, _ in labels(verifier, text)][-2:] == ["Cambridge", "Santa Barbara"]


@pytest.mark.parametrize("name", ["The German writer Douglas Adams", "Douglas Adams, a German writer born in Oslo,"])
def test_people_and_profession_beside_a_name_are_claims(verifier, name):
    found = [one.claim for one in verifier.verify(f"{name} lived in London.").verdicts]
    assert {("nationality", "German"), ("is", "writer")} <= {(one.relation, one.tail.text) for one in found}


def test_a_profession_that_the_kg_lacks_is_no_silent_skip(verifier):
    found = [one.claim for one in verifier.verify("Douglas Adams was a German gronkster.").verdicts]
    assert [(one.relation, one.tail.text) for one in found] == [
        ("nationality", "German"),
        ("was", "German gronkster"),
    ]


def test_an_end_of_a_period_is_no_date_that_another_one_excludes(verifier):
    (first, last, _) = verifier.verify("Douglas Adams, born between 1940 and 1960, was a writer.").verdicts
    assert {first.label, last.label} == {Label.EXTRAPOLATORY}
    (start, end, _) = verifier.verify("Oslo, built from 1048 to 1060, lies in Norway.").verdicts
    assert Label.CONTRADICTORY not in (start.label, end.label)


def test_what_something_dates_back_to_is_a_date(verifier):
    assert labels(verifier, "Oslo dates back to 1700.") == [("1700", Label.CONTRADICTORY)]


@pytest.mark.parametrize(
    "text",
    [
        "Solaris was written and directed by Ann Smith.",
        "Solaris, a 2003 film written and directed by Ann Smith, was shot in Oslo.",
    ],
)
def test_joined_participles_share_who_did_it(verifier, text):
    found = {(one.claim.relation.removeprefix("was "), one.claim.tail.text) for one in verifier.verify(text).verdicts}
    assert {("written by", "Ann Smith"), ("directed by", "Ann Smith")} <= found


def test_an_apposition_with_by_is_no_equation(verifier):
    found = [one.claim for one in verifier.verify("Solaris, a tragedy by Ann Smith, was shot in Oslo.").verdicts]
    relations = {one.tail.text: one.relation for one in found}
    assert relations == {"tragedy": "is", "Ann Smith": "is by", "Oslo": "was shot in"}


def test_what_was_built_is_what_was_designed(verifier):
    text = "The Intouchables was directed by Ann Smith, shot in Oslo, and stars Bob Jones."
    assert {one.head.label for one in verifier.verify(text).verdicts if one.head} == {"The Intouchables"}
    people = verifier.verify("The Intouchables was directed by Ann Smith, born in Oslo, and stars Bob Jones.").verdicts
    assert [one.claim.head.text for one in people if one.claim.tail.text == "Oslo"] == ["Ann Smith"]


def test_whose_of_what_something_is(verifier):
    found = verifier.verify("Norway is a kingdom whose capital is Oslo.").verdicts
    assert [one.label for one in found if one.claim.tail.text == "Oslo"] == [Label.ATTRIBUTABLE]


def test_what_something_is_may_lie_on_one_thing_and_in_another(verifier):
    found = [one.claim for one in verifier.verify("Oslo is a city on the Rhine in Norway.").verdicts]
    assert {one.tail.text for one in found} >= {"Rhine", "Norway"}


def test_an_apposition_is_a_claim_where_it_says_of_what(verifier):
    city, *_ = verifier.verify("Oslo, a city in Norway, was founded in 1048.").verdicts
    river, *_ = verifier.verify("Oslo, a river in Norway, was founded in 1048.").verdicts
    assert (city.label, river.label) == (Label.ATTRIBUTABLE, Label.EXTRAPOLATORY)


def test_the_date_of_a_clause_is_not_that_of_the_participle_before_it(verifier):
    found = verifier.verify("Born in Cambridge, Douglas Adams moved to Oslo in 1964.").verdicts
    when = {one.claim.tail.text: one.claim.when and one.claim.when.year for one in found}
    assert when == {"Cambridge": None, "Oslo": 1964}


def test_a_number_in_brackets_is_no_part_of_a_name(verifier):
    (verdict,) = verifier.verify("Oslo (population 700,000) is the capital of Norway.").verdicts
    assert verdict.label is Label.ATTRIBUTABLE


def test_a_number_that_names_a_sort_is_no_amount(verifier):
    (claim,) = [one.claim for one in verifier.verify("Oslo is used to treat type 2 diabetes.").verdicts]
    assert claim.tail.text == "type 2 diabetes"


def test_what_is_only_a_little_near_in_meaning_supports_nothing(verifier):
    verdicts = verifier.verify("Douglas Adams later became a senator for life in the United Kingdom.").verdicts
    assert verdicts and all(one.label is Label.EXTRAPOLATORY for one in verdicts)
    assert labels(verifier, "Douglas Adams was a citizen of the United Kingdom.")[0][1] == Label.ATTRIBUTABLE


def test_what_goes_through_one_country_may_go_through_another(verifier):
    assert all(label != Label.CONTRADICTORY for _, label in labels(verifier, "Oslo runs through Germany."))


def test_a_language_may_be_spoken_anywhere(verifier):
    assert all(label != Label.CONTRADICTORY for _, label in labels(verifier, "German is spoken in Norway."))


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("Ada Berg died in Luhe.", "extrapolatory"),
        ("The place of death of Ada Berg is Luhe.", "extrapolatory"),
        ("Ada Berg was born in Luhe.", "attributable"),
        ("Acme ended in 1997.", "extrapolatory"),
        ("Acme was founded in 1997.", "attributable"),
        ("Fever is treated with Curol.", "attributable"),
        ("Acme is located in Luhe.", "attributable"),
    ],
)
def test_another_property_with_the_same_value_supports_nothing(tmp_path, text, label):
    facts = """
    ex:born rdfs:label "place of birth"@en . ex:died rdfs:label "place of death"@en .
    ex:start rdfs:label "inception"@en . ex:end rdfs:label "dissolved, abolished or demolished date"@en .
    ex:treats rdfs:label "treats"@en . ex:at rdfs:label "headquarters location"@en . ex:in rdfs:label "location"@en .
    ex:town a owl:Class ; rdfs:label "town"@en . ex:luhe a ex:town ; rdfs:label "Luhe"@en .
    ex:ada a ex:person ; rdfs:label "Ada Berg"@en ; ex:born ex:luhe .
    ex:bob a ex:person ; rdfs:label "Bob Jones"@en ; ex:died ex:luhe .
    ex:acme a ex:firm ; rdfs:label "Acme"@en ; ex:start "1997"^^xsd:gYear ; ex:at ex:luhe .
    ex:old a ex:firm ; rdfs:label "Initech"@en ; ex:end "1990"^^xsd:gYear ; ex:in ex:luhe .
    ex:curol a ex:drug ; rdfs:label "Curol"@en ; ex:treats ex:fever . ex:fever a ex:disease ; rdfs:label "fever"@en .
    """
    with plain_store(facts, tmp_path) as store:
        (verdict,) = Verifier(store).verify(text).verdicts
        assert verdict.label.value == label, verdict.reason
