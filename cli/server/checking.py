"""The page on which a text is checked: verdicts as they come, then the report; also without a script."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from starlette.datastructures import UploadFile
from starlette.requests import Request
from starlette.responses import Response

from kgstore.cli.html.view import ReportView, view
from kgstore.cli.server import review, work
from kgstore.cli.server.asking import answer, desks, done, fields, fitting, text_of, word
from kgstore.cli.server.errors import Refused
from kgstore.cli.server.events import Events, event
from kgstore.cli.server.files import KINDS, texts_of
from kgstore.cli.server.templates import fragment, rendered
from kgstore.cli.verdicts import LOOK

Json = dict[str, Any]
WORST = list(reversed(LOOK))
PARTS = {"verdicts": "part", "update": "update"}
"""Events of REST, as the page's script calls them."""


async def page(request: Request) -> Response:
    """The empty page; by POST, for browsers without a script, the page with its report."""
    measure = review.tally(desks(request), request.query_params.get("kg"))
    settings = desks(request).settings
    always: Json = {"kinds": ",".join(KINDS), "measure": measure, "reviewer": settings.reviewer}
    if request.method == "GET":
        return rendered(request, "check.html", text="", result="", **always)
    async with request.form(max_files=1, max_fields=8, max_part_size=settings.limits.body) as form:
        text = await _given(form.get("text"), form.get("file"))
        kg = desks(request).kg(str(form.get("kg") or ""))
    report = await done(request, kg, lambda desk: work.verified(desk, fitting(text, _limit(request))))
    known = review.of(desks(request), kg, report)
    return rendered(request, "check.html", text=text, kg=kg, result=result(report, kg, known), **always)


async def _given(text: Any, file: Any) -> str:
    if isinstance(file, UploadFile) and file.filename:
        found = await asyncio.to_thread(texts_of, file.filename, await file.read())
        return found[0].text if found else ""
    if not isinstance(text, str) or not text.strip():
        raise Refused(400, "there is no text: paste one, or choose a file")
    return text.replace("\r\n", "\n")


async def stream(request: Request) -> Response:
    """Server-sent events for the page's script: ``part`` (a sentence), ``update`` (again) and ``report`` bring HTML,
    the report also its JSON; with ``against``, the name of another KG, ``compared`` follows."""
    given = await fields(request)
    text, kg = text_of(given, _limit(request)), desks(request).kg(word(given, "kg"))
    other = word(given, "against")
    other = desks(request).kg(other) if other and other != kg else None
    coming = _both(request, text, kg, other)

    def told(item: tuple[str, Json]) -> bytes:
        name, data = item
        if name in ("verdicts", "update"):
            html = fragment("part.html", claims=data["claims"], again=name == "update")
            return event(PARTS[name], {**data, "html": html, "claims": _spans(data)})
        if name == "compared":
            first, second = data["reports"]
            return event("compared", {"html": fragment("compared.html", rows=pairs(first, second), kgs=[kg, other])})
        request.app.state.metrics.judged(claim["label"] for claim in data["claims"])
        return event("report", {"html": result(data, kg, review.of(desks(request), kg, data)), "report": data})

    return await Events.of(request, coming, told)


async def _both(request: Request, text: str, kg: str, other: str | None) -> AsyncGenerator[tuple[str, Json], None]:
    first: Json = {}
    async for name, data in desks(request).each(kg, lambda desk: work.streamed(desk, text)):
        first = data if name == "report" else first
        yield name, data
    if other is not None:
        second = await desks(request).run(other, lambda desk: work.verified(desk, text))
        yield "compared", {"reports": [first, second]}


async def extract(request: Request) -> Response:
    """The text of a file, or the texts of a batch."""
    async with request.form(max_files=1, max_fields=1) as form:
        file = form.get("file")
        if not isinstance(file, UploadFile) or not file.filename:
            raise Refused(400, "there is no file")
        found = await asyncio.to_thread(texts_of, file.filename, await file.read())
        limit = _limit(request)
        batch = len(found) != 1 or file.filename.lower().endswith("l")
        return answer({"batch": batch, "texts": [{"id": one.id, "text": fitting(one.text, limit)} for one in found]})


def _limit(request: Request) -> int:
    return desks(request).settings.limits.text


def _spans(data: Json) -> list[Json]:
    return [{key: one[key] for key in ("start", "end", "label")} for one in data["claims"]]


def result(report: Json, kg: str, reviewed: Mapping[int, Json]) -> str:
    """A report in HTML, its claims worst first.

    :param reviewed: what was said before of claims, by number
    """
    shown = view(report, 1)
    claims = worst_first(shown)
    return fragment("result.html", report=shown, claims=claims, reviewed=reviewed, walk=kg, kg=kg, source="graph")


def worst_first(report: ReportView) -> list[Any]:
    """Claims as the list has them: contradicted ones first, the surest of them at the top; then those left open."""
    return sorted(report.claims, key=lambda one: (WORST.index(one.raw["label"]), -one.raw["confidence"], one.number))


@dataclass(frozen=True, slots=True)
class Pair:
    """The same words of a text, by two KGs; None where one reads no claim there."""

    text: str
    start: int
    first: Json | None
    second: Json | None

    @property
    def differs(self) -> bool:
        return self.first is None or self.second is None or self.first["label"] != self.second["label"]


def pairs(first: Json, second: Json) -> list[Pair]:
    """The claims of two reports side by side, by their words and what is said of them; in reading order."""

    def key(claim: Json) -> tuple[Any, ...]:
        return claim["start"], claim["end"], *(part.casefold() for part in (claim["triple"][0], claim["triple"][2]))

    found = [{key(claim): claim for claim in one["claims"]} for one in (first, second)]
    keys: Sequence[tuple[Any, ...]] = sorted({*found[0], *found[1]})
    shown = [(found[0].get(one), found[1].get(one)) for one in keys]
    return [Pair((a or b or {})["text"], (a or b or {})["start"], a, b) for a, b in shown]
