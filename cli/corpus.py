"""``kgstore verify --engine ray``: texts as a stream, and what is finished, so that a run that was broken off goes on.

One file of reports is its own ledger: its lines are the reports of the first texts, in their order. A folder of
shards has ``ledger.jsonl``: a line about the run, then one for each shard that is finished, written once it
is on the disk. What is in neither is done again, from nothing; what is in one is never done again.
"""

from __future__ import annotations

import hashlib
import os
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass
from itertools import chain, islice
from pathlib import Path
from typing import Any, Protocol, TextIO

import orjson

from kgstore.cli.batch import Settings, check_sources
from kgstore.cli.progress import spinning
from kgstore.cli.render import count, json_bytes, note, sink
from kgstore.cli.spread import cluster, spread
from kgstore.cli.texts import Text, stream_texts, tell_left_out, tell_none
from kgstore.cli.totals import Totals
from kgstore.duck import read_column, write_parquet
from kgstore.errors import InputError

Json = dict[str, Any]
LEDGER = "ledger.jsonl"
SCHEMA = "kgstore.shards/1"
COLUMNS = ("id", "label", "claims", "attributable", "extrapolatory", "contradictory", "report")
"""Of a Parquet shard; ``id`` and ``report`` are JSON."""
_LABELS = COLUMNS[3:6]
_ELSEWHERE = "name another one for --output"


@dataclass(frozen=True, slots=True)
class Engine:
    """
    :param address: see `cluster`
    :param shard: texts of a shard, None for one file
    """

    address: str | None = None
    shard: int | None = None


@dataclass(frozen=True, slots=True)
class Corpus:
    """What is to be done, as the command line says it.

    :param files: see `stream_texts`
    :param jobs: workers, None for one a core
    :param fmt: jsonl, or parquet
    :param output: None for standard output
    """

    files: tuple[str, ...]
    literal: str | None
    engine: Engine
    jobs: int | None
    fmt: str
    output: Path | None
    resume: bool


def verify_corpus(corpus: Corpus, settings: Settings, asked: Json) -> Totals:
    """Write a report of each text.

    :param asked: the identity of the KG
    :raises InputError: if a text, the output or a worker is not as it should be; what is finished stays
    """
    totals, left_out = Totals(), Counter[str]()
    texts = _checked(stream_texts(corpus.files, corpus.literal, left_out), settings)
    with _target(corpus, settings, asked) as target, spinning() as say:
        left = target.left(texts, totals.add)
        if (first := next(left, None)) is not None:
            with cluster(corpus.engine.address, corpus.jobs) as many:
                for line in spread(chain([first], left), settings, many, asked):
                    totals.add(orjson.loads(line))
                    target.add(line)
                    say(f"{totals.texts.total():,} texts")
        elif not totals.texts:
            tell_none(corpus.files)
    tell_left_out(left_out)
    return totals


def _checked(texts: Iterable[Text], settings: Settings) -> Iterator[Text]:
    for one in texts:
        check_sources(settings, [one])
        yield one


@contextmanager
def _target(corpus: Corpus, settings: Settings, asked: Json) -> Iterator[Target]:
    if corpus.engine.shard is not None and corpus.output is not None:
        made_by = {"kg": asked, "options": _options(settings)}
        yield Shards(corpus.output, corpus.fmt, corpus.engine.shard, made_by, corpus.resume)
    elif corpus.resume and corpus.output is not None:
        with closing(OneFile(corpus.output, asked)) as target:
            yield target
    else:
        with sink(corpus.output) as stream:
            yield Stream(stream)


def _options(settings: Settings) -> Json:
    """What changes a report, besides the KG and the text; of a document only its digest."""
    found = {key: value for key, value in asdict(settings).items() if key != "kg"}
    if settings.context is not None:
        found["context"] = hashlib.sha256(settings.context.encode()).hexdigest()
    return {key: value if isinstance(value, (str, bool, dict)) else str(value) for key, value in found.items()}


class Target(Protocol):
    """Where reports go."""

    def left(self, texts: Iterator[Text], seen: Callable[[Json], None]) -> Iterator[Text]:
        """The texts that have no report yet.

        :param seen: is shown each report that is there already
        :raises InputError: if what is there belongs to something else
        """

    def add(self, line: bytes) -> None:
        """The report of the next one of them, one line of JSON."""


class Stream:
    """Standard output, or a file that appears when all is done: nothing to go on from."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def left(self, texts: Iterator[Text], seen: Callable[[Json], None]) -> Iterator[Text]:
        return texts

    def add(self, line: bytes) -> None:
        self._stream.write(line.decode())


class OneFile:
    """Reports as JSON lines in the order of the texts.

    :param asked: the identity of the KG; reports of another state are refused
    """

    def __init__(self, path: Path, asked: Json) -> None:
        self.path, self._asked = path, asked
        try:
            self._file = path.open("ab")
        except OSError as error:
            raise _unwritable(path, error) from None

    def left(self, texts: Iterator[Text], seen: Callable[[Json], None]) -> Iterator[Text]:
        done = whole = 0
        with self.path.open("rb") as file:
            for line in file:
                if not line.endswith(b"\n"):
                    break
                text = next(texts, None)
                self._check(line, text, done + 1)
                seen(orjson.loads(line))
                done, whole = done + 1, whole + len(line)
        if whole < self.path.stat().st_size:
            os.truncate(self.path, whole)
            note(f"{self.path}: 1 line removed that was broken off")
        if done:
            note(f"{self.path}: {count(done, 'text')} finished before")
        return texts

    def _check(self, line: bytes, text: Text | None, number: int) -> None:
        try:
            found = orjson.loads(line)
            same = text is not None and (found["id"], found["text"]) == (text.id, text.text)
            kg = found["kg"]
        except (orjson.JSONDecodeError, KeyError, TypeError):
            raise InputError(f"{self.path}, line {number} is no report", _ELSEWHERE) from None
        if not same:
            raise InputError(f"{self.path}, line {number} is not about text {number} of this run", _ELSEWHERE)
        if kg and self._asked and kg != self._asked:
            raise InputError(f"{self.path} was written by another state of the KG", _ELSEWHERE)

    def add(self, line: bytes) -> None:
        self._file.write(line)
        self._file.flush()

    def close(self) -> None:
        self._file.close()


@dataclass(frozen=True, slots=True)
class _Shard:
    number: int
    texts: int
    digest: str


class Shards:
    """A folder with files of so many reports each, and the ledger of those that are finished.

    :param fmt: jsonl, or parquet: one row a text
    :param made_by: what the reports hang on, besides the texts; another run may only go on if it is the same
    """

    def __init__(self, folder: Path, fmt: str, size: int, made_by: Json, resume: bool) -> None:
        self.folder, self._fmt, self._size = folder, fmt, size
        self._begun: deque[_Shard] = deque()
        self._lines: list[bytes] = []
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._finished = self._open({"schema": SCHEMA, "format": fmt, "size": size, "made_by": made_by}, resume)
        except OSError as error:
            raise _unwritable(folder, error) from None

    def _open(self, run: Json, resume: bool) -> dict[int, Json]:
        """What is finished already, by number; begins a ledger where there is none."""
        ledger = self.folder / LEDGER
        if not ledger.exists():
            if any(self.folder.iterdir()):
                raise InputError(f"{self.folder} holds other things", _ELSEWHERE)
            _append(ledger, run)
            return {}
        if not resume:
            raise InputError(f"{self.folder} holds shards already", f"add --resume, or {_ELSEWHERE}")
        raw = ledger.read_bytes()
        whole = raw[: raw.rfind(b"\n") + 1]
        if len(whole) < len(raw):  # broken off while it was written; its shard is made again
            os.truncate(ledger, len(whole))
        try:
            first, *rows = map(orjson.loads, whole.splitlines()) if whole else (run,)
            finished = {row["shard"]: row for row in rows}
        except (orjson.JSONDecodeError, KeyError, TypeError):
            raise InputError(f"{ledger} is no ledger", _ELSEWHERE) from None
        if not whole:
            _append(ledger, run)
        if first != orjson.loads(json_bytes(run)):
            differ = sorted(key for key in run if first.get(key) != orjson.loads(json_bytes(run[key])))
            why = f"{self.folder} was begun with another KG, other options or another size ({', '.join(differ)})"
            raise InputError(why, _ELSEWHERE)
        return finished

    def left(self, texts: Iterator[Text], seen: Callable[[Json], None]) -> Iterator[Text]:
        before = number = 0
        while shard := list(islice(texts, self._size)):
            begun = _Shard(number, len(shard), _digest(shard))
            if self._is_whole(begun):
                before += len(shard)
                for report in self._read(begun.number):
                    seen(report)
            else:
                self._begun.append(begun)
                yield from shard
            number += 1
        if gone := sum(one >= number for one in self._finished):
            note(f"{self.folder}: {count(gone, 'shard')} of texts that are not among these stay")
        if before:
            note(f"{self.folder}: {count(before, 'text')} finished before")

    def _is_whole(self, shard: _Shard) -> bool:
        row = self._finished.get(shard.number)
        if row is None or row["texts_sha256"] != shard.digest:
            return False
        path = self._path(shard.number)
        return path.exists() and hashlib.sha256(path.read_bytes()).hexdigest() == row["sha256"]

    def _read(self, number: int) -> Iterable[Json]:
        path = self._path(number)
        found = read_column(path, "report") if self._fmt == "parquet" else path.read_bytes().splitlines()
        return map(orjson.loads, found)

    def _path(self, number: int) -> Path:
        return self.folder / f"{number:06d}.{self._fmt}"

    def add(self, line: bytes) -> None:
        self._lines.append(line)
        shard = self._begun[0]
        if len(self._lines) < shard.texts:
            return
        self._begun.popleft()
        path = self._path(shard.number)
        partial = path.with_name(path.name + ".part")
        if self._fmt == "parquet":
            write_parquet(partial, COLUMNS, [_row(one) for one in self._lines])
        else:
            partial.write_bytes(b"".join(self._lines))
        with partial.open("rb+") as file:
            os.fsync(file.fileno())
            sha256 = hashlib.file_digest(file, "sha256").hexdigest()
        partial.replace(path)
        row = {"shard": shard.number, "file": path.name, "texts": shard.texts, "texts_sha256": shard.digest}
        _append(self.folder / LEDGER, {**row, "sha256": sha256})
        self._lines = []


def _append(path: Path, row: Json) -> None:
    with path.open("ab") as file:
        file.write(json_bytes(row, indent=False) + b"\n")
        file.flush()
        os.fsync(file.fileno())


def _digest(texts: Iterable[Text]) -> str:
    digest = hashlib.sha256()
    for one in texts:
        digest.update(json_bytes(asdict(one), indent=False) + b"\n")
    return digest.hexdigest()


def _row(line: bytes) -> list[object]:
    report = orjson.loads(line)
    labels = [claim["label"] for claim in report["claims"]]
    found = [json_bytes(report["id"], indent=False).decode(), report["label"], len(labels)]
    return [*found, *map(labels.count, _LABELS), line.decode().rstrip("\n")]


def _unwritable(path: Path, error: OSError) -> InputError:
    return InputError(f"cannot write {path}: {(error.strerror or str(error)).lower()}", _ELSEWHERE)
