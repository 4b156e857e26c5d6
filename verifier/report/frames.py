"""A report as a table, and as a notebook shows it: one row a claim, the text with its claims marked."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup, escape

from kgstore.verifier.claims import Label, Verdict

COLUMNS = (
    "start", "end", "text", "head", "relation", "tail", "label", "confidence", "method", "reason", "head_iri",
    "property_iri", "tail_iri", "correction",
)  # fmt: skip
_COLOURS = {
    Label.ATTRIBUTABLE: "rgba(46, 160, 67, .25)",
    Label.EXTRAPOLATORY: "rgba(210, 153, 34, .25)",
    Label.CONTRADICTORY: "rgba(218, 54, 51, .3)",
}
"""Pale enough for the letters of light and of dark notebooks."""


def columns(verdicts: Sequence[Verdict]) -> dict[str, list[object]]:
    """Column -> a value for each verdict, in their order; None where there is none."""
    rows = [_row(verdict) for verdict in verdicts]
    return {name: [row[at] for row in rows] for at, name in enumerate(COLUMNS)}


def _row(verdict: Verdict) -> tuple[object, ...]:
    claim, edit = verdict.claim, verdict.correction
    ends = (None if one is None else one.iri for one in (verdict.head, verdict.tail))
    head, tail = ends
    return (
        claim.start, claim.end, claim.text, claim.head.text, claim.relation, claim.tail.text, verdict.label.value,
        verdict.confidence, verdict.method, verdict.reason, head, verdict.relation, tail,
        None if edit is None else edit.text,
    )  # fmt: skip


def as_html(text: str, verdicts: Sequence[Verdict]) -> str:
    """The text with each claim in the colour of its label, and a table of the verdicts. All data is escaped."""
    head = Markup("").join(Markup("<th>{}</th>").format(name) for name in ("", "claim", "why", "correction"))
    rows = Markup("").join(
        Markup('<tr><td style="background:{}">{}</td><td>{}</td><td>{}</td><td>{}</td></tr>').format(
            _COLOURS[one.label], one.label.value, one.claim.text, one.reason,
            one.correction.text if one.correction else "",
        )  # fmt: skip
        for one in verdicts
    )
    table = Markup("<table><tr>{}</tr>{}</table>").format(head, rows) if verdicts else Markup("")
    return Markup('<div><p style="white-space:pre-wrap">{}</p>{}</div>').format(_marked(text, verdicts), table)


def _marked(text: str, verdicts: Sequence[Verdict]) -> Markup:
    """Where claims overlap the worse label colours the text."""
    worst: list[Label | None] = [None] * len(text)
    for label in Label:
        for verdict in verdicts:
            if verdict.label is label:
                worst[verdict.claim.start : verdict.claim.end] = [label] * (verdict.claim.end - verdict.claim.start)
    found, start = Markup(""), 0
    for at in range(1, len(worst) + 1):
        if at == len(worst) or worst[at] is not worst[start]:
            piece = escape(text[start:at])
            here = worst[start]
            found += piece if here is None else Markup('<span style="background:{}" title="{}">{}</span>').format(
                _COLOURS[here], here.value, piece
            )
            start = at
    return found
