"""What people say of verdicts on the page, taken by the commands that measure and that learn."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kgstore.verifier.measure import reviews
from tests.serving import serving
from tests.test_cli import answer, run

LABELLED = Path(__file__).parent.parent / "data" / "labelled.jsonl"
WRONG = "Douglas Adams was born in London."


@pytest.fixture(scope="module")
def reviewed(small_kg, tmp_path_factory) -> Path:
    """A KG with a file of reviews beside it: all verdicts on the labelled texts are called right, but for one."""
    kg = tmp_path_factory.mktemp("reviewed") / "small.kg"
    kg.symlink_to(small_kg)
    with serving(kg) as client:
        for line in LABELLED.read_text(encoding="utf-8").splitlines():
            text = json.loads(line)["text"]
            for number, claim in enumerate(client.post("/verify", json={"text": text}).json()["claims"], 1):
                given = {"text": text, "claim": number, "label": claim["label"], "by": "ann"}
                assert client.post("/review", json=given).status_code == 201
        client.post("/review", json={"text": WRONG, "claim": 1, "label": "attributable", "by": "ann"})
    return kg


def test_reviews_are_measured(reviewed):
    file = reviews.beside(reviewed)
    rows = reviews.latest(reviews.read(file))
    found = answer("evaluate", file, "--kg", reviewed)
    assert found["confusion"]["attributable"]["contradictory"] == 1, "the verdict that was called wrong"
    assert sum(many for row in found["confusion"].values() for many in row.values()) == len(rows)
    assert reviews.accusations(rows)[1] == 1


def test_reviews_set_how_sure_verdicts_are(reviewed, tmp_path):
    weights = tmp_path / "weights.json"
    found = answer("calibrate", reviews.beside(reviewed), "--kg", reviewed, "-o", weights)
    assert found["verdicts"] > 20
    before = answer("verify", "--text", WRONG, "--kg", reviewed)["claims"][0]["confidence"]
    after = answer("verify", "--text", WRONG, "--kg", reviewed, "--calibration", weights)["claims"][0]["confidence"]
    assert after < before, "an accusation of that kind was wrong"


@pytest.mark.parametrize(("command", "option", "use"), [("train-judge", "--pairs", "--judge"),
                                                         ("train-reader", "--rows", "--reader")])  # fmt: skip
def test_reviews_teach_the_models(reviewed, tmp_path, command, option, use):
    made, file = tmp_path / "model", reviews.beside(reviewed)
    given = ("--kg", reviewed, option, file, "-o", made, "--number", 150)
    done = run(command, *given, "--epochs", 0.02)
    assert done.exit_code == 0, done.stderr
    assert (made / "model.safetensors").exists()
    assert answer("verify", "--text", WRONG, "--kg", reviewed, use, made)["label"] == "contradictory"
