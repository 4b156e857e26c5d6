"""Reports as workflow commands of GitHub Actions, which it shows beside the lines of a pull request."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, TextIO

import click

from kgstore.cli.formats import Layout, Reports
from kgstore.cli.sarif import LEVELS, message, place

_NAMES = {"error": "error", "note": "notice"}


def write(reports: Reports, stream: TextIO, layout: Layout) -> None:
    """The commands of each text as soon as it is read."""
    for item, report in reports:
        for line in commands(layout.file(item), report):
            click.echo(line, file=stream)


def commands(name: str, report: Mapping[str, Any]) -> Iterator[str]:
    """One command for each claim that the KG contradicts or cannot decide.

    :param name: the file that the text stands in
    """
    for claim in report["claims"]:
        if (level := LEVELS.get(claim["label"])) is not None:
            (line, column), (last, until) = (place(report["text"], claim[end]) for end in ("start", "end"))
            where = {"file": name, "line": line, "endLine": last, "title": f"{claim['label']} ({claim['method']})"}
            if line == last:  # columns count within one line only
                where |= {"col": column, "endColumn": until}
            said = ",".join(f"{key}={escaped(str(value), ':,')}" for key, value in where.items())
            yield f"::{_NAMES[level]} {said}::{escaped(message(claim))}"


def escaped(text: str, more: str = "") -> str:
    """
    >>> escaped("50 %, or\\nso"), escaped("rule:date", ":,")
    ('50 %25, or%0Aso', 'rule%3Adate')
    """
    for one in ("%", "\r", "\n", *more):
        text = text.replace(one, f"%{ord(one):02X}")
    return text
