"""The SPARQL 1.1 protocol (https://www.w3.org/TR/sparql11-protocol/), queries only, with content negotiation."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any
from urllib.parse import parse_qsl
from xml.sax.saxutils import escape, quoteattr

import pyoxigraph as ox
from starlette.requests import Request
from starlette.responses import Response

from kgstore.cli.render import json_bytes
from kgstore.cli.server.asking import desks, there
from kgstore.cli.server.errors import Refused
from kgstore.cli.sparql import results_csv, results_json, results_tsv, term_json
from kgstore.model import Triple
from kgstore.sparql import Answer, Result

ROWS = {
    "application/sparql-results+json": "json",
    "application/json": "json",
    "application/sparql-results+xml": "xml",
    "application/xml": "xml",
    "text/csv": "csv",
    "text/tab-separated-values": "tsv",
}
GRAPHS = {
    "text/turtle": ox.RdfFormat.TURTLE,
    "application/n-triples": ox.RdfFormat.N_TRIPLES,
    "application/rdf+xml": ox.RdfFormat.RDF_XML,
    "application/ld+json": ox.RdfFormat.JSON_LD,
}
"""What each kind of answer may be sent as; the first is preferred."""
SHORT = {"json": "application/sparql-results+json", "xml": "application/sparql-results+xml", "csv": "text/csv",
         "tsv": "text/tab-separated-values", "turtle": "text/turtle", "ttl": "text/turtle",
         "nt": "application/n-triples"}  # fmt: skip
"""Of the parameter ``format``, which many clients send."""
TRUNCATED = "Kgstore-Truncated"
_UNFIT = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


async def sparql(request: Request) -> Response:
    """GET and POST, by form or with the query as the body."""
    given = await _given(request)
    queries = [value for name, value in given if name == "query"]
    wanted = _wanted(request, given)
    if any(name in ("update", "using-graph-uri", "using-named-graph-uri") for name, _ in given):
        raise Refused(403, "this server only answers queries: load with `kgstore load`")
    if any(name in ("default-graph-uri", "named-graph-uri") for name, _ in given):
        raise Refused(400, "a KG is one graph: leave out default-graph-uri and named-graph-uri")
    if not queries and request.method == "GET":
        return Response(_description(request), media_type="text/turtle")
    if len(queries) != 1:
        raise Refused(400, "send exactly one query")
    kg = request.path_params.get("kg") or dict(given).get("kg")
    found = await there(request, desks(request).query(kg, queries[0]))
    return written(found, wanted)


async def _given(request: Request) -> list[tuple[str, str]]:
    pairs = list(request.query_params.multi_items())
    if request.method != "POST":
        return pairs
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind == "application/sparql-update":
        return [*pairs, ("update", "")]
    if kind not in ("application/sparql-query", "application/x-www-form-urlencoded"):
        raise Refused(415, "send application/sparql-query, or a form with query=")
    try:
        text = (await request.body()).decode("utf-8")
    except UnicodeDecodeError:
        raise Refused(400, "the query is not UTF-8: convert it first") from None
    return [*pairs, *([("query", text)] if kind == "application/sparql-query" else parse_qsl(text, max_num_fields=50))]


def _wanted(request: Request, given: Sequence[tuple[str, str]]) -> list[str]:
    """Media types that the client takes, best first."""
    named = next((value for name, value in given if name in ("format", "output")), "")
    if named:
        return [SHORT.get(named.lower(), named)]
    return accepted(request.headers.get("accept", "*/*"))


def accepted(header: str) -> list[str]:
    """Media types of an Accept header, best first.

    >>> accepted("text/csv;q=0.5, application/json, */*;q=0")
    ['application/json', 'text/csv']
    """
    found = []
    for place, part in enumerate(header.split(",")):
        kind, *rest = (one.strip().lower() for one in part.split(";"))
        quality = next((one[2:] for one in rest if one.startswith("q=")), "1")
        try:
            share = float(quality)
        except ValueError:
            share = 0.0
        if kind and share > 0:
            found.append((-share, place, kind))
    return [kind for _, _, kind in sorted(found)]


def chosen(wanted: Iterable[str], known: Sequence[str]) -> str:
    """:raises Refused: if the client takes none of the types that we know"""
    for kind in wanted:
        group, _, rest = kind.partition("/")
        for one in known:
            if kind in (one, "*/*") or (rest == "*" and one.startswith(f"{group}/")):
                return one
    raise Refused(406, f"ask for one of {', '.join(known)}")


def written(found: Answer, wanted: Sequence[str]) -> Response:
    """An answer in the best form that the client takes."""
    if not isinstance(found, (bool, Result)):
        kind = chosen(wanted, list(GRAPHS))
        data: bytes | str = ox.serialize(found.triples, format=GRAPHS[kind]) or b""
        return Response(data, headers=_headers(found.truncated), media_type=kind)
    form = chosen(wanted, list(ROWS))
    kind = ROWS[form]
    media = form if form.startswith("text/") else SHORT[kind]
    if isinstance(found, bool):
        data = {
            "json": json_bytes({"head": {}, "boolean": found}, indent=False),
            "xml": _xml((), (), found),
        }.get(kind, str(found).lower())
        return Response(data, media_type=media)
    rows = found.columns, found.rows
    match kind:
        case "json":
            data = json_bytes(results_json(*rows), indent=False)
        case "xml":
            data = _xml(*rows)
        case "csv":
            data = results_csv(*rows)
        case _:
            data = results_tsv(*rows) + "\n"
    return Response(data, headers=_headers(found.truncated), media_type=media)


def _headers(truncated: bool) -> dict[str, str]:
    return {TRUNCATED: "true"} if truncated else {}


def _xml(columns: Sequence[str], rows: Iterable[Sequence[Any]], said: bool | None = None) -> bytes:
    """https://www.w3.org/TR/rdf-sparql-XMLres/"""
    head = "".join(f"<variable name={quoteattr(name)}/>" for name in columns)
    if said is not None:
        inside = f"<boolean>{str(said).lower()}</boolean>"
    else:
        results = "".join(f"<result>{_bindings(columns, row)}</result>" for row in rows)
        inside = f"<results>{results}</results>"
    document = '<?xml version="1.0"?>\n<sparql xmlns="http://www.w3.org/2005/sparql-results#">'
    return f"{document}<head>{head}</head>{inside}</sparql>\n".encode()


def _bindings(columns: Sequence[str], row: Sequence[Any]) -> str:
    cells = [(name, term_json(term)) for name, term in zip(columns, row, strict=True) if term is not None]
    return "".join(f"<binding name={quoteattr(name)}>{_term(term)}</binding>" for name, term in cells)


def _term(term: dict[str, Any]) -> str:
    value, kind = term["value"], term["type"]
    if kind == "triple":
        return "<triple>" + "".join(f"<{name}>{_term(part)}</{name}>" for name, part in value.items()) + "</triple>"
    more = "".join(f" {name}={quoteattr(term[name])}" for name in ("xml:lang", "datatype") if name in term)
    return f"<{kind}{more}>{escape(_UNFIT.sub(chr(0xFFFD), value))}</{kind}>"


def _description(request: Request) -> bytes:
    """https://www.w3.org/TR/sparql11-service-description/"""
    sd = "http://www.w3.org/ns/sparql-service-description#"
    rdf = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
    me, here = ox.BlankNode(), str(request.url.replace(query="", fragment=""))
    triples = [
        Triple(me, ox.NamedNode(rdf + "type"), ox.NamedNode(sd + "Service")),
        Triple(me, ox.NamedNode(sd + "endpoint"), ox.NamedNode(here)),
        Triple(me, ox.NamedNode(sd + "supportedLanguage"), ox.NamedNode(sd + "SPARQL11Query")),
    ]
    return ox.serialize(triples, format=ox.RdfFormat.TURTLE) or b""
