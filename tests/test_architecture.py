"""The picture of the rooms is what the imports say, no function is long, no file is."""

from __future__ import annotations

import ast

import pytest

from tests.architecture import drawn, floors, picture, rooms
from tests.imports import ROOT, modules, with_tests

LONGEST, LONGEST_FILE = 60, 500


def test_the_picture_is_what_the_imports_say():
    assert drawn()[1] == picture(), "run `python tests/architecture.py`"


def test_every_room_is_in_it_once():
    assert sorted(one for group in floors() for one in group) == sorted(rooms())


@pytest.mark.parametrize("folder", ["kgstore", "loaders", "verifier", "cli"])
def test_no_function_is_long(folder):
    for path in sorted((ROOT / folder).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                lines = (node.end_lineno or 0) - node.lineno + 1
                assert lines <= LONGEST, f"{path}:{node.lineno} {node.name}: {lines} lines"


def test_no_file_is_long():
    long = {name for name, path in modules().items() if len(path.read_bytes().splitlines()) > LONGEST_FILE}
    assert not long


def test_each_module_has_a_test_that_names_it():
    """Or examples that run, or it is a command that a test runs; `__init__` and `__main__` are doors to others."""
    doors = {name for name, path in modules().items() if path.stem in ("__init__", "__main__")}
    assert not modules().keys() - with_tests() - doors
