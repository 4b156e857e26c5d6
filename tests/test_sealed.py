"""A sealed KG: the same answers from a fraction of the bytes."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from kgstore.doctor import examine
from kgstore.export import digests
from kgstore.layout import generation_path
from kgstore.loaders.run import load
from kgstore.model import Literal, NamedNode
from kgstore.seal import seal, unseal
from kgstore.sealed import BLOCK, SealedGraph
from kgstore.store import Store
from kgstore.verifier.pipeline import Verifier
from tests.test_cli import answer, refused, run

LABELLED = Path(__file__).parent.parent / "data" / "labelled.jsonl"
WD, WDT = "http://www.wikidata.org/entity/", "http://www.wikidata.org/prop/direct/"
LABEL = "http://www.w3.org/2000/01/rdf-schema#label"


@pytest.fixture(scope="module")
def sealed_kg(small_kg, tmp_path_factory):
    target = tmp_path_factory.mktemp("sealed") / "small.sealed"
    seal(small_kg, target)
    return target


@pytest.fixture(scope="module")
def pair(small_kg, sealed_kg):
    with Store(small_kg) as store, Store(sealed_kg) as sealed:
        assert isinstance(sealed.graph, SealedGraph)
        yield store, sealed


def bytes_of(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def test_it_is_small(small_kg, sealed_kg):
    assert bytes_of(sealed_kg) < bytes_of(small_kg) / 3
    graph, triples = bytes_of(next(sealed_kg.glob("generations/*/sealed"))), 654_168
    assert graph / triples < 30


@pytest.mark.parametrize(
    "pattern",
    [
        (WD + "Q42", None, None), (WD + "Q42", LABEL, None), (None, WDT + "P19", NamedNode(WD + "Q84")),
        (None, None, NamedNode(WD + "Q84")), (None, WDT + "P1549", None),
        (WD + "Q42", WDT + "P31", NamedNode(WD + "Q5")),
        (None, None, Literal("Douglas Adams", language="en")), (WD + "nothing", None, None), (None, WD + "Q42", None),
        ("http://zzz", None, None), ("a:", None, None),
    ],
)  # fmt: skip
def test_triples_are_the_same(pair, pattern):
    mine, theirs = (sorted(map(str, one.match(*pattern))) for one in pair)
    assert mine == theirs


def test_statements_are_the_same(pair):
    store, sealed = pair
    for number in range(0, 400, 7):
        iri = store.catalog.at(number).iri
        mine, theirs = (sorted(map(str, one.statements(iri))) for one in pair)
        assert mine == theirs, iri
    for prop in (WD + "P19", None):
        mine, theirs = (sorted(map(str, one.incoming(WD + "Q84", prop, 100_000))) for one in pair)
        assert mine == theirs
    assert len(store.graph) == len(sealed.graph)


def test_names_paths_and_the_ledger_are_the_same(pair):
    store, sealed = pair
    assert store.lookup(["Douglas Adams", "Paris"], True) == sealed.lookup(["Douglas Adams", "Paris"], True)
    assert store.search("Duglas Adams", 3) == sealed.search("Duglas Adams", 3)
    assert store.paths([WD + "Q42"], [WD + "Q84"]) == sealed.paths([WD + "Q42"], [WD + "Q84"])
    assert store.ledger() == sealed.ledger() and store.conflicts() == sealed.conflicts()
    assert store.property_names[0] == sealed.property_names[0]


def outcome(verdict):
    """All of a verdict but the order of its evidence, which is that of the triples."""
    ends = verdict.head, verdict.tail
    return verdict.label, verdict.method, round(verdict.confidence, 6), ends, sorted(map(str, verdict.evidence))


def test_verdicts_are_the_same(pair):
    here, there = map(Verifier, pair)
    for line in LABELLED.read_text(encoding="utf-8").splitlines()[:40]:
        text = json.loads(line)["text"]
        mine, theirs = here.verify(text).verdicts, there.verify(text).verdicts
        assert [outcome(one) for one in mine] == [outcome(one) for one in theirs], text


def test_what_a_sealed_kg_does_not_do(sealed_kg, tmp_path):
    assert "kgstore unseal" in refused("sparql", "ASK { ?s ?p ?o }", "--kg", sealed_kg)
    assert "kgstore unseal" in refused("search", "robots", "--by", "meaning", "--kg", sealed_kg)
    file = tmp_path / "a.nt"
    file.write_text("<http://ex/a> <http://ex/b> <http://ex/c> .\n")
    assert "kgstore unseal" in refused("index", "--kg", sealed_kg)
    assert "kgstore unseal" in run("load", file, "--kg", sealed_kg, "--no-vectors").stderr
    assert "sealed already" in refused("seal", "--kg", sealed_kg, "-o", tmp_path / "again.sealed")
    assert "is there already" in refused("seal", "--kg", sealed_kg, "-o", tmp_path)
    assert answer("entity", "Q42", "--kg", sealed_kg)["id"] == "Q42"


TRIPLES = """
<http://ex/Ada> <http://www.w3.org/2000/01/rdf-schema#label> "Ada \\"A\\" Lovelace\\n"@en .
<http://ex/Ada> <http://ex/born> "1815-12-10"^^<http://www.w3.org/2001/XMLSchema#date> .
<http://ex/Ada> <http://ex/named> "\\u00c5da \\\\ x" .
<http://ex/Ada> <http://ex/tag> "x"@zh-classical .
<http://ex/Ada> <http://ex/knows> _:b1 .
_:b1 <http://ex/knows> <http://ex/Bob> .
"""


@pytest.mark.parametrize("more", [0, BLOCK, 3 * BLOCK + 5])
def test_sealing_and_unsealing_gives_the_same_graph(tmp_path, more):
    file, none = tmp_path / "a.nt", tmp_path / "none"
    lines = [f'<http://ex/{n}> <http://ex/says> "{n * 7919} words" .' for n in range(more)]
    file.write_text(TRIPLES + "\n".join(lines) + "\n", encoding="utf-8")
    load([file], tmp_path / "a.kg", vectors=False, embedder=none)
    assert run("seal", "--kg", tmp_path / "a.kg", "-o", tmp_path / "a.sealed").exit_code == 0
    with Store(tmp_path / "a.kg") as store, Store(tmp_path / "a.sealed") as sealed:
        assert sorted(map(str, store.match())) == sorted(map(str, sealed.match()))
        assert len(sealed.graph) == 6 + more
    unseal(tmp_path / "a.sealed", tmp_path / "b.kg")
    one, other = (digests(generation_path(tmp_path / name, "000001"))["graph"] for name in ("a.kg", "b.kg"))
    assert one == other
    assert "not sealed" in refused("unseal", tmp_path / "a.kg", "--kg", tmp_path / "c.kg")


@pytest.fixture
def two_sources(tmp_path):
    """A sealed KG of two files, one of which says a thing twice."""
    for name, more in (("a", ""), ("b", "<http://ex/Bob> <http://ex/knows> <http://ex/Cid> .\n" * 2)):
        (tmp_path / f"{name}.nt").write_text(TRIPLES + more, encoding="utf-8")
    load([tmp_path / "a.nt", tmp_path / "b.nt"], tmp_path / "a.kg", vectors=False, embedder=tmp_path / "none")
    seal(tmp_path / "a.kg", tmp_path / "a.sealed")
    return tmp_path / "a.sealed"


def test_an_unsealed_kg_has_one_source_and_can_be_changed(two_sources, tmp_path):
    kg = tmp_path / "b.kg"
    assert "its 2 sources are one now, a.sealed" in run("unseal", two_sources, "--kg", kg).stderr
    assert not any(one.problem for one in examine(kg))
    load([tmp_path / "b.nt"], kg, vectors=False, embedder=tmp_path / "none")
    assert answer("remove", "a.sealed", "--kg", kg)["counts"]["sources"] == 1
    assert not any(one.problem for one in examine(kg))


def test_the_only_source_of_an_unsealed_kg_is_what_it_was(tmp_path):
    (tmp_path / "a.nt").write_text(TRIPLES * 2, encoding="utf-8")
    load([tmp_path / "a.nt"], tmp_path / "a.kg", vectors=False, embedder=tmp_path / "none")
    sealed = seal(tmp_path / "a.kg", tmp_path / "a.sealed")
    assert unseal(tmp_path / "a.sealed", tmp_path / "b.kg").fingerprint == sealed.fingerprint
    with Store(tmp_path / "b.kg") as store:
        assert [one["name"] for one in store.ledger()] == ["a.nt"]
    assert not any(one.problem for one in examine(tmp_path / "b.kg"))


def test_doctor_examines_a_sealed_kg(two_sources):
    done = run("doctor", "--kg", two_sources)
    assert done.exit_code == 0 and "is in order" in done.stderr and "!" not in done.stdout
    folder = next(two_sources.glob("generations/*/sealed"))
    np.save(folder / "ops.x.npy", np.load(folder / "ops.x.npy")[::-1])
    assert not any(one.problem for one in examine(two_sources, quick=True))
    assert "differ" in run("doctor", "--kg", two_sources).stdout
    (folder / "terms.zst").write_bytes(b"x" * (folder / "terms.zst").stat().st_size)
    assert "its terms cannot be read" in run("doctor", "--kg", two_sources).stdout
    (folder / "terms.zst").unlink()
    (fault,) = [one for one in examine(two_sources, quick=True) if one.fault]
    assert fault.what == "graph"
