"""What a request brings, read and checked; and the answers that all endpoints share."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

import orjson
from starlette.requests import Request
from starlette.responses import Response

from kgstore.cli.render import json_bytes
from kgstore.cli.server.desks import Desk, Desks
from kgstore.cli.server.errors import GONE, Refused

T = TypeVar("T")
Json = dict[str, Any]


def desks(request: Request) -> Desks:
    found: Desks = request.app.state.desks
    return found


def answer(data: Any, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    return Response(json_bytes(data, indent=False), status, headers, "application/json")


async def fields(request: Request) -> Json:
    """The members of a JSON object; a text in UTF-8 stands for its ``text``, the query adds what is not there.

    :raises Refused: if it is of another type, or no object
    """
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    raw = await request.body()
    if kind == "text/plain":
        try:
            found: Any = {"text": raw.decode("utf-8-sig")}
        except UnicodeDecodeError:
            raise Refused(400, "the text is not UTF-8: convert it first") from None
    elif kind == "application/json":
        try:
            found = orjson.loads(raw)
        except orjson.JSONDecodeError as error:
            raise Refused(400, f"the body is not JSON ({error})") from None
    else:
        raise Refused(415, "send application/json, or text/plain")
    if not isinstance(found, dict):
        raise Refused(400, 'send an object, such as {"text": "..."}')
    return {**request.query_params, **found}


def text_of(given: Json, limit: int) -> str:
    """:raises Refused: if there is no text, or too much of it"""
    text = given.get("text")
    if not isinstance(text, str):
        raise Refused(400, 'there is no text: send {"text": "..."}')
    return fitting(text, limit)


def fitting(text: str, limit: int) -> str:
    """A text that is not too long. Halves of characters, which JSON can hold and UTF-8 cannot, become U+FFFD."""
    if len(text) > limit:
        raise Refused(413, f"the text has {len(text):,} characters, {limit:,} are read: send it in parts")
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def word(given: Json, name: str, default: str | None = None) -> str | None:
    """A string of a request; None where there is none.

    :raises Refused: if it is of another type
    """
    value = given.get(name, default)
    if value is not None and not isinstance(value, str):
        raise Refused(400, f"{name} is no string")
    return value or default


def needed(given: Json, name: str) -> str:
    value = word(given, name)
    if not value or not value.strip():
        raise Refused(400, f"{name} is missing")
    return value


def number(given: Json, name: str, default: int, most: int) -> int:
    """A whole number from 1 to ``most``.

    :raises Refused: if it is none
    """
    value = given.get(name, default)
    try:
        found = int(value)
    except (TypeError, ValueError):
        found = 0
    if isinstance(value, bool) or not 1 <= found <= most:
        raise Refused(400, f"{name} is no number from 1 to {most:,}")
    return found


def flag(given: Json, name: str) -> bool:
    value = given.get(name, False)
    return value if isinstance(value, bool) else str(value).lower() in ("1", "true", "yes", "on")


async def done(request: Request, kg: str | None, job: Callable[[Desk], T]) -> T:
    """What a desk makes of it; if the client goes away, the work is stopped."""
    return await there(request, desks(request).run(kg, job))


async def there(request: Request, awaited: Awaitable[T]) -> T:
    """What is awaited; it is cancelled if the client goes away.

    :raises Refused: then
    """
    work = asyncio.ensure_future(awaited)
    gone = asyncio.ensure_future(_gone(request))
    try:
        await asyncio.wait({work, gone}, return_when=asyncio.FIRST_COMPLETED)
        if not work.done():
            raise Refused(GONE, "nobody waits for the answer")
        return work.result()
    finally:
        gone.cancel()
        work.cancel()
        await asyncio.gather(gone, work, return_exceptions=True)


async def _gone(request: Request) -> None:
    """Ends when the client does. The body must have been read."""
    while (await request.receive())["type"] != "http.disconnect":
        pass
