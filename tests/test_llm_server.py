"""A language model behind a server: what is asked of it, and what becomes of every kind of answer."""

from __future__ import annotations

import json
import pickle
import time
from collections.abc import Callable
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread
from typing import Any

import pytest

from kgstore.errors import InputError, KgError
from kgstore.verifier.llm import server
from kgstore.verifier.llm.prompts import CHECK, FACTS, messages, written
from kgstore.verifier.llm.server import ServerModel
from tests.test_cli import answer, refused, run

pytestmark = [pytest.mark.enable_socket, pytest.mark.allow_hosts(["127.0.0.1"])]

TEXT = "Douglas Adams was born in Cambridge."
FACT = written([("Douglas Adams", "was born in", "Cambridge")])


class Served:
    """A server in a thread. ``answers`` takes (path, body) and gives (status, JSON or bytes); ``asked`` keeps them."""

    def __init__(self, answers: Callable[[str, Any], tuple[int, Any]]) -> None:
        self.asked: list[tuple[str, Any, dict[str, str]]] = []
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                length = int(self.headers.get("Content-Length") or 0)
                body = json.loads(self.rfile.read(length)) if length else None
                outer.asked.append((self.path, body, dict(self.headers)))
                status, data = answers(self.path, body)
                data = data if isinstance(data, bytes) else json.dumps(data).encode()
                self.send_response(status)
                self.send_header("Content-Length", str(len(data)))
                if 300 <= status < 400:
                    self.send_header("Location", "/elsewhere")
                with suppress(OSError):     # the client may have gone
                    self.end_headers()
                    self.wfile.write(data)

            do_POST = do_GET

            def log_message(self, *_: object) -> None:
                pass

        self.server = HTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        self.thread = Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.01})
        self.thread.start()

    def close(self) -> None:
        self.server.shutdown()
        self.thread.join()
        self.server.server_close()


@pytest.fixture
def serve(monkeypatch):
    monkeypatch.setattr(server, "PAUSE", 0.001)
    running: list[Served] = []

    def start(answers: Callable[[str, Any], tuple[int, Any]]) -> Served:
        running.append(Served(answers))
        return running[-1]

    yield start
    for one in running:
        one.close()


def said(content: object) -> dict[str, Any]:
    return {"choices": [{"message": {"role": "assistant", "content": content}}]}


def good(path: str, body: Any) -> tuple[int, Any]:
    return 200, {"data": [{"id": "first"}, {"id": "second"}]} if path == "/v1/models" else said(FACT)


def test_the_first_model_is_asked_with_the_conversation_and_a_schema(serve):
    served = serve(good)
    assert ServerModel(served.url).ask(FACTS, TEXT, 8) == FACT
    (first, _, _), (second, body, _) = served.asked
    assert (first, second) == ("/v1/models", "/v1/chat/completions")
    assert body["model"] == "first" and body["temperature"] == 0
    assert body["messages"] == messages(FACTS, TEXT)
    assert body["response_format"]["json_schema"]["schema"]["maxItems"] == 8


def test_a_named_model_is_asked_without_looking_for_others(serve):
    served = serve(good)
    model = ServerModel(f"{served.url}/v1/", "second")
    model.ask(FACTS, TEXT, 8)
    model.ask(CHECK, "Text: A.\n1. A", 1)
    assert [(path, body["model"]) for path, body, _ in served.asked] == [("/v1/chat/completions", "second")] * 2


def test_a_server_that_knows_no_schema_is_asked_without_and_never_with_one_again(serve):
    served = serve(lambda path, body: (400, {"error": "no"}) if "response_format" in body else (200, said(FACT)))
    model = ServerModel(served.url, "m")
    assert model.ask(FACTS, TEXT, 8) == model.ask(FACTS, TEXT, 8) == FACT
    assert ["response_format" in body for _, body, _ in served.asked] == [True, False, False]


def test_free_writing_has_a_schema_only_if_asked_for_and_a_limit_in_tokens(serve):
    served = serve(good)
    model = ServerModel(served.url, "m")
    assert model.write(FACTS, TEXT, 50) == model.write(FACTS, TEXT, 50, {"type": "array"}) == FACT
    (_, free, _), (_, held, _) = served.asked
    assert "response_format" not in free and free["max_tokens"] == 50
    assert held["response_format"]["json_schema"]["schema"] == {"type": "array"}


def test_a_key_comes_from_the_environment_and_goes_to_the_server_only(serve, monkeypatch):
    served = serve(good)
    ServerModel(served.url, "m").ask(FACTS, TEXT, 8)
    monkeypatch.setenv("KGSTORE_LLM_KEY", "secret\n")
    ServerModel(served.url, "m").ask(FACTS, TEXT, 8)
    assert [headers.get("Authorization") for *_, headers in served.asked] == [None, "Bearer secret"]


def test_a_key_that_is_none_is_refused_and_not_repeated(monkeypatch):
    monkeypatch.setenv("KGSTORE_LLM_KEY", "sec\nret")
    with pytest.raises(InputError, match="KGSTORE_LLM_KEY") as failed:
        ServerModel("http://127.0.0.1:9", "m").ask(FACTS, TEXT, 8)
    assert "sec" not in str(failed.value).replace("KGSTORE", "")


def test_proxies_of_the_environment_are_not_used(serve, monkeypatch):
    served, proxy = serve(good), serve(good)
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, proxy.url)
    assert ServerModel(served.url).ask(FACTS, TEXT, 8) == FACT
    assert not proxy.asked


def test_a_busy_server_is_asked_again_a_few_times(serve):
    waits = [503, 429]
    served = serve(lambda path, body: (waits.pop(), {}) if waits else (200, said(FACT)))
    assert ServerModel(served.url, "m").ask(FACTS, TEXT, 8) == FACT
    assert len(served.asked) == 3
    served = serve(lambda path, body: (503, {"error": "loading"}))
    with pytest.raises(KgError, match="status 503 .*loading.*: see the server's log"):
        ServerModel(served.url, "m").ask(FACTS, TEXT, 8)
    assert len(served.asked) == 1 + server.RETRIES


@pytest.mark.parametrize(
    ("status", "data", "what"),
    [
        (401, {}, "put its key into KGSTORE_LLM_KEY"),
        (404, {}, "check the address and --llm-model"),
        (302, {}, "status 302"),
        (200, b"<html>", "sent no JSON"),
        (200, b"[" * 100_000, "sent no JSON"),
        (200, {"choices": []}, "sent no chat completion"),
        (200, said(None), "sent no chat completion"),
        (200, b" " * (server.MOST_BYTES + 1), "sent more than any list of facts"),
    ],
)
def test_an_answer_that_is_none_is_an_error_that_says_what_to_do(serve, status, data, what):
    served = serve(lambda path, body: (status, data))
    with pytest.raises(KgError, match=what) as failed:
        ServerModel(served.url, "m").ask(FACTS, TEXT, 8)
    assert served.url in str(failed.value) and "\n" not in str(failed.value)
    assert str(pickle.loads(pickle.dumps(failed.value))) == str(failed.value)   # it may come from another process
    assert not [path for path, *_ in served.asked if path == "/elsewhere"]


def test_a_server_without_models_is_an_error(serve):
    with pytest.raises(KgError, match="lists no model: start one there, or name it with --llm-model"):
        ServerModel(serve(lambda path, body: (200, {"data": []})).url).ask(FACTS, TEXT, 8)


def test_a_server_that_is_not_there_or_too_slow_is_an_error(serve):
    served = serve(lambda path, body: (time.sleep(0.5), (200, said(FACT)))[1])
    with pytest.raises(KgError, match="did not answer within 0.1 s: ask a smaller model"):
        ServerModel(served.url, "m", timeout=0.1).ask(FACTS, TEXT, 8)
    assert len(served.asked) == 1
    served.close()
    with pytest.raises(KgError, match="cannot be reached .*: start it, or correct --llm"):
        ServerModel(served.url, "m").ask(FACTS, TEXT, 8)


@pytest.mark.parametrize(
    "url",
    ["localhost:8080", "ftp://a", "http://", "http://a:b", "http://[", "http://a?b", "http://a b", "http://ä", ""],
)
def test_what_is_no_address_is_refused(url):
    with pytest.raises(InputError, match="not the address of a server"):
        ServerModel(url)


def test_a_password_in_the_address_is_refused_and_not_repeated():
    with pytest.raises(InputError, match="KGSTORE_LLM_KEY") as failed:
        ServerModel("http://me:hunter2@127.0.0.1")
    assert "hunter2" not in str(failed.value)


@pytest.mark.parametrize("extractor", ["llama", "combined"])
def test_verify_asks_the_server_that_is_named(small_kg, serve, extractor):
    served = serve(good)
    report = answer("verify", "--text", TEXT, "--kg", small_kg, "--extractor", extractor, "--llm", served.url)
    assert [claim["label"] for claim in report["claims"]] == ["attributable"]
    assert [path for path, *_ in served.asked] == ["/v1/models", "/v1/chat/completions"]


def test_careful_asks_about_the_sentence_and_about_the_facts(small_kg, serve):
    served = serve(good)
    run("verify", "--text", TEXT, "--kg", small_kg, "--extractor", "llama", "--careful", "--llm", served.url)
    questions = [body["messages"][-1]["content"] for _, body, _ in served.asked[1:]]
    assert [question.split(":")[0] for question in questions] == [TEXT, "Before", "Text"]


def test_the_rules_ask_no_server(small_kg, serve):
    served = serve(good)
    for more in (["--llm", served.url], ["--careful"], ["--llm-model", "m"]):
        result = run("verify", "--text", TEXT, "--kg", small_kg, *more)
        assert result.exit_code == 2 and "needs --extractor llama or combined" in result.stderr
    assert not served.asked


def test_a_server_that_fails_ends_the_command_in_one_line(small_kg, serve):
    served = serve(lambda path, body: (500, {"error": "out of memory"}))
    line = refused("verify", "--text", TEXT, "--kg", small_kg, "--extractor", "llama", "--llm", served.url)
    assert "out of memory" in line
