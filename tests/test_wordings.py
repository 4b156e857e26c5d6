"""Sentences with slots that a language model writes for the relations of a graph."""

from __future__ import annotations

import json

import numpy as np
import pytest

from kgstore.verifier.training.wordings import Fact, believed, make, templates
from tests.plain_graph import plain_store

FACT = Fact("Ann Smith", "Graz")


@pytest.mark.parametrize(
    ("sentence", "kept"),
    [
        ("Graz is where Ann Smith came into the world.", "{tail} is where {head} came into the world."),
        ("Ann Smith was born there.", None),
        ("Ann Smith, the real Ann Smith, was born in Graz.", None),
        ("Ann Smith was born in Graz in 1912.", None),
        ("Ann Smith was born in Graz, near Vienna.", None),
        ("Ann Smith was born in Grazia.", None),
        ("Ann Smith was born in Graz and", None),
    ],
)
def test_a_sentence_is_kept_that_has_both_ends_once_and_nothing_of_its_own(sentence, kept):
    assert list(templates(f"Sure!\n1. {sentence}\n", FACT)) == ([kept] if kept else [])


class Sure:
    """A judge that is as sure as it is told, of a statement and of the one that is turned round."""

    def __init__(self, says: float, turned: float) -> None:
        self.shares = says, turned

    def judge(self, pairs):
        return np.array([[share, 1 - share, 0] for share in self.shares], np.float32)


@pytest.mark.parametrize(("says", "turned", "kept"), [(0.9, 0.1, True), (0.2, 0.0, False), (0.9, 0.85, False)])
def test_a_wording_must_be_believed_and_have_a_direction(says, turned, kept):
    assert believed("{head} was born in {tail}.", "place of birth", FACT, [Sure(says, turned)]) is kept


class Writing:
    """A language model that always says the same, and counts how often it is asked."""

    def __init__(self) -> None:
        self.asked = 0

    def write(self, task, question, most, schema=None):
        self.asked += 1
        return "1. Graz saw the birth of Ann Smith.\n2. Nothing of the kind."


def test_a_run_that_was_stopped_goes_on_where_it_was(tmp_path):
    graph = """
ex:born rdfs:label "place of birth" . ex:town rdfs:label "town" .
ex:ann rdfs:label "Ann Smith" ; ex:born ex:graz . ex:graz a ex:town ; rdfs:label "Graz" .
"""
    with plain_store(graph, tmp_path) as store:
        for _ in range(2):
            model = Writing()
            make(store, model, [Sure(0.9, 0.1)], tmp_path / "wordings.jsonl", 800)
    lines = [json.loads(line) for line in (tmp_path / "wordings.jsonl").read_text().splitlines()]
    assert {line["label"]: line["says"] for line in lines}["place of birth"] == ["{tail} saw the birth of {head}."]
    assert len({line["label"] for line in lines}) == len(lines) and model.asked == 0
