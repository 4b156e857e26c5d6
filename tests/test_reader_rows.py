"""Rows of two steps that the relation reader learns from: what they say, and what they deny."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from kgstore.verifier.reader.asking import Question, hypothesis
from kgstore.verifier.training.chains import Chains, combinations, denied
from kgstore.verifier.training.reader import COURSES, of_course, pairs
from kgstore.verifier.training.reader_names import Names, together
from kgstore.verifier.training.reader_rows import Fillers, Row, is_held_out
from kgstore.verifier.training.scenes import scenes
from tests.plain_graph import plain_store
from tests.test_walks import GRAPH

DATA = Path(__file__).parents[1] / "data"


def written(path: Path, *lines: dict) -> Path:
    path.parent.mkdir(exist_ok=True)
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
    return path.parent


def asked(row: Row, label: str) -> str:
    """The statement about a row's two places."""
    return hypothesis(Question(row.text, row.head, row.tail, row.through), label)


def learnt(folder: Path) -> tuple[set[str], set[str]]:
    """What the rows of scenes assert, and what they deny."""
    rows = [row for seed in range(20) for row in scenes(folder, 1, random.Random(seed))]
    said = {asked(row, label) for row in rows for label in row.said}
    return said, {asked(row, label) for row in rows for label in row.rivals}


FILLERS = {"fillers": {"woman": ["Ann"], "man": ["Bob"], "city": ["Graz", "Oslo"]}}
SLOTS = {"a": "woman", "b": "city", "c": "city"}


def test_a_scene_in_two_steps_denies_the_same_of_the_name_itself(tmp_path):
    scene = {
        "text": "{a}, a native of {c}, married a man who died in {b}.", "slots": SLOTS, "facts": [["a", "home", "c"]],
        "maybe": [], "chains": [["a", ["spouse", "place of death"], "b"]],
    }  # fmt: skip
    said, no = learnt(written(tmp_path / "scenes" / "one.jsonl", FILLERS, scene))
    for b, c in (("Graz", "Oslo"), ("Oslo", "Graz")):
        assert f"The place of death of the spouse of Ann is {b}." in said
        assert {f"The place of death of Ann is {b}.", f"The place of death of the spouse of Ann is {c}."} <= no | said
    assert not said & {"The place of death of Ann is Graz.", "The spouse of Ann is Graz."}


def test_two_steps_by_way_of_a_name_are_said_too(tmp_path):
    scene = {
        "text": "{m}, the husband of {a}, died in {b}.", "slots": {"a": "woman", "m": "man", "b": "city"},
        "facts": [["a", "spouse", "m"], ["m", "place of death", "b"]], "maybe": [],
    }  # fmt: skip
    said, no = learnt(written(tmp_path / "scenes" / "one.jsonl", FILLERS, scene))
    assert "The place of death of the spouse of Ann is Graz." in said - no


def test_what_a_scene_denies_in_two_steps_is_denied(tmp_path):
    scene = {
        "text": "{a}'s husband did not die in {b}.", "slots": {"a": "woman", "b": "city"}, "facts": [], "maybe": [],
        "nochains": [["a", ["spouse", "place of death"], "b"]],
    }  # fmt: skip
    said, no = learnt(written(tmp_path / "scenes" / "one.jsonl", FILLERS, scene))
    assert not said and "The place of death of the spouse of Ann is Oslo." in no


def test_statements_that_follow_on_one_another_make_sentences(tmp_path):
    way = {"label": "director", "short": [], "long": ["whoever made {head}"]}
    born = {"label": "place of birth", "head": "person", "tail": "place", "near": []}
    own = written(tmp_path / "own" / "descriptions.jsonl", way)
    written(own / "sayings.jsonl", {**born, "says": ["{head} is from {tail}."]})
    with plain_store(GRAPH, tmp_path) as store:
        rows = []
        for chance in map(random.Random, range(10)):
            rows += Chains(store, own, Fillers(store, chance), chance).make(50)
    plain = [row for row in rows if row.said and row.through]
    made = {"Whoever made Grey Dunes is from Graz.", "Whoever made Low Tide is from Oslo."}
    assert made <= {row.text for row in plain}
    for row in plain:
        assert row.text[slice(*row.head)] in ("Grey Dunes", "Low Tide", "Short Days")
        assert row.text[slice(*row.tail)] in ("Graz", "Oslo")
    assert any(not row.through and row.rivals == ("place of birth", "director") for row in rows)


def test_what_is_said_outright_is_denied_in_two_steps():
    chained = Row("Ann's wife is from Graz.", (0, 3), (19, 23), ("home",), through="spouse")
    plain = Row("Bob is from Oslo.", (0, 3), (12, 16), ("home",))
    (row,) = denied([chained, plain], combinations([chained]), 1.0, random.Random(1))
    assert (row.text, row.through, row.said, row.rivals) == (plain.text, "spouse", (), ("home",))


@pytest.mark.parametrize("path", sorted((DATA / "scenes").glob("*.jsonl")), ids=lambda path: path.stem)
def test_every_scene_fills_all_its_slots_and_relates_them_to_each_other(path):
    first, *lines = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    for line in lines:
        slots = line["slots"]
        assert all(f"{{{slot}}}" in line["text"] and kind in first["fillers"] for slot, kind in slots.items()), line
        for head, label, tail in (*line["facts"], *line["maybe"], *line.get("nofacts", ())):
            assert {head, tail} <= slots.keys() and head != tail and label, line
        for head, steps, tail in (*line.get("chains", ()), *line.get("nochains", ())):
            assert {head, tail} <= slots.keys() and len(steps) == 2, line


def test_every_description_has_a_place_for_the_name():
    for line in (DATA / "descriptions.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        assert all(one.count("{head}") == 1 for one in (*row["short"], *row["long"])), row


def test_a_course_sees_what_it_may_and_asks_what_is_said_and_what_is_near(tmp_path):
    held = next(one for one in map("relation {}".format, range(99)) if is_held_out(one))
    rows = [
        Row("Ann directed Alien.", (13, 18), (0, 3), ("director",), ("composer",), source="tekgen"),
        Row("Ann leads Graz.", (0, 3), (10, 14), (held,), source="tekgen"),
        Row("Ann scored Alien.", (11, 16), (0, 3), ("composer",), source="scenes:one"),
        Row("Ann scored Alien.", (11, 16), (0, 3), ("composer",), source="chains", through="spouse"),
    ]
    assert [len(of_course(rows, COURSES[at])) for at in (0, 4, 5, 8)] == [1, 2, 3, 4]
    with plain_store(GRAPH, tmp_path) as store:
        names = Names(rows, store, all_labels=True)
        assert all(0 < share <= 1 for share in together(store).values())
    found = pairs(rows * 9, names, 40, random.Random(1), shares={})
    said = {(pair.hypothesis, pair.allowed) for pair in found if pair.premise == rows[0].text}
    assert ("The director of Alien is Ann.", (0,)) in said
    assert ("The composer of Alien is Ann.", (1, 2)) in said


def test_a_relation_goes_by_the_names_that_owners_of_graphs_give_it(tmp_path):
    rows = [
        Row("Ann directed Alien.", (13, 18), (0, 3), ("director",), ("film director", "composer"), source="tekgen"),
        Row("Ann led Alien.", (8, 13), (0, 3), ("film director",), source="tekgen"),
    ]
    named = {"director": ["directed by"], "film director": ["directed by"], "composer": ["scored by"]}
    with plain_store(GRAPH, tmp_path) as store:
        names = Names(rows, store, all_labels=True, named=named)
    found = pairs(rows[:1] * 30, names, 90, random.Random(1), shares={}, renamed=1.0)
    said = {(pair.hypothesis, pair.allowed) for pair in found}
    assert said == {("Alien was directed by Ann.", (0,)), ("Alien was scored by Ann.", (1, 2))}  # no name both ways


def test_every_relation_has_other_names_than_its_own():
    lines = [json.loads(line) for line in (DATA / "relation_names.jsonl").read_text(encoding="utf-8").splitlines()]
    assert len({line["label"] for line in lines}) == len(lines)
    for line in lines:
        names = line["names"]
        assert len(names) >= 5 and len(set(names)) == len(names), line
        assert line["label"] not in names and all(name == name.lower().strip() for name in names), line
