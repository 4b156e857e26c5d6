"""Lists in prose: every name of them is claimed, each with its own date."""

from __future__ import annotations

import pytest

from kgstore.store import Store
from verifier.align import Aligner
from verifier.claims import Mention
from verifier.extract.lists import listed
from verifier.extract.rules import RulesExtractor
from verifier.extract.syntax import Sentence, Word


@pytest.fixture(scope="module")
def extractor(small_kg):
    with Store(small_kg) as store:
        aligner = Aligner(store)
        yield RulesExtractor(store, aligner.is_noun, aligner.is_value)


def tails(extractor: RulesExtractor, text: str) -> list[tuple[str, str]]:
    return [(claim.head.text, claim.tail.text) for claim in extractor.extract(text)]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Zork Hall borders Bel Park, Cor Field, Dun Lane and Rome.", ["Bel Park", "Cor Field", "Dun Lane", "Rome"]),
        ("Zork Hall stars Ann Smith, Bob Jones, and Carol White.", ["Ann Smith", "Bob Jones", "Carol White"]),
        ("Ann Smith married Bob Jones and Carl White.", ["Bob Jones", "Carl White"]),
        ("Ann Smith was the wife of Bob Jones and later of Carl White.", ["Bob Jones", "Carl White"]),
        ("Ann Smith lived in Zorkville and Rome.", ["Zorkville", "Rome"]),
        ("Ann Smith lived in Auvers-sur-Oise and in Stratford-upon-Avon.", ["Auvers-sur-Oise", "Stratford-upon-Avon"]),
        ('Ann Smith wrote "Blue Prison Songs," "Hey Waiter" and "Zork!".', ["Blue Prison Songs", "Hey Waiter"]),
        ("Ann Smith, whose spouse is Bob Jones, directed Red Hill.", ["Bob Jones", "Red Hill"]),
    ],
)
def test_every_name_of_a_list_is_claimed(extractor, text, wanted):
    found = [tail for _, tail in tails(extractor, text)]
    assert [name for name in wanted if name in found] == wanted


def test_a_list_of_subjects(extractor):
    found = tails(extractor, "Ann Smith, Bob Jones and Carol White directed Zork Hall.")
    assert found == [(name, "Zork Hall") for name in ("Ann Smith", "Bob Jones", "Carol White")]


def test_what_follows_a_place_in_front_is_no_list(extractor):
    heads = {head for head, _ in tails(extractor, "In London, Ann Smith and Bob Jones directed Zork Hall.")}
    assert heads == {"Ann Smith", "Bob Jones"}


def test_participles_in_a_row_are_about_the_same_thing(extractor):
    text = "Zork Hall was directed by Ann Smith, written by Bob Jones, and produced by Carol White."
    assert tails(extractor, text) == [("Zork Hall", name) for name in ("Ann Smith", "Bob Jones", "Carol White")]
    text = "Zork Hall is a film directed by Ann Smith, written by Bob Jones and starring Carol White."
    assert [tail for _, tail in tails(extractor, text)][1:] == ["Ann Smith", "Bob Jones", "Carol White"]
    assert {head for head, _ in tails(extractor, text)} == {"Zork Hall"}


@pytest.mark.parametrize(
    ("text", "years"),
    [
        ("Ann Smith won the Zork Prize in 1974, the Blue Medal in 1975 and the Red Award in 2001.", [1974, 1975, 2001]),
        ("Ann Smith won the Zork Prize and the Blue Medal in 1975 and the Red Award in 2001.", [1975, 1975, 2001]),
        ("Ann Smith married Bob Jones in 2000 and Carl White in 2014.", [2000, 2014]),
        ("Ann Smith moved to Paris in 1933 and to New York in 1941.", [1933, 1941]),
        ("Ann Smith taught at Zork College from 1953 to 1959 and at Blue College from 1963 to 1967.", [1953, 1963]),
    ],
)
def test_each_name_of_a_list_has_its_own_date(extractor, text, years):
    claims = extractor.extract(text)
    assert [claim.when and claim.when.year for claim in claims] == years
    assert all(claim.tail.value is None for claim in claims)


def test_ends_of_several_times_go_with_their_own_names(extractor):
    text = "Ann Smith taught at Zork College from 1953 to 1959 and at Blue College from 1963 to 1967."
    assert [claim.until.year for claim in extractor.extract(text)] == [1959, 1967]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Zork Hall, an American film directed by Ann Smith, was made in Rome.", ("Zork Hall", "Ann Smith")),
        ('Ann Smith, the singer of "I Walk the Zork", was born in Rome.', ("Ann Smith", "Rome")),
        ("Born in Rome, in May 1918, Ann Smith studied at Zork College.", ("Ann Smith", "May 1918")),
        ("The Zork's Guide to the Moon was written by Ann Smith.", ("The Zork's Guide to the Moon", "Ann Smith")),
        ("Directed by Ann Smith and produced by Bob Jones, Zork Hall won the Blue Prize.", ("Zork Hall", "Bob Jones")),
        ("Ann Smith co-founded Zork Hall with Bob Jones.", ("Ann Smith", "Zork Hall")),
    ],
)
def test_what_stands_beside_a_name(extractor, text, wanted):
    assert wanted in tails(extractor, text)


def test_a_description_with_a_name_in_it_does_not_become_the_subject(extractor):
    text = "Douglas Adams was a writer. Adams, a Republican, succeeded Bob Jones. He was born in Rome."
    heads = [claim.head for claim in extractor.extract(text)]
    assert {head.refers_to or (head.start, head.end) for head in heads} == {(0, 13)}
    text = "Douglas Adams was a writer. The son of Christopher Adams, he was born in Cambridge."
    assert [head.lower() for head, tail in tails(extractor, text) if tail == "Cambridge"] == ["he"]


class Watched(list):
    """Counts how often one of its items is asked for."""

    asked = 0

    def __getitem__(self, at):
        self.asked += 1
        return super().__getitem__(at)


def test_a_list_of_thousands_is_gone_through_once():
    words = Watched(Word(2 * at, 2 * at + 1, ",", ",", "punct") for at in range(4_000))
    for word in list(words)[::2]:
        word.text, word.tag, word.mention = "A", "NNP", Mention(word.start, word.end, "A")
    listed(Sentence(0, 8_000, words, list(words)[0]))
    assert words.asked < 10 * len(words)
