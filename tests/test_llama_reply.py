"""What becomes of a language model's reply: facts, and the places in the text where they are claimed."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kgstore.verifier.claims import Hop
from kgstore.verifier.link.claims import unlinked
from kgstore.verifier.llm.reply import Found, fold, goes_round, parse_reply, split_role, to_propositions

TEXT = (
    "Band of Brothers is a miniseries. It was produced in the United States. The screenplay was written by Tom Hanks, "
    "and Zoë Kazan may have helped; she was not born in München."
)


def to_claims(text: str, found: list[Found], region: tuple[int, int] | None = None):
    said, left_out = to_propositions(text, found, region)
    return [unlinked(text, one) for one in said], left_out


def spans(text, *found, region=None):
    """(claim's words, head's words, what the head stands for, tail's words) of each claim."""
    claims, _ = to_claims(text, [Found(*one) for one in found], region)
    for claim in claims:
        for part in (claim, claim.head, claim.tail):
            assert text[part.start : part.end] == part.text
    return [
        (claim.text, claim.head.text, claim.head.refers_to and text[slice(*claim.head.refers_to)], claim.tail.text)
        for claim in claims
    ]


def test_a_whole_reply_is_read():
    found = [Found("A", "is", "B"), Found("C", "has", 'a "D"')]
    text = json.dumps([{"head": one.head, "relation": one.relation, "tail": one.tail} for one in found])
    assert parse_reply(text) == (found, True)
    assert parse_reply(" [] ") == ([], True)
    assert parse_reply('[["A", "is", "B"], ["C", "has", "a \\"D\\""]]') == (found, True)


@pytest.mark.parametrize(
    "reply",
    [
        '```json\n[["A", "is", "B"]]\n```',
        'Here are the facts: [["A", "is", "B"]]. I hope this helps [1].',
        '<think>Perhaps [["X", "is", "Y"]]?</think>\n[["A", "is", "B"]]',
        '{"facts": [["A", "is", "B"]]}',
    ],
)
def test_what_stands_around_the_list_does_not_count(reply):
    assert parse_reply(reply) == ([Found("A", "is", "B")], True)


@pytest.mark.parametrize("cut", range(2, 60, 3))
def test_a_reply_that_was_cut_off_gives_its_complete_facts(cut):
    one = '{"head": "A", "relation": "is", "tail": "B"}'
    found, finished = parse_reply(f"[{one}, {one}"[: len(one) + cut])
    assert not finished
    assert set(found) == {Found("A", "is", "B")}


@pytest.mark.parametrize(
    "reply",
    ["", "no idea", "{}", "[1]", '[["A", "is"]]', '[["A", "is", "B", "C"]]', '[{"head": "A"}]', "[" * 5000, "[nul"],
)
def test_anything_else_gives_nothing(reply):
    assert parse_reply(reply) == ([], False)


@given(st.text())
def test_no_reply_breaks_the_reader(reply):
    found, _ = parse_reply(reply)
    to_claims(TEXT, found)


def test_a_reply_that_repeats_itself_is_stopped():
    one, two = (f'["{name}", "is", "B"]' for name in "AC")
    assert not goes_round(f"[{one}, {two}, {one}")
    assert goes_round(f"[{one}, {two}, {one}, {two}")


# -- places ------------------------------------------------------------------------------------------------------------


def test_a_claim_is_the_clause_that_holds_both_ends():
    assert spans(TEXT, ("Band of Brothers", "is a", "miniseries")) == [
        ("Band of Brothers is a miniseries", "Band of Brothers", None, "miniseries")
    ]


def test_a_name_that_the_sentence_only_refers_to_is_found_at_its_pronoun():
    assert spans(TEXT, ("Band of Brothers", "produced in", "United States")) == [
        ("It was produced in the United States", "It", "Band of Brothers", "United States")
    ]


def test_claims_of_one_clause_get_a_part_of_it_each():
    text = "Ada, a Swiss painter, was born on 5 May 1931 in Rome and died in Bern."
    facts = [("Ada", "has nationality", "Swiss"), ("Ada", "is a", "painter"), ("Ada", "was born on", "5 May 1931")]
    facts += [("Ada", "was born in", "Rome"), ("Ada", "died in", "Bern")]
    assert [claim for claim, *_ in spans(text, *facts)] == [
        "Ada, a Swiss painter",
        "Ada, a Swiss painter",
        "was born on 5 May 1931",
        "in Rome",
        "died in Bern",
    ]


def test_a_pronoun_within_the_sentence_keeps_the_clause_small():
    assert spans(TEXT, ("Zoe Kazan", "born in", "Munchen")) == [
        ("she was not born in München", "she", "Zoë Kazan", "München")
    ]


def test_names_match_without_case_accents_and_kinds_of_dash_but_only_as_whole_words():
    text = "Jean‑Luc  Godard – the “maître” – made À bout de souffle in Paris; Parish is no place."
    (one,) = spans(text, ("jean-luc godard", "made", "a BOUT de souffle"))
    assert one[1::2] == ("Jean‑Luc  Godard", "À bout de souffle")
    assert spans(text, ("Godard", "in", "Pari")) == []
    assert spans("Cafe\u0301 Noir is in Rome.", ("café noir", "is in", "rome"))[0][1] == "Cafe\u0301 Noir"


def test_of_several_places_the_sentence_with_the_relations_words_counts():
    text = "Ada met Bob. Ada was born in Rome. Ada left Rome."
    assert spans(text, ("Ada", "left", "Rome"))[0][0] == "Ada left Rome"
    assert spans(text, ("Ada", "was born in", "Rome"))[0][0] == "Ada was born in Rome"


def test_negation_and_hedging_are_read_off_the_words():
    claims, _ = to_claims(
        TEXT,
        [
            Found("Zoë Kazan", "born in", "München"),
            Found("Zoë Kazan", "helped", "Tom Hanks"),
            Found("Band of Brothers", "is a", "miniseries"),
        ],
    )
    assert {claim.tail.text: (claim.negated, claim.hedged) for claim in claims} == {
        "München": (True, False),
        "Tom Hanks": (False, True),
        "miniseries": (False, False),
    }


@pytest.mark.parametrize(
    ("text", "negated", "hedged"),
    [
        ("Ada was not born in Oslo.", True, False),
        ("Ada was born not in Rome but in Oslo.", False, False),
        ("Ada was not only born in Oslo.", False, False),
        ("Was Ada born in Oslo?", False, True),
        ("Ada is said to have been born in Oslo.", False, True),
    ],
)
def test_a_denied_or_asked_sentence_is_no_plain_claim(text, negated, hedged):
    (claim,), _ = to_claims(text, [Found("Ada", "born in", "Oslo")])
    assert (claim.negated, claim.hedged) == (negated, hedged)


def test_a_surname_stands_for_the_name_before_it():
    text = "Mira Holt sang. Luc left, and Holt died in Bern."
    assert spans(text, ("Mira Holt", "died in", "Bern")) == [("Holt died in Bern", "Holt", "Mira Holt", "Bern")]


def test_what_a_definite_noun_says_of_its_name_is_a_claim_of_its_own():
    text = "Mira Holt sang. The Austrian chemist died in Bern."
    assert spans(text, ("Mira Holt", "has nationality", "Austrian"), ("Mira Holt", "is a", "chemist")) == [
        ("The Austrian chemist", "The Austrian chemist", "Mira Holt", "Austrian"),
        ("The Austrian chemist", "The Austrian chemist", "Mira Holt", "chemist"),
    ]
    assert spans(text, ("Mira Holt", "died in", "Bern"))[0][1:] == ("The Austrian chemist", "Mira Holt", "Bern")


def test_a_tail_that_its_sentence_only_refers_to_is_found_at_its_pronoun():
    text = "The Glass Harbour opened in May. Bering Pictures was its producer."
    assert spans(text, ("Bering Pictures", "producer", "The Glass Harbour")) == [
        ("Bering Pictures was its producer", "Bering Pictures", None, "its")
    ]


def test_a_tail_that_the_relation_has_swallowed_is_taken_out_of_it():
    text = "Ada held Austrian citizenship, spoke German and attended the University of Graz in Austria."
    claims, left_out = to_claims(
        text,
        [
            Found("Ada", "held Austrian citizenship", "none"),
            Found("Ada", "spoke German", "Ada"),
            Found("Ada", "attended the University of Graz", "painter"),
            Found("Ada", "sang Yodel", "none"),
        ],
    )
    assert [(claim.relation, claim.tail.text) for claim in claims] == [
        ("held citizenship", "Austrian"),
        ("spoke", "German"),
        ("attended the", "University of Graz"),
    ]
    assert left_out == {"tail not in the text": 1}


def test_a_date_and_a_place_in_one_tail_are_two_claims():
    text = "Ada died on the 5th of May 1931 in Bern. Bob was born in Rome on 3 June 1920. It ran in 1931 and 1932."
    claims, _ = to_claims(
        text,
        [
            Found("Ada", "died on", "the 5th of May 1931 in Bern"),
            Found("Bob", "was born in", "Rome on 3 June 1920"),
            Found("It", "ran in", "1931 and 1932"),
        ],
    )
    assert [(claim.relation, claim.tail.text) for claim in claims] == [
        ("died on", "5th of May 1931"),
        ("died in", "Bern"),
        ("was born in", "Rome"),
        ("was born on", "3 June 1920"),
    ]


def test_dates_and_amounts_are_read_and_the_mention_is_just_those():
    text = "Oslo, founded in 1048, has about 709,000 people."
    claims, _ = to_claims(text, [Found("Oslo", "founded in", "in 1048"), Found("Oslo", "has", "about 709,000 people")])
    year, people = (claim.tail for claim in claims)
    assert (year.text, year.value.year) == ("1048", 1048)
    assert (people.text, int(people.value.value), people.value.approximate) == ("709,000", 709000, True)


def test_a_head_described_by_a_role_becomes_a_bridge():
    (claim,), _ = to_claims("The spouse of Ada was born in Rome.", [Found("spouse of Ada", "was born in", "Rome")])
    assert claim.bridge == (Hop("spouse", definite=True),)
    assert (claim.head.text, claim.text) == ("Ada", "The spouse of Ada was born in Rome")
    assert split_role("The Wizard of Oz") == ("The Wizard of Oz", [])


def test_a_tail_described_by_its_role_gives_that_to_the_relation():
    text = "Ada was a member of the Royal Society and is the inventor of Bernoulli."
    claims, _ = to_claims(
        text, [Found("Ada", "was a", "member of the Royal Society"), Found("Ada", "is", "the inventor of Bernoulli")]
    )
    assert [(claim.relation, claim.tail.text) for claim in claims] == [
        ("was a member of", "the Royal Society"),
        ("is the inventor of", "Bernoulli"),
    ]


def test_what_is_not_in_the_text_is_left_out_and_counted():
    claims, out = to_claims(
        TEXT,
        [
            Found("Band of Brothers", "is a", "miniseries"),
            Found("Band of Brothers", "is a", "miniseries"),
            Found("band of brothers", "Is a", "miniseries"),
            Found("Mira Holt", "is a", "miniseries"),
            Found("Tom Hanks", "won", "an Oscar"),
            Found("It", "was produced in", "United States"),
            Found("Tom Hanks", "", "miniseries"),
            Found("Tom Hanks", "is", "Hanks"),
        ],
    )
    assert len(claims) == 1
    assert out == {
        "repeated": 2,
        "head not in the text": 1,
        "tail not in the text": 1,
        "a pronoun left as it is": 1,
        "an empty part": 1,
        "head and tail overlap": 1,
    }


def test_only_the_region_that_the_model_saw_is_searched():
    text = "Ada was born in Rome. Ada was born in Rome."
    (claim,), _ = to_claims(text, [Found("Ada", "was born in", "Rome")], (22, len(text)))
    assert (claim.start, claim.end) == (22, 42)


@given(st.text(max_size=80))
def test_folding_keeps_an_offset_for_each_character(text):
    folded, offsets = fold(text)
    assert len(folded) == len(offsets)
    assert offsets == sorted(offsets)
    assert all(0 <= offset < len(text) for offset in offsets)
