"""Server-sent events, https://html.spec.whatwg.org/multipage/server-sent-events.html"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from typing import Any, Self, TypeVar

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from kgstore.cli.render import json_bytes
from kgstore.cli.server.asking import there
from kgstore.cli.server.errors import body, refusal

T = TypeVar("T")


def event(name: str, data: Any) -> bytes:
    r"""
    >>> event("note", {"a": "b\nc"})
    b'event: note\ndata: {"a":"b\\nc"}\n\n'
    """
    return b"event: %s\ndata: %s\n\n" % (name.encode(), json_bytes(data, indent=False))


class Events(Response):
    """Sends events as they are made. If the client goes away, or takes nothing for too long, the making is stopped."""

    def __init__(self, events: AsyncGenerator[bytes, None]) -> None:
        super().__init__(media_type="text/event-stream", headers={"X-Accel-Buffering": "no"})
        del self.headers["content-length"]
        self.events = events

    @classmethod
    async def of(
        cls, request: Request, items: AsyncGenerator[T, None], told: Callable[[T], bytes]
    ) -> Self:
        """Once there is a first item: what goes wrong before it is an answer with a status of its own.

        :param told: an item as one or more events
        """
        first = await there(request, anext(items))

        async def events() -> AsyncGenerator[bytes, None]:
            async with aclosing(items):
                yield told(first)
                try:
                    async for item in items:
                        yield told(item)
                except Exception as error:
                    known = refusal(error)
                    if known.status == 500:
                        request.app.state.complain(error)
                    yield event("error", body(known.status, known.message))

        return cls(events())

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        sending = asyncio.ensure_future(self._send(send))
        gone = asyncio.ensure_future(_gone(receive))
        try:
            await asyncio.wait({sending, gone}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            gone.cancel()
            sending.cancel()
            await asyncio.gather(gone, sending, return_exceptions=True)
        if not sending.cancelled():
            sending.result()

    async def _send(self, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
        async with aclosing(self.events) as events:
            async for one in events:
                await send({"type": "http.response.body", "body": one, "more_body": True})
        await send({"type": "http.response.body", "body": b"", "more_body": False})


async def _gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
