"""RDF files of every format become N-Triples; bad lines are counted, bad documents are refused."""

from __future__ import annotations

import gzip
import random
import time

import pyoxigraph as ox
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from kgstore.errors import LoadError
from kgstore.loaders import rdf
from kgstore.loaders.filters import Filters
from kgstore.loaders.formats import format_of, loader_for
from kgstore.loaders.prolog import PROLOG
from kgstore.loaders.protocol import Block, Skipped

LONDON = "<http://ex/Ada> <http://ex/bornIn> <http://ex/London>"
RDF = 'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:ex="http://ex/"'
SAME = {
    "a.nt": f"# a comment\n{LONDON} . # another\n\n",
    "a.nq": f"{LONDON} <http://ex/graph> .\n",
    "a.ttl": "@prefix ex: <http://ex/> . ex:Ada ex:bornIn ex:London .",
    "a.trig": "@prefix ex: <http://ex/> . ex:graph { ex:Ada ex:bornIn ex:London . }",
    "a.rdf": f'<rdf:RDF {RDF}><rdf:Description rdf:about="http://ex/Ada"><ex:bornIn rdf:resource="http://ex/London"/>'
    "</rdf:Description></rdf:RDF>",
    "a.jsonld": '{"@context": {"@vocab": "http://ex/"}, "@id": "http://ex/Ada", "bornIn": {"@id": "http://ex/London"}}',
}


@pytest.fixture
def read(tmp_path):
    def load(name: str, text: str | bytes, **filters) -> tuple[list[str], list[Skipped]]:
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        items = list(loader_for(format_of(path)).read(path, Filters(**filters)))
        data = b"".join(item.data for item in items if isinstance(item, Block))
        found = [str(quad.triple) for quad in ox.parse(data, format=ox.RdfFormat.N_TRIPLES, lenient=True)]
        assert sum(item.statements for item in items if isinstance(item, Block)) == len(found) == data.count(b"\n")
        return found, [item for item in items if isinstance(item, Skipped)]

    return load


@pytest.mark.parametrize("name", SAME)
def test_the_same_triple_in_every_format(read, name):
    found, skipped = read(name, SAME[name])
    assert found == [LONDON]
    merged = [Skipped(None, "named graph: merged into the default graph")]
    assert skipped == (merged if name in ("a.nq", "a.trig") else [])


@pytest.mark.parametrize("name", ["a.nt", "a.nq"])
def test_a_bad_line_is_counted_and_the_next_one_read(read, name):
    found, skipped = read(
        name, f'{LONDON} .\n<http://ex/a b> <x> .\n{LONDON}\n"unclosed .\n\xff\n{LONDON} .\n'.encode("latin1")
    )
    assert found == [LONDON, LONDON]
    assert [one.line for one in skipped] == [2, 3, 4, 5]


def test_a_language_tag_that_is_too_long_is_kept(read):
    found, skipped = read(
        "a.nt", '<http://ex/a> <http://ex/b> "道"@zh-classical .\n<http://ex/a> <http://ex/b> "x"@en_US .\n'
    )
    assert found == ['<http://ex/a> <http://ex/b> "道"@zh-classical'] and [one.line for one in skipped] == [2]


@pytest.mark.parametrize(
    ("name", "text", "line"),
    [
        ("a.ttl", "<http://ex/a> <http://ex/b> 1 .\n<http://ex/a> , 2 .", 2),
        ("a.trig", "<http://ex/a> {\n<http://ex/a> }", 2),
        ("a.jsonld", '{"@id":\n\n }', 3),
    ],
)
def test_a_document_that_does_not_parse_is_refused_with_file_and_line(read, name, text, line):
    with pytest.raises(LoadError, match=rf"{name}: line {line}: "):
        read(name, text)


@pytest.mark.parametrize("name", ["a.nt", "a.ttl", "a.rdf"])
def test_a_packed_file_that_ends_early_is_refused(read, name):
    text = "".join(f"<http://ex/{number}> <http://ex/p> {random.random()} .\n" for number in range(20_000))
    if name == "a.rdf":
        text = SAME[name].replace("><", f"><!-- {text} --><", 1)
    with pytest.raises(LoadError, match="ends early"):
        read(f"{name}.gz", gzip.compress(text.encode())[:-100_000])


@pytest.mark.parametrize("text", ["<rdf:RDF", f"<rdf:RDF {RDF}><a></b>", "no xml at all", "{}"])
def test_broken_xml_is_refused(read, text):
    with pytest.raises(LoadError, match=r"a\.rdf"):
        read("a.rdf", text)


def test_a_malformed_iri_costs_its_triple_alone(read):
    found, skipped = read("a.ttl", f"{LONDON} . <http://ex/a b> <http://ex/c> 1 .")
    assert found == [LONDON]
    assert [one.reason for one in skipped] == ["triple: Invalid IRI code point .."]


def test_blank_nodes_are_the_same_in_every_load_and_others_in_every_file(read):
    text = '[] <http://ex/knows> [ <http://ex/name> "_:x" ], _:b . _:b <http://ex/knows> (1 2) .'
    first, again, other = read("a.ttl", text)[0], read("a.ttl", text)[0], read("b.ttl", text)[0]
    assert first == again
    blank = {word for triple in first for word in triple.split() if word.startswith("_:")}
    assert len(blank) == 5 and not blank & {word for triple in other for word in triple.split()}
    assert any('"_:x"' in triple for triple in first)
    lines = '_:b <http://ex/p> _:c.\n_:c<http://ex/p> "> _:b" .\n'
    lines += "<http://ex/s> <http://ex/p> <<( _:b <http://ex/p> _:c )>> .\n"
    found = read("a.nt", lines)[0]
    assert (
        len({word for triple in found for word in triple.replace('"> _:b"', "").split() if word.startswith("_:")}) == 2
    )


def test_a_limit_counts_triples(read):
    assert len(read("a.nt", f"{LONDON} .\n" * 10, limit=3)[0]) == 3
    assert len(read("a.ttl", f"{LONDON} .\n" * 10, limit=3)[0]) == 3


def test_a_context_on_the_network_is_refused(read):
    with pytest.raises(LoadError, match="context on the network; write the context into the file"):
        read("a.jsonld", '{"@context": "https://schema.org/", "@id": "http://ex/a"}')


def test_harmless_entities_of_an_ontology_pass(read):
    doctype = '<!DOCTYPE rdf:RDF [\n <!ENTITY ex "http://ex/" >\n]>'
    found, _ = read(
        "a.owl",
        f'<?xml version="1.0"?>{doctype}<rdf:RDF {RDF}><rdf:Description rdf:about="&ex;Ada">'
        '<ex:bornIn rdf:resource="&ex;London"/></rdf:Description></rdf:RDF>',
    )
    assert found == [LONDON]


EVIL = '<!ENTITY a "ha"><!ENTITY b "&a;&a;">'


@pytest.mark.parametrize(
    "prolog",
    [
        f"<!DOCTYPE r [{EVIL}]>",
        f"<!doctype r [{EVIL.lower()}]>",
        f"<!-- {'x' * PROLOG} --><!DOCTYPE r [{EVIL}]>",
        f'<!DOCTYPE r [<!ENTITY c "]>">{EVIL}]>',
        f'<!DOCTYPE r [<!ENTITY c "<!--">{EVIL}<!ENTITY d "-->">]>',
        '<!DOCTYPE r SYSTEM "file:///etc/passwd">',
        '<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]>',
        '<!DOCTYPE r [<!ENTITY % x SYSTEM "http://ex/x"> %x;]>',
        f"<!DOCTYPE r><!DOCTYPE r [{EVIL}]>",
        "<!DOCTYPE r [" + "<!ENTITY " * 7000,
    ],
    ids=range(10),
)
def test_entities_that_expand_or_fetch_are_refused_at_once(read, prolog):
    started = time.monotonic()
    with pytest.raises(LoadError, match=r"a\.rdf"):
        read("a.rdf", f'<?xml version="1.0"?>{prolog}<rdf:RDF {RDF}></rdf:RDF>')
    assert time.monotonic() - started < 5


def test_an_entity_definition_cut_by_the_edge_of_a_read_is_found(read):
    for shift in range(12):
        padding = " " * (PROLOG + 4096 - 600 + shift)
        with pytest.raises(LoadError):
            read("a.rdf", f"<rdf:RDF {RDF}>{padding}{' ' * 300}<!DOCTYPE r [{EVIL}]></rdf:RDF>")


@settings(max_examples=30, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.from_regex(rdf._USUAL, fullmatch=True))
def test_lines_that_pass_without_a_parser_are_well_formed(data):
    assume(rdf._is_utf8(data))
    assert sum(1 for _ in ox.parse(data, format=ox.RdfFormat.N_TRIPLES)) == data.count(b"\n")


@pytest.mark.parametrize("value", [
    "<http://ex/ a>", "<ex/a>", "<http://ex/#a#b>", "<http://ex:x/>", '"a"b"', '"\\x"', '"\\ud800"', '"a"@', '"a"@-en',
    '"a"@en-', '"a"@1en', '"a\n"', '"a"^^<x>', "_:", '"\udcff"', "a", "<http://ex/a> <http://ex/g>",
])  # fmt: skip
def test_a_line_that_is_not_well_formed_among_good_ones_is_found(read, value):
    good, text = "<http://ex/a> <http://ex/p> {} .\n", '"b \\"c\\" é"@en'
    lines = "".join(good.format(one) for one in (text, "<http://ex/a>", value, text))
    found, skipped = read("a.nt", lines.encode("utf-8", "surrogateescape"))
    assert len(found) == 3
    assert {one.reason for one in skipped if one.reason.startswith("line: ")}
