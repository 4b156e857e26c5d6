"""A report (``kgstore.report/1``) as a person reads it: the text with its claims marked, then each verdict."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TextIO

from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from kgstore.cli.formats import Layout, Reports
from kgstore.cli.render import WIDE, clean, console, count, plain
from kgstore.cli.underline import READABLE, errors, underlined
from kgstore.cli.unread import coverages, told
from kgstore.verifier.read.markup import unmarked

LOOK = {
    "attributable": ("✓", "green"),
    "extrapolatory": ("?", "yellow"),
    "contradictory": ("✗", "red"),
}
"""Sign and colour of each label, from best to worst; where claims overlap the worse one colours the text."""
_WORDS = {"supports": "supported by", "contradicts": "contradicted by", "related": "related"}
SCORES = {"tms": "TMS", "kas": "KAS", "fd": "FD", "similarity": "similarity", "kernel": "kernel"}
"""What scores are called; two digits of each are shown."""
STATEMENT_ID = re.compile(r" \(statement [^()]*\)")
"""In an explanation; a reader finds the statements below it, a program finds them in the JSON."""


def write(reports: Reports, stream: TextIO, layout: Layout) -> None:
    """For people, each report as soon as it is made."""
    out, read = console(stream), []
    for item, report in reports:
        print_report(report, out, None if item.id is None else str(item.id), layout.scored, layout.verbose)
        read += coverages([report])
    if len(read) > 1:
        out.print(plain(f"all {len(read):,} texts: {told(read)}"))


def print_report(
    report: Mapping[str, Any], out: Console, title: str | None = None, scored: bool = False, verbose: bool = False
) -> None:
    """Print one report: the text with its errors underlined, then each claim and why.

    :param scored: with the scores of a published method, and its explanations of supported claims, too
    :param verbose: with all evidence, ways between the two ends, the tier and the offsets
    """
    if title:
        out.print(plain(title, "bold"))
    text = marked(report)
    if text.plain.strip():
        for line in underlined(text, errors(report), min(out.width, READABLE) - 2):
            out.print(Text("  " if line.plain else "").append_text(line))
        out.print()
    spans = Counter((claim["start"], claim["end"]) for claim in report["claims"])
    for claim in report["claims"]:
        shared = spans[claim["start"], claim["end"]] > 1
        _print_claim(claim, out, shared, [*_details(claim, report["text"], scored, verbose or scored)])
    text = summary(report)
    if scored and (numbers := _scores(text_scores(report))):
        text.append(f"; {numbers}")
    out.print(text)
    if unread := told(coverages([report])):
        out.print(plain(unread, "dim"))


def marked(report: Mapping[str, Any]) -> Text:
    """The text, every claim in the colour of its label."""
    text = Text(report["text"])
    worst_last = sorted(report["claims"], key=lambda claim: list(LOOK).index(claim["label"]))
    for claim in worst_last:
        text.stylize(LOOK[claim["label"]][1], claim["start"], claim["end"])
    text = _cleaned(text)
    text.rstrip()
    return text


def _cleaned(text: Text) -> Text:
    text.plain = clean(text.plain)  # one character for one: the spans stay where they are
    return text


def text_scores(report: Mapping[str, Any]) -> dict[str, float]:
    """The scores of the whole text; a KAS only if it rests on the triplets match scores of the claims."""
    matched = any(claim["scores"]["tms"] is not None for claim in report["claims"])
    known = {name: value for name, value in report["scores"].items() if value is not None}
    return {name: value for name, value in known.items() if name != "kas" or matched}


def _scores(scores: Mapping[str, Any]) -> str:
    """
    >>> _scores({"tms": 0.97, "kernel": None, "similarity": 0.5})
    'TMS 0.97, similarity 0.50'
    """
    return ", ".join(f"{SCORES[name]} {scores[name]:.2f}" for name in SCORES if scores.get(name) is not None)


def _print_claim(claim: Mapping[str, Any], out: Console, shared: bool, details: Sequence[Text]) -> None:
    """
    :param shared: other claims are made by the same words, so that these do not tell which one is meant
    """
    sign, colour = LOOK[claim["label"]]
    head = Text.assemble((f"{sign} {claim['label']} ", f"bold {colour}"), (f"{floored(claim['confidence'])}  ", "dim"))
    head.append(clean(unmarked(claim["text"])), style="bold")
    out.print(head)
    if shared:
        _print_indented(Text.assemble(("read as  ", "dim"), clean(" · ".join(claim["triple"]))), 4, out)
    for line in details:
        _print_indented(line, 4, out)
    out.print()


def role(claim: Mapping[str, Any], item: Mapping[str, Any]) -> str:
    """What a piece of evidence does; what supports a step towards a contradiction does not support the claim.

    >>> role({"label": "contradictory"}, {"role": "supports"}), role({"label": "attributable"}, {"role": "supports"})
    ('by way of', 'supported by')
    """
    step = claim["label"] == "contradictory" and item["role"] == "supports"
    return "by way of" if step else _WORDS[item["role"]]


def floored(confidence: float) -> str:
    """Two digits, never rounded up: 1.00 would promise too much.

    >>> floored(0.9973), floored(0.29), floored(1.0)
    ('0.99', '0.29', '1.00')
    """
    return f"{int(confidence * 100 + 1e-9) / 100:.2f}"


def _details(claim: Mapping[str, Any], text: str, scored: bool, verbose: bool) -> Iterator[Text]:
    if scored or claim["label"] != "attributable" or not claim["evidence"]:  # else the evidence says the same
        yield plain(STATEMENT_ID.sub("", claim.get("explanation") or ""))
    supported = claim["label"] == "attributable"
    for item in claim["evidence"] if verbose else claim["evidence"][:1] if supported else ():
        said = role(claim, item)
        colour = {"supported by": "green", "contradicted by": "red"}.get(said, "dim")
        line = Text.assemble((f"{said}  ", colour), clean(" · ".join(item["labels"])))
        line.append(_qualified(item), style="dim")
        yield line
    short = [path for path in claim.get("paths") or [] if len(path) <= 2]  # the JSON report has them all
    for path in short[:1] if verbose else ():
        yield Text.assemble(("connected by  ", "dim"), clean("; ".join(_step(step) for step in path)))
    if (correction := claim.get("correction")) is not None:
        was = text[correction["start"] : correction["end"]]
        yield Text.assemble(
            ("correction  ", "cyan"),
            (clean(was), "strike"),
            " → ",
            (clean(correction["text"]), "bold cyan"),
        )
    if not verbose:
        return
    if claim.get("why_not"):
        yield plain(f"not checked: {claim['why_not']}", "dim")
    numbers = _scores(claim["scores"]) if scored else ""
    yield plain(f"{claim['method']}, characters {claim['start']} to {claim['end']}{numbers and f'; {numbers}'}", "dim")


def _print_indented(text: Text, columns: int, out: Console) -> None:
    """Also where a line wraps; off a terminal without padding on the right."""
    if out.width < WIDE:
        out.print(Padding(text, (0, 0, 0, columns), expand=False))
        return
    for line in text.split("\n", allow_blank=True):
        line.rstrip()
        out.print(Text(" " * columns if line.plain else "").append_text(line))


def _qualified(item: Mapping[str, Any]) -> str:
    parts = [item["rank"]] if item.get("rank") not in (None, "normal") else []
    parts += [f"{one['label']}: {one['value']}" for one in item.get("qualifiers") or []]
    return f"  ({clean('; '.join(parts))})" if parts else ""


def _step(step: Mapping[str, Any]) -> str:
    return " · ".join(step["labels"])


def summary(report: Mapping[str, Any]) -> Text:
    """One line: how many claims got which label."""
    numbers = Counter(claim["label"] for claim in report["claims"])
    if not numbers:
        return plain("no claims found", "dim")
    text = Text(f"{count(len(report['claims']), 'claim')}: ")
    text.append_text(
        Text(", ").join(Text(f"{numbers[label]} {label}", LOOK[label][1]) for label in LOOK if numbers[label])
    )
    return text
