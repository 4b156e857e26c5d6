"""The stages of the verifier, one after the other: none imports what comes after it, lazily or not."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from kgstore.store import Store
from kgstore.verifier.pipeline import Verifier
from kgstore.verifier.read.keys import Line
from kgstore.verifier.read.proposition import Proposition, Utterance

ROOT = Path(__file__).parent.parent / "verifier"
NAMES = " ".join(
    f"link.{one}" for one in "beings brackets capitals centre coherence forms linker mentions names sorts".split()
)
STAGES: tuple[tuple[str, frozenset[str]], ...] = tuple(
    (name, frozenset(modules.split()))
    for name, modules in (
        ("values", "claims values english kg read.paragraphs read.markup llm.windows"),
        ("names", NAMES),
        ("parse", "read.parse read.tree read.forms"),
        ("propositions", "read llm protocols"),
        ("claims", "link stages"),
        ("verdicts", "decide judges reader"),
        ("reports", "report kernel document methods pipeline explained measure grounding training reproduce langchain"),
    )
)
"""Stage, and the modules or whole rooms of it; a module that is named wins over its room."""


def stage_of(module: str) -> int:
    """The number of the stage of ``link.names`` or ``claims``."""
    for name in (module, module.split(".")[0]):
        for number, (_, modules) in enumerate(STAGES):
            if name in modules:
                return number
    raise AssertionError(f"say in tests/test_stages.py to which stage {module} belongs")


def imports(path: Path) -> set[str]:
    """The verifier's modules that a file imports, wherever in it."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            node.body = [ast.Pass()]
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("kgstore.verifier."):
            whole = (node.module or "").removeprefix("kgstore.verifier.")
            inside = [f"{whole}.{one.name}" for one in node.names]
            names |= {one for one in inside if (ROOT / f"{one.replace('.', '/')}.py").exists()} or {whole}
    return names


MODULES = {
    ".".join(path.relative_to(ROOT).with_suffix("").parts): path
    for path in sorted(ROOT.rglob("*.py"))
    if path.stem != "__init__"
}


@pytest.mark.parametrize("module", MODULES)
def test_no_stage_imports_a_later_one(module):
    later = {one for one in imports(MODULES[module]) if stage_of(one) > stage_of(module)}
    assert not later, f"{module} is of the stage {STAGES[stage_of(module)][0]!r}"


def test_each_stage_can_be_asked_alone(small_kg):
    text = "It was in Ulm that Albert Einstein was born.\n\nBorn: 1879"
    with Store(small_kg) as store:
        verifier = Verifier(store, judge="none", reader="none")
        stages = verifier.rules
        names = stages.names(text)
        assert [one.text for one in names.mentions] == ["Ulm", "Albert Einstein", "1879"]
        parsed = stages.parse(names)
        said = stages.propose(names, parsed)
        assert [type(one) for one in said] == [Utterance, Line]
        (proposition,) = said[0].propositions
        assert isinstance(proposition, Proposition) and proposition.relation == "was born in"
        assert proposition.head.mention.text == "Albert Einstein" and proposition.tail.text == "Ulm"
        claims, passages = stages.link(text, names, said, stages.means(names, parsed))
        assert [(one.head.candidates[0].label, one.tail.text) for one in claims] == [
            ("Albert Einstein", "Ulm"),
            ("Albert Einstein", "1879"),
        ]
        assert [one.start for one in passages] == [0]
        verdicts = verifier.verdicts(text, claims)
        assert [one.claim for one in verdicts] == claims == verifier.claims(text)
