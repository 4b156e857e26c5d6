"""The relation reader: how it is asked, what the graph lets it be asked, and what its word does to verdicts."""

from __future__ import annotations

import json
from decimal import Decimal

import numpy as np
import pytest

from kgstore.verifier.claims import Candidate, Claim, Label, Measure, MeasureKind, Mention, Passage, Verdict
from kgstore.verifier.decide.tier import Tier
from kgstore.verifier.pipeline import Verifier
from kgstore.verifier.reader.assertions import ACCUSED, METHOD, Assertion
from kgstore.verifier.reader.joining import joined
from kgstore.verifier.values import Amount
from tests.plain_graph import plain_store
from tests.test_cli import run

GRAPH = """
@prefix : <http://ex/> .
:film rdfs:label "film" . :person rdfs:label "person" .
:director rdfs:label "director" ; a owl:FunctionalProperty .
:screenwriter rdfs:label "screenwriter" .
:dune a :film ; rdfs:label "Grey Dunes" ; :director :ann ; :screenwriter :bob .
:tide a :film ; rdfs:label "Low Tide" ; :director :bob ; :screenwriter :ann .
:ann a :person ; rdfs:label "Ann Smith" . :bob a :person ; rdfs:label "Bob Jones" .
:carl a :person ; rdfs:label "Carl Roe" .
"""


class Told:
    """A reader that a test tells which statements are asserted, and how surely."""

    def __init__(self, said: dict[str, float]) -> None:
        self.said, self.asked = said, []

    def judge(self, pairs):
        self.asked += pairs
        sure = np.array([self.said.get(hypothesis, 0.01) for _, hypothesis in pairs], np.float32)
        return np.stack([sure, 1 - sure, 0 * sure], axis=1)


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    with plain_store(GRAPH, tmp_path_factory.mktemp("reader")) as store:
        yield store


def verified(store, text: str, **said: float):
    """:param said: director, screenwriter of Grey Dunes -> P(asserted), for the person that the text names"""
    verifier = Verifier(store, judge="none")
    people = ("Ann Smith", "Bob Jones", "Carl Roe")
    told = {f"The {role} of Grey Dunes is {who}.": sure for role, sure in said.items() for who in people}
    verifier.reader = Told(told)
    return verifier.verify(text).verdicts, verifier.reader.asked


SENTENCE = "Grey Dunes came to life under the eye of Ann Smith."


def decided(verdicts) -> list[tuple[str, Label]]:
    return [(one.claim.relation, one.label) for one in verdicts if one.label is not Label.EXTRAPOLATORY]


def test_what_the_graph_has_is_supported_where_the_reader_is_sure(store):
    (verdict,), asked = verified(store, SENTENCE, director=0.97)
    assert (verdict.claim.relation, verdict.label) == ("director", Label.ATTRIBUTABLE)
    assert (verdict.method, verdict.scores[METHOD]) == ("reader:statement", 0.97)
    assert asked[0] == (SENTENCE, "The director of Grey Dunes is Ann Smith.")


def test_a_name_with_a_number_in_front_is_another_one(store):
    said = {"The director of Grey Dunes is Ann Smith.": 0.97}
    assert told(store, f"The {SENTENCE}", said) and not told(store, f"The 2nd {SENTENCE}", said)


def test_an_unsure_reader_says_nothing(store):
    verdicts, _ = verified(store, SENTENCE, director=0.3)
    assert not decided(verdicts)


LONE = """
ex:Film rdfs:label "film" . ex:Person rdfs:label "person" . ex:producer rdfs:label "producer" .
ex:cost rdfs:label "budget" . ex:opened rdfs:label "premiere" . ex:year rdfs:label "year" .
ex:dune a ex:Film ; rdfs:label "Grey Dunes" ; ex:producer ex:ann ; ex:cost 5300 ;
    ex:opened "1931-05-09"^^xsd:date ; ex:year "1930"^^xsd:gYear .
ex:ann a ex:Person ; rdfs:label "Ann Smith" .
"""
WROTE = """
ex:wrote rdfs:label "screenwriter" . ex:tide a ex:Film ; rdfs:label "Low Tide" ; ex:wrote ex:bob .
ex:bob a ex:Person ; rdfs:label "Bob Jones" .
"""


@pytest.mark.parametrize(
    ("said", "value", "sure", "supported"),
    [
        ("producer", "Ann Smith", 0.2, True),
        ("producer", "Ann Smith", 0.05, False),
        ("premiere", "9 May 1931", 0.2, True),
        ("year", "1930", 0.2, False),  # there are many years
        ("budget", "5,300", 0.2, False),  # and few digits
    ],
)
def test_what_else_could_be_said_of_the_two_tells_how_sure_the_reader_must_be(tmp_path, said, value, sure, supported):
    text, statement = f"Grey Dunes is what {value} means to us.", {f"The {said} of Grey Dunes is {value}.": sure}
    with plain_store(LONE, tmp_path) as store:
        assert told(store, text, statement) == ([(said, Label.ATTRIBUTABLE)] if supported else [])


def test_where_a_film_has_writers_too_the_reader_must_be_sure_of_who_produced_it(tmp_path):
    text, statement = "Grey Dunes is what Ann Smith means to us.", "The producer of Grey Dunes is Ann Smith."
    with plain_store(LONE + WROTE, tmp_path) as store:
        assert not told(store, text, {statement: 0.2}) and told(store, text, {statement: 0.5})


@pytest.mark.parametrize(("sure", "found"), [(ACCUSED - 0.01, []), (1.0, [("director", Label.CONTRADICTORY)])])
def test_another_value_contradicts_only_where_the_reader_is_surer(store, sure, found):
    verdicts, _ = verified(store, "Grey Dunes, a Carl Roe film, opened in May.", director=sure)
    assert [one for one in decided(verdicts) if one[0] == "director"] == found


def test_a_likelier_relation_clears_of_an_accusation(store):
    text = "Grey Dunes came to life under the pen of Bob Jones."
    verdicts, _ = verified(store, text, director=0.985, screenwriter=0.99)
    assert decided(verdicts) == [("screenwriter", Label.ATTRIBUTABLE)]


def test_a_likelier_relation_supports_no_other_one(store):
    verdicts, _ = verified(store, SENTENCE, director=0.7, screenwriter=0.99)
    assert not decided(verdicts)


@pytest.mark.parametrize(
    "text",
    [
        "Grey Dunes never came to life under Ann Smith.",
        "Nobody knows whether Ann Smith had anything to do with Grey Dunes.",
    ],
)
def test_of_what_a_sentence_denies_or_doubts_nothing_is_read(store, text):
    verdicts, asked = verified(store, text, director=0.99)
    assert not decided(verdicts) and not asked


def test_a_title_that_sounds_like_a_denial_denies_nothing(tmp_path):
    with plain_store(GRAPH.replace("Low Tide", "Don't Wait"), tmp_path) as store:
        text = "Don't Wait came to life under the eye of Bob Jones."
        found = told(store, text, {"The director of Don't Wait is Bob Jones.": 0.9})
    assert found == [("director", Label.ATTRIBUTABLE)]


@pytest.mark.parametrize(("sure", "found"), [(0.5, []), (0.9, [("director", Label.ATTRIBUTABLE)])])
def test_what_was_so_once_is_supported_where_the_reader_is_quite_sure(store, sure, found):
    text = "Grey Dunes was previously the idea of Ann Smith."
    assert told(store, text, {"The director of Grey Dunes is Ann Smith.": sure}) == found


def test_a_name_in_brackets_behind_another_is_asked_about(store):
    _, asked = verified(store, "Grey Dunes (or the Ann Smith Story) is a film.")
    assert "The director of Grey Dunes is Ann Smith." in [said for _, said in asked]


def test_no_two_places_get_two_verdicts(store):
    verdicts, _ = verified(store, "Grey Dunes was directed by Ann Smith.", director=0.99)
    assert decided(verdicts) == [("was directed by", Label.ATTRIBUTABLE)]


def test_what_the_reader_denies_stays_open(store):
    (verdict,), _ = verified(store, "Grey Dunes has director credits for Ann Smith.", director=0.0001)
    assert verdict.label is Label.EXTRAPOLATORY and verdict.method == METHOD
    assert "do not seem to say this" in verdict.reason


@pytest.mark.parametrize(("rival", "label"), [(0.4, Label.ATTRIBUTABLE), (0.9, Label.EXTRAPOLATORY)])
def test_where_the_reader_finds_another_relation_likelier_vague_words_support_nothing(store, rival, label):
    text = "Grey Dunes has director credits for Ann Smith."
    verdicts, _ = verified(store, text, director=0.6, screenwriter=rival)
    assert [one.label for one in verdicts] == [label]


def test_a_pronoun_is_read_as_the_name_it_stands_for(store):
    _, asked = verified(store, "Grey Dunes was filmed in a desert. It is the work of Ann Smith.")
    assert ("Grey Dunes is the work of Ann Smith.", "The director of Grey Dunes is Ann Smith.") in asked


def test_nothing_is_asked_of_two_that_the_graph_says_nothing_of(store):
    _, asked = verified(store, "Ann Smith met Carl Roe.")
    assert not asked


@pytest.mark.parametrize(
    "text",
    [
        "Grey Dunes came to life under the eye of Carl Roe.", "Carl Roe saw Grey Dunes.", "Carl Roe liked Grey Dunes.",
        "Carl Roe heard Grey Dunes.", "Carl Roe applauded Grey Dunes.", "Carl Roe slept through Grey Dunes.",
    ],
)  # fmt: skip
def test_the_built_in_reader_accuses_nobody_by_what_is_only_near(store, text):
    assert not decided(Verifier(store, judge="none").verify(text).verdicts)


BORN = """
ex:person rdfs:label "person" . ex:born rdfs:label "date of birth" ; a owl:FunctionalProperty .
ex:ann a ex:person ; rdfs:label "Ann Smith" ; ex:born "1951-05-07"^^xsd:date .
"""


@pytest.mark.parametrize(("who", "accused"), [("Ann Smith", True), ("One of Ann Smith's brothers", False)])
def test_a_day_in_may_is_no_doubt_and_may_be_that_of_somebody_unnamed(tmp_path, who, accused):
    with plain_store(BORN, tmp_path) as store:
        verifier = Verifier(store, judge="none")
        said = (f"The date of birth of {one} is 3 May 1949." for one in ("Ann Smith", "brothers"))
        verifier.reader = Told(dict.fromkeys(said, 0.995))
        verdicts = verifier.verify(f"{who} entered our lives on 3 May 1949.").verdicts
        assert (("date of birth", Label.CONTRADICTORY) in decided(verdicts)) == accused


def test_the_built_in_reader_understands_wordings_that_no_rule_has(store):
    text = "Grey Dunes came to the screen from a script by Bob Jones."
    verdicts = Verifier(store, judge="none").verify(text).verdicts
    assert ("screenwriter", Label.ATTRIBUTABLE) in decided(verdicts)
    assert not decided(Verifier(store, judge="none", reader="none").verify(text).verdicts)


def test_train_reader_shows_what_it_would_learn(small_kg, tmp_path):
    asked = ("train-reader", "--kg", small_kg, "-o", tmp_path / "reader", "--number", 300, "--show", 4)
    result = run(*asked, "--format", "json")
    rows = [json.loads(line) for line in result.stdout.splitlines()]
    assert len(rows) == 4 and {"premise", "hypothesis", "label"} <= rows[0].keys()
    assert not (tmp_path / "reader").exists()


def test_a_row_of_ones_own_that_is_none_is_said_to_be(small_kg, tmp_path):
    rows = tmp_path / "rows.jsonl"
    rows.write_text('{"text": "Ann lives in Graz."}\n')
    result = run("train-reader", "--kg", small_kg, "-o", tmp_path / "reader", "--rows", rows)
    assert result.exit_code == 2 and "line 1" in result.stderr


MADE = """
@prefix : <http://ex/> .
:film rdfs:label "film" . :person rdfs:label "person" . :firm rdfs:label "firm" . :town rdfs:label "town" .
:director rdfs:label "director" . :writer rdfs:label "screenwriter" . :part rdfs:label "has part" .
:employer rdfs:label "employer" . :born rdfs:label "place of birth" . :owner rdfs:label "proprietor" .
:dune a :film ; rdfs:label "Grey Dunes" ; :director :ann ; :writer :ann ; :part :ann .
:tide a :film ; rdfs:label "Low Tide" ; :director :bob ; :writer :bob .
:ann a :person ; rdfs:label "Ann Smith" ; :born :oslo ; :employer :acme . :bob a :person ; rdfs:label "Bob Jones" .
:acme a :firm ; rdfs:label "Acme" ; :owner :ann . :brit a :firm ; rdfs:label "Brit" ; :owner :bob .
:oslo a :town ; rdfs:label "Oslo" .
"""


@pytest.fixture(scope="module")
def made_by(tmp_path_factory):
    with plain_store(MADE, tmp_path_factory.mktemp("made")) as store:
        yield store


def told(store, text: str, said: dict[str, float]) -> list[tuple[str, Label]]:
    """What is decided of a text by the grammar and a reader that is told what to say."""
    verifier = Verifier(store, judge="none")
    verifier.reader = Told(said)
    return decided(verifier.verify(text).verdicts)


@pytest.mark.parametrize(("second", "supported"), [(0.8, {"director", "screenwriter"}), (0.5, {"director"})])
def test_two_relations_of_the_same_two_are_supported_where_both_are_surely_read(made_by, second, supported):
    said = {"The director of Grey Dunes is Ann Smith.": 0.9, "The screenwriter of Grey Dunes is Ann Smith.": second}
    found = told(made_by, SENTENCE, said)
    assert set(found) == {(one, Label.ATTRIBUTABLE) for one in supported}


def test_what_the_grammar_supports_bars_no_second_relation_that_is_surely_read(made_by):
    text = "Grey Dunes was dreamt up and directed by Ann Smith."
    said = {f"The {role} of Grey Dunes is Ann Smith.": 0.9 for role in ("director", "screenwriter")}
    found = told(made_by, text, said)
    assert set(found) == {("directed by", Label.ATTRIBUTABLE), ("screenwriter", Label.ATTRIBUTABLE)}


@pytest.mark.parametrize(("sure", "supported"), [(0.8, False), (0.95, True)])
def test_a_statement_of_kinds_that_its_property_hardly_joins_must_be_surely_read(tmp_path, sure, supported):
    works = " ".join(f":a{i} a :work ; :director :b{i} . :b{i} a :writer ." for i in range(60))  # 1 in 60 is too few
    with plain_store(f"{MADE} {works} :acme :director :oslo .", tmp_path) as store:
        found = told(store, "Acme dances to the tune of Oslo.", {"The director of Acme is Oslo.": sure})
    assert (("director", Label.ATTRIBUTABLE) in found) == supported


@pytest.mark.parametrize("rival", ["has part", "proprietor"])
def test_a_relation_that_is_vague_or_not_of_such_things_is_no_rival(made_by, rival):
    said = {"The director of Grey Dunes is Ann Smith.": 0.6, f"The {rival} of Grey Dunes is Ann Smith.": 0.65}
    found = told(made_by, SENTENCE, said)
    assert ("director", Label.ATTRIBUTABLE) in found


@pytest.mark.parametrize(("director", "supported"), [(0.5, True), (0.9, False)])
def test_what_grammar_and_reader_both_find_said_is_not_taken_for_another_relation(tmp_path, director, supported):
    said = {"The director of Grey Dunes is Bob Jones.": director, "The screenwriter of Grey Dunes is Bob Jones.": 0.95}
    with plain_store(GRAPH.replace(" ; a owl:FunctionalProperty", ""), tmp_path) as store:
        found = told(store, "Grey Dunes was directed by Bob Jones.", said)
    assert (("screenwriter", Label.ATTRIBUTABLE) in found) == supported


@pytest.mark.parametrize(("rival", "accused"), [("proprietor", True), ("screenwriter", False)])
def test_what_the_graph_never_says_of_films_clears_nobody(tmp_path, rival, accused):
    graph = MADE.replace('"director" .', '"director" ; a owl:FunctionalProperty .')
    said = {"The director of Grey Dunes is Bob Jones.": 0.985, f"The {rival} of Grey Dunes is Bob Jones.": 0.99}
    with plain_store(graph, tmp_path) as store:
        found = told(store, "Grey Dunes came to life under the eye of Bob Jones.", said)
    assert (("director", Label.CONTRADICTORY) in found) == accused


@pytest.mark.parametrize(
    "text",
    [
        "A friend of Ann Smith was born in Oslo.",
        "Ann Smith's accountant was born in Oslo.",
        "The person whom Ann Smith admired was born in Oslo.",
    ],
)
def test_somebody_unnamed_is_not_the_one_that_is_named_beside_them(made_by, text):
    found = told(made_by, text, {"The place of birth of Ann Smith is Oslo.": 0.9})
    assert not found


def test_a_count_that_nobody_can_check_bars_no_support(made_by):
    text = "Ann Smith made three of the many Acme films."
    found = told(made_by, text, {"The proprietor of Acme is Ann Smith.": 0.9})
    assert found == [("proprietor", Label.ATTRIBUTABLE)]


def test_a_date_that_the_graph_does_not_know_stays_open_beside_what_is_supported(made_by):
    verifier = Verifier(made_by, judge="none")
    verifier.reader = Told({"The employer of Ann Smith is Acme.": 0.9})
    verdicts = verifier.verify("Ann Smith worked for Acme in 1950.").verdicts
    assert [(one.claim.relation, one.label) for one in verdicts] == [
        ("worked for", Label.EXTRAPOLATORY), ("employer", Label.ATTRIBUTABLE)
    ]  # fmt: skip


CLUB = """
ex:Club rdfs:label "football club" . ex:Land rdfs:label "country" . ex:country rdfs:label "country" .
ex:began rdfs:label "inception" ; a owl:FunctionalProperty . ex:founder rdfs:label "founded by" .
ex:rovers a ex:Club ; rdfs:label "Northfield Rovers" ; ex:country ex:norway .
ex:town a ex:Club ; rdfs:label "Old Town" ; ex:founder ex:ann . ex:ann rdfs:label "Ann Smith" .
ex:norway a ex:Land ; rdfs:label "Norway" ; ex:began "1905-06-07"^^xsd:date .
"""


def test_the_founding_of_a_club_is_no_step_to_its_country(tmp_path):
    with plain_store(CLUB, tmp_path) as store:
        text = "Northfield Rovers is a football club. The founding of the club goes back to 1879."
        assert not [one for one in told(store, text, {}) if "goes back" in one[0]]


COUNTED = """
ex:Town rdfs:label "town" . ex:people rdfs:label "population" . ex:area rdfs:label "area" .
ex:began rdfs:label "inception" ; a owl:FunctionalProperty .
ex:oslo a ex:Town ; rdfs:label "Northfield" ; ex:people 5000 ; ex:area 70 ; ex:began "1850-01-01"^^xsd:date .
ex:graz a ex:Town ; rdfs:label "Westhaven" ; ex:people 900 ; ex:area 20 .
"""


@pytest.fixture(scope="module")
def counted(tmp_path_factory):
    with plain_store(COUNTED, tmp_path_factory.mktemp("counted")) as store:
        yield store


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ({"population": 0.995}, [("population", Label.CONTRADICTORY)]),
        ({"population": 0.6}, []),
        ({"population": 0.995, "area": 0.999}, [("area", Label.CONTRADICTORY)]),
    ],
)
def test_another_amount_contradicts_where_the_reader_is_sure_and_finds_no_other_amount_likelier(counted, said, found):
    told_so = {f"The {one} of Northfield is 8,000.": sure for one, sure in said.items()}
    assert told(counted, "They reckon with 8,000 when they speak of Northfield.", told_so) == found


@pytest.mark.parametrize(
    ("text", "accused"),
    [
        ("Around 8,000 they are in Northfield.", True),
        ("From 5,100 to 8,000 they were in Northfield.", False),
        ("Until 1934 they were at peace in Northfield.", False),
        ("For Northfield it all goes back to 1934.", True),
    ],
)
def test_words_before_a_value_that_bound_it_accuse_nobody(counted, text, accused):
    said = {"The population of Northfield is 8,000.": 0.995, "The inception of Northfield is 1934.": 0.995}
    assert any(label is Label.CONTRADICTORY for _, label in told(counted, text, said)) == accused


@pytest.mark.parametrize(
    ("more", "accused"), [("", True), (':other a :firm ; rdfs:label "Other" ; :director :ann .', False)]
)
def test_words_that_name_what_the_graph_never_says_of_such_things_settle_nothing(tmp_path, more, accused):
    """Firms have no director in this graph, unless one has: then it is what the words mean."""
    graph = MADE.replace('"proprietor" .', '"proprietor" ; a owl:FunctionalProperty .') + more
    with plain_store(graph, tmp_path) as store:
        found = told(store, "Acme was directed by Bob Jones.", {"The proprietor of Acme is Bob Jones.": 0.995})
    assert (("proprietor", Label.CONTRADICTORY) in found) == accused


@pytest.mark.parametrize(
    ("text", "accused"),
    [
        ("Northfield goes back to 1934.", True),
        ("Ann Roe gave Northfield a bell in 1934.", False),
        ("Westhaven met Northfield in 1934.", False),
        ("The Northfield town hall goes back to 1934.", False),
        ("The Council of Northfield of Old England goes back to 1934.", False),
    ],
)
def test_a_date_is_held_against_the_name_that_a_sentence_begins_with(counted, text, accused):
    found = told(counted, text, {f"The inception of {one} is {date}.": 0.95 for one in ("Northfield", "NORTHFIELD")
                                 for date in ("1934", "May 1934")})  # fmt: skip
    assert any(label is Label.CONTRADICTORY for _, label in found) == accused


@pytest.mark.parametrize(
    ("text", "accused"),
    [("They reckon with 8,000 when they speak of Northfield.", True), ("1.2 Northfield: 8,000", False)],
)
def test_a_line_without_a_verb_accuses_nobody_of_what_it_does_not_say(counted, text, accused):
    assert bool(told(counted, text, {"The population of Northfield is 8,000.": 0.995})) is accused


@pytest.mark.parametrize(("said", "sure", "supported"), [
    ("beat them by far.", 0.8, False), ("beat them by far.", 0.95, True), ("compared:", 0.95, False)
])  # fmt: skip
def test_two_of_a_kind_are_no_neighbours_for_being_named_together(tmp_path, said, sure, supported):
    graph = """
    ex:Land rdfs:label "country" . ex:borders rdfs:label "shares border with" ; a owl:SymmetricProperty .
    ex:a a ex:Land ; rdfs:label "Norland" ; ex:borders ex:b . ex:b a ex:Land ; rdfs:label "Sudland" ; ex:borders ex:a .
    """
    told_so = dict.fromkeys(("Norland shares border with Sudland.", "Sudland shares border with Norland."), sure)
    with plain_store(graph, tmp_path) as store:
        assert bool(told(store, f"Norland and Sudland {said}", told_so)) is supported


def test_an_amount_of_another_name_accuses_nobody(counted):
    text = "They reckon with 8,000 when they speak of Northfield, not of Westhaven."
    said = {f"The population of {one} is 8,000.": 0.9 for one in ("Northfield", "Westhaven")}
    assert not told(counted, text, said)


def test_a_text_that_names_the_amount_that_the_graph_has_is_not_accused_of_another(counted):
    text = "Northfield had 5,000 before the war, 8,000 after it."
    assert not [
        one for one in told(counted, text, {"The population of Northfield is 8,000.": 0.9}) if "CONTRA" in one[1].name
    ]


def test_a_bare_year_is_a_date_that_may_be_another_one(counted):
    text = "For Northfield, 1934 was the beginning of it all."
    assert told(counted, text, {"The inception of Northfield is 1934.": 0.995}) == [("inception", Label.CONTRADICTORY)]


@pytest.mark.parametrize(("relation", "label"), [("p", Label.CONTRADICTORY), ("q", Label.EXTRAPOLATORY)])
def test_a_count_that_is_read_as_the_same_property_is_no_reason_to_leave_it_open(counted, relation, label):
    """ "Ann Smith has been credited with 66 assists" """
    ann = Mention(0, 9, "Ann Smith", (Candidate("a", "Ann Smith", 1.0),))
    many = Mention(33, 35, "66", value=Amount(Decimal(66)))
    counting = Claim(0, 43, "", ann, "has been credited with assists", many, measure=Measure(MeasureKind.COUNT, ()))
    read = Claim(0, 35, "", ann, "total assists in career", many, property="p")
    before = Verdict(counting, Label.EXTRAPOLATORY, (0, 1, 0), Tier.AMBIGUOUS, relation=relation)
    verdict = Verdict(read, Label.CONTRADICTORY, (0, 0, 1), Tier.NUMBER, relation="p")
    know = Verifier(counted, judge="none", reader="none").knowledge
    (found,) = joined([before], [Assertion(read, 0.9, 0.2)], lambda _: verdict, know)
    assert found.label is label


def test_of_a_string_of_the_graph_no_kinds_are_asked(store):
    """ "Essex's IPv4 routing prefix is 155.245.0.0/16" stopped with an error: the tail has no entity."""
    guide, text = Verifier(store, judge="none").guide, "Grey Dunes was made by A. S."
    head = Mention(0, 10, "Grey Dunes", (Candidate("http://ex/dune", "Grey Dunes", 1.0),))
    asked = guide.about(text, Passage(0, len(text), ()), head, Mention(23, 27, "A. S"), "http://ex/director")
    assert guide.rivals(asked, "http://ex/director") == ("http://ex/screenwriter",)
    assert not guide.alike(asked, "http://ex/director")


@pytest.mark.parametrize(("between", "accused"), [(" owes all to", True), (" is odd; all of it is by", False)])
def test_nobody_is_accused_across_a_semicolon(store, between, accused):
    """ "It lies in Russia; the college has the president Ann Roe": no other president of Russia."""
    verdicts, _ = verified(store, f"Grey Dunes{between} Carl Roe.", director=0.99)
    assert any(one.label is Label.CONTRADICTORY for one in verdicts if one.method.startswith(METHOD)) == accused
