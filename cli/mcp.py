"""``kgstore mcp``"""

from __future__ import annotations

from pathlib import Path

import click

from kgstore.cli.options import (
    answer_timeout_option,
    complete_option,
    embedder_option,
    judge_option,
    local_kg_option,
    max_text_option,
    reader_option,
)


@click.command()
@local_kg_option
@answer_timeout_option
@max_text_option
@judge_option
@reader_option
@complete_option
@embedder_option
def mcp(
    kg: Path,
    timeout: float,
    max_text: int,
    judge: str | None,
    reader: str | None,
    complete: tuple[str, ...],
    embedder: Path | None,
) -> None:
    """Serve a KG to a program that speaks MCP, over stdin and stdout.

    The Model Context Protocol is what chat clients and agents call tools by. The tools are verify, correct, entity,
    facts, path, search and sparql; all of them only read. The client starts this command; one text after the other is
    worked on by a verifier that stays open.

    \b
    Example:
        kgstore mcp --kg small.kg
    """
    from kgstore.cli.server.mcp import ROWS, server
    from kgstore.cli.server.settings import Limits, Settings
    from kgstore.store import Store

    Store(kg).close()  # what is wrong with the KG is said here, where it ends the command
    limits = Limits(workers=1, seconds=timeout, query_seconds=timeout / 4, rows=ROWS, text=max_text)
    settings = Settings((kg,), limits, judge=judge, reader=reader, embedder=embedder, complete=complete)
    server(settings).run("stdio")
