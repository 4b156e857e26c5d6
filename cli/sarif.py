"""Reports as SARIF 2.1.0, which code hosts and editors show beside the lines of a file (OASIS, 2020).

What the KG contradicts is an error with its correction as a fix, what it cannot decide a note; what it supports is left
out. Columns count UTF-16 code units, as editors do, lines and columns begin with 1.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from importlib.metadata import version
from pathlib import PurePath
from typing import Any, TextIO
from urllib.parse import quote

from kgstore.cli.formats import Layout, Reports
from kgstore.cli.render import echo_json
from kgstore.cli.verdicts import STATEMENT_ID

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
LEVELS = {"contradictory": "error", "extrapolatory": "note"}
_ABOUT = {
    "contradictory": "The knowledge graph holds a value that excludes what is said.",
    "extrapolatory": "The knowledge graph neither supports nor excludes what is said.",
    "unread": "No claim was read from this sentence.",
}
Json = dict[str, Any]


def write(reports: Reports, stream: TextIO, layout: Layout) -> None:
    """One run about all of them."""
    echo_json(sarif((layout.file(item), report) for item, report in reports), stream)


def sarif(reports: Iterable[tuple[str, Mapping[str, Any]]]) -> Json:
    """One run with the results of all texts.

    :param reports: the name of the file that a text stands in, and its report (``kgstore.report/1``)
    """
    results = [result for name, report in reports for result in _results(name, report)]
    rules = [
        {"id": rule, "shortDescription": {"text": about}, "defaultConfiguration": {"level": LEVELS.get(rule, "note")}}
        for rule, about in _ABOUT.items()
    ]
    driver = {"name": "kgstore", "version": version("kgstore"), "rules": rules}
    run = {"tool": {"driver": driver}, "columnKind": "utf16CodeUnits", "results": results}
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


def _results(name: str, report: Mapping[str, Any]) -> Iterator[Json]:
    text = report["text"]
    for claim in report["claims"]:
        if (level := LEVELS.get(claim["label"])) is not None:
            found = _result(name, text, claim, claim["label"], level, message(claim))
            found["properties"] = {"method": claim["method"], "confidence": claim["confidence"]}
            if (edit := claim.get("correction")) is not None:
                replacement = {"deletedRegion": region(text, edit), "insertedContent": {"text": edit["text"]}}
                change = {"artifactLocation": _location(name), "replacements": [replacement]}
                found["fixes"] = [{"description": {"text": "what the KG says"}, "artifactChanges": [change]}]
            yield found
    for sentence in (report.get("coverage") or {}).get("unread", ()):
        yield _result(name, text, sentence, "unread", "none", f"Not read: {sentence['why']}.")


def _result(name: str, text: str, span: Mapping[str, int], rule: str, level: str, said: str) -> Json:
    place = {"physicalLocation": {"artifactLocation": _location(name), "region": region(text, span)}}
    kind = {"kind": "review"} if level == "none" else {}
    return {"ruleId": rule, "level": level, **kind, "message": {"text": said}, "locations": [place]}


def message(claim: Mapping[str, Any]) -> str:
    """Why, in words, without the ids of statements."""
    return STATEMENT_ID.sub("", claim.get("explanation") or claim.get("why_not") or claim["label"])


def _location(name: str) -> Json:
    path = PurePath(name)
    return {"uri": path.as_uri() if path.is_absolute() else quote(path.as_posix())}


def region(text: str, span: Mapping[str, int]) -> Json:
    """
    >>> region("one\\ntwo 🦊 three", {"start": 10, "end": 15})
    {'startLine': 2, 'startColumn': 8, 'endLine': 2, 'endColumn': 13}
    """
    (line, column), (last, until) = (place(text, span[end]) for end in ("start", "end"))
    return {"startLine": line, "startColumn": column, "endLine": last, "endColumn": until}


def place(text: str, offset: int) -> tuple[int, int]:
    """Line and column of a character, both from 1; columns in UTF-16 code units."""
    before = text[:offset]
    line = before.rpartition("\n")[2]
    return before.count("\n") + 1, len(line.encode("utf-16-le", "surrogatepass")) // 2 + 1
