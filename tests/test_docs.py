"""Every command explains itself, docs/commands.md knows them all, and the pages lead to what exists."""

from __future__ import annotations

import re
from pathlib import Path

import click
import pytest

from kgstore.cli.main import COMMANDS, main

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
PAGES = ["README.md", *sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "docs").glob("*.md"))]


def command(name: str) -> click.Command:
    found = main.get_command(click.Context(main), name)
    assert found is not None
    return found


def test_every_file_of_a_command_is_a_command():
    parts = {
        "__init__",
        "answers",
        "main",
        "options",
        "render",
        "progress",
        "resolve",
        "texts",
        "batch",
        "verdicts",
        "sarif",
        "annotations",
        "dialogue",
        "folders",
        "prompting",
        "resuming",
        "totals",
        "rows",
        "underline",
        "statements",
        "opening",
        "unread",
        "scores",
        "grounding_source",
        "grounding_measure",
        "grounding_analyse",
        "grounding_learn",
        "watched",
        "logs",
        "formats",
        "filtering",
        "receipts",
        "graphs",
        "corpus",
        "spread",
        "training",
    }
    files = {path.stem for path in (ROOT / "cli").glob("*.py")} - parts
    assert files == {name.replace("-", "_") for name in COMMANDS}


@pytest.mark.parametrize("name", COMMANDS)
def test_help_starts_with_the_line_of_the_overview(name):
    assert (command(name).help or "").split("\n")[0] == COMMANDS[name]


@pytest.mark.parametrize("name", COMMANDS)
def test_help_has_an_example_that_names_the_command(name):
    _, _, example = (command(name).help or "").partition("Example:\n")
    assert re.search(rf"kgstore {name}\s", example)


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


@pytest.mark.parametrize(
    "name",
    sorted(set(COMMANDS) - {"completion", "export", "grounding", "help", "load", "mcp", "page", "serve", "shell"}),
)
def test_every_command_can_print_json(name):
    formats = next(one for one in command(name).params if one.name == "fmt")
    assert "json" in formats.type.choices


@pytest.mark.parametrize("name", COMMANDS)
def test_the_page_of_commands_lists_the_command(name):
    rows = [line for line in page("docs/commands.md").splitlines() if line.startswith("|")]
    assert any(re.search(rf"`kgstore {name}[ `]", row) for row in rows)


def test_the_readme_is_short():
    assert len(README) <= 8_000


def page(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def anchors(text: str) -> set[str]:
    """Of the headings, as GitHub makes them."""
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", one.lower()).replace(" ", "-") for one in headings}


@pytest.mark.parametrize("name", [*PAGES, "data/README.md"])
def test_a_page_leads_to_what_exists(name):
    for target, anchor in re.findall(r"\]\((?!https?:)([^)#]*)#?([^)]*)\)", page(name)):
        found = (ROOT / name).parent / target if target else ROOT / name
        assert found.exists(), target
        assert not anchor or anchor in anchors(found.read_text(encoding="utf-8")), (target, anchor)


def test_the_readme_leads_to_every_page():
    assert set(PAGES[1:]) <= set(re.findall(r"\]\(([^)#]+)", README))


@pytest.mark.parametrize("name", PAGES)
def test_a_page_begins_with_a_paragraph(name):
    title, nothing, paragraph, *_ = page(name).splitlines()
    assert title.startswith("# ") and not nothing and paragraph[0].isalpha()


@pytest.mark.parametrize("name", PAGES)
def test_commands_on_a_page_have_the_options_that_they_are_shown_with(name):
    """In blocks of code; what stands in quotes, and behind a # or a pipe, belongs to no option."""
    lines = re.findall(r"^(?:    |\$ )(?:.*\| )?kgstore (.+)$", page(name), re.MULTILINE)
    for line in lines:
        words = re.sub(r"\"[^\"]*\"", "TEXT", re.split(r"\s#|\s\|", line)[0]).split()
        found: click.Command = main
        while isinstance(found, click.Group) and words:
            inner = found.get_command(click.Context(found), words.pop(0))
            assert inner is not None, line
            found = inner
        known = {option for one in found.params for option in (*one.opts, *one.secondary_opts)} | {"--help"}
        assert {word for word in words if re.match(r"--?[a-z]", word)} <= known, line


def test_data_readme_states_the_digest_of_the_slice():
    from hashlib import sha256

    digest = sha256((ROOT / "data" / "wikidata-small.json.gz").read_bytes()).hexdigest()
    assert digest in (ROOT / "data" / "README.md").read_text(encoding="utf-8")
