"""Locks on files: those of this system, and portalocker's, which Windows gets."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from kgstore import locks
from kgstore.errors import StoreLocked
from kgstore.layout import Lock, writing


@pytest.fixture(params=["flock", "portalocker"], autouse=True)
def kind(request, monkeypatch):
    if request.param == "portalocker":
        pytest.importorskip("portalocker")
        monkeypatch.setattr(locks, "fcntl", None)
    return request.param


def test_shared_locks_go_together_and_others_do_not(tmp_path):
    (tmp_path / "a").touch()
    one, other = (os.open(tmp_path / "a", os.O_RDWR | locks.OPEN) for _ in range(2))
    try:
        assert locks.locked(one, shared=True) and locks.locked(other, shared=True, wait=True)
        assert not locks.locked(one)
        os.close(other)
        assert locks.locked(one)
        other = os.open(tmp_path / "a", os.O_RDWR | locks.OPEN)
        assert not locks.locked(other) and not locks.locked(other, shared=True)
    finally:
        os.close(one)
        os.close(other)


def test_the_owner_is_named_and_a_process_that_ends_lets_go(tmp_path, kind):
    folder = tmp_path / "a.kg"
    hold = f"from kgstore import locks\nlocks.fcntl = None if {kind!r} == 'portalocker' else locks.fcntl\n"
    hold += f"from kgstore.layout import Lock\nfrom pathlib import Path\nLock(Path({str(folder)!r})).__enter__()\n"
    hold += "print('held', flush=True)\ninput()"
    with subprocess.Popen([sys.executable, "-c", hold], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        assert child.stdout.readline() == b"held\n"
        assert f"process {child.pid} " in writing(folder)
        with pytest.raises(StoreLocked, match=f"process {child.pid} "), Lock(folder):
            pass
        child.kill()
    assert writing(folder) == ""
    with Lock(folder):
        assert f"process {os.getpid()} " in writing(folder)
