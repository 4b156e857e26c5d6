"""Reports that were kept in files, checked against ``report.schema.json`` before anything is made of them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import orjson

from kgstore.errors import InputError
from kgstore.verifier.report.report import SCHEMA_FILE

_KINDS = {
    "object": (dict,), "array": (list,), "string": (str,), "integer": (int,), "number": (int, float),
    "boolean": (bool,), "null": (type(None),),
}


def read_reports(raw: bytes, name: str) -> list[dict[str, Any]]:
    """All reports of a file: one, an array of them, or one a line.

    :param name: of the file, for messages
    :raises InputError: if it is not JSON, or one of them is no report
    """
    try:
        whole = orjson.loads(raw)
        found = whole if isinstance(whole, list) else [whole]
    except orjson.JSONDecodeError:
        found = [_line(line, f"{name}, line {at}") for at, line in enumerate(raw.splitlines(), 1) if line.strip()]
    for at, report in enumerate(found, 1):
        if fault := _fault(report):
            where = f"{name}, report {at}" if len(found) > 1 else name
            raise InputError(f"{where} is no report: {fault}", "name what `kgstore verify --format json` wrote")
    return found


def _line(line: bytes, where: str) -> Any:
    try:
        return orjson.loads(line)
    except orjson.JSONDecodeError as error:
        raise InputError(f"{where} is not JSON ({error})", "name what `kgstore verify --format json` wrote") from None


def _fault(report: Any) -> str:
    """What is wrong with it, empty if nothing is."""
    if fault := _misfit(report, _schema(), "it"):
        return fault
    length = len(report["text"])
    for at, claim in enumerate(report["claims"], 1):
        for span in (claim, claim["correction"] or claim):
            if not 0 <= span["start"] <= span["end"] <= length:
                return f"claim {at} or its correction lies outside the text"
    return ""


@cache
def _schema() -> dict[str, Any]:
    return orjson.loads(SCHEMA_FILE.read_bytes())


def _misfit(value: Any, schema: Mapping[str, Any], where: str) -> str:
    """As much of JSON Schema as the report's uses; properties that it does not know are let be."""
    if "$ref" in schema:
        schema = _schema()["$defs"][schema["$ref"].rpartition("/")[2]]
    kinds = schema.get("type", [])
    kinds = [kinds] if isinstance(kinds, str) else kinds
    if kinds and not isinstance(value, tuple(kind for name in kinds for kind in _KINDS[name])):
        return f"{where} is not of type {' or '.join(kinds)}"
    if "const" in schema and value != schema["const"]:
        return f"{where} is not “{schema['const']}”"
    if "enum" in schema and value not in schema["enum"]:
        return f"{where} is none of {', '.join(map(str, schema['enum']))}"
    if isinstance(value, dict):
        if missing := [name for name in schema.get("required", ()) if name not in value]:
            return f"{where} has no “{missing[0]}”"
        known, other = schema.get("properties", {}), schema.get("additionalProperties") or {}
        parts = [(part, known.get(name, other), name) for name, part in value.items()]
    elif isinstance(value, list):
        if not schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value)):
            return f"{where} has {len(value)} parts"
        parts = [(part, schema.get("items", {}), f"{where}, part {at}") for at, part in enumerate(value, 1)]
    else:
        return ""
    return next(filter(None, (_misfit(part, its, name) for part, its, name in parts)), "")
