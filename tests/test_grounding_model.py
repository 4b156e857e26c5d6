"""Language models from a folder and from a GGUF file, and the commands that use them."""

from __future__ import annotations

import json

import numpy as np
import pytest
from click.testing import CliRunner

from kgstore.cli.main import main
from kgstore.errors import InputError, ModelMissing
from kgstore.verifier.grounding.collect import Plan, collect, read_questions, read_rows, sample
from kgstore.verifier.grounding.knowledge import TripleList
from kgstore.verifier.grounding.lm import LanguageModel
from kgstore.verifier.grounding.prompt import ask
from tests.tiny_lm import save_folder, save_gguf, tiny_lm

TRIPLES = [("Ada", "born_in", "London"), ("Ada", "wrote", "Notes"), ("Zoe", "lives_in", "London")]
QUESTIONS = [
    {"id": "1", "question": "where was Ada born", "topic": "Ada", "answers": ["London"]},
    {"id": "2", "question": "who lives in London", "topic": ["London"], "answers": ["Zoe"]},
    {"id": "3", "question": "where was Bob born", "topic": "Bob", "answers": ["London"]},
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("lm")
    save_folder(place)
    return place


@pytest.fixture
def questions(tmp_path):
    path = tmp_path / "questions.jsonl"
    path.write_text("".join(json.dumps(one) + "\n" for one in QUESTIONS), encoding="utf-8")
    return path


@pytest.fixture
def triples(tmp_path):
    path = tmp_path / "kb.txt"
    path.write_text("".join("|".join(one) + "\n" for one in TRIPLES), encoding="utf-8")
    return path


def run(*words):
    return CliRunner().invoke(main, [*map(str, words)])


def test_a_folder_and_a_gguf_file_hold_the_same_model(folder, tmp_path):
    pytest.importorskip("gguf")
    save_gguf(tmp_path / "tiny.gguf")
    one, other, origin = LanguageModel(folder), LanguageModel(tmp_path / "tiny.gguf"), tiny_lm()
    question = ask(TRIPLES, "where was Ada born")
    assert one.encode(question)[0] == other.encode(question)[0] == origin.encode(question)[0]
    vectors = [model.embed(["Ada born_in London"]) for model in (one, other, origin)]
    assert np.allclose(vectors[0], vectors[2], atol=1e-5) and np.allclose(vectors[1], vectors[2], atol=1e-4)


def test_what_is_no_language_model_says_where_it_looked(tmp_path):
    with pytest.raises(ModelMissing, match="none.gguf"):
        LanguageModel(tmp_path / "none.gguf")
    (tmp_path / "bad.gguf").write_bytes(b"GGUF nothing")
    with pytest.raises(ModelMissing, match="bad.gguf"):
        LanguageModel(tmp_path / "bad.gguf")


def test_a_run_goes_on_where_it_ended(questions, tmp_path):
    graph, asked, plan = TripleList(TRIPLES), read_questions(questions), Plan("tiny", 4, 5)
    whole, parts = tmp_path / "whole.jsonl", tmp_path / "parts.jsonl"
    assert collect(asked, graph, tiny_lm, plan, whole) == {
        "measured": 2,
        "the question names nothing that the graph knows": 1,
    }
    collect(asked[:1], graph, tiny_lm, plan, parts)
    with parts.open("ab") as file:
        file.write(b'{"id": "2", "quest')  # killed while it wrote
    collect(asked, graph, tiny_lm, plan, parts)
    one, other = (sorted(read_rows(path), key=lambda row: row["id"]) for path in (whole, parts))
    assert [row["output"] for row in one] == [row["output"] for row in other]
    assert [row["prd"] for row in one] == pytest.approx([row["prd"] for row in other], abs=1e-4)
    assert collect(asked, graph, lambda: pytest.fail("nothing is left to ask"), plan, whole)["measured"] == 2


def test_rows_of_another_plan_are_not_mixed(questions, tmp_path):
    graph, asked = TripleList(TRIPLES), read_questions(questions)
    collect(asked[:1], graph, tiny_lm, Plan("tiny", 4, 5), tmp_path / "rows.jsonl")
    with pytest.raises(InputError, match="made by tiny with 4 triples"):
        collect(asked, graph, tiny_lm, Plan("tiny", 6, 5), tmp_path / "rows.jsonl")


def test_the_order_of_questions_hangs_on_their_ids_alone(questions):
    asked = read_questions(questions)
    assert sample(asked, 2) == sample(reversed(asked), None)[:2]


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ('{"question": "who"}', "no question with answers"),
        ('{"question": "who", "answers": []}', "no question with answers"),
        ("[]", "not an object"),
        ("{", "not JSON"),
    ],
)
def test_a_bad_question_is_named(tmp_path, line, why):
    (tmp_path / "q.jsonl").write_text('{"question": "who", "answers": ["Ada"]}\n' + line, encoding="utf-8")
    with pytest.raises(InputError, match=f"line 2.*{why}"):
        read_questions(tmp_path / "q.jsonl")


def test_measure_counts_what_it_leaves_out(folder, questions, triples, tmp_path):
    rows = tmp_path / "rows.jsonl"
    done = run(
        "grounding", "measure", questions, "--triples", triples, "--lm", folder, "-k", 4, "--tokens", 5, "-o", rows
    )
    assert done.exit_code == 0, done.output
    assert "2 answers measured" in done.output
    assert "1 question left out: the question names nothing that the graph knows" in done.output
    assert {row["id"] for row in read_rows(rows)} == {"1", "2"}


def test_analyse_shows_triples_tokens_layers_and_a_picture(folder, triples, tmp_path):
    picture = tmp_path / "ada.svg"
    words = ["grounding", "analyse", "where was Ada born", "--triples", triples, "--lm", folder, "-k", 4, "--tokens", 5]
    done = run(*words, "--answer", "London", "--by", "layer", "--plot", picture, "--format", "json")
    assert done.exit_code == 0, done.output
    found = json.loads(done.output)
    assert [one["on_path"] for one in found["triples"]] == [True, False, False]
    assert sum(one["attention"] for one in found["triples"]) < 1
    on_path = sum(one["attention"] for one in found["triples"] if one["on_path"])
    assert found["prd"] == pytest.approx(2 * on_path - 1, abs=1e-5)
    assert found["prd"] == pytest.approx(sum(one["prd"] for one in found["layers"]) / 2)
    assert found["sas"] == pytest.approx(sum(one["sas"] for one in found["tokens"]) / len(found["tokens"]))
    assert "Ada, born_in, London" in picture.read_text(encoding="utf-8")


def test_analyse_prints_heads_and_marks_the_path(folder, triples):
    words = ["grounding", "analyse", "where was Ada born", "--triples", triples, "--lm", folder, "-k", 3, "--tokens", 5]
    done = run(*words, "--answer", "London", "--by", "head")
    assert done.exit_code == 0, done.output
    assert "Ada · born_in · London" in next(line for line in done.output.splitlines() if line.startswith("*"))
    assert "PRD of layer, head  " in done.output


def test_analyse_says_when_there_is_no_path(folder, triples):
    done = run(
        "grounding", "analyse", "where was Ada born", "--triples", triples, "--lm", folder, "-k", 3, "--tokens", 5
    )
    assert done.exit_code == 0, done.output
    assert "no path leads from the question" in done.output and "PRD -1.000" in done.output


def test_a_graph_must_be_named(folder):
    done = run("grounding", "analyse", "where was Ada born", "--lm", folder)
    assert done.exit_code == 2 and "--triples" in done.output
