"""What a table of a paper is here: its figures, the files it needs, the function that computes ours, what differs."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import orjson

from kgstore.errors import InputError

PAPER = "paper"
"""The column of the paper's own figures."""


@dataclass(frozen=True, slots=True)
class Line:
    """One measure: a figure for each column, None where there is none."""

    what: str
    figures: tuple[float | None, ...]


@dataclass(frozen=True, slots=True)
class Result:
    """A table that was computed.

    :param columns: names of the figures of each line
    :param notes: what belongs to this run: how many rows, what was left out
    """

    columns: tuple[str, ...]
    lines: tuple[Line, ...]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Needed:
    """A file of a table.

    :param name: looked for in the user's folder and one level below, with or without ``.gz``
    :param source: where it can be had
    """

    name: str
    source: str


@dataclass(frozen=True, slots=True)
class Asked:
    """What the user gave.

    :param data: folder with the files
    :param rows: so many texts, at even distances; None for all
    :param gguf: the language model of a table that needs one
    :param judge: see `kgstore.verifier.judges.opening`
    :param advance: called with 1 after each text
    """

    data: Path | None = None
    rows: int | None = None
    gguf: Path | None = None
    judge: str | None = None
    advance: Callable[[int], None] = lambda step: None


@dataclass(frozen=True, slots=True)
class Table:
    """One table of a paper.

    :param source: the paper and the place in it
    :param home: ``module:function`` that takes `Asked` and the paths of ``files`` and gives a `Result`
    :param differences: how our setting is not the paper's, one sentence each
    """

    name: str
    title: str
    source: str
    home: str
    files: tuple[Needed, ...]
    differences: tuple[str, ...]

    def run(self, asked: Asked) -> Result:
        """Compute our figures beside the paper's.

        :raises InputError: if a file is missing, or is not what it should be
        """
        paths = [found(asked.data, file) for file in self.files]
        module, _, function = self.home.partition(":")
        return getattr(import_module(module), function)(asked, *paths)


def found(folder: Path | None, file: Needed) -> Path:
    """The path of a file.

    :raises InputError: naming the file and where it can be had
    """
    if folder is not None:
        for place in (folder, *sorted(one for one in folder.glob("*") if one.is_dir())):
            for name in (file.name, f"{file.name}.gz"):
                if (place / name).is_file():
                    return place / name
    where = "no folder is named" if folder is None else f"it is not in {folder}"
    raise InputError(f"the table needs {file.name} and {where}", f"name its folder with --data; {file.source}")


def sample(rows: list[Any], many: int | None) -> list[Any]:
    """``many`` of the rows at even distances, all where there are no more.

    >>> sample([0, 1, 2, 3, 4, 5], 3)
    [0, 2, 4]
    """
    if many is None or many >= len(rows):
        return rows
    return [rows[at * len(rows) // many] for at in range(many)]


def objects(path: Path, *keys: str) -> list[dict[str, Any]]:
    """The objects of a JSON list, or of JSON lines, perhaps compressed with gzip.

    :raises InputError: if it is no such file, or a key is missing
    """
    try:
        data = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
        read = orjson.loads(data) if data.lstrip().startswith(b"[") else list(_lines(data))
    except (OSError, EOFError, ValueError) as error:
        raise InputError(f"cannot read {path}: {error}", "name a folder with the file as its source has it") from None
    for row in read:
        if not isinstance(row, dict) or any(key not in row for key in keys):
            raise InputError(f"{path} has a row without {' and '.join(keys)}", "see `kgstore reproduce --list`")
    return read


def _lines(data: bytes) -> Iterator[Any]:
    return (orjson.loads(line) for line in data.splitlines() if line.strip())
