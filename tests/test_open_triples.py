"""Triples of any text, without a KG."""

import pytest

from kgstore.verifier.document.open_facts import open_claims, open_triples, spoken

CASES = [
    ("Ann Smith is a Polish chemist.", ("Ann Smith", "is", "a Polish chemist")),
    ("The bridge was designed by Bob Jones.", ("The bridge", "was designed by", "Bob Jones")),
    ("Ann Smith won the cup in 2003.", ("Ann Smith", "won the cup in", "2003")),
    ("The driver, who was born in Oslo, won the race.", ("The driver", "was born in", "Oslo")),
    ("Ann Smith, a Polish chemist, lives in Rome.", ("Ann Smith", "is", "a Polish chemist")),
    ("Ann Smith and Bob Jones left the party.", ("Bob Jones", "left", "the party")),
    ("Ann Smith founded Acme and sold it in May 1999.", ("Ann Smith", "sold it in", "May 1999")),
    ("She bought apples, pears and two plums.", ("She", "bought", "two plums")),
    ("Ann Smith's husband, Bob Jones, died.", ("Ann Smith", "husband", "Bob Jones")),
    ("The council did not approve the plan.", ("The council", "did not approve", "the plan")),
    ("The player wants to leave the club.", ("The player", "wants to leave", "the club")),
    ("The tax earned the company 20 million dollars last year.", ("The tax", "earned", "20 million dollars")),
    ("Three people were injured.", ("Three people", "were", "injured")),
    ("The dog died.", ("The dog", "has", "died")),
    ("Burnley drew 0-0 with Tottenham.", ("Burnley", "drew 0-0 with", "Tottenham")),
]


@pytest.mark.parametrize("text, wanted", CASES, ids=lambda value: value if isinstance(value, str) else "")
def test_grammar(text, wanted):
    assert wanted in [(head, relation, tail) for _, head, relation, tail in open_triples(text)]


def test_spans_are_those_of_the_words():
    text = "\n  Ann Smith moved to Oslo.\n\nShe died there in 1990, aged 80."
    claims = open_claims(text)
    assert len(claims) >= 2
    for claim in claims:
        assert text[claim.start : claim.end] == claim.text
        for end in (claim.head, claim.tail):
            assert text[end.start : end.end] == end.text and claim.start <= end.start and end.end <= claim.end


@pytest.mark.parametrize(
    "text, head",
    [
        ("Ann Smith met her coach in Rome. She won the race.", "Ann Smith"),
        ("The actress Ann Smith married Mr Bob Jones. He left the city.", "Mr Bob Jones"),
        ("The council fined the company. It paid 20 pounds.", "The council"),
        ("The players beat Burnley. They left the stadium.", "The players"),
    ],
)
def test_a_pronoun_stands_for_the_latest_name_that_fits(text, head):
    assert open_triples(text)[-1][1] == head


def test_a_pronoun_without_a_name_stays():
    assert open_triples("He won the race.")[0][1:] == ("He", "won", "the race")


def test_denied_and_open_claims_say_so():
    denied, left_open = open_claims("Ann Smith never left the city. Ann Smith may sell the house.")
    assert denied.negated and "never" in denied.relation and not denied.hedged
    assert left_open.hedged and not left_open.negated


def test_who_said_it_is_no_part_of_what_is_said():
    said = [spoken("", claim)[1] for claim in open_claims("Police said the driver fled the city.")]
    assert said == ["fled"]


@pytest.mark.parametrize("text", ["", "   \n", "!!!", "\ud800 a", "a" * 3000])
def test_odd_texts_do_no_harm(text):
    for claim in open_claims(text):
        assert text[claim.start : claim.end] == claim.text
