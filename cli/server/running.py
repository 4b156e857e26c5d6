"""Runs the application with uvicorn until it is told to stop."""

from __future__ import annotations

import socket
import time
from pathlib import Path
from typing import Any

import click
import uvicorn

from kgstore.cli.render import note
from kgstore.cli.server.app import application
from kgstore.cli.server.settings import Settings
from kgstore.errors import InputError
from kgstore.store import Store

CONNECTIONS = 512
"""Open at a time; one more gets 503."""


def run(settings: Settings, host: str, port: int, certificate: Path | None = None, key: Path | None = None) -> None:
    """Serve until SIGTERM or SIGINT; what runs then is finished, within its time limit.

    :raises KgError: if a KG cannot be opened
    :raises InputError: if somebody listens there already
    """
    for path in settings.named.values():
        Store(path).close()
    bound = _bound(host, port)
    scheme = "https" if certificate else "http"
    name = f"[{host}]" if ":" in host else host
    address = f"{scheme}://{name}:{bound.getsockname()[1]}/"
    note(f"opening {', '.join(settings.named)} ..")
    server = _Server(
        uvicorn.Config(
            application(settings, lambda: note(f"ready: {address}")),
            log_level="warning",
            access_log=False,
            server_header=False,
            limit_concurrency=CONNECTIONS,
            timeout_graceful_shutdown=int(settings.limits.seconds) + 1,
            ssl_certfile=certificate,
            ssl_keyfile=key,
            ws="none",
        ),
        settings.limits.slow,
    )
    try:
        server.run(sockets=[bound])
    except KeyboardInterrupt:
        pass
    finally:
        bound.close()
    if not server.started:
        click.get_current_context().exit(1)


def _bound(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    found = socket.socket(family, socket.SOCK_STREAM)
    try:
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        found.bind((host, port))
        found.listen(CONNECTIONS)  # who comes while the KGs are opened waits
    except OSError as error:
        found.close()
        reason = (error.strerror or str(error)).lower()
        raise InputError(f"cannot listen on {host}, port {port}: {reason}", "choose another with --port") from None
    return found


class _Server(uvicorn.Server):
    """Besides, ends connections on which no whole request comes: uvicorn waits for one for ever."""

    def __init__(self, config: uvicorn.Config, slow: float) -> None:
        super().__init__(config)
        self.slow = slow
        self.seen: dict[Any, float] = {}

    async def on_tick(self, counter: int) -> bool:
        if counter % 10 == 0:  # a tick is a tenth of a second
            self._sweep(time.monotonic())
        return await super().on_tick(counter)

    def _sweep(self, now: float) -> None:
        waiting = [one for one in self.server_state.connections if getattr(one, "cycle", None) is None]
        self.seen = {one: self.seen.get(one, now) for one in waiting}
        for one, since in self.seen.items():
            if now - since > self.slow and one.transport is not None:
                one.transport.abort()
