"""`kgstore help`: topics and commands explained where there is no browser."""

from __future__ import annotations

import pytest

from kgstore.cli.help import topics
from kgstore.cli.main import COMMANDS
from tests.test_cli import refused, run


def test_topics_are_listed():
    listed = run("help").stdout
    assert all(name in listed and one["about"] in listed for name, one in topics().items())


@pytest.mark.parametrize("name", topics())
def test_a_topic_fits_a_terminal_and_is_no_command(name):
    text = run("help", name).stdout
    assert text.strip() == topics()[name]["text"].strip() and name not in COMMANDS
    assert all(len(line) <= 100 for line in text.splitlines())


def test_a_command_is_explained_as_by_its_own_option():
    assert run("help", "verify").stdout == run("verify", "--help").stdout
    assert run("help", "help").stdout == run("--help").stdout


def test_a_wrong_word_leads_to_the_right_one():
    assert "did you mean labels?" in refused("help", "lables")
    assert refused("help", "xyzzy").endswith("`kgstore help` lists the topics")
