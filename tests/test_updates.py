"""More files into a KG, sources out of it, a newer file in an older one's place."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kgstore import layout, sources, vectors
from kgstore.errors import InputError
from kgstore.export import digests
from kgstore.loaders import run as pipeline
from kgstore.loaders.run import load
from kgstore.model import Literal, NamedNode, Triple
from kgstore.prefixes import expand
from kgstore.store import Store
from kgstore.writer import StoreWriter, rebuild_index
from tests.test_cli import answer, refused, run

LABEL = "<http://www.w3.org/2000/01/rdf-schema#label>"


def nt(path: Path, *pairs: str) -> Path:
    """A file that says who knows whom: "Ada Bob", and everybody's name."""
    lines = [f"<http://ex/{a}> <http://ex/knows> <http://ex/{b}> ." for a, b in map(str.split, pairs)]
    names = sorted({name for pair in pairs for name in pair.split()})
    path.write_text("\n".join([*lines, *(f'<http://ex/{name}> {LABEL} "{name}"@en .' for name in names), ""]))
    return path


def loaded(kg: Path, *files: Path, **options) -> Path:
    load(files, kg, vectors=False, embedder=kg / "none", **options)
    return kg


def known(kg: Path) -> set[str]:
    with Store(kg) as store:
        found = {f"{t.subject.value[10:]} {t.object.value[10:]}" for t in store.match(predicate="http://ex/knows")}
        names = {store.catalog.at(number).label for number in range(len(store.catalog))}
        assert names == {name for pair in found for name in pair.split()}
        assert len(store.topology) == len(found)
        return found


def current(kg: Path) -> Path:
    return layout.generation_path(kg, layout.read_manifest(kg).generation)


def updates(kg: Path) -> int:
    """How many updates the catalog has seen without being derived from the whole graph."""
    return json.loads((current(kg) / "catalog" / "rows" / "rows.json").read_text())["updates"]


def same(one: Path, other: Path) -> bool:
    return digests(current(one)) == digests(current(other))


def test_what_only_a_removed_source_says_goes(tmp_path):
    a, b, c = (nt(tmp_path / f"{name}.nt", *pairs) for name, *pairs in (
        ("a", "Ada Bob", "Bob Cid"), ("b", "Bob Cid", "Cid Dan"), ("c", "Dan Eve")))  # fmt: skip
    kg = loaded(tmp_path / "my.kg", a, b, c)
    facts = answer("remove", "b.nt", "--kg", kg)
    assert facts["removed"] == 1 and facts["counts"]["sources"] == 2
    assert known(kg) == {"Ada Bob", "Bob Cid", "Dan Eve"}
    assert same(kg, loaded(tmp_path / "other.kg", a, c))
    assert "its sources are a.nt, c.nt" in refused("remove", "b.nt", "--kg", kg)
    assert "5 triples removed; generation 3: 3 left" in run("remove", "a.nt", "--kg", kg).stderr
    assert known(kg) == {"Dan Eve"}
    run("rollback", "1", "--kg", kg)
    assert known(kg) == {"Ada Bob", "Bob Cid", "Cid Dan", "Dan Eve"}
    loaded(kg, nt(tmp_path / "d.nt", "Fay Gus"))
    run("remove", "c.nt", "d.nt", "--kg", kg)
    assert known(kg) == {"Ada Bob", "Bob Cid", "Cid Dan"}


def table(path: Path, *rows: str) -> Path:
    path.write_text("\n".join(("id,name,type,worksFor@entity,ward,born:date", *rows, "")))
    return path


@pytest.mark.parametrize("replaced", [True, False])
def test_a_newer_table_names_what_the_older_one_named(tmp_path, replaced):
    april = table(tmp_path / "april.csv", "a1,Ada,doctor,Cardiology,,1950-01-10", "a2,Bob,doctor,Oncology,,1951-02-11")
    may = table(tmp_path / "may.csv", "a1,Ada,doctor,Oncology,,1950-01-10", "a3,Cid,doctor,Cardiology,,1952-02-11")
    kg = loaded(tmp_path / "my.kg", april)
    if replaced:
        loaded(kg, may, replacing=["april.csv"])
    else:
        loaded(kg, may)
        run("remove", "april.csv", "--kg", kg)
    assert same(kg, loaded(tmp_path / "fresh.kg", may, name="my"))


def test_a_table_does_not_rename_what_another_source_names_and_keeps_the_name_of_what_a_cell_names(tmp_path):
    wards = tmp_path / "wards.nt"
    wards.write_text(
        f'<urn:kgstore:my/w1> {LABEL} "Ward 1"@en .\n<urn:kgstore:my/worksFor> {LABEL} "is with"@en .\n'
        f'<http://ex/w2> {LABEL} "W 2"@en .\n'
    )
    kg = loaded(tmp_path / "my.kg", wards)
    loaded(kg, table(tmp_path / "staff.csv", "a1,Ada,doctor,w1,W 2,1950-01-10"))
    with Store(kg) as store:
        assert [store.label(f"urn:kgstore:my/{one}") for one in ("w1", "worksFor")] == ["Ward 1", "is with"]
        assert "w1" not in {t.object.value for t in store.match("urn:kgstore:my/w1")}
    run("remove", "wards.nt", "--kg", kg)
    with Store(kg) as store:
        assert store.label("http://ex/w2") == "W 2"


def test_lines_that_a_source_repeats_are_one_triple_that_goes(tmp_path):
    twice = nt(tmp_path / "twice.nt", "Ada Bob")
    twice.write_text(twice.read_text() * 2)
    kg = loaded(tmp_path / "my.kg", twice, nt(tmp_path / "x.nt", "Bob Cid"))
    assert answer("remove", "twice.nt", "--kg", kg)["removed"] == 2 and known(kg) == {"Bob Cid"}


@pytest.mark.parametrize("most", [1, 10**6])
def test_a_newer_file_takes_the_place_of_an_older_one(tmp_path, monkeypatch, most):
    monkeypatch.setattr(sources, "MOST", most)
    april, x = nt(tmp_path / "april.nt", "Ada Bob", "Bob Cid", "Cid Ada"), nt(tmp_path / "x.nt", "Cid Ada")
    kg = loaded(tmp_path / "my.kg", april, x)
    may = nt(tmp_path / "may.nt", "Ada Bob", "Bob Dan")
    summary = load([may], kg, vectors=False, embedder=tmp_path / "none", replacing=["april.nt"])
    assert summary.removed == 1 and known(kg) == {"Ada Bob", "Bob Dan", "Cid Ada"}
    assert same(kg, loaded(tmp_path / "other.kg", tmp_path / "x.nt", may))
    with Store(kg) as store:
        assert [one["name"] for one in store.ledger()] == ["x.nt", "may.nt"]
    with pytest.raises(InputError, match="no source april.nt"):
        loaded(kg, may, replacing=["april.nt"])
    assert len(layout.generations(kg)) == 2


def test_statements_that_vanished_from_a_newer_dump_are_gone(tmp_path):
    dump = Path(__file__).parent / "resources" / "bad" / "not_an_array.json"
    document = json.loads(dump.read_text().splitlines()[0])
    old, new = tmp_path / "old.json", tmp_path / "new.json"
    old.write_text(json.dumps(document))
    gone = sorted(document["claims"])[0]
    del document["claims"][gone]
    new.write_text(json.dumps(document))
    kg = loaded(tmp_path / "my.kg", old)
    run("load", new, "--kg", kg, "--replace", "old.json", "--no-vectors")
    with Store(kg) as store:
        assert not store.statements(expand(document["id"]), expand(gone))
    assert same(kg, loaded(tmp_path / "fresh.kg", new))


def test_blank_nodes_of_a_source_go_with_it(tmp_path):
    for name in ("a", "b"):
        (tmp_path / f"{name}.ttl").write_text(f"<http://ex/{name}> <http://ex/p> [ <http://ex/q> 1 ] .")
    kg = loaded(tmp_path / "my.kg", tmp_path / "a.ttl", tmp_path / "b.ttl")
    run("remove", "a.ttl", "--kg", kg)
    assert same(kg, loaded(tmp_path / "other.kg", tmp_path / "b.ttl"))


def test_triples_that_were_added_from_python_are_a_source_too(tmp_path):
    kg = loaded(tmp_path / "my.kg", nt(tmp_path / "a.nt", "Ada Bob"))
    with Store(kg, read_only=False) as store:
        new = Triple(NamedNode("http://ex/Ada"), NamedNode("http://ex/says"), Literal('"hé\n\\'))
        assert store.add([new], source="me") == 1
    run("remove", "me", "--kg", kg)
    assert known(kg) == {"Ada Bob"} and layout.read_manifest(kg).counts["triples"] == 3


def test_a_kg_without_kept_sources_says_so(tmp_path):
    kg = loaded(tmp_path / "my.kg", nt(tmp_path / "a.nt", "Ada Bob"), nt(tmp_path / "b.nt", "Ada Cid"))
    sources.source_path(current(kg), 1).unlink()
    assert "was not kept" in refused("remove", "b.nt", "--kg", kg)


@pytest.mark.parametrize("stop", ["reading", "removing"])
def test_a_replacement_that_was_interrupted_is_gone_on_with(tmp_path, monkeypatch, stop):
    a = nt(tmp_path / "a.nt", *(f"A{n} B{n}" for n in range(50)))
    new, x = nt(tmp_path / "new.nt", *(f"A{n} B{n}" for n in range(30, 900))), nt(tmp_path / "x.nt", "A1 B1")
    kg = loaded(tmp_path / "my.kg", a, x)
    monkeypatch.setattr(pipeline, "SHARD", 300)
    monkeypatch.setattr("kgstore.loaders.sources.Source.blocks.__defaults__", (10_000,))

    def interrupted(*_):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        if stop == "reading":
            mark = StoreWriter.mark
            patch.setattr(StoreWriter, "mark", lambda self, at: mark(self, at) if at["line"] < 900 else interrupted())
        else:
            patch.setattr("kgstore.ledger.remove", interrupted)
        loaded(kg, new, replacing=["a.nt"])
    summary = load([new], kg, vectors=False, embedder=tmp_path / "none", replacing=["a.nt"], resume=True)
    assert summary.continued
    assert same(kg, loaded(tmp_path / "other.kg", x, new))
    kept = [b"".join(sources.blocks(path)) for path in sorted(current(kg).glob("sources/*"))]
    assert kept[-1] == new.read_bytes() and len(kept) == 2


def test_a_removal_that_was_killed_is_not_taken_for_something_else(tmp_path, monkeypatch):
    files = [nt(tmp_path / "a.nt", "Ada Bob"), nt(tmp_path / "b.nt", "Bob Cid"), nt(tmp_path / "c.nt", "Cid Dan")]
    kg = loaded(tmp_path / "my.kg", *files[:2])

    def interrupted(*_):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt), StoreWriter(kg) as writer:
        patch.setattr("kgstore.ledger.remove", interrupted)
        writer.keep()  # as SIGKILL would leave it
        writer.remove(["a.nt"])
    for again in (lambda: loaded(kg, files[2], resume=True), lambda: rebuild_index(kg, False, resume=True)):
        with pytest.raises(InputError, match="was to remove a.nt"):
            again()
    assert known(kg) == {"Ada Bob", "Bob Cid"}
    assert known(loaded(kg, files[2])) == {"Ada Bob", "Bob Cid", "Cid Dan"}


def test_an_index_does_not_go_on_with_a_load_that_was_killed(tmp_path, monkeypatch):
    kg = loaded(tmp_path / "my.kg", nt(tmp_path / "a.nt", "Ada Bob"))
    with pytest.raises(KeyboardInterrupt), StoreWriter(kg) as writer:
        writer.bulk_load([b"<http://ex/Bob> <http://ex/knows> <http://ex/Cid> .\n"])
        writer.mark({"name": "b.nt"})
        raise KeyboardInterrupt
    with pytest.raises(InputError, match="kgstore load --resume"):
        rebuild_index(kg, False, resume=True)
    assert known(kg) == {"Ada Bob"} and layout.partials(kg)


def test_an_update_embeds_only_what_is_new_and_an_interrupted_one_goes_on(tmp_path, monkeypatch):
    monkeypatch.setattr("kgstore.vectors.SHARD", 4)
    real, made = vectors._embedded, []

    def counted(*arguments):
        if len(made) == most:
            raise KeyboardInterrupt
        rows, new = real(*arguments)
        made.append(new)
        return rows, new

    monkeypatch.setattr(vectors, "_embedded", counted)
    kg, most = tmp_path / "my.kg", 2
    with pytest.raises(KeyboardInterrupt):
        load([nt(tmp_path / "a.nt", *(f"A{n} B{n}" for n in range(10)))], kg)
    assert made == [4, 4]
    made, most = [], 10
    load([tmp_path / "a.nt"], kg, resume=True)
    assert made == [0, 0, 2] and not list(kg.rglob("vectors.begun")) and not list(kg.rglob("vectors.raw"))
    made = []
    load([nt(tmp_path / "b.nt", "A1 C1")], kg)
    assert sum(made) == 1
    with Store(kg) as store:
        assert len(store.vectors) == 11
    made = []
    rebuild_index(kg)
    assert sum(made) == 11  # anew: it is also the way to mend them
    for half, embedded in ((True, 0), (None, 11), (False, 11)):
        made = []
        rebuild_index(kg, half=half)
        with Store(kg) as store:
            assert (sum(made), store.vectors.half) == (embedded, half is not False)
    made = []
    rebuild_index(kg, half=True)
    load([nt(tmp_path / "c.nt", "A1 D1")], kg)
    with Store(kg) as store:
        assert sum(made) == 1 and store.vectors.half
    with pytest.raises(InputError, match="add --vectors"):
        rebuild_index(kg, vectors=False, half=True)


def test_an_update_derives_the_same_as_a_load_of_everything(tmp_path, monkeypatch):
    monkeypatch.setattr("kgstore.writer._FEW", 10)
    again = f"<http://ex/Ada> <http://ex/knows> <http://ex/Bob> .\n<http://ex/Ada> {LABEL} \"Ada\"@en .\n"
    texts = [
        again + f"<http://ex/knows> {LABEL} \"knows\" .\n_:x <http://ex/knows> <http://ex/Ada> .\n",
        again + f'<http://ex/Ada> {LABEL} "Augusta"@de, "Ada \\"the\\tfirst\\""@en ; <http://ex/age> 36 .\n'
        "<http://ex/knows> a <http://www.w3.org/2002/07/owl#SymmetricProperty> .\n",
        f"<http://ex/Bob> a <http://ex/Person> ; {LABEL} \"Bob\"@en ; <http://ex/age> 7, 7.0 .\n",
        again,
    ]
    files = []
    for number, text in enumerate(texts):
        files.append(tmp_path / f"{number}.ttl")
        files[-1].write_text(text)
    kg = loaded(tmp_path / "my.kg", files[0], languages=("en", "de"))
    for number, file in enumerate(files[1:], 2):
        loaded(kg, file)
        assert updates(kg) == number - 1
    updated = digests(current(kg))
    assert updated == digests(current(loaded(tmp_path / "other.kg", *files, languages=("en", "de"))))
    rebuild_index(kg, False, embedder=tmp_path / "none")
    assert updated == digests(current(kg))
    assert updates(kg) == 0


def test_wikidata_that_is_added_in_parts_is_as_if_it_came_at_once(tmp_path, monkeypatch):
    monkeypatch.setattr("kgstore.writer._FEW", 10)
    lines = (Path(__file__).parent / "resources" / "bad" / "not_an_array.json").read_text().splitlines(keepends=True)
    parts = [tmp_path / "a.json", tmp_path / "b.json"]
    parts[0].write_text("".join(lines[: len(lines) // 2]))
    parts[1].write_text("".join(lines[len(lines) // 2 - 1 :]))
    kg = loaded(loaded(tmp_path / "my.kg", parts[0]), parts[1])
    assert updates(kg) == 1
    assert same(kg, loaded(tmp_path / "other.kg", *parts))
