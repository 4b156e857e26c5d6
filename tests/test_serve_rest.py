"""The REST interface of `kgstore serve`, asked as a client asks it."""

from __future__ import annotations

import json
import threading
import time
import xml.etree.ElementTree as xml
from collections.abc import Iterator

import pytest
from starlette.testclient import TestClient

from kgstore.cli.html.stored import read_reports
from kgstore.cli.server.settings import Limits
from kgstore.store import Store
from kgstore.verifier.pipeline import Verifier
from kgstore.verifier.report.report import report_dict
from tests.serving import TEXT, events, serving


@pytest.fixture(scope="module")
def client(small_kg) -> Iterator[TestClient]:
    with serving(small_kg) as found:
        yield found


def without_times(report):
    return {key: value for key, value in report.items() if key != "timings_ms"}


# -- texts -------------------------------------------------------------------------------------------------------------


def test_a_report_is_that_of_the_verifier(client, small_kg):
    report = client.post("/verify", json={"text": TEXT, "id": "a"}).json()
    with Store(small_kg) as store:
        assert without_times(report) == without_times(report_dict(Verifier(store).verify(TEXT, "a"), store))
    assert read_reports(json.dumps(report).encode(), "a")[0]["label"] == "contradictory"


def test_a_text_may_come_as_it_is(client):
    headers = {"Content-Type": "text/plain; charset=utf-8"}
    report = client.post("/verify?id=b", content=TEXT.encode(), headers=headers).json()
    assert (report["id"], report["text"]) == ("b", TEXT)


def test_verdicts_come_sentence_by_sentence_before_the_report(client):
    found = events(client.post("/verify/stream", json={"text": TEXT}).text)
    assert [name for name, _ in found] == ["verdicts", "verdicts", "report"]
    assert [(one["start"], one["end"]) for _, one in found[:-1]] == [(0, 36), (37, len(TEXT))]
    assert [one["label"] for _, told in found[:-1] for one in told["claims"]] == ["attributable", "contradictory"]
    assert without_times(found[-1][1]) == without_times(client.post("/verify", json={"text": TEXT}).json())


def test_what_the_rest_of_a_text_changes_is_told_again(client):
    text = "Douglas Adams was born in Cambridge.\n\nHe died in Paris.\n\nJane Belson was his spouse."
    found = events(client.post("/verify/stream", json={"text": text}).text)
    names = [name for name, _ in found]
    assert names == ["verdicts"] * 3 + ["update"] * names.count("update") + ["report"] and "update" in names
    told = {}
    for name, one in found[:-1]:
        for start in [start for start in told if one["start"] <= start < one["end"]]:
            assert name == "update", "a sentence is told once"
            del told[start]
        told.update((claim["start"], claim["label"]) for claim in one["claims"])
    report = found[-1][1]
    assert sorted(told.items()) == [(claim["start"], claim["label"]) for claim in report["claims"]]
    assert report["label"] == "contradictory"


def test_a_text_is_corrected(client):
    found = client.post("/correct", json={"text": "Douglas Adams was born in London."}).json()
    assert found["corrected"] == "Douglas Adams was born in Cambridge."
    assert found["edits"] == [{"start": 26, "end": 32, "old": "London", "new": "Cambridge"}]
    assert (found["label"], found["report"]["label"]) == ("attributable", "contradictory")


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"content": b"{", "headers": {"Content-Type": "application/json"}}, 400),
        ({"json": []}, 400),
        ({"json": {}}, 400),
        ({"json": {"text": 1}}, 400),
        ({"json": {"text": "a", "kg": 1}}, 400),
        ({"json": {"text": "a", "kg": "nobody"}}, 404),
        ({"content": b"\xff", "headers": {"Content-Type": "text/plain"}}, 400),
        ({"content": b"text=a", "headers": {"Content-Type": "application/x-www-form-urlencoded"}}, 415),
    ],
)
@pytest.mark.parametrize("path", ["/verify", "/verify/stream", "/correct"])
def test_what_is_no_text_is_refused_with_a_reason(client, path, body, status):
    found = client.post(path, **body)
    error = found.json()["error"]
    assert found.status_code == error["code"] == status and len(error["message"]) > 10


# -- the graph ---------------------------------------------------------------------------------------------------------


def test_entities_are_found_by_name(client):
    assert client.get("/entities", params={"q": "Douglas Adams"}).json()[0]["id"] == "Q42"
    found = client.get("/entities/Q42").json()
    assert found["label"] == "Douglas Adams" and "Q5" in [key.rsplit("/", 1)[1] for key in found["types"]]
    assert client.get("/entities/Q999999999").status_code == 404


def test_facts_have_ranks_and_references(client):
    given = {"entity": "Douglas Adams", "property": "place of birth", "references": "true"}
    found = client.get("/facts", params=given).json()
    assert found["entity"] == "Q42" and not found["truncated"]
    assert found["statements"][0]["labels"][2] == "Cambridge" and found["statements"][0]["rank"] == "normal"
    assert client.get("/facts", params={"entity": "Q42", "limit": 1}).json()["truncated"]
    assert client.get("/facts", params={"entity": "Q42", "property": "no such thing"}).status_code == 404
    assert client.get("/facts", params={"entity": "Q42", "limit": "0"}).status_code == 400


def test_paths_lead_from_one_to_the_other(client):
    found = client.get("/paths", params={"from": "Q42", "to": "Cambridge", "k": 1}).json()
    assert found[0][0]["subject"] == "Q42" and len(found) == 1


def test_search_finds_what_is_misspelt(client):
    assert client.get("/search", params={"q": "Duglas Adams"}).json()["entities"][0]["id"] == "Q42"
    assert client.get("/search", params={"q": "x", "by": "meaning"}).status_code == 400
    assert client.get("/search").status_code == 400


# -- SPARQL ------------------------------------------------------------------------------------------------------------

BORN = "SELECT ?where { wd:Q42 wdt:P19 ?where }"
CAMBRIDGE = "http://www.wikidata.org/entity/Q350"


def test_a_query_may_come_in_three_ways(client):
    form = {"Content-Type": "application/x-www-form-urlencoded"}
    found = [
        client.get("/sparql", params={"query": BORN}),
        client.post("/sparql", data={"query": BORN}, headers=form),
        client.post("/sparql", content=BORN, headers={"Content-Type": "application/sparql-query"}),
    ]
    assert {one.status_code for one in found} == {200}
    assert {one.json()["results"]["bindings"][0]["where"]["value"] for one in found} == {CAMBRIDGE}


def test_rows_come_in_the_form_that_is_asked_for(client):
    def asked(accept: str, query: str = BORN):
        return client.get("/sparql", params={"query": query}, headers={"Accept": accept})

    assert asked("text/csv").text.splitlines() == ["where", CAMBRIDGE]
    assert asked("text/tab-separated-values").text.splitlines() == ["?where", f"<{CAMBRIDGE}>"]
    found = asked("application/sparql-results+xml;q=0.9, image/png")
    assert found.headers["content-type"] == "application/sparql-results+xml; charset=utf-8"
    assert CAMBRIDGE in [one.text for one in xml.fromstring(found.content).iter() if one.tag.endswith("uri")]
    assert asked("application/json", "ASK { wd:Q42 wdt:P19 wd:Q84 }").json() == {"head": {}, "boolean": False}
    assert "<boolean>true" in asked("application/sparql-results+xml", "ASK { wd:Q42 ?p ?o }").text
    assert asked("image/png").status_code == 406
    construct = "CONSTRUCT WHERE { wd:Q42 wdt:P19 ?where }"
    assert asked("application/n-triples", construct).text.count("\n") == 1
    assert asked("*/*", construct).headers["content-type"].startswith("text/turtle")
    assert json.loads(asked("application/ld+json", construct).text)


def test_queries_only(client):
    update = "DELETE WHERE { ?s ?p ?o }"
    assert client.get("/sparql", params={"query": update}).status_code == 400
    assert client.post("/sparql", data={"update": update}).status_code == 403
    given = {"Content-Type": "application/sparql-update"}
    assert client.post("/sparql", content=update, headers=given).status_code == 403
    elsewhere = "SELECT * { SERVICE <http://a.example> { ?s ?p ?o } }"
    assert client.get("/sparql", params={"query": elsewhere}).status_code == 400
    assert client.get("/sparql", params={"query": "SELECT"}).json()["error"]["message"].startswith("the query does not")
    assert client.post("/sparql", data={"a": "b"}).status_code == 400
    assert "SPARQL11Query" in client.get("/sparql").text


def test_rows_and_time_of_a_query_are_limited(small_kg):
    with serving(small_kg, limits=Limits(workers=1, rows=3, query_seconds=0.5)) as client:
        found = client.get("/sparql", params={"query": "SELECT * { ?s ?p ?o }"})
        assert len(found.json()["results"]["bindings"]) == 3 and found.headers["kgstore-truncated"] == "true"
        slow = "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i }"
        assert client.get("/sparql", params={"query": slow}).status_code == 504


# -- a guard for chats -------------------------------------------------------------------------------------------------

CHAT = [
    {"role": "user", "content": "Where was Douglas Adams born?"},
    {"role": "assistant", "content": "Douglas Adams was born in London."},
    {"role": "user", "content": "Thank you."},
]


def test_the_last_answer_of_a_chat_is_checked_and_corrected(client):
    found = client.post("/v1/chat/completions", json={"model": "gpt-4", "messages": CHAT}).json()
    assert found["object"] == "chat.completion"
    assert found["choices"][0]["message"] == {"role": "assistant", "content": "Douglas Adams was born in Cambridge."}
    assert (found["kgstore"]["label"], found["kgstore"]["label_corrected"]) == ("contradictory", "attributable")
    assert found["kgstore"]["claims"][0]["evidence"]


def test_a_chat_may_be_streamed_and_come_in_parts(client):
    parts = [{"role": "assistant", "content": [{"type": "text", "text": "Douglas Adams was born in Cambridge."}]}]
    body = client.post("/v1/chat/completions", json={"messages": parts, "stream": True}).text
    *chunks, done = [line.removeprefix("data: ") for line in body.split("\n\n") if line]
    assert done == "[DONE]" and len(chunks) == 2
    assert json.loads(chunks[0])["choices"][0]["delta"]["content"] == "Douglas Adams was born in Cambridge."


def test_a_chat_without_messages_is_refused(client):
    for given in ({}, {"messages": []}, {"messages": ["a"]}, {"messages": [{"role": "assistant"}]}):
        assert client.post("/v1/chat/completions", json=given).status_code == 400
    assert client.get("/v1/models").json()["data"][0]["object"] == "model"


# -- limits ------------------------------------------------------------------------------------------------------------


def test_too_much_is_refused(small_kg):
    with serving(small_kg, limits=Limits(workers=1, text=100, body=1000)) as client:
        for path in ("/verify", "/verify/stream", "/correct", "/page/verify", "/review", "/v1/chat/completions"):
            for many in (101, 2000):
                text = "a" * many
                given = {"text": text, "claim": 1, "label": "attributable", "messages": [{"content": text}]}
                assert client.post(path, json=given).status_code == 413, path
        assert client.post("/", data={"text": "a" * 101}).status_code == 413
        assert client.post("/sparql", data={"query": "a" * 2000}).status_code == 413
        assert client.post("/verify", json={"text": TEXT}).status_code == 200


def test_too_many_are_sent_away_and_may_come_again(small_kg):
    with serving(small_kg, limits=Limits(workers=1, waiting=1)) as client:
        text, statuses = {"text": TEXT * 40}, []

        def ask():
            statuses.append(client.post("/verify", json=text))

        threads = [threading.Thread(target=ask) for _ in range(4)]
        for one in threads:
            one.start()
        for one in threads:
            one.join()
        refused = [one for one in statuses if one.status_code == 429]
        assert refused and all(int(one.headers["retry-after"]) > 0 for one in refused)
        assert [one.status_code for one in statuses if one not in refused] == [200]
        assert client.get("/health").json() == {"status": "ok", "running": 0}
        assert "kgstore_refused_total 3" in client.get("/metrics").text


def test_who_comes_when_all_places_are_taken_is_sent_away(small_kg):
    with serving(small_kg, limits=Limits(workers=1, waiting=1, query_seconds=3)) as client:
        slow = {"query": "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i }"}
        asked = threading.Thread(target=lambda: client.get("/sparql", params=slow))
        asked.start()
        while client.get("/health").json()["running"] == 0:
            time.sleep(0.01)
        body = {"text": TEXT, "claim": 1, "label": "attributable", "messages": [{"role": "assistant", "content": TEXT}]}
        for path in ("/verify", "/verify/stream", "/correct", "/page/verify", "/review", "/v1/chat/completions"):
            found = client.post(path, json=body)
            assert (found.status_code, found.headers["retry-after"]) == (429, "2"), path
        for path in ("/sparql?query=ASK{}", "/search?q=a", "/facts?entity=Q42", "/query?query=ASK{}"):
            assert client.get(path).status_code == 429, path
        asked.join()
        assert client.get("/search?q=Adams").status_code == 200


def test_what_takes_too_long_is_stopped(small_kg):
    with serving(small_kg, limits=Limits(workers=1, seconds=0.05)) as client:
        body = {"text": TEXT * 100, "messages": [{"role": "assistant", "content": TEXT * 100}]}
        for path in ("/verify", "/correct", "/v1/chat/completions"):
            assert client.post(path, json=body).status_code == 504
        body = client.post("/verify/stream", json={"text": TEXT * 100})
        assert body.status_code == 504 or events(body.text)[-1][1]["error"]["code"] == 504


# -- around it ---------------------------------------------------------------------------------------------------------


def test_metrics_are_those_of_prometheus(client):
    client.post("/verify", json={"text": TEXT})
    client.get("/no/such/<path>")
    text = client.get("/metrics").text
    assert 'kgstore_requests_total{method="POST",path="/verify",status="200"}' in text
    assert 'kgstore_claims_total{label="contradictory"}' in text and "no/such" not in text
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    assert all(float(line.rsplit(" ", 1)[1]) >= 0 for line in lines)


def test_the_description_names_every_route(client):
    from kgstore.cli.server.app import ROUTES
    from kgstore.cli.server.pages import ROUTES as PAGES

    known = client.get("/openapi.json").json()
    named = {path.replace("{name}", "{name:path}") for path in known["paths"]}
    assert named == {route.path for route in ROUTES if route not in PAGES} - {"/sparql/{kg}"}
    page = client.get("/docs").text
    assert all(path in page for path in known["paths"])


def test_the_kgs_are_listed(client, small_kg):
    [found] = client.get("/kgs").json()
    with Store(small_kg) as store:
        assert (found["name"], found["fingerprint"]) == (small_kg.stem, store.manifest.fingerprint)


def test_a_path_that_is_not_there_and_a_method_that_is_not_taken(client):
    assert client.get("/nothing").json()["error"]["code"] == 404
    assert client.delete("/verify").json()["error"]["code"] == 405


def test_nothing_is_written_to_the_kg(small_kg, client):
    def state():
        return {path: (path.stat().st_size, path.stat().st_mtime_ns) for path in small_kg.rglob("*") if path.is_file()}

    before = state()
    client.post("/correct", json={"text": TEXT})
    client.get("/sparql", params={"query": "SELECT * { ?s ?p ?o } LIMIT 1"})
    client.get("/search", params={"q": "Adams"})
    assert state() == before
