"""`.ci/run` asks for a browser and for a Virtuoso server that tests want, and goes on where it gets none."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

RUN = Path(__file__).parent.parent / ".ci" / "run"
NEEDED = ("bash", "sh", "timeout", "dirname")


@pytest.mark.parametrize(
    ("user", "tools", "said", "asked"),
    [
        (0, {"apt-get": "exit 0"}, "installed chromium", ["-qq update", "-qq install"] * 2),
        (0, {"apt-get": "exit 0", "chromedriver": ""}, "installed virtuoso", ["-qq update", "-qq install"]),
        (0, {"apt-get": "exit 100"}, "with a Virtuoso server will be skipped", ["-qq update"] * 2),
        (0, {}, "with a Virtuoso server will be skipped", []),
        (1000, {"apt-get": "exit 0"}, "in a browser will be skipped", []),
        (0, {"apt-get": "exit 0", "chromedriver": "", "virtuoso-t": ""}, "", []),
    ],
    ids=["installs", "has a browser", "has no network", "has no apt-get", "is not root", "has both"],
)
def test_programs_are_installed_where_that_is_possible_and_nothing_fails(tmp_path, user, tools, said, asked):
    names = {"id": f"echo {user}", "make": 'echo "make $*"', **tools}
    for name, body in names.items():
        script = tmp_path / name
        script.write_text(f'#!/bin/sh\necho "{name} $*" >> {tmp_path}/calls\n{body}\n')
        script.chmod(0o755)
    for name in NEEDED:
        (tmp_path / name).symlink_to(shutil.which(name) or name)
    done = subprocess.run([tmp_path / "bash", RUN], env={"PATH": str(tmp_path)}, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "make lint\nmake test\n" in done.stdout and said in done.stdout
    calls = [line.removeprefix("apt-get ") for line in (tmp_path / "calls").read_text().splitlines()]
    calls = [line for line in calls if line.startswith("-qq")]
    assert len(calls) == len(asked) and all(line.startswith(one) for line, one in zip(calls, asked, strict=True))
