"""The models that come along are those that were tested."""

from __future__ import annotations

import pytest

from kgstore import weights


def test_every_model_file_has_its_checksum():
    assert weights.written() == weights.TABLE.read_text(encoding="utf-8"), "run `python -m kgstore.weights`"
    assert not weights.problems()


def test_a_changed_or_missing_model_is_named():
    found = weights.digests()
    gone, changed = sorted(found)[:2]
    del found[gone]
    found[changed] = "0" * 64
    wrong = weights.problems(found)
    assert wrong[gone] == "it is not there" and wrong[changed].startswith("its SHA-256 is 000") and len(wrong) == 2


def test_the_table_is_not_written_where_a_package_is_missing(monkeypatch):
    monkeypatch.setattr(weights, "folder_of", lambda package: None)
    with pytest.raises(SystemExit, match="not installed"):
        weights.written()
