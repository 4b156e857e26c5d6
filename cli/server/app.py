"""The application: its routes, and what happens at its start, at its end and when something goes wrong."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp

from kgstore.cli.server import chat, pages, protocol, rest
from kgstore.cli.server.asking import answer
from kgstore.cli.server.desks import Desks
from kgstore.cli.server.errors import Refused, body, refusal
from kgstore.cli.server.guard import Guard
from kgstore.cli.server.metrics import Metrics
from kgstore.cli.server.sessions import Sessions
from kgstore.cli.server.settings import Settings
from kgstore.cli.server.templates import rendered
from kgstore.errors import KgError

_LOG = logging.getLogger(__name__)
ROUTES = [
    Route("/verify", rest.verify, methods=["POST"]),
    Route("/verify/stream", rest.verify_stream, methods=["POST"]),
    Route("/correct", rest.correct, methods=["POST"]),
    Route("/entities", rest.entities),
    Route("/entities/{name:path}", rest.entity),
    Route("/facts", rest.facts),
    Route("/paths", rest.paths),
    Route("/search", rest.search),
    Route("/sparql", protocol.sparql, methods=["GET", "POST"]),
    Route("/sparql/{kg}", protocol.sparql, methods=["GET", "POST"]),
    Route("/kgs", rest.kgs),
    Route("/health", rest.health),
    Route("/metrics", rest.metrics),
    Route("/v1/models", chat.models),
    Route("/v1/chat/completions", chat.completions, methods=["POST"]),
    *pages.ROUTES,
]


def application(settings: Settings, started: Callable[[], None] = lambda: None) -> ASGIApp:
    """The server of these KGs, as one ASGI application.

    :param started: called when it is ready to answer
    """
    metrics, sessions = Metrics(), Sessions()

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        app.state.desks = desks = Desks(settings)
        try:
            await desks.warm()
            app.state.ready = True
            started()
            yield
        finally:
            app.state.ready = False
            await asyncio.to_thread(desks.close)

    app = Starlette(
        routes=ROUTES,
        lifespan=lifespan,
        max_body_size=settings.limits.body,
        exception_handlers=dict.fromkeys((Exception, KgError, Refused, HTTPException), _failed),
    )
    app.state.ready, app.state.metrics, app.state.sessions, app.state.complain = False, metrics, sessions, complain
    return Guard(app, settings, sessions, metrics)


async def _failed(request: Request, error: Exception) -> Response:
    if isinstance(error, HTTPException):
        known = Refused(error.status_code, error.detail, dict(error.headers or {}))
    else:
        known = refusal(error)  # what is a bug of ours is raised again behind this, and logged
    if "text/html" in request.headers.get("accept", ""):  # somebody looks at it
        page = rendered(request, "error.html", known.status, message=known.message)
        page.headers.update(known.headers)
        return page
    return answer(body(known.status, known.message), known.status, known.headers)


def complain(error: Any) -> None:
    """A bug of ours, with its traceback, on stderr; texts and queries are not logged."""
    _LOG.error("this is a bug of kgstore, please report it with the lines above", exc_info=error)
