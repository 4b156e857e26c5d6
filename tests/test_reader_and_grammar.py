"""What the relation reader and the grammar make of the same words: which way round, and by which of both."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kgstore.store import Store
from kgstore.verifier.claims import Candidate, Claim, Hop, Label, Mention, Passage, Verdict
from kgstore.verifier.decide.tier import Tier
from kgstore.verifier.pipeline import Verifier
from kgstore.verifier.reader.assertions import Assertion, _once
from kgstore.verifier.reader.doubts import doubtful
from kgstore.verifier.reader.joining import joined
from kgstore.verifier.values import DateValue
from tests.plain_graph import plain_store
from tests.test_reader import COUNTED, GRAPH, Told, told, verified


@pytest.mark.parametrize(("sure", "label"), [(0.2, Label.ATTRIBUTABLE), (0.0001, Label.EXTRAPOLATORY)])
def test_the_reader_is_asked_the_way_round_that_the_graph_has_it(tmp_path, sure, label):
    """ "Theo van de Sande shot Cruel Intentions as its director of photography" was taken for "The director of
    photography of Theo van de Sande is Cruel Intentions", and denied."""
    with plain_store(GRAPH, tmp_path) as store:
        verifier = Verifier(store, judge="none")
        verifier.reader = Told({"The director of Grey Dunes is Ann Smith.": sure})
        verdicts = verifier.verify("Ann Smith has director credits for Grey Dunes.").verdicts
    assert [one.label for one in verdicts] == [label]


@pytest.mark.parametrize(("relation", "label"), [("p", Label.CONTRADICTORY), ("q", Label.EXTRAPOLATORY)])
def test_words_that_the_grammar_half_knows_name_what_both_find_said(small_kg, relation, label):
    """ "At the end of its course, the Volga empties its waters into the Black Sea" """
    volga, sea = (Mention(at, at + 5, iri, (Candidate(iri, iri, 1.0),)) for at, iri in ((0, "Volga"), (30, "Black")))
    half = Claim(0, 35, "", volga, "empties", sea)
    before = Verdict(half, Label.EXTRAPOLATORY, (0, 1, 0), Tier.AMBIGUOUS, relation=relation)
    read = Claim(0, 35, "", volga, "mouth of the watercourse", sea, property="p")
    verdict = Verdict(read, Label.CONTRADICTORY, (0, 0, 1), Tier.SINGLE_VALUE, relation="p")
    with Store(small_kg) as store:
        know = Verifier(store, judge="none", reader="none").knowledge
        found = joined([before], [Assertion(read, 0.9, 0.2, worded=False)], lambda _: verdict, know)
    assert [one.label for one in found] == [label]


@pytest.mark.parametrize(
    ("text", "is_accused"),
    [
        ("Dunes (1931) was shot in a house that belonged to Ann.", True),
        ("Dunes was shot in a house built in 1931 that belonged to Ann.", False),
        ("Dunes was shot in a house that belonged to Ann in 1931.", True),
    ],
)
def test_steps_bar_only_what_stands_within_them(small_kg, text, is_accused):
    """ "He died of complications from AIDS in March 1991": no step but the first leads to the date."""
    dunes, ann = (Mention(at, at + len(name), name) for name in ("Dunes", "Ann") for at in (text.index(name),))
    year = Mention(text.index("1931"), text.index("1931") + 4, "1931", value=DateValue(1931))
    chain = Claim(0, len(text), text, dunes, "belonged to", ann, bridge=(Hop("was shot in", "house"),))
    before = Verdict(chain, Label.EXTRAPOLATORY, (0, 1, 0), Tier.MULTI_HOP)
    read = Claim(0, year.end, text[: year.end], dunes, "publication date", year, property="p")
    verdict = Verdict(read, Label.CONTRADICTORY, (0, 0, 1), Tier.DATE, relation="p")
    with Store(small_kg) as store:
        know = Verifier(store, judge="none", reader="none").knowledge
        found = joined([before], [Assertion(read, 0.95, 0.2)], lambda _: verdict, know)
    assert any(one.label is Label.CONTRADICTORY for one in found) is is_accused


@pytest.mark.parametrize(
    ("text", "is_title"),
    [("At the end of its course, the Seine empties its waters into the Channel.", False), ("Seine: 777 km.", True)],
)
def test_a_whole_sentence_whose_verb_looks_like_a_noun_is_no_title(small_kg, text, is_title):
    with Store(small_kg) as store:
        _, (passage,) = Verifier(store, judge="none").read(text)
    assert passage.is_title is is_title


@pytest.mark.parametrize(
    ("text", "is_anothers"),
    [
        ('"needs": "DocuStore", "owner": "Ann Smith"', True),
        ("needs: DocuStore, owner: Ann Smith", True),
        ("DocuStore, of which the owner is Ann Smith", False),
    ],
)
def test_what_a_key_says_is_said_of_no_value_before_it(text, is_anothers):
    """In JSON seven of 146 facts of an office were held against what stood before their keys."""
    head, tail = (Mention(text.index(one), text.index(one) + 9, one) for one in ("DocuStore", "Ann Smith"))
    assert doubtful(text, head, tail) is is_anothers


@pytest.mark.parametrize("alone", [True, False])
def test_of_two_readings_of_one_thing_that_stays_which_need_not_be_so_sure(alone):
    """ "*A* has been known since its detection in 1997": the reader is surer of "its", and names do with less."""
    text = "Ann has sung since her birth in 1828."
    ann = Mention(0, 3, "Ann", (Candidate("a", "Ann", 1.0),))
    her = replace(ann, start=19, end=22, text="her", refers_to=(0, 3))
    year = Mention(32, 36, "1828", (), DateValue(1828))
    made = [
        Assertion(Claim(0, 36, text[:36], head, "date of birth", year, property="p"), sure, 0.2, False, is_alone)
        for head, sure, is_alone in ((ann, 0.96, alone), (her, 0.98, False))
    ]
    (left,) = _once(made, [Passage(0, len(text), (ann, her, year))])
    assert left.claim.head is (ann if alone else her)


@pytest.mark.parametrize(
    ("text", "is_anothers"),
    [
        ("Bea (born in Oslo, Norway) and Ann Smith sang.", True),
        ("Bea (born in Oslo) knew Ann Smith.", True),
        ("In Oslo (Norway) Ann Smith was born.", False),
        ("From Oslo came Ann Smith (a singer).", False),
    ],
)
def test_what_stands_in_brackets_is_said_of_nothing_behind_them(text, is_anothers):
    head, tail = (Mention(text.index(one), text.index(one) + len(one), one) for one in ("Ann Smith", "Oslo"))
    assert doubtful(text, head, tail) is is_anothers


@pytest.mark.parametrize(
    ("text", "is_accused"),
    [
        ("Northfield was opened in 1934.", True),
        ("Northfield was re-opened in 1934.", False),
        ("Re-opened, Northfield was closed in 1934.", True),
        ("Northfield was rebuilt in 1934.", False),
        ("In 1934, Northfield was rebuilt.", False),
        ("They went from Northfield to 1934's Westhaven.", False),
    ],
)
def test_a_second_time_and_another_things_date_accuse_nobody(tmp_path, text, is_accused):
    with plain_store(COUNTED, tmp_path) as store:
        verifier = Verifier(store, judge="none")
        verifier.reader = Told({"The inception of Northfield is 1934.": 0.995})
        verdicts = verifier.verify(text).verdicts
    assert any(one.label is Label.CONTRADICTORY for one in verdicts) is is_accused


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("Who directed Grey Dunes? Ann Smith.", 1),
        ("Q: Who directed Grey Dunes?\nA: Ann Smith", 1),
        ("The director of Grey Dunes? Ann Smith.", 1),
        ("Did Bob Jones direct Grey Dunes? No, Ann Smith.", 2),
        ("Who directed Grey Dunes? Nobody told Ann Smith.", 2),
        ("Who directed Grey Dunes? Is Low Tide older? Ann Smith.", 3),
    ],
)
def test_a_question_is_read_with_its_answer(tmp_path, text, sentences):
    with plain_store(GRAPH, tmp_path) as store:
        verifier = Verifier(store, judge="none")
        _, passages = verifier.read(text)
        verdicts = verifier.verify(text).verdicts
    assert len(passages) == sentences
    said = [one.label for one in verdicts if one.method.startswith("reader")]
    assert said == [Label.ATTRIBUTABLE] * (sentences == 1)


@pytest.mark.parametrize(
    ("text", "is_accused"),
    [
        ("Ann Smith wrote the part of Grey Dunes.", False),
        ("Ann Smith wrote Grey Dunes.", True),
        ("By Ann Smith is Grey Dunes's twelfth song.", False),
        ("Grey Dunes's author is Ann Smith.", True),
    ],
)
def test_who_wrote_a_part_of_something_is_not_held_against_who_wrote_it(tmp_path, text, is_accused):
    """ "He wrote the part of Christine", which is a novel, too."""
    graph = """
    @prefix : <http://ex/> .
    :book rdfs:label "novel" . :person rdfs:label "person" .
    :author rdfs:label "author" ; a owl:FunctionalProperty .
    :ann a :person ; rdfs:label "Ann Smith" . :bob a :person ; rdfs:label "Bob Jones" .
    :dunes a :book ; rdfs:label "Grey Dunes" ; :author :bob .
    """
    with plain_store(graph, tmp_path) as store:
        verifier = Verifier(store, judge="none")
        verifier.reader = Told({"The author of Grey Dunes is Ann Smith.": 0.99})
        verdicts = verifier.verify(text).verdicts
    assert any(one.label is Label.CONTRADICTORY for one in verdicts) is is_accused


@pytest.mark.parametrize(("sure", "label"), [(0.95, Label.ATTRIBUTABLE), (0.8, Label.EXTRAPOLATORY)])
def test_a_way_of_talking_asks_for_a_surer_reading(tmp_path, sure, label):
    """ "Viewers may notice Larry King among the cast": neither doubted nor quite said."""
    with plain_store(GRAPH, tmp_path) as store:
        verifier = Verifier(store, judge="none")
        verifier.reader = Told({"The director of Grey Dunes is Ann Smith.": sure})
        verdicts = verifier.verify("You may know Grey Dunes for Ann Smith behind the camera.").verdicts
    labels = {one.label for one in verdicts if one.method.startswith("reader")} or {Label.EXTRAPOLATORY}
    assert labels == {label}


@pytest.mark.parametrize(
    ("text", "sure", "accused"),
    [
        ("Grey Dunes was followed by Wet Dunes.", 0.98, True),
        ("Grey Dunes was followed by Wet Dunes.", 0.95, False),
        ("Grey Dunes made way for Wet Dunes.", 0.98, False),
        ("Grey Dunes is the darkest one followed by Wet Dunes.", 0.98, True),
        ("Grey Dunes may be the darkest one followed by Wet Dunes.", 0.98, False),
    ],
)
def test_where_the_graph_has_no_kinds_an_accusation_needs_words_and_a_sure_reader(tmp_path, text, sure, accused):
    graph = 'ex:next rdfs:label "followed by" . ex:dune rdfs:label "Grey Dunes" ; ex:next ex:f1 . '
    graph += "".join(f'ex:f{at} rdfs:label "Film {at}" ; ex:next ex:f{at + 1} . ' for at in range(30))
    with plain_store(graph + 'ex:wet rdfs:label "Wet Dunes" .', tmp_path) as store:
        found = told(store, text, {"Grey Dunes is followed by Wet Dunes.": sure})
    assert (("followed by", Label.CONTRADICTORY) in found) is accused


def test_an_age_is_reckoned_and_not_read(tmp_path):
    graph = """ex:born rdfs:label "date of birth" . ex:died rdfs:label "date of death" .
        ex:ann rdfs:label "Ann Smith" ; ex:born "1900-05-07"^^xsd:date ; ex:died "1950-06-01"^^xsd:date ."""
    with plain_store(graph, tmp_path) as store:
        (verdict,) = verified(store, "Ann Smith died at the age of 60.")[0]
    assert (verdict.label, verdict.method) == (Label.CONTRADICTORY, Tier.AGE)


@pytest.mark.parametrize(("who", "is_accused"), [(", where a university", False), (", which, all agree,", True)])
def test_a_year_of_what_has_no_name_accuses_nobody(everyday_kg, who, is_accused):
    with Store(everyday_kg, read_only=True) as store:
        text = f"Oslo{who} was set up in 1811, draws many visitors."
        found = told(store, text, {"The inception of Oslo is 1811.": 0.995})
    assert any(label is Label.CONTRADICTORY for _, label in found) is is_accused


@pytest.mark.parametrize(("once", "found"), [("originally ", True), ("", True), ("perhaps ", False)])
def test_the_second_of_a_list_was_so_once_as_the_first_was(small_kg, once, found):
    """ "a game originally released for the Apple II and Commodore 64": the second value's claim is its name alone."""
    text = f"Dunes was {once}shot in Graz and Linz."
    dunes, linz = (Mention(at, at + len(name), name) for name in ("Dunes", "Linz") for at in (text.index(name),))
    half = Claim(linz.start, linz.end, "Linz", dunes, "shot in", linz, hedged=bool(once))
    before = Verdict(half, Label.EXTRAPOLATORY, (0, 1, 0), Tier.OPEN)
    read = Claim(0, linz.end, text[: linz.end], dunes, "filming location", linz, property="p")
    verdict = Verdict(read, Label.ATTRIBUTABLE, (1, 0, 0), Tier.STATEMENT, relation="p")
    with Store(small_kg) as store:
        know = Verifier(store, judge="none", reader="none").knowledge
        verdicts = joined([before], [Assertion(read, 0.95, 0.2)], lambda _: verdict, know)
    assert any(one.label is Label.ATTRIBUTABLE for one in verdicts) is found


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        ("Grey Dunes is by the 2nd Ann Smith.", [Label.ATTRIBUTABLE]),
        ("The 2nd Grey Dunes is by Ann Smith.", []),
        ("Low Tide is by the 2nd Ann Smith.", []),
    ],
)
def test_who_is_the_nth_is_borne_out_and_accuses_nobody(tmp_path, text, labels):
    """ "served as the 11th President of Pakistan" """
    said = {f"The director of {film} is Ann Smith.": 0.99 for film in ("Grey Dunes", "Low Tide")}
    with plain_store(GRAPH, tmp_path) as store:
        verifier = Verifier(store, judge="none")
        verifier.reader = Told(said)
        verdicts = verifier.verify(text).verdicts
    assert [one.label for one in verdicts if one.label is not Label.EXTRAPOLATORY] == labels


BORN = "http://www.wikidata.org/entity/P569"
"""A property whose names have nothing of the nouns below."""


@pytest.mark.parametrize(("noun", "is_accused"), [("water", True), ("a zoo", False)])
def test_a_noun_of_the_label_hides_nobody(small_kg, noun, is_accused):
    """ "Its 900 km² lie in the hills, while water accounts for 2 % of that": of the *water as percent of area* """
    text = f"Its hills are high, while {noun} accounts for 2 %."
    head, other = (Mention(at, at + len(name), name) for name in ("Its", noun) for at in (text.index(name),))
    head, tail = replace(head, refers_to=(0, 3)), Mention(text.index("2"), len(text) - 1, "2 %", value=DateValue(2))
    before = Verdict(Claim(0, len(text), text, other, "accounts for", tail), Label.EXTRAPOLATORY, (0, 1, 0), Tier.OPEN)
    read = Claim(0, len(text), text, head, "water as percent of area", tail, property=BORN)
    verdict = Verdict(read, Label.CONTRADICTORY, (0, 0, 1), Tier.NUMBER, relation=BORN)
    with Store(small_kg) as store:
        know = Verifier(store, judge="none", reader="none").knowledge
        found = joined([before], [Assertion(read, 0.99, 0.2)], lambda _: verdict, know)
    assert any(one.label is Label.CONTRADICTORY for one in found) is is_accused
