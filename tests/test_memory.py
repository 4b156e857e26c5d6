"""Memory that is limited: what is left of it, who gets which share, and how a command ends that gets too little."""

from __future__ import annotations

import resource
import subprocess
import sys
from pathlib import Path

import pytest

from kgstore import memory
from kgstore.cli import logs, watched
from kgstore.duck import connect
from kgstore.errors import InputError, KgError
from kgstore.memory import control_group, is_short, parse_size, share, workers
from kgstore.store import Store
from kgstore.verifier.judges import native
from tests.test_cli import refused, run

SLICE = Path(__file__).parent.parent / "data" / "wikidata-small.json.gz"
MB = 1 << 20


def limited(megabytes: int, *arguments: object) -> subprocess.CompletedProcess[str]:
    """A command in a process with so much address space."""
    code = "import sys; from kgstore.cli.main import main; sys.exit(main())"
    return subprocess.run(
        [sys.executable, "-c", code, *map(str, arguments)],
        capture_output=True, text=True, timeout=300,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (megabytes * MB,) * 2),
    )  # fmt: skip


@pytest.mark.parametrize("megabytes", [300, 700])
def test_a_load_that_gets_too_little_is_refused_and_leaves_nothing_that_opens(tmp_path, megabytes):
    done = limited(megabytes, "load", SLICE, "--limit", 300, "--no-vectors", "--kg", tmp_path / "a.kg")
    assert done.returncode == 2, done.stderr
    assert done.stderr.splitlines()[-1].startswith("kgstore: ulimit -v allows") and "0M" in done.stderr.splitlines()[-1]
    with pytest.raises(KgError):
        Store(tmp_path / "a.kg")


def test_verify_that_gets_too_little_names_what_it_needs(small_kg, tmp_path):
    text = tmp_path / "text.txt"
    text.write_text("Douglas Adams was born in Cambridge.", encoding="utf-8")
    done = limited(400, "verify", text, "--kg", small_kg)
    assert (done.returncode, done.stdout) == (2, "")
    assert "need" in done.stderr.splitlines()[-1] or "allow" in done.stderr.splitlines()[-1]


def test_a_model_that_gets_too_little_is_not_called_missing(small_kg, monkeypatch):
    def short(folder):
        raise ImportError("onnxruntime.so: failed to map segment from shared object")

    monkeypatch.setattr(native, "Bert", short)
    words = ("verify", "--text", "Douglas Adams was born in Cambridge.", "--kg", small_kg)
    assert "kgstore: memory ran out" in refused(*words)
    monkeypatch.setenv(watched.WATCHED, "1")  # a child, whose parent says it
    done = run(*words)
    assert (done.exit_code, done.output) == (70, "")


@pytest.mark.parametrize("code", [-9, 127])  # the system's killer, and the dynamic linker without memory
def test_a_child_that_the_system_ends_is_no_success(monkeypatch, capfd, tmp_path, code):
    file = tmp_path / "a.nt"
    file.write_text("", encoding="utf-8")
    monkeypatch.setattr(memory, "control_group", lambda: 500 * MB)
    monkeypatch.setattr(watched, "_child", lambda arguments: code)
    with logs.started():
        assert watched.run(["load", str(file), "--kg", str(tmp_path / "a.kg")]) == 2
    said = capfd.readouterr().err
    assert "the control group allows 500M" in said and "allow 860M" in said


def test_no_child_where_memory_suffices(monkeypatch):
    monkeypatch.setattr(memory, "control_group", lambda: 64 << 30)
    monkeypatch.setattr(watched, "_child", lambda arguments: pytest.fail("not needed"))
    assert watched.run(["load", "a.nt", "--kg", "a.kg"]) is None
    assert watched.run(["info"]) is None and watched.run([]) is None


def test_control_groups_of_both_versions_and_of_the_ones_around(tmp_path):
    own, root = tmp_path / "cgroup", tmp_path / "fs"
    (root / "user" / "mine").mkdir(parents=True)
    (root / "user" / "memory.max").write_text("1000000\n")
    (root / "user" / "mine" / "memory.max").write_text("max\n")
    own.write_text("0::/user/mine\n")
    assert control_group(root, own) == 1_000_000
    (root / "memory" / "box").mkdir(parents=True)
    (root / "memory" / "box" / "memory.limit_in_bytes").write_text("2000000")
    own.write_text("3:memory:/box\n2:cpu:/box\n")
    assert control_group(root, own) == 2_000_000
    (root / "memory" / "box" / "memory.limit_in_bytes").write_text(str((1 << 63) - 4096))
    assert control_group(root, own) is None
    assert control_group(root, tmp_path / "none") is None


def test_shares_follow_the_limit(monkeypatch, tmp_path):
    monkeypatch.setattr(memory, "control_group", lambda: None)
    assert share(0.35, 700, 1) == 700 and workers(8) == 8
    monkeypatch.setenv(memory.VARIABLE, str(4 << 30))
    assert share(0.35, 700_000_000) > 1_400_000_000 and workers(64) == 8
    monkeypatch.setenv(memory.VARIABLE, str(1 << 30))
    with connect(tmp_path / "a.duckdb", tmp_path / "scratch") as db:
        [(allowed,)] = db.execute("SELECT current_setting('memory_limit')").fetchall()
    assert allowed == "358.3 MiB"


@pytest.mark.parametrize("text", ["", "4X", "-1G", "0", "lots"])
def test_what_is_no_size(text):
    with pytest.raises(InputError, match="write it like 4G"):
        parse_size(text)


def test_memory_option(small_kg, monkeypatch, tmp_path):
    monkeypatch.delenv(memory.VARIABLE, raising=False)
    assert "too little for any load" in refused("verify", "--text", "x", "--kg", small_kg, "--memory", "100M")
    assert "write it like 4G" in refused("load", SLICE, "--kg", tmp_path / "a.kg", "--memory", "much")
    monkeypatch.setenv(memory.VARIABLE, "1")  # so that it is put back
    planned = run("load", SLICE, "--kg", tmp_path / "a.kg", "--no-vectors", "--limit", 50, "--plan", "--memory", "2G")
    assert planned.exit_code == 0 and "2.1 GB are allowed" in planned.stdout, planned.stdout


def test_errors_that_mean_short_memory():
    assert is_short(MemoryError()) and is_short(RuntimeError("can't start new thread"))
    wrapped = ValueError("no")
    wrapped.__cause__ = RuntimeError("std::bad_alloc")
    assert is_short(wrapped) and not is_short(ValueError("bad"))
