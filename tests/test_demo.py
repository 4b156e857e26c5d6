"""The two samples against their slices, and all that the pages show in the way of output."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from kgstore.cli.main import main

ROOT = Path(__file__).parent.parent
SAMPLE = ROOT / "data" / "sample.txt"
EVERYDAY_SAMPLE = ROOT / "kgstore" / "data" / "sample.txt"
A, E, C = "attributable", "extrapolatory", "contradictory"
EXPECTED = [
    ("Walt Disney was a film producer", A),
    ("He was born in Chicago on 5 December 1901", A),
    ("He was born in Chicago on 5 December 1901", A),
    ("died in Paris", C),
    ("Douglas Adams was born in Cambridge", A),
    ("worked for the BBC", A),
    ("The writer was 1.96 metres tall", A),
    ("He died on 11 May 2003", C),
    ("He also spoke French", E),
    ("John Lennon was married to Yoko Ono", A),
    ("The spouse of Yoko Ono died in London", C),
    ("Elena Marchetti was born in Rome", E),
    ("The capital of Belgium is Brussels", A),
]
"""Each claim of the sample in reading order, with what the slice says about it."""
EVERYDAY = [
    ("Marie Curie was born in Paris in 1867", C),
    ("Marie Curie was born in Paris in 1867", A),
    ("won the Nobel Prize in Physics", A),
    ("Her husband, Pierre Curie, died in 1906", A),
    ("Her husband, Pierre Curie", A),
    ("Mount Everest is 8,849 metres high", A),
    ("Canberra is the capital of Australia", A),
    ("Australia, where people pay with the yen", E),
    ("Barack Obama was born in Kenya", C),
    ("Microsoft was founded by Bill Gates", A),
    ("Steve Jobs", E),
    ("Pulp Fiction, directed by Quentin Tarantino", A),
    ("came out in 1991", C),
]
"""The same of the text that `kgstore demo` checks."""


@pytest.fixture(scope="module")
def claims(small_kg: Path) -> list[dict]:
    result = CliRunner().invoke(main, ["verify", str(SAMPLE), "--kg", str(small_kg), "--format", "json"])
    assert result.exit_code == 0, result.stderr
    return json.loads(result.stdout)["claims"]


def test_every_claim_of_the_sample_gets_the_right_verdict(claims):
    assert [(claim["text"], claim["label"]) for claim in claims] == EXPECTED


def test_every_verdict_names_its_tier_and_its_evidence(claims):
    assert all(claim["method"] for claim in claims)
    assert all(claim["evidence"] for claim in claims if claim["label"] != E)


def test_what_is_wrong_in_the_sample_is_corrected(claims):
    edits = {claim["text"]: claim["correction"] and claim["correction"]["text"] for claim in claims}
    assert edits["died in Paris"] == "Los Angeles"
    assert edits["He died on 11 May 2003"] == "11 May 2001"
    assert edits["The spouse of Yoko Ono died in London"] == "New York City"
    assert not any(edits[claim["text"]] for claim in claims if claim["label"] != C)


def test_correct_prints_the_corrected_sample(small_kg):
    result = CliRunner().invoke(main, ["correct", str(SAMPLE), "--kg", str(small_kg)])
    right = SAMPLE.read_text(encoding="utf-8").replace("died in Paris", "died in Los Angeles").replace("2003", "2001")
    assert result.stdout == right.replace("died in London", "died in New York City")
    assert "“11 May 2003” → “11 May 2001”" in result.stderr


def test_every_claim_of_what_demo_checks_gets_the_right_verdict(everyday_kg):
    result = CliRunner().invoke(main, ["demo", "--kg", str(everyday_kg), "--format", "json"])
    assert result.exit_code == 0, result.stderr
    claims = json.loads(result.stdout)["claims"]
    assert [(" ".join(claim["text"].split()), claim["label"]) for claim in claims] == EVERYDAY
    assert json.loads(result.stdout)["text"] == EVERYDAY_SAMPLE.read_text(encoding="utf-8")


# -- transcripts -------------------------------------------------------------------------------------------------------


def transcripts() -> list[tuple[str, str, str]]:
    """Each command that a page shows with its output: the page, the command, the output."""
    found = []
    for path in [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]:
        for block in re.findall(r"^```console\n(.*?)^```$", path.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE):
            for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
                command, _, shown = part.partition("\n")
                found.append((path.name, command, shown.rstrip()))
    return found


@pytest.mark.parametrize(
    ("page", "command", "shown"), [pytest.param(*one, id=f"{one[0]}-{one[1][:40]}") for one in transcripts()]
)
def test_a_page_shows_what_is_printed(page, command, shown, small_kg, everyday_kg, monkeypatch, tmp_path):
    """Of `kgstore evaluate` all but the numbers, which move with every change of a model."""
    (tmp_path / "kgstore").mkdir()
    (tmp_path / "kgstore" / "everyday.kg").symlink_to(everyday_kg)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.chdir(ROOT)
    echo, _, asked = command.rpartition(" | ")
    words = [str(small_kg) if word == "small.kg" else word for word in shlex.split(asked)]
    assert words[0] == "kgstore" and (not echo or shlex.split(echo)[0] == "echo")
    result = CliRunner().invoke(main, words[1:], input=shlex.split(echo)[1] + "\n" if echo else None)
    assert result.exit_code == 0, result.stderr
    if words[1] == "evaluate":
        assert without_numbers(shown) == without_numbers(result.stdout)
    else:
        assert shown == result.output.rstrip()


def test_the_pages_show_both_slices():
    commands = [command for _, command, _ in transcripts()]
    assert len(commands) >= 8 and sum("--kg small.kg" in command for command in commands) == 2


def test_the_program_of_the_page_about_python_runs(everyday_kg, monkeypatch, tmp_path, capsys):
    (tmp_path / "kgstore").mkdir()
    (tmp_path / "kgstore" / "everyday.kg").symlink_to(everyday_kg)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    blocks = re.findall(r"^```python\n(.*?)^```$", (ROOT / "docs" / "python.md").read_text(), re.DOTALL | re.MULTILINE)
    [program] = [block for block in blocks if not block.startswith(">>>")]
    exec(compile(program, "docs/python.md", "exec"), {})
    assert capsys.readouterr().out.startswith("contradictory Barack Obama has one place of birth, and it is Honolulu")


def without_numbers(table: str) -> set[str]:
    return {" ".join(re.sub(r"[\d.]+", "#", line).split()) for line in table.splitlines()}
