"""Rows that other programs read: every format holds what the table on the terminal holds."""

from __future__ import annotations

import csv
import io
import json

import pytest

from kgstore.cli.rows import as_csv, print_rows
from kgstore.errors import InputError
from tests.test_cli import answer, run

COMMANDS = {
    "facts": ("facts", "Douglas Adams"),
    "link": ("link", "Douglas Adams lived in Santa Barbara."),
    "path": ("path", "Douglas Adams", "Charlie Chaplin"),
    "search": ("search", "Douglas Adams", "--by", "name"),
    "properties": ("info", "--properties"),
    "counts": ("info",),
    "sparql": ("sparql", "SELECT ?p ?o { wd:Q42 ?p ?o }"),
}


@pytest.mark.parametrize("name", COMMANDS)
def test_all_formats_hold_the_same_rows(small_kg, name, tmp_path):
    words = COMMANDS[name]
    lines = [json.loads(line) for line in run(*words, "--kg", small_kg, "--format", "jsonl").stdout.splitlines()]
    assert lines
    table = list(csv.DictReader(io.StringIO(run(*words, "--kg", small_kg, "--format", "csv").stdout)))
    assert [{key: "" if value is None else str(value) for key, value in one.items()} for one in lines] == table
    markdown = run(*words, "--kg", small_kg, "--format", "markdown").stdout.splitlines()
    assert len(markdown) == len(lines) + 2 and all(line.startswith("| ") and line.endswith(" |") for line in markdown)
    tsv = run(*words, "--kg", small_kg, "--format", "tsv").stdout.splitlines()
    assert len(tsv) == len(lines) + 1 and len({line.count("\t") for line in tsv}) == 1


@pytest.mark.parametrize("name", COMMANDS)
def test_parquet_and_arrow_hold_the_same_rows(small_kg, name, tmp_path):
    pyarrow = pytest.importorskip("pyarrow")
    from pyarrow import feather, parquet

    words = COMMANDS[name]
    lines = [json.loads(line) for line in run(*words, "--kg", small_kg, "--format", "jsonl").stdout.splitlines()]
    for fmt, read in (("parquet", parquet.read_table), ("arrow", feather.read_table)):
        raw = run(*words, "--kg", small_kg, "--format", fmt).stdout_bytes
        found: pyarrow.Table = read(pyarrow.BufferReader(raw))
        assert found.to_pylist() == lines, fmt


def test_no_rows_are_a_file_with_columns(small_kg):
    words = ("sparql", "SELECT ?none { ?none wdt:P19 wd:Q1 , wd:Q2 }", "--kg", small_kg)
    assert run(*words, "--format", "csv").stdout == "none\n"
    assert run(*words, "--format", "jsonl").stdout == ""
    assert run(*words, "--format", "parquet").stdout_bytes[:4] == b"PAR1"


def test_what_would_break_a_line_or_a_cell():
    assert as_csv(["a"], [['x,"y"\nz']]) == 'a\r\n"x,""y""\nz"\r\n'


def test_binary_rows_are_not_for_a_terminal(monkeypatch):
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    with pytest.raises(InputError, match="send it to a file"):
        print_rows("parquet", ["a"], [])


def test_identifiers_come_last(small_kg):
    facts = answer("facts", "Douglas Adams", "--kg", small_kg)
    properties = json.loads(run("info", "--properties", "--kg", small_kg, "--format", "json").stdout)["properties"]
    kinds = {one["id"]: one["datatype"] for one in properties}
    opaque = [kinds.get(one["predicate"]) in ("external-id", "url", "media") for one in facts]
    assert opaque == sorted(opaque) and any(opaque)
    assert [one["predicate"] for one in facts][0] in ("P31", "P106", "P21")
