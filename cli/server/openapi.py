"""The description of the REST interface for machines (OpenAPI 3.1), and for people at /docs."""

from __future__ import annotations

from importlib.metadata import version
from typing import Any

import orjson

from kgstore.verifier.report.report import SCHEMA_FILE

Json = dict[str, Any]
TEXT = {
    "text": ("string", "The text to check.", True),
    "kg": ("string", "Name of the KG; the first of the server if left out.", False),
    "id": ("string", "What the report shall be called.", False),
}
KG = ("kg", "string", "Name of the KG; the first of the server if left out.", False)


def _limit(default: int) -> tuple[str, str, str, bool]:
    return ("limit", "integer", f"At most so many, 1 to 1,000; {default} if left out.", False)


POSTS: dict[str, tuple[str, str, str]] = {
    "/verify": ("Check every claim of a text", "A report.", "application/json"),
    "/verify/stream": (
        "Check a text and send verdicts as they come",
        "Server-sent events: `verdicts` with `start`, `end` and `claims` of a sentence; `update`, the same, in place "
        "of what was said of claims that start there; at last `report`, or `error`. The report holds.",
        "text/event-stream",
    ),
    "/correct": ("Correct what the KG contradicts", "The new text, its edits and the report.", "application/json"),
}
GETS: dict[str, tuple[str, str, list[tuple[str, str, str, bool]]]] = {
    "/entities": ("Find entities by name", "Best first.", [("q", "string", "A name.", True), _limit(10), KG]),
    "/entities/{name}": ("What the KG knows an entity by", "Names, description, types.", [KG]),
    "/facts": (
        "The statements about an entity",
        "With rank, qualifiers and, if asked for, references.",
        [
            ("entity", "string", "A name, an id or an IRI.", True),
            ("property", "string", "Only this property.", False),
            ("incoming", "boolean", "Statements about others whose value it is.", False),
            ("references", "boolean", "With references.", False),
            _limit(100),
            KG,
        ],
    ),
    "/paths": (
        "The shortest chains of statements between two entities",
        "Each a list of statements.",
        [
            ("from", "string", "A name, an id or an IRI.", True),
            ("to", "string", "Another.", True),
            ("hops", "integer", "Longest chain, 1 to 3.", False),
            ("k", "integer", "At most so many, 1 to 20.", False),
            KG,
        ],
    ),
    "/search": (
        "Find entities by name and statements by meaning",
        "Statements only if the KG was loaded with vectors.",
        [
            ("q", "string", "What to look for.", True),
            ("by", "string", "name, meaning or both.", False),
            _limit(10),
            KG,
        ],
    ),
    "/sparql": (
        "SPARQL 1.1 protocol",
        "Results as JSON, XML, CSV or TSV, graphs as Turtle, N-Triples, RDF/XML or JSON-LD. Also by POST, with a form "
        "or with the query as application/sparql-query. `/sparql/NAME` asks the KG of that name.",
        [("query", "string", "The query.", True), KG],
    ),
    "/kgs": ("The KGs of this server", "Name, generation, fingerprint, counts.", []),
    "/v1/models": ("The KGs, as OpenAI's clients list models", "A list.", []),
    "/health": ("Is the server ready?", "200, or 503 while it starts. Needs no token.", []),
    "/metrics": ("Counts and durations in Prometheus' text form", "Text.", []),
}
ERRORS = {
    "400": "the request cannot be understood",
    "401": "the token is missing",
    "403": "another site asks, or something would be written",
    "404": "no such KG, entity or property",
    "413": "too much text",
    "415": "another type than application/json or text/plain",
    "429": "too many requests are waiting; see Retry-After",
    "504": "it took too long",
}


def description() -> Json:
    """The OpenAPI document."""
    schemas = orjson.loads(orjson.dumps(orjson.loads(SCHEMA_FILE.read_bytes())).replace(
        b'"#/$defs/', b'"#/components/schemas/'))  # fmt: skip
    parts = {**schemas.pop("$defs"), "report": {key: schemas[key] for key in schemas if not key.startswith("$")}}
    error = {"type": "object", "properties": {"error": _object({"message": "string", "type": "string",
                                                               "code": "integer"})}}  # fmt: skip
    paths: Json = {path: {"get": _get(path, *GETS[path])} for path in GETS}
    paths |= {path: {"post": _post(path, *POSTS[path])} for path in POSTS}
    paths["/v1/chat/completions"] = {"post": _chat()}
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "kgstore",
            "version": version("kgstore"),
            "description": "Verdicts on the claims of texts, and answers from the knowledge graphs that they rest on. "
            "Nothing is written to a graph.",
        },
        "paths": paths,
        "components": {
            "schemas": {**parts, "error": error},
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
        "security": [{}, {"token": []}],
    }


def _object(fields: dict[str, str]) -> Json:
    return {"type": "object", "properties": {name: {"type": kind} for name, kind in fields.items()}}


def _get(path: str, title: str, about: str, parameters: list[tuple[str, str, str, bool]]) -> Json:
    listed = [
        {"name": name, "in": "query", "required": required, "description": words, "schema": {"type": kind}}
        for name, kind, words, required in parameters
    ]
    if "{name}" in path:
        listed.append({"name": "name", "in": "path", "required": True, "schema": {"type": "string"},
                       "description": "A name, an id or an IRI."})  # fmt: skip
    kind = "text/plain" if path == "/metrics" else "application/json"
    return {"summary": title, "description": about, "parameters": listed, "responses": _responses(about, kind, {})}


def _post(path: str, title: str, about: str, kind: str) -> Json:
    fields = {name: {"type": of, "description": words} for name, (of, words, _) in TEXT.items()}
    schema = {"type": "object", "properties": fields, "required": ["text"]}
    content = {"application/json": {"schema": schema}, "text/plain": {"schema": {"type": "string"}}}
    answer = {"$ref": "#/components/schemas/report"} if path == "/verify" else {}
    return {
        "summary": title,
        "description": about,
        "requestBody": {"required": True, "content": content},
        "responses": _responses(about, kind, answer),
    }


def _chat() -> Json:
    message = _object({"role": "string", "content": "string"})
    fields = {
        "model": {"type": "string", "description": "Name of a KG; any other stands for the first."},
        "messages": {"type": "array", "items": message, "description": "The assistant's last one is checked."},
        "stream": {"type": "boolean"},
    }
    schema = {"type": "object", "properties": fields, "required": ["messages"]}
    about = "The corrected text as the message of a chat completion; claims and edits under `kgstore`."
    return {
        "summary": "Check the last answer of a conversation, as OpenAI's chat completions",
        "description": about,
        "requestBody": {"required": True, "content": {"application/json": {"schema": schema}}},
        "responses": _responses(about, "application/json", {}),
    }


def _responses(about: str, kind: str, schema: Json) -> Json:
    failed = {"application/json": {"schema": {"$ref": "#/components/schemas/error"}}}
    good = {"200": {"description": about, "content": {kind: {"schema": schema}}}}
    return good | {code: {"description": why, "content": failed} for code, why in ERRORS.items()}
