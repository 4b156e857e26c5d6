from __future__ import annotations

import shutil
import signal
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from kgstore import layout, ledger
from kgstore.errors import IndexMissing, InputError, ModelMissing, NotAStore, StoreLocked, StoreNotFound
from kgstore.model import Literal, NamedNode, Triple
from kgstore.profile import SKOS
from kgstore.store import Store
from kgstore.writer import StoreWriter, rebuild_index

ROOT = Path(__file__).parent.parent
ADA, BORN, NAME = NamedNode("http://ex/Ada"), NamedNode("http://ex/bornIn"), "http://www.w3.org/2000/01/rdf-schema#label"
LINES = b'<http://ex/Ada> <http://ex/bornIn> <http://ex/London> .\n<http://ex/Ada> <%s> "Ada"@en .\n' % NAME.encode()
MORE = b"<http://ex/Bob> <http://ex/bornIn> <http://ex/London> .\n"


def only_catalog(graph, profile, folder, languages, vectors, *_):
    """Leaves out what needs a model."""
    from kgstore.catalog_build import build_catalog

    return {**build_catalog(graph, profile, folder / "catalog.duckdb", languages), "vectors": int(vectors)}, "model"


def nothing(graph, profile, folder, languages, vectors, *_):
    return {"triples": len(graph), "vectors": int(vectors)}, None


@pytest.fixture(autouse=True)
def _quick(monkeypatch):
    monkeypatch.setattr("kgstore.writer.derive", nothing)


def write(path, data=LINES, sha="1" * 64, **options):
    with StoreWriter(path, **options) as writer:
        writer.bulk_load([data])
        writer.ledger({"name": "demo.nt", "sha256": sha, "options": {"format": "nt"}})
        return writer.commit(vectors=False)


def content(path):
    with Store(path) as store:
        return sorted(map(str, store.match()))


# -- reading -----------------------------------------------------------------------------------------------------------


def test_a_kg_is_one_folder_with_its_manifest_ledger_and_triples(tmp_path):
    manifest = write(tmp_path / "people.kg", languages=("de", "en"))
    assert (manifest.name, manifest.generation, manifest.languages) == ("people", "000001", ("de", "en"))
    assert manifest.profile == "rdfs"
    assert manifest.counts["triples"] == 2
    with Store(tmp_path / "people.kg") as store:
        assert store.manifest == manifest
        assert store.languages == ("de", "en")
        assert len(list(store.match(ADA))) == 2
        assert store.query("ASK { <http://ex/Ada> <http://ex/bornIn> ?x }") is True
        (record,) = store.ledger()
        assert (record["name"], record["sha256"], record["options"]) == ("demo.nt", "1" * 64, {"format": "nt"})
        assert repr(store).startswith("<Store people at ")
        assert [statement.value for statement in store.statements("http://ex/Ada")] == [NamedNode("http://ex/London")]
        assert [one.subject for one in store.incoming("http://ex/London")] == [ADA]


def test_a_folder_that_is_no_kg_is_neither_read_nor_written(tmp_path):
    with pytest.raises(StoreNotFound):
        Store(tmp_path / "absent")
    (tmp_path / "photos").mkdir()
    (tmp_path / "photos" / "cat.jpg").write_bytes(b"cat")
    with pytest.raises(NotAStore):
        Store(tmp_path / "photos")
    with pytest.raises(NotAStore, match=r"cat\.jpg"):
        write(tmp_path / "photos")
    assert [one.name for one in (tmp_path / "photos").iterdir()] == ["cat.jpg"]


def test_a_missing_part_names_itself_when_it_is_asked_for(tmp_path):
    write(tmp_path / "kg")
    with Store(tmp_path / "kg") as store, pytest.raises(IndexMissing, match="kgstore index"):
        _ = store.topology
    with Store() as store, pytest.raises(IndexMissing):
        _ = store.catalog


def test_a_reader_keeps_the_generation_that_it_opened(tmp_path):
    write(tmp_path / "kg")
    with Store(tmp_path / "kg") as store:
        write(tmp_path / "kg", MORE, "2" * 64)
        assert layout.prune(tmp_path / "kg") == []
        assert len(list(store.match())) == 2
    assert layout.prune(tmp_path / "kg") == ["000001"]
    assert len(content(tmp_path / "kg")) == 3


def test_a_store_in_memory_adds_matches_queries_and_names():
    with Store() as store:
        born = Triple(ADA, BORN, Literal("London"))
        assert store.add([born, Triple(ADA, NamedNode(NAME), Literal("Ada"))], source="x") == 2
        assert store.add([born], source="y") == 0
        assert store.label("http://ex/Ada") == "Ada"
        assert store.label("http://ex/Bob") == "http://ex/Bob"
        assert store.query("SELECT ?o { <http://ex/Ada> <http://ex/bornIn> ?o }").rows == [(Literal("London"),)]
        assert [record["name"] for record in store.ledger()] == ["x", "y"]
        assert repr(store) == "Store(in memory)"


def test_labels_and_entities_come_from_the_catalog(tmp_path, monkeypatch):
    monkeypatch.setattr("kgstore.writer.derive", only_catalog)
    manifest = write(tmp_path / "kg")
    assert manifest.embedder == "model"
    with Store(tmp_path / "kg") as store:
        assert store.label("http://ex/Ada") == "Ada"
        assert store.label("http://nowhere/x") == "http://nowhere/x"
        assert store.entity("Ada").iri == store.entity("<http://ex/Ada>").iri == "http://ex/Ada"
        with pytest.raises(InputError, match="Nobody"):
            store.entity("Nobody")


def test_a_kg_made_with_another_embedding_model_does_not_take_the_built_in_one(tmp_path, monkeypatch):
    monkeypatch.setattr("kgstore.writer.derive", only_catalog)
    write(tmp_path / "kg")
    with Store(tmp_path / "kg") as store, pytest.raises(ModelMissing, match="model of this KG"):
        _ = store.embedder
    theirs, other = SimpleNamespace(fingerprint="model"), SimpleNamespace(fingerprint="another")
    with Store(tmp_path / "kg", embedder=theirs) as store:
        assert store.embedder is theirs
    with pytest.raises(InputError, match="kgstore index --embedder FOLDER"):
        Store(tmp_path / "kg", embedder=other)


def test_opening_a_kg_imports_no_library_that_it_does_not_need(tmp_path):
    write(tmp_path / "kg")
    code = "import sys; from kgstore import Store; print(Store(sys.argv[1]).manifest.name, *sys.modules)"
    command = [sys.executable, "-c", code, tmp_path / "kg"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    loaded = {name.split(".")[0] for name in done.stdout.split()[1:]}
    assert not loaded & {"duckdb", "faiss", "numpy", "torch", "spacy", "transformers", "pyoxigraph", "click"}


# -- writing -----------------------------------------------------------------------------------------------------------


def test_a_second_load_builds_on_the_first_and_leaves_it_as_it_was(tmp_path):
    first = write(tmp_path / "kg", name="people", languages=("de",))
    files = {file: file.read_bytes() for file in layout.generation_path(tmp_path / "kg", "000001").rglob("*.sst")}
    second = write(tmp_path / "kg", MORE, "2" * 64)
    assert (second.name, second.generation, second.languages) == ("people", "000002", ("de", "en"))
    assert second.counts == {"vectors": 0, "triples": 3, "sources": 2}
    assert second.fingerprint != first.fingerprint
    assert all(file.read_bytes() == data for file, data in files.items())
    layout.rollback(tmp_path / "kg")
    assert len(content(tmp_path / "kg")) == 2


def test_the_fingerprint_depends_on_content_only(tmp_path):
    a, b = write(tmp_path / "a", name="first"), write(tmp_path / "b", name="second")
    assert a.fingerprint == b.fingerprint
    records = [{"name": "x", "sha256": "1"}, {"name": "y", "sha256": "2", "options": {"limit": 3}}]
    assert ledger.fingerprint(records, 5) == ledger.fingerprint(records[::-1], 5)
    different = [ledger.fingerprint(*one) for one in ((records, 5), (records, 6), (records[:1], 5))]
    assert len(set(different)) == 3


@pytest.mark.parametrize("where", ["bulk_load", "body", "derive", "without commit"])
def test_a_load_that_fails_leaves_no_trace(tmp_path, monkeypatch, where):
    def failing(*_):
        raise ModelMissing("model", "/m", "install it")

    def blocks():
        yield LINES
        raise RuntimeError("unreadable")

    def load(path):
        with StoreWriter(path) as writer:
            writer.bulk_load(blocks() if where == "bulk_load" else [MORE])
            if where == "body":
                raise RuntimeError("anything")
            if where == "derive":
                monkeypatch.setattr("kgstore.writer.derive", failing)
                writer.commit()

    old = tmp_path / "old"
    write(old)
    for path in (tmp_path / "new", old):
        if where == "without commit":
            load(path)
        else:
            with pytest.raises((RuntimeError, ModelMissing)):
                load(path)
        monkeypatch.setattr("kgstore.writer.derive", nothing)
    assert not (tmp_path / "new").exists()
    assert layout.partials(old) == []
    assert layout.generations(old) == ["000001"]
    assert len(content(old)) == 2
    write(old, MORE)


def test_two_writers_do_not_meet(tmp_path):
    with StoreWriter(tmp_path / "kg") as writer:
        with pytest.raises(StoreLocked), StoreWriter(tmp_path / "kg"):
            pass
        writer.bulk_load([LINES])
        writer.commit(vectors=False)
    assert len(content(tmp_path / "kg")) == 2


KILLED = """
import os, signal, sys
from kgstore import layout, writer
when, call, owner, name, path = sys.argv[1:]
owner = layout if owner == "layout" else writer.StoreWriter
real, left = getattr(owner, name), int(call)
def kill(*arguments, **options):
    global left
    left -= 1
    if left == 0 and when == "before":
        os.kill(os.getpid(), signal.SIGKILL)
    real(*arguments, **options)
    if left == 0:
        os.kill(os.getpid(), signal.SIGKILL)
setattr(owner, name, kill)
writer.derive = lambda graph, *_: ({"triples": len(graph)}, None)
with writer.StoreWriter(path) as one:
    one.bulk_load([b"<http://ex/Bob> <http://ex/bornIn> <http://ex/London> ."])
    one.ledger({"name": "more", "sha256": "2" * 64, "options": {"format": "nt"}})
    one.commit(vectors=False)
"""


def killed(point, kg):
    command = [sys.executable, "-c", KILLED, *point.split(), kg]
    assert subprocess.run(command, cwd=ROOT, check=False, timeout=60).returncode == -signal.SIGKILL


@pytest.mark.parametrize(
    "point",
    [
        "after 1 writer _open", "after 1 writer bulk_load", "after 1 writer ledger", "before 1 layout write_manifest",
        "after 1 layout write_manifest", "after 1 layout sync_tree", "before 2 layout write_manifest",
        "after 2 layout write_manifest", "after 1 writer commit",
    ],
)
def test_a_writer_killed_anywhere_leaves_the_old_or_the_new_generation(tmp_path, point):
    kg = tmp_path / "kg"
    write(kg)
    killed(point, kg)
    assert len(content(kg)) == (3 if point in ("after 2 layout write_manifest", "after 1 writer commit") else 2)
    manifest = write(kg, MORE, "2" * 64)
    assert len(content(kg)) == 3
    assert layout.partials(kg) == []
    assert manifest.generation > "000001"


def test_a_killed_load_goes_on_where_it_was_and_ends_with_the_same_content(tmp_path):
    write(tmp_path / "whole")
    whole = write(tmp_path / "whole", MORE, "2" * 64)
    kg = tmp_path / "kg"
    write(kg)
    killed("after 1 writer ledger", kg)
    with StoreWriter(kg, resume=True) as writer:
        assert [record["sha256"] for record in writer.resumed] == ["2" * 64]
        manifest = writer.commit(vectors=False)
    assert manifest.fingerprint == whole.fingerprint
    assert manifest.generation == "000002"
    assert content(kg) == content(tmp_path / "whole")
    with StoreWriter(kg, resume=True) as writer:
        assert writer.resumed == []


def test_a_killed_load_of_an_older_generation_is_not_gone_on_with(tmp_path):
    kg = tmp_path / "kg"
    write(kg)
    killed("after 1 writer ledger", kg)
    left = layout.partials(kg)[0]
    shutil.copytree(left, tmp_path / "copy")
    write(kg, b"<http://ex/x> <http://ex/y> <http://ex/z> .\n", "3" * 64)
    shutil.copytree(tmp_path / "copy", left)
    with StoreWriter(kg, resume=True) as writer:
        assert writer.resumed == []
        assert len(writer.graph) == 3


def test_an_interrupt_keeps_finished_sources_for_resume(tmp_path):
    for finished in (False, True):
        with pytest.raises(KeyboardInterrupt), StoreWriter(tmp_path / "kg") as writer:
            writer.bulk_load([LINES])
            if finished:
                writer.ledger({"name": "a", "sha256": "1" * 64})
            raise KeyboardInterrupt
        assert (tmp_path / "kg").exists() is finished
    with StoreWriter(tmp_path / "kg", resume=True) as writer:
        assert len(writer.resumed) == 1
        assert writer.commit(vectors=False).counts["triples"] == 2


def test_an_interrupt_while_indexing_keeps_what_was_loaded(tmp_path, monkeypatch):
    def interrupted(graph, profile, folder, *_):
        (folder / "catalog.duckdb").write_text("half")
        (folder / "topology").mkdir()
        raise KeyboardInterrupt

    monkeypatch.setattr("kgstore.writer.derive", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write(tmp_path / "kg")
    monkeypatch.setattr("kgstore.writer.derive", nothing)
    with StoreWriter(tmp_path / "kg", resume=True) as writer:
        assert len(writer.resumed) == 1
        assert writer.commit(vectors=False).counts["triples"] == 2
    assert sorted(one.name for one in layout.generation_path(tmp_path / "kg", "000001").iterdir()) == [
        "graph", "manifest.json", "sources",
    ]


def test_add_to_a_folder_makes_a_generation_and_moves_on_to_it(tmp_path):
    with pytest.raises(ValueError, match="read-only"):
        write(tmp_path / "kg")
        Store(tmp_path / "kg").add([], source="x")
    with Store(tmp_path / "kg", read_only=False) as store:
        assert store.add([Triple(ADA, BORN, Literal("here")), *list(store.match())[:1]], source="mine") == 1
        assert store.manifest.generation == "000002"
        assert len(list(store.match())) == 3
        assert [record["name"] for record in store.ledger()] == ["demo.nt", "mine"]
    with Store(tmp_path / "fresh.kg", read_only=False) as store:
        assert repr(store).endswith("empty)")
        assert store.add([Triple(ADA, BORN, Literal("here"))], source="mine") == 1
    assert len(content(tmp_path / "fresh.kg")) == 1


def test_a_chosen_profile_stays_with_the_kg(tmp_path):
    assert write(tmp_path / "kg", profile="skos").profile == "skos"
    assert write(tmp_path / "kg", MORE).profile == "skos"
    with Store(tmp_path / "kg") as store:
        assert store.profile == store.graph.profile == SKOS
    with pytest.raises(InputError):
        write(tmp_path / "other", profile="nope")
    assert not (tmp_path / "other").exists()


def test_the_index_can_be_rebuilt_with_and_without_vectors(tmp_path):
    write(tmp_path / "kg")
    again = rebuild_index(tmp_path / "kg")
    assert (again.generation, again.counts["triples"], again.counts["vectors"]) == ("000002", 2, 0)
    assert again.fingerprint == layout.read_manifest(layout.generation_path(tmp_path / "kg", "000001")).fingerprint
    assert rebuild_index(tmp_path / "kg", vectors=True).counts["vectors"] == 1
    assert rebuild_index(tmp_path / "kg").counts["vectors"] == 1
    with pytest.raises(StoreNotFound):
        rebuild_index(tmp_path / "absent")
    assert not (tmp_path / "absent").exists()


@pytest.mark.parametrize("record", [{}, {"name": "x"}, {"name": "x", "sha256": "1", "colour": "blue"}])
def test_a_ledger_record_has_its_keys_and_no_others(tmp_path, record):
    with pytest.raises(ValueError, match="ledger record"), StoreWriter(tmp_path / "kg") as writer:
        writer.ledger(record)
