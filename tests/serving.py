"""What the tests of the server share: an application over KGs, asked without a network."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from starlette.testclient import TestClient

from kgstore.cli.server.app import application
from kgstore.cli.server.settings import Limits, Settings

HERE = "http://localhost"
ONE = Limits(workers=1)
TEXT = "Douglas Adams was born in Cambridge. He died in Paris."


@contextmanager
def serving(*kgs: Path, limits: Limits = ONE, **settings: Any) -> Iterator[TestClient]:
    with TestClient(application(Settings(kgs, limits, **settings)), HERE, raise_server_exceptions=False) as client:
        yield client


def events(body: str) -> list[tuple[str, Any]]:
    """Name and data of each server-sent event."""
    found = []
    for block in body.split("\n\n"):
        if block:
            name, data = block.split("\n")
            found.append((name.removeprefix("event: "), json.loads(data.removeprefix("data: "))))
    return found


CODE = """
import sys
from kgstore.cli import logs
from kgstore.cli.server.running import run
from kgstore.cli.server.settings import Limits, Settings
from pathlib import Path
with logs.started():
    run(Settings(tuple(map(Path, sys.argv[1:])), Limits(workers=1, slow=1.0)), "127.0.0.1", 0)
"""


@contextmanager
def server(*kgs: Path) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """A server that is ready, and its port."""
    command = [sys.executable, "-c", CODE, *map(str, kgs)]
    child = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=free())
    try:
        assert child.stderr is not None
        for line in child.stderr:
            if found := re.search(r"ready: http://127.0.0.1:(\d+)/", line):
                yield child, int(found[1])
                break
        else:
            raise AssertionError("the server did not start")
    finally:
        child.kill()
        child.communicate()


def free() -> dict[str, str]:
    """The environment without the guard against the network, which a server needs on loopback."""
    kept = [one for one in os.environ.get("PYTHONPATH", "").split(os.pathsep) if not one.endswith("offline")]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(kept)}
