"""The receipt of one call of `kgstore verify`, and the same call again."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from kgstore.cli.batch import Settings
from kgstore.cli.logs import VARIABLE
from kgstore.cli.texts import STDIN, Texts
from kgstore.opening import open_kg
from kgstore.verifier.report import receipt

_APART = {"files", "kg", "output", "receipt", "jobs", "engine", "shard_size", "fail_on", "memory", "resume", "summary"}
"""Parameters that change nothing in what is written, or are noted elsewhere."""


def taken(ctx: click.Context, settings: Settings, texts: Texts, written: Path) -> dict[str, Any]:
    """What `kgstore verify` was called with and what it wrote."""
    given, reading = ctx.params, settings.reading
    options = {
        param.name: _plain(given[param.name])
        for param in ctx.command.params
        if param.name not in _APART and given.get(param.name) not in (None, (), False)
    }
    folders = {name: given[name] for name in ("judge", "reader", "embedder", "gguf", "calibration", "context")}
    named = {
        name: receipt.digest_of(Path(value)) for name, value in folders.items()
        if value not in (None, "default", "none", STDIN)
    }  # fmt: skip
    foreign = settings.embedder is not None or settings.judge not in (None, "default", "none")
    return {
        "schema": receipt.SCHEMA,
        "command": "verify",
        "files": {name: _digest(name, texts) for name in given["files"] or (() if given["literal"] else (STDIN,))},
        "options": options,
        "kg": _kg(ctx, settings),
        "models": receipt.built_in() | named | ({"server": reading.llm} if reading.llm else {}),
        "versions": receipt.versions(settings.method, reading.gguf is not None, foreign),
        "code": receipt.code(),
        "output": receipt.digest_of(written),
    }


@contextmanager
def alone(command: click.Command) -> Iterator[None]:
    """Nothing that the environment says stands for an option meanwhile: a receipt has all that were given."""
    names = [name for param in command.params if isinstance(name := param.envvar, str) and name != VARIABLE]
    before = {name: os.environ.pop(name) for name in names if name in os.environ}
    try:
        yield
    finally:
        os.environ.update(before)


def arguments(found: dict[str, Any], verify: click.Command) -> tuple[list[str], dict[str, Any]]:
    """The command line of a receipt, and what was said in other places (the environment, the configuration).

    :raises InputError: if the receipt names what this kgstore does not know
    """
    words: list[str] = []
    known = {param.name: param for param in verify.params}
    for name, value in found["options"].items():
        if (param := known.get(name)) is None:
            raise receipt.InputError(f"the receipt has an option {name}", "replay it with the kgstore that wrote it")
        for one in value if isinstance(value, list) else [value]:
            words += [param.opts[-1]] if one is True else [param.opts[-1], str(one)]
    kg = found["kg"]
    elsewhere = {}
    if kg and kg["named"]:
        words += ["--kg", kg["path"]]
    elif kg:
        elsewhere["kg"] = kg["path"]
    return [*words, "--", *found["files"]], elsewhere


def _kg(ctx: click.Context, settings: Settings) -> dict[str, Any] | None:
    if settings.kg is None:
        return None
    with open_kg(settings.kg) as store:
        named = ctx.get_parameter_source("kg") is click.core.ParameterSource.COMMANDLINE
        return {"path": str(settings.kg), "named": named, **store.identity}


def _digest(name: str, texts: Texts) -> str:
    if name != STDIN:
        return receipt.digest_of(Path(name))
    return hashlib.sha256("\0".join(item.text for item in texts.items).encode("utf-8", "replace")).hexdigest()


def _plain(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_plain(one) for one in value]
    return str(value) if isinstance(value, Path) else value
