"""What the tests of the server share: an application over KGs, asked without a network."""

from __future__ import annotations

import json
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
