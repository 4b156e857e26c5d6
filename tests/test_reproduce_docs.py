"""docs/papers.md names functions and parameters that exist."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path

import pytest

from kgstore.cli.main import COMMANDS
from kgstore.verifier.reproduce.tables import TABLES

PAGE = (Path(__file__).parent.parent / "docs" / "papers.md").read_text(encoding="utf-8")
NAMES = sorted(set(re.findall(r"`((?:verifier|kgstore|loaders|cli)(?:\.\w+)+)`", PAGE)))


@pytest.mark.parametrize("name", NAMES)
def test_what_the_page_names_exists(name):
    module, _, attribute = name.rpartition(".")
    try:
        found = import_module(name)
    except ModuleNotFoundError:
        found = getattr(import_module(module), attribute)
    assert found is not None


def test_every_paper_has_its_section():
    assert re.findall(r"^## (.+)$", PAGE, re.MULTILINE) == [
        "How to use them",
        "What they share",
        "KEA Explain",
        "Factum",
        "ClaimVer",
        "GraphEval and GraphCorrect",
        "GGA",
    ]


def test_commands_and_tables_on_the_page_exist():
    used = re.findall(r"`kgstore ([\w-]+)(?: ([\w-]+))?", PAGE)
    assert {command for command, _ in used} <= set(COMMANDS)
    tables = {rest for command, rest in used if command == "reproduce" and not rest.startswith("-")}
    assert tables <= {one.name for one in TABLES}


def test_there_is_a_parameter_for_every_figure_that_the_papers_set():
    """What the papers set, under the names that the page gives it."""
    stated = {
        "kgstore.verifier.kernel.clusters.DISTANCE": 0.35,
        "kgstore.verifier.kernel.wl.ITERATIONS": 5,
        "kgstore.verifier.methods.factum.TOP": 3,
        "kgstore.verifier.methods.enrich.PREDICATES": 5,
        "kgstore.verifier.methods.enrich.FACTS": 5,
        "kgstore.verifier.kg.retrieve.MAX_HOPS": 3,
        "kgstore.verifier.kg.retrieve.MOST_PATHS": 4,
        "kgstore.verifier.report.scores.SEMANTIC_WEIGHT": 0.5,
        "kgstore.verifier.report.scores.PENALTY": 3,
        "kgstore.verifier.methods.grapheval.THRESHOLD": 0.5,
    }
    for name, value in stated.items():
        module, _, attribute = name.rpartition(".")
        assert name in NAMES
        assert getattr(import_module(module), attribute) == value, name
