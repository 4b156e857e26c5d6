"""Parts of the server, each asked by itself: no KG is opened and nothing listens."""

from __future__ import annotations

import asyncio
import json
import socket
from pathlib import Path

import pytest

from kgstore.cli.html.view import view
from kgstore.cli.server import sessions
from kgstore.cli.server.asking import fitting, flag, needed, number, there, word
from kgstore.cli.server.chat import last_answer
from kgstore.cli.server.checking import pairs, worst_first
from kgstore.cli.server.desks import Watch, WatchedStore
from kgstore.cli.server.errors import Refused, TimeUp
from kgstore.cli.server.metrics import Metrics
from kgstore.cli.server.openapi import description
from kgstore.cli.server.querying import laid_out
from kgstore.cli.server.rest import untold
from kgstore.cli.server.review import tally
from kgstore.cli.server.running import run
from kgstore.cli.server.sessions import Sessions
from kgstore.cli.server.settings import Settings
from kgstore.cli.server.walking import FEW, neighbours
from kgstore.errors import InputError
from kgstore.sparql import Result
from kgstore.verifier.claims import Label


@pytest.mark.parametrize(
    ("read", "said"),
    [
        (lambda: needed({"q": " "}, "q"), "q is missing"),
        (lambda: word({"q": 1}, "q"), "q is no string"),
        (lambda: number({"k": True}, "k", 4, 20), "no number from 1 to 20"),
        (lambda: number({"k": "21"}, "k", 4, 20), "no number from 1 to 20"),
        (lambda: fitting("abc", 2), "send it in parts"),
        (lambda: last_answer({"messages": []}), "there are no messages"),
        (lambda: last_answer({"messages": [{"content": 1}]}), "no text"),
    ],
)
def test_what_a_request_brings_is_checked(read, said):
    with pytest.raises(Refused, match=said):
        read()


def test_what_a_request_brings_is_read():
    assert (number({}, "k", 4, 20), number({"k": "7"}, "k", 4, 20), word({"q": "a"}, "q")) == (4, 7, "a")
    assert flag({"x": "on"}, "x") and not flag({"x": "off"}, "x")
    assert fitting("a\ud800", 9) == "a\ufffd", "half a character is none"
    parts = [{"type": "text", "text": "It "}, {"type": "image"}, {"type": "text", "text": "rains."}]
    asked = [{"role": "assistant", "content": parts}, {"role": "user", "content": "Is that so?"}]
    assert last_answer({"messages": asked}) == "It rains."


def test_work_ends_when_the_client_goes():
    class Gone:
        async def receive(self) -> dict[str, str]:
            return {"type": "http.disconnect"}

    with pytest.raises(Refused, match="nobody waits"):
        asyncio.run(there(Gone(), asyncio.sleep(60)))


def test_a_watch_stops_what_asks_the_store():
    store, watch = WatchedStore(), Watch()
    store.watch = watch
    assert store.label("http://ex/a") == "http://ex/a"
    watch.stopped = True
    for ask in (store.label, store.statements, store.match, lambda one: store.paths([one], [one])):
        with pytest.raises(TimeUp):
            ask("http://ex/a")


def claim(text: str, label: Label, confidence: float) -> dict:
    start = "Ann. Bob. Cat.".index(text)
    return {
        "start": start, "end": start + len(text), "text": text, "label": label.value, "confidence": confidence,
        "triple": [text, "is", "x"], "evidence": [], "paths": [], "correction": None, "method": "", "explanation": "",
        "why_not": None, "probabilities": {}, "scores": {}, "features": {},
    }  # fmt: skip


def test_the_worst_claims_come_first_and_two_reports_stand_side_by_side():
    claims = [claim("Ann", Label.ATTRIBUTABLE, 0.9), claim("Bob", Label.CONTRADICTORY, 0.8),
              claim("Cat", Label.CONTRADICTORY, 0.9)]  # fmt: skip
    report = {"text": "Ann. Bob. Cat.", "label": "contradictory", "claims": claims, "kg": {}, "id": None, "scores": {},
              "entities": [], "coverage": {"language": "en", "sentences": 3, "read": 3, "unread": []}}  # fmt: skip
    assert [one.raw["text"] for one in worst_first(view(report, 1))] == ["Cat", "Bob", "Ann"]
    other = {"claims": [claim("Ann", Label.EXTRAPOLATORY, 0.9), claims[1]]}
    assert [(one.text, one.differs) for one in pairs(report, other)] == [("Ann", True), ("Bob", False), ("Cat", True)]


def test_requests_are_counted_by_route_and_took_their_time():
    metrics = Metrics()
    metrics.answered({"method": "PUT", "route": None}, 404, 0.2)
    metrics.judged(["attributable"])
    said = metrics.text(1, 2).splitlines()
    assert 'kgstore_requests_total{method="other",path="other",status="404"} 1' in said
    assert 'kgstore_request_seconds_bucket{path="other",le="0.25"} 1' in said
    assert {'kgstore_claims_total{label="attributable"} 1', "kgstore_running 1", "kgstore_refused_total 2"} <= set(said)


def test_the_description_for_machines_leads_nowhere_outside():
    found = description()
    schemas = set(found["components"]["schemas"])
    named = json.dumps(found).split('"#/components/schemas/')[1:]
    assert {one.partition('"')[0] for one in named} <= schemas and "report" in schemas
    assert "post" in found["paths"]["/verify"] and "get" in found["paths"]["/entities/{name}"]


def test_an_answer_without_rows_is_laid_out():
    assert laid_out(True, None) == {"said": True}
    shown = laid_out(Result(("a",), [(None,)], False), None)
    assert (len(shown["rows"]), shown["truncated"], shown["rings"]) == (1, False, ())
    assert untold("others have the name, too") is None


def test_a_name_of_a_session_holds_until_it_ends(monkeypatch):
    kept = Sessions()
    name = kept.start()
    assert kept.holds(name) and not kept.holds("other")
    kept.end(name)
    assert not kept.holds(name)
    monkeypatch.setattr(sessions, "MOST", 1)
    first, second = kept.start(), kept.start()
    assert kept.holds(second) and not kept.holds(first), "a new one drives out the oldest"
    for _ in range(sessions.TRIES):
        assert kept.may_try()
        kept.tried()
    assert not kept.may_try()
    assert sessions.cookie_name(True).startswith("__Host-")


def test_neighbours_are_drawn_wide_and_narrow():
    entity = {"label": "Ann", "id": "ann", "iri": "http://ex/ann"}
    out = [{"predicate": f"p{at}", "object": f"o{at}", "labels": ["Ann", f"has {at}", f"O{at}"]} for at in range(9)]
    wide, narrow = neighbours(entity, out, [])
    assert len(wide.boxes) == 10 and len(narrow.boxes) == FEW + 1
    assert wide.width > narrow.width and "Ann" in wide.words


def test_nothing_is_said_of_accusations_that_nobody_reviewed(tmp_path):
    class Desks:
        settings = Settings((tmp_path / "a.kg",))

        def kg(self, name: str | None) -> str:
            return name or next(iter(self.settings.named))

    assert tally(Desks(), None) == ""


@pytest.mark.enable_socket
def test_a_port_that_is_taken_is_named():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        with pytest.raises(InputError, match="cannot listen on 127.0.0.1"):
            run(Settings(()), "127.0.0.1", taken.getsockname()[1], Path("none"))
