"""`kgstore watch`: real files that change under a real process."""

from __future__ import annotations

import os
import queue
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from tests.test_cli import refused

RIGHT, WRONG = "Douglas Adams was born in Cambridge.", "Douglas Adams was born in London."


class Watching:
    """The command in a process of its own, and the lines that it prints."""

    def __init__(self, kg: Path, folder: Path) -> None:
        words = ["watch", str(folder), "--kg", str(kg), "--every", "0.1", "--judge", "none", "--reader", "none"]
        self.child = subprocess.Popen(
            [sys.executable, "-u", "-m", "kgstore", *words],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env={**os.environ, "NO_COLOR": "1"},
        )  # fmt: skip
        self.lines: queue.Queue[str] = queue.Queue()
        self.reader = threading.Thread(target=self._read)
        self.reader.start()

    def _read(self) -> None:
        for line in self.child.stdout:
            self.lines.put(line.rstrip())

    def end(self) -> None:
        self.child.kill()
        self.child.wait()
        self.reader.join()
        self.child.stdout.close()

    def until(self, wanted: str) -> list[str]:
        seen = []
        while not seen or wanted not in seen[-1]:
            seen.append(self.lines.get(timeout=120))
        return seen


@pytest.fixture
def folder(tmp_path) -> Path:
    (tmp_path / "texts").mkdir()
    (tmp_path / "texts" / "a.txt").write_text(RIGHT)
    (tmp_path / "texts" / "picture.png").write_text(WRONG)
    return tmp_path / "texts"


def write(path: Path, text: str | bytes) -> None:
    """At once, as editors do."""
    new = path.with_name(f".{path.name}")
    new.write_bytes(text if isinstance(text, bytes) else text.encode())
    new.replace(path)


def test_what_changes_is_verified_again_until_it_is_told_to_end(small_kg, folder):
    watching = Watching(small_kg, folder)
    try:
        assert "attributable" in watching.until("Ctrl-C ends")[1]
        write(folder / "a.txt", f"{RIGHT} {WRONG}")
        changed = watching.until("place of birth")
        assert changed[0].endswith("2 claims: 1 attributable, 1 contradictory")
        assert [line.split()[0] for line in changed[1:-1]] == ["✗"]  # the other verdict is as it was
        write(folder / "a.txt", RIGHT)
        assert "1 verdict of before no longer" in watching.until("no longer")[-1]
        (folder / "deep").mkdir()
        write(folder / "deep" / "b.jsonl", f'{{"id": 7, "text": "{WRONG}"}}\n')
        assert "b.jsonl#7: 1 claim: 1 contradictory" in watching.until("b.jsonl#7")[-1]
        write(folder / "bad.txt", b"caf\xe9")
        assert "is not UTF-8" in watching.until("iconv")[-1]
        (folder / "a.txt").unlink()
        watching.until("a.txt: gone")
        watching.child.send_signal(signal.SIGINT)
        assert "1 text watched" in watching.until("watched")[-1]
        assert watching.child.wait(60) == 0
    finally:
        watching.end()


def test_a_folder_that_is_not_there_is_refused(small_kg, tmp_path):
    assert "does not exist" in refused("watch", tmp_path / "missing", "--kg", small_kg)
