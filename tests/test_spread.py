"""`kgstore verify --engine ray`: a real Ray whose workers and driver are killed, and who gets what when they are."""

from __future__ import annotations

import hashlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, nullcontext
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from kgstore.cli import spread
from kgstore.cli.batch import Settings
from kgstore.cli.corpus import OneFile, Shards
from kgstore.cli.spread import address_of
from kgstore.cli.texts import Text, stream_texts
from kgstore.duck import read_column
from kgstore.errors import InputError
from tests.bench.ray_kills import below, said
from tests.servers import free_port
from tests.serving import free
from tests.test_cli import refused, run

RIGHT, WRONG = "Douglas Adams was born in Cambridge.", "Douglas Adams was born in London."
QUICK = ("--judge", "none", "--reader", "none")


# -- a real one --------------------------------------------------------------------------------------------------------


@contextmanager
def begun(*words: object) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-m", "kgstore", "verify", *map(str, words)]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=free()) as child:
        try:
            yield child
        finally:
            child.kill()  # its Ray goes with it


def until(true: Callable[[], object], child: subprocess.Popen[str]) -> None:
    end = time.monotonic() + 600
    while not true() and child.poll() is None and time.monotonic() < end:
        time.sleep(0.02)


def test_worker_and_driver_are_killed_and_every_report_is_there_once(small_kg, tmp_path):
    corpus, one = tmp_path / "corpus.jsonl", tmp_path / "one.jsonl"
    texts = [f"{RIGHT if number % 2 else WRONG} He died in {1990 + number % 20}." for number in range(600)]
    corpus.write_text("".join(json.dumps({"id": str(at), "text": text}) + "\n" for at, text in enumerate(texts)))
    out = tmp_path / "shards"
    words = (corpus, "--kg", small_kg, *QUICK, "--format", "jsonl")
    shards = (*words, "--engine", "ray", "--jobs", "2", "-o", out, "--shard-size", "10", "--resume")
    ledger = out / "ledger.jsonl"

    def finished() -> int:
        return ledger.read_bytes().count(b"\n") - 1 if ledger.exists() else 0

    with begun(*shards) as child:
        until(lambda: finished() >= 2, child)
        workers = [pid for pid in below(child.pid) if "ray::Worker" in said(pid)]
        os.kill(workers[0], signal.SIGKILL)
        before = finished()
        until(lambda: finished() >= before + 4, child)
    left = finished()
    assert before + 4 <= left < 60
    with begun(*shards) as child:
        _, told = child.communicate(timeout=900)
    assert child.returncode == 0 and f"{10 * left} texts finished before" in told
    assert "600 texts: 0 attributable" not in told and "600 texts: " in told
    rows = [json.loads(line) for line in ledger.read_bytes().splitlines()[1:]]
    assert [row["shard"] for row in rows] == list(range(60))
    run("verify", *words, "-o", one)
    plain = [json.loads(line) | {"timings_ms": {}} for line in one.read_bytes().splitlines()]
    whole = b"".join((out / row["file"]).read_bytes() for row in rows)
    assert [json.loads(line) for line in whole.splitlines()] == plain


# -- who gets what -----------------------------------------------------------------------------------------------------


class Gone(Exception):
    """As Ray says that an actor has died."""


class Raised(Gone):
    """As Ray hands on what an actor's method raised."""

    def __init__(self, cause: Exception) -> None:
        super().__init__(cause)
        self.cause = cause


class Stage:
    """Ray as far as a crew asks it, in this process. ``plan`` says what becomes of a worker that is asked.

    :param plan: (number of the worker, texts or None for its start) -> what it answers; may raise
    """

    def __init__(self, plan: Callable[[int, list[Text] | None], Any]) -> None:
        self.plan, self.hired = plan, 0
        self.exceptions = SimpleNamespace(RayError=Gone, RayTaskError=Raised)

    def remote(self, **_: Any) -> Any:
        def hire(settings: Settings) -> SimpleNamespace:
            self.hired += 1
            number = self.hired
            return SimpleNamespace(
                start=SimpleNamespace(remote=lambda: Answer(number, None)),
                reports=SimpleNamespace(remote=lambda texts: Answer(number, texts)),
            )

        return lambda _: SimpleNamespace(remote=hire)

    def wait(self, answers: list[Answer], **_: Any) -> tuple[list[Answer], list[Answer]]:
        last = answers[-1].worker  # workers answer in no order, each in the order in which it was asked
        found = next(one for one in answers if one.worker == last)
        return [found], [one for one in answers if one is not found]

    def get(self, answer: Answer) -> Any:
        return self.plan(answer.worker, answer.texts)

    def kill(self, _: Any) -> None:
        pass


class Answer(SimpleNamespace):
    def __init__(self, worker: int, texts: list[Text] | None) -> None:
        super().__init__(worker=worker, texts=texts)

    __hash__ = object.__hash__
    __eq__ = object.__eq__


def spread_by(
    monkeypatch: pytest.MonkeyPatch, plan: Callable[[int, list[Text] | None], Any], many: int = 100
) -> tuple[list[str], Stage]:
    stage = Stage(plan)
    monkeypatch.setitem(sys.modules, "ray", stage)
    texts = (Text(f"text {number}", number) for number in range(many))
    return [line.decode() for line in spread.spread(texts, Settings(None), 2, {"kg": "a"})], stage


def told(texts: list[Text] | None) -> Any:
    return {"kg": "a"} if texts is None else [one.text.encode() for one in texts]


ALL = [f"text {number}" for number in range(100)]


def test_reports_come_in_the_order_of_the_texts(monkeypatch):
    lines, stage = spread_by(monkeypatch, lambda worker, texts: told(texts))
    assert lines == ALL and stage.hired == 2


def test_no_text_hires_nobody(monkeypatch):
    lines, stage = spread_by(monkeypatch, lambda worker, texts: told(texts), 0)
    assert not lines and not stage.hired


@pytest.mark.parametrize("every", [2, 3])
def test_what_a_dead_worker_had_is_given_to_others(monkeypatch, every):
    asked = 0

    def plan(worker: int, texts: list[Text] | None) -> Any:
        nonlocal asked
        asked += texts is not None
        if texts is not None and asked % every == 0:
            raise Gone("died")
        return told(texts)

    lines, stage = spread_by(monkeypatch, plan)
    assert lines == ALL and stage.hired > 2


def test_workers_that_end_at_their_start_are_replaced_up_to_a_point(monkeypatch):
    def plan(worker: int, texts: list[Text] | None) -> Any:
        if texts is None and (worker % 2 or always):
            raise Gone("no memory")
        return told(texts)

    always = False
    assert spread_by(monkeypatch, plan)[0] == ALL
    always = True
    with pytest.raises(InputError, match="workers end as soon as they start .no memory."):
        spread_by(monkeypatch, plan)


def test_a_text_that_ends_every_worker_is_named_and_those_beside_it_are_done(monkeypatch):
    seen: list[str] = []

    def plan(worker: int, texts: list[Text] | None) -> Any:
        if texts is not None and any(one.id == 42 for one in texts):
            raise Gone("segmentation fault")
        seen.extend(one.text for one in texts or ())
        return told(texts)

    with pytest.raises(InputError, match="the text 42 ends every worker that reads it"):
        spread_by(monkeypatch, plan)
    assert {"text 40", "text 41"} <= set(seen) and "text 42" not in seen  # of its portion, too


def test_an_error_of_ours_comes_through_and_another_kg_is_refused(monkeypatch):
    def wrong(worker: int, texts: list[Text] | None) -> Any:
        if texts is not None:
            raise Raised(InputError("the text is odd", "mend it"))
        return told(texts)

    with pytest.raises(InputError, match="the text is odd"):
        spread_by(monkeypatch, wrong)
    with pytest.raises(InputError, match="another KG"):
        spread_by(monkeypatch, lambda worker, texts: {"kg": "b"})


def test_nobody_waits_for_ever_for_a_worker(monkeypatch):
    monkeypatch.setattr(spread, "PATIENCE", 0.05)
    monkeypatch.setattr(Stage, "wait", lambda self, answers, **_: (time.sleep(0.01), ([], answers))[1])
    with pytest.raises(InputError, match="no worker was ready"):
        spread_by(monkeypatch, lambda worker, texts: told(texts))


def test_no_more_is_read_than_can_soon_be_handed_on(monkeypatch):
    read: list[int] = []

    def plan(worker: int, texts: list[Text] | None) -> Any:
        return told(texts)

    def wait(self: Stage, answers: list[Answer], **_: Any) -> tuple[list[Answer], list[Answer]]:
        starts = [one for one in answers if one.texts is None]  # the first portion is answered last of all
        return starts or [one for one in answers if one.texts[0].id][-1:] or answers, []

    def texts() -> Any:
        for number in range(5000):
            read.append(number)
            yield Text("x", number)

    monkeypatch.setattr(Stage, "wait", wait)
    monkeypatch.setitem(sys.modules, "ray", Stage(plan))
    next(spread.spread(texts(), Settings(None), 2, {"kg": "a"}))
    assert len(read) <= 2 * spread.AHEAD + spread.PORTION


@pytest.mark.parametrize("engine", ["dask", "ray:", "ray://", "rays://a"])
def test_an_engine_that_is_none(engine):
    with pytest.raises(InputError, match="there is no engine"):
        address_of(engine)


@pytest.mark.enable_socket
def test_a_ray_that_is_not_there_is_not_waited_for(small_kg):
    address = f"127.0.0.1:{free_port()}"
    words = ("verify", "--text", RIGHT, "--kg", small_kg, "--format", "jsonl")
    begun = time.monotonic()
    assert f"no Ray can be reached at {address}" in refused(*words, "--engine", f"ray://{address}")
    assert time.monotonic() - begun < 30


# -- what is finished --------------------------------------------------------------------------------------------------

TEXTS = [Text(f"text {number}", number if number % 2 else f"id {number}") for number in range(10)]
KG = {"name": "a", "fingerprint": "1"}


def line(text: Text, kg: dict[str, str] = KG) -> bytes:
    claims = [{"label": "attributable"}] if text.text.endswith("3") else []
    report = {"schema": "kgstore.report/1", "id": text.id, "text": text.text, "kg": kg, "label": "x", "claims": claims}
    return json.dumps(report).encode() + b"\n"


def finish(target: OneFile | Shards, texts: list[Text] = TEXTS, most: int = 100) -> list[Text]:
    """The texts that were not finished; reports of so many of them are written."""
    with closing(target) if isinstance(target, OneFile) else nullcontext():
        left = list(target.left(iter(texts), lambda report: None))
        for one in left[:most]:
            target.add(line(one))
        return left


@pytest.mark.parametrize("cut", [0, 1, 80, -1, 10_000])
def test_a_file_goes_on_behind_its_last_whole_line(tmp_path, cut):
    path, whole = tmp_path / "out.jsonl", b"".join(map(line, TEXTS))
    path.write_bytes(whole[:cut])
    left = finish(OneFile(path, KG))
    assert path.read_bytes() == whole and len(left) == 10 - whole[:cut].count(b"\n")


def test_a_file_about_something_else_is_refused(tmp_path):
    path = tmp_path / "out.jsonl"
    for content, why in (
        (line(TEXTS[1]), "line 1 is not about text 1"), (b"{}\n", "line 1 is no report"), (b"[1]\n", "is no report"),
        (line(TEXTS[0], {"name": "b"}), "another state"), (b"".join(map(line, [*TEXTS, TEXTS[0]])), "line 11 is not"),
    ):  # fmt: skip
        path.write_bytes(content)
        with pytest.raises(InputError, match=why):
            finish(OneFile(path, KG))
        assert path.read_bytes() == content


@pytest.mark.parametrize("fmt", ["jsonl", "parquet"])
@pytest.mark.parametrize("most", [0, 2, 3, 8, 10])
def test_a_folder_of_shards_goes_on_behind_the_last_finished_one(tmp_path, fmt, most):
    calm, folder = tmp_path / "calm", tmp_path / "shards"
    finish(Shards(calm, fmt, 3, {}, False))
    finish(Shards(folder, fmt, 3, {}, False), most=most)
    left = finish(Shards(folder, fmt, 3, {}, True))
    assert left == TEXTS[most - most % 3 if most < 10 else 10 :]
    for path in (folder, calm):
        assert sorted(one.name for one in path.iterdir()) == [*(f"00000{at}.{fmt}" for at in range(4)), "ledger.jsonl"]
    assert all((folder / one.name).read_bytes() == one.read_bytes() for one in calm.iterdir())


def test_a_shard_that_was_lost_changed_or_is_of_other_texts_is_made_again(tmp_path):
    folder = tmp_path / "shards"
    finish(Shards(folder, "jsonl", 3, {}, False))
    (folder / "000000.jsonl").unlink()
    (folder / "000002.jsonl").write_bytes(b"rubbish\n")
    with (folder / "ledger.jsonl").open("ab") as ledger:
        ledger.write(b'{"shard": 1')
    texts = [*TEXTS[:9], Text("another one", 9)]
    assert finish(Shards(folder, "jsonl", 3, {}, True), texts) == [*texts[:3], *texts[6:]]
    assert b"".join((folder / f"00000{at}.jsonl").read_bytes() for at in range(4)) == b"".join(map(line, texts))
    assert finish(Shards(folder, "jsonl", 3, {}, True), texts) == []


def test_shards_of_something_else_are_refused(tmp_path):
    folder = tmp_path / "shards"
    finish(Shards(folder, "jsonl", 3, {"kg": KG}, False))
    for size, made_by, resume, why in (
        (3, {"kg": KG}, False, "holds shards already"), (4, {"kg": KG}, True, "size"), (3, {}, True, "made_by"),
    ):  # fmt: skip
        with pytest.raises(InputError, match=why):
            Shards(folder, "jsonl", size, made_by, resume)
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "file").touch()
    with pytest.raises(InputError, match="holds other things"):
        Shards(tmp_path / "other", "jsonl", 3, {}, True)
    (folder / "ledger.jsonl").write_text("rubbish\n")
    with pytest.raises(InputError, match="is no ledger"):
        Shards(folder, "jsonl", 3, {}, True)


def test_a_parquet_shard_has_a_row_a_text(tmp_path):
    finish(Shards(tmp_path, "parquet", 20, {}, False))
    path = tmp_path / "000000.parquet"
    assert read_column(path, "id") == [json.dumps(one.id) for one in TEXTS]
    assert read_column(path, "attributable") == [0, 0, 0, 1, 0, 0, 0, 0, 0, 0]
    assert [one.encode() + b"\n" for one in read_column(path, "report")] == list(map(line, TEXTS))
    row = json.loads((tmp_path / "ledger.jsonl").read_bytes().splitlines()[1])
    assert row["texts"] == 10 and row["sha256"] == hashlib.sha256(path.read_bytes()).hexdigest()


def test_texts_are_read_one_by_one(tmp_path):
    (tmp_path / "a.jsonl").write_text('{"text": "one"}\n\n{"text": "two", "id": "x"}\nrubbish\n')
    stream = stream_texts([str(tmp_path / "a.jsonl")])
    assert [next(stream), next(stream)] == [Text("one", 1), Text("two", "x")]
    with pytest.raises(InputError, match="line 4 is not JSON"):
        next(stream)


def test_what_ray_does_not_do_is_refused(tmp_path: Path, small_kg):
    ray = ("verify", "--text", RIGHT, "--kg", small_kg, "--engine", "ray")
    assert "--format jsonl" in refused(*ray)
    assert "for one machine" in refused(*ray, "--format", "jsonl", "--receipt", tmp_path / "a")
    assert "--shard-size" in refused(*ray, "--format", "parquet", "-o", tmp_path / "a")
    assert "is a folder" in refused(*ray, "--format", "jsonl", "-o", tmp_path)
    assert "--engine ray" in refused(*ray[:-2], "--format", "parquet", "-o", tmp_path / "a")
    assert "--engine ray" in refused(*ray[:-2], "--format", "jsonl", "--shard-size", 3)
    assert "is a folder" in refused(*ray[:-2], "--format", "jsonl", "-o", tmp_path)
    assert "no engine 'dask'" in refused(*ray[:-1], "dask", "--format", "jsonl")
