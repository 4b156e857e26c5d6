"""The wheel holds every package of the repository, under one name."""

from __future__ import annotations

import tomllib
from pathlib import Path

ROOT = Path(__file__).parent.parent
SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["setuptools"]


def test_the_list_of_packages_is_complete():
    found = set()
    for top in ("kgstore", "cli", "loaders", "verifier"):
        for init in (ROOT / top).rglob("__init__.py"):
            name = ".".join(init.parent.relative_to(ROOT).parts)
            found.add(name if top == "kgstore" else f"kgstore.{name}")
    assert sorted(SETTINGS["packages"]) == sorted(found)
