"""What is done at a desk: a text in, plain values out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from kgstore.cli.server.desks import Desk
from kgstore.verifier.report.candidates import add, candidates
from kgstore.verifier.report.correct import correct_text
from kgstore.verifier.report.report import Report, claim_dicts, report_dict

Json = dict[str, Any]


def verified(desk: Desk, text: str, key: str | None = None) -> Json:
    """A report (``kgstore.report/1``)."""
    return _written(desk.verifier.verify(text, key), desk)


def _written(report: Report, desk: Desk) -> Json:
    if desk.candidates is not None:
        add(desk.candidates, candidates(report, desk.store))
    return report_dict(report, desk.store)


def streamed(desk: Desk, text: str, key: str | None = None) -> Iterator[tuple[str, Json]]:
    """``verdicts`` with the claims of a sentence as they come, ``update`` where the rest of the text changes them, at
    last ``report``."""
    for found in desk.verifier.stream(text, key):
        if isinstance(found, Report):
            yield "report", _written(found, desk)
        else:
            claims = claim_dicts(found.verdicts, text, desk.store)
            yield "update" if found.again else "verdicts", {"start": found.start, "end": found.end, "claims": claims}


def corrected(desk: Desk, text: str, key: str | None = None) -> Json:
    """As ``kgstore correct --format json`` prints it, with the report on the text as it was."""
    report = desk.verifier.verify(text, key)
    made = correct_text(text, desk.verifier.verify, desk.store, report)
    edits = [
        {"start": one.start, "end": one.end, "old": text[one.start : one.end], "new": one.text}
        for one in made.corrections
    ]
    return {
        "id": key,
        "text": text,
        "corrected": made.text,
        "edits": edits,
        "withheld": made.withheld,
        "label": made.report.label,
        "report": _written(report, desk),
    }
