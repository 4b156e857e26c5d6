"""Labelled claims, one JSON object a line, as `verifier.evaluate` measures them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import orjson

from kgstore.errors import InputError
from verifier.claims import Label

Json = dict[str, Any]


def read_gold(path: Path) -> list[Json]:
    """The rows of a labelled JSON-lines file.

    :raises InputError: naming the first line that is no JSON object with an ``id``, a ``text`` and labels
    """
    rows: list[Json] = []
    ids: set[str] = set()
    for number, line in enumerate(path.read_bytes().splitlines(), 1):
        if not line.strip():
            continue
        try:
            row = orjson.loads(line)
        except orjson.JSONDecodeError as error:
            raise InputError(f"{path}, line {number} is not JSON ({error})", "write one JSON object a line") from error
        why = _fault(row, ids)
        if why:
            instead = "give each line an id, a text, and label, claims or consistent"
            raise InputError(f"{path}, line {number} {why}", instead)
        ids.add(row["id"])
        rows.append(row)
    if not rows:
        raise InputError(f"{path} holds no labelled claims", "write one JSON object a line")
    if len(kinds := {kind_of([row]) for row in rows} - {"binary"}) > 1:
        raise InputError(f"{path} mixes {' and '.join(sorted(kinds))}", "put each kind into a file of its own")
    return rows


def _fault(row: object, ids: set[str]) -> str:
    if not isinstance(row, dict):
        return "is not an object"
    if not isinstance(row.get("id"), str) or not isinstance(row.get("text"), str):
        return "lacks an id or a text"
    if row["id"] in ids:
        return f"repeats the id {row['id']}"
    known = {*Label, "not_attributable"}
    if isinstance(row.get("claims"), list):
        claims = row["claims"]
        good = all(isinstance(claim, dict) and {"start", "end", "label"} <= claim.keys() for claim in claims)
        good = good and all(claim["label"] in known for claim in claims)
        return "" if good else "has a claim without start, end and label"
    if row.get("consistent") in (0, 1):
        return ""
    return "" if row.get("label") in known else f"has the label {row.get('label')!r}"


def kind_of(gold: Sequence[Json]) -> str:
    """``labels``, ``binary``, ``passages`` or ``context``, see `verifier.evaluate`."""
    if "claims" in gold[0]:
        return "passages"
    if "consistent" in gold[0]:
        return "context"
    return "binary" if any(row["label"] == "not_attributable" for row in gold) else "labels"
