"""All tables that `kgstore reproduce` knows, as ``tables.toml`` has them."""

from __future__ import annotations

import tomllib
from pathlib import Path

from kgstore.errors import InputError
from kgstore.verifier.reproduce.table import Needed, Table


def _read() -> tuple[Table, ...]:
    found = tomllib.loads(Path(__file__).with_name("tables.toml").read_text(encoding="utf-8"))
    return tuple(
        Table(
            one["name"],
            one["title"],
            one["source"],
            f"kgstore.verifier.reproduce.{one['home']}",
            tuple(Needed(**file) for file in one.get("files", ())),
            (*found["shared"].get(one.get("shared"), ()), *one["differences"]),
        )
        for one in found["table"]
    )


TABLES = _read()


def table(name: str) -> Table:
    """:raises InputError: if there is no table of that name"""
    for one in TABLES:
        if one.name == name:
            return one
    names = ", ".join(one.name for one in TABLES)
    raise InputError(f"there is no table {name!r}", f"name one of {names}")
