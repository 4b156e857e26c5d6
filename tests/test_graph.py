from __future__ import annotations

import io
from pathlib import Path

import pyoxigraph as ox
import pytest

from kgstore.errors import InputError, NotAStore
from kgstore.graph import Graph
from kgstore.model import Literal, NamedNode, Triple

ADA, BORN, LONDON = (NamedNode(f"http://ex/{name}") for name in ("Ada", "bornIn", "London"))
LINE = b"<http://ex/Ada> <http://ex/bornIn> <http://ex/London> .\n"


def many(count: int) -> bytes:
    return b"".join(b'<http://ex/%d> <http://ex/p> "%d" .\n' % (number, number) for number in range(count))


@pytest.mark.parametrize("size", [1, 7, 4095, 4096, 4097, 1 << 20])
def test_bulk_load_does_not_care_where_blocks_are_cut(size):
    data, graph = many(1000), Graph()
    graph.bulk_load(data[at : at + size] for at in range(0, len(data), size))
    assert len(graph) == 1000


def test_batches_written_side_by_side_lose_nothing(tmp_path, monkeypatch):
    monkeypatch.setattr("kgstore.graph.BATCH", 500)
    graph = Graph(tmp_path / "g")
    graph.bulk_load(many(1000).splitlines(keepends=True))
    assert len(graph) == 1000


def test_blocks_may_depend_on_what_the_ones_before_them_said(tmp_path, monkeypatch):
    monkeypatch.setattr("kgstore.graph.BATCH", 1)
    graph, seen = Graph(tmp_path / "g"), []

    def blocks():
        for line in many(5).splitlines(keepends=True):
            seen.append(len(graph))
            yield line

    graph.bulk_load(blocks(), steady=True)
    assert seen == [0, 1, 2, 3, 4]


def test_empty_blocks_are_no_end():
    graph = Graph()
    graph.bulk_load([b"", LINE, b"", b"", many(3), b""])
    assert len(graph) == 4


def test_a_block_iterator_that_fails_leaves_nothing_and_its_error_comes_through(tmp_path):
    def blocks():
        yield many(5000)
        raise KeyError("truncated")

    graph = Graph(tmp_path / "g")
    graph.bulk_load([LINE])
    with pytest.raises(KeyError, match="truncated"):
        graph.bulk_load(blocks())
    with pytest.raises(InputError):
        graph.bulk_load([many(10), b"<http://ex/x> nonsense\n"])
    assert [triple.object for triple in graph.match()] == [LONDON]


def test_blank_nodes_keep_their_names_from_one_call_to_the_next():
    graph = Graph()
    for _ in range(2):
        graph.bulk_load([b"_:a <http://ex/p> _:b .\n", LINE, b"_:b <http://ex/p> <http://ex/c> .\n"])
    named = {str(triple) for triple in graph.match() if triple.subject != ADA}
    assert named == {"_:a <http://ex/p> _:b", "_:b <http://ex/p> <http://ex/c>"} and len(graph) == 3
    with pytest.raises(InputError, match="do not parse"):
        graph.bulk_load([b"_:a <http://ex/p> _:b\n"])


def test_language_tags_that_strict_parsers_refuse_are_kept():
    graph = Graph()
    graph.bulk_load(['<http://ex/a> <http://ex/p> "字"@zh-classical .\n'.encode()])
    assert next(graph.match()).object.language == "zh-classical"


def test_add_and_remove_count_what_changed():
    graph, other = Graph(), Triple(ADA, BORN, Literal("London"))
    assert graph.add([Triple(ADA, BORN, LONDON)] * 2) == 1
    assert graph.add([Triple(ADA, BORN, LONDON), other]) == 1
    assert other in graph
    assert graph.remove([other, Triple(LONDON, BORN, ADA)]) == 1
    assert other not in graph
    assert len(graph) == 1


def test_match_takes_nodes_and_iris_alike():
    graph = Graph()
    graph.add([Triple(ADA, BORN, LONDON), Triple(ADA, BORN, Literal("London"))])
    assert len(list(graph.match(subject=ADA))) == len(list(graph.match("http://ex/Ada"))) == 2
    assert [t.object for t in graph.match(obj="http://ex/London")] == [LONDON]
    assert [t.object for t in graph.match(obj=Literal("London"))] == [Literal("London")]


def test_the_ledger_is_not_among_the_triples():
    graph = Graph()
    graph.add([Triple(ADA, BORN, LONDON)])
    graph.add_to_ledger([Triple(NamedNode("urn:kgstore:source:000001"), NamedNode("urn:kgstore:name"), Literal('"x"'))])
    assert len(graph) == len(list(graph.match())) == 1
    assert len(list(graph.ledger_triples())) == 1
    output = io.BytesIO()
    graph.dump(output)
    assert output.getvalue() == LINE


def test_a_checkpoint_is_a_store_of_its_own(tmp_path):
    with_one = Graph(tmp_path / "a")
    with_one.bulk_load([LINE])
    with_one.flush()
    with_one.close()
    reader = Graph(tmp_path / "a", read_only=True)
    reader.checkpoint(tmp_path / "b")
    copy = Graph(tmp_path / "b")
    copy.bulk_load([many(10)])
    assert (len(copy), len(reader)) == (11, 1)
    copy.close()
    assert len(Graph(tmp_path / "a", read_only=True)) == 1
    linked = [file for file in Path(tmp_path / "a").glob("*.sst") if file.stat().st_nlink > 1]
    assert linked


def test_many_may_read_and_none_of_them_may_write(tmp_path):
    writer = Graph(tmp_path / "g")
    writer.bulk_load([LINE])
    writer.flush()
    writer.close()
    readers = [Graph(tmp_path / "g", read_only=True) for _ in range(3)]
    assert [len(reader) for reader in readers] == [1, 1, 1]
    for change in (readers[0].add, readers[0].remove, readers[0].bulk_load):
        with pytest.raises(ValueError, match="read-only"):
            change([])


def test_what_is_no_graph_is_said_to_be_none(tmp_path):
    with pytest.raises(NotAStore):
        Graph(tmp_path / "absent", read_only=True)


def test_solutions_go_to_a_file_as_csv_or_as_tsv(tmp_path):
    graph = Graph()
    graph.add([Triple(ADA, BORN, LONDON)])
    graph.solutions_to_csv("SELECT ?s ?o { ?s ?p ?o }", tmp_path / "x.csv")
    assert (tmp_path / "x.csv").read_text().splitlines() == ["s,o", "http://ex/Ada,http://ex/London"]
    graph.solutions_to_csv("SELECT ?s ?o { ?s ?p ?o }", tmp_path / "x.tsv")
    assert (tmp_path / "x.tsv").read_text().splitlines() == ["?s\t?o", "<http://ex/Ada>\t<http://ex/London>"]


def test_a_turtle_dump_uses_the_well_known_prefixes():
    graph, output = Graph(), io.BytesIO()
    graph.add([Triple(NamedNode("http://schema.org/x"), NamedNode("http://schema.org/name"), Literal("x"))])
    graph.dump(output, ox.RdfFormat.TURTLE)
    assert b'schema:x schema:name "x"' in output.getvalue()
