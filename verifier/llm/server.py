"""A language model behind a server of the closed network: llama-server, Ollama, vLLM, or another like OpenAI's.

Nothing but the named server is asked: no proxy of the environment, no redirect. A key, where the server wants one, is
read from ``KGSTORE_LLM_KEY``, so that it appears in no list of processes.
"""

from __future__ import annotations

import json
import logging
import os
import ssl
import time
from functools import cached_property
from typing import Any
from urllib.parse import urlsplit

import httpx

from kgstore.errors import InputError, KgError
from kgstore.verifier.llm.prompts import KEYS, Task, messages

_log = logging.getLogger(__name__)
KEY = "KGSTORE_LLM_KEY"

TIMEOUT = 300.0
"""Seconds for one reply: a CPU may need minutes to write it."""

RETRIES = 2
"""How often a question is asked again when the connection breaks or the server is busy."""

PAUSE = 0.5
"""Seconds before the first retry; twice as long before the next."""

_OTHER = "check that the address is that of an OpenAI-like server"
MOST_BYTES = 4_000_000
FACT_TOKENS = 48
_BUSY = (429, 500, 502, 503, 504)
_NO_SUCH_FORMAT = (400, 404, 415, 422, 501)


class ServerFailed(KgError):
    """The server of the language model cannot be reached, or gives no answer that we can read.

    :param status: of its answer; 0 if there was none
    """

    def __init__(self, url: str, why: str, instead: str, status: int = 0) -> None:
        super().__init__(url, why, instead, status)
        self.url, self.why, self.instead, self.status = url, why, instead, status

    def __str__(self) -> str:
        return f"the language model at {self.url} {self.why}: {self.instead}"


class ServerModel:
    """A `ChatModel` behind ``/v1/chat/completions``. The server is first asked at the first question.

    :param url: ``http://host:port``, with or without ``/v1`` at its end
    :param name: which of the server's models; None means the first that it lists
    :param room: characters of text that one question may bring
    :raises InputError: if ``url`` is no address of a server
    """

    def __init__(self, url: str, name: str | None = None, *, room: int = 3000, timeout: float = TIMEOUT) -> None:
        try:
            parts = urlsplit(url)
            parts.port  # raises, if it is none  # noqa: B018
        except ValueError:
            parts = urlsplit("")
        plain = url.isascii() and url.isprintable() and " " not in url
        if not plain or parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.fragment:
            raise InputError(f"{url!r} is not the address of a server", "write it like http://127.0.0.1:8080")
        if parts.username is not None:
            raise InputError("the address of the server holds a password", f"put the server's key into {KEY}")
        self.url, self.room, self.timeout = url, room, timeout
        path = parts.path.rstrip("/")
        path = path if path.endswith("/v1") else f"{path}/v1"
        self._root = f"{parts.scheme}://{parts.netloc}{path}"
        self._name = name
        self._schema = True     # until the server refuses one

    @cached_property
    def name(self) -> str:
        """The model that is asked."""
        if self._name:
            return self._name
        match self._send("GET", "/models"):
            case {"data": [{"id": str(name)}, *_]}:
                return name
        raise ServerFailed(self.url, "lists no model", "start one there, or name it with --llm-model")

    def size(self, text: str) -> int:
        """Characters: how a server counts tokens is not known."""
        return len(text)

    def ask(self, task: Task, question: str, most: int) -> str:
        """The reply as it is; held to a JSON schema where the server knows how.

        :raises ServerFailed: if there is no reply
        """
        most_tokens = 64 + most * (8 if task.judges else FACT_TOKENS)
        return self._said(task, question, most_tokens, reply_schema(task, most))

    def write(self, task: Task, question: str, most: int, schema: dict[str, Any] | None = None) -> str:
        """Text, or JSON of a schema where the server knows how.

        :raises ServerFailed: if there is no reply
        """
        return self._said(task, question, most, schema)

    def _said(self, task: Task, question: str, most: int, schema: dict[str, Any] | None) -> str:
        body = {
            "model": self.name,
            "messages": messages(task, question),
            "temperature": 0,
            "seed": 0,
            "max_tokens": most,
        }
        if schema is not None and self._schema:
            named = {"name": task.name, "strict": True, "schema": schema}
            try:
                return self._reply({**body, "response_format": {"type": "json_schema", "json_schema": named}})
            except ServerFailed as refused:
                if refused.status not in _NO_SUCH_FORMAT:
                    raise
                reply = self._reply(body)   # raises if it was something else that the server refused
                self._schema = False
                return reply
        return self._reply(body)

    def close(self) -> None:
        """Nothing is held: every question is a connection of its own."""

    def _reply(self, body: dict[str, Any]) -> str:
        match self._send("POST", "/chat/completions", body):
            case {"choices": [{"message": {"content": str(content)}}, *_]}:
                return content
        raise ServerFailed(self.url, "sent no chat completion", _OTHER)

    def _send(self, method: str, path: str, body: Any = None) -> Any:
        """The JSON that the server answers; asked again, a few times, while it is busy or the connection breaks."""
        for again in range(RETRIES + 1):
            if again:
                time.sleep(PAUSE * 2 ** (again - 1))
            try:
                status, data = self._exchange(method, path, body)
            except (TimeoutError, httpx.TimeoutException):
                why = f"did not answer within {self.timeout:g} s"
                raise ServerFailed(self.url, why, "ask a smaller model or a faster machine") from None
            except (OSError, httpx.HTTPError) as error:
                failed = ServerFailed(self.url, f"cannot be reached ({error})", "start it, or correct --llm")
                continue
            if status not in _BUSY:
                break
            failed = _refused(self.url, status, data)
        else:
            raise failed from None
        if status != 200:
            raise _refused(self.url, status, data)
        try:
            return json.loads(data)
        except (ValueError, RecursionError):
            raise ServerFailed(self.url, "sent no JSON", _OTHER) from None

    def _exchange(self, method: str, path: str, body: Any) -> tuple[int, bytes]:
        """One request on a connection of its own, straight to the server: no proxy, no redirect."""
        headers = {"Accept": "application/json", "Accept-Encoding": "identity", "Content-Type": "application/json"}
        if key := os.environ.get(KEY, "").strip():
            if not (key.isascii() and key.isprintable()):
                raise InputError(f"{KEY} holds more than a key", "set it to the key alone")
            headers["Authorization"] = f"Bearer {key}"
        sent = None if body is None else json.dumps(body).encode("utf-8", "replace")
        # the system's authorities, among them those of a closed network, and not certifi's
        trusted = ssl.create_default_context() if self._root.startswith("https") else False
        with (
            httpx.Client(trust_env=False, verify=trusted, timeout=self.timeout) as client,
            client.stream(method, self._root + path, content=sent, headers=headers) as answer,
        ):
            data = self._read(answer)
            _log.debug("%s %s %d, %d bytes", method, self.url + path, answer.status_code, len(data))
            return answer.status_code, data

    def _read(self, answer: httpx.Response) -> bytes:
        """The whole answer, unless it is too long or comes too slowly."""
        until, data = time.monotonic() + self.timeout, b""
        for piece in answer.iter_raw(65536):
            data += piece
            if time.monotonic() > until:
                raise TimeoutError
            if len(data) > MOST_BYTES:
                raise ServerFailed(self.url, "sent more than any list of facts", "name another model with --llm-model")
        return data


def _refused(url: str, status: int, data: bytes) -> ServerFailed:
    """The server answered, but not with what was asked for."""
    said = " ".join(data[:200].decode("utf-8", "replace").split()) or httpx.codes.get_reason_phrase(status)
    instead = {
        401: f"put its key into {KEY}",
        403: f"put its key into {KEY}",
        404: "check the address and --llm-model",
    }.get(status, "see the server's log, or name another model with --llm-model")
    return ServerFailed(url, f"answered with status {status} ({said})", instead, status)


def reply_schema(task: Task, most: int) -> dict[str, Any]:
    """What the reply to a task must look like, as JSON Schema: at most ``most`` facts, or ``most`` answers."""
    text = {"type": "string", "maxLength": 120}
    fact = {
        "type": "object",
        "properties": dict.fromkeys(KEYS, text),
        "required": list(KEYS),
        "additionalProperties": False,
    }
    items = {"type": "string", "enum": ["yes", "no"]} if task.judges else fact
    return {"type": "array", "items": items, "minItems": most if task.judges else 0, "maxItems": most}
