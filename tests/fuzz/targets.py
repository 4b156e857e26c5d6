"""One target for each parser: bytes in, an exception other than the parser's own error out where it breaks a promise.

The promises: nothing but its own error leaves a parser; what it hands out is well-formed; and every line, row, entity
and statement is either kept or counted as skipped.
"""

from __future__ import annotations

import atexit
import bz2
import gzip
import io
import shutil
import tempfile
from collections.abc import Callable, Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import orjson
import pyoxigraph as ox

from kgstore import profile, zstd
from kgstore.errors import InputError, LoadError
from kgstore.loaders import sources
from kgstore.loaders.cells import date, number, slug
from kgstore.loaders.filters import Filters
from kgstore.loaders.headers import is_kgtk, layout_of
from kgstore.loaders.protocol import Block, Skipped
from kgstore.loaders.rdf import RdfLoader
from kgstore.loaders.rows import rows
from kgstore.loaders.sources import Source
from kgstore.loaders.table import TableLoader
from kgstore.loaders.wikidata import convert

RESOURCES = Path(__file__).parent.parent / "resources"
_MEMORY = Path("/dev/shm")
_FOLDER = Path(tempfile.mkdtemp(prefix="kgstore-fuzz-", dir=_MEMORY if _MEMORY.is_dir() else None))
atexit.register(shutil.rmtree, _FOLDER, ignore_errors=True)
_BRACKETS = (b"", b"[", b"]", b"[]")


def _file(name: str, data: bytes) -> Path:
    path = _FOLDER / name
    path.write_bytes(data)
    return path


def _triples(data: bytes) -> int:
    """How many triples a block holds; it must be good N-Triples, apart from language tags and the like."""
    return sum(1 for _ in ox.parse(data, format=ox.RdfFormat.N_TRIPLES, lenient=True))


def _checked(items: Iterator[Block | Skipped]) -> tuple[list[Block], list[Skipped]]:
    blocks, skipped = [], []
    for item in items:
        if isinstance(item, Skipped):
            assert item.count > 0 and item.reason and len(item.what) <= 80, item
            skipped.append(item)
        else:
            assert item.data.count(b"\n") == item.triples == _triples(item.data), item.data
            blocks.append(item)
    return blocks, skipped


def table_rows(data: bytes) -> None:
    """Rows come in the order of their lines, and no line is lost between two of them."""
    lines = data.removeprefix(b"\xef\xbb\xbf").split(b"\n")
    for separator, quotes in ((None, True), ("\t", False)):
        try:
            with Source(_file("rows.csv", data or b"\n")) as source:
                found = list(rows(source, separator, quotes))
        except LoadError:
            continue
        last, header = 0, None
        for item in found:
            at = item.line if isinstance(item, Skipped) else item[0]
            assert at is not None and at > last
            if header and (not quotes or b'"' not in lines[last - 1]):
                assert at == last + 1, (last, at)
            last = at
            if not isinstance(item, Skipped):
                header = header or item[1]
                assert len(item[1]) == len(header) and "\0" not in "".join(item[1])
        assert header is not None


def table(data: bytes) -> None:
    """Every row of a table is kept, or skipped and counted."""
    for name, separator in (("table.csv", None), ("table.tsv", "\t")):
        path = _file(name, data or b"\n")
        try:
            blocks, skipped = _checked(TableLoader("kg", separator).read(path, Filters()))
        except LoadError:
            continue
        with Source(path) as source:
            heads = (item for item in rows(source, "\t") if not isinstance(item, Skipped))
            edges = is_kgtk(next(heads)[1])
        with Source(path) as source:
            every = sum(1 for _ in rows(source, "\t" if edges else separator, quotes=not edges)) - 1
        left = sum(one.count for one in skipped if one.reason.startswith("row: "))
        kept = sum(block.entities for block in blocks)
        assert kept + left == every or edges and kept + left >= every, (kept, left, every)  # values of a cell go singly


def kgtk(data: bytes) -> None:
    """The same for edges of KGTK, below a good header."""
    table(b"id\tnode1\tlabel\tnode2\trank\n" + data)


def header(data: bytes) -> None:
    """Any header has a layout that names columns which are there."""
    cells = data.decode("utf-8", "replace").split(",")
    layout = layout_of(cells)
    every = [layout.subject, *layout.roles.values(), *layout.columns]
    assert all(0 <= at < len(cells) for at in every)
    assert layout.types is None or 0 <= layout.types < len(cells)


def cells(data: bytes) -> None:
    """Numbers and dates are good literals, and any name is part of a good IRI."""
    text = data.decode("utf-8", "replace")
    for literal in (date(text, False), date(text, True), number(text), number(text, told=True)):
        if literal:
            assert _triples(f"<http://e/s> <http://e/p> {literal} .\n".encode()) == 1
    ox.NamedNode(f"urn:kgstore:kg/{slug(text)}")


def ntriples(data: bytes) -> None:
    """Every line is a triple, a comment, or counted; continued in the middle, the rest comes out the same."""
    for name, format in (("lines.nt", "ntriples"), ("lines.nq", "nquads")):
        path = _file(name, data or b"\n")
        blocks, skipped = _checked(RdfLoader(format).read(path, Filters()))
        whole = b"".join(block.data for block in blocks)
        lines = data.removeprefix(b"\xef\xbb\xbf").split(b"\n")
        said = sum(1 for line in lines if (bare := line.strip()) and not bare.startswith(b"#"))
        left = sum(one.count for one in skipped if one.reason.startswith("line: "))
        assert whole.count(b"\n") + left >= said, (whole, left, said)
        after = len(lines) // 2
        again, _ = _checked(RdfLoader(format, after=after).read(path, Filters()))
        rest = b"".join(block.data for block in again)
        assert whole.endswith(rest), (whole, rest)


def documents(data: bytes) -> None:
    """Turtle and its like: read, or refused by a clear error."""
    for format in ("turtle", "trig", "rdfxml", "jsonld"):
        try:
            _checked(RdfLoader(format).read(_file(f"document.{format}", data or b"\n"), Filters()))
        except LoadError as error:
            assert "\n" not in str(error)


def wikidata_lines(data: bytes) -> None:
    """Every line of a dump that says something is an entity, or counted."""
    for full in ("full", "truthy"):
        filters = Filters(statements=full)
        for at, line in enumerate(data.split(b"\n")):
            found = convert(line, 2, filters)
            assert found.data.count(b"\n") == _triples(found.data)
            bare = line.strip().rstrip(b",").rstrip()
            assert found.ids or found.skipped or bare.strip(b"[] \t\r,") == b"", (at, line)


def wikidata_document(data: bytes) -> None:
    """A real entity with some parts put in place of others: each statement is kept or counted."""
    document = _mutated(data)
    found = convert(orjson.dumps(document), 2, Filters(languages=("en", "de")))
    assert found.data.count(b"\n") == _triples(found.data)
    if found.ids:
        claims = document.get("claims") or {}
        statements = sum(len(group) for group in claims.values() if isinstance(group, list | dict))
        left = sum(one.count for one in found.skipped if one.reason.startswith("statement: "))
        assert found.statements + left == statements, (found.statements, left, statements)
    else:
        assert found.skipped


_REAL = (RESOURCES / "wikidata" / "Q42.json").read_bytes()
_ODD: list[Any] = [
    None, True, 0, -1, 1.5, 10**15, "", "Q1", "P31", "value", "\0", '"\\\n', "x" * 300, "é\u2028\ud7ff", [], {}, [[]],
    {"id": "Q1"}, "+2000-02-30T00:00:00Z", "1e400", {"value": {}}, "http://a b/", "preferred", "somevalue", "novalue",
]  # fmt: skip


def _mutated(data: bytes) -> dict[str, Any]:
    """Q42, changed as the bytes say: each four choose a place and what comes there."""
    document = orjson.loads(_REAL)
    document = document[0] if isinstance(document, list) else document
    for at in range(0, min(len(data), 40) - 3, 4):
        node: Any = document
        parent: Any = None
        key: Any = None
        a, b, c, what = data[at : at + 4]
        for step in (a, b, a ^ b, c, c >> 3, c >> 5):
            if not isinstance(node, dict | list) or not node:
                break
            parent, key = node, list(node)[step % len(node)] if isinstance(node, dict) else step % len(node)
            node = parent[key]
        if parent is None:
            continue
        if what >= 250:
            del parent[key]
        elif what >= 200 and isinstance(parent, dict):
            parent[f"P{what}"] = deepcopy(node)
        elif what >= 150 and isinstance(parent, list):
            parent.append(deepcopy(node))
        else:
            parent[key] = deepcopy(_ODD[what % len(_ODD)])
    return document


def profile_file(data: bytes) -> None:
    """A profile is read, and comes back from the manifest as it was; or it is refused."""
    try:
        found = profile.load(_file("own.toml", data))
    except InputError as error:
        assert "own.toml" in str(error)
    else:
        assert profile.stored(orjson.loads(orjson.dumps(found.stored()))) == found


def packed(data: bytes) -> None:
    """Damaged files are refused, or (partly) read up to the damage; whole ones come out as they went in."""
    for kind, pack in (("gz", gzip.compress), ("bz2", bz2.compress), ("zst", zstd.compress)):
        for content in (data, pack(data)[: data[0] if data else 0] + data[1:], pack(data)):
            for partly in (False, True):
                try:
                    with Source(_file(f"packed.{kind}", content), partly=partly) as source:
                        got = b"".join(block for _, block in source.blocks(256))
                except LoadError as error:
                    assert f"packed.{kind}" in str(error)
                    assert content != pack(data)
                else:
                    assert content != pack(data) or got == data
        cut = pack(data)[: len(pack(data)) * 3 // 4]
        if len(cut) > 8:
            with Source(_file(f"cut.{kind}", cut), partly=True) as source:
                got = b"".join(block for _, block in source.blocks(256))
                assert source.cut and data.startswith(got)


def lines_of(data: bytes) -> None:
    """Blocks of lines are the file, and know their first line."""
    longest, sources.LONGEST_LINE = sources.LONGEST_LINE, 30
    try:
        with Source(_file("lines.txt", data or b"\n")) as source:
            found = list(source.blocks(7))
    finally:
        sources.LONGEST_LINE = longest
    lines = io.BytesIO(data or b"\n").readlines()
    expected = 1
    for at, block in found:
        assert b"".join(lines[at - 1 :]).startswith(block), (at, block)
        assert block or len(lines[at - 1]) > 30
        assert at == expected, (at, expected)
        expected += block.count(b"\n") or 1
    assert expected == len(lines) + 1, (expected, lines)


TARGETS: dict[str, Callable[[bytes], None]] = {
    "rows": table_rows,
    "table": table,
    "kgtk": kgtk,
    "header": header,
    "cells": cells,
    "ntriples": ntriples,
    "documents": documents,
    "wikidata": wikidata_lines,
    "entity": wikidata_document,
    "profile": profile_file,
    "packed": packed,
    "lines": lines_of,
}

SEEDS: dict[str, list[bytes]] = {
    "rows": [b'a,b\n1,"x\ny"\n"q,2\n', b"\xef\xbb\xbfa;b\r\n1;2\r\n\r\n", b"a\tb\n1\t2\t3\n\0\t\n\xff,1\n"],
    "table": [
        b"id,name,type,aliases,born:date,boss@entity\n1,Ada,person,A|B,1815-12-10,2\n2,Bo,person,,1931,\n",
        b"s,p,o,lang,datatype,object_type,since\nada,knows,Bo Lund,,,entity,1999\nada,says,hallo,de,,,\n",
        b":START_ID(P),:TYPE,:END_ID(P),since:int\n1,KNOWS,2,1999\n", b":ID(P),name,:LABEL\n1,Ada,Person;Boss\n",
        b"s,p,o,P580\nQ42,P69,Q5,1971\nQ42,label,Douglas Adams,\n", b"id\tnode1\tlabel\tnode2\nq\ta\tb\tc|d\n",
    ],
    "kgtk": [
        b"l1\tQ42\tlabel\t'Douglas'@en\t\n"
        b"Q42-P69-a\tQ42\tP69\tQ69\tnormal\nq1\tQ42-P69-a\tP580\t^1971-01-01T00:00:00Z/9\t\n",
        b'a\tada\theight\t+1.9[1.8,2.0]Q11573\t\nb\ta\tsource\t"x\\"y"|True\t\nc\tQ1\tP625\t@43.2/10.9\tpreferred\n',
    ],
    "header": [b"id,name,born:date", b":START_ID(P),:TYPE,:END_ID", b"source,target,type", b"s,p,o,lang,datatype"],
    "cells": [b"1931-05-05", b"-0044-03-15T10:00:00Z", b"4,400,000", b"1.5e10", "Zoë Müller/Berlin".encode()],
    "ntriples": [
        b'<http://e/a> <http://e/p> "x"@zh-classical .\n# no\n_:b <http://e/p> _:c .\n<http://e/a> <p> "x .\n',
        b'<http://e/a> <http://e/p> "1"^^<http://www.w3.org/2001/XMLSchema#integer> <http://e/g> .\n',
    ],
    "documents": [
        b'@prefix e: <http://e/> . e:a e:p [ e:q "x"@en ], 1.5 .',
        b'{"@id": "http://e/a", "http://e/p": {"@value": 1}}',
        b'<?xml version="1.0"?><!DOCTYPE r [<!ENTITY o "http://e/">]><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/'
        b'22-rdf-syntax-ns#" xmlns:e="http://e/"><rdf:Description rdf:about="&o;a"><e:p>x</e:p>'
        b"</rdf:Description></rdf:RDF>",
    ],
    "wikidata": [
        b'[\n{"type":"item","id":"Q1","labels":{"en":{"language":"en","value":"x"}},"claims":{}},\n]',
        b'{"id":"P1","type":"property","datatype":"time"}\n[{"id":"Q2"},{"id":"Q3","claims":[]}]\n{"id":"L1","type":"lexeme"}',
        b'{"id":"Q5","claims":{"P1":[{"mainsnak":{"snaktype":"value","property":"P1","datavalue":{"type":"string",'
        b'"value":"a"}},"rank":"normal","id":"Q5$1"}]}}',
    ],
    "entity": [bytes(range(0, 40)), bytes(range(200, 240)), b"\x04\x09\x02\x07" * 8],
    "profile": [
        b'name = "m"\nbase = "rdfs"\nlabel = ["ex:title", "rdfs:label"]\n[prefixes]\nex = "http://example.org/"\n',
        b'statement_style = "wikibase"\ntype = "wdt:P31"\n', b'[prefixes]\nex = 1\n', b'label = [1]\n',
    ],
    "packed": [b"a\nb\nc\n" * 30, b"\x1f\x8b\x08", b"BZh9", b"\x28\xb5\x2f\xfd", bytes(range(256))],
    "lines": [b"a\nbb\n" + b"c" * 40 + b"\nd", b"\n\n\n", b"x" * 100, b"a\r\nb\rc\n"],
}  # fmt: skip
"""Small valid and broken inputs to start from."""
