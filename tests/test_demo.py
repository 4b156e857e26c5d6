"""What `make demo` shows: the shipped text against the shipped slice."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from cli.main import main

SAMPLE = Path(__file__).parent.parent / "data" / "sample.txt"
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


def test_the_readme_shows_what_is_printed(small_kg):
    result = CliRunner().invoke(main, ["verify", str(SAMPLE), "--kg", str(small_kg)])
    readme = (SAMPLE.parent.parent / "README.md").read_text(encoding="utf-8")
    _, _, shown = readme.partition("kgstore verify data/sample.txt --kg build/wikidata-small.kg\n")
    assert shown.partition("\n```\n")[0] == result.stdout.rstrip()


def test_the_readme_shows_what_evaluate_prints(small_kg):
    """All but the numbers, which move with every change of a model."""
    labelled = SAMPLE.parent / "labelled.jsonl"
    result = CliRunner().invoke(main, ["evaluate", str(labelled), "--kg", str(small_kg)])
    readme = (SAMPLE.parent.parent / "README.md").read_text(encoding="utf-8")
    _, _, shown = readme.partition("kgstore evaluate data/labelled.jsonl --kg build/wikidata-small.kg\n")
    assert without_numbers(shown.partition("\n```\n")[0]) == without_numbers(result.stdout)


def without_numbers(table: str) -> set[str]:
    return {" ".join(re.sub(r"[\d.]+", "#", line).split()) for line in table.splitlines()}
