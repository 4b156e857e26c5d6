"""`kgstore evaluate` and `kgstore ablate`: what they print and write."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.test_cli import answer, refused, run

LABELLED = Path(__file__).parent.parent / "data" / "labelled.jsonl"
ROWS = [json.loads(line) for line in LABELLED.read_text(encoding="utf-8").splitlines()]


def written(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


@pytest.fixture(scope="module")
def earlier(small_kg, tmp_path_factory) -> Path:
    """The reports of a run, of which one has lost its claims and one another verdict."""
    path = tmp_path_factory.mktemp("runs") / "earlier.jsonl"
    assert run("evaluate", LABELLED, "--kg", small_kg, "--reports", path).exit_code == 0
    reports = written(path)
    assert [report["id"] for report in reports] == [row["id"] for row in ROWS]
    lost, other = (next(r for r in reports if r["label"] == label) for label in ("attributable", "extrapolatory"))
    lost.update(claims=[], label="no_claims")
    other["label"] = other["claims"][0]["label"] = "contradictory"
    path.write_text("".join(json.dumps(report) + "\n" for report in reports[:-1]), encoding="utf-8")
    return path


def test_each_measure_has_an_interval_and_the_parts_are_counted(small_kg):
    found = answer("evaluate", LABELLED, "--kg", small_kg, "--by", "kind", "--by", "subject")
    assert found["rows"] == len(ROWS) and found["half"] is None and found["against"] is None
    low, high = found["intervals"]["false_accusations"]
    assert low == 0.0 == found["measures"]["false_accusations"] and 0.1 < high < 0.2
    assert set(found["intervals"]) | {"seconds", "texts_per_second", "claims_per_second"} == set(found["measures"])
    assert sum(part["claims"] for part in found["tiers"]) == len(ROWS)
    assert sum(part["right"] for part in found["by"]["kind"]) == len(ROWS) - found["errors"]
    assert {part["name"] for part in found["by"]["subject"]} >= {"Q42", "(none)"}
    assert sum(cause["errors"] for cause in found["causes"]) == found["errors"]
    assert found["selective"][0]["coverage"] == found["measures"]["coverage"]


def test_a_run_is_held_against_an_earlier_one(small_kg, earlier):
    result = run("evaluate", LABELLED, "--kg", small_kg, "--against", earlier)
    assert result.exit_code == 0, result.stderr
    assert "left out: 1 text, not in the earlier run" in result.stdout
    assert "0 broke, 2 mended, 0 relabelled; mended against broke: p = 0.5 (McNemar, exact)" in result.stdout
    found = answer("evaluate", LABELLED, "--kg", small_kg, "--against", earlier)["against"]
    assert (found["rows"], found["only_new"]) == (len(ROWS) - 1, 1)
    assert {(one["before"], one["before_method"]) for one in found["mended"]} >= {("extrapolatory", "no claim found")}
    assert found["differences"]["false_accusations"]["change"] < 0


def test_one_half_is_for_tuning_and_the_other_for_reporting(small_kg):
    halves = [answer("evaluate", LABELLED, "--kg", small_kg, "--half", half) for half in ("tune", "report")]
    assert [half["half"] for half in halves] == ["tune", "report"]
    assert sum(half["rows"] for half in halves) == len(ROWS) and all(half["rows"] > 5 for half in halves)


def test_wrong_uses_of_evaluate_are_told(small_kg, earlier, tmp_path):
    kg = ("--kg", small_kg)
    assert "name one of id, kind" in refused("evaluate", LABELLED, *kg, "--by", "colour")
    others = tmp_path / "others.jsonl"
    others.write_text('{"id": "x", "text": "t", "claims": []}\n')
    assert "no report of any row" in refused("evaluate", LABELLED, *kg, "--against", others)
    assert "is no report" in refused("evaluate", LABELLED, *kg, "--against", LABELLED)
    one = tmp_path / "one.jsonl"
    one.write_text('{"id": "x", "text": "t", "label": "attributable", "subject": "Q42"}\n')
    assert "in the half “report”" in refused("evaluate", one, *kg, "--half", "report")
    assert "exist" in refused("evaluate", LABELLED, *kg, "--against", tmp_path / "missing.jsonl")


def test_ablate_shows_each_tier_and_what_is_lost_without_it(small_kg):
    result = run("ablate", LABELLED, "--kg", small_kg)
    assert result.exit_code == 0, result.stderr
    [line] = [line.split() for line in result.stdout.splitlines() if line.startswith("rule:date ")]
    assert line[1] == "4" and float(line[3]) < 0 and line[-2:] == ["4", "0"]


def test_ablate_as_json_has_every_changed_claim(small_kg):
    found = answer("ablate", LABELLED, "--kg", small_kg, "--half", "report")
    assert found["half"] == "report" and found["kind"] == "labels"
    changed = {change["id"] for one in found["without"] for change in one["without"]["broke"]}
    assert changed and changed <= {row["id"] for row in ROWS}


def test_methods_are_compared_on_the_same_claims(small_kg, tmp_path):
    few = tmp_path / "few.jsonl"
    few.write_text("".join(json.dumps(row) + "\n" for row in ROWS[:6]), encoding="utf-8")
    found = answer("evaluate", few, "--kg", small_kg, "--method", "kernel")
    assert found["rows"] == 6 and {part["name"].partition(":")[0] for part in found["tiers"]} <= {"kernel", "none"}
    assert "document" in refused("evaluate", few, "--kg", small_kg, "--method", "grapheval")


def test_rows_with_a_document_of_their_own_need_no_kg(tmp_path):
    article = "The tower was sold to a trust for 340,000 pounds. Margaret Holm has chaired the trust since 2016."
    texts = ["Margaret Holm has chaired the trust since 2016.", "The tower was sold for 430,000 pounds."]
    rows = [
        {"id": f"{at}-{copy}", "subject": str(copy), "text": text, "context": article, "consistent": 1 - at}
        for copy in range(4)
        for at, text in enumerate(texts)
    ]
    path = tmp_path / "summaries.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    found = answer("evaluate", path, "--method", "nli")
    assert found["kind"] == "context" and found["measures"]["roc_auc"] == 1.0
    assert "--kg" in refused("evaluate", LABELLED)
