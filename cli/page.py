"""``kgstore page``"""

from __future__ import annotations

import sys
from pathlib import Path

import click

from kgstore.cli.options import output_option
from kgstore.cli.render import count, note, sink
from kgstore.errors import InputError


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="REPORT...")
@output_option
def page(files: tuple[str, ...], output: Path | None) -> None:
    """Write stored reports as one HTML page.

    Each REPORT is a file that `kgstore verify --format json` or `--format jsonl` wrote, - is stdin. The page is the
    one of `kgstore verify --format html`: one file that loads nothing. No KG is needed.

    \b
    Example:
        kgstore page reports.jsonl -o reports.html
    """
    from kgstore.cli.html.page import page as written
    from kgstore.cli.html.stored import read_reports

    reports = []
    for name in files:
        try:
            raw = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
        except OSError as error:
            reason = (error.strerror or str(error)).lower()
            raise InputError(f"cannot read {name}: {reason}", "name a file with reports, or - for stdin") from None
        reports += read_reports(raw, "stdin" if name == "-" else name)
    with sink(output) as stream:
        click.echo(written(reports).encode(), file=stream, nl=False)
    note(f"{count(len(reports), 'report')} written")
