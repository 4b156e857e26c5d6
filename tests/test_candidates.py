"""Statements that texts claim and the KG lacks, as a list for a curator."""

from __future__ import annotations

import pyoxigraph as ox
import pytest
from click.testing import CliRunner

from kgstore.cli.main import main
from kgstore.errors import InputError
from kgstore.prefixes import compact
from kgstore.store import Store
from kgstore.verifier.pipeline import Verifier
from kgstore.verifier.report.candidates import add, candidates


@pytest.fixture(scope="module")
def listed(small_kg):
    with Store(small_kg) as store:
        verifier = Verifier(store)
        yield lambda text: candidates(verifier.verify(text, "a\nb"), store)


def test_what_the_kg_lacks_is_a_statement_with_the_words_behind_it(listed):
    [line] = listed("Yoko Ono was educated at Harvard University. Douglas Adams was born in Cambridge.")
    [quad] = ox.parse(line.encode(), format=ox.RdfFormat.TURTLE)
    assert [compact(term.value) for term in quad.triple] == ["Q117012", "wdt:P69", "Q13371"]
    assert line.endswith("(a b)") and "\n" not in line


@pytest.mark.parametrize(
    "text",
    [
        "Douglas Adams was born in Cambridge.",
        "Douglas Adams was born in London.",
        "Yoko Ono may have been educated at Harvard University.",
        "Yoko Ono was not educated at Harvard University.",
        "Nemo Nobody was educated at Harvard University.",
        "Walt Disney works for BBC.",
    ],
)
def test_what_is_known_denied_doubted_or_of_unknown_things_is_left_out(listed, text):
    assert listed(text) == []


def test_a_statement_is_listed_once(tmp_path):
    file = tmp_path / "new.ttl"
    assert add(file, ["<urn:a> <urn:b> <urn:c> .  # one", "<urn:a> <urn:b> <urn:c> .  # two"]) == 1
    assert add(file, ["<urn:a> <urn:b> <urn:c> .  # three", "<urn:a> <urn:b> <urn:d> .  # four"]) == 1
    assert file.read_text().splitlines() == ["<urn:a> <urn:b> <urn:c> .  # one", "<urn:a> <urn:b> <urn:d> .  # four"]
    with pytest.raises(InputError, match="name another file"):
        add(tmp_path, ["<urn:a> <urn:b> <urn:c> .  # one"])


def test_verify_writes_the_list(small_kg, tmp_path):
    file = tmp_path / "new.ttl"
    text = "Yoko Ono was educated at Harvard University."
    done = CliRunner().invoke(main, ["verify", "--text", text, "--kg", str(small_kg), "--candidates", str(file)])
    assert done.exit_code == 0 and "Harvard University" in file.read_text()
