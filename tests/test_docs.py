"""Every command explains itself, and the README knows them all."""

from __future__ import annotations

import re
from pathlib import Path

import click
import pytest

from cli.main import COMMANDS, main

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def command(name: str) -> click.Command:
    found = main.get_command(click.Context(main), name)
    assert found is not None
    return found


def test_every_file_of_a_command_is_a_command():
    parts = {
        "__init__",
        "main",
        "options",
        "render",
        "progress",
        "resolve",
        "texts",
        "batch",
        "verdicts",
        "statements",
        "opening",
        "unread",
        "scores",
        "grounding_source",
        "grounding_measure",
        "grounding_analyse",
        "grounding_learn",
    }
    files = {path.stem for path in (ROOT / "cli").glob("*.py")} - parts
    assert files == {name.replace("-", "_") for name in COMMANDS}


@pytest.mark.parametrize("name", COMMANDS)
def test_help_starts_with_the_line_of_the_overview(name):
    assert (command(name).help or "").split("\n")[0] == COMMANDS[name]


@pytest.mark.parametrize("name", COMMANDS)
def test_help_has_an_example_that_names_the_command(name):
    _, _, example = (command(name).help or "").partition("Example:\n")
    assert f"kgstore {name} " in example


@pytest.mark.parametrize("name", COMMANDS)
def test_examples_use_options_that_exist(name):
    _, _, example = (command(name).help or "").partition("Example:\n")
    known = {option for one in command(name).params for option in (*one.opts, *one.secondary_opts)}
    for line in example.splitlines():
        own = line.partition(f"kgstore {name} ")[2]
        assert set(re.findall(r"(?<= )--?[a-z][a-z-]*", own)) <= known


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_has_help(name):
    silent = [one.name for one in command(name).params if isinstance(one, click.Option) and not one.help]
    assert not silent


@pytest.mark.parametrize("name", sorted(set(COMMANDS) - {"completion", "export", "grounding", "load", "page"}))
def test_every_command_can_print_json(name):
    formats = next(one for one in command(name).params if one.name == "fmt")
    assert "json" in formats.type.choices


@pytest.mark.parametrize("name", COMMANDS)
def test_readme_lists_the_command(name):
    assert f"`kgstore {name}" in README


def test_readme_names_files_that_exist():
    for target in re.findall(r"\]\(([^)#:]+)\)", README):
        assert (ROOT / target).exists(), target


def test_data_readme_states_the_digest_of_the_slice():
    from hashlib import sha256

    digest = sha256((ROOT / "data" / "wikidata-small.json.gz").read_bytes()).hexdigest()
    assert digest in (ROOT / "data" / "README.md").read_text(encoding="utf-8")
