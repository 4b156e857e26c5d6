"""What the verifier asks of a graph: the embedded store answers all of it, and the verifier asks nothing else."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator
from pathlib import Path

import pytest

from kgstore.errors import IndexMissing
from kgstore.store import Store
from kgstore.verifier import Label, Verifier
from kgstore.verifier.kg.protocol import Facts, KnowledgeGraph

ROOT = Path(__file__).parent.parent
MEMBERS = sorted(name for one in (Facts, KnowledgeGraph) for name in vars(one) if not name.startswith("_"))
EMBEDDED_ONLY = ("grounding", "training")
"""Rooms that read a graph of one's own from end to end; no text is verified there."""


class Strict:
    """A graph with nothing but the members of the protocol, as one behind a wire would be."""

    def __init__(self, store: Store) -> None:
        self._store, self.asked = store, set[str]()

    def __getattr__(self, name: str) -> object:
        if name not in MEMBERS:
            raise AttributeError(f"no member of the protocol: {name}")
        self.asked.add(name)
        return getattr(self._store, name)


@pytest.mark.parametrize("name", MEMBERS)
def test_the_store_has_every_member(name):
    declared = getattr(KnowledgeGraph, name)
    own = inspect.getattr_static(Store, name, getattr(Store(), name, None) if name == "path" else KeyError)
    if inspect.isfunction(declared):
        asked, answers = inspect.signature(declared), inspect.signature(own)
        assert list(asked.parameters) == list(answers.parameters)
        assert [one.default for one in asked.parameters.values()] == [
            one.default for one in answers.parameters.values()
        ]
    else:
        assert own is not KeyError and not inspect.isfunction(own)


def test_a_verifier_needs_nothing_else(everyday_kg):
    text = (
        "Barack Obama was born in Kenya. Marie Curie, a French physicist, was born in 1867 in Warsaw. "
        "Mount Everest is higher than K2. Warsaw borders Vilnius and Zzyzx Borough. She won two Nobel Prizes."
    )
    with Store(everyday_kg) as store:
        graph = Strict(store)
        report = Verifier(graph).verify(text)
        assert [one.label for one in report.verdicts] == [one.label for one in Verifier(store).verify(text).verdicts]
    assert report.label == Label.CONTRADICTORY
    assert report.kg["name"] == "everyday"
    assert graph.asked >= {"statements", "incoming", "label", "lookup", "properties", "paths", "supertypes"}


def test_similar_says_what_is_missing(small_kg):
    with Store(small_kg) as store, pytest.raises(IndexMissing, match="vectors"):
        store.similar("anything")


def attributes(path: Path) -> Iterator[tuple[str, int]]:
    """The names that a file asks of anything called store."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Attribute):
            of = node.value.attr if isinstance(node.value, ast.Attribute) else getattr(node.value, "id", "")
            if of == "store":
                yield node.attr, node.lineno


def test_no_file_of_the_verifier_asks_for_more():
    for path in sorted((ROOT / "verifier").rglob("*.py")):
        if path.parent.name not in EMBEDDED_ONLY:
            more = [f"{path}:{line} {name}" for name, line in attributes(path) if name not in MEMBERS]
            assert not more
