"""`kgstore verify FOLDER`: which texts are read, what they come to, and how a run that was broken off goes on."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from kgstore.cli.texts import read_texts
from tests.test_cli import refused, run

RIGHT, WRONG = "Douglas Adams was born in Cambridge.", "Douglas Adams was born in London."
QUICK = ("--judge", "none", "--reader", "none")


@pytest.fixture
def corpus(tmp_path) -> Path:
    folder = tmp_path / "corpus"
    (folder / "b" / "deep").mkdir(parents=True)
    (folder / ".git").mkdir()
    (folder / "c.md").write_text(f"# Adams\n\n{WRONG}\n")
    (folder / "a.txt").write_text(RIGHT)
    (folder / "b" / "deep" / "D.TXT").write_text("Hello there!")
    (folder / "b" / "rows.jsonl").write_text(f'{{"id": "x", "text": "{WRONG}"}}\n{{"text": "{RIGHT}"}}\n')
    for name in ("picture.png", ".hidden.txt", ".git/config.txt", "b/noending"):
        (folder / name).write_text("Douglas Adams was born in Paris.")
    return folder


def names(folder: Path) -> list[str]:
    return [f"{folder}/{name}" for name in ("a.txt", "b/deep/D.TXT", "b/rows.jsonl#x", "b/rows.jsonl#2", "c.md")]


def reports(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def plain(found: list[dict]) -> list[dict]:
    return [{**one, "timings_ms": {}} for one in found]


def test_texts_of_a_folder_come_sorted_and_are_called_by_their_paths(corpus):
    texts = read_texts([str(corpus)])
    assert [one.id for one in texts.items] == names(corpus) and texts.batch
    assert texts.left_out == {".png": 1, "no ending": 1}


def test_a_folder_is_verified_and_summed_up(small_kg, corpus, tmp_path):
    out = tmp_path / "out.jsonl"
    words = ("verify", corpus, "--kg", small_kg, "--format", "jsonl", "-o", out, *QUICK)
    result = run(*words)
    assert [one["id"] for one in reports(out)] == names(corpus)
    assert "2 files of other kinds left out (.png 1, no ending 1)" in result.stderr
    assert "5 texts: 2 attributable, 2 contradictory, 1 without claims" in result.stderr
    assert "4 claims: 50.0 % attributable, 0.0 % extrapolatory, 50.0 % contradictory" in result.stderr
    assert "most contradicted: Douglas Adams (Q42) 2" in result.stderr
    found = json.loads(run(*words, "--summary", "json").stdout)
    assert found["claims"]["contradictory"] == {"count": 2, "share": 0.5}
    assert found["contradicted"] == [{"id": "Q42", "label": "Douglas Adams", "claims": 2}]
    assert found["texts"] == {"attributable": 2, "extrapolatory": 0, "contradictory": 2, "no_claims": 1}


def test_two_processes_write_the_same(small_kg, corpus, tmp_path):
    one, two = tmp_path / "one.jsonl", tmp_path / "two.jsonl"
    words = ("verify", corpus, "--kg", small_kg, "--format", "jsonl", *QUICK)
    run(*words, "-o", one)
    run(*words, "-o", two, "--jobs", "2", "--resume")
    assert plain(reports(one)) == plain(reports(two))


@pytest.mark.parametrize("cut", [0, 1, 40, -1, -200])
def test_a_file_that_was_broken_off_is_continued_with_one_report_each(small_kg, corpus, tmp_path, cut):
    out = tmp_path / "out.jsonl"
    words = ("verify", corpus, "--kg", small_kg, "--format", "jsonl", "-o", out, "--resume", *QUICK)
    first = run(*words)
    whole = reports(out)
    raw = out.read_bytes()
    out.write_bytes(raw[:cut])
    again = run(*words, "--fail-on", "contradictory")
    assert plain(reports(out)) == plain(whole)
    assert again.exit_code == 1  # also for what was found before
    assert first.stderr.splitlines()[-4:] == again.stderr.splitlines()[-4:]
    done = reports(out)
    assert run(*words).exit_code == 0 and reports(out) == done  # nothing is left to do


def test_a_text_that_has_changed_is_verified_anew(small_kg, corpus, tmp_path):
    out = tmp_path / "out.jsonl"
    words = ("verify", corpus, "--kg", small_kg, "--format", "jsonl", "-o", out, "--resume", *QUICK)
    run(*words)
    (corpus / "a.txt").write_text(WRONG)
    (corpus / "new.txt").write_text(RIGHT)
    result = run(*words)
    found = reports(out)
    assert sorted(one["id"] for one in found) == sorted([*names(corpus), f"{corpus}/new.txt"])
    assert {one["id"]: one["label"] for one in found}[f"{corpus}/a.txt"] == "contradictory"
    assert "1 line removed" in result.stderr and "4 texts of 6 finished before" in result.stderr


def test_what_cannot_be_continued_is_refused(small_kg, corpus, tmp_path):
    out = tmp_path / "out.jsonl"
    words = ("verify", corpus, "--kg", small_kg, "--format", "jsonl", *QUICK)
    assert "--format jsonl --output FILE" in refused(*words, "--resume")
    assert "--output" in refused(*words, "--summary", "json")
    assert "leave one of them out" in refused(*words, "-o", out, "--resume", "--receipt", tmp_path / "receipt")
    run(*words, "-o", out)
    lines = out.read_text().splitlines(keepends=True)
    out.write_text("".join([lines[0], "rubbish\n", *lines[1:]]))
    before = out.read_bytes()
    with_notes = run(*words, "-o", out, "--resume")
    assert with_notes.exit_code == 2 and "line 2 is no report" in with_notes.stderr and out.read_bytes() == before
    out.write_text(lines[0].replace('"fingerprint":"', '"fingerprint":"0'))
    assert "another state of the KG" in run(*words, "-o", out, "--resume").stderr
    (tmp_path / "twice.jsonl").write_text(2 * f'{{"id": 1, "text": "{RIGHT}"}}\n')
    twice = ("verify", tmp_path / "twice.jsonl", "--kg", small_kg, "--format", "jsonl", "-o", out, "--resume")
    assert "two texts have the id 1" in refused(*twice)


def test_a_folder_without_texts_says_so(small_kg, tmp_path):
    (tmp_path / "empty").mkdir()
    result = run("verify", tmp_path / "empty", "--kg", small_kg)
    assert result.exit_code == 0 and "no texts in" in result.stderr


def test_a_run_that_is_killed_goes_on_behind_its_last_line(small_kg, tmp_path):
    corpus, out = tmp_path / "corpus", tmp_path / "out.jsonl"
    corpus.mkdir()
    for number in range(200):
        (corpus / f"{number:03}.txt").write_text(f"{RIGHT if number % 2 else WRONG} He died in 2001.")
    words = ["verify", str(corpus), "--kg", str(small_kg), "--format", "jsonl", "-o", str(out), "--resume", *QUICK]
    child = subprocess.Popen([sys.executable, "-m", "kgstore", *words], stderr=subprocess.DEVNULL)
    end = time.monotonic() + 120
    while child.poll() is None and time.monotonic() < end and not (out.exists() and out.stat().st_size > 20_000):
        time.sleep(0.01)
    child.send_signal(signal.SIGKILL)
    child.wait()
    begun = out.read_bytes().count(b"\n")
    assert 0 < begun < 200
    result = run(*words)
    assert [one["id"] for one in reports(out)] == [f"{corpus}/{number:03}.txt" for number in range(200)]
    assert f"{begun} text" in result.stderr and "of 200 finished before" in result.stderr
    assert "most contradicted: Douglas Adams (Q42) 100" in result.stderr


def test_batches_without_texts_say_so(small_kg, tmp_path):
    (tmp_path / "empty").mkdir()
    (tmp_path / "none.jsonl").touch()
    words = ("verify", tmp_path / "none.jsonl", tmp_path / "empty", "--kg", small_kg, "--format", "jsonl")
    for more in ((), ("--engine", "ray")):
        result = run(*words, *more)
        assert result.exit_code == 0 and f"no texts in {words[1]}, {words[2]}\n" in result.stderr
        assert "texts: \n" not in result.stderr
