"""The tools of `kgstore mcp`, called by the official client: in this process, and over the pipes of a real one."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

pytest.importorskip("mcp")
from mcp import Client, StdioServerParameters

from kgstore.cli.server import mcp, work
from kgstore.cli.server.settings import Limits, Settings
from tests.test_cli import answer, refused

WRONG = "Douglas Adams was born in London."
TOOLS = ["verify", "correct", "entity", "facts", "path", "search", "sparql"]
Session = Callable[[Client], Awaitable[Any]]


def asked(server: Any, session: Session) -> Any:
    async def whole() -> Any:
        async with Client(server) as client:
            return await session(client)

    return asyncio.run(whole())


def calls(kg, *wanted: tuple[str, dict[str, Any]], **limits: Any) -> list[tuple[bool, Any]]:
    """Whether each call failed, and its answer or message."""

    async def session(client: Client) -> list[tuple[bool, Any]]:
        done = [await client.call_tool(name, arguments) for name, arguments in wanted]
        return [(one.is_error, one.content[0].text if one.is_error else one.structured_content) for one in done]

    return asked(mcp.server(Settings((kg,), Limits(workers=1, **limits))), session)


def called(kg, name: str, **limits_and_arguments: Any) -> Any:
    [(failed, found)] = calls(kg, (name, limits_and_arguments))
    assert not failed, found
    return found


def test_all_tools_only_read_and_say_what_they_take(small_kg):
    async def session(client: Client) -> Any:
        return (await client.list_tools()).tools

    tools = asked(mcp.server(Settings((small_kg,), Limits(workers=1))), session)
    assert [tool.name for tool in tools] == TOOLS
    for tool in tools:
        assert tool.annotations.read_only_hint and not tool.annotations.destructive_hint and tool.description
        for name, about in tool.input_schema["properties"].items():
            assert about.get("description") or about.get("enum"), (tool.name, name)


def test_a_verdict_is_brief_or_the_whole_report(small_kg):
    text = f"{WRONG} Is he tall?"
    short, whole = calls(small_kg, ("verify", {"text": text}), ("verify", {"text": text, "full": True}))
    [claim] = short[1]["claims"]
    assert (short[1]["label"], claim["label"]) == ("contradictory", "contradictory")
    assert text[claim["start"] : claim["end"]] == claim["text"] and "Cambridge" in claim["why"]
    assert claim["evidence"][0]["statement"] == "Douglas Adams · place of birth · Cambridge"
    assert claim["correction"]["text"] == "Cambridge"
    assert short[1]["unread"] == [{"text": "Is he tall?", "why": "question"}]
    report = answer("verify", "--text", text, "--kg", small_kg)
    for one in (report, whole[1]):
        del one["timings_ms"], one["scores"], one["claims"][0]["scores"]  # the command also gives the papers' scores
    assert whole[1] == report


def test_answers_are_those_of_the_commands(small_kg):
    ends = {"start": "Douglas Adams", "end": "Charlie Chaplin"}
    found = calls(
        small_kg,
        ("correct", {"text": WRONG}),
        ("entity", {"name": "Douglas Adams"}),
        ("facts", {"entity": "Q42", "property": "place of birth"}),
        ("path", ends),
        ("search", {"text": "Duglas Adams", "limit": 3}),
        ("sparql", {"query": "SELECT ?x ?none { wd:Q42 wdt:P19 ?x }"}),
        ("sparql", {"query": "ASK { wd:Q42 wdt:P19 wd:Q84 }"}),
        ("sparql", {"query": "SELECT ?s { ?s ?p ?o }", "limit": 7}),
    )
    assert not any(failed for failed, _ in found)
    corrected, entity, facts, paths, hits, rows, ask, cut = (data for _, data in found)
    assert corrected["corrected"] == "Douglas Adams was born in Cambridge." and len(corrected["edits"]) == 1
    assert entity == {**answer("entity", "Douglas Adams", "--kg", small_kg), "notes": []}
    assert facts["statements"] == answer("facts", "Q42", "-p", "place of birth", "--kg", small_kg)
    assert paths["paths"] == answer("path", *ends.values(), "--kg", small_kg)
    assert hits == answer("search", "Duglas Adams", "--limit", "3", "--kg", small_kg)
    assert rows == {"columns": ["x", "none"], "rows": [["Q350", None]], "truncated": False}
    assert ask == {"answer": False}
    assert len(cut["rows"]) == 7 and cut["truncated"]


REFUSED = [
    ("verify", {}, "text: Field required: see the schema of verify and call it again"),
    ("verify", {"text": "a" * 1001}, "the text has 1,001 characters, 1,000 are read: send it in parts"),
    ("correct", {"text": 3}, "see the schema of correct"),
    ("entity", {"name": "Nobody Atall Xyzzy"}, "check the spelling, or name an id"),
    ("facts", {"entity": "Q42", "limit": 100_000}, "limit: Input should be less than or equal to 1000"),
    ("facts", {"entity": "Q42", "property": "shoe size"}, "shoe size"),
    ("path", {"start": "Q42", "end": "Q99999999"}, "kgstore search"),
    ("search", {"text": "x", "by": "magic"}, "see the schema of search"),
    ("search", {"text": "robots", "by": "meaning"}, "`kgstore index --vectors"),
    ("sparql", {"query": "SELEKT"}, "correct it and run it again"),
    ("sparql", {"query": "DELETE { ?s ?p ?o } WHERE { ?s ?p ?o }"}, "query refused"),
    ("sparql", {"query": "SELECT * { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i FILTER(?a = ?i && ?c = ?d) }"}, "narrow it"),
]


def test_what_goes_wrong_is_an_error_that_says_what_to_do(small_kg):
    wanted = [(tool, arguments) for tool, arguments, _ in REFUSED]
    done = calls(small_kg, *wanted, text=1000, query_seconds=0.5)
    for (tool, _, message), (failed, said) in zip(REFUSED, done, strict=True):
        assert failed and message in said and "\n" not in said, (tool, said)


def test_an_answer_that_takes_too_long_is_stopped(small_kg):
    [(failed, said)] = calls(small_kg, ("verify", {"text": WRONG}), seconds=0.01)
    assert failed and said.endswith("raise --timeout")


def test_a_bug_tells_the_client_nothing_of_itself(small_kg, monkeypatch):
    def broken(*_: object) -> None:
        raise RuntimeError("secret")

    monkeypatch.setattr(work, "verified", broken)
    [(failed, said), (ended, _)] = calls(small_kg, ("verify", {"text": WRONG}), ("entity", {"name": "Q42"}))
    assert failed and "secret" not in said and not ended


def test_hostile_text_comes_back_as_it_was(small_kg):
    text = "\x00\u202e<script>alert(1)</script> 🦊 \ud800.\n\nDouglas Adams was born in London."
    found = called(small_kg, "verify", text=text)
    assert [claim["label"] for claim in found["claims"]] == ["contradictory"]


def test_calls_at_the_same_time_get_their_own_answers(small_kg):
    places = ["London", "Cambridge", "Paris", "Cambridge"]

    async def session(client: Client) -> list[str]:
        texts = [f"Douglas Adams was born in {place}." for place in places]
        done = await asyncio.gather(*(client.call_tool("verify", {"text": text}) for text in texts))
        return [one.structured_content["label"] for one in done]

    found = asked(mcp.server(Settings((small_kg,), Limits(workers=1))), session)
    assert found == ["attributable" if place == "Cambridge" else "contradictory" for place in places]


def test_a_client_talks_to_the_command_over_its_pipes(small_kg):
    arguments = ["-m", "kgstore", "mcp", "--kg", str(small_kg)]
    server = StdioServerParameters(command=sys.executable, args=arguments, env=dict(os.environ))

    async def session(client: Client) -> tuple[Any, Any, Any]:
        listed = await client.list_tools()
        good = await client.call_tool("verify", {"text": WRONG})
        bad = await client.call_tool("entity", {"name": "Nobody Atall Xyzzy"})
        return [tool.name for tool in listed.tools], json.loads(good.content[0].text), bad

    names, report, bad = asked(server, session)
    assert names == TOOLS and report["label"] == "contradictory"
    assert bad.is_error and bad.content[0].text.endswith("or name an id")


def test_a_kg_that_is_not_there_ends_the_command(tmp_path):
    assert "no KG at" in refused("mcp", "--kg", tmp_path / "missing.kg")
    assert "`kgstore mirror`" in refused("mcp", "--kg", "sparql+http://127.0.0.1:9/query")
