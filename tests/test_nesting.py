"""Documents that nest without end are refused before a parser crashes on them; what nests as real files do is read."""

from __future__ import annotations

import pytest

from kgstore.errors import LoadError
from kgstore.graph import Graph
from kgstore.loaders.filters import Filters
from kgstore.loaders.nesting import MOST_LEVELS, WATCHES
from kgstore.loaders.protocol import Block, Skipped
from kgstore.loaders.rdf import RdfLoader

RDF = '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:e="http://e/">'
SHAPES = {
    "jsonld": ('{"http://e/p":', "1", "}"),
    "jsonld list": ('{"@id":"http://e/a","http://e/p":[', '"[{"', "]}"),
    "rdfxml": ("<rdf:Description><e:p>", "a/>b", "</e:p></rdf:Description>"),
    "turtle": ("<<( <http://e/a> <http://e/b> ", '"<<"', " )>>"),
    "trig": ("<<( <http://e/a> <http://e/b> ", "1", " )>>"),
}


def document(shape: str, levels: int) -> bytes:
    begin, middle, end = SHAPES[shape]
    text = begin * levels + middle + end * levels
    if shape == "rdfxml":
        text = f"{RDF}<!-- {'<a>' * 900} -->{text}</rdf:RDF>"
    elif shape in ("turtle", "trig"):
        text = f'<http://e/s> <http://e/p> {text} ; <http://e/q> "{"<< " * 900}" .'
    return text.encode()


@pytest.mark.parametrize("shape", SHAPES)
def test_documents_without_a_bottom_are_refused(tmp_path, shape):
    path = tmp_path / "deep"
    path.write_bytes(document(shape, 20_000))
    with pytest.raises(LoadError, match="it nests too deep"):
        list(RdfLoader(shape.split()[0]).read(path, Filters()))


@pytest.mark.parametrize("shape", SHAPES)
def test_some_levels_are_read(tmp_path, shape):
    path = tmp_path / "deep"
    path.write_bytes(document(shape, 100))
    items = list(RdfLoader(shape.split()[0]).read(path, Filters()))
    graph = Graph()
    graph.bulk_load(item.data for item in items if isinstance(item, Block))
    assert 0 < len(graph) <= sum(item.triples for item in items if isinstance(item, Block))


def test_a_line_of_triples_in_triples_costs_itself_alone(tmp_path):
    deep = f"<http://e/s> <http://e/p> {'<<( <http://e/a> <http://e/b> ' * 9000}<http://e/c>{' )>>' * 9000} .\n"
    (tmp_path / "a.nt").write_text(f"<http://e/s> <http://e/p> <http://e/o> .\n{deep}<http://e/s> <http://e/p> 'x .\n")
    items = list(RdfLoader("ntriples").read(tmp_path / "a.nt", Filters()))
    assert [(item.line, item.reason) for item in items if isinstance(item, Skipped)][0] == (2, "line: nested too deep")
    assert sum(item.triples for item in items if isinstance(item, Block)) == 1


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("size", [1, 2, 7, 1000])
def test_it_does_not_matter_where_a_piece_ends(shape, size):
    for levels, found in ((MOST_LEVELS // 3, False), (20_000, True)):
        data = document(shape, levels)[:160_000]
        watch = WATCHES[shape.split()[0]]()
        assert any(watch(data[at : at + size]) for at in range(0, len(data), size)) is found


def test_escaped_quotes_do_not_end_a_string():
    for size in (1, 2, 3, 50):
        watch = WATCHES["jsonld"]()
        data = b'{"a": "\\\\\\"' + b"[" * 2000 + b'\\\\", "b": "\\\\"}'
        assert not any(watch(data[at : at + size]) for at in range(0, len(data), size))
