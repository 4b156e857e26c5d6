"""A writer that ends between any two of its fsyncs, with what it had not forced to the disk lost."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from kgstore import layout
from kgstore.store import Store
from kgstore.writer import StoreWriter

ROOT = Path(__file__).parent.parent
OLD, NEW = (b"<http://ex/%s> <http://ex/bornIn> <http://ex/London> .\n" % name for name in (b"Ada", b"Bob"))

LOSES_POWER = """
import os, shutil, signal, sys
from pathlib import Path
from kgstore import layout, writer

safe, left, real = {}, 0, os.fsync

def lose(kg):
    '''Cut every file that changed after its last fsync; Oxigraph forces those of a graph that is being written.'''
    for path in kg.rglob("*"):
        if path.is_file() and path.name != "writer.lock" and not (path.parent.name == "graph" and writing(path)):
            state = path.stat()
            if safe.get(state.st_ino) != (state.st_size, state.st_mtime_ns):
                os.truncate(path, state.st_size // 2)

def writing(path):
    return path.parent.parent.name.endswith(layout.PARTIAL)

def fsync(handle):
    global left
    left -= 1
    if not left:
        lose(kg)
        os.kill(os.getpid(), signal.SIGKILL)
    real(handle)
    state = os.fstat(handle)
    safe[state.st_ino] = state.st_size, state.st_mtime_ns

def derive(graph, profile, folder, *rest):
    (folder / "topology").mkdir()
    (folder / "topology" / "start.npy").write_bytes(b"x" * 100)
    return {"triples": len(graph)}, None

os.fsync, writer.derive = fsync, derive
old, count, step = Path(sys.argv[1]), 0, int(sys.argv[2])
while True:
    count += step
    kg = old.with_name(f"{count}.kg")
    if old.exists():
        shutil.copytree(old, kg)
        safe = {path.stat().st_ino: (path.stat().st_size, path.stat().st_mtime_ns) for path in kg.rglob("*")}
    child = os.fork()
    if not child:
        left = count
        with writer.StoreWriter(kg) as one:
            one.bulk_load([b"<http://ex/Bob> <http://ex/bornIn> <http://ex/London> .\\n"])
            one.mark({"name": "more"})
            one.ledger({"name": "more", "sha256": "2" * 64})
            one.commit(vectors=False)
        os._exit(0)
    if not os.waitpid(child, 0)[1]:
        break
print(count)
"""


@pytest.fixture
def ram(tmp_path):
    """A folder where fsync takes no time, if there is one."""
    if not os.access("/dev/shm", os.W_OK):
        yield tmp_path
        return
    with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
        yield Path(folder)


@pytest.mark.parametrize("existing", [True, False])
def test_after_a_loss_of_power_a_kg_is_in_the_old_or_the_new_state_and_can_be_resumed(ram, monkeypatch, existing):
    monkeypatch.setattr("kgstore.writer.derive", lambda graph, *_: ({"triples": len(graph)}, None))
    old = ram / "old.kg"
    if existing:
        with StoreWriter(old) as writer:
            writer.bulk_load([OLD])
            writer.ledger({"name": "old", "sha256": "1" * 64})
            writer.commit(vectors=False)
    step = 1 if existing else 4
    command = [sys.executable, "-W", "ignore", "-c", LOSES_POWER, str(old), str(step)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True, timeout=120)
    count, states = int(done.stdout), set()
    assert count > 10
    for number in range(step, count + 1, step):
        kg = ram / f"{number}.kg"
        if existing or (kg / "manifest.json").exists():
            states.add(triples(kg))
        if number % 4 and number < count - 7:  # most end alike
            continue
        with StoreWriter(kg, resume=True) as writer:
            writer.bulk_load([NEW])
            writer.commit(vectors=False)
        assert triples(kg) == 1 + existing
        assert not list(kg.rglob(layout.BASE)) and not list(kg.rglob("*.new")) and not layout.partials(kg)
    assert states == ({1, 2} if existing else {1})


def triples(kg: Path) -> int:
    with Store(kg) as store:
        assert store.manifest.counts["triples"] == len(store.graph)
        derived = list(store.graph.path.parent.glob("topology/start.npy"))
        assert [path.stat().st_size for path in derived] in ([], [100])
        return len(store.graph)
