"""Replies of a fixed form: what a model may choose, and what is written for it."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kgstore.verifier.llm.constrained import LONGEST, NoRoom, write_answers, write_facts
from kgstore.verifier.llm.prompts import written

MERGED = ["", "\n", '[{"', "[]", '"},', '"}]', '"}', '",', '\\"', "\\n", "yes", "no", " Ada", "é"]
PIECES = [piece.encode() for piece in MERGED] + [bytes([byte]) for byte in range(256)]


class Scripted:
    """A model that wants to write one text, with tokens of its own; ``room`` counts tokens."""

    def __init__(self, text: str, room: int = 10_000) -> None:
        self.left, self.room, self.wrote = text.encode(), room, b""

    def read(self, text: str) -> None:
        self._go_on(text.encode())

    def take(self, token: int) -> None:
        self._go_on(PIECES[token])

    def logits(self) -> np.ndarray:
        fits = [len(piece) if piece and self.left.startswith(piece) else 0 for piece in PIECES]
        return np.array(fits, np.float32) - np.arange(len(PIECES), dtype=np.float32) / 1000

    def piece(self, token: int) -> bytes:
        return PIECES[token]

    def _go_on(self, text: bytes) -> None:
        self.room -= 1
        if self.room < 0:
            raise NoRoom
        self.wrote += text
        self.left = self.left[len(text) :] if self.left.startswith(text) else self.left


def never(reply: str) -> bool:
    return False


FACTS = [("Ada", "was born in", "Zoé"), ('the "Bell" of it', "is", "3"), ("A", "b", "C")]


@pytest.mark.parametrize("count", [0, 1, 3])
def test_a_model_that_keeps_to_the_form_is_left_alone(count):
    model = Scripted(written(FACTS[:count]))
    assert write_facts(model, 8, never) == written(FACTS[:count])
    assert len(model.left) <= 3     # what is chosen last need not be read


def test_there_are_never_more_facts_than_asked_for():
    assert write_facts(Scripted(written(FACTS)), 2, never) == written(FACTS[:2])


def test_a_list_ends_where_enough_was_said():
    assert json.loads(write_facts(Scripted(written(FACTS)), 8, lambda reply: reply.count("{") == 2)) == json.loads(
        written(FACTS[:2])
    )


@given(st.text(max_size=200))
def test_whatever_a_model_wants_to_say_becomes_facts(text):
    for fact in json.loads(write_facts(Scripted(text), 2, never)):
        assert list(fact) == ["head", "relation", "tail"]
        assert all(part.strip() and len(part) <= LONGEST + 8 for part in fact.values())


@given(st.integers(0, 80))
def test_without_room_the_complete_facts_are_kept(room):
    reply = write_facts(Scripted(written(FACTS), room), 8, never)
    assert written(FACTS).startswith(reply.removesuffix("]")) or reply == ""


def test_a_string_without_end_is_ended():
    (fact,) = json.loads(write_facts(Scripted('[{"head": "' + "word " * 100), 1, never))
    assert len(fact["head"]) == LONGEST


def test_answers_are_as_many_as_asked_for():
    assert write_answers(Scripted('["no", "yes", "no"]'), 3) == '["no", "yes", "no"]'
    assert len(json.loads(write_answers(Scripted("perhaps"), 4))) == 4
    assert write_answers(Scripted('["no", "yes"]', room=2), 2) == '["no"]'
