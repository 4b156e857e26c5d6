"""Who is let in by `kgstore serve`, and what it tells browsers."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest
from click.testing import CliRunner
from starlette.testclient import TestClient

from kgstore.cli.main import main
from kgstore.cli.server.guard import HEADERS, Sending
from kgstore.cli.server.settings import Limits, Settings
from tests.serving import TEXT, serving

TOKEN = "a-token-of-enough-characters"


@pytest.fixture(scope="module")
def client(small_kg) -> Iterator[TestClient]:
    with serving(small_kg, origins=("https://yasgui.example",)) as found:
        yield found


@pytest.fixture(scope="module")
def closed(small_kg) -> Iterator[TestClient]:
    with serving(small_kg, token=TOKEN, hosts=("kg.example",)) as found:
        yield found


@pytest.mark.parametrize("host", ["evil.example", "localhost.evil.example", "127.0.0.1.evil.example:80", "", "[::2]"])
def test_a_name_that_is_not_ours_is_not_answered(client, host):
    """DNS rebinding."""
    assert client.get("/kgs", headers={"Host": host}).status_code == 421


@pytest.mark.parametrize("host", ["localhost:8765", "127.0.0.1", "[::1]:80", "LOCALHOST"])
def test_names_of_this_machine_are_answered(client, host):
    assert client.get("/health", headers={"Host": host}).status_code == 200


def test_another_site_cannot_ask(client):
    """Cross-site request forgery."""
    for origin in ("https://evil.example", "null", "http://localhost:1"):
        given = {"Origin": origin, "Content-Type": "text/plain"}
        assert client.post("/verify", content="a", headers=given).status_code == 403
    assert client.post("/verify", json={"text": "a"}, headers={"Sec-Fetch-Site": "cross-site"}).status_code == 403
    assert client.post("/verify", json={"text": "a"}, headers={"Origin": "http://localhost"}).status_code == 200
    assert "access-control-allow-origin" not in client.get("/kgs").headers


def test_a_site_that_is_allowed_can(client):
    site = {"Origin": "https://yasgui.example"}
    found = client.get("/sparql", params={"query": "ASK { ?s ?p ?o }"}, headers=site)
    assert found.json()["boolean"] and found.headers["access-control-allow-origin"] == site["Origin"]
    asked = client.options("/sparql", headers={**site, "Access-Control-Request-Method": "POST"})
    assert asked.status_code == 204 and "POST" in asked.headers["access-control-allow-methods"]


@pytest.mark.parametrize("path", ["/docs", "/openapi.json", "/kgs", "/no/such", "/static/page.css", "/health"])
def test_every_answer_has_the_headers(client, path):
    found = client.get(path).headers
    assert {name: found.get(name) for name in HEADERS if name != "Cache-Control"} == {
        name: value for name, value in HEADERS.items() if name != "Cache-Control"
    }
    assert found["Cache-Control"] in ("no-store", "no-cache") and "server" not in found


def test_what_is_no_page_is_saved_and_not_shown(client):
    for path, name in (("/kgs", "json"), ("/openapi.json", "json"), ("/health", "json"), ("/metrics", "txt")):
        assert client.get(path).headers["content-disposition"] == f'attachment; filename="answer.{name}"'
    rows = client.get("/sparql", params={"query": "SELECT * { ?s ?p ?o } LIMIT 1", "format": "xml"}).headers
    assert rows["content-disposition"].endswith('answer.xml"') and rows["content-type"].endswith("xml; charset=utf-8")
    for path in ("/", "/docs", "/static/page.css", "/static/page.js", "/entity?id=Q42"):
        found = client.get(path).headers
        assert "content-disposition" not in found and found["content-type"].endswith("charset=utf-8"), path


def test_the_policy_allows_no_inline_script_and_no_other_host():
    policy = HEADERS["Content-Security-Policy"]
    assert "unsafe" not in policy and "http" not in policy and "default-src 'none'" in policy


def test_without_the_token_nothing_is_told(closed):
    for path in ("/kgs", "/metrics", "/openapi.json", "/sparql", "/entities/Q42", "/docs", "/"):
        found = closed.get(path, headers={"Accept": "application/json"})
        assert found.status_code == 401 and found.headers["www-authenticate"] == "Bearer"
    for token in ("wrong", "", TOKEN[:-1], TOKEN + "x", "\u00e9".encode().decode("latin-1")):
        given = {"Authorization": f"Bearer {token}".encode("latin-1")}
        assert closed.post("/verify", json={"text": TEXT}, headers=given).status_code == 401
    assert closed.get("/health").json() == {"status": "ok", "running": 0}


def test_with_the_token_all_is_as_usual(closed):
    given = {"Authorization": f"Bearer {TOKEN}", "Host": "kg.example"}
    assert closed.post("/verify", json={"text": TEXT}, headers=given).json()["label"] == "contradictory"


def test_somebody_signs_in_and_out(closed):
    page = closed.get("/docs", headers={"Accept": "text/html"}, follow_redirects=False)
    assert (page.status_code, page.headers["location"]) == (303, "/login")
    assert closed.post("/login", data={"token": "wrong"}, follow_redirects=False).status_code == 401
    entered = closed.post("/login", data={"token": TOKEN}, follow_redirects=False)
    cookie = entered.headers["set-cookie"].lower()
    assert "httponly" in cookie and "samesite=strict" in cookie and TOKEN not in cookie
    assert closed.get("/docs").status_code == 200
    left = closed.cookies.get("kgstore")
    closed.post("/logout", follow_redirects=False)
    closed.cookies.set("kgstore", left)
    assert closed.get("/docs", headers={"Accept": "*/*"}).status_code == 401
    closed.cookies.clear()


def test_tokens_cannot_be_tried_out_quickly(small_kg):
    with serving(small_kg, token=TOKEN) as client:
        statuses = [client.post("/login", data={"token": str(n)}).status_code for n in range(12)]
        assert statuses == [401] * 10 + [429] * 2
        assert client.post("/login", data={"token": TOKEN}).status_code == 429


def test_static_files_are_ours_only(client):
    assert client.get("/static/page.css").headers["content-type"].startswith("text/css")
    for name in ("..%2fapp.py", "live.css", "%2e%2e/app.py", "page.js%00"):
        assert client.get(f"/static/{name}").status_code == 404


class Stuck:
    """A connection on which nothing gets away."""

    def __init__(self):
        self.transport, self.aborted = self, False

    def abort(self):
        self.aborted = True

    async def send(self, message):
        await asyncio.sleep(60)


def test_a_client_that_takes_nothing_is_cut_off():
    stuck = Stuck()
    sending = Sending(stuck.send, "", Settings((), Limits(slow=0.05)))
    with pytest.raises(TimeoutError):
        asyncio.run(sending({"type": "http.response.body", "body": b"x"}))
    assert stuck.aborted


def served(*arguments: str) -> str:
    done = CliRunner().invoke(main, ["serve", *arguments], standalone_mode=False)
    return str(getattr(done.exception, "message", done.exception))


def test_another_address_needs_a_token(small_kg, tmp_path, monkeypatch):
    monkeypatch.delenv("KGSTORE_TOKEN", raising=False)
    assert "name a token" in served("--kg", str(small_kg), "--host", "0.0.0.0")
    monkeypatch.setenv("KGSTORE_TOKEN", "short")
    assert "at least 16 characters" in served("--kg", str(small_kg), "--host", "0.0.0.0")


def test_what_cannot_be_served_is_told_at_once(tmp_path, small_kg):
    assert "make one with" in served("--kg", str(tmp_path / "none"))
    assert "two KGs are called" in served("--kg", str(small_kg), "--kg", str(small_kg))
    assert "no KG" in served()
