"""The rows of a catalog, from the lines that were loaded and from the graph: the same."""

from __future__ import annotations

import io
from collections import Counter
from dataclasses import replace
from pathlib import Path
from unittest.mock import Mock

import duckdb
import pyoxigraph as ox
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kgstore import catalog_lines
from kgstore.catalog_build import _ask, build_catalog, select
from kgstore.catalog_properties import COUNTS
from kgstore.catalog_rows import Asked, Rows, Said
from kgstore.export import digests
from kgstore.extract import Extractor
from kgstore.graph import Graph
from kgstore.loaders.run import load
from kgstore.profile import RDFS, WIKIDATA, Profile
from kgstore.sources import SourceFile

XSD, WDT = "http://www.w3.org/2001/XMLSchema#", "http://www.wikidata.org/prop/direct/"
LABEL, NOTE = "http://www.w3.org/2000/01/rdf-schema#label", "http://www.w3.org/2000/01/rdf-schema#comment"
NUMBERS = "0 -0 5 +5 01 -5 5.0 5.5 +0.50 -0.5 .5 5. 1e5 INF 123456789012345678 12345678901234567890.5 x".split()
STAMPS = (
    "1931-05-05T00:00:00Z", "1931-02-30T00:00:00Z", "-0044-03-15T00:00:00Z", "1931-05-05T24:00:00Z", "1931-05-05Z",
    "1931-05-05T00:00:00+00:00", "1931-05-05T01:02:03.50Z", "1931-05-05", "1931", "0000", "19310", "true", "1",
)  # fmt: skip
TYPES = (*(XSD + name for name in "integer decimal double float int long boolean string dateTime date gYear".split()),
         "http://www.opengis.net/ont/geosparql#wktLiteral", "http://ex/own")  # fmt: skip
TEXTS = ("", "Ada", "a b", "> <http://ex/no>", '\\"', "\\\\", "\\\\x01", "\\n", "\\t\\r", "\\u00e9", "\\U0001F600", "é",
         "東京", "\x7f", "\t", "\x01", "\x1f", "^^", '\\"@en', "_:b", ". ", "\u2028", "\x85", "'")  # fmt: skip
TAGS = ("", "@en", "@EN", "@de-at", "@zh-Hans", "@zh-classical")
THINGS = ("<http://ex/Ada>", "<http://ex/B%20b>", "<http://ex/é>", "<urn:x:y>", "<http://ex/\\u0041da>", "_:b1",
          "<http://www.wikidata.org/entity/Q1>", "<http://www.wikidata.org/entity/Q2>")  # fmt: skip

GROUPS = [
    Asked("names0", {LABEL: 0, NOTE: 1}),
    Asked("statements", {f"{WDT}P1": 0, f"{WDT}P2": 1, "http://ex/P3": 2}),
]

literals = st.one_of(
    st.builds('"{}{}"{}'.format, st.sampled_from(TEXTS), st.sampled_from(TEXTS), st.sampled_from(TAGS)),
    st.builds('"{}"^^<{}>'.format, st.sampled_from((*NUMBERS, *STAMPS)), st.sampled_from(TYPES)),
)
predicates = st.sampled_from([LABEL, NOTE, f"{WDT}P1", f"{WDT}P2", "http://ex/P3"])
triples = st.builds(
    "{} <{}> {}{}\n".format,
    st.sampled_from(THINGS), predicates, st.one_of(st.sampled_from(THINGS), literals),
    st.sampled_from((" .", "\t.", " . # <http://ex/no>", "\t.#> .", "\t. # \"no\" .")),
)  # fmt: skip


def kept(path: Path, lines: list[str]) -> Path:
    path.parent.mkdir(exist_ok=True)
    file = SourceFile(path)
    file.write("".join(lines).encode())
    file.mark()
    file.close()
    return path


def loaded(lines: list[str]) -> Graph:
    graph = Graph()
    graph.bulk_load([line.encode() for line in lines])
    return graph


def rows_of(folder: Path) -> set[tuple[str, str, str]]:
    files = sorted(folder.glob("*.parquet"))
    read = {file: duckdb.read_parquet(str(file)).select("s, p, o").fetchall() for file in files}
    rows = [(file.name.partition(".")[0], *row) for file, some in read.items() for row in some]
    assert len(rows) == len(set(rows))
    return {(s, p, o) for _, s, p, o in rows}


def asked(graph: Graph, codes: dict[str, int]) -> set[tuple[str, str, str]]:
    """What the rows must be."""
    text = io.BytesIO()
    graph.solutions(select(codes)).serialize(text, format=ox.QueryResultsFormat.TSV)
    names = {str(code): iri for iri, code in codes.items()}
    found = (line.split("\t") for line in text.getvalue().decode().split("\n")[1:-1])
    return {(s, names[n], o) for s, n, o in found}


def taken(db, folder: Path, graph: Graph, said: Said) -> bool:
    counts = Counter(triple.predicate.value for triple in graph.match())
    folder.mkdir()
    rows = Rows(db, folder / "rows", RDFS, said.rows)
    wanted = {one.group: f"q IN {tuple(f'<{iri}>' for iri in one.codes)}" for one in GROUPS}
    with catalog_lines.Taken(db, rows, wanted, said, folder / "scratch") as lines:
        return lines.complete(GROUPS, counts, _ask)


@settings(max_examples=8, deadline=None, suppress_health_check=list(HealthCheck))
@given(lines=st.lists(triples, min_size=1, max_size=60), parts=st.integers(2, 3))
def test_lines_give_the_same_rows_as_the_graph(tmp_path_factory, lines, parts):
    """All at once; and those that were added to an earlier state."""
    folder = tmp_path_factory.mktemp("rows")
    graph, files = loaded(lines), [kept(folder / f"{part}.zst", lines[part::parts]) for part in range(parts)]
    with duckdb.connect() as db:
        assert taken(db, folder / "all", graph, Said(files))
    right = asked(graph, GROUPS[0].codes) | asked(graph, GROUPS[1].codes)
    assert rows_of(folder / "all" / "rows") == right
    with duckdb.connect() as db:
        assert taken(db, folder / "some", loaded(lines[::parts]), Said(files[:1]))
    with duckdb.connect() as db:
        assert taken(db, folder / "more", graph, Said(files[1:], folder / "some" / "rows"))
    assert rows_of(folder / "more" / "rows") == right


def every() -> list[str]:
    """A line of each kind."""
    objects = [f'"{a}{b}"{tag}' for a in TEXTS for b in TEXTS[:4] for tag in TAGS]
    objects += [f'"{text}"^^<{kind}>' for text in (*NUMBERS, *STAMPS) for kind in TYPES]
    return [
        f"<http://ex/s{number % 50}> <{iri}> {term} .\n"
        for number, term in enumerate([*THINGS, *objects])
        for iri in (LABEL, f"{WDT}P{number % 9}")
    ]


def built(folder: Path, graph: Graph, profile: Profile, said: Said | None) -> tuple[dict, set]:
    """What the catalog says, and its rows."""
    folder.mkdir()
    build_catalog(graph, profile, folder / "catalog.duckdb", ("en", "de"), said=said)
    return digests(folder, graph=False), rows_of(folder / "catalog" / "rows")


BOTH = replace(RDFS, alias=(*RDFS.label, *RDFS.alias))
"""Its labels are aliases as well."""


@pytest.mark.parametrize("profile", [RDFS, WIKIDATA, BOTH])
def test_catalogs_from_lines_and_from_the_graph_are_the_same(tmp_path, monkeypatch, profile):
    monkeypatch.setattr(catalog_lines, "_CHUNK", 20_000)
    monkeypatch.setattr(catalog_lines, "Extractor", watched := Mock(wraps=catalog_lines.Extractor))
    lines = every()
    graph = loaded(lines)
    lines += lines[::3]
    right = built(tmp_path / "asked", graph, profile, None)
    said = Said([kept(tmp_path / "kept" / "1", lines[:900]), kept(tmp_path / "kept" / "2", lines[900:])])
    assert built(tmp_path / "taken", graph, profile, said) == right
    assert watched.call_count == 1  # for the lines that only Oxigraph understands


@pytest.mark.parametrize("missing, agree", [
    ("", False), ("not a triple\n", False), ("<http://ex/a>\t<http://ex/p>\t<http://ex/c> .\n", False),
    ("<http://ex/a> <http://ex/\\u0070> <http://ex/c> .\n", False),
    ("<http://ex/a> <http://ex/\\u0070> <http://ex/c>.\n", True),
    ("<http://ex/a>\t<http://ex/p> <http://ex/c> .\n", True),
])  # fmt: skip
def test_where_lines_and_graph_do_not_agree_the_graph_is_right(tmp_path, monkeypatch, missing, agree):
    answers, complete = [], catalog_lines.Taken.complete
    monkeypatch.setattr(
        catalog_lines.Taken, "complete", lambda *given: answers.append(complete(*given)) or answers[-1]
    )
    lines = [f'<http://ex/a> <{LABEL}> "Ada" .\n', "<http://ex/a> <http://ex/p> <http://ex/b> .\n"]
    graph = loaded([*lines, "<http://ex/a> <http://ex/p> <http://ex/c> .\n"])
    right = built(tmp_path / "asked", graph, RDFS, None)
    assert built(tmp_path / "taken", graph, RDFS, Said([kept(tmp_path / "1.zst", [*lines, missing])])) == right
    assert answers == [agree]


def test_a_load_of_lines_asks_the_graph_for_no_rows(tmp_path, monkeypatch):
    asked_for, submit = [], Extractor.submit
    monkeypatch.setattr(Extractor, "submit", lambda self, query: asked_for.append(query) or submit(self, query))
    file = tmp_path / "a.nt"
    file.write_text(f'<http://ex/a> <{LABEL}> "Ada"@en .\n<http://ex/a> <http://ex/p> <http://ex/b> .\n')
    load([file], tmp_path / "my.kg", vectors=False, embedder=tmp_path / "none")
    assert asked_for == [COUNTS]


def test_what_follows_of_one_subject_stays_together(tmp_path, monkeypatch):
    monkeypatch.setattr(catalog_lines, "_CHUNK", 1)
    monkeypatch.setattr(catalog_lines, "_FILES", 1)
    lines = [f"<{s}> <p> <{o}> .\n" for s, o in ("ab", "cd", "ce", "fa", "fb")]
    files = [kept(tmp_path / "kept" / str(at), lines[at : at + 2]) for at in (0, 2, 4)]
    chunks = [b"".join(path.read_bytes() for path in chunk) for chunk in catalog_lines._chunks(files, tmp_path)]
    assert chunks == ["".join(lines[:3]).encode(), "".join(lines[3:]).encode()]


def test_a_long_line_is_taken_and_a_damaged_source_is_not(tmp_path):
    lines = [f'<http://ex/a> <{LABEL}> "{"Ada " * 700_000}"@en .\n', f'<http://ex/b> <{LABEL}> "Bob" .\n']
    graph, file = loaded(lines), kept(tmp_path / "1.zst", lines)
    with duckdb.connect() as db:
        assert taken(db, tmp_path / "whole", graph, Said([file]))
    file.write_bytes(file.read_bytes()[:-20] + bytes(20))
    with duckdb.connect() as db:
        assert not taken(db, tmp_path / "damaged", graph, Said([file]))
