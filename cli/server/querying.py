"""The page for SPARQL: rows, and a map or a picture of a graph where the columns allow it."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from kgstore.cli.html.graph import shortened
from kgstore.cli.server.asking import desks, done
from kgstore.cli.server.desks import Desk
from kgstore.cli.server.errors import refusal
from kgstore.cli.server.templates import rendered
from kgstore.cli.server.walking import Box, Line, Picture
from kgstore.model import Literal, NamedNode
from kgstore.prefixes import compact
from kgstore.sparql import Result, Triples

EXAMPLE = """SELECT ?thing ?thingLabel {
  ?thing ?property ?value .
  SERVICE wikibase:label { bd:serviceParam wikibase:language "en" }
} LIMIT 10"""
SHOWN, NODES = 500, 40
"""Rows on the page; nodes of a picture."""
_POINT = re.compile(r"\s*Point\s*\(\s*(-?[\d.]+)\s+(-?[\d.]+)\s*\)\s*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Cell:
    """:param id: of an entity or property; ``words``: the text of anything else"""

    words: str
    id: str = ""
    label: str = ""


@dataclass(frozen=True, slots=True)
class Point:
    x: float
    y: float
    words: str


@dataclass(frozen=True, slots=True)
class Map:
    points: tuple[Point, ...]
    words: str


async def page(request: Request) -> Response:
    shown: dict[str, Any] = {"query": EXAMPLE, "columns": (), "rows": (), "said": None, "fault": "", "truncated": False}
    shown |= {"map": None, "network": None}
    given: dict[str, Any] = dict(request.query_params)
    if request.method == "POST":
        given |= dict(await request.form(max_files=0, max_fields=4))
    shown["query"], kg, status = str(given.get("query", EXAMPLE)), desks(request).kg(str(given.get("kg") or "")), 200
    if "query" in given:
        try:
            found = await desks(request).query(kg, shown["query"])
            shown |= await done(request, kg, lambda desk: laid_out(found, desk))
        except Exception as error:
            known = refusal(error)
            if known.status == 500:
                raise
            shown["fault"], status = known.message, known.status
    return rendered(request, "query.html", status, walk=kg, **{**shown, "kg": kg})


def laid_out(found: Result | Triples | bool, desk: Desk) -> dict[str, Any]:
    """What the template shows of an answer."""
    if isinstance(found, bool):
        return {"said": found}
    if isinstance(found, Result):
        columns, rows = found.columns, found.rows[:SHOWN]
    else:
        columns, rows = ("subject", "predicate", "object"), [tuple(one) for one in found.triples[:SHOWN]]
    cells = [[_cell(term, desk) for term in row] for row in rows]
    edges = cells if isinstance(found, Triples) else _edges(columns, cells)
    shown = {"columns": columns, "rows": cells, "truncated": found.truncated or len(rows) < _length(found)}
    return {**shown, "map": points(rows, cells), "network": network(edges)}


def _length(found: Result | Triples) -> int:
    return len(found.rows if isinstance(found, Result) else found.triples)


def _cell(term: Any, desk: Desk) -> Cell:
    if isinstance(term, NamedNode):
        name = compact(term.value)
        known = desk.store.catalog.entity(term.value) or desk.store.catalog.properties().get(term.value)
        return Cell("", name, known.label) if known else Cell(name)
    if isinstance(term, Literal):
        return Cell(term.value)
    return Cell("" if term is None else str(term))


def points(rows: Sequence[Sequence[Any]], cells: Sequence[Sequence[Cell]]) -> Map | None:
    """Where a row has a point of Earth (WKT: longitude, then latitude), a map."""
    found = []
    for row, named in zip(rows, cells, strict=True):
        for term in row:
            match = _POINT.fullmatch(term.value) if isinstance(term, Literal) else None
            if match:
                words = ", ".join(cell.label or cell.words for cell in named if not _POINT.fullmatch(cell.words))
                longitude, latitude = float(match[1]), float(match[2])
                if abs(longitude) <= 180 and abs(latitude) <= 90:
                    found.append(Point(longitude, -latitude, words))
    return Map(tuple(found), f"map of {len(found)} points") if found else None


def _edges(columns: Sequence[str], cells: Sequence[Sequence[Cell]]) -> list[list[Cell]]:
    """The first two columns of entities, if there are two."""
    things = [at for at in range(len(columns)) if cells and all(row[at].id for row in cells)]
    if len(things) < 2:
        return []
    return [[row[things[0]], Cell(""), row[things[1]]] for row in cells]


def network(edges: Sequence[Sequence[Cell]]) -> Picture | None:
    """Nodes on a ring, those that are joined often first; None without edges, or if there are too many nodes."""
    names = [(_name(edge[0]), _name(edge[2]), edge[1].label) for edge in edges]
    order = list(dict.fromkeys(name for edge in names for name in edge[:2]))
    if not names or len(order) > NODES:
        return None
    height = max(220.0, 14.0 * len(order))
    turn = 2 * math.pi / len(order)
    wide, high = 190, height / 2 - 20
    place = {
        name: (round(250 + wide * math.cos(turn * at), 1), round(height / 2 + high * math.sin(turn * at), 1))
        for at, name in enumerate(order)
    }
    boxes = tuple(Box(*place[name], 0, *shortened(name, 170)) for name in order)
    lines = tuple(Line(*place[a], *place[b], label) for a, b, label in names)
    return Picture(height, boxes, lines, "; ".join(f"{a} {label} {b}" for a, b, label in names))


def _name(cell: Cell) -> str:
    return cell.label or cell.id or cell.words
