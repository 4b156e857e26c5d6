"""Who may import whom, and what a quick command must not load."""

from __future__ import annotations

import ast
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

import kgstore
import kgstore.verifier
from tests.imports import cycles, imports, modules

ROOT = Path(__file__).parent.parent
ALLOWED = {
    "kgstore": {"kgstore"},
    "loaders": {"loaders", "kgstore"},
    "verifier": {"verifier", "kgstore"},
    "cli": {"cli", "verifier", "loaders", "kgstore"},
}
FRONT_DOORS = {"kgstore", "kgstore.__main__", "kgstore.verifier"}
HEAVY = (
    "torch", "spacy", "faiss", "transformers", "sentence_transformers", "llama_cpp", "thinc", "sklearn", "xgboost",
    "starlette", "uvicorn", "mcp", "prompt_toolkit",
)  # fmt: skip
ONE_FILE_EACH = ("duckdb", "faiss", "spacy", "llama_cpp", "sentence_transformers", "xgboost", "matplotlib")


@cache
def imported(path: Path) -> set[str]:
    """The folders, and top-level names of all else, that a file imports, wherever in it, but for type checkers only."""
    names: set[str] = set()
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            node.body = [ast.Pass()]
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            names.add(node.module or "")
    return {_folder(name) for name in names}


def _folder(name: str) -> str:
    top, *rest = name.split(".")
    return rest[0] if top == "kgstore" and rest and rest[0] in ALLOWED else top


@pytest.mark.parametrize("package", ALLOWED)
def test_packages_import_downwards_only(package):
    for path in (ROOT / package).rglob("*.py"):
        if path.name != "__main__.py":  # the door of all four: `python -m kgstore` is the command
            assert imported(path) & set(ALLOWED) <= ALLOWED[package], path


@pytest.mark.parametrize("library", ONE_FILE_EACH)
def test_a_heavy_library_is_imported_in_one_file(library):
    users = [path for package in ALLOWED for path in (ROOT / package).rglob("*.py") if library in imported(path)]
    assert len(users) <= 1, users


def test_cycles_are_found():
    graph = {"a": frozenset("b"), "b": frozenset("ca"), "c": frozenset("d"), "d": frozenset()}
    assert cycles(graph) == [["a", "b"]]
    assert cycles(graph | {"d": frozenset("b")}) == [["a", "b", "c", "d"]]


@pytest.mark.parametrize("typing", [False, True])
def test_no_module_leads_back_to_itself(typing):
    """Not by an import within a function, nor by one that is for type checkers."""
    # a package's front door leads into it; `__main__` is the door of all
    graph = {name: imports(name, typing) for name in modules() if name not in FRONT_DOORS}
    assert cycles({name: others - FRONT_DOORS for name, others in graph.items()}) == []


def loaded_by(*arguments: str) -> set[str]:
    """The modules in memory after a command has run, in a process of its own."""
    code = (
        "import sys\nfrom kgstore.cli.main import main\n"
        f"try: main({list(arguments)!r}, prog_name='kgstore')\n"
        "except SystemExit as end: assert end.code == 0, end.code\n"
        "print(*sys.modules, file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return set(done.stderr.split())


def test_the_front_door_loads_nothing_heavy():
    code = "import sys, kgstore.verifier\nfrom kgstore import __version__\nprint(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert not set(done.stdout.split()) & {*HEAVY, "numpy", "duckdb", "pyoxigraph", "kgstore.verifier.claims"}


@pytest.mark.parametrize("package", [kgstore, kgstore.verifier])
def test_the_front_door_leads_to_the_classes(package):
    for name in package.__all__:
        assert getattr(package, name).__name__ == name
    with pytest.raises(AttributeError, match="has no attribute 'Nothing'"):
        package.Nothing  # noqa: B018


def test_help_loads_nothing_heavy():
    assert not loaded_by("--help") & {*HEAVY, "numpy", "duckdb", "pyoxigraph", "rich"}


def test_info_loads_nothing_heavy(small_kg):
    assert not loaded_by("info", "--kg", str(small_kg)) & set(HEAVY)
    assert not loaded_by("info", "--properties", "--kg", str(small_kg)) & set(HEAVY)


@pytest.mark.parametrize(
    "command", ["verify", "load", "search", "evaluate", "ablate", "correct", "reproduce", "serve", "mcp", "shell"]
)
def test_help_of_a_command_loads_nothing_heavy(command):
    assert not loaded_by(command, "--help") & set(HEAVY)


@pytest.mark.parametrize("path", sorted((ROOT / "verifier" / "decide").glob("*.py")), ids=lambda path: path.stem)
def test_whoever_decides_sees_no_text(path):
    """What a decision needs to know of the words is a field of the claim, filled where the text is read."""
    assert "re" not in imported(path)
    attributes = [node for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.Attribute)]
    claims = [ast.unparse(one) for one in attributes if one.attr == "text"]
    assert not {one for one in claims if one.split(".")[-2] == "claim"}
