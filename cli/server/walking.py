"""Pages about the graph: an entity and its neighbours, paths, search, names for completion."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from kgstore.catalog import fold
from kgstore.cli import answers
from kgstore.cli.html.graph import path_graph, shortened
from kgstore.cli.server.asking import answer, desks, done, needed, word
from kgstore.cli.server.desks import Desk
from kgstore.cli.server.rest import untold
from kgstore.cli.server.templates import fragment, rendered
from kgstore.model import NamedNode
from kgstore.prefixes import compact, expand

Json = dict[str, Any]
MOST, SHOWN = 200, 10
"""Statements in a table; neighbours in a picture."""
WIDE, SIDE, MIDDLE, HIGH, STEP = 640, 205, 150, 42, 52
"""Width of the picture, of the boxes beside and in the middle; height of a box, and from one to the next."""
NARROW, TRUNK, EDGE, FEW = 288, 10, 26, 6
"""Width of the picture on a telephone; of the line down and of the boxes; neighbours either way."""


@dataclass(frozen=True, slots=True)
class Box:
    """:param id: of the entity that one gets to; empty for the one in the middle
    :param prop: what joins the two
    """

    x: float
    y: float
    width: float
    words: str
    full: str
    id: str = ""
    prop: str = ""


@dataclass(frozen=True, slots=True)
class Line:
    x1: float
    y1: float
    x2: float
    y2: float
    words: str = ""


@dataclass(frozen=True, slots=True)
class Picture:
    """:param words: what a reader who does not see it is told"""

    width: float
    height: float
    boxes: tuple[Box, ...]
    lines: tuple[Line, ...]
    words: str


async def entity(request: Request) -> Response:
    given = dict(request.query_params)
    name, kg = needed(given, "id"), desks(request).kg(word(given, "kg"))
    found = await done(request, kg, lambda desk: about(desk, name))
    return _shown(request, "entity", kg, found)


async def path(request: Request) -> Response:
    given = dict(request.query_params)
    ends, kg = (needed(given, "from"), needed(given, "to")), desks(request).kg(word(given, "kg"))

    def job(desk: Desk) -> Json:
        start, end = (answers.entity_answer(desk.store, one, untold) for one in ends)
        found = desk.store.paths([start["iri"]], [end["iri"]], k=4)
        steps = [answers.path_answer(one, desk.store) for one in found]
        whole = [[{**step, "role": "related"} for step in one] for one in steps]
        return {"start": start, "end": end, "paths": [(path_graph(one), one) for one in whole]}

    return _shown(request, "path", kg, await done(request, kg, job))


def _shown(request: Request, name: str, kg: str, found: Json) -> Response:
    """A whole page, or for our script the part of it that changes."""
    if request.headers.get("x-part"):
        return HTMLResponse(fragment(f"{name}_part.html", walk=kg, kg=kg, **found))
    return rendered(request, f"{name}.html", walk=kg, **{**found, "kg": kg})


def about(desk: Desk, name: str) -> Json:
    """An entity with its statements, those about others, and a picture of its neighbours."""
    store = desk.store
    entity = answers.entity_answer(store, name, untold)
    _, own, more = answers.facts_about(store, entity["iri"], references=True, limit=MOST, tell=untold)
    _, others, further = answers.facts_about(store, entity["iri"], incoming=True, limit=MOST, tell=untold)
    near = [
        (one, True) for one in own if isinstance(one.value, NamedNode) and store.catalog.entity(one.value.value)
    ]
    pictures = neighbours(entity, answers.facts_answer([one for one, _ in near], store),
                          answers.facts_answer(others, store))  # fmt: skip
    return {
        "entity": entity,
        "facts": answers.facts_answer(own, store),
        "incoming": answers.facts_answer(others, store),
        "more": more or further,
        "pictures": pictures,
    }


Neighbour = tuple[str, str, str]
"""Its id, its label, and what joins it."""


def neighbours(entity: Json, out: list[Json], into: list[Json]) -> tuple[Picture, Picture]:
    """What speaks of an entity, and what it speaks of, one of each property before a second of any; for a wide screen
    and for a narrow one."""
    left = [(one["subject"], one["labels"][0], one["labels"][1]) for one in _varied(into)]
    right = [(one["object"], one["labels"][2], one["labels"][1]) for one in _varied(out)]
    return beside(entity, left, right), below(entity, left[:FEW], right[:FEW])


def beside(entity: Json, left: list[Neighbour], right: list[Neighbour]) -> Picture:
    """The entity in the middle, what speaks of it on the left, what it speaks of on the right."""
    height = max(len(left), len(right), 1) * STEP
    x, y = (WIDE - MIDDLE) / 2, (height - HIGH) / 2
    boxes, lines = [Box(x, y, MIDDLE, *shortened(entity["label"], MIDDLE))], []
    for start, edge, end, column in ((0, SIDE, x, left), (WIDE - SIDE, WIDE - SIDE, x + MIDDLE, right)):
        for row, (name, label, prop) in enumerate(column):
            at = row * STEP + (STEP - HIGH) / 2
            boxes.append(Box(start, at, SIDE, *shortened(label, SIDE), name, shortened(prop, SIDE)[0]))
            lines.append(Line(edge, at + HIGH / 2, end, y + HIGH / 2))
    return Picture(WIDE, height, tuple(boxes), tuple(lines), _words(entity, left, right))


def below(entity: Json, left: list[Neighbour], right: list[Neighbour]) -> Picture:
    """The entity on top, its neighbours below it, with arrows for who speaks of whom."""
    boxes, lines = [Box(0, 0, NARROW, *shortened(entity["label"], NARROW))], []
    y = float(STEP)
    for sign, found in (("→", right), ("←", left)):
        for name, label, prop in found:
            wide = NARROW - EDGE
            joined = f"{sign} {shortened(prop, wide - 14)[0]}"
            boxes.append(Box(EDGE, y, wide, *shortened(label, wide), name, joined))
            lines.append(Line(TRUNK, y + HIGH / 2, EDGE, y + HIGH / 2))
            y += STEP
    lines.append(Line(TRUNK, HIGH, TRUNK, max(HIGH, y - STEP + HIGH / 2)))
    return Picture(NARROW, y - STEP + HIGH, tuple(boxes), tuple(lines), _words(entity, left, right))


def _words(entity: Json, left: list[Neighbour], right: list[Neighbour]) -> str:
    words = [f"{label} {prop} {entity['label']}" for _, label, prop in left]
    words += [f"{entity['label']} {prop} {label}" for _, label, prop in right]
    return "; ".join(words) or f"{entity['label']} has no neighbours"


def _varied(facts: list[Json]) -> list[Json]:
    seen: dict[str, int] = {}
    ranked = []
    for one in facts:
        seen[one["predicate"]] = seen.get(one["predicate"], 0) + 1
        ranked.append((seen[one["predicate"]], one))
    return [one for _, one in sorted(ranked, key=lambda pair: pair[0])[:SHOWN]]


async def find(request: Request) -> Response:
    text = request.query_params.get("q", "").strip()
    kg = desks(request).kg(request.query_params.get("kg"))
    found = await done(request, kg, lambda desk: answers.search_answer(desk.store, text, limit=20)) if text else None
    return rendered(request, "find.html", q=text, found=found, walk=kg)


async def complete(request: Request) -> Response:
    """Entities and properties whose names begin so, as a query names them."""
    given = dict(request.query_params)
    text, kg = needed(given, "q")[:100], word(given, "kg")
    return answer(await done(request, kg, lambda desk: names(desk, text)))


def names(desk: Desk, text: str) -> list[Json]:
    store, wanted = desk.store, fold(text)
    found = []
    for one in store.catalog.properties().values():
        known = [fold(name) for name in (one.label, *one.aliases)]
        if one.statements and any(name.startswith(wanted) for name in known):
            found.append((known[0] != wanted, not known[0].startswith(wanted), -one.statements, one))
    found.sort(key=lambda ranked: ranked[:3])
    properties = [
        {"name": _direct(one.iri), "label": one.label, "about": one.description, "kind": "property"}
        for *_, one in found[:6]
    ]
    entities = [
        {"name": _term(expand(one["id"])), "label": one["label"], "about": one["description"], "kind": "entity"}
        for one in answers.named(store, text, 8)
    ]
    return properties + entities


def _direct(iri: str) -> str:
    """A property as triples have it: ``wdt:P19`` for Wikidata's ``wd:P19``."""
    short = compact(iri)
    return f"wdt:{short}" if short[:1] == "P" and short[1:].isdigit() else _term(iri)


def _term(iri: str) -> str:
    short = compact(iri)
    return f"<{iri}>" if "://" in short else short if ":" in short else f"wd:{short}"
