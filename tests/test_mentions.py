"""Where a text names something: the longest known name, unknown names by their capitals, dates, amounts, codes."""

from __future__ import annotations

import pytest

from kgstore.catalog import NameHit, fold
from kgstore.verifier.link.mentions import find_mentions
from kgstore.verifier.pipeline import Verifier
from tests.plain_graph import plain_store


class Names:
    """A catalog of these names."""

    def __init__(self, *names: str) -> None:
        self.names = {fold(name): [NameHit(f"http://ex/{name}", name, "label", "en", 1.0)] for name in names}

    def lookup(self, names):
        return {name: self.names[fold(name)] for name in names if fold(name) in self.names}


KNOWN = Names(
    "Oslo", "Norway", "Memphis", "New York", "New York City", "York", "The Matrix", "Alien", "writer", "film director",
    "Life of Pi", "Life", "E.T.", "Bob Jones Jr.", "1984", "Ann", "Ann Smith", "Émile Zola", "oil", "city", "IATA",
)  # fmt: skip


def test_no_name_is_found_in_the_first_part_of_a_longer_one():
    assert spans("Oslo-sur-Lago was opened in 1985.") == ["Oslo-sur-Lago", "1985"]


def test_no_name_goes_across_a_sentences_end_unless_it_is_written_so():
    names = Names("Norway", "Oslo", "Norway Oslo", "Good Luck. Now")
    assert spans("They came to Norway. Oslo was first.", names) == ["Norway", "Oslo"]
    assert spans("They saw Good Luck. Now twice.", names) == ["Good Luck. Now"]


def test_a_title_with_an_owner_in_it_may_have_an_article_that_its_name_lacks():
    assert spans("The Queen's Thimble is old.", Names("Queen's Thimble", "Thimble")) == ["Queen's Thimble"]
    assert spans("The Queen's Thimble is old.", Names("Thimble")) == ["The Queen's Thimble"]


def spans(text: str, names: Names = KNOWN, is_noun=lambda text: False) -> list[str]:
    found = find_mentions(text, names, fold, is_noun)
    for mention in found.mentions:
        assert text[mention.start : mention.end] == mention.text
    ends = [(one.start, one.end) for one in found.mentions]
    assert ends == sorted(ends) and all(a[1] <= b[0] for a, b in zip(ends, ends[1:], strict=False))
    return [one.text for one in found.mentions]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Oslo is in Norway.", ["Oslo", "Norway"]),
        ("She lives in New York City.", ["New York City"]),
        ("She lives in New York.", ["New York"]),
        ("He saw The Matrix there.", ["The Matrix"]),
        ("He saw Life of Pi there.", ["Life of Pi"]),
        ("Emile Zola wrote it.", ["Emile Zola"]),
        ("She met Ann Smith.", ["Ann Smith"]),
        ("Bob Jones Jr. sings.", ["Bob Jones Jr."]),
    ],
)
def test_the_longest_known_name_is_taken(text, found):
    assert spans(text) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("The University of Memphis is there.", ["University of Memphis"]),
        ("She met Zed Zork.", ["Zed Zork"]),
        ("She met Ann Zork.", ["Ann Zork"]),
        ("Memphis Slim sings.", ["Memphis Slim"]),
    ],
)
def test_a_known_name_inside_a_longer_unknown_one_is_not_a_mention(text, found):
    assert spans(text) == found


@pytest.mark.parametrize("text", ["She works as a writer.", "He is a film director.", "They drill for oil in a city."])
def test_lower_case_nouns_are_left_to_the_grammar_but_are_known(text):
    assert spans(text) == []
    assert find_mentions(text, KNOWN, fold).hits


def test_every_known_name_is_told_also_inside_longer_ones():
    text = "She lives in New York City."
    hits = find_mentions(text, KNOWN, fold).hits
    assert {text[start:end] for start, end in hits} >= {"New York City", "New York", "York"}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("She came on 5 May 1931.", "5 May 1931"),
        ("She came in May 1931.", "May 1931"),
        ("It weighs 5.3 kg.", "5.3 kg"),
        ("It has 14,976 people.", "14,976"),
        ("It was in the 1930s.", "1930s"),
    ],
)
def test_dates_and_amounts_are_mentions_with_values(text, value):
    (mention,) = find_mentions(text, KNOWN, fold).mentions
    assert (mention.text, mention.value is not None, mention.candidates) == (value, True, ())


def test_a_year_is_not_the_book_of_that_name():
    (mention,) = find_mentions("She came in 1984.", KNOWN, fold).mentions
    assert mention.value is not None


def test_a_remark_in_brackets_belongs_to_the_name_and_a_date_does_not():
    assert spans("Ann Smith (Scottish painter) died.") == ["Ann Smith (Scottish painter)"]
    assert spans("Ann Smith (5 May 1931) died.") == ["Ann Smith", "5 May 1931"]


def test_capitals_inside_the_name_of_a_relation_are_no_mention():
    text = "The IATA airport code of Oslo is OSL."
    assert spans(text, is_noun="iata airport code".__eq__) == ["Oslo", "OSL"]


@pytest.mark.parametrize("text", ["", " ", "\n", "...", "the of and", "\x00", "What a day!", "It rained."])
def test_a_text_without_names_has_no_mentions(text):
    assert spans(text) == []


def test_a_name_does_not_go_on_over_a_line_break():
    assert "New\nYork" not in spans("We came to New\nYork was nice.")


@pytest.mark.parametrize("text", ["Aa " * 5_000, "A" * 9_000, "Q " * 5_000, "Oslo " * 3_000, "\u202eOslo\u202c " * 500])
def test_spans_stay_exact_and_disjoint_in_odd_texts(text):
    spans(text)


PLACES = """
@prefix : <http://ex/> .
:office a :post ; rdfs:label "President of Chile" . :chile a :country ; rdfs:label "Chile" .
:hills a :range ; rdfs:label "Vogelsberg" . :hesse a :country ; rdfs:label "Hesse" .
:army a :force ; rdfs:label "Armenian Army" . :fair a :opera ; rdfs:label "Sorotchintsy Fair" .
:old a :book ; rdfs:label "Don Quixote" . :new a :opera ; rdfs:label "Don Quichotte" .
"""


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("He was the first president of Chile.", {"president of Chile", "Chile"}),
        ("He served in the Armenian army.", {"Armenian army"}),
        ("The peak lies in the Vogelsberg of Hesse.", {"Vogelsberg", "Hesse"}),
        ("Don Quichotte (formerly Don Quixote) is an opera.", {"Don Quichotte (formerly Don Quixote)", "Don Quixote"}),
        ("The Academy of Hesse is old.", set()),
    ],
)
def test_what_stands_beside_or_within_names_is_a_place_of_the_sentence(tmp_path, text, named):
    with plain_store(PLACES, tmp_path) as store:
        _, [passage] = Verifier(store, judge="none", reader="none").read(text)
    assert {one.text for one in passage.places if one.candidates} == named
