"""A disk that is full, wherever in a load; and what a load will take, said before."""

from __future__ import annotations

import errno
import gzip
import json
import os
import subprocess
from pathlib import Path

import pytest

from kgstore import layout, lines
from kgstore.errors import DiskFull
from kgstore.loaders.filters import Filters
from kgstore.loaders.plan import plan
from kgstore.loaders.run import load
from kgstore.store import Store
from kgstore.writer import StoreWriter
from tests.test_cli import refused, run

FULL = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def nt(path: Path, count: int) -> Path:
    lines = (f'<http://ex/{n}> <http://ex/says> "{n * 7919 % 1000003:040d}" .\n' for n in range(count))
    path.write_text("".join(lines))
    return path


def raising(error):
    def fail(*_, **__):
        raise error

    return fail


def entries(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.name != layout.LOCK}


@pytest.mark.parametrize(
    ("where", "error"),
    [
        ("kgstore.graph.Graph.checkpoint", FULL),
        ("kgstore.graph.Graph.bulk_load", OSError("IO error: No space left on device: While appending")),
        ("kgstore.sources.SourceFile.write", FULL),
        ("kgstore.layout.write_json", FULL),
        ("kgstore.graph.Graph.optimize", OSError("IO error: No space left on device")),
        ("kgstore.writer.derive", raising),
        ("kgstore.lines.os.posix_fallocate", FULL),
        ("kgstore.layout.sync_tree", OSError(errno.EDQUOT, "Disk quota exceeded")),
    ],
)
def test_a_full_disk_leaves_the_kg_as_it_was(tmp_path, monkeypatch, where, error):
    kg = tmp_path / "my.kg"
    load([nt(tmp_path / "a.nt", 5)], kg, vectors=False, embedder=tmp_path / "none")
    before = entries(kg)
    if error is raising:
        from duckdb import OutOfMemoryException

        error = OutOfMemoryException("failed to offload data block .. max_temp_directory_size")
    monkeypatch.setattr(where, raising(error))
    with pytest.raises(DiskFull, match="make room"):
        load([nt(tmp_path / "b.nt", 9)], kg, vectors=False, embedder=tmp_path / "none")
    monkeypatch.undo()
    assert entries(kg) == before
    with Store(kg) as store:
        assert len(list(store.match())) == 5


def test_a_full_disk_leaves_nothing_of_a_new_kg(tmp_path, monkeypatch):
    monkeypatch.setattr("kgstore.graph.Graph.optimize", raising(FULL))
    path = nt(tmp_path / "a.nt", 5)
    with pytest.raises(DiskFull), StoreWriter(tmp_path / "my.kg") as writer:
        writer.bulk_load([path.read_bytes()])
        writer.commit(vectors=False)
    assert not (tmp_path / "my.kg").exists()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can mount a small disk")
def test_a_small_disk_is_filled_and_found_as_it_was(tmp_path):
    disk = tmp_path / "disk"
    disk.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=6m", "none", disk], capture_output=True).returncode:
        pytest.skip("mounting is not allowed here")
    try:
        kg = disk / "my.kg"
        load([nt(tmp_path / "a.nt", 50)], kg, vectors=False, embedder=tmp_path / "none")
        before = entries(disk)
        message = refused("load", nt(tmp_path / "b.nt", 60_000), "--kg", kg, "--no-vectors")
        assert "the disk is full" in message and "MB needed" in message
        assert entries(disk) == before
        with Store(kg) as store:
            assert len(list(store.match())) == 50
        with pytest.raises(OSError, match="No space"):  # without its room taken first, it would end this process
            lines.new_array(disk / "big.npy", "int64", 10**6)
    finally:
        subprocess.run(["umount", disk], check=True)


def test_plan_is_about_right_and_loads_nothing(tmp_path, monkeypatch):
    path, kg = nt(tmp_path / "b.nt", 20_000), tmp_path / "my.kg"
    monkeypatch.setattr("kgstore.loaders.plan.SAMPLE", 300_000)
    monkeypatch.setattr("kgstore.loaders.sources.Source.blocks.__defaults__", (100_000,))
    facts = json.loads(run("load", path, "-", "--kg", kg, "--no-vectors", "--plan", "--summary", "json",
                           "--format", "nt").stdout)  # fmt: skip
    assert not kg.exists() and facts["unknown"] == ["-"]
    assert 14_000 < facts["triples"] < 22_000 and 3_000 < facts["sampled"] < 10_000
    shown = run("load", path, "--kg", kg, "--no-vectors", "--plan")
    assert "about " in shown.stdout and "nothing was loaded" in shown.stderr
    summary = load([path], kg, vectors=False, embedder=tmp_path / "none")
    assert summary.disk / 3 < facts["disk"] < summary.disk * 3


def test_plan_of_a_document_reads_as_many_triples_as_it_needs(tmp_path, monkeypatch):
    path = tmp_path / "b.ttl"
    path.write_bytes(nt(tmp_path / "b.nt", 9_000).read_bytes())
    monkeypatch.setattr("kgstore.loaders.plan.TRIPLES", 1_000)
    found = plan([path], tmp_path / "my.kg", vectors=False)
    assert found.sampled == 1_000 and found.triples >= 1_000
    exact = plan([path], tmp_path / "my.kg", vectors=False, filters=Filters(limit=10))
    assert exact.triples == exact.sampled == 10


def test_a_plan_of_a_file_that_ends_early_goes_as_far_as_the_load_would(tmp_path):
    path = tmp_path / "a.nt.gz"
    path.write_bytes(gzip.compress(nt(tmp_path / "a.nt", 9_000).read_bytes())[:-2_000])
    found = plan([path], tmp_path / "my.kg", vectors=False)
    assert 0 < found.triples == load([path], tmp_path / "my.kg", vectors=False, embedder=tmp_path / "none").triples


def test_a_load_says_what_it_does_when_all_is_read(tmp_path):
    events = []
    load([nt(tmp_path / "a.nt", 5)], tmp_path / "my.kg", vectors=False, report=events.append)
    parts = list(dict.fromkeys(event.part for event in events))
    assert parts[:2] == ["read", "building the catalog"] and "building the topology" in parts
