"""`kgstore calibrate`, and the weights that it writes."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from kgstore.verifier.decide.combine import OWN, load_combination, shipped
from tests.test_cli import answer, refused, run

LABELLED = Path(__file__).parent.parent / "data" / "labelled.jsonl"
WRONG = "Douglas Adams was born in London."


def test_what_is_learnt_is_said_and_written(small_kg, tmp_path):
    weights, plot = tmp_path / "weights.json", tmp_path / "plot.svg"
    result = run("calibrate", LABELLED, "--kg", small_kg, "-o", weights, "--plot", plot, "--max-false-accusations", 1)
    assert result.exit_code == 0, result.stderr
    for part in ("calibration error", "before  after", "confidence", "false accusations: 0 of 22", "given up: 0 of 7"):
        assert part in result.stdout
    assert "too few claims to prove" in result.stderr and str(weights) in result.stderr
    assert "<svg" in plot.read_text()
    model = load_combination(weights)
    assert model.threshold == 0.5 and str(LABELLED) in model.about["fitted_on"][0]
    assert model.weights.keys() >= shipped().weights.keys()


def test_the_weights_of_a_file_or_of_the_kg_change_the_verdicts(small_kg, tmp_path):
    kg, weights = tmp_path / "own.kg", tmp_path / "weights.json"
    shutil.copytree(small_kg, kg)
    found = answer("calibrate", LABELLED, "--kg", kg)
    assert found["written"] == str(kg / OWN) and found["verdicts"] == 30
    learnt = load_combination(kg / OWN)
    [claim] = answer("verify", "--text", WRONG, "--kg", kg)["claims"]
    values = {name: one["value"] for name, one in claim["features"].items()}
    assert all(tuple(one["weights"]) == learnt.weights.get(name, (0, 0, 0)) for name, one in claim["features"].items())
    assert claim["confidence"] == pytest.approx(learnt.probabilities(values)[2])
    data = json.loads((kg / OWN).read_text())
    weights.write_text(json.dumps({**data, "threshold": 1.0}))
    [claim] = answer("verify", "--text", WRONG, "--kg", kg, "--calibration", weights)["claims"]
    assert claim["label"] == "extrapolatory" and claim["why_not"].startswith("not sure enough")
    assert claim["why_not"] in claim["explanation"] and claim["correction"] is None
    assert answer("correct", "--text", WRONG, "--kg", kg, "--calibration", weights)["edits"] == []
    assert answer("evaluate", LABELLED, "--kg", kg, "--calibration", weights)["measures"]["coverage"] < 0.6
    (kg / OWN).write_text("{}")
    assert "holds no weights" in refused("verify", "--text", WRONG, "--kg", kg)


def test_what_cannot_be_learnt_from_is_refused(small_kg, tmp_path):
    one = tmp_path / "one.jsonl"
    one.write_text(json.dumps({"id": "1", "text": WRONG, "label": "contradictory"}) + "\n")
    assert "two subjects" in refused("calibrate", one, "--kg", small_kg, "-o", tmp_path / "w.json")
    assert "neither .svg nor .png" in refused("calibrate", LABELLED, "--kg", small_kg, "--plot", "a.gif")
    assert "no KG at" in refused("calibrate", LABELLED, "--kg", tmp_path / "none.kg")
    assert not (tmp_path / "w.json").exists()
    text = tmp_path / "text.json"
    text.write_text("[]")
    assert "holds no weights" in refused("verify", "--text", WRONG, "--kg", small_kg, "--calibration", text)


def test_several_files_are_learnt_from_together(small_kg, tmp_path):
    lines = LABELLED.read_text(encoding="utf-8").splitlines()
    for i in (0, 1):
        (tmp_path / f"{i}.jsonl").write_text("\n".join(lines[i::2]), encoding="utf-8")
    found = answer("calibrate", tmp_path / "0.jsonl", tmp_path / "1.jsonl", "--kg", small_kg, "-o", tmp_path / "w")
    assert found["verdicts"] == 30 and len(found["combination"]["fitted_on"]) == 2
