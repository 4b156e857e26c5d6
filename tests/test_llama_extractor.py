"""Extraction by a language model that says what a test wants: both modes, windows, and what is left to the rules."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kgstore.errors import ModelMissing
from kgstore.verifier.claims import Claim, Mention
from kgstore.verifier.link.claims import unlinked
from kgstore.verifier.llm import extractor as llm
from kgstore.verifier.llm.extractor import LlmExtractor, most_facts
from kgstore.verifier.llm.prompts import CHECK, FACTS, MISSED, messages, written
from kgstore.verifier.llm.reply import parse_answers, parse_reply, to_propositions
from kgstore.verifier.llm.windows import sentences, windows
from kgstore.verifier.read.proposition import Proposition
from kgstore.verifier.read.reading import Reading


class Rules:
    """Stands in for the rules extractor: the first word is, the last word."""

    notices = ()

    def extract(self, text: str) -> list[Claim]:
        first, last = Mention(0, 3, text[:3]), Mention(len(text) - 3, len(text), text[-3:])
        return [Claim(0, len(text), text, first, "is", last)]

    def linked(self, text: str, propositions: list[Proposition]) -> list[Claim]:
        return [unlinked(text, one) for one in propositions]


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
        said, left_out = to_propositions(text, found)
        assert len(said) == len(found) and not left_out


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
