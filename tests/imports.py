"""The imports of the whole tree, read from its source."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parent.parent
FOLDERS = ("kgstore", "loaders", "verifier", "cli")


@cache
def modules() -> dict[str, Path]:
    """Every module by its name as one imports it (``kgstore.verifier.claims``); a package by its own name."""
    found = {}
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*.py")):
            parts = path.relative_to(ROOT).with_suffix("").parts
            parts = parts[:-1] if parts[-1] == "__init__" else parts
            found[".".join(parts if folder == "kgstore" else ("kgstore", *parts))] = path
    return found


@cache
def imports(name: str, typing: bool = True) -> frozenset[str]:
    """The modules of ours that a module imports, wherever in it, lazily or at once.

    :param typing: also those that are imported for type checkers only
    """
    tree = ast.parse(modules()[name].read_text(encoding="utf-8"))
    if not typing:
        for node in ast.walk(tree):
            if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
                node.body = [ast.Pass()]
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            for alias in node.names:
                full = f"{node.module}.{alias.name}"
                found.add(full if full in modules() else node.module or "")
    return frozenset(found & modules().keys() - {name})


@cache
def with_tests() -> frozenset[str]:
    """The modules that a test is about: it imports them, runs them as a command, or they have examples that run."""
    tests = [path for path in sorted((ROOT / "tests").glob("*.py")) if path.name != "imports.py"]
    named: set[str] = set()
    for node in (node for path in tests for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))):
        if isinstance(node, ast.Import):
            named |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            named |= {node.module or "", *(f"{node.module}.{alias.name}" for alias in node.names)}
        elif isinstance(node, ast.Call | ast.List):  # run("grounding", "learn", ..), or main(["bundle", ..])
            given = node.args if isinstance(node, ast.Call) else node.elts
            words = [one.value if isinstance(one, ast.Constant) else "" for one in given[:2]]
            named |= {f"kgstore.cli.{'_'.join(map(str, words[:n])).replace('-', '_')}" for n in (1, 2)}
    examples = {name for name, path in modules().items() if ">>> " in path.read_text(encoding="utf-8")}
    return frozenset((named | examples) & modules().keys())


def cycles(graph: dict[str, frozenset[str]]) -> list[list[str]]:
    """Groups of names that can be reached from each other (Tarjan 1972), each sorted."""
    number: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    found = []

    def visit(name: str) -> None:
        number[name] = low[name] = len(number)
        stack.append(name)
        for other in sorted(graph[name]):
            if other not in number:
                visit(other)
            if other in stack:
                low[name] = min(low[name], low[other])
        if low[name] == number[name]:
            at = stack.index(name)
            if len(group := sorted(stack[at:])) > 1:
                found.append(group)
            del stack[at:]

    for name in graph:
        if name not in number:
            visit(name)
    return found
