"""Who may ask, and what every answer says to browsers: host, origin, token, slow clients, headers.

A page of another site can make a browser send requests here. It cannot read the answers, but a name of its own that
leads to this machine (DNS rebinding) would let it: so the Host must be one of ours. It could make the browser write a
review: so whoever names an Origin must be us, or be allowed.
"""

from __future__ import annotations

import asyncio
import hmac
import re
import time
from collections.abc import Awaitable, Callable
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from kgstore.cli.server.errors import Refused, body
from kgstore.cli.server.metrics import Metrics
from kgstore.cli.server.sessions import Sessions, cookie_name
from kgstore.cli.server.settings import LOOPBACK, Settings

OPEN = ("/health", "/login", "/static/")
"""Paths that need no token."""

HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",  # with no-referrer the Origin of our own forms would be null
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Cache-Control": "no-store",
}
"""Of every answer, unless it says otherwise."""
SHOWN = ("text/html", "text/css", "text/javascript", "text/event-stream")
"""Types that a browser is given to show or run; it is to save any other, whatever its address looks like."""
ENDINGS = {"json": "json", "xml": "xml", "csv": "csv", "values": "tsv", "turtle": "ttl", "triples": "nt"}
"""Of the name of what is saved, by the last part of its type."""


class Guard:
    """The outermost layer of the application."""

    def __init__(self, app: ASGIApp, settings: Settings, sessions: Sessions, metrics: Metrics) -> None:
        self.app, self.settings, self.sessions, self.metrics = app, settings, sessions, metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        sent = Sending(send, self._origin(headers), self.settings)
        started = time.monotonic()
        answer = self._stopped(scope, headers)
        try:
            if answer is not None:
                await answer(scope, receive, sent)
            else:
                await self.app(scope, _patient(receive, self.settings.limits.slow), sent)
        except (TimeoutError, ConnectionError):  # the client takes nothing, or is gone: there is nobody to tell
            pass
        finally:
            self.metrics.answered(scope, sent.status, time.monotonic() - started)

    def _stopped(self, scope: Scope, headers: Headers) -> Response | None:
        """The answer to whoever is not let in."""
        try:
            self._check_host(headers)
            self._check_origin(scope, headers)
        except Refused as error:
            return _refused(error.status, error.message)
        if scope["method"] == "OPTIONS" and self._origin(headers):
            return Response(status_code=204)
        if self.settings.token and not scope["path"].startswith(OPEN) and not self._known(headers):
            if scope["method"] == "GET" and "text/html" in headers.get("accept", ""):
                return RedirectResponse("/login", 303)
            message = "show the token of this server: Authorization: Bearer TOKEN"
            return _refused(401, message, {"WWW-Authenticate": "Bearer"})
        return None

    def _check_host(self, headers: Headers) -> None:
        name = hostname(headers.get("host", ""))
        if name not in (*LOOPBACK, *self.settings.hosts):
            raise Refused(421, "this server is not called that: name it with --allow-host")

    def _check_origin(self, scope: Scope, headers: Headers) -> None:
        origin = headers.get("origin")
        own = f"{scope.get('scheme', 'http')}://{headers.get('host', '')}"
        if origin is not None:
            if origin not in (own, *self.settings.origins):
                raise Refused(403, "requests from other sites are not answered: allow one with --allow-origin")
        elif headers.get("sec-fetch-site", "none") == "cross-site" and scope["method"] not in ("GET", "HEAD"):
            raise Refused(403, "requests from other sites are not answered")

    def _origin(self, headers: Headers) -> str:
        """The page elsewhere that asks, if it may."""
        origin = headers.get("origin", "")
        return origin if origin in self.settings.origins else ""

    def _known(self, headers: Headers) -> bool:
        scheme, _, token = headers.get("authorization", "").partition(" ")
        if scheme.lower() == "bearer" and same(token.strip(), self.settings.token):
            return True
        return self.sessions.holds(cookie(headers, cookie_name(self.settings.secure)))


def same(given: str, wanted: str) -> bool:
    """In a time that does not tell how much of it was right."""
    return hmac.compare_digest(given.encode(), wanted.encode())


def hostname(host: str) -> str:
    """
    >>> hostname("localhost:8080"), hostname("[::1]:80"), hostname("evil.example")
    ('localhost', '::1', 'evil.example')
    """
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""


def cookie(headers: Headers, name: str) -> str:
    for part in headers.get("cookie", "").split(";"):
        key, _, value = part.strip().partition("=")
        if key == name:
            return value
    return ""


def typed(kind: str) -> dict[str, str]:
    """The header of what is not to be shown.

    >>> typed("application/sparql-results+json"), typed("text/html; charset=utf-8")
    ({'Content-Disposition': 'attachment; filename="answer.json"'}, {})
    """
    name = kind.partition(";")[0]
    if not name or name in SHOWN:
        return {}
    ending = ENDINGS.get(re.split(r"[/+-]", name)[-1], "txt")
    return {"Content-Disposition": f'attachment; filename="answer.{ending}"'}


def _refused(status: int, message: str, headers: dict[str, str] | None = None) -> Response:
    return JSONResponse(body(status, message), status, headers)


def _patient(receive: Receive, seconds: float) -> Receive:
    """Wait for the body, but not for ever; afterwards for the client to go, as long as the work takes."""
    end, whole = time.monotonic() + seconds, False

    async def received() -> Message:
        nonlocal whole
        if whole:
            return await receive()
        try:
            async with asyncio.timeout(max(0.01, end - time.monotonic())):
                message = await receive()
        except TimeoutError:
            raise Refused(408, "the request did not come in time: send it at once") from None
        whole = message["type"] == "http.disconnect" or not message.get("more_body", False)
        return message

    return received


class Sending:
    """Adds the headers; gives up on a client that takes nothing."""

    def __init__(self, send: Callable[[Message], Awaitable[None]], origin: str, settings: Settings) -> None:
        self.own, self.origin, self.settings, self.status = send, origin, settings, 0

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            headers = MutableHeaders(scope=message)
            for name, value in (*HEADERS.items(), *typed(headers.get("content-type", "")).items()):
                headers.setdefault(name, value)
            if headers.get("content-type", "").endswith("xml"):
                headers["content-type"] += "; charset=utf-8"
            if self.settings.secure:
                headers.setdefault("Strict-Transport-Security", "max-age=31536000; includeSubDomains")
            if self.origin:
                headers["Access-Control-Allow-Origin"] = self.origin
                headers["Access-Control-Allow-Headers"] = "Authorization, Content-Type, Accept"
                headers["Access-Control-Allow-Methods"] = "GET, POST"
                headers["Cross-Origin-Resource-Policy"] = "cross-origin"
                headers.add_vary_header("Origin")
        try:
            async with asyncio.timeout(self.settings.limits.slow):
                await self.own(message)
        except TimeoutError:
            transport = getattr(getattr(self.own, "__self__", None), "transport", None)  # uvicorn's
            if transport is not None:
                transport.abort()  # close() would wait until the client has taken what was sent
            raise
