"""A guard that speaks as OpenAI's chat completions do: the last answer of a conversation goes in, and comes out checked
and corrected, so that a client which can name a server needs no other change."""

from __future__ import annotations

import secrets
import time
from collections.abc import AsyncGenerator
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from kgstore.cli.render import json_bytes
from kgstore.cli.server import work
from kgstore.cli.server.asking import answer, desks, done, fields, fitting, flag, word
from kgstore.cli.server.errors import Refused
from kgstore.cli.server.events import Events

Json = dict[str, Any]


async def models(request: Request) -> Response:
    """The KGs, each as a model."""
    listed = [{"id": name, "object": "model", "created": 0, "owned_by": "kgstore"} for name in
              desks(request).settings.named]  # fmt: skip
    return answer({"object": "list", "data": listed})


async def completions(request: Request) -> Response:
    """The corrected text as the message; what was found under ``kgstore``: label, edits, claims, coverage."""
    given = await fields(request)
    text = fitting(last_answer(given), desks(request).settings.limits.text)
    name = word(given, "model")
    kg = name if name in desks(request).settings.named else word(given, "kg")
    made = await done(request, kg, lambda desk: work.corrected(desk, text))
    report = made["report"]
    request.app.state.metrics.judged(claim["label"] for claim in report["claims"])
    found = {
        "label": report["label"],
        "label_corrected": made["label"],
        "original": text,
        "edits": made["edits"],
        "withheld": made["withheld"],
        **{key: report[key] for key in ("kg", "scores", "claims", "coverage")},
    }
    whole = _completion(desks(request).kg(kg), made["corrected"], found)
    return Events(_chunks(whole)) if flag(given, "stream") else answer(whole)


def last_answer(given: Json) -> str:
    """The text of the last message of the assistant, or else of the last message.

    :raises Refused: if there is none
    """
    messages = given.get("messages")
    if not isinstance(messages, list) or not all(isinstance(one, dict) for one in messages) or not messages:
        raise Refused(400, 'there are no messages: send {"messages": [{"role": "assistant", "content": "..."}]}')
    answers = [one for one in messages if one.get("role") == "assistant"]
    content = (answers or messages)[-1].get("content")
    if isinstance(content, list):  # in parts, of which only texts are read
        parts = [one.get("text") for one in content if isinstance(one, dict) and one.get("type") == "text"]
        content = "".join(part for part in parts if isinstance(part, str))
    if not isinstance(content, str):
        raise Refused(400, "the last answer is no text")
    return content


def _completion(kg: str, text: str, found: Json) -> Json:
    choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}
    return {
        "id": f"kgstore-{secrets.token_hex(12)}",
        "object": "chat.completion",
        "created": int(time.time()),
        "model": kg,
        "choices": [choice],
        "usage": {"prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0},
        "kgstore": found,
    }


async def _chunks(whole: Json) -> AsyncGenerator[bytes, None]:
    """The same as a stream of one piece: nothing is sent before all of it is checked."""
    content = whole["choices"][0]["message"]
    rest = {key: whole[key] for key in ("id", "created", "model")} | {"object": "chat.completion.chunk"}
    pieces = [({**content}, None, {"kgstore": whole["kgstore"]}), ({}, "stop", {})]
    for delta, reason, more in pieces:
        choice = {"index": 0, "delta": delta, "finish_reason": reason}
        yield b"data: " + json_bytes({**rest, "choices": [choice], **more}, indent=False) + b"\n\n"
    yield b"data: [DONE]\n\n"
