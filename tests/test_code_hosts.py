"""Verdicts beside the lines of a file: SARIF, and workflow commands of GitHub Actions."""

from __future__ import annotations

import json

from kgstore.cli.annotations import commands
from kgstore.cli.sarif import sarif
from tests.test_cli import run

TEXT = """# Notes

Douglas Adams 🦊 wrote books.
Douglas Adams was born in London. Douglas Adams was born in Cambridge.
"""


def found(small_kg, tmp_path, fmt, *more):
    (tmp_path / "a note.md").write_text(TEXT, encoding="utf-8")
    result = run("verify", "--kg", small_kg, tmp_path / "a note.md", "--format", fmt, *more)
    assert result.exit_code == (1 if more else 0), result.stderr
    return result.stdout


def test_an_error_has_its_place_and_its_fix(small_kg, tmp_path):
    log = json.loads(found(small_kg, tmp_path, "sarif"))
    [run_] = log["runs"]
    [wrong] = [one for one in run_["results"] if one["level"] == "error"]
    [place] = wrong["locations"]
    assert place["physicalLocation"]["artifactLocation"]["uri"] == (tmp_path / "a note.md").as_uri()
    assert place["physicalLocation"]["region"] == {"startLine": 4, "startColumn": 1, "endLine": 4, "endColumn": 33}
    [change] = wrong["fixes"][0]["artifactChanges"]
    [edit] = change["replacements"]
    assert edit["insertedContent"]["text"] == "Cambridge"
    assert edit["deletedRegion"] == {"startLine": 4, "startColumn": 27, "endLine": 4, "endColumn": 33}
    assert "Cambridge" in wrong["message"]["text"] and "statement" not in wrong["message"]["text"]


def test_every_result_names_a_rule_that_the_log_declares(small_kg, tmp_path):
    [run_] = json.loads(found(small_kg, tmp_path, "sarif"))["runs"]
    declared = {rule["id"] for rule in run_["tool"]["driver"]["rules"]}
    assert run_["results"] and {one["ruleId"] for one in run_["results"]} <= declared
    assert {one["level"] for one in run_["results"]} <= {"error", "note", "none"}


def test_a_sentence_that_was_not_read_is_for_review():
    report = {"text": "Why?", "claims": [], "coverage": {"unread": [{"start": 0, "end": 4, "why": "question"}]}}
    [result] = sarif([("docs/a b.md", report)])["runs"][0]["results"]
    assert result["locations"][0]["physicalLocation"]["artifactLocation"] == {"uri": "docs/a%20b.md"}
    assert (result["ruleId"], result["level"], result["kind"]) == ("unread", "none", "review")


def test_workflow_commands_name_file_and_line(small_kg, tmp_path):
    lines = found(small_kg, tmp_path, "github", "--fail-on", "contradictory").splitlines()
    [wrong] = [line for line in lines if line.startswith("::error ")]
    assert "a note.md,line=4,endLine=4," in wrong and ",col=1,endColumn=33::" in wrong and "Cambridge" in wrong
    assert all("\n" not in line and line.startswith("::") for line in lines)


def test_nothing_of_a_text_ends_a_command_or_begins_another():
    claim = {"label": "contradictory", "method": "rule:x", "start": 0, "end": 3, "explanation": "a\n::error::b %0A"}
    [line] = commands("x,y:z.md", {"text": "abc", "claims": [claim]})
    assert line.startswith("::error file=x%2Cy%3Az.md,") and line.endswith("::a%0A::error::b %250A")
