"""Words of a sentence that come near to a name of a property."""

from __future__ import annotations

import pytest

from kgstore.store import Store
from kgstore.verifier.claims import Claim, Mention, Passage
from kgstore.verifier.reader.assertions import SURELY, Assertion
from kgstore.verifier.reader.joining import CERTAIN, _accuses
from kgstore.verifier.reader.saying import names, phrases
from kgstore.verifier.values import DateValue
from tests.plain_graph import plain_store

DIRECTOR = "http://www.wikidata.org/entity/P57"


def test_words_that_name_a_property_come_nearer_than_others(small_kg):
    with Store(small_kg) as store:
        assert [names([one], DIRECTOR, store) for one in ("directed", "directed by")] == [True, True]
        assert [names([one], DIRECTOR, store) for one in ("won", "lived in")] == [False, False]
        assert not names([], DIRECTOR, store)
        assert [names([one], DIRECTOR, store) for one in ("at the helm of", "in the garden of")] == [True, False]
        assert names(["won"], "http://ex/unknown", store)


def test_two_of_three_words_of_a_name_are_words_for_it_also_the_unit(tmp_path):
    graph = 'ex:water rdfs:label "water as percent of area" . ex:a ex:water 5 ; rdfs:label "Acre" .'
    text = "Of Acre water makes up 5 percent"
    acre, five = Mention(3, 7, "Acre"), Mention(23, 32, "5 percent")
    with plain_store(graph, tmp_path) as store:
        said = phrases(text, Passage(0, 32, (acre, five)), acre, five)
        assert names(said, "http://example.org/water", store, "percent")
        assert not names(["grass"], "http://example.org/water", store, "percent")


def test_words_of_names_and_of_other_sentences_do_not_count():
    text = "Bob sings. In May Ann Director won a prize with Dune. Others dance."
    ann, dune = Mention(18, 30, "Ann Director"), Mention(48, 52, "Dune")
    said = phrases(text, Passage(11, 53, (ann, dune)), ann, dune)
    assert "won" in said
    assert "prize with" in said
    assert not {"director", "sings", "others"} & set(" ".join(said).split())


def test_a_noun_is_a_word_unless_it_is_the_value():
    text = "The population is 5; the people are farmers."
    population, five, farmers = Mention(4, 14, "population"), Mention(18, 19, "5"), Mention(36, 43, "farmers")
    passage = Passage(0, len(text), (population, five, farmers))
    assert "population" in phrases(text, passage, Mention(0, 0, ""), five)
    assert "farmers" not in phrases(text, passage, population, farmers)


@pytest.mark.parametrize(
    ("sure", "ahead", "worded", "name", "year"),
    [
        (SURELY - 0.01, 0.9, False, False, False),
        (SURELY, 0.0, False, True, False),
        (CERTAIN, 0.0, False, True, True),
        (0.9, 0.0, True, True, True),
        (0.4, 0.0, True, False, False),
    ],
)
def test_an_accusation_needs_words_or_a_very_sure_reader(sure, ahead, worded, name, year):
    for value, accuses in ((None, name), (DateValue(1931), year)):
        claim = Claim(0, 9, "", Mention(0, 4, "Dune"), "director", Mention(5, 9, "1931", value=value))
        assert _accuses(Assertion(claim, sure, ahead, worded)) is accuses
