"""Going back, copying, exporting and comparing KGs."""

from __future__ import annotations

import io
import json
import shutil
import subprocess
import sys
import threading
from pathlib import Path

import pyoxigraph as ox
import pytest
from rdflib import Graph as Rdflib
from rdflib.compare import isomorphic

from kgstore import export, layout
from kgstore.backup import backup
from kgstore.errors import InputError, StoreError
from kgstore.loaders.run import load
from kgstore.store import Store
from tests.test_cli import answer, refused, run

ROOT = Path(__file__).parent.parent
FIRST = """
@prefix : <http://ex/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:Ada rdfs:label "Ada"@en ; :bornIn :London ; :motto "festina 1815" ; :likes [ rdfs:label "tea" ] .
:London rdfs:label "London"@en, "Lond\\"re\\ns"@fr . :Paris rdfs:label "Paris"@en . :bornIn rdfs:label "born in" .
:Bob rdfs:label "Bob"@en ; :bornIn :Paris .
"""
SECOND = FIRST.replace(":Bob rdfs:label", ":Eve rdfs:label").replace('"Bob"', '"Eve"').replace("1815", "1816")


def made(folder: Path, *texts: str) -> Path:
    for number, text in enumerate(texts):
        path = folder / f"{number}.ttl"
        path.write_text(text)
        load([path], folder / "my.kg", vectors=False, embedder=folder / "none")
    return folder / "my.kg"


@pytest.fixture(scope="module")
def kg(tmp_path_factory):
    return made(tmp_path_factory.mktemp("kg"), FIRST, SECOND)


# -- export ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ordered", [True, False])
@pytest.mark.parametrize("form", export.FORMATS)
def test_every_format_says_the_same_and_no_ledger(kg, monkeypatch, form, ordered):
    monkeypatch.setattr(export, "RUN", 100)
    out = io.BytesIO()
    with Store(kg) as store:
        export.export(store.graph, out, form, ordered)
        expected = {str(triple) for triple in store.match()}
    found = {str(quad.triple) for quad in ox.parse(out.getvalue(), format=export.FORMATS[form])}
    assert len(found) == len(expected) and b"urn:kgstore" not in out.getvalue()
    if form in ("nquads", "ntriples", "turtle", "trig"):
        assert found == expected
    else:  # these name blank nodes anew
        assert {one for one in found if "_:" not in one} == {one for one in expected if "_:" not in one}


def test_rdflib_reads_the_turtle_that_we_write(kg):
    written, lines = (run("export", "--kg", kg, "--format", form).stdout for form in ("turtle", "nquads"))
    assert isomorphic(Rdflib().parse(data=written, format="turtle"), Rdflib().parse(data=lines, format="nt"))


def test_sorted_lines_ascend_and_load_into_an_equal_graph(kg, tmp_path, monkeypatch):
    monkeypatch.setattr(export, "RUN", 100)
    lines = run("export", "--sorted", "--kg", kg).stdout.splitlines()
    assert lines == sorted(lines) and len(lines) == 16
    run("export", "--sorted", "--kg", kg, "-o", tmp_path / "all.nq")
    load([tmp_path / "all.nq"], tmp_path / "again.kg", vectors=False, embedder=tmp_path / "none")
    with Store(kg) as one, Store(tmp_path / "again.kg") as other:
        plain = [sorted(str(t) for t in store.match() if "_:" not in str(t)) for store in (one, other)]
    assert plain[0] == plain[1]


def test_an_export_that_fails_leaves_no_file(kg, tmp_path):
    assert "cannot write" in refused("export", "--kg", kg, "-o", tmp_path / "none" / "all.nq")
    assert list(tmp_path.iterdir()) == []


# -- diff --------------------------------------------------------------------------------------------------------------


def test_diff_lists_statements_and_counts_names(tmp_path):
    kg = made(tmp_path, FIRST, SECOND)
    layout.rollback(kg)
    (tmp_path / "other").mkdir()
    other = made(tmp_path / "other", SECOND)
    text = run("diff", other, "--kg", kg)
    lines = [line for line in text.stdout.splitlines() if "likes" not in line]  # a blank node of another file
    assert sorted(lines) == ["+ Ada · motto · festina 1815", "+ Bob · born in · Paris",
                                               "- Ada · motto · festina 1816", "- Eve · born in · Paris"]  # fmt: skip
    assert "names: 2 added, 2 removed" in text.stderr
    facts = answer("diff", "2", "--kg", kg)
    assert facts["statements"] == {"added": 0, "removed": 3} and facts["triples"]["removed"] == 5
    assert {one["change"] for one in facts["changes"]} == {"removed"}
    patch = run("diff", "2", "--kg", kg, "--format", "patch").stdout.splitlines()
    assert '- <http://ex/Eve> <http://www.w3.org/2000/01/rdf-schema#label> "Eve"@en .' in patch
    assert "a patch is whole" in refused("diff", "2", "--kg", kg, "--format", "patch", "--limit", "1")
    assert "keeps no generation before 1" in refused("diff", "--kg", kg)
    assert "no generation 000009" in refused("diff", "9", "--kg", kg)


def test_diff_of_a_generation_with_itself_is_empty(kg):
    assert answer("diff", "2", "--kg", kg)["triples"] == {"added": 0, "removed": 0}


def test_diff_names_a_wikidata_statement_whose_qualifiers_changed(tmp_path):
    dump = json.loads((ROOT / "tests" / "resources" / "bad" / "not_an_array.json").read_text().splitlines()[0])
    kg, path = tmp_path / "my.kg", tmp_path / "dump.json"
    statement = next(s for many in dump["claims"].values() for s in many if s["rank"] == "normal")
    for rank in ("normal", "deprecated"):
        statement["rank"] = rank
        path.write_text(json.dumps(dump))
        load([path], tmp_path / f"{rank}.kg", vectors=False, embedder=tmp_path / "none")
    changes = answer("diff", tmp_path / "normal.kg", "--kg", tmp_path / "deprecated.kg")["changes"]
    same = [one for one in changes if one["statement"] and one["statement"].endswith(statement["id"][-36:])]
    assert {(one["change"], one["rank"]) for one in same} == {("added", "deprecated"), ("removed", "normal")}
    assert not kg.exists()


def test_diff_says_which_stored_verdicts_changed(kg, tmp_path):
    shutil.copytree(kg, tmp_path / "kg")
    stored = tmp_path / "reports.jsonl"
    text = "Ada was born in London. Eve was born in Paris."
    layout.rollback(tmp_path / "kg", "000001")
    stored.write_text(run("verify", "-", "--kg", tmp_path / "kg", "--format", "jsonl", stdin=text).stdout)
    layout.rollback(tmp_path / "kg", "000002")
    (changed,) = answer("diff", "--kg", tmp_path / "kg", "--reports", stored)["verdicts"]
    assert (changed["text"], changed["before"], changed["after"]) == (
        "Eve was born in Paris", "extrapolatory", "attributable"
    )
    assert "1 verdict changed" in run("diff", "--kg", tmp_path / "kg", "--reports", stored).stderr
    stored.write_text("{}")
    assert "holds no reports" in refused("diff", "--kg", tmp_path / "kg", "--reports", stored)


# -- rollback and backup -----------------------------------------------------------------------------------------------


def test_rollback_goes_back_and_forth(kg, tmp_path):
    shutil.copytree(kg, tmp_path / "kg")
    assert answer("rollback", "--kg", tmp_path / "kg")["generation"] == "000001"
    with Store(tmp_path / "kg") as store:
        assert store.entity("Bob").label == "Bob"
    assert "generation 2 " in run("rollback", "2", "--kg", tmp_path / "kg").stderr
    assert "no generation 000007" in refused("rollback", "7", "--kg", tmp_path / "kg")
    assert "no KG at" in refused("rollback", "--kg", tmp_path / "none")
    assert not (tmp_path / "none").exists()


def test_rollback_mends_a_lost_manifest(kg, tmp_path):
    shutil.copytree(kg, tmp_path / "kg")
    (tmp_path / "kg" / "manifest.json").unlink()
    run("rollback", "2", "--kg", tmp_path / "kg")
    assert layout.read_manifest(tmp_path / "kg") == layout.read_manifest(kg)


def test_a_backup_is_a_kg_that_shares_nothing_with_the_original(kg, tmp_path):
    shutil.copytree(kg, tmp_path / "kg")
    (tmp_path / "kg" / "calibration.json").write_text("{}")
    facts = answer("backup", tmp_path / "safe.kg", "--kg", tmp_path / "kg")
    assert facts["bytes"] > 10_000
    shutil.rmtree(tmp_path / "kg")
    with Store(tmp_path / "safe.kg") as store, Store(kg) as original:
        assert set(map(str, store.match())) == set(map(str, original.match()))
        assert store.manifest == original.manifest and store.entity("Eve") == original.entity("Eve")
    assert (tmp_path / "safe.kg" / "calibration.json").exists()
    assert layout.generations(tmp_path / "safe.kg") == ["000002"]
    assert "exists" in refused("backup", tmp_path / "safe.kg", "--kg", kg)


def test_a_backup_that_fails_leaves_nothing(kg, tmp_path, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("kgstore.layout.sync_tree", full)
    with pytest.raises(StoreError, match="No space left"):
        backup(kg, tmp_path / "safe.kg")
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(InputError):
        backup(kg, kg)


# -- readers -----------------------------------------------------------------------------------------------------------

READER = """
import sys
from pathlib import Path
from kgstore.store import Store
rounds, right = 0, {}
print("reading", flush=True)
while True:
    with Store(Path(sys.argv[1])) as store:
        generation = store.manifest.generation
        seen = len(list(store.match())), len(store.catalog), len(store.topology), len(store.ledger())
        counts = store.manifest.counts
        assert seen == (counts["triples"], counts["entities"], counts["edges"], counts["sources"]), (seen, counts)
        rounds += 1
    if generation == "000004":
        print(rounds, flush=True)
        break
"""


def test_readers_in_other_processes_are_neither_wrong_nor_blocked_while_others_write(tmp_path):
    kg = made(tmp_path, FIRST)
    readers = [
        subprocess.Popen([sys.executable, "-c", READER, str(kg)], cwd=ROOT, stdout=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    assert all(reader.stdout.readline() == "reading\n" for reader in readers)
    with Store(kg) as kept:
        for number, text in enumerate((SECOND, FIRST.replace("Bob", "Zoe"), FIRST.replace("Ada", "Ida")), 2):
            (tmp_path / f"{number}.ttl").write_text(text)
            load([tmp_path / f"{number}.ttl"], kg, vectors=False, embedder=tmp_path / "none")
            thread = threading.Thread(target=layout.prune, args=(kg,))
            thread.start()
            thread.join()
        assert len(list(kept.match())) == kept.manifest.counts["triples"] == len(kept.graph)
    for reader in readers:
        assert int(reader.communicate(timeout=60)[0]) >= 1 and reader.returncode == 0
