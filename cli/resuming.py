"""A file of reports that is continued: what is finished stays and is not done again, what was broken off goes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO

import orjson

from kgstore.cli.render import count, note
from kgstore.cli.texts import Text
from kgstore.errors import InputError

Json = dict[str, Any]


def unfinished(
    path: Path, items: Sequence[Text], asked: Callable[[], dict[str, Any]], seen: Callable[[Json], None]
) -> list[Text]:
    """The texts that have no report in the file yet. A line that is not whole at its end is removed.

    Reports of texts that have changed since are removed, too; those of other texts stay.

    :param asked: the identity of the KG, for reports that were made by one
    :param seen: is shown each report that stays and is of one of the texts
    :raises InputError: if two texts have one id, a line is no report, or another state of the KG was asked
    """
    wanted = _by_id(items)
    if not path.exists():
        return list(items)
    done: set[bytes] = set()
    keep: list[bool] = []
    current: dict[str, Any] | None = None
    for number, line, last in _lines(path):
        report = _report(line, path, number, last)
        key = b"" if report is None else _key(report["id"])
        item = wanted.get(key)
        keep.append(report is not None and (item is None or (report["text"] == item.text and key not in done)))
        if report is None or item is None or not keep[-1]:
            continue
        if item.context is None and report["kg"]:
            current = asked() if current is None else current
            if current and current != report["kg"]:
                why = f"{path} was written by another state of the KG"
                raise InputError(why, "name another file for --output, so that all reports agree")
        done.add(key)
        seen(report)
    if not all(keep):
        _rewrite(path, keep)
        note(f"{path}: {count(keep.count(False), 'line')} removed that was broken off or whose text has changed")
    left = [item for key, item in wanted.items() if key not in done]
    if done:
        note(f"{path}: {count(len(done), 'text')} of {len(items):,} finished before")
    return left


def _by_id(items: Sequence[Text]) -> dict[bytes, Text]:
    found: dict[bytes, Text] = {}
    for item in items:
        if (key := _key(item.id)) in found:
            raise InputError(f"two texts have the id {item.id}", "give each its own, so that a report says whose it is")
        found[key] = item
    return found


def _key(given: Any) -> bytes:
    """1 and "1" are two ids."""
    return orjson.dumps(given, option=orjson.OPT_SORT_KEYS)


def _lines(path: Path) -> Iterator[tuple[int, bytes, bool]]:
    """Number, line, and whether it is the last one."""
    with path.open("rb") as file:
        number, line = 0, b""
        for number, following in enumerate(file):
            if number:
                yield number, line, False
            line = following
        if line:
            yield number + 1, line, True


def _report(line: bytes, path: Path, number: int, last: bool) -> Json | None:
    """None where a last line is not whole."""
    try:
        found = orjson.loads(line)
        whole = line.endswith(b"\n") and found["schema"].startswith("kgstore.report/")
        if whole and {"id", "text", "kg"} <= set(found):
            return found
    except (orjson.JSONDecodeError, KeyError, TypeError, AttributeError):
        pass
    if last:
        return None
    raise InputError(f"{path}, line {number} is no report", "remove that line, or name another file for --output")


def _rewrite(path: Path, keep: Sequence[bool]) -> None:
    partial = path.with_name(path.name + ".part")
    with path.open("rb") as old, partial.open("wb") as new:
        new.writelines(line for line, kept in zip(old, keep, strict=True) if kept)
    partial.replace(path)


@contextmanager
def appending(path: Path) -> Iterator[TextIO]:
    """Writes behind what is there.

    :raises InputError: if the file cannot be written
    """
    try:
        file = path.open("a", encoding="utf-8")
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise InputError(f"cannot write {path}: {reason}", "name another file for --output") from None
    with file:
        yield file
