"""What `kgstore doctor` finds, and that its advice mends it."""

from __future__ import annotations

import json
import shutil

import numpy as np
import pytest

from kgstore import layout, sources
from kgstore.doctor import examine
from kgstore.layout import Lock
from tests.test_cli import run
from tests.test_housekeeping import FIRST, SECOND, made


@pytest.fixture(scope="module")
def sound(tmp_path_factory):
    kg = made(tmp_path_factory.mktemp("sound"), FIRST, SECOND)
    run("index", "--vectors", "--kg", kg)
    return kg


@pytest.fixture
def kg(sound, tmp_path):
    return shutil.copytree(sound, tmp_path / "my.kg")


def part(kg, name):
    return layout.generation_path(kg, layout.read_manifest(kg).generation) / name


def cut(path):
    path.write_bytes(path.read_bytes()[:-1])


def flip(path):
    data = bytearray(path.read_bytes())
    data[len(data) // 3] ^= 0xFF
    path.unlink()  # generations share it
    path.write_bytes(data)


def swap(path, old, new):
    path.write_bytes(path.read_bytes().replace(old, new))


def other_numbers(path):
    np.save(path, np.load(path)[::-1])


def first_row_of_names(path):
    import duckdb

    with duckdb.connect(str(path)) as db:
        db.execute("UPDATE name SET name = 'Zed' WHERE name = 'Ada'")


HARM = [
    ("catalog/names.txt", lambda path: swap(path, b"Ada", b"Eda"), "catalog/names.txt"),
    ("topology/other.npy", other_numbers, "topology/other.npy"),
    ("catalog.duckdb", first_row_of_names, "catalog.duckdb/name"),
    ("vectors/statements.txt", lambda path: swap(path, b"Paris", b"Porto"), "vectors"),
]


def test_a_sound_kg_is_in_order(sound):
    assert [(one.what, one.problem) for one in examine(sound)] == [
        (what, "") for what in ("manifest.json", "graph", "sources", "catalog and topology", "vectors")
    ]
    done = run("doctor", "--kg", sound)
    assert done.exit_code == 0 and "is in order" in done.stderr and "✓ graph" in done.stdout


def test_what_is_wrong_with_derived_parts_is_found_and_index_mends_it(kg):
    for file, act, _ in HARM:
        act(part(kg, file))
    done = run("doctor", "--kg", kg, "--format", "json")
    faults = [one for one in json.loads(done.stdout)["findings"] if one["fault"]]
    assert done.exit_code == 1 and {one["what"] for one in faults} == {named for _, _, named in HARM}
    assert all("kgstore index" in one["mend"] for one in faults)
    run("index", "--kg", kg)
    assert run("doctor", "--kg", kg).exit_code == 0


def test_a_damaged_graph_is_found_and_rollback_mends_it(kg):
    for path in part(kg, "graph").glob("*.sst"):
        flip(path)
    (fault,) = [one for one in examine(kg) if one.fault]
    assert fault.what == "graph" and "rollback" in fault.mend
    run("rollback", "--kg", kg)
    assert not any(one.fault for one in examine(kg))


def test_a_lost_manifest_or_generation_is_found(kg):
    (kg / "manifest.json").write_text("{")
    (fault,) = examine(kg)
    assert "kgstore rollback 3" in fault.mend
    run("rollback", "3", "--kg", kg)
    shutil.rmtree(part(kg, ""))
    assert [one.what for one in examine(kg) if one.fault] == ["generation 3"]


def test_what_only_takes_room_is_no_fault(kg):
    (kg / "generations" / "000009.partial").mkdir()
    (kg / "manifest.json.7.new").write_text("")
    part(kg, "notes.txt").write_text("x")
    flip(sources.source_path(part(kg, ""), 1))
    found = {one.what: one for one in examine(kg, quick=True) if one.problem}
    assert set(found) == {"000009.partial", "manifest.json.7.new", "notes.txt"}
    assert "damaged" in next(one.problem for one in examine(kg) if one.what == "sources")
    done = run("doctor", "--kg", kg)
    assert done.exit_code == 0 and "! 000009.partial" in done.stdout
    with Lock(kg):
        assert "is writing" in next(one.problem for one in examine(kg, quick=True) if one.what == "writer.lock")


@pytest.mark.parametrize(
    ("file", "act", "named"),
    [
        ("topology/link.npy", lambda path: path.unlink(), "catalog and topology"),
        ("catalog/entities.starts.npy", cut, "catalog and topology"),
        ("vectors/property_names.npy", lambda path: np.save(path, np.load(path)[:-1]), "property names"),
        ("vectors/statements.keys.npy", cut, "vectors"),
    ],
)
def test_quick_finds_what_does_not_open(kg, file, act, named):
    act(part(kg, file))
    assert [one.what for one in examine(kg, quick=True) if one.fault] == [named]


def test_property_names_that_are_damaged_do_not_get_into_the_next_generation(kg, tmp_path):
    path = part(kg, "vectors/property_names.npy")
    np.save(path, np.load(path)[:-1])
    (tmp_path / "more.nt").write_text("<http://ex/Ada> <http://ex/bornIn> <http://ex/Rome> .\n")
    run("load", tmp_path / "more.nt", "--no-vectors", "--kg", kg)
    assert not any(one.fault for one in examine(kg, quick=True))
