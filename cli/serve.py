"""``kgstore serve``"""

from __future__ import annotations

import getpass
import os
from pathlib import Path

import click

from kgstore.cli.options import (
    answer_timeout_option,
    candidates_option,
    complete_option,
    embedder_option,
    judge_option,
    max_text_option,
    reader_option,
)
from kgstore.cli.render import warn
from kgstore.default import default_kg

LOCAL = ("127.0.0.1", "localhost", "::1")
TOKEN = "KGSTORE_TOKEN"
SHORTEST = 16


@click.command()
@click.option(
    "--kg",
    "kgs",
    multiple=True,
    type=click.Path(path_type=Path),
    metavar="KG",
    help="Folder of a knowledge graph. Repeatable: the page lets one choose and compare; the first is meant where none "
    "is named. [default: KGSTORE_KG, or the one of `kgstore demo`]",
)
@click.option("--host", default="127.0.0.1", show_default=True, metavar="ADDRESS", help="Where to listen.")
@click.option("--port", type=click.IntRange(0, 65535), default=8765, show_default=True, help="0: any.")
@click.option(
    "--token-file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help=f"What clients must show, at least {SHORTEST} characters; {TOKEN} in the environment does the same. Needed "
    "for any address but this machine's own.",
)
@click.option(
    "--certificate",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Serve HTTPS with this certificate, in PEM.",
)
@click.option(
    "--key",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="The certificate's private key. [default: in the same file]",
)
@click.option("--allow-host", "hosts", multiple=True, metavar="NAME", help="A name of this server. Repeatable.")
@click.option(
    "--allow-origin",
    "origins",
    multiple=True,
    metavar="URL",
    help="A site whose pages may ask this server, such as a YASGUI of yours. Repeatable.",
)
@click.option(
    "--workers",
    type=click.IntRange(1, 64),
    default=2,
    show_default=True,
    metavar="N",
    help="Texts that are worked on at a time.",
)
@click.option(
    "--waiting",
    type=click.IntRange(min=1),
    default=64,
    show_default=True,
    metavar="N",
    help="Requests that run or wait; one more gets 429.",
)
@answer_timeout_option
@max_text_option
@candidates_option
@judge_option
@reader_option
@complete_option
@embedder_option
def serve(
    kgs: tuple[Path, ...],
    host: str,
    port: int,
    token_file: Path | None,
    certificate: Path | None,
    key: Path | None,
    hosts: tuple[str, ...],
    origins: tuple[str, ...],
    workers: int,
    waiting: int,
    timeout: float,
    max_text: int,
    candidates: Path | None,
    judge: str | None,
    reader: str | None,
    complete: tuple[str, ...],
    embedder: Path | None,
) -> None:
    """Serve a page to check texts on, and REST.

    Open the address that is printed. Everything that the page needs comes from here; nothing is asked elsewhere, and
    nothing is written to a KG. REST is described at /docs. SIGTERM and Ctrl-C let running requests end.

    \b
    Example:
        kgstore serve --kg small.kg
        kgstore serve --kg small.kg --kg company.kg --port 9000
    """
    from kgstore.cli.server.running import run
    from kgstore.cli.server.settings import Limits, Settings

    token = _token(token_file)
    if host not in LOCAL and not token:
        raise click.UsageError(f"--host {host} lets others in: name a token with --token-file or {TOKEN}")
    if (key or host not in LOCAL) and not certificate:
        if key:
            raise click.UsageError("--key belongs to a certificate: name it with --certificate")
        warn(f"what is sent to {host} can be read on its way: name a --certificate, or put a server with TLS in front")
    settings = Settings(
        kgs or _default(),
        Limits(workers=workers, waiting=waiting, seconds=timeout, query_seconds=timeout / 4, text=max_text),
        token,
        tuple(one.lower() for one in (*hosts, *(() if host in ("0.0.0.0", "::") else (host,)))),
        tuple(one.rstrip("/") for one in origins),
        candidates,
        judge,
        reader,
        embedder,
        complete,
        certificate is not None,
        "" if token else _user(),
    )
    run(settings, host, port, certificate, key)


def _default() -> tuple[Path, ...]:
    named = os.environ.get("KGSTORE_KG")
    found = Path(named) if named else default_kg()
    if found is None:
        raise click.UsageError("no KG: name one with --kg or KGSTORE_KG, or make the default one with `kgstore demo`")
    return (found,)


def _user() -> str:
    """Who runs the server, and so reviews on it where it lets in nobody else."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return ""


def _token(file: Path | None) -> str:
    found = os.environ.get(TOKEN, "") if file is None else file.read_text(encoding="utf-8")
    found = found.strip()
    if found and (len(found) < SHORTEST or not found.isascii() or not found.isprintable()):
        raise click.UsageError(f"the token must have at least {SHORTEST} characters of ASCII: `openssl rand -hex 32`")
    return found
