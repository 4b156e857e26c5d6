"""Loaded by every Python process that a test starts (see conftest.py): no sockets but Unix ones there, either."""

from __future__ import annotations

import socket
from typing import Any


class _UnixOnly(socket.socket):
    """Refuses every family that could reach a network."""

    def __init__(self, family: int = -1, type: int = -1, proto: int = -1, fileno: int | None = None) -> None:
        if fileno is None and family != socket.AF_UNIX:
            raise RuntimeError("a test's child process asked for a network socket")
        super().__init__(family, type, proto, fileno)


def _refuse(*_: Any, **__: Any) -> None:
    raise RuntimeError("a test's child process asked for a network name")


socket.socket = _UnixOnly  # type: ignore[misc]
socket.getaddrinfo = socket.gethostbyname = _refuse  # type: ignore[assignment]
