"""Texts as the commands take them: files, stdin, an argument, or JSON lines with many texts."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import orjson

from kgstore.cli.folders import texts_in
from kgstore.errors import InputError

BATCH = (".jsonl", ".ndjson")
KINDS = (".txt", ".md", *BATCH)
"""Files of a folder that are read."""
STDIN = "-"


@dataclass(frozen=True, slots=True)
class Text:
    """A text and the name that its report gets.

    :param id: from the JSON line as it stands there (or the line's number), else the file's name when there are several
    :param context: a document of its own to be checked against, from the JSON line
    """

    text: str
    id: Any = None
    context: str | None = None


@dataclass(frozen=True, slots=True)
class Texts:
    """All texts of one call; ``batch`` when they came as JSON lines or from a folder.

    :param left_out: files of a folder that are no texts, counted by the endings of their names
    """

    items: tuple[Text, ...]
    batch: bool
    left_out: Counter[str] = field(default_factory=Counter)


def read_texts(files: Iterable[str], literal: str | None = None) -> Texts:
    """Texts in the order of the files and of the lines in them.

    :param files: names of files, ``-`` is stdin; a name that ends in ``.jsonl`` is a batch; of a folder all texts and
        batches in it are read, and called by their paths, a line of a batch ``PATH#ID``
    :param literal: a text given as such, comes first
    :raises InputError: if a file cannot be read, is not UTF-8, or a line of a batch is no JSON object with a ``text``
    """
    names = list(files)
    items = [] if literal is None else [Text(literal)]
    left_out: Counter[str] = Counter()
    batch = False
    for name in names:
        if name != STDIN and Path(name).is_dir():
            paths, others = texts_in(Path(name), KINDS)
            left_out += others
            batch = True
            for path in map(str, paths):
                if _is_batch(path):
                    items += [replace(one, id=f"{path}#{one.id}") for one in batch_lines(_bytes(path), path)]
                else:
                    items.append(Text(_decoded(path), path))
        elif _is_batch(name):
            items += batch_lines(_bytes(name), _shown(name))
            batch = True
        else:
            items.append(Text(_decoded(name), None if len(names) == 1 else name))
    return Texts(tuple(items), batch, left_out)


def _is_batch(name: str) -> bool:
    return name.lower().endswith(BATCH)


def read_document(name: str) -> str:
    """A document to check against, as it stands in the file.

    :raises InputError: if it cannot be read, or is not UTF-8
    """
    return _decoded(name)


def _decoded(name: str) -> str:
    raw = _bytes(name)
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        what = f"{_shown(name)} is not UTF-8 (byte {raw[error.start]:#04x} at offset {error.start})"
        raise InputError(what, "convert it first, for example `iconv -f latin1 -t utf-8`") from None


def batch_lines(raw: bytes, name: str) -> list[Text]:
    """The texts of a batch.

    :param name: of the file, for messages
    :raises InputError: naming the first line that is no JSON object with a ``text``
    """
    found = []
    for number, line in enumerate(raw.splitlines(), 1):
        if not line.strip():
            continue
        where = f"{name}, line {number}"
        try:
            record = orjson.loads(line.removeprefix(b"\xef\xbb\xbf"))
        except orjson.JSONDecodeError as error:
            raise InputError(f"{where} is not JSON ({error})", "correct or remove that line") from None
        if not isinstance(record, dict) or not isinstance(record.get("text"), str):
            raise InputError(f"{where} has no text", 'each line is an object such as {"id": "1", "text": "..."}')
        key, context = record.get("id"), record.get("context")
        if not isinstance(context, str | None):
            raise InputError(f"{where} has a context that is no text", "put the document there, as one string")
        found.append(Text(record["text"], number if key is None else key, context))
    return found


def _bytes(name: str) -> bytes:
    if name == STDIN:
        return sys.stdin.buffer.read()
    try:
        return Path(name).read_bytes()
    except OSError as error:
        raise InputError(
            f"cannot read {name}: {(error.strerror or str(error)).lower()}", "name a text file, or - for stdin"
        ) from None


def _shown(name: str) -> str:
    return "stdin" if name == STDIN else name
