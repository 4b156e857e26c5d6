"""A load becomes visible as a whole or not at all, says what it left out, and goes on after a kill."""

from __future__ import annotations

import gzip
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import kgstore.writer
from kgstore import ledger
from kgstore.errors import InputError, LoadError, NotAStore, StoreNotFound
from kgstore.graph import Graph
from kgstore.layout import generation_path, generations, read_manifest
from kgstore.loaders import run
from kgstore.loaders.filters import Filters
from kgstore.loaders.run import load

BAD = Path(__file__).parent / "resources" / "bad"


@pytest.fixture(autouse=True)
def without_index(monkeypatch):
    """Catalog, topology and vectors have their own tests."""
    monkeypatch.setattr(kgstore.writer, "derive", lambda graph, *_: ({"triples": len(graph)}, None))


@pytest.fixture
def kg(tmp_path):
    return tmp_path / "my.kg"


def graph(kg: Path) -> Graph:
    return Graph(generation_path(kg, read_manifest(kg).generation) / "graph", read_only=True)


def content(kg: Path) -> set[str]:
    return {str(triple) for triple in graph(kg).match()}


def dump(path: Path, count: int) -> Path:
    lines = [
        {"type": "item", "id": f"Q{number}", "labels": {"en": {"language": "en", "value": f"Item {number}"}}}
        for number in range(1, count + 1)
    ]
    path.write_text("[\n" + ",\n".join(map(json.dumps, lines)) + "\n]\n")
    return path


def test_a_load_counts_what_it_took_and_what_it_left(kg):
    events = []
    summary = load([BAD / "cut_line.json", BAD / "ragged.csv"], kg, vectors=False, report=events.append)
    assert (summary.files, summary.entities, summary.statements) == (2, 22, 329)
    assert summary.skipped["line: not JSON"].count == 1
    assert summary.skipped["line: not JSON"].where[0][:2] == (str(BAD / "cut_line.json"), 11)
    assert summary.skipped["row: empty"].count == 2
    assert set(summary.seconds) == {"read", "index"} and summary.peak_rss > 1 << 20 and summary.disk > 1000
    assert len(graph(kg)) == summary.manifest.counts["triples"] <= summary.triples
    last = [event for event in events if event.part == "read" and event.path.endswith("cut_line.json")][-1]
    assert last.read == last.total == (BAD / "cut_line.json").stat().st_size and last.entities == 19


def test_the_ledger_names_every_file_and_its_options(kg):
    load([BAD / "not_an_array.json"], kg, vectors=False, filters=Filters(statements="truthy", properties={"P31"}))
    (record,) = ledger.read(graph(kg))
    assert record["name"] == "not_an_array.json" and record["bytes"] == (BAD / "not_an_array.json").stat().st_size
    assert record["options"] == {
        "format": "wikidata",
        "languages": ["en"],
        "statements": "truthy",
        "properties": ["P31"],
    }
    assert record["skipped"]["filter: statement of another property"] > 0


@pytest.mark.parametrize("name", ["not_gzip.json.gz", "syntax_error.ttl", "entity_expansion.rdf"])
def test_an_unreadable_file_leaves_the_kg_as_it_was(kg, name):
    load([BAD / "not_an_array.json"], kg, vectors=False)
    before = content(kg)
    with pytest.raises(LoadError):
        load([BAD / "bad_iris.nt", BAD / name], kg, vectors=False)
    assert generations(kg) == ["000001"] and content(kg) == before


def test_an_unreadable_file_makes_no_new_kg(kg):
    for path in (BAD / "not_gzip.json.gz", kg.parent / "none.json", kg.parent, BAD / "zip_bomb.json.gz"):
        with pytest.raises((LoadError, InputError)):
            load([path], kg, format="wikidata", vectors=False)
        assert not kg.exists()
    with pytest.raises(StoreNotFound):
        read_manifest(kg)


def test_a_second_load_adds_to_the_first(kg):
    load([BAD / "not_an_array.json"], kg, vectors=False)
    first = content(kg)
    load([BAD / "bad_iris.nt"], kg, vectors=False)
    assert content(kg) > first and read_manifest(kg).generation == "000002"


def test_a_dump_without_entities_is_loaded_and_says_so(kg):
    assert load([BAD / "only_brackets.json"], kg, vectors=False).entities == 0


@pytest.mark.parametrize(
    ("filters", "name"),
    [
        (Filters(properties={"P999999"}), "not_an_array.json"),
        (Filters(types={"Q5"}), "bad_iris.nt"),
    ],
)
def test_a_filter_that_cannot_be_met_is_refused(kg, filters, name):
    with pytest.raises(InputError):
        load([BAD / name], kg, vectors=False, filters=filters)
    assert not kg.exists()


def test_standard_input_needs_a_format(kg, monkeypatch):
    with pytest.raises(InputError, match="--format"):
        load(["-"], kg, vectors=False)
    with pytest.raises(InputError):
        load([], kg)


@pytest.mark.parametrize("shard", [1, 400, 10**9])
def test_shards_change_nothing(kg, tmp_path, monkeypatch, shard):
    monkeypatch.setattr(run, "SHARD", shard)
    load([dump(tmp_path / "dump.json", 300), BAD / "bad_iris.nt"], kg, vectors=False)
    assert len(graph(kg)) == 300 * 4 + 5
    assert not list(kg.rglob("progress.json"))


SLOW = """
import sys, time
from pathlib import Path
import kgstore.writer
from kgstore.loaders import run, wikidata
kgstore.writer.derive = lambda graph, *_: ({"triples": len(graph)}, None)
run.SHARD = 400
wikidata.WikidataLoader.__init__.__defaults__ = (1, 20_000, 0)
def slow(event):
    if event.entities > 500:
        print("there", flush=True)
        time.sleep(60)
run.time.monotonic = lambda clock=iter(range(10**9)): float(next(clock))
run.load([Path(one) for one in sys.argv[2:]], Path(sys.argv[1]), vectors=False, jobs=1, report=slow)
"""


def killed(kg: Path, files: list[Path], how: int) -> None:
    """Begin a load in another process and end it in the middle of the last file."""
    command = [sys.executable, "-c", SLOW, str(kg), *map(str, files)]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=Path(__file__).parent.parent
    ) as one:
        assert one.stdout.readline() == b"there\n"
        os.kill(one.pid, how)


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_a_killed_load_goes_on_where_it_was(kg, tmp_path, monkeypatch, how):
    files = [BAD / "bad_iris.nt", dump(tmp_path / "dump.json", 1000)]
    killed(kg, files, how)
    with pytest.raises(InputError, match="other options"):
        load(files, kg, vectors=False, resume=True, filters=Filters(("de",)))
    with pytest.raises(InputError, match="same files"):
        load(files[1:], kg, vectors=False, resume=True)
    converted = []
    monkeypatch.setattr(run, "SHARD", 400)
    whole = run.loader_for

    def watched(form, setting):
        converted.append(setting.after)
        return whole(form, setting)

    monkeypatch.setattr(run, "loader_for", watched)
    summary = load(files, kg, vectors=False, resume=True)
    assert summary.unchanged == [str(files[0])] and converted[0] > 100
    assert (summary.files, summary.entities) == (1, 1000)
    fresh = tmp_path / "fresh.kg"
    load(files, fresh, vectors=False)
    assert content(kg) == content(fresh)
    assert read_manifest(kg).fingerprint == read_manifest(fresh).fingerprint


@pytest.mark.parametrize("form", ["nt", "nq"])
def test_lines_of_triples_go_on_in_the_middle_of_the_file(kg, tmp_path, monkeypatch, form):
    path = tmp_path / f"many.{form}"
    lines = [f"<http://ex/{n}> <http://ex/p> _:{n:032x} .\n_:{n:032x} <http://ex/q> _:b{n % 7} .\n" for n in range(900)]
    path.write_text("".join(lines[:500]) + "a bad line\n" + "".join(lines[500:]))
    monkeypatch.setattr(run, "SHARD", 400)
    monkeypatch.setattr("kgstore.loaders.sources.Source.blocks.__defaults__", (10_000,))

    def interrupted(event):
        if event.triples > 1000:
            raise KeyboardInterrupt

    monkeypatch.setattr(run.time, "monotonic", map(float, range(10**9)).__next__)
    with pytest.raises(KeyboardInterrupt):
        load([path], kg, vectors=False, report=interrupted)
    went_on = []
    summary = load([path], kg, vectors=False, resume=True, report=went_on.append)
    assert summary.continued and summary.triples == 1800 and list(summary.faults().values()) == [1]
    assert went_on[0].triples > 800
    fresh = tmp_path / "fresh.kg"
    load([path], fresh, vectors=False)
    assert content(kg) == content(fresh) and len(content(kg)) == 1800


def test_there_may_be_nothing_to_continue(kg, tmp_path):
    files = [BAD / "bad_iris.nt"]
    summary = load(files, kg, vectors=False, resume=True)
    assert not summary.continued and summary.triples == 5
    with pytest.raises(InputError, match="nothing to continue"):
        load(files, kg, vectors=False, resume=True)
    assert generations(kg) == ["000001"]
    assert not load([dump(tmp_path / "dump.json", 3)], kg, vectors=False, resume=True).continued


def test_a_file_that_changed_since_is_not_gone_on_with(kg, tmp_path):
    path = dump(tmp_path / "dump.json", 1000)
    killed(kg, [path], signal.SIGKILL)
    dump(path, 1001)
    with pytest.raises(InputError, match="same files"):
        load([path], kg, vectors=False, resume=True)
    assert load([path], kg, vectors=False).entities == 1001


def test_a_kg_whose_first_load_was_killed_says_so(kg, tmp_path):
    killed(kg, [dump(tmp_path / "dump.json", 1000)], signal.SIGKILL)
    with pytest.raises(NotAStore, match="was not finished.*--resume"):
        read_manifest(kg)


def test_without_resume_a_killed_load_is_forgotten(kg, tmp_path):
    files = [dump(tmp_path / "dump.json", 1000)]
    killed(kg, files, signal.SIGKILL)
    load([BAD / "bad_iris.nt"], kg, vectors=False)
    assert len(graph(kg)) == 5


def test_processes_that_convert_end_with_a_load_that_is_killed(kg, tmp_path):
    path = dump(tmp_path / "dump.json", 1000)
    code = SLOW.replace("jobs=1", "jobs=2").replace("500", "900")
    command = [sys.executable, "-c", code, str(kg), str(path)]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=Path(__file__).parent.parent
    ) as one:
        assert one.stdout.readline() == b"there\n"
        children = Path(f"/proc/{one.pid}/task/{one.pid}/children").read_text().split()
        os.kill(one.pid, signal.SIGKILL)
    deadline = time.monotonic() + 10
    while any(Path(f"/proc/{child}").exists() for child in children) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert children and not any(Path(f"/proc/{child}").exists() for child in children)


def test_a_script_that_loads_a_big_file_need_not_guard_itself(kg, tmp_path):
    path, script = tmp_path / "dump.json", tmp_path / "script.py"
    path.write_text("\n".join(f'{{"type":"item","id":"Q{n}"}}{" " * 20_000}' for n in range(1, 1001)))
    script.write_text(
        "import sys, kgstore.writer\nfrom kgstore.loaders.run import load\n"
        "kgstore.writer.derive = lambda graph, *_: ({'triples': len(graph)}, None)\n"
        "print(load([sys.argv[1]], sys.argv[2], vectors=False, jobs=2).entities)"
    )
    done = subprocess.run([sys.executable, script, path, kg], cwd=tmp_path, capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("1000\n", "")


def test_a_big_file_is_read_in_several_processes(kg, tmp_path):
    path = tmp_path / "dump.json.gz"
    padding = " " * 20_000
    lines = [f'{{"type":"item","id":"Q{number}"}}{padding}' for number in range(1, 1001)]
    path.write_bytes(gzip.compress("\n".join(lines).encode()))
    summary = load([path], kg, vectors=False, jobs=2)
    assert summary.entities == 1000 and len(graph(kg)) == 3000
