"""Which KG a command reads: --kg, KGSTORE_KG, the configuration file, the KG of `kgstore demo`, in this order."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from kgstore import default
from kgstore.cli.main import main
from kgstore.loaders.run import load
from kgstore.store import Store


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Data and configuration folders of a user who has nothing yet."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.delenv("KGSTORE_KG", raising=False)
    return tmp_path


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A KG of one statement, to be copied."""
    folder = tmp_path_factory.mktemp("graph")
    (folder / "a.csv").write_text("subject,predicate,object\nAda,born in,London\n")
    load([folder / "a.csv"], folder / "a.kg", vectors=False)
    return folder / "a.kg"


def kg(graph: Path, target: Path) -> Path:
    return Path(shutil.copytree(graph, target))


def configure(home: Path, text: str) -> Path:
    path = home / "config" / "kgstore" / "config.toml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def run(*arguments: object, stdin: str = "") -> Result:
    return CliRunner().invoke(main, [str(one) for one in arguments], input=stdin, prog_name="kgstore")


def folder_read(*arguments: object) -> str:
    result = run("info", "--format", "json", *arguments)
    assert result.exit_code == 0, result.stderr
    return json.loads(result.stdout)["folder"]


def test_each_source_goes_before_the_next(home, graph, monkeypatch):
    made = kg(graph, home / "data" / "kgstore" / "everyday.kg")
    assert default.made_kg() == made
    assert folder_read() == str(made)
    configured = kg(graph, home / "configured.kg")
    configure(home, f'kg = "{configured}"\n')
    assert folder_read() == str(configured)
    named = kg(graph, home / "environment.kg")
    monkeypatch.setenv("KGSTORE_KG", str(named))
    assert folder_read() == str(named)
    option = kg(graph, home / "option.kg")
    assert folder_read("--kg", option) == str(option)


def test_without_any_the_error_says_how_to_get_one(home):
    result = run("facts", "Ada")
    assert result.exit_code == 2 and result.stdout == ""
    assert "no KG: name one with --kg or KGSTORE_KG, or make the default one with `kgstore demo`" in result.stderr


def test_a_configured_kg_may_lie_in_the_home_folder(home, graph, monkeypatch):
    monkeypatch.setenv("HOME", str(home))
    found = kg(graph, home / "mine.kg")
    configure(home, 'kg = "~/mine.kg"\n')
    assert folder_read() == str(found)


def test_a_configured_kg_that_is_not_there_is_an_error(home, graph):
    kg(graph, home / "data" / "kgstore" / "everyday.kg")
    configure(home, f'kg = "{home / "gone.kg"}"\n')
    result = run("info")
    assert result.exit_code == 2 and "gone.kg" in result.stderr


def test_an_empty_configuration_changes_nothing(home, graph):
    made = kg(graph, home / "data" / "kgstore" / "everyday.kg")
    configure(home, "")
    assert folder_read() == str(made)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("kg = /no/quotes", 'write lines such as kg = "/path/of/a.kg"'),
        ('graph = "a.kg"', "has the unknown key graph: known are kg, judge"),
        ("kg = 3", "kg is no text in quotes"),
    ],
)
def test_a_broken_configuration_is_one_clear_line(home, text, said):
    path = configure(home, text)
    result = run("info")
    assert result.exit_code == 2 and result.stdout == ""
    [line] = result.stderr.splitlines()
    assert line.startswith("kgstore: ") and str(path) in line and said in line


def test_a_broken_configuration_is_said_where_a_kg_is_named_too(home, graph):
    """It may hold options that would be passed over in silence."""
    path = configure(home, "kg = ")
    result = run("info", "--kg", graph)
    assert result.exit_code == 2 and f"{path} is not TOML" in result.stderr


@pytest.mark.parametrize(
    "arguments",
    [("load", "more.csv"), ("remove", "a.csv"), ("index",), ("prune",), ("rollback",)],
    ids=lambda arguments: arguments[0],
)
def test_a_command_that_changes_a_kg_wants_it_named(home, graph, arguments, monkeypatch):
    made = kg(graph, home / "data" / "kgstore" / "everyday.kg")
    configure(home, f'kg = "{made}"\n')
    monkeypatch.chdir(home)
    Path("more.csv").write_text("subject,predicate,object\nGrete,born in,Bremen\n")
    before = sorted(path.relative_to(made) for path in made.rglob("*"))
    result = run(*arguments)
    assert result.exit_code == 2 and "--kg" in result.stderr
    assert sorted(path.relative_to(made) for path in made.rglob("*")) == before


def test_a_text_against_a_document_does_not_open_the_default(home, monkeypatch):
    broken = home / "data" / "kgstore" / "everyday.kg"
    broken.mkdir(parents=True)                  # opening it would be an error
    document = home / "article.txt"
    document.write_text("The museum in Oslo was opened in 1994 by the mayor.\n")
    opened = []
    monkeypatch.setattr("kgstore.store.Store.__init__", lambda *_, **__: opened.append(1))
    result = run("verify", "--context", document, "-", "--format", "json", stdin="The museum was opened in 1994.\n")
    assert result.exit_code == 0, result.stderr
    assert json.loads(result.stdout)["claims"] and not opened


def test_without_a_document_the_default_is_opened(home, graph):
    kg(graph, home / "data" / "kgstore" / "everyday.kg")
    result = run("verify", "-", "--format", "json", stdin="Ada was born in London.\n")
    assert result.exit_code == 0, result.stderr
    assert [claim["label"] for claim in json.loads(result.stdout)["claims"]] == ["attributable"]


def test_demo_on_a_kg_that_is_there_only_verifies(home, graph, monkeypatch):
    target = kg(graph, home / "own.kg")
    monkeypatch.setattr("kgstore.cli.demo.load", lambda *_, **__: pytest.fail("nothing is to be loaded"))
    result = run("demo", "--kg", target)
    assert result.exit_code == 0, result.stderr
    assert "claims" in result.stdout and "making" not in result.stderr
    assert f"kgstore verify - --kg {target}" in result.stderr
    assert not default.made_kg().exists()


def test_demo_makes_its_kg_once_where_commands_find_it(home, graph, monkeypatch):
    slices = home / "a.csv"
    slices.write_text("subject,predicate,object\nMarie Curie,born in,Warsaw\n")
    monkeypatch.setattr("kgstore.cli.demo.SLICE", slices)
    first, again = run("demo"), run("demo")
    assert first.exit_code == again.exit_code == 0, first.stderr
    assert first.stdout == again.stdout
    assert "making" in first.stderr and "making" not in again.stderr
    assert folder_read() == str(default.made_kg())
    with Store(default.made_kg()) as store:
        assert store.manifest is not None and not store.manifest.counts.get("vectors")


def test_the_configuration_file_stands_for_options_that_are_not_given(home, graph, monkeypatch):
    configure(home, f'kg = "{graph}"\njudge = "/no/such/judge"\njobs = 2\n')
    words = ("verify", "--text", "Ada was born in London.", "--reader", "none", "--format", "json")
    assert "/no/such/judge" in run(*words).stderr
    assert run(*words, "--judge", "none").exit_code == 0
    monkeypatch.setenv("KGSTORE_JUDGE", "none")
    assert run(*words).exit_code == 0
    assert run("info").exit_code == 0  # which has no judge


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('juge = "none"\ncolour = 1\n', "unknown key colour, juge: known are kg, judge"),
        ('jobs = "2"\n', "jobs is no whole number: write a whole number"),
        ("judge = true\n", "judge is no text in quotes"),
    ],
)
def test_a_slip_in_the_configuration_file_is_named(home, text, why):
    configure(home, text)
    result = run("info")
    assert result.exit_code == 2 and why in result.stderr


BROKEN = "kg = "


@pytest.mark.parametrize(
    "words", [("--help",), ("--version",), ("help", "labels"), ("verify", "--help"), ("completion", "bash")]
)
def test_a_broken_configuration_stops_no_help(home, words):
    configure(home, BROKEN)
    assert run(*words).exit_code == 0


def test_a_configuration_that_cannot_be_read_is_named(home):
    path = configure(home, "")
    path.write_bytes(b"\xff\xfe")
    assert str(path) in run("info").stderr
    path.unlink()
    path.symlink_to("/proc/self/mem")  # a file whose reading fails
    result = run("info")
    assert result.exit_code == 2 and (not path.is_file() or str(path) in result.stderr)


def test_doctor_names_a_broken_configuration_and_examines_the_rest(home, graph):
    path = configure(home, BROKEN)
    result = run("doctor", "--quick", "--kg", graph)
    assert result.exit_code == 1 and f"✗ configuration: {path} is not TOML" in result.stdout
    assert "✓ graph" in result.stdout and "✓ models" in result.stdout
    without = run("doctor", "--quick", "--format", "json")
    assert without.exit_code == 1 and json.loads(without.stdout)["faults"] == 1
    kg(graph, home / "data" / "kgstore" / "everyday.kg")
    assert "✓ graph" in run("doctor", "--quick").stdout
    configure(home, "jobs = 1")
    whole = run("doctor", "--quick")
    assert whole.exit_code == 0 and "✓ configuration" in whole.stdout


def test_options_of_the_file_reach_commands_of_a_group(home):
    configure(home, 'judge = "/no/such/judge"\n')
    (home / "rows.jsonl").write_text("")
    [inner] = [one for one in main.get_command(None, "grounding").commands.values() if one.name == "evaluate"]
    seen = []
    before, inner.callback = inner.callback, lambda **given: seen.append(given["judge"])
    try:
        assert run("grounding", "evaluate", home / "rows.jsonl").exit_code == 0
    finally:
        inner.callback = before
    assert seen == ["/no/such/judge"]
