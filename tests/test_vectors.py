"""The index of statements, flat and in cells, and the names of properties."""

from __future__ import annotations

import mmap
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pyoxigraph as ox
import pytest

from kgstore import cells, pages, vectors
from kgstore.catalog import Catalog
from kgstore.catalog_build import build_catalog
from kgstore.errors import IndexMissing, WidthMismatch
from kgstore.graph import Graph
from kgstore.lines import FIELD
from kgstore.model import Literal, NamedNode, Rank, Statement
from kgstore.prefixes import WELL_KNOWN, expand
from kgstore.profile import RDFS, WIKIDATA, Profile
from kgstore.vectors import (
    Vectors,
    best_rank,
    build_property_names,
    build_vectors,
    load_property_names,
    statement_id,
)

PREFIXES = "".join(f"@prefix {prefix}: <{iri}> .\n" for prefix, iri in {**WELL_KNOWN, "ex": "http://ex/"}.items())
WIKI = """
wd:Q1 rdfs:label "Ada Lovelace"@en ; wdt:P31 wd:Q5 ; wdt:P19 wd:Q84 ; p:P19 wds:a, wds:b ; wdt:P213 "0000" ;
    wdt:P22 <http://www.wikidata.org/.well-known/genid/x> ; p:P2048 wds:c ; wdt:P2048 1.6 ;
    wdt:P856 <http://ada.example/> ; p:P551 wds:d, wds:e ; wdt:P551 wd:Q84 .
wds:a ps:P19 wd:Q84 ; wikibase:rank wikibase:PreferredRank .
wds:b ps:P19 wd:Q90 ; wikibase:rank wikibase:NormalRank .
wds:c ps:P2048 1.6 ; psv:P2048 wdv:h ; wikibase:rank wikibase:NormalRank .
wdv:h a wikibase:QuantityValue ; wikibase:quantityAmount 1.6 ; wikibase:quantityUnit wd:Q11573 .
wds:d ps:P551 wd:Q84 ; wikibase:rank wikibase:NormalRank ; pq:P580 "1835-01-01T00:00:00Z"^^xsd:dateTime .
wds:e ps:P551 wd:Q84 ; wikibase:rank wikibase:NormalRank ; pq:P580 "1845-01-01T00:00:00Z"^^xsd:dateTime .
wd:Q84 rdfs:label "London"@en . wd:Q90 rdfs:label "Paris"@en . wd:Q5 rdfs:label "human"@en .
wd:Q11573 rdfs:label "metre"@en .
wd:P19 a wikibase:Property ; wikibase:directClaim wdt:P19 ; wikibase:claim p:P19 ;
    wikibase:propertyType wikibase:WikibaseItem ; rdfs:label "place of birth"@en ;
    skos:altLabel "born in"@en, "Place of Birth"@en ; wdt:P1659 wd:P551 .
wd:P2048 a wikibase:Property ; wikibase:directClaim wdt:P2048 ; wikibase:claim p:P2048 ;
    wikibase:propertyType wikibase:Quantity ; rdfs:label "height"@en .
wd:P551 a wikibase:Property ; wikibase:directClaim wdt:P551 ; wikibase:claim p:P551 ;
    wikibase:propertyType wikibase:WikibaseItem ; rdfs:label "residence"@en .
wd:P31 a wikibase:Property ; wikibase:directClaim wdt:P31 ; wikibase:propertyType wikibase:WikibaseItem ;
    rdfs:label "instance of"@en .
wd:P213 a wikibase:Property ; wikibase:directClaim wdt:P213 ; wikibase:propertyType wikibase:ExternalId ;
    rdfs:label "ISNI"@en .
wd:P856 a wikibase:Property ; wikibase:directClaim wdt:P856 ; wikibase:propertyType wikibase:Url ;
    rdfs:label "website"@en .
wd:P570 a wikibase:Property ; wikibase:directClaim wdt:P570 ; wikibase:propertyType wikibase:Time ;
    rdfs:label "date of death"@en .
"""
PLAIN = """
ex:ada rdfs:label "Ada" ; ex:bornIn ex:london ; ex:born "1815-12-10"^^xsd:date ; ex:note "one\\ntwo\\u001fthree" ;
    foaf:depiction ex:picture .
ex:london rdfs:label "London" .
"""


class Letters:
    """A tiny embedder: how often each letter stands in a text."""

    dim, fingerprint = 26, "letters"

    def __init__(self) -> None:
        self.most = 0

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        self.most = max(self.most, len(texts))
        rows = np.zeros((len(texts), self.dim), np.float32)
        for row, text in zip(rows, texts, strict=True):
            for letter in text.lower():
                if "a" <= letter <= "z":
                    row[ord(letter) - ord("a")] += 1
        return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)


def built(
    turtle: str, profile: Profile, folder: Path, embedder: Letters | None = None, **options
) -> tuple[Vectors, list[str]]:
    quads = ox.parse((PREFIXES + turtle).encode(), format=ox.RdfFormat.TURTLE)
    graph = Graph(profile=profile)
    graph.add(quad.triple for quad in quads)
    build_catalog(graph, profile, folder / "catalog.duckdb")
    said: list[str] = []
    with Catalog(folder / "catalog.duckdb") as catalog:
        build_vectors(graph, profile, catalog, embedder or Letters(), folder / "vectors", said.append, **options)
        build_property_names(catalog.properties(), Letters(), folder / "vectors")
    return Vectors(folder / "vectors"), said


@pytest.fixture(scope="module")
def wiki(tmp_path_factory: pytest.TempPathFactory) -> tuple[Vectors, list[str]]:
    return built(WIKI, WIKIDATA, tmp_path_factory.mktemp("wiki"))


def every(index: Vectors) -> dict[str, vectors.Neighbour]:
    return {one.sentence: one for one in index.nearest(Letters().embed(["anything"]), k=1000)[0]}


def test_statements_of_best_rank_are_indexed_once_each(wiki):
    index, _ = wiki
    assert set(every(index)) == {
        "Ada Lovelace is a human.",
        "The place of birth of Ada Lovelace is London.",
        "The height of Ada Lovelace is 1.6 metres.",
        "The residence of Ada Lovelace is London.",
    }
    assert len(index) == 4


def test_what_is_left_out_is_counted_and_said(wiki):
    _, said = wiki
    for line in (
        "1 statements not embedded: values of kind external-id",
        "1 statements not embedded: values of kind url",
        "1 statements not embedded: about a property",
        "1 statements not embedded: no known value",
    ):
        assert line in said
    assert any(line.startswith("4 statements embedded, ") for line in said)


def test_a_neighbour_names_its_statement(wiki):
    index, _ = wiki
    sentence = "The place of birth of Ada Lovelace is London."
    (found,) = index.nearest(Letters().embed([sentence]), k=1)[0]
    assert found.score == pytest.approx(1) and found.sentence == sentence
    assert (found.subject, found.predicate, found.object) == (expand("Q1"), expand("P19"), expand("Q84"))
    assert found.object_text == "London"
    assert every(index)["The height of Ada Lovelace is 1.6 metres."].object == ""


def test_each_query_gets_its_own_list_best_first(wiki):
    index, _ = wiki
    found = index.nearest(Letters().embed(["human", "height metres", "x"]), k=3)
    assert [len(one) for one in found] == [3, 3, 3]
    for one in found:
        assert [n.score for n in one] == sorted((n.score for n in one), reverse=True)
    assert index.nearest(np.empty((0, 26), np.float32)) == []
    assert len(index.nearest(Letters().embed(["human"])[0], k=2)[0]) == 2  # a single vector is one query


def test_a_query_of_another_width_is_refused(wiki):
    with pytest.raises(WidthMismatch, match="26-wide.*384"):
        wiki[0].nearest(np.zeros((1, 384), np.float32))


def test_plain_data_works_too(tmp_path):
    index, said = built(PLAIN, RDFS, tmp_path)
    assert {one.sentence: one.object_text for one in every(index).values()} == {
        "Ada was born in London.": "London",
        "Ada was born on 10 December 1815.": "10 December 1815",
        "The note of Ada is one two three.": "one two three",
    }
    assert "1 statements not embedded: values of kind media" in said


def test_ids_survive_a_rebuild_and_another_label(tmp_path):
    for name, turtle in (("one", WIKI), ("two", WIKI.replace('"London"@en', '"Londinium"@en'))):
        (tmp_path / name).mkdir()
        built(turtle, WIKIDATA, tmp_path / name)
    ids = [np.load(tmp_path / name / "vectors" / "statements.keys.npy") for name in ("one", "two")]
    assert np.array_equal(*ids) and ids[0].dtype == np.int64 and (ids[0] >= 0).all()


def test_an_id_follows_from_subject_property_and_value_alone():
    ada, born, london = NamedNode("http://ex/ada"), NamedNode("http://ex/born"), NamedNode("http://ex/london")
    one = statement_id(Statement(ada, born, london))
    assert one == statement_id(Statement(ada, born, london, "http://ex/s", Rank.PREFERRED, ((born, Literal("x")),)))
    assert one == 5217518903082514417
    assert len({one, statement_id(Statement(london, born, ada)), statement_id(Statement(ada, born, Literal("x")))}) == 3


def test_memory_follows_the_shard_and_not_the_graph(tmp_path, monkeypatch):
    monkeypatch.setattr(vectors, "SHARD", 2)
    embedder = Letters()
    index, said = built(WIKI, WIKIDATA, tmp_path, embedder)
    assert embedder.most == 2 and len(index) == 4
    assert [line.split(" statements embedded")[0] for line in said if " embedded, " in line] == ["2", "4"]


def many(count: int) -> str:
    labels = (f"thing {number:x} {'abcdefghij'[number % 10] * (number % 7)}" for number in range(count))
    return "\n".join(f'ex:e{number} rdfs:label "{label}" ; ex:of ex:kind .' for number, label in enumerate(labels))


def test_a_large_index_finds_what_a_flat_one_finds(tmp_path, monkeypatch, capfd):
    (tmp_path / "flat").mkdir()
    (tmp_path / "cells").mkdir()
    flat, _ = built(many(1000), RDFS, tmp_path / "flat")
    monkeypatch.setattr(vectors, "FLAT", 300)
    monkeypatch.setattr(cells, "PART", 300)
    _, said = built(many(1000), RDFS, tmp_path / "cells")
    assert "63 cells learnt" in said and "1,000 vectors in cells" in said
    monkeypatch.undo()
    moved = (tmp_path / "cells").rename(tmp_path / "moved")  # as the writer does with a finished generation
    large = Vectors(moved / "vectors")
    assert sorted(path.name for path in (moved / "vectors").glob("*.faiss")) == [f"cells.{i}.faiss" for i in range(4)]
    queries = Letters().embed([f"The of of thing {i:x} is kind." for i in range(0, 1000, 50)])
    for a, b in zip(flat.nearest(queries, 1), large.nearest(queries, 1), strict=True):
        assert b[0].score == pytest.approx(a[0].score, abs=1e-5)
    assert len(large) == 1000 and len({one.subject for one in large.nearest(queries[:1], 40)[0]}) == 40
    assert capfd.readouterr().out == ""


@pytest.mark.parametrize("flat", [10**6, 300])
def test_half_precision_takes_half_the_room_and_finds_the_same(tmp_path, monkeypatch, flat):
    monkeypatch.setattr(vectors, "FLAT", flat)
    sizes, found = [], []
    queries = Letters().embed([f"The of of thing {i:x} is kind." for i in range(0, 1000, 50)])
    for half in (False, True):
        folder = tmp_path / str(half)
        folder.mkdir()
        index, _ = built(many(1000), RDFS, folder, half=half)
        assert index.half is half
        kept = ("vectors.faiss", "cells.rows")
        sizes.append(sum(path.stat().st_size for path in (folder / "vectors").iterdir() if path.name in kept))
        found.append([near[0].score for near in index.nearest(queries, 1)])
    assert sizes[1] < 0.8 * sizes[0] and np.allclose(*found, atol=1e-3)


class Counting(Letters):
    """Counts what it embeds, and may be interrupted."""

    def __init__(self, most: int = 10**9) -> None:
        super().__init__()
        self.seen, self.allowed = 0, most

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        if self.seen + len(texts) > self.allowed:
            raise KeyboardInterrupt
        self.seen += len(texts)
        return super().embed(texts)


@pytest.mark.parametrize("flat", [10**6, 300])
def test_what_an_earlier_index_has_is_not_embedded_again(tmp_path, monkeypatch, flat):
    (tmp_path / "old").mkdir()
    monkeypatch.setattr(vectors, "FLAT", flat)
    before, _ = built(many(1000), RDFS, tmp_path / "old")
    again, quads = Counting(), ox.parse((PREFIXES + many(1040)).encode(), format=ox.RdfFormat.TURTLE)
    graph = Graph(profile=RDFS)
    graph.add(quad.triple for quad in quads if str(quad.object) != '"thing 7 "')
    build_catalog(graph, RDFS, tmp_path / "catalog.duckdb")
    with Catalog(tmp_path / "catalog.duckdb") as catalog:
        assert build_vectors(graph, RDFS, catalog, again, tmp_path / "vectors", earlier=before) == 1040
        assert again.seen == 41  # the new ones, and the one that has no label now
        build_vectors(graph, RDFS, catalog, Letters(), tmp_path / "fresh")
        build_property_names(catalog.properties(), Counting(0), tmp_path / "vectors", tmp_path / "old" / "vectors")
    queries = Letters().embed([f"The of of thing {i:x} is kind." for i in range(0, 1040, 50)])
    for a, b in zip(*(Vectors(tmp_path / name).nearest(queries, 1) for name in ("vectors", "fresh")), strict=True):
        assert a[0].score == pytest.approx(b[0].score, abs=1e-5)


def test_an_embedding_that_was_interrupted_goes_on_with_the_next_shard(tmp_path, monkeypatch):
    monkeypatch.setattr(vectors, "SHARD", 100)
    with pytest.raises(KeyboardInterrupt):
        built(many(1000), RDFS, tmp_path, Counting(450))
    (tmp_path / "vectors").rename(tmp_path / "begun")
    quads = ox.parse((PREFIXES + many(1000)).encode(), format=ox.RdfFormat.TURTLE)
    graph = Graph(profile=RDFS)
    graph.add(quad.triple for quad in quads)
    rest = Counting()
    with Catalog(tmp_path / "catalog.duckdb") as catalog:
        build_vectors(graph, RDFS, catalog, rest, tmp_path / "vectors", begun=tmp_path / "begun")
        build_vectors(graph, RDFS, catalog, Letters(), tmp_path / "fresh")
    assert rest.seen == 600 and not (tmp_path / "begun").exists()
    for name in ("statements.txt", "vectors.faiss", "statements.keys.npy"):
        assert (tmp_path / "vectors" / name).read_bytes() == (tmp_path / "fresh" / name).read_bytes()
    assert not (tmp_path / "vectors" / "vectors.raw").exists()


def test_nothing_to_index_makes_an_empty_index(tmp_path):
    index, _ = built('ex:ada rdfs:label "Ada" .', RDFS, tmp_path)
    assert len(index) == 0 and index.nearest(Letters().embed(["ada"])) == [[]]


def test_without_statements_there_are_still_property_names(tmp_path):
    with pytest.raises(IndexMissing, match="kgstore index"):
        Vectors(tmp_path)
    with pytest.raises(IndexMissing, match="property names"):
        load_property_names(tmp_path)


def test_an_interrupted_build_leaves_no_raw_vectors(tmp_path):
    class Broken(Letters):
        def embed(self, texts: Sequence[str]) -> np.ndarray:
            raise RuntimeError("broken")

    with pytest.raises(RuntimeError, match="broken"):
        built(WIKI, WIKIDATA, tmp_path, Broken())
    assert not list((tmp_path / "vectors").glob("vectors*"))


def test_property_names_are_labels_and_aliases_of_used_properties(wiki):
    names, rows = wiki[0].property_names
    assert {(iri.rsplit("/", 1)[1], name) for iri, name in names} == {
        ("P19", "place of birth"), ("P19", "born in"), ("P31", "instance of"), ("P2048", "height"),
        ("P551", "residence"), ("P213", "ISNI"), ("P856", "website"), ("P22", "P22"), ("P1659", "P1659"),
    }  # fmt: skip
    assert rows.shape == (len(names), 26) and rows.dtype == np.float32
    assert np.allclose(rows, Letters().embed([name for _, name in names]))


def test_property_names_are_read_without_faiss(wiki):
    code = (
        "import sys; from pathlib import Path; from kgstore.vectors import load_property_names\n"
        f"print(len(load_property_names(Path({str(wiki[0].folder)!r}))[0]), 'faiss' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["9", "False"]


def test_preferred_statements_hide_normal_ones_of_their_property_only():
    def statement(property: str, value: str, rank: Rank) -> Statement:
        return Statement(NamedNode("http://ex/s"), NamedNode(f"http://ex/{property}"), Literal(value), rank=rank)

    preferred, normal = statement("p", "1", Rank.PREFERRED), statement("p", "2", Rank.NORMAL)
    other, wrong = statement("q", "3", Rank.NORMAL), statement("q", "4", Rank.DEPRECATED)
    assert best_rank([normal, preferred, other, wrong]) == [preferred, other]


def test_a_text_keeps_to_its_field():
    assert vectors._line(f"a{FIELD}b\r\n\u2028c") == "a b c"
    assert len(vectors._line("x" * 100_000)) == 1000


def test_how_many_cells_are_looked_into_is_measured(tmp_path):
    draw = np.random.default_rng(1)
    centres = draw.normal(size=(50, 16))
    rows = (centres[draw.integers(50, size=3000)] + 0.3 * draw.normal(size=(3000, 16))).astype(np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    rows[-2:] = rows[0]  # the same sentence three times
    (tmp_path / "raw").write_bytes(rows.tobytes())
    shape = cells.build_cells(tmp_path / "raw", 16, tmp_path, half=False)
    assert (shape.vectors, shape.dim, shape.cells) == (3000, 16, 109)
    assert shape.recall >= 0.97 or shape.probes == 14
    found = cells.Cells(tmp_path)
    scores, numbers = found.search(rows[:100], 10)
    right = cells.nearest(rows, rows[:100], 10)
    assert cells.share_found(right, scores) >= 0.9 and set(numbers[0, :3]) == {0, 2998, 2999}
    assert np.allclose(right, np.sort(rows[:100] @ rows.T)[:, :-11:-1])
    assert np.array_equal(found.take(numbers[0]), rows[numbers[0]])
    assert cells.share_found(right, found.search(rows[:100], 10, probes=1)[0]) < cells.share_found(right, scores)
    assert not (tmp_path / "raw").exists()


def test_mapped_files_are_read_only_where_they_are_asked_for(tmp_path, monkeypatch):
    """A query on a machine that reads 8 MB ahead read half a gigabyte, again and again."""
    path, told = tmp_path / "mapped", []
    path.write_bytes(bytes(range(256)) * 64)
    mapped = np.memmap(path, np.uint8, "r")
    start, page = mapped.ctypes.data, mmap.PAGESIZE
    monkeypatch.setattr(pages, "_MADVISE", lambda *said: told.append(said))
    pages.read_here_and_there(start, mapped.nbytes)
    pages.read_soon(start + np.array([10, page + 7]), np.array([5, 9]))
    assert told[0] == (start, mapped.nbytes, mmap.MADV_RANDOM)
    assert told[1:] == [(start, 15, mmap.MADV_WILLNEED), (start + page, 16, mmap.MADV_WILLNEED)]
    monkeypatch.setattr(pages, "_MADVISE", None)
    pages.read_soon(start + np.array([10]), 5)
    assert len(told) == 3 and mapped[255] == 255
