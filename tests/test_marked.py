"""Rows that the reader learns from: sentences whose every fact is marked, and what a KG holds against others."""

from __future__ import annotations

import json
import random

from kgstore.store import Store
from kgstore.verifier.training.guided import guided
from kgstore.verifier.training.marked import marked

TEXT = "He was born in Graz and studied in Oslo under Bob."
SENTENCE = {"id": "s1", "text": TEXT, "triples": [{"head_name": "Carl"}]}


def rows_of(tmp_path, **marks):
    (tmp_path / "some.jsonl").write_text(json.dumps({"id": "s1", **marks}) + "\n", encoding="utf-8")
    return list(marked(tmp_path, [SENTENCE], random.Random(1)))


def test_who_the_sentence_is_about_stands_in_place_of_the_pronoun(tmp_path):
    (row, *_) = rows_of(tmp_path, facts=[["He", "place of birth", "Graz"]], maybe=[["He", "residence", "Graz"]])
    assert row.text == TEXT.replace("He", "Carl", 1)
    assert (row.text[slice(*row.head)], row.text[slice(*row.tail)]) == ("Carl", "Graz")
    assert (row.said, row.open) == (("place of birth",), ("residence",))


def test_what_is_marked_as_not_said_and_what_is_said_of_others_are_rivals(tmp_path):
    facts = [["He", "place of birth", "Graz"], ["He", "student of", "Bob"]]
    rows = rows_of(tmp_path, facts=facts, nofacts=[["He", "place of death", "Graz"], ["Bob", "residence", "Oslo"]])
    by_ends = {(row.text[slice(*row.head)], row.text[slice(*row.tail)]): row for row in rows}
    assert by_ends["Carl", "Graz"].rivals == ("place of death", "student of")
    assert by_ends["Bob", "Oslo"].said == ()
    assert by_ends["Bob", "Oslo"].rivals[0] == "residence"


def test_a_fact_turned_round_is_denied_unless_it_holds_both_ways(tmp_path):
    (tmp_path / "some.jsonl").write_text(
        json.dumps({"id": "s2", "facts": [["Ann", "child", "Bea"]], "nofacts": [["Bea", "employer", "Ann"]]}) + "\n"
    )
    sentence = {"id": "s2", "text": "Ann had a daughter, Bea.", "triples": [{"head_name": "Ann"}]}
    turned = [row for row in marked(tmp_path, [sentence], random.Random(1)) if row.text[slice(*row.head)] == "Bea"]
    assert [row.rivals for row in turned] == [("employer", "child")]


def test_what_a_sentence_is_known_to_say_is_no_accusation(everyday_kg):
    text = "Marie Curie was born in Paris, a city in France."
    said = {"property_label": "place of birth"}
    with Store(everyday_kg, read_only=True) as store:
        against = [pair.hypothesis for pair in guided(store, [{"text": text}])]
        assert "The place of birth of Marie Curie is Paris." in against
        known = [pair.hypothesis for pair in guided(store, [{"text": text, "triples": [said]}])]
        assert known == [one for one in against if "place of birth" not in one]
