"""`kgstore shell`: what a line means, what the tab key offers, and a real terminal."""

from __future__ import annotations

import os
import pty
import select
import stat
import subprocess
import sys
import time

import pytest

from kgstore.cli import logs
from kgstore.cli.batch import Settings
from kgstore.cli.dialogue import Dialogue, history_file
from kgstore.cli.shell import talk
from kgstore.store import Store
from tests.test_cli import run

READY = "\x1b[?2004h"
"""Sent when a line may be typed: pasted text shall be marked as such."""
WRONG = "Douglas Adams was born in London."


@pytest.fixture(scope="module")
def dialogue(small_kg):
    with Store(small_kg) as store:
        yield Dialogue(store, Settings(small_kg, judge="none", reader="none"))


@pytest.fixture(autouse=True)
def listening():
    with logs.started():
        yield


def said(small_kg, *lines: str):
    return run("shell", "--kg", small_kg, "--judge", "none", "--reader", "none", stdin="\n".join([*lines, ""]))


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("Douglas Adams", "English writer"),
        ("Q42", "http://www.wikidata.org/entity/Q42"),
        ("entity Douglas Adams", "English writer"),
        ("facts Douglas Adams | place of birth", "Cambridge"),
        ("path Douglas Adams -> Charlie Chaplin", "→"),
        ("search Duglas Adams", "Q42"),
        ("sparql ASK { wd:Q42 wdt:P19 wd:Q350 }", "true"),
        ("select ?x { wd:Q42 wdt:P19 ?x }", "Q350"),
        (WRONG, "✗ contradictory"),
        ("verify Douglas Adams was born in Cambridge", "✓ attributable"),
        ("Douglas Adams was born in Paris", "✗ contradictory"),
        ("help", "NAME -> NAME"),
    ],
)
def test_a_line_means_what_it_looks_like(dialogue, capsys, line, shown):
    assert talk(dialogue, [line]) == 0
    assert shown in capsys.readouterr().out


@pytest.mark.parametrize(
    ("line", "instead"),
    [
        ("facts", "write facts NAME"),
        ("path Douglas Adams", "write path NAME -> NAME"),
        ("Nobody Atall Xyzzy", "check the spelling"),
        ("facts Douglas Adams | shoe size", "shoe size"),
        ("SELECT ?x {", "correct it"),
        ("sparql INSERT DATA { wd:Q1 wdt:P1 wd:Q2 }", "query refused"),
    ],
)
def test_a_line_without_an_answer_says_what_to_do_and_the_next_is_answered(dialogue, capsys, line, instead):
    assert talk(dialogue, [line, "Douglas Adams"]) == 1
    out, err = capsys.readouterr()
    assert err.startswith("kgstore: ") and instead in err and "English writer" in out


def test_quit_ends_and_empty_lines_say_nothing(dialogue, capsys):
    assert talk(dialogue, ["", "  ", "quit", "Douglas Adams"]) == 0
    assert capsys.readouterr() == ("", "")


def test_without_a_terminal_each_line_is_answered(small_kg):
    result = said(small_kg, "facts Q42 | place of birth", WRONG)
    assert result.exit_code == 0 and "Cambridge" in result.stdout and "✗ contradictory" in result.stdout
    result = said(small_kg, "entity Nobody Atall Xyzzy", "Douglas Adams")
    assert result.exit_code == 2 and "English writer" in result.stdout and "check the spelling" in result.stderr


@pytest.mark.parametrize(
    ("before", "offered"),
    [
        ("fa", ("facts ", 2)),
        ("facts Douglas Ad", ("Douglas Adams", 10)),
        ("facts Douglas Adams | place of b", ("place of birth", 10)),
        ("path Douglas Adams -> Charlie Chap", ("Charlie Chaplin", 12)),
        ("She met Douglas Ad", ("Douglas Adams", 10)),
    ],
)
def test_names_are_completed(dialogue, before, offered):
    assert offered in list(dialogue.completions(before))


def test_nothing_is_offered_for_other_words(dialogue):
    assert not [*dialogue.completions("he was born"), *dialogue.completions("")]


def test_lines_are_edited_and_kept(dialogue, tmp_path, capsys):
    pytest.importorskip("prompt_toolkit")
    from prompt_toolkit.input import create_pipe_input
    from prompt_toolkit.output import DummyOutput

    from kgstore.cli.prompting import lines

    history = tmp_path / "history"
    with create_pipe_input() as typed:
        typed.send_text("facts Douglas Adams | place of bird\x7fth\r")     # backspace
        typed.send_text("thrown away\x03")                                 # Ctrl-C
        typed.send_text(f"\x1b[200~{WRONG}\nHe is dead.\x1b[201~\r\x04")  # pasted, two lines; Ctrl-D
        assert talk(dialogue, lines("> ", dialogue.completions, history, input=typed, output=DummyOutput())) == 0
    out = capsys.readouterr().out
    assert "Cambridge" in out and "✗ contradictory" in out
    kept = history.read_text()
    assert "+facts Douglas Adams | place of birth" in kept and "thrown away" not in kept


def test_history_is_for_the_user_alone(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    path = history_file()
    assert path.is_relative_to(tmp_path) and stat.S_IMODE(path.stat().st_mode) & 0o077 == 0
    path.write_text("old")
    assert history_file().read_text() == "old"


def test_on_a_terminal(small_kg, tmp_path):
    pytest.importorskip("prompt_toolkit")
    ours, theirs = pty.openpty()
    child = subprocess.Popen(
        [sys.executable, "-m", "kgstore", "shell", "--kg", str(small_kg), "--judge", "none", "--reader", "none"],
        stdin=theirs, stdout=theirs, stderr=theirs, close_fds=True, start_new_session=True,
        env={**os.environ, "TERM": "xterm", "XDG_STATE_HOME": str(tmp_path)},
    )  # fmt: skip
    os.close(theirs)

    seen, read = "", 0

    def until(wanted: str) -> None:
        """Read on behind what was waited for before."""
        nonlocal seen, read
        end = time.monotonic() + 120
        while (found := seen.find(wanted, read)) < 0:
            assert select.select([ours], [], [], max(0.0, end - time.monotonic()))[0], seen
            part = os.read(ours, 65536).decode("utf-8", "replace")
            if "\x1b[6n" in part:
                os.write(ours, b"\x1b[1;1R")  # where the cursor is, which a terminal says when it is asked
            seen += part
        read = found + len(wanted)

    try:
        until("Ctrl-D ends")
        until(READY)
        os.write(ours, b"facts Douglas Adams | place of bir\t")
        until("th")  # only what changes is drawn
        os.write(ours, b"\r")
        until("Cambridge")
        until(READY)
        os.write(ours, f"{WRONG}\r".encode())
        until("contradictory")
        until(READY)
        os.write(ours, b"\x04")
        assert child.wait(30) == 0
    finally:
        child.kill()
        child.wait()
        os.close(ours)
    assert "+facts Douglas Adams | place of birth" in (tmp_path / "kgstore" / "shell_history").read_text()
