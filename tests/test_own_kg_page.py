"""The page "Bring your own KG": its commands run, and its tables show the verdicts that come out."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from kgstore.cli.main import main

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs" / "your-own-kg.md").read_text(encoding="utf-8")


def run(line: str, kg: Path) -> str:
    words: list[str] = []
    for word in shlex.split(line)[1:]:
        if word.startswith("data/"):
            words += sorted(map(str, ROOT.glob(word)))
        else:
            words.append(str(kg / word) if word.startswith("build/") else word)
    result = CliRunner().invoke(main, words, catch_exceptions=False)
    assert result.exit_code == 0, result.stderr
    return result.stdout


@pytest.fixture(scope="module")
def verdicts(tmp_path_factory) -> dict[str, str]:
    folder = tmp_path_factory.mktemp("own")
    (folder / "build").mkdir()
    found = {}
    for line in re.findall(r"^    (kgstore .*)$", PAGE, re.MULTILINE):
        said = run(line + (" --format json" if " verify " in line else ""), folder)
        if " verify " in line:
            found |= {claim["text"]: claim["label"] for claim in json.loads(said)["claims"]}
    return found


ROWS = [
    (said.strip(), label)
    for said, label in re.findall(r"^\| ([^|]+) \| (attributable|extrapolatory|contradictory) \|", PAGE, re.MULTILINE)
]


@pytest.mark.parametrize(("said", "label"), ROWS)
def test_a_row_of_the_page_shows_the_verdict(verdicts, said, label):
    assert verdicts[said] == label


def test_both_tables_are_tested():
    assert len(ROWS) > 15
