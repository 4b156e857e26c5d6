"""A newer dump of some of a KG's entities: what it no longer says of them is gone, and nothing else."""

from __future__ import annotations

import copy
import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from kgstore import layout, sources
from kgstore.doctor import examine
from kgstore.errors import InputError
from kgstore.export import digests
from kgstore.loaders.run import load
from kgstore.prefixes import expand
from kgstore.store import Store
from tests.test_cli import answer, refused

DATA = Path(__file__).parent.parent / "data" / "wikidata-small.json.gz"


@pytest.fixture(scope="module")
def documents() -> list[dict[str, Any]]:
    """Thirty-six entities of Wikidata, people and properties among them."""
    with gzip.open(DATA, "rt") as file:
        lines = [json.loads(line.rstrip(",\n")) for line in file if line.startswith("{")]
    return lines[:12] + lines[500:524]


def dump(path: Path, documents: list[dict[str, Any]]) -> Path:
    path.write_text("\n".join(map(json.dumps, documents)))
    return path


def loaded(kg: Path, *files: Path, **options: Any) -> Path:
    load(files, kg, vectors=False, embedder=kg / "none", jobs=1, **options)
    return kg


def current(kg: Path) -> Path:
    return layout.generation_path(kg, layout.read_manifest(kg).generation)


def same(one: Path, other: Path) -> bool:
    return digests(current(one)) == digests(current(other))


def changed(documents: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The later half of some documents, each without a property and with a new description."""
    later = copy.deepcopy(documents[len(documents) // 2 :])
    for one in later:
        one["descriptions"]["en"] = {"language": "en", "value": f"described anew {one['id']}"}
        if one["claims"]:
            del one["claims"][sorted(one["claims"])[0]]
    return later


def test_what_vanished_from_a_newer_dump_is_gone_and_all_else_stays(documents, tmp_path):
    newer = changed(documents)
    kg = loaded(tmp_path / "my.kg", dump(tmp_path / "old.json", documents))
    new = dump(tmp_path / "new.json", newer)
    facts = answer("load", new, "--update", "--no-vectors", "--summary", "json", "--kg", kg)
    assert facts["removed"] > len(newer)
    assert same(kg, loaded(tmp_path / "mixed.kg", dump(tmp_path / "mixed.json", documents[: -len(newer)] + newer)))
    with Store(kg) as store:
        assert store.entity(expand(newer[-1]["id"])).description == f"described anew {newer[-1]['id']}"
        counts = {one["name"]: one["counts"]["triples"] for one in store.ledger()}
    kept = [b"".join(sources.blocks(path)).count(b"\n") for path in sorted(current(kg).glob("sources/*"))]
    assert list(counts.values()) == kept and list(counts) == ["old.json", "new.json"]
    assert not [one for one in examine(kg) if one.problem]


def test_a_source_of_which_nothing_is_left_goes(documents, tmp_path):
    later = copy.deepcopy(documents)
    del later[-1]["claims"][sorted(later[-1]["claims"])[0]]
    kg = loaded(tmp_path / "my.kg", dump(tmp_path / "old.json", documents))
    loaded(kg, dump(tmp_path / "new.json", later), update=True)
    with Store(kg) as store:
        assert [one["name"] for one in store.ledger()] == ["new.json"]
    assert same(kg, loaded(tmp_path / "fresh.kg", tmp_path / "new.json"))
    with Store(kg, generation="000001") as store:  # whose file must not have been written to
        assert len(list(store.match())) == layout.read_manifest(layout.generation_path(kg, "000001")).counts["triples"]


def test_what_two_older_sources_say_gives_way_in_both(documents, tmp_path):
    first, second, newer = documents[:24], documents[16:], changed(documents)
    kg = loaded(tmp_path / "my.kg", dump(tmp_path / "a.json", first), dump(tmp_path / "b.json", second))
    loaded(kg, dump(tmp_path / "new.json", newer), update=True)
    assert same(kg, loaded(tmp_path / "mixed.kg", dump(tmp_path / "mixed.json", documents[: -len(newer)] + newer)))


def test_an_update_of_what_is_not_there_adds(documents, tmp_path):
    kg = loaded(tmp_path / "my.kg", dump(tmp_path / "a.json", documents[:17]))
    loaded(kg, dump(tmp_path / "b.json", documents[17:]), update=True)
    assert same(kg, loaded(tmp_path / "whole.kg", dump(tmp_path / "all.json", documents)))
    new = loaded(tmp_path / "new.kg", tmp_path / "all.json", update=True)
    assert same(kg, new)


@pytest.mark.parametrize("at", ["kgstore.ledger.recount", "kgstore.ledger.remove", "replacing a file"])
def test_an_update_that_was_interrupted_is_gone_on_with(documents, tmp_path, monkeypatch, at):
    a, b = dump(tmp_path / "a.json", documents[:21]), dump(tmp_path / "b.json", documents[21:])
    newer = dump(tmp_path / "new.json", changed(documents))
    kg = loaded(tmp_path / "my.kg", a, b)

    replace = Path.replace

    def interrupted(*_):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        if at == "replacing a file":
            patch.setattr(Path, "replace", lambda one, to: interrupted() if "rest" in one.name else replace(one, to))
        else:
            patch.setattr(at, interrupted)
        loaded(kg, newer, update=True)
    with pytest.raises(InputError, match="was to remove what older sources say"):
        loaded(kg, newer, resume=True)
    loaded(kg, newer, update=True, resume=True)
    whole = loaded(tmp_path / "other.kg", a, b)
    loaded(whole, newer, update=True)
    assert same(kg, whole)
    left = [one.name for one in sorted((current(kg) / "sources").iterdir())]
    assert left == [one.name for one in sorted((current(whole) / "sources").iterdir())]


def test_an_update_is_for_dumps_of_wikidata(tmp_path):
    turtle, kg = tmp_path / "a.ttl", tmp_path / "my.kg"
    turtle.write_text("<http://ex/a> <http://ex/p> <http://ex/b> .")
    assert "--update is for Wikidata dumps" in refused("load", turtle, "--update", "--kg", kg)
    assert "--replace" in refused("load", DATA, "--update", "--replace", "x", "--kg", kg)
