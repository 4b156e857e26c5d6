"""The picture in docs/architecture.md, drawn from the imports: ``python tests/architecture.py`` writes it anew."""

from __future__ import annotations

import sys
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parent.parent))

from tests.imports import ROOT, cycles, imports, modules

PAGE = ROOT / "docs" / "architecture.md"
BEGIN, END = "```mermaid\n", "```\n"
DOORS = {"kgstore", "kgstore.__main__", "kgstore.verifier"}
"""Front doors, which lead everywhere."""


def room(module: str) -> str:
    """The part of the tree that a module belongs to: a folder of the verifier, or one of its loose files.

    >>> room("kgstore.verifier.decide.age"), room("kgstore.cli.main"), room("kgstore.store")
    ('decide', 'cli', 'kgstore')
    """
    parts = module.split(".")
    if parts[1:2] == ["verifier"]:
        return parts[2]
    return parts[1] if parts[1:2] in (["cli"], ["loaders"]) else "kgstore"


def rooms() -> dict[str, frozenset[str]]:
    """Each room with the rooms that it imports, lazily or at once."""
    found: dict[str, set[str]] = {}
    for module in modules().keys() - DOORS:
        used = found.setdefault(room(module), set())
        used |= {room(other) for other in imports(module) - DOORS}
    return {one: frozenset(others - {one}) for one, others in sorted(found.items())}


def floors() -> dict[tuple[str, ...], set[tuple[str, ...]]]:
    """Groups of rooms that know each other, with the groups that they need and no other that they need leads to."""
    graph = rooms()
    group_of = {one: (one,) for one in graph}
    for group in cycles(graph):
        group_of |= dict.fromkeys(group, tuple(group))
    needs = {group: {group_of[other] for one in group for other in graph[one]} - {group} for group in group_of.values()}

    def below(group: tuple[str, ...]) -> set[tuple[str, ...]]:
        return needs[group].union(*map(below, needs[group]))

    return {group: needs[group] - set().union(*map(below, needs[group])) for group in needs}


def picture() -> str:
    """Mermaid's words for it; an arrow leads from what imports to what is imported."""
    graph = floors()
    names = {group: group[0] for group in graph}
    lines = ["graph TD"]
    lines += [f'    {names[group]}["{", ".join(group)}"]' for group in sorted(graph)]
    lines += [f"    {names[group]} --> {names[other]}" for group in sorted(graph) for other in sorted(graph[group])]
    return "\n".join(lines) + "\n"


def drawn() -> tuple[str, str, str]:
    """The page before the picture, the picture, and the page after it."""
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    now, _, after = rest.partition(END)
    return before, now, after


if __name__ == "__main__":
    before, _, after = drawn()
    PAGE.write_text(before + BEGIN + picture() + END + after, encoding="utf-8")
