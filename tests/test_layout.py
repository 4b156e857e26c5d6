from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from kgstore import layout
from kgstore.errors import FormatTooNew, InputError, NotAStore, StoreLocked, StoreNotFound
from kgstore.layout import FORMAT, Lock, Manifest, Pin

MANIFEST = Manifest(
    FORMAT, "demo", "rdfs", ("en", "de"), "000002", "f" * 64, None, "2024-01-01T00:00:00Z", {"triples": 3}
)


def make_kg(folder: Path, *generations: str) -> Path:
    for generation in generations:
        path = layout.generation_path(folder, generation)
        path.mkdir(parents=True)
        layout.write_manifest(path, replace(MANIFEST, generation=generation))
    layout.write_manifest(folder, replace(MANIFEST, generation=generations[-1]))
    return folder


@pytest.mark.parametrize("profile", ["wikidata", {"name": "own", "label": ["http://ex/l"]}])
def test_a_manifest_comes_back_as_it_was_written(tmp_path, profile):
    layout.write_manifest(tmp_path, replace(MANIFEST, profile=profile))
    assert layout.read_manifest(tmp_path) == replace(MANIFEST, profile=profile)
    assert [one.name for one in tmp_path.iterdir()] == ["manifest.json"]


def test_each_thing_that_is_no_kg_has_its_own_error(tmp_path):
    with pytest.raises(StoreNotFound):
        layout.read_manifest(tmp_path / "absent")
    with pytest.raises(NotAStore):
        layout.read_manifest(tmp_path)
    (tmp_path / "file").write_text("x")
    with pytest.raises(NotAStore):
        layout.read_manifest(tmp_path / "file")
    for content in ("", "{", "[]", '{"format": 1}', '{"format": "x"}'):
        (tmp_path / "manifest.json").write_text(content)
        with pytest.raises(NotAStore):
            layout.read_manifest(tmp_path)
    (tmp_path / "manifest.json").write_text(json.dumps({"format": FORMAT + 1, "something": "else"}))
    with pytest.raises(FormatTooNew):
        layout.read_manifest(tmp_path)


def test_what_a_later_minor_version_adds_to_the_manifest_is_ignored(tmp_path):
    layout.write_manifest(tmp_path, MANIFEST)
    table = json.loads((tmp_path / "manifest.json").read_text())
    (tmp_path / "manifest.json").write_text(json.dumps({**table, "colour": "blue"}))
    assert layout.read_manifest(tmp_path) == MANIFEST


def test_a_second_writer_is_told_who_the_first_one_is(tmp_path):
    code = "import sys, time; from kgstore.layout import Lock\nwith Lock(sys.argv[1]): print('in'); time.sleep(60)"
    command = [sys.executable, "-u", "-c", code, tmp_path / "kg"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, cwd=Path(__file__).parent.parent) as other:
        assert other.stdout.readline() == b"in\n"
        with pytest.raises(StoreLocked, match=f"process {other.pid} on"), Lock(tmp_path / "kg"):
            pass
        other.kill()
        other.wait()
    with Lock(tmp_path / "kg"):
        assert str(os.getpid()) in (tmp_path / "kg" / "writer.lock").read_text()
    assert (tmp_path / "kg" / "writer.lock").read_text() == ""


def test_a_generation_number_is_never_used_twice(tmp_path):
    make_kg(tmp_path, "000001", "000004")
    layout.generation_path(tmp_path, "000006.partial").mkdir()
    assert layout.next_generation(tmp_path) == "000007"
    assert layout.generations(tmp_path) == ["000001", "000004"]


def test_prune_keeps_the_current_generation_and_those_being_read(tmp_path):
    make_kg(tmp_path, "000001", "000002", "000003", "000004")
    layout.generation_path(tmp_path, "000005.partial").mkdir()
    pin = Pin(layout.generation_path(tmp_path, "000001"))
    assert layout.prune(tmp_path, keep=2) == ["000002", "000005.partial"]
    pin.close()
    assert layout.prune(tmp_path) == ["000001", "000003"]
    assert layout.generations(tmp_path) == ["000004"]


def test_rollback_makes_the_generation_before_current(tmp_path):
    make_kg(tmp_path, "000001", "000002")
    assert layout.rollback(tmp_path).generation == "000001"
    assert layout.read_manifest(tmp_path).generation == "000001"
    assert layout.next_generation(tmp_path) == "000003"
    with pytest.raises(InputError):
        layout.rollback(tmp_path)
    assert layout.rollback(tmp_path, "000002").generation == "000002"
