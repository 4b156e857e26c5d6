"""A compressed dump that ends early: every entity before the cut is kept, and nobody can take the KG for complete."""

from __future__ import annotations

import gzip
import io
from pathlib import Path

import pytest
from click.testing import CliRunner

from kgstore import ledger, zstd
from kgstore.cli.main import main
from kgstore.errors import InputError, LoadError
from kgstore.graph import Graph
from kgstore.layout import generation_path, read_manifest
from kgstore.loaders.filters import Filters
from kgstore.loaders.protocol import Skipped
from kgstore.loaders.run import load
from kgstore.loaders.sources import Source
from kgstore.loaders.wikidata import WikidataLoader
from kgstore.profile import WIKIDATA

BAD = Path(__file__).parent / "resources" / "bad"
LINES = [f'<http://e/{n}> <http://e/knows> "{n} {"x" * (n % 70)}" .\n'.encode() for n in range(3000)]


def pack(kind: str, data: bytes) -> bytes:
    if kind == "gz":
        return gzip.compress(data)
    out = io.BytesIO()
    with zstd.ZstdFile(out, "w") as file:
        for at in range(0, len(data), 4096):
            file.write(data[at : at + 4096])
            file.flush()
    return out.getvalue()


@pytest.mark.parametrize("kind", ["gz", "zst"])
@pytest.mark.parametrize("share", [0.3, 0.6, 0.95])
def test_all_whole_lines_before_the_cut_are_handed_out(tmp_path, kind, share):
    packed, path = pack(kind, b"".join(LINES)), tmp_path / f"a.nt.{kind}"
    path.write_bytes(packed[: int(len(packed) * share)])
    with Source(path, partly=True) as source:
        got = b"".join(data for _, data in source.blocks())
        assert source.cut and source.offset == path.stat().st_size
    whole = got.splitlines(True)
    assert whole == LINES[: len(whole)] and len(whole) > len(LINES) * share * 0.6
    with Source(path) as source, pytest.raises(LoadError, match="ends early"):
        list(source.blocks())


def sources(kg: Path) -> list[dict]:
    return ledger.read(Graph(generation_path(kg, read_manifest(kg).generation) / "graph", read_only=True))


def test_a_cut_dump_is_kept_marked_and_put_right_by_the_whole_one(tmp_path):
    kg = tmp_path / "a.kg"
    summary = load([BAD / "truncated.json.gz"], kg, vectors=False, jobs=1)
    with Source(BAD / "truncated.json.gz", partly=True) as source:
        whole = sum(line.startswith(b"{") for _, data in source.blocks() for line in data.splitlines())
    assert summary.incomplete == ["truncated.json.gz"] and summary.entities == whole > 100
    assert summary.skipped["file: it ends early, what was to follow is missing"].count == 1
    assert [one.get("incomplete") for one in sources(kg)] == [True]
    small = tmp_path / "small.json"
    small.write_bytes((BAD / "somevalue_novalue.json").read_bytes())
    load([small], kg, vectors=False, replacing=["truncated.json.gz"], jobs=1)
    assert [(one["name"], one.get("incomplete")) for one in sources(kg)] == [("small.json", None)]


def test_a_cut_file_replaces_nothing(tmp_path):
    kg = tmp_path / "a.kg"
    before = load([BAD / "somevalue_novalue.json"], kg, vectors=False, jobs=1).manifest
    with pytest.raises(LoadError, match="ends early"):
        load([BAD / "truncated.json.gz"], kg, vectors=False, replacing=["somevalue_novalue.json"], jobs=1)
    assert read_manifest(kg).fingerprint == before.fingerprint


@pytest.mark.parametrize(("name", "text"), [("a.csv.gz", b"id,born\n"), ("a.ttl.gz", b"")])
def test_of_other_formats_nothing_is_kept(tmp_path, name, text):
    packed = gzip.compress(text + b"".join(LINES))
    (tmp_path / name).write_bytes(packed[: len(packed) // 2])
    with pytest.raises(LoadError, match="ends early"):
        load([tmp_path / name], tmp_path / "a.kg", vectors=False)
    assert not (tmp_path / "a.kg").exists()


def test_the_commands_say_so(tmp_path):
    kg = str(tmp_path / "a.kg")
    packed = gzip.compress(b"".join(LINES))
    (tmp_path / "a.nt.gz").write_bytes(packed[: len(packed) // 2])
    done = CliRunner().invoke(main, ["load", str(tmp_path / "a.nt.gz"), "--kg", kg, "--no-vectors"])
    assert done.exit_code == 2 and "INCOMPLETE: a.nt.gz ends early" in done.stderr
    assert "--replace a.nt.gz" in done.stderr and " entities" in done.stderr and "0 entities" not in done.stderr
    assert "INCOMPLETE: the file ended early" in CliRunner().invoke(main, ["info", "--kg", kg]).stdout


def test_a_dump_does_not_go_into_a_kg_of_another_vocabulary_unasked(tmp_path):
    kg, staff = tmp_path / "a.kg", tmp_path / "staff.csv"
    staff.write_text("id,name\nada,Ada Berg\n")
    load([staff], kg, vectors=False)
    with pytest.raises(InputError, match="profile rdfs.*--profile wikidata"):
        load([BAD / "somevalue_novalue.json"], kg, vectors=False, jobs=1)
    load([BAD / "somevalue_novalue.json"], kg, vectors=False, jobs=1, profile="wikidata")
    assert read_manifest(kg).profile == WIKIDATA.stored()


def test_triples_of_wikidata_in_such_a_kg_are_remarked_on(tmp_path):
    kg, staff, more = str(tmp_path / "a.kg"), tmp_path / "staff.csv", tmp_path / "more.nt"
    staff.write_text("id,name\nada,Ada Berg\n")
    wikidata = "http://www.wikidata.org/"
    more.write_text(f"<{wikidata}entity/Q42> <{wikidata}prop/direct/P19> <{wikidata}entity/Q350> .\n")
    load([staff], Path(kg), vectors=False)
    done = CliRunner().invoke(main, ["load", str(more), "--kg", kg, "--no-vectors"])
    assert done.exit_code == 0 and "looks like wikidata's, but the KG keeps its profile rdfs" in done.stderr




def test_a_wrong_checksum_is_no_early_end(tmp_path):
    packed = bytearray(gzip.compress(b"".join(LINES)))
    packed[-6] ^= 255
    (tmp_path / "a.nt.gz").write_bytes(packed)
    with pytest.raises(LoadError, match="damaged: CRC check failed"):
        load([tmp_path / "a.nt.gz"], tmp_path / "a.kg", vectors=False)
    assert not (tmp_path / "a.kg").exists()


@pytest.mark.parametrize("after", [0, 3])
@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('[\n{"id":"Q1"},\n{"id":"Q2"},\n{"id":"Q3"}\n', 1),
        ('[{"id":"Q1"},\n{"id":"Q2"},\n{"id":"Q3"}', 1),
        ('[\n{"id":"Q1"},\n{"id":"Q2"},\n{"id":"Q3"}\n]\n\n', 0),
        ('{"id":"Q1"}\n{"id":"Q2"}\n{"id":"Q3"}\n', 0),
        ('[{"id":"Q1"},{"id":"Q2"}]\n{"id":"Q3"}\n[]', 0),
    ],
)
def test_an_array_that_is_not_closed_is_remarked_on(tmp_path, text, said, after):
    (tmp_path / "a.json").write_text(text)
    items = list(WikidataLoader(jobs=1, after=after).read(tmp_path / "a.json", Filters()))
    reasons = [item.reason for item in items if isinstance(item, Skipped)]
    assert reasons == ["file: its array is not closed, it may have been cut"] * said
    assert sum(item.entities for item in items if not isinstance(item, Skipped)) == 3 or after
