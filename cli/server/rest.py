"""The REST interface: the commands of the same names, for programs."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from kgstore.cli import answers
from kgstore.cli.server import metrics as counted
from kgstore.cli.server import work
from kgstore.cli.server.asking import answer, desks, done, fields, flag, needed, number, text_of, word
from kgstore.cli.server.errors import Refused
from kgstore.cli.server.events import Events, event
from kgstore.prefixes import compact

MOST = 1_000
"""Rows of a list at most."""
Json = dict[str, Any]


def untold(message: str) -> None:
    """Other entities of a name are told to who waits at a terminal; a client asks for the entities of a name."""


async def verify(request: Request) -> Response:
    given = await fields(request)
    text, key = text_of(given, desks(request).settings.limits.text), word(given, "id")
    report = await done(request, word(given, "kg"), lambda desk: work.verified(desk, text, key))
    request.app.state.metrics.judged(claim["label"] for claim in report["claims"])
    return answer(report)


async def verify_stream(request: Request) -> Response:
    """Server-sent events: ``verdicts`` on a sentence as they come, ``update`` where the rest of the text changes them,
    ``report`` at the end, or ``error``."""
    given = await fields(request)
    text, key = text_of(given, desks(request).settings.limits.text), word(given, "id")
    coming = desks(request).each(word(given, "kg"), lambda desk: work.streamed(desk, text, key))

    def told(item: tuple[str, Json]) -> bytes:
        name, data = item
        if name == "report":
            request.app.state.metrics.judged(claim["label"] for claim in data["claims"])
        return event(name, data)

    return await Events.of(request, coming, told)


async def correct(request: Request) -> Response:
    given = await fields(request)
    text, key = text_of(given, desks(request).settings.limits.text), word(given, "id")
    return answer(await done(request, word(given, "kg"), lambda desk: work.corrected(desk, text, key)))


async def entities(request: Request) -> Response:
    """Entities by name, best known first."""
    given = dict(request.query_params)
    text, limit = needed(given, "q"), number(given, "limit", 10, MOST)
    return answer(await done(request, word(given, "kg"), lambda desk: answers.named(desk.store, text, limit)))


async def entity(request: Request) -> Response:
    given = dict(request.query_params)
    name = request.path_params["name"]
    job = work_on_names(name)
    return answer(await done(request, word(given, "kg"), job))


def work_on_names(name: str) -> Any:
    return lambda desk: answers.entity_answer(desk.store, name, untold)


async def facts(request: Request) -> Response:
    given = dict(request.query_params)
    name, prop, limit = needed(given, "entity"), word(given, "property"), number(given, "limit", 100, MOST)
    incoming, references = flag(given, "incoming"), flag(given, "references")

    def job(desk: Any) -> Json:
        store = desk.store
        about, found, more = answers.facts_about(store, name, prop, incoming, references, limit, untold)
        rows = answers.facts_answer(found, store)
        return {"entity": compact(about.iri), "label": about.label, "statements": rows, "truncated": more}

    return answer(await done(request, word(given, "kg"), job))


async def paths(request: Request) -> Response:
    given = dict(request.query_params)
    start, end = needed(given, "from"), needed(given, "to")
    hops, k = number(given, "hops", 3, 3), number(given, "k", 4, 20)

    def job(desk: Any) -> list[list[Json]]:
        found = answers.paths_between(desk.store, start, end, hops, k, untold)[1]
        return [answers.path_answer(one, desk.store) for one in found]

    return answer(await done(request, word(given, "kg"), job))


async def search(request: Request) -> Response:
    given = dict(request.query_params)
    text, by, limit = needed(given, "q"), word(given, "by", "both"), number(given, "limit", 10, MOST)
    if by not in ("name", "meaning", "both"):
        raise Refused(400, "by is none of name, meaning, both")
    job = lambda desk: answers.search_answer(desk.store, text, by, limit)  # noqa: E731
    return answer(await done(request, word(given, "kg"), job))


async def health(request: Request) -> Response:
    """Whether the server is ready; the KGs by name only to who may ask them."""
    ready = request.app.state.ready
    return answer({"status": "ok" if ready else "starting", "running": desks(request).running}, 200 if ready else 503)


async def kgs(request: Request) -> Response:
    def job(desk: Any) -> Json:
        manifest = desk.store.manifest
        return {
            "title": manifest.name,
            "generation": manifest.generation,
            "fingerprint": manifest.fingerprint,
            "counts": {name: n for name, n in manifest.counts.items() if isinstance(n, int)},
        }

    known = desks(request).settings.named
    return answer([{"name": name, **await done(request, name, job)} for name in known])


async def metrics(request: Request) -> Response:
    text = request.app.state.metrics.text(desks(request).running, desks(request).refused)
    return Response(text, media_type=counted.TYPE)

