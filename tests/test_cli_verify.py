"""`kgstore verify`, `correct`, `link` and `evaluate`: inputs, formats, exit codes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.test_cli import answer, refused, run

WRONG = "Douglas Adams was born in London."
RIGHT = "Douglas Adams was born in Cambridge."
SILENT = "Douglas Adams was a member of the Royal Society."


def test_a_text_from_stdin_a_file_or_the_command_line(small_kg, tmp_path):
    (tmp_path / "a.txt").write_text(WRONG)
    for result in (
        run("verify", "-", "--kg", small_kg, stdin=WRONG),
        run("verify", "--kg", small_kg, stdin=WRONG),
        run("verify", tmp_path / "a.txt", "--kg", small_kg),
        run("verify", "--text", WRONG, "--kg", small_kg),
    ):
        assert result.exit_code == 0, result.stderr
        assert "✗ contradictory" in result.stdout and "Cambridge" in result.stdout


def test_the_report_has_spans_evidence_and_a_correction(small_kg):
    report = answer("verify", "--text", WRONG, "--kg", small_kg)
    [claim] = report["claims"]
    assert (report["schema"], report["id"], report["label"]) == ("kgstore.report/1", None, "contradictory")
    assert WRONG[claim["start"] : claim["end"]] == claim["text"] == WRONG.rstrip(".")
    assert claim["evidence"][0]["labels"] == ["Douglas Adams", "place of birth", "Cambridge"]
    edit = claim["correction"]
    assert WRONG[: edit["start"]] + edit["text"] + WRONG[edit["end"] :] == RIGHT


@pytest.mark.parametrize(
    ("text", "fail_on", "code"),
    [
        (WRONG, "contradictory", 1),
        (WRONG, "extrapolatory", 1),
        (SILENT, "contradictory", 0),
        (SILENT, "extrapolatory", 1),
        (RIGHT, "extrapolatory", 0),
        ("", "extrapolatory", 0),
    ],
)
def test_fail_on_sets_the_exit_code(small_kg, text, fail_on, code):
    assert run("verify", "-", "--fail-on", fail_on, "--kg", small_kg, stdin=text).exit_code == code


@pytest.mark.parametrize("text", ["", "  \n", "Hello there!", "Why?", "\x00\x1b[31m", "🦊" * 50])
def test_a_text_without_claims_says_so(small_kg, text):
    result = run("verify", "-", "--kg", small_kg, stdin=text)
    assert result.exit_code == 0 and "no claims found" in result.stdout
    assert answer("verify", "-", "--kg", small_kg, stdin=text)["label"] == "no_claims"


def test_a_text_that_is_not_utf8_is_refused(small_kg):
    assert "stdin is not UTF-8" in refused("verify", "-", "--kg", small_kg, stdin=b"caf\xe9")


def test_a_megabyte_of_text_is_verified(small_kg):
    text = (RIGHT + " ") + "Counterrevolutionaries notwithstanding, internationalization continues. " * 14_000
    assert len(text) > 1_000_000
    report = answer("verify", "-", "--kg", small_kg, stdin=text)
    assert report["claims"][0]["label"] == "attributable" and report["text"] == text


def test_a_missing_file_or_kg_is_refused(small_kg, tmp_path):
    assert "cannot read" in refused("verify", tmp_path / "missing.txt", "--kg", small_kg)
    assert "no KG at" in refused("verify", "--text", RIGHT, "--kg", tmp_path / "missing.kg")
    assert "cannot write" in refused("verify", "--text", RIGHT, "--kg", small_kg, "-o", tmp_path / "no" / "out")


def test_llama_without_a_model_falls_back_and_says_so(small_kg):
    result = run("verify", "--text", RIGHT, "--kg", small_kg, "--extractor", "llama")
    assert "✓ attributable" in result.stdout and "no GGUF model is given" in result.stderr


def test_llama_with_a_missing_model_is_refused(small_kg, tmp_path):
    wanted = tmp_path / "missing.gguf"
    assert str(wanted) in refused("verify", "--text", RIGHT, "--kg", small_kg, "--extractor", "llama", "--gguf", wanted)


@pytest.fixture
def batch(tmp_path) -> Path:
    rows = [
        {"id": 7, "text": WRONG},
        {"id": "b", "text": ""},
        {"text": RIGHT},
        {"id": "d", "text": SILENT},
    ]
    (tmp_path / "batch.jsonl").write_text("\n".join(map(json.dumps, rows)) + "\n")
    return tmp_path / "batch.jsonl"


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_batch_gives_a_report_a_line_in_order(small_kg, batch, jobs):
    result = run("verify", batch, "--kg", small_kg, "--format", "jsonl", "--jobs", jobs)
    reports = [json.loads(line) for line in result.stdout.splitlines()]
    labels = ["contradictory", "no_claims", "attributable", "extrapolatory"]
    assert [(one["id"], one["label"]) for one in reports] == list(zip([7, "b", 3, "d"], labels, strict=True))


@pytest.mark.parametrize("more", [["--kg", "missing.kg"], ["--extractor", "llama", "--gguf", "missing.gguf"]])
def test_errors_look_alike_with_several_processes(small_kg, tmp_path, more):
    batch = tmp_path / "batch.jsonl"
    batch.write_text('{"text": "a"}\n{"text": "b"}\n')
    assert "missing." in refused("verify", batch, "--format", "jsonl", "--jobs", 2, "--kg", small_kg, *more)


def test_a_batch_as_json_is_one_array(small_kg, batch):
    assert [one["id"] for one in answer("verify", batch, "--kg", small_kg)] == [7, "b", 3, "d"]


def test_output_goes_to_a_file(small_kg, tmp_path):
    result = run("verify", "--text", WRONG, "--kg", small_kg, "--format", "jsonl", "-o", tmp_path / "out.jsonl")
    assert result.stdout == "" and json.loads((tmp_path / "out.jsonl").read_text())["label"] == "contradictory"


# -- correct, link, evaluate -------------------------------------------------------------------------------------------


def test_correct_prints_the_text_with_the_smallest_edits(small_kg):
    result = run("correct", "-", "--kg", small_kg, stdin=WRONG)
    assert result.stdout.strip() == RIGHT and "“London” → “Cambridge”" in result.stderr
    done = answer("correct", "--text", WRONG, "--kg", small_kg)
    assert done["corrected"] == RIGHT and done["label"] == "attributable"
    assert done["edits"] == [{"start": 26, "end": 32, "old": "London", "new": "Cambridge"}]


def test_correct_leaves_alone_what_is_not_contradicted(small_kg):
    result = run("correct", "-", "--kg", small_kg, stdin=SILENT + "\n")
    assert result.stdout == SILENT + "\n" and "nothing to correct" in result.stderr


def test_link_finds_the_entities_of_a_text(small_kg):
    found = answer("link", WRONG, "--kg", small_kg)
    assert [(one["text"], one["id"]) for one in found] == [("Douglas Adams", "Q42"), ("London", "Q84")]
    assert "Douglas Adams  Q42" in run("link", WRONG, "--kg", small_kg).stdout


def test_link_needs_no_claim(small_kg):
    assert [one["id"] for one in answer("link", "Douglas Adams, Charlie Chaplin", "--kg", small_kg)] == ["Q42", "Q882"]


def test_link_does_not_guess(small_kg):
    result = run("link", "Elena Marchetti slept.", "--kg", small_kg)
    assert result.stdout == "" and "names no entity" in result.stderr


@pytest.fixture
def labelled(tmp_path) -> Path:
    texts = {WRONG: "contradictory", RIGHT: "attributable", SILENT: "contradictory"}
    rows = [{"id": str(at), "text": text, "label": label} for at, (text, label) in enumerate(texts.items())]
    (tmp_path / "gold.jsonl").write_text("\n".join(map(json.dumps, rows)))
    return tmp_path / "gold.jsonl"


def test_evaluate_measures_and_writes_the_errors(small_kg, labelled, tmp_path):
    result = run("evaluate", labelled, "--kg", small_kg, "--errors", tmp_path / "errors.jsonl")
    assert result.exit_code == 0, result.stderr
    for part in ("macro F1", "false accusations", "right \\ given", "rule:several-values"):
        assert part in result.stdout
    assert "claims a second" in result.stderr
    [error] = map(json.loads, (tmp_path / "errors.jsonl").read_text().splitlines())
    assert (error["id"], error["gold"], error["got"]) == ("2", "contradictory", "extrapolatory") and error["reason"]


def test_evaluate_as_json(small_kg, labelled):
    scores = answer("evaluate", labelled, "--kg", small_kg)
    assert scores["rows"] == 3 and scores["errors"] == 1
    assert scores["measures"]["accuracy"] == pytest.approx(2 / 3)


def test_evaluate_refuses_what_is_not_labelled(small_kg, tmp_path, batch):
    assert "line 1" in refused("evaluate", batch, "--kg", small_kg)
    assert "does not exist" in refused("evaluate", tmp_path / "missing.jsonl", "--kg", small_kg)
