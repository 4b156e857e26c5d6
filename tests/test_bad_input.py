"""A malformed file is skipped in part and counted, or refused in one clear line; never a crash or a silent loss."""

from __future__ import annotations

import gzip
import resource
import tracemalloc
from collections import Counter
from pathlib import Path

import pytest

from kgstore.errors import LoadError
from kgstore.graph import Graph
from kgstore.loaders.filters import Filters
from kgstore.loaders.formats import Setting, format_of, loader_for
from kgstore.loaders.protocol import Block
from kgstore.model import Rank, Special

BAD = Path(__file__).parent / "resources" / "bad"
WD = "http://www.wikidata.org/entity/"


def load(path: Path) -> tuple[Graph, int, Counter[str], list[int | None]]:
    """A graph in memory, how many entities (rows), what was skipped by its first word, and on which lines."""
    graph, entities, skipped, lines = Graph(), 0, Counter(), []

    def blocks():
        nonlocal entities
        for item in loader_for(format_of(path), Setting(jobs=1)).read(path, Filters()):
            if isinstance(item, Block):
                entities += item.entities
                yield item.data
            else:
                skipped[item.reason] += item.count
                lines.append(item.line)

    graph.bulk_load(blocks())
    return graph, entities, skipped, lines


@pytest.mark.parametrize(
    ("name", "entities", "skipped", "lines"),
    [
        ("cut_line.json", 19, {"line: not JSON": 1}, [11]),
        ("invalid_utf8.json", 19, {"line: not UTF-8": 1}, [6]),
        ("huge_string.json.gz", 11, {}, []),
        ("deep_nesting.json", 6, {"line: nested too deep": 1}, [5]),
        ("no_labels.json", 4, {}, []),
        (
            "wrong_datatypes.json",
            3,
            {
                "statement: value does not fit its datatype": 2,
                "statement: amount is no number": 1,
                "statement: value is missing": 1,
                "statement: property id is not readable": 1,
                "statement: datatype is unknown": 1,
            },
            [2] * 6,
        ),
        ("somevalue_novalue.json", 1, {}, []),
        (
            "extreme_values.json",
            1,
            {
                "statement: there is no year 0": 1,
                "statement: there is no such day": 2,
                "statement: time is not readable": 1,
                "statement: coordinate lies off the globe": 2,
            },
            [2] * 6,
        ),
        ("duplicate_entity.json", 4, {"duplicate entity: merged with the one before": 1}, [None]),
        ("not_an_array.json", 5, {}, []),
        ("only_brackets.json", 0, {}, []),
        ("bom_crlf.json", 5, {}, []),
        (
            "zip_bomb.json.gz",
            0,
            {"line: not JSON": 1, "file: its array is not closed, it may have been cut": 1},
            [2, None],
        ),
    ],
)
def test_what_can_be_read_is_read_and_the_rest_counted(name, entities, skipped, lines):
    _, found, reasons, where = load(BAD / name)
    assert (found, reasons, where) == (entities, skipped, lines)


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("truncated.json.gz", "ends early"),
        ("empty.json.gz", "the file is empty"),
        ("not_gzip.json.gz", "no gzip file"),
        ("syntax_error.ttl", "line 277"),
        ("entity_expansion.rdf", "entities that may expand"),
        ("external_entity.rdf", "external entity"),
    ],
)
def test_what_cannot_be_read_is_refused_by_name(name, why):
    with pytest.raises(LoadError) as caught:
        load(BAD / name)
    assert name in str(caught.value) and why in str(caught.value) and "\n" not in str(caught.value)


def test_a_wrong_checksum_is_refused(tmp_path):
    packed = bytearray(gzip.compress((BAD / "cut_line.json").read_bytes()))
    packed[-8] ^= 255
    (tmp_path / "crc.json.gz").write_bytes(packed)
    with pytest.raises(LoadError, match=r"crc\.json\.gz: the compressed data is damaged: CRC check failed"):
        load(tmp_path / "crc.json.gz")


def test_a_bomb_stays_small():
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    tracemalloc.start()
    load(BAD / "zip_bomb.json.gz")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 60 << 20
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 200 << 10


@pytest.mark.parametrize(
    "line", [b"[" * 100_000, b"[{" * 100_000, b"]" * 100_000, b"}]" * 100_000, b'{"id":' * 100_000]
)
def test_brackets_without_end_cost_their_line_alone(tmp_path, line):
    path = tmp_path / "dump.json"
    path.write_bytes(b'[\n{"id": "Q1"},\n' + line + b',\n{"id": "Q2"}\n]\n')
    _, entities, _, lines = load(path)
    assert (entities, lines) == (2, [3])


def test_entities_expand_to_nothing():
    tracemalloc.start()
    with pytest.raises(LoadError):
        load(BAD / "entity_expansion.rdf")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 5 << 20


def test_the_good_lines_between_bad_iris_are_kept():
    graph, _, _, lines = load(BAD / "bad_iris.nt")
    assert len(graph) == 5
    assert lines == [3, 4, 5, 6, 8, 9, 10, 11, 12]


def test_the_good_rows_of_a_ragged_table_are_kept():
    graph, rows, _, lines = load(BAD / "ragged.csv")
    assert (rows, len(graph), lines) == (3, 3, [3, 4, 6, 8, 9, 10, 11])


def test_the_old_form_of_an_entity_id_is_read():
    graph, *_ = load(BAD / "wrong_datatypes.json")
    assert [one.value.value for one in graph.statements(WD + "Q900000007")] == [WD + "Q5"]


def test_both_documents_of_an_entity_are_merged():
    graph, *_ = load(BAD / "duplicate_entity.json")
    labels = {triple.object.value for triple in graph.match(WD + "Q15", "http://www.w3.org/2000/01/rdf-schema#label")}
    assert len(labels) == 2 and len(graph.statements(WD + "Q15")) > 10


def test_unknown_values_and_ranks_come_out_as_they_went_in():
    graph, *_ = load(BAD / "somevalue_novalue.json")
    found = {(one.predicate.value.removeprefix(WD), one.rank): one.value for one in graph.statements(WD + "Q900000008")}
    assert found["P570", Rank.NORMAL] is Special.SOME
    assert found["P40", Rank.NORMAL] is Special.NONE
    assert found["P19", Rank.DEPRECATED].value == WD + "Q90" and found["P19", Rank.PREFERRED].value == WD + "Q84"


def test_extreme_values_are_kept_exactly_or_not_at_all():
    graph, *_ = load(BAD / "extreme_values.json")
    values = [one.value for one in graph.statements(WD + "Q900000009")]
    times = {value.iso for value in values if hasattr(value, "iso")}
    assert {
        "+99999-00-00T00:00:00Z",
        "-0044-03-15T00:00:00Z",
        "+1994-00-00T00:00:00Z",
        "+999999999999999999999999-00-00T00:00:00Z",
    } < times
    amounts = {str(value.amount) for value in values if hasattr(value, "amount")}
    assert any(len(amount) > 390 and amount.strip("0") == "1" for amount in amounts) and len(values) == 12
