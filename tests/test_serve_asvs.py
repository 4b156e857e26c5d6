"""Points of OWASP ASVS, level 1, that no other test is about; and that docs/security-asvs.md names tests that exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner
from starlette.testclient import TestClient

from kgstore.cli.main import main
from kgstore.cli.server.app import application
from kgstore.cli.server.settings import Settings
from kgstore.cli.server.templates import HERE, SCRIPTS
from tests.serving import ONE, TEXT, serving

ROOT = Path(__file__).parent.parent
TOKEN = "a-token-of-enough-characters"
ROWS = [
    [cell.strip() for cell in line.strip("|").split(" | ")]
    for line in (ROOT / "docs" / "security-asvs.md").read_text(encoding="utf-8").splitlines()
    if re.match(r"\| \d", line)
]


LEVEL_1 = (
    "2.1.1-12 2.2.1-3 2.3.1 2.5.1-6 2.7.1-4 2.8.1 3.1.1 3.2.1-3 3.3.1-2 3.4.1-5 3.7.1 4.1.1-3 4.1.5 4.2.1-2 4.3.1-2 "
    "5.1.1-5 5.2.1-8 5.3.1-10 5.5.1-4 6.2.1 7.1.1-2 7.4.1 8.2.1-3 8.3.1-4 9.1.1-3 10.3.1-3 11.1.1-5 12.1.1 12.3.1-5 "
    "12.4.1-2 12.5.1-2 12.6.1 13.1.1 13.1.3 13.2.1-3 13.3.1 14.2.1-3 14.3.2-3 14.4.1-7 14.5.1-3"
)
"""The points of level 1 in version 4.0.3."""


def each(points: str) -> list[str]:
    """
    >>> each("2.1.1-3 2.2.1")
    ['2.1.1', '2.1.2', '2.1.3', '2.2.1']
    """
    found = []
    for one in points.split():
        section, _, span = one.rpartition(".")
        first, _, last = span.partition("-")
        found += [f"{section}.{at}" for at in range(int(first), int(last or first) + 1)]
    return found


def test_the_table_goes_through_all_points_of_the_level_once():
    words = " ".join(points for points, *_ in ROWS).replace(",", " ")
    named = each(re.sub(r"–(?:\d+\.\d+\.)?", "-", words))
    assert sorted(named) == sorted(each(LEVEL_1)) and len(named) == 128


def test_the_table_names_tests_that_exist():
    known = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "tests").glob("test_*.py"))
    assert len(ROWS) > 40
    for points, _, how, *test in ROWS:
        names = re.findall(r"`(test_\w+)`", " ".join(test))
        assert names or "does not apply" in how, points
        assert all(f"def {name}(" in known for name in names), points


def test_a_session_is_never_in_an_address(small_kg):
    with serving(small_kg, token=TOKEN) as client:
        for name in ("token", "access_token", "kgstore"):
            assert client.get("/kgs", params={name: TOKEN}).status_code == 401
        entered = client.post("/login", data={"token": TOKEN}, follow_redirects=False)
        assert entered.headers["location"] == "/"


def test_a_cookie_of_https_is_bound_to_it(small_kg):
    settings = Settings((small_kg,), ONE, token=TOKEN, secure=True)
    with TestClient(application(settings), "https://localhost", raise_server_exceptions=False) as client:
        entered = client.post("/login", data={"token": TOKEN}, follow_redirects=False)
        cookie = entered.headers["set-cookie"]
        assert cookie.startswith("__Host-kgstore=") and "Path=/" in cookie and "Domain" not in cookie
        assert "Secure" in cookie and "HttpOnly" in cookie and "SameSite=strict" in cookie
        assert client.get("/kgs").status_code == 200
        assert "max-age" in client.get("/kgs").headers["strict-transport-security"]


def test_a_query_that_is_given_twice_is_refused(small_kg):
    with serving(small_kg) as client:
        twice = [("query", "ASK { ?s ?p ?o }"), ("query", "SELECT * { ?s ?p ?o }")]
        assert client.get("/sparql", params=twice).status_code == 400


def test_nothing_of_a_text_is_logged(small_kg, capfd):
    with serving(small_kg) as client:
        client.post("/verify", json={"text": TEXT})
        client.get("/sparql", params={"query": "SELECT secret"})
        client.get("/entity", params={"id": "secret"})
    said = "".join(capfd.readouterr())
    assert "Adams" not in said and "secret" not in said


@pytest.mark.parametrize("name", SCRIPTS)
def test_the_scripts_keep_nothing(name):
    script = (HERE / "static" / name).read_text(encoding="utf-8")
    assert not re.search(r"localStorage|sessionStorage|indexedDB|document\.cookie|eval\(|new Function|https?:", script)


def test_a_certificate_may_be_named(small_kg, tmp_path):
    options = {one.name: one for one in main.get_command(None, "serve").params}
    assert {"certificate", "key"} <= set(options)
    key = tmp_path / "key.pem"
    key.write_text("no key")
    done = CliRunner().invoke(main, ["serve", "--kg", str(small_kg), "--key", str(key)], standalone_mode=False)
    assert "name it with --certificate" in str(getattr(done.exception, "message", ""))
