"""Writes reports as one HTML file: nothing is fetched, nothing in it leads out, and whatever is data is escaped."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping, Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, TextIO

import click
from jinja2 import Environment, FileSystemLoader
from markupsafe import Markup

from kgstore.cli.formats import Layout, Reports
from kgstore.cli.html.view import MEANING, OF_CLAIM, ReportView, view
from kgstore.cli.html.words import shown, whole
from kgstore.cli.render import count
from kgstore.cli.verdicts import LOOK, STATEMENT_ID, floored, role

HERE = Path(__file__).parent

SAYS = {"attributable": "supported", "extrapolatory": "left open", "contradictory": "something else is known"}

FROM_DOCUMENT = "document:"
"""How the methods that check against a document begin, and the ids of what they found there."""


def write(reports: Reports, stream: TextIO, layout: Layout) -> None:
    """One page about all of them."""
    click.echo(page([report for _, report in reports]).encode(), file=stream, nl=False)


def page(reports: Sequence[Mapping[str, Any]]) -> str:
    """The page about these reports (``kgstore.report/1``), with a table of contents if there are several."""
    style, script = report_style(), _source("page.js")
    policy = (
        f"default-src 'none'; style-src {_digest(style)}; script-src {_digest(script)}; "
        "base-uri 'none'; form-action 'none'"
    )
    views = [view(report, number) for number, report in enumerate(reports, 1)]
    kgs = list({tuple(sorted(report["kg"].items())): report["kg"] for report in reports}.values())
    return environment().get_template("page.html").render(
        reports=views, kgs=kgs, source=_source_of(views), style=Markup(style), script=Markup(script), policy=policy
    )


@cache
def environment() -> Environment:
    """Templates, every value of which is escaped and fit to be shown."""
    found = Environment(
        loader=FileSystemLoader(HERE),
        autoescape=True,
        finalize=shown,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    found.filters |= {"whole": whole, "floored": floored, "without_ids": lambda words: STATEMENT_ID.sub("", words)}
    found.globals |= {"LOOK": LOOK, "role": role, "SAYS": SAYS, "MEANING": MEANING, "OF_CLAIM": OF_CLAIM}
    found.globals["count"] = count
    return found


def _source_of(views: Sequence[ReportView]) -> str:
    """What the texts were checked against, in a word."""
    document = any(claim.raw["method"].startswith(FROM_DOCUMENT) for view in views for claim in view.claims)
    graph = any(part is not None for view in views for part in view.raw["kg"].values())
    return "document" if document and not graph else "document and graph" if document else "graph"


def report_style() -> str:
    """The palette of either theme goes where it is asked for: by the system, by the reader, for paper."""
    light, dark = _source("light.css"), _source("dark.css")
    return (
        f":root {{ {light} }}\n"
        f"@media screen and (prefers-color-scheme: dark) {{ :root {{ {dark} }} }}\n"
        f"@media screen {{ :root:has(#theme-light:checked) {{ {light} }} }}\n"
        f"@media screen {{ :root:has(#theme-dark:checked) {{ {dark} }} }}\n"
        + _source("page.css")
    )


def _source(name: str) -> str:
    return (HERE / name).read_text(encoding="utf-8")


def _digest(source: str) -> str:
    """As a content security policy names the one style or script that may be used."""
    return f"'sha256-{b64encode(sha256(source.encode()).digest()).decode()}'"
