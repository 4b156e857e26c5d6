"""The page for SPARQL: rows, and a map or a picture of a graph where the columns allow it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from kgstore.cli.server.asking import desks, done, there
from kgstore.cli.server.desks import Desk
from kgstore.cli.server.errors import refusal
from kgstore.cli.server.pictures import Cell, points, rings
from kgstore.cli.server.templates import rendered
from kgstore.model import Literal, NamedNode
from kgstore.prefixes import compact
from kgstore.sparql import Result, Triples

EXAMPLE = """SELECT ?thing ?thingLabel {
  ?thing ?property ?value .
  SERVICE wikibase:label { bd:serviceParam wikibase:language "en" }
} LIMIT 10"""
SHOWN = 500
"""Rows on the page."""


async def page(request: Request) -> Response:
    shown: dict[str, Any] = {"query": EXAMPLE, "columns": (), "rows": (), "said": None, "fault": "", "truncated": False}
    shown |= {"map": None, "rings": ()}
    given: dict[str, Any] = dict(request.query_params)
    if request.method == "POST":
        given |= dict(await request.form(max_files=0, max_fields=4))
    shown["query"], kg, status = str(given.get("query", EXAMPLE)), desks(request).kg(str(given.get("kg") or "")), 200
    if "query" in given:
        try:
            found = await there(request, desks(request).query(kg, shown["query"]))
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
    return {**shown, "map": points(rows, cells), "rings": rings(edges) or ()}


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


def _edges(columns: Sequence[str], cells: Sequence[Sequence[Cell]]) -> list[list[Cell]]:
    """The first two columns of entities, if there are two."""
    things = [at for at in range(len(columns)) if cells and all(row[at].id for row in cells)]
    if len(things) < 2:
        return []
    return [[row[things[0]], Cell(""), row[things[1]]] for row in cells]
