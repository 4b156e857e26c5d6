"""Labelled claims, one JSON object a line, as `measure.evaluate` takes them, and reports as they were written."""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import orjson

from kgstore.errors import InputError, LoadError
from kgstore.verifier.claims import Label
from kgstore.verifier.measure.reviews import as_gold

Json = dict[str, Any]

HALVES = ("tune", "report")


def read_gold(path: Path) -> list[Json]:
    """The rows of a labelled JSON-lines file; reviews of `kgstore serve` count once a claim.

    :raises InputError: naming the first line that is no JSON object with an ``id``, a ``text`` and labels
    """
    rows: list[Json] = []
    ids: set[str] = set()
    for number, row in objects(path):
        why = _fault(row, ids)
        if why:
            instead = "give each line an id, a text, and label, claims or consistent"
            raise InputError(f"{path}, line {number} {why}", instead)
        ids.add(row["id"])
        rows.append(row)
    rows = as_gold(rows)
    if not rows:
        raise InputError(f"{path} holds no labelled claims", "write one JSON object a line")
    if len(kinds := {kind_of([row]) for row in rows} - {"binary"}) > 1:
        raise InputError(f"{path} mixes {' and '.join(sorted(kinds))}", "put each kind into a file of its own")
    return rows


def objects(path: Path) -> Iterator[tuple[int, Json]]:
    """The objects of JSON lines, also gzipped, each with the number of its line; empty lines are passed over.

    :raises LoadError: if the file cannot be read
    :raises InputError: naming the first line that is no JSON object
    """
    try:
        data = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    except (OSError, EOFError) as error:
        raise LoadError(path, str(error)) from None
    for number, line in enumerate(data.splitlines(), 1):
        if not line.strip():
            continue
        try:
            row = orjson.loads(line)
        except orjson.JSONDecodeError as error:
            raise InputError(f"{path}, line {number} is not JSON ({error})", "write one JSON object a line") from None
        if not isinstance(row, dict):
            raise InputError(f"{path}, line {number} is not an object", "write one JSON object a line")
        yield number, row


def _fault(row: Json, ids: set[str]) -> str:
    if not isinstance(row.get("id"), str) or not isinstance(row.get("text"), str):
        return "lacks an id or a text"
    if row["id"] in ids:
        return f"repeats the id {row['id']}"
    if isinstance(row.get("claims"), list):
        claims = row["claims"]
        good = all(isinstance(claim, dict) and {"start", "end", "label"} <= claim.keys() for claim in claims)
        good = good and all(claim["label"] in set(Label) for claim in claims)
        return "" if good else "has a claim without start, end and label"
    if row.get("consistent") in (0, 1):
        return ""
    return "" if row.get("label") in {*Label, "not_attributable"} else f"has the label {row.get('label')!r}"


def kind_of(gold: Sequence[Json]) -> str:
    """``labels``, ``binary``, ``passages`` or ``context``, see `kgstore.verifier.measure.evaluate`."""
    if "claims" in gold[0]:
        return "passages"
    if "consistent" in gold[0]:
        return "context"
    return "binary" if any(row["label"] == "not_attributable" for row in gold) else "labels"


def half_of(row: Json) -> str:
    """``tune`` or ``report``: choose thresholds and rules by the one, report figures of the other.

    The last bit of the SHA-256 digest of the row's ``subject``, in UTF-8, is 0 for ``tune`` and 1 for ``report``, so
    that whatever is said about one subject falls into one half. Where there is no subject the ``id`` stands for it.

    >>> half_of({"id": "1", "subject": "Q42"}), half_of({"id": "2", "subject": "Q2"})
    ('tune', 'report')
    """
    key = row.get("subject") or row["id"]
    return HALVES[hashlib.sha256(str(key).encode()).digest()[-1] % 2]


def read_reports(path: Path) -> dict[str, Json]:
    """The reports of an earlier run by their id, from JSON lines.

    :raises InputError: naming the first line that is no report with an id, or repeats one
    """
    reports: dict[str, Json] = {}
    for number, line in enumerate(path.read_bytes().splitlines(), 1):
        if not line.strip():
            continue
        try:
            report = orjson.loads(line)
        except orjson.JSONDecodeError:
            report = None
        claims = report.get("claims") if isinstance(report, dict) else None
        if not isinstance(claims, list) or not all(isinstance(one, dict) and "label" in one for one in claims):
            raise InputError(f"{path}, line {number} is no report", "name a file that `--reports` has written")
        if not isinstance(report.get("id"), str) or report["id"] in reports:
            raise InputError(f"{path}, line {number} has no id of its own", "name a file that `--reports` has written")
        reports[report["id"]] = report
    return reports
