"""The documentation as a site: every page is in it, and it fetches nothing."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path

import pytest

from kgstore.cli.main import COMMANDS

ROOT = Path(__file__).parent.parent
pytest.importorskip("zensical")


@pytest.fixture(scope="module")
def site(tmp_path_factory) -> Path:
    spec = importlib.util.spec_from_file_location("make_site", ROOT / "docs" / "make_site.py")
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    folder = tmp_path_factory.mktemp("site")
    made.build(folder / "site", folder / "work")
    return folder / "site"


def test_every_page_is_there_and_found_from_the_first(site):
    first = (site / "index.html").read_text(encoding="utf-8")
    for page in (ROOT / "docs").glob("*.md"):
        assert (site / f"{page.stem}.html").exists() and f'href="{page.stem}.html"' in first, page.name


def test_all_commands_are_explained(site):
    text = (site / "reference-commands.html").read_text(encoding="utf-8")
    assert all(f"kgstore {name}<" in text for name in COMMANDS)


def test_the_public_classes_are_explained(site):
    text = (site / "reference-python.html").read_text(encoding="utf-8")
    assert "kgstore.verifier.Verifier" in text and "Store.nearest" in text and "WidthMismatch" in text


def test_nothing_is_fetched_from_elsewhere(site):
    for page in site.glob("*.html"):
        text = page.read_text(encoding="utf-8")
        loaded = re.findall(r'<(?:script|img|link|iframe)[^>]+(?:src|href)="(?:https?:)?//[^"]*', text)
        assert not loaded, page.name
