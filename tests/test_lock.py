"""requirements.lock fits pyproject.toml."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from packaging.requirements import Requirement

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def test_the_lock_has_what_the_project_needs_with_hashes_and_names_no_server():
    lock = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    assert "://" not in lock and "file:" not in lock
    pinned = re.findall(r"^([a-z0-9-]+)==([^ ]+).*\\\n( +--hash=sha256:[0-9a-f]{64})", lock, re.MULTILINE)
    assert len(pinned) == len(re.findall(r"^\S", lock, re.MULTILINE)) > 50
    versions = {name: version for name, version, _ in pinned}
    extras = re.search(r"^LOCKED := (.+)$", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)[1].split()
    optional = (one for extra in extras for one in PROJECT["optional-dependencies"][extra])
    for text in (*PROJECT["dependencies"], *optional):
        need = Requirement(text)
        name = re.sub(r"[-_.]+", "-", need.name).lower()
        assert name in versions and versions[name] in need.specifier, f"{text}: run `make lock`"
