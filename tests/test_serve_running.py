"""`kgstore serve` as a process, on a socket of this machine: clients that are slow or die, and its end."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import sys
import time
import urllib.parse
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from SPARQLWrapper import CSV, JSON, SPARQLWrapper

from tests.serving import TEXT, free, server

pytestmark = [pytest.mark.enable_socket, pytest.mark.allow_hosts(["127.0.0.1"])]

@pytest.fixture(scope="module")
def port(small_kg) -> Iterator[int]:
    with server(small_kg) as (_, found):
        yield found


def asked(port: int, path: str, data: object = None) -> bytes:
    body = None if data is None else json.dumps(data).encode()
    headers = {"Content-Type": "application/json"} if body else {}
    with urllib.request.urlopen(urllib.request.Request(f"http://127.0.0.1:{port}{path}", body, headers)) as answer:
        found: bytes = answer.read()
        return found


def idle(port: int, seconds: float = 20) -> bool:
    """Does all work end soon?"""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if json.loads(asked(port, "/health"))["running"] == 0:
            return True
        time.sleep(0.1)
    return False


def raw(text: str, length: int | None = None) -> bytes:
    body = json.dumps({"text": text}).encode()
    head = "POST /verify/stream HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
    return f"{head}Content-Length: {length or len(body)}\r\n\r\n".encode() + body


def test_a_client_of_the_protocol_can_ask(port):
    client = SPARQLWrapper(f"http://127.0.0.1:{port}/sparql")
    client.setQuery("SELECT ?where { wd:Q42 wdt:P19 ?where }")
    client.setReturnFormat(JSON)
    assert client.query().convert()["results"]["bindings"][0]["where"]["value"].endswith("Q350")
    client.setMethod("POST")
    client.setReturnFormat(CSV)
    assert client.query().convert().decode().split() == ["where", "http://www.wikidata.org/entity/Q350"]


def test_a_client_that_dies_leaves_nothing_behind(port):
    with socket.create_connection(("127.0.0.1", port)) as client:
        client.sendall(raw(TEXT * 400))
        assert client.recv(1000).startswith(b"HTTP/1.1 200")
    started = time.monotonic()
    assert idle(port)
    assert json.loads(asked(port, "/verify", {"text": TEXT}))["label"] == "contradictory"
    assert time.monotonic() - started < 30


CLIENT = """
import socket, sys
link = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
link.sendall(sys.stdin.buffer.read())
print("sent", flush=True)
link.recv(1)
print("got", flush=True)
while link.recv(1000):
    pass
"""
ENDLESS = "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i }"


def killed(port: int, request: bytes, answered: bool) -> None:
    """A client that asks, and is killed by the system when it has sent all, or has the begin of the answer."""
    command = [sys.executable, "-c", CLIENT, str(port)]
    client = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=free())
    assert client.stdin is not None and client.stdout is not None
    client.stdin.write(request)
    client.stdin.close()
    assert client.stdout.readline() == b"sent\n"
    if answered:
        assert client.stdout.readline() == b"got\n"
    else:
        time.sleep(1)
    client.kill()
    client.wait()
    client.stdout.close()


def children(of: int) -> list[int]:
    """Processes that a process has started and that have not ended."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, parent = stat.read_text(encoding="utf-8").rpartition(")")[2].split()[:2]
        except OSError:  # it has just ended
            continue
        if int(parent) == of and state != "Z":
            found.append(int(stat.parent.name))
    return found


@pytest.mark.parametrize("path", ["/sparql", "/query"])
def test_the_query_of_a_client_that_is_killed_ends_with_it(small_kg, path):
    with server(small_kg) as (child, port):
        body = urllib.parse.urlencode({"query": ENDLESS}).encode()
        head = f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/x-www-form-urlencoded\r\n"
        started = time.monotonic()
        killed(port, f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body, answered=False)
        assert idle(port, 5) and not children(child.pid)
        assert time.monotonic() - started < 20, "the time limit of a query is 30 s"


@pytest.mark.parametrize("path", ["/verify", "/verify/stream", "/correct", "/page/verify"])
def test_the_text_of_a_client_that_is_killed_is_not_read_on(port, path):
    request = raw(TEXT * 1500).replace(b"/verify/stream", path.encode())
    killed(port, request, answered="stream" in path or "page" in path)
    assert idle(port, 30)


@pytest.mark.parametrize("part", [b"", b"GET /health HT", raw(TEXT, 5000)], ids=["nothing", "head", "body"])
def test_a_client_that_sends_too_slowly_is_sent_away(port, part):
    with socket.create_connection(("127.0.0.1", port)) as client:
        client.settimeout(20)
        client.sendall(part)
        answer = b""
        try:
            while piece := client.recv(1000):
                answer += piece
        except ConnectionResetError:
            pass
    assert answer.startswith(b"HTTP/1.1 408") == (len(part) > 100)
    assert idle(port)


def test_a_client_that_takes_nothing_is_sent_away(port):
    with socket.socket() as client:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        client.connect(("127.0.0.1", port))
        client.sendall(raw(TEXT * 300))
        assert idle(port, 60)


def test_sigterm_finishes_what_runs(small_kg):
    with server(small_kg) as (child, port), socket.create_connection(("127.0.0.1", port)) as client:
        client.sendall(raw(TEXT * 20))
        first = client.recv(1000)
        child.send_signal(signal.SIGTERM)
        rest = b"".join(iter(lambda: client.recv(100_000), b""))
        assert b"event: report" in first + rest and (first + rest).endswith(b"0\r\n\r\n")
        assert child.wait(30) in (0, -signal.SIGTERM)
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection(("127.0.0.1", port))
