"""Texts as the commands take them: files, stdin, an argument, or JSON lines with many texts."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import orjson

from kgstore.cli.folders import texts_in
from kgstore.cli.render import count, note, warn
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
    left_out: Counter[str] = Counter()
    items = tuple(stream_texts(names, literal, left_out))
    return Texts(items, any(_is_folder(name) or _is_batch(name) for name in names), left_out)


def stream_texts(
    files: Sequence[str], literal: str | None = None, left_out: Counter[str] | None = None
) -> Iterator[Text]:
    """The same one by one: at no time more is in memory than a text and the names of a folder's files.

    :param left_out: files of folders that are no texts are counted here
    """
    if literal is not None:
        yield Text(literal)
    for name in files:
        if _is_folder(name):
            paths, others = texts_in(Path(name), KINDS)
            if left_out is not None:
                left_out += others
            for path in map(str, paths):
                if _is_batch(path):
                    yield from (replace(one, id=f"{path}#{one.id}") for one in _batch(path))
                else:
                    yield Text(_decoded(path), path)
        elif _is_batch(name):
            yield from _batch(name)
        else:
            yield Text(_decoded(name), None if len(files) == 1 else name)


def tell_none(files: Iterable[str]) -> None:
    """Say that none of these files and folders holds a text."""
    warn(f"no texts in {', '.join(map(_shown, files))}")


def tell_left_out(left_out: Counter[str]) -> None:
    """Say which files of folders were not read."""
    if left_out:
        kinds = ", ".join(f"{kind} {many:,}" for kind, many in left_out.most_common())
        note(f"{count(left_out.total(), 'file')} of other kinds left out ({kinds}); read are {', '.join(KINDS)}")


def _is_folder(name: str) -> bool:
    return name != STDIN and Path(name).is_dir()


def _batch(name: str) -> Iterator[Text]:
    try:
        with Path(name).open("rb") as file:
            yield from _records((one for line in file for one in line.splitlines()), name)
    except OSError as error:
        raise _unreadable(name, error) from None


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
    return list(_records(raw.splitlines(), name))


def _records(lines: Iterable[bytes], name: str) -> Iterator[Text]:
    for number, line in enumerate(lines, 1):
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
        yield Text(record["text"], number if key is None else key, context)


def _bytes(name: str) -> bytes:
    if name == STDIN:
        return sys.stdin.buffer.read()
    try:
        return Path(name).read_bytes()
    except OSError as error:
        raise _unreadable(name, error) from None


def _unreadable(name: str, error: OSError) -> InputError:
    why = (error.strerror or str(error)).lower()
    return InputError(f"cannot read {name}: {why}", "name a text file, or - for stdin")


def _shown(name: str) -> str:
    return "stdin" if name == STDIN else name
