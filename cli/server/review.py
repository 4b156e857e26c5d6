"""Reviews: what people say of verdicts, kept in a file beside the KG, and what that tells of its accusations."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Mapping
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from kgstore.cli.render import count
from kgstore.cli.server import work
from kgstore.cli.server.asking import answer, desks, done, fields, needed, number, text_of, word
from kgstore.cli.server.desks import Desks
from kgstore.cli.server.errors import Refused
from kgstore.cli.server.templates import rendered
from kgstore.verifier.claims import Label
from kgstore.verifier.measure import reviews

Json = dict[str, Any]
SHOWN = 200
LONGEST = 100
"""Characters of a name."""


async def post(request: Request) -> Response:
    """Mark the verdict on a claim right or wrong, or settle one that is open, by the label that is right.

    What is kept is the server's own verdict on that text, which it gives once more: nobody can put words into it.
    """
    given = await fields(request)
    text, kg = text_of(given, desks(request).settings.limits.text), desks(request).kg(word(given, "kg"))
    label, by = needed(given, "label"), _name(given, desks(request))
    if label not in set(Label):
        raise Refused(400, f"label is none of {', '.join(Label)}")
    report = await done(request, kg, lambda desk: work.verified(desk, text))
    claim = report["claims"][number(given, "claim", 0, max(1, len(report["claims"]))) - 1] if report["claims"] else None
    if claim is None or claim["label"] != word(given, "verdict", claim["label"]):
        raise Refused(409, "the verdict on that claim is another one now: check the text again")
    row = reviews.review(report, claim, Label(label), by)
    await asyncio.to_thread(reviews.append, reviews.beside(desks(request).settings.named[kg]), row)
    return answer({"id": row["id"], "by": by, "measure": tally(desks(request), kg)}, 201)


def _name(given: Json, desks: Desks) -> str:
    """Who reviews: the name that the page has, on one line."""
    said = " ".join((word(given, "by") or "").split())
    return (said or desks.settings.reviewer or "somebody")[:LONGEST]


def of(desks: Desks, kg: str, report: Json) -> dict[int, Json]:
    """The last review of each claim of a report that has one, by the claim's number."""
    return reviews.of(report, _rows(desks, kg))


def tally(desks: Desks, kg: str | None) -> str:
    """What is known of a KG's accusations, in a sentence; empty without reviews."""
    many, wrong = reviews.accusations(_rows(desks, kg))
    if not many:
        return ""
    share = math.ceil(1000 * reviews.at_most(wrong, many)) / 10
    return (
        f"Of {count(many, 'reviewed accusation')} {wrong} {'was' if wrong == 1 else 'were'} wrong: "
        f"at most {share:g} % with 95 % certainty."
    )


def _rows(desks: Desks, kg: str | None) -> list[Json]:
    return reviews.read(reviews.beside(desks.settings.named[desks.kg(kg)]))


async def page(request: Request) -> Response:
    """The last reviews and the measure."""
    kg = desks(request).kg(request.query_params.get("kg"))
    rows = await asyncio.to_thread(_rows, desks(request), kg)
    shown = [_shown(row) for row in reversed(rows[-SHOWN:])]
    measure, file = tally(desks(request), kg), reviews.beside(desks(request).settings.named[kg])
    return rendered(request, "reviews.html", rows=shown, measure=measure, file=file.name, total=len(rows))


def _shown(row: Mapping[str, Any]) -> Json:
    mine = row["claims"][0]
    words = row["text"][mine["start"] : mine["end"]]
    return {**row, "words": words, "right": mine["label"], "agrees": mine["label"] == row["verdict"]["label"]}
