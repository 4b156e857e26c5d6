"""The formats of reports: each is a function ``write`` in a file of its own, and a line of `FORMATS`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Protocol, TextIO

from kgstore.cli.render import echo_json
from kgstore.cli.texts import STDIN, Text

Reports = Iterable[tuple[Text, dict[str, Any]]]
"""Each text with its report (``kgstore.report/1``); they are made while one goes over them."""


@dataclass(frozen=True, slots=True)
class Layout:
    """What a format may need besides the reports.

    :param files: as they were named on the command line
    :param batch: write a list of reports, even where there is one
    :param scored: with the scores of a published method
    :param verbose: with all evidence
    """

    files: tuple[str, ...] = ()
    batch: bool = False
    scored: bool = False
    verbose: bool = False

    def file(self, item: Text) -> str:
        """What code hosts call the file of a text: its own name, or the id of a line."""
        if item.id is not None:
            return str(item.id)
        return self.files[0] if self.files and self.files[0] != STDIN else "stdin"


class Write(Protocol):
    """Writes reports; the reports of a long batch need not be held in memory at once."""

    def __call__(self, reports: Reports, stream: TextIO, layout: Layout) -> None: ...


FORMATS = {
    "text": "verdicts:write",
    "json": "formats:write_json",
    "jsonl": "formats:write_lines",
    "html": "html.page:write",
    "sarif": "sarif:write",
    "github": "annotations:write",
}
"""Module and function of each, imported when it is asked for. The first is the default."""


def open_format(name: str) -> Write:
    """:param name: one of `FORMATS`"""
    module, _, function = FORMATS[name].partition(":")
    return getattr(import_module(f"kgstore.cli.{module}"), function)


def write_json(reports: Reports, stream: TextIO, layout: Layout) -> None:
    """One report, or a list of them."""
    whole = [report for _, report in reports]
    echo_json(whole if layout.batch or len(whole) > 1 else whole[0], stream)


def write_lines(reports: Reports, stream: TextIO, layout: Layout) -> None:
    """One report a line."""
    for _, report in reports:
        echo_json(report, stream, indent=False)
