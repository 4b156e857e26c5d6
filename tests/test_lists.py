"""Lists in prose: every name of them is claimed, each with its own date."""

from __future__ import annotations

import pytest

from kgstore.store import Store
from kgstore.verifier.kg.align import Aligner
from kgstore.verifier.stages import RulesExtractor


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


@pytest.mark.parametrize(
    ("text", "years"),
    [
        ("Ann Smith won the Zork Prize in 1974, the Blue Medal in 1975 and the Red Award in 2001.", [1974, 1975, 2001]),
        ("Ann Smith married Bob Jones in 2000 and Carl White in 2014.", [2000, 2014]),
    ],
)
def test_each_name_of_a_list_has_its_own_date(extractor, text, years):
    claims = extractor.extract(text)
    assert [claim.when and claim.when.year for claim in claims] == years
    assert all(claim.tail.value is None for claim in claims)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Zork Hall, an American film directed by Ann Smith, was made in Rome.", ("Zork Hall", "Ann Smith")),
        ('Ann Smith, the singer of "I Walk the Zork", was born in Rome.', ("Ann Smith", "Rome")),
        ("Born in Rome, in May 1918, Ann Smith studied at Zork College.", ("Ann Smith", "May 1918")),
        ("The Zork's Guide to the Moon was written by Ann Smith.", ("The Zork's Guide to the Moon", "Ann Smith")),
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
