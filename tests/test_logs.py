"""--quiet, --verbose and --log: the same for all commands, before and behind their names."""

from __future__ import annotations

import logging
import re
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result

from kgstore.cli import logs
from kgstore.cli.main import COMMANDS, main

TEXT = "Douglas Adams was born in London. Qwxyz was born in Vienna."


def run(*words: object, **more: object) -> Result:
    return CliRunner().invoke(main, [str(word) for word in words], prog_name="kgstore", **more)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_the_three_options_once(name):
    command = main.get_command(click.Context(main), name)
    below = command.commands.values() if isinstance(command, click.Group) else ()
    for one in (command, *below):
        opts = [option for param in one.params for option in param.opts]
        assert [opts.count(option) for option in ("--quiet", "-q", "--verbose", "-v", "--log")] == [1] * 5, one.name


@pytest.mark.parametrize("at", ["before", "behind"])
def test_quiet_leaves_results_and_nothing_else(small_kg, at):
    words = ("facts", "Douglas Adams", "--property", "P19", "--kg", small_kg)
    usual = run(*words)
    quiet = run("-q", *words) if at == "before" else run(*words, "--quiet")
    assert usual.exit_code == quiet.exit_code == 0
    assert quiet.stdout == usual.stdout and usual.stderr == "1 statement\n" and quiet.stderr == ""


def test_quiet_ends_with_the_call(small_kg):
    run("-q", "facts", "Douglas Adams", "--property", "P19", "--kg", small_kg)
    assert run("facts", "Douglas Adams", "--property", "P19", "--kg", small_kg).stderr == "1 statement\n"
    assert not [one for one in logs.ROOT.handlers if isinstance(one, logs._Terminal)]


def test_errors_stay(tmp_path):
    quiet = run("-q", "info", "--kg", tmp_path / "no.kg")
    assert quiet.exit_code == 2 and quiet.stderr.startswith("kgstore: no KG at ")
    assert run("info", "-q", "--colour").stderr.startswith("kgstore: No such option")


def test_warnings_stay(tmp_path):
    (tmp_path / "p.csv").write_text("name,place of birth@entity\nAda,London\n")
    words = ("load", tmp_path / "p.csv", "--kg", tmp_path / "p.kg", "--no-vectors", "-q")
    assert run(*words).stderr == ""
    (tmp_path / "folder").mkdir()
    empty = run("verify", tmp_path / "folder", "--kg", tmp_path / "p.kg", "-q")
    assert empty.stderr == f"no texts in {tmp_path / 'folder'}\n"


def test_no_bar_is_drawn(monkeypatch):
    from kgstore.cli import progress

    monkeypatch.setattr(progress.sys.stderr, "isatty", lambda: True, raising=False)
    with logs.started():
        assert progress._shown()
        logs._say(logging.WARNING)
        assert not progress._shown()


def test_verbose_tells_each_step_and_how_it_ended(small_kg):
    usual = run("info", "--kg", small_kg)
    told = run("-v", "info", "--kg", small_kg)
    assert told.stdout == usual.stdout
    lines = told.stderr.splitlines()
    assert all(re.match(r" *\d+\.\d\d s  ", line) for line in lines)
    assert any(f"opened {small_kg}, generation" in line for line in lines)
    assert re.search(r"ended with 0, \d+M of memory at most$", lines[-1])


def test_verbose_shows_where_an_error_was_found(tmp_path):
    told = run("info", "--kg", tmp_path / "no.kg", "-v")
    assert "Traceback" in told.stderr and "StoreNotFound" in told.stderr and told.exit_code == 2
    assert "Traceback" not in run("info", "--kg", tmp_path / "no.kg").stderr


def test_verbose_of_verify_shows_the_details_of_verdicts_too(small_kg):
    words = ("verify", "--text", TEXT, "--kg", small_kg)
    assert "rule:single-value" in run(*words, "-v").stdout
    assert "rule:single-value" not in run(*words).stdout


def test_the_last_of_quiet_and_verbose_counts(small_kg):
    words = ("info", "--kg", small_kg)
    assert run(*words, "-q", "-v").stderr and not run(*words, "-v", "-q").stderr


@pytest.mark.parametrize("by", ["option", "variable"])
def test_a_log_has_the_steps_and_the_errors_but_no_text(small_kg, tmp_path, by):
    log = tmp_path / "run.log"
    said = ("--log", log) if by == "option" else ()
    env = {} if by == "option" else {"KGSTORE_LOG": str(log)}
    assert run(*said, "verify", "--text", TEXT, "--kg", small_kg, env=env).exit_code == 0
    assert run(*said, "info", "--kg", tmp_path / "no.kg", env=env).exit_code == 2
    lines = log.read_text(encoding="utf-8").splitlines()
    form = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d{4} (DEBUG|INFO|WARNING|ERROR) kgstore[\w.]*\[\d+\] .+"
    steps = [line for line in lines if not line.startswith((" ", "Traceback", "kgstore."))]
    assert len(steps) > 5 and all(re.fullmatch(form, line) for line in steps)
    text = "\n".join(lines)
    assert "2 claims" in text and "ERROR kgstore.cli.main" in text and "ended with 2" in text
    assert "Douglas" not in text and "Qwxyz" not in text


def test_several_processes_write_one_log(small_kg, tmp_path):
    lines = [f'{{"id": {at}, "text": "Douglas Adams was born in London."}}\n' for at in range(4)]
    (tmp_path / "some.jsonl").write_text("".join(lines))
    words = ("verify", tmp_path / "some.jsonl", "--kg", small_kg, "--jobs", "2", "--judge", "none", "--reader", "none")
    done = run(*words, "--log", tmp_path / "run.log", "--format", "jsonl", "-q")
    assert done.exit_code == 0 and done.stderr == ""
    processes = set(re.findall(r"kgstore[\w.]*\[(\d+)\] opened", (tmp_path / "run.log").read_text()))
    assert len(processes) >= 2


def test_a_log_that_cannot_be_written_is_the_users_error(tmp_path):
    done = run("--log", tmp_path / "no" / "run.log", "help")
    assert done.exit_code == 2 and "cannot write" in done.stderr and "name another file for --log" in done.stderr


def test_a_bug_is_told_with_its_traceback_on_stderr_and_in_the_log(tmp_path, monkeypatch):
    monkeypatch.setattr("kgstore.cli.help.topics", lambda: 1 / 0)
    done = run("-q", "--log", tmp_path / "run.log", "help")
    assert done.exit_code == 70
    assert done.stderr.startswith("Traceback") and "ZeroDivisionError" in done.stderr
    assert done.stderr.splitlines()[-1].startswith("kgstore: this is a bug of kgstore")
    assert "ZeroDivisionError" in Path(tmp_path / "run.log").read_text()


def test_a_child_with_less_memory_is_found_behind_the_options(monkeypatch):
    from kgstore.cli import watched

    seen = []
    monkeypatch.setattr(watched, "_too_small", lambda *_: ("ulimit -v", 1, 2.0))
    monkeypatch.setattr(watched, "_child", lambda arguments: seen.append(list(arguments)) or 0)
    assert watched.run(["-q", "--log", "a.log", "index", "--kg", "x"]) == 0
    assert seen == [["-q", "--log", "a.log", "index", "--kg", "x"]]
