"""Files are opened whatever they are packed with, read in bounded memory, and never taken for whole by mistake."""

from __future__ import annotations

import bz2
import gzip
import hashlib
import io
import os
import sys
import tracemalloc

import pytest

from kgstore import zstd
from kgstore.errors import InputError, LoadError
from kgstore.loaders import sources
from kgstore.loaders.formats import format_of
from kgstore.loaders.sources import Source

TEXT = b"".join(b"line %d\n" % number for number in range(20_000))
PACK = {"": bytes, ".gz": gzip.compress, ".bz2": bz2.compress, ".zst": zstd.compress}


@pytest.fixture
def make(tmp_path):
    def write(name, data):
        (tmp_path / name).write_bytes(data)
        return tmp_path / name

    return write


@pytest.mark.parametrize("ending", PACK)
def test_lines_come_whole_with_their_numbers_and_the_digest_of_the_file(make, ending):
    packed = PACK[ending](TEXT)
    with Source(make("x.txt" + ending, packed)) as source:
        blocks = list(source.blocks(1000))
        assert (source.offset, source.size) == (len(packed), len(packed))
        assert source.sha256 == hashlib.sha256(packed).hexdigest()
    assert b"".join(data for _, data in blocks) == TEXT
    for number, data in blocks:
        assert data.startswith(b"line %d\n" % (number - 1)) and data.endswith(b"\n")


@pytest.mark.parametrize("ending", [ending for ending in PACK if ending])
def test_several_members_are_read_as_one(make, ending):
    path = make("x.txt" + ending, PACK[ending](TEXT) + PACK[ending](b"more\n"))
    with Source(path) as source:
        assert source.read() == TEXT + b"more\n"


@pytest.mark.parametrize("ending", [ending for ending in PACK if ending])
def test_a_file_that_ends_early_is_an_error(make, ending):
    packed = PACK[ending](os.urandom(100_000))
    with (
        Source(make("x.txt" + ending, packed[:60_000])) as source,
        pytest.raises(LoadError, match=r"x\.txt.*ends early"),
    ):
        source.read()


@pytest.mark.parametrize("ending", [".gz", ".bz2"])
def test_a_wrong_checksum_is_an_error(make, ending):
    packed = bytearray(PACK[ending](TEXT))
    packed[-7] ^= 255
    with Source(make("x.txt" + ending, bytes(packed))) as source, pytest.raises(LoadError):
        source.read()


def test_the_content_tells_the_compression_even_without_the_name(make):
    with Source(make("x.json", gzip.compress(TEXT))) as source:
        assert source.read() == TEXT


def test_what_cannot_be_opened_is_said_in_one_line(make, tmp_path):
    for path, why in [
        (tmp_path, "folder"),
        (tmp_path / "none.json", "no such file"),
        (make("a.json", b""), "empty"),
        (make("a.gz", b"plain text"), "no gzip file"),
        (make("b.gz", b""), "empty"),
    ]:
        with pytest.raises(LoadError) as caught:
            Source(path)
        assert why in str(caught.value) and str(path) in str(caught.value) and "\n" not in str(caught.value)


def test_a_line_that_is_too_long_is_passed_over_without_being_held(make, monkeypatch):
    monkeypatch.setattr(sources, "LONGEST_LINE", 100_000)
    with Source(make("x.gz", gzip.compress(b"first\n" + b"\0" * 20_000_000 + b"\nlast\n"))) as source:
        tracemalloc.start()
        blocks = list(source.blocks(10_000))
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    assert [(number, data) for number, data in blocks if data != b""] == [(1, b"first\n"), (3, b"last\n")]
    assert [number for number, data in blocks if not data] == [2]
    assert peak < 2_000_000


def test_a_small_zstandard_bomb_stays_small(make):
    with Source(make("x.zst", zstd.compress(b"\0" * 100_000_000, 19))) as source:
        tracemalloc.start()
        while source.read(100_000):
            pass
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    assert peak < 50_000_000


def test_standard_input_is_read_packed_or_not(monkeypatch):
    for data in (TEXT, gzip.compress(TEXT)):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
        with Source("-") as source:
            assert source.read() == TEXT
            assert (source.name, source.size) == ("standard input", 0)


@pytest.mark.parametrize(
    ("name", "told", "expected"),
    [
        ("latest-all.json.gz", None, "wikidata"),
        ("a.NT.bz2", None, "ntriples"),
        ("a.nq", None, "nquads"),
        ("a.ttl.zst", None, "turtle"),
        ("a.owl", None, "rdfxml"),
        ("a.jsonld", None, "jsonld"),
        ("a.tsv", None, "tsv"),
        ("-", "ttl", "turtle"),
        ("a.json", "nt", "ntriples"),
    ],
)
def test_the_format_follows_from_the_name_unless_told(name, told, expected):
    assert format_of(name, told) == expected


@pytest.mark.parametrize(("name", "told"), [("a.docx", None), ("-", None), ("a.nt", "word"), ("json", None)])
def test_an_unknown_format_names_the_known_ones(name, told):
    with pytest.raises(InputError, match="wikidata, ntriples"):
        format_of(name, told)


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, zstd.compress])
def test_what_unpacks_to_far_more_than_its_size_is_stopped_unless_allowed(tmp_path, monkeypatch, pack):
    monkeypatch.setattr(sources, "FREE_BYTES", 4 << 20)
    path = tmp_path / "bomb"
    path.write_bytes(pack(b"0\n" * (8 << 20)))
    with Source(path) as source, pytest.raises(LoadError, match="200 times its size.*--max-ratio"):
        for _ in source.blocks():
            pass
    with Source(path, ratio=10**6) as source:
        assert sum(len(data) for _, data in source.blocks()) == 16 << 20
