"""Parts of the commands, each asked by itself."""

from __future__ import annotations

import json
import os
from types import SimpleNamespace

import click
import pytest
from click.testing import CliRunner

from kgstore.cli import train_judge as judge_command
from kgstore.cli.answers import entity_answer, facts_about, has_vectors, named, path_answer, paths_between
from kgstore.cli.filtering import filter_options
from kgstore.cli.folders import texts_in
from kgstore.cli.graphs import GRAPHS, print_graph
from kgstore.cli.grounding_source import open_graph, source_options
from kgstore.cli.mirror import mirror
from kgstore.cli.opening import check_embedder, open_store
from kgstore.cli.receipts import alone, arguments
from kgstore.cli.resolve import resolve_entity
from kgstore.cli.resuming import appending, unfinished
from kgstore.cli.texts import Text
from kgstore.cli.training import Asked
from kgstore.cli.verify import verify
from kgstore.errors import InputError
from kgstore.networks import Link
from kgstore.store import Store
from tests.test_cli import refused, run


@pytest.fixture(scope="module")
def store(small_kg):
    with Store(small_kg, read_only=True) as found:
        yield found


def test_answers_are_plain_values(store):
    told: list[str] = []
    adams = entity_answer(store, "Douglas Adams", told.append)
    assert adams["id"] == "Q42" and "Douglas Adams" in adams["names"]
    about, [born], more = facts_about(store, "Q42", "place of birth", limit=1)
    assert about.iri == adams["iri"] and store.label(born.value.value) == "Cambridge" and not more
    start, [way, *_] = paths_between(store, "Q42", "Q350")
    assert start == adams["iri"] and path_answer(way, store)[0]["labels"][0] == "Douglas Adams"
    assert named(store, "Douglas Ad", 3)[0]["id"] == "Q42" and not has_vectors(store)


def test_a_name_that_nothing_has_is_no_entity(store):
    with pytest.raises(InputError, match="Zork"):
        resolve_entity(store, "Zork Zork")
    assert resolve_entity(store, "Q42").label == "Douglas Adams"


def test_a_kg_is_not_asked_with_another_model_than_its_own(small_kg):
    store = open_store(small_kg)
    with pytest.raises(InputError, match="is not the model that"):
        check_embedder(store, small_kg, small_kg, SimpleNamespace(fingerprint="another"))


def test_filters_come_from_options(tmp_path):
    found = []

    @click.command()
    @filter_options
    def load(filters):
        found.append(filters)

    (tmp_path / "ids").write_text("Q1\nQ2\n")
    words = ["--lang", "de,en", "--types", "Q5", "--entities", str(tmp_path / "ids"), "--limit", "3"]
    assert CliRunner().invoke(load, words).exit_code == 0
    [one] = found
    assert (one.languages, one.types, one.entities, one.limit) == (("de", "en"), {"Q5"}, {"Q1", "Q2"}, 3)


def test_the_texts_of_a_folder_are_found_and_others_counted(tmp_path):
    for name in ("b.txt", "a/c.TXT", "a/d.png", "e", ".hidden.txt", ".git/f.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    found, others = texts_in(tmp_path, (".txt",))
    assert [path.name for path in found] == ["c.TXT", "b.txt"] and others == {".png": 1, "no ending": 1}


@pytest.mark.parametrize("fmt", GRAPHS)
def test_a_small_graph_is_printed_for_programs_that_draw(fmt, capsys):
    pytest.importorskip("networkx")
    assert print_graph(fmt, lambda: [Link("a", "p", "b", ("Ann", "knows", "Bob"))])
    assert "Ann" in capsys.readouterr().out
    assert not print_graph("json", list)


def test_a_receipt_becomes_a_command_line_again(monkeypatch):
    kg = {"path": "a.kg", "named": False}
    found = {"options": {"fmt": "json", "quiet": True}, "kg": kg, "files": {"a.txt": "0"}}
    known = {one.name for one in verify.params}
    found["options"] = {name: value for name, value in found["options"].items() if name in known}
    words, elsewhere = arguments(found, verify)
    assert words[-2:] == ["--", "a.txt"] and words[:2] == ["--format", "json"] and elsewhere == {"kg": "a.kg"}
    with pytest.raises(InputError, match="has an option zork"):
        arguments({**found, "options": {"zork": 1}}, verify)
    monkeypatch.setenv("KGSTORE_KG", "other.kg")
    with alone(verify):
        assert "KGSTORE_KG" not in os.environ


def test_a_file_of_reports_goes_on_where_it_was_broken_off(tmp_path):
    path, seen = tmp_path / "out.jsonl", []
    report = {"schema": "kgstore.report/1", "id": "1", "text": "A.", "kg": {}}
    path.write_text(json.dumps(report) + "\n" + json.dumps(report)[:20], encoding="utf-8")
    left = unfinished(path, [Text("A.", "1"), Text("B.", "2")], dict, seen.append)
    assert [one.id for one in left] == ["2"] and [one["id"] for one in seen] == ["1"]
    assert len(path.read_text(encoding="utf-8").splitlines()) == 1, "what was broken off goes"
    with appending(path) as file:
        file.write("more\n")
    assert path.read_text(encoding="utf-8").endswith("more\n")
    with pytest.raises(InputError, match="two texts have the id 1"):
        unfinished(path, [Text("A.", "1"), Text("B.", "1")], dict, seen.append)


def test_a_mirror_of_nothing_is_refused(tmp_path):
    done = CliRunner().invoke(mirror, ["sparql+http://127.0.0.1:1/", "--kg", str(tmp_path / "a.kg")])
    assert done.exit_code == 2 and "nothing to copy" in done.output


def test_the_graph_of_a_question_must_be_named(tmp_path):
    @click.command()
    @source_options
    def ask(kg, triples, lm, number, tokens):
        with open_graph(kg, triples) as graph:
            click.echo(f"{number} {tokens} {graph.linked('where was Ada born')}")

    (tmp_path / "triples").write_text("Ada|born_in|London\n")
    words = ["--lm", "none", "--triples", str(tmp_path / "triples")]
    assert CliRunner().invoke(ask, words).output == "20 32 ['Ada']\n"
    assert isinstance(CliRunner().invoke(ask, words[:2]).exception, InputError)


def test_what_a_judge_would_learn_is_shown(small_kg, tmp_path):
    target = ("-o", tmp_path / "judge")
    done = run("train-judge", "--kg", small_kg, *target, "--number", 120, "--show", 3, "--format", "json")
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(rows) == 3 and all(row["source"].startswith("kg:") for row in rows)
    assert not (tmp_path / "judge").exists()
    assert {"kg", *Asked.__dataclass_fields__} <= {one.name for one in judge_command.train_judge.params}
    assert "no judge" not in refused("train-judge", "--kg", tmp_path / "none.kg", *target)
