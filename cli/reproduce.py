"""``kgstore reproduce``"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kgstore.cli.options import format_option, judge_option
from kgstore.cli.progress import counting
from kgstore.cli.render import console, echo_json, note, plain, print_table

if TYPE_CHECKING:
    from rich.console import Console

    from kgstore.verifier.reproduce.table import Result, Table


@click.command()
@click.argument("table", required=False)
@click.option("--list", "listed", is_flag=True, help="List the tables, and the files that each needs.")
@click.option(
    "--data",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    metavar="FOLDER",
    help="Where the files of the table are, or the folders that hold them.",
)
@click.option(
    "--rows", type=click.IntRange(min=2), metavar="N", help="Use N of the rows, at even distances. [default: all]"
)
@click.option(
    "--gguf",
    envvar="KGSTORE_GGUF",
    show_envvar=True,
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="The language model of a table that needs one.",
)
@judge_option
@format_option()
def reproduce(
    table: str | None,
    listed: bool,
    data: Path | None,
    rows: int | None,
    gguf: Path | None,
    judge: str | None,
    fmt: str,
) -> None:
    """Compute a table of a paper on your data, beside the paper's figures.

    The data sets are not part of kgstore: --list says which file a table needs, and a missing one is named with its
    source. What our setting has other than the paper's is listed below the figures.

    \b
    Example:
        kgstore reproduce --list
        kgstore reproduce claimver
        kgstore reproduce kea-summeval --data datasets --format json
    """
    from kgstore.verifier.reproduce.table import Asked
    from kgstore.verifier.reproduce.tables import TABLES
    from kgstore.verifier.reproduce.tables import table as named

    if listed or table is None:
        if table is not None or not listed:
            raise click.UsageError("name one table, or --list")
        _list(TABLES, fmt)
        return
    chosen = named(table)
    with counting("reproducing", rows or 0) as advance:
        result = chosen.run(Asked(data, rows, gguf, judge, advance))
    if fmt == "json":
        echo_json(_dict(chosen, result))
    else:
        _print(console(), chosen, result)


def _list(tables: tuple[Table, ...], fmt: str) -> None:
    rows = [
        {
            "table": one.name,
            "title": one.title,
            "source": one.source,
            "files": [{"name": file.name, "source": file.source} for file in one.files],
        }
        for one in tables
    ]
    if fmt == "json":
        echo_json(rows)
        return
    cells = [(one.name, one.title, one.source, ", ".join(file.name for file in one.files) or "-") for one in tables]
    print_table(console(), ("table", "what", "from", "files"), cells)


def _dict(table: Table, result: Result) -> dict[str, Any]:
    return {
        "table": table.name,
        "title": table.title,
        "source": table.source,
        "lines": [
            {"what": line.what, **dict(zip(result.columns, line.figures, strict=True))} for line in result.lines
        ],
        "notes": result.notes,
        "differences": table.differences,
    }


def _print(out: Console, table: Table, result: Result) -> None:
    out.print(plain(f"{table.title} ({table.source})"))
    cells = [(line.what, *map(_figure, line.figures)) for line in result.lines]
    print_table(out, ("", *result.columns), cells, right=result.columns)
    for line in result.notes:
        note(line)
    out.print(plain("What differs from the paper:"))
    for line in table.differences:
        out.print(plain(f"- {line}"))


def _figure(value: float | None) -> str:
    """
    >>> _figure(0.76149), _figure(None)
    ('0.761', '-')
    """
    return "-" if value is None else f"{value:.3f}"
