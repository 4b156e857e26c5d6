"""CSV and TSV tables become triples by the rules at the top of `kgstore.loaders.table`."""

from __future__ import annotations

import pyoxigraph as ox
import pytest

from kgstore.errors import LoadError
from kgstore.loaders.filters import Filters
from kgstore.loaders.protocol import Block, Skipped
from kgstore.loaders.rows import rows
from kgstore.loaders.sources import Source
from kgstore.loaders.table import TableLoader
from kgstore.prefixes import WELL_KNOWN

BASE = "urn:kgstore:my_kg/"
SHORT = {BASE: "", **{WELL_KNOWN[name]: f"{name}:" for name in ("wd", "wdt", "rdf", "rdfs", "skos", "schema", "xsd")}}


@pytest.fixture
def read(tmp_path):
    def load(
        text: str, name: str = "a.csv", **filters
    ) -> tuple[set[tuple[str, str, str]], list[tuple[int | None, str]]]:
        path = tmp_path / name
        path.write_text(text, encoding="utf-8", newline="")
        items = list(TableLoader("my kg").read(path, Filters(**filters)))
        data = b"".join(item.data for item in items if isinstance(item, Block))
        found = {
            (shown(triple.subject), shown(triple.predicate), shown(triple.object))
            for triple in (quad.triple for quad in ox.parse(data, format=ox.RdfFormat.N_TRIPLES))
        }
        return found, [(item.line, item.reason) for item in items if isinstance(item, Skipped)]

    return load


def shown(term) -> str:
    if isinstance(term, ox.Literal):
        kind = shown(term.datatype).removeprefix("xsd:")
        return term.value + (f"@{term.language}" if term.language else "" if kind == "string" else f" {kind}")
    prefix = max((one for one in SHORT if term.value.startswith(one)), key=len, default="")
    return SHORT.get(prefix, "") + term.value[len(prefix) :]


@pytest.mark.parametrize("header", ["subject,predicate,object", "s;p;o", "Head\tRelation\tTail", "tail|relation|head"])
def test_a_table_of_triples_has_one_fact_a_row(read, header):
    separator = next(one for one in ",;\t|" if one in header)
    cells = ["Ada", "born in", "London"]
    other = ["London", "founded", "47"]
    if header.startswith("tail"):
        cells, other = cells[::-1], other[::-1]
    found, skipped = read("\n".join([header, separator.join(cells), separator.join(other)]))
    assert {
        ("Ada", "born_in", "London"),
        ("Ada", "rdfs:label", "Ada@en"),
        ("born_in", "rdfs:label", "born in@en"),
        ("London", "founded", "47 integer"),
    } <= found
    assert not skipped


def test_columns_may_say_what_an_object_is(read):
    found, _ = read(
        "subject,predicate,object,object_type,datatype,lang\n"
        "Ada,likes,Maths,entity,,\nAda,code,007,,,\nAda,born,1815-12-10,date,,\nAda,height,1.65,,decimal,\n"
        "Ada,motto,Denken,,,de\nAda,age,36,,xsd:byte,\nAda,room,12,string,,\n"
    )
    assert {
        ("Ada", "likes", "Maths"),
        ("Maths", "rdfs:label", "Maths@en"),
        ("Ada", "code", "007"),
        ("Ada", "born", "1815-12-10 date"),
        ("Ada", "height", "1.65 decimal"),
        ("Ada", "motto", "Denken@de"),
        ("Ada", "age", "36 byte"),
        ("Ada", "room", "12"),
    } <= found


def test_a_table_with_one_row_per_thing(read):
    found, skipped = read(
        "id,name,type,description@de,aliases,born,employer,city@entity,height:number,phone:string,site\n"
        'e1,Ada Lovelace,Person,Pionierin,Augusta|Countess,1815-12-10,Engines Ltd,London,"1,650",123,http://ex/a b\n'
        "e2,Engines Ltd,Company,,,1812,,London,,,http://ex/e\n"
    )
    assert {
        ("e1", "rdfs:label", "Ada Lovelace@en"),
        ("e1", "rdf:type", "Person"),
        ("Person", "rdfs:label", "Person@en"),
        ("e1", "schema:description", "Pionierin@de"),
        ("e1", "skos:altLabel", "Augusta@en"),
        ("e1", "skos:altLabel", "Countess@en"),
        ("e1", "born", "1815-12-10 date"),
        ("e2", "born", "1812 gYear"),
        ("e1", "employer", "e2"),
        ("e1", "city", "London"),
        ("London", "rdfs:label", "London@en"),
        ("e1", "height", "1650 integer"),
        ("e1", "phone", "123"),
        ("e2", "site", "http://ex/e"),
        ("city", "rdfs:label", "city@en"),
        ("city", "rdf:type", "rdf:Property"),
    } <= found
    assert not any(predicate == "id" for _, predicate, _ in found)
    assert skipped == []
    assert ("e1", "site", "http://ex/a b") in found  # no IRI: kept as a string


def test_without_an_id_the_first_column_names_the_thing(read):
    found, _ = read("name,capital\nFrance,Paris\nParis,\n")
    assert {("France", "capital", "Paris"), ("France", "rdfs:label", "France@en")} <= found


def test_a_name_that_two_rows_bear_links_to_neither(read):
    found, _ = read("id,name,twin of\na,Bob,\nb,Bob,\nc,Eve,Bob\n")
    assert ("c", "twin_of", "Bob") in found and not {("c", "twin_of", "a"), ("c", "twin_of", "b")} & found
    assert not [triple for triple in found if triple[0] == "Bob"]


def test_wikidata_ids_become_wikidata_triples(read):
    found, _ = read("subject,predicate,object\nQ42,P31,Q5\nQ42,P569,1952-03-11\nQ42,label,Douglas Adams\n")
    assert found == {
        ("wd:Q42", "wdt:P31", "wd:Q5"),
        ("wd:Q42", "wdt:P569", "1952-03-11T00:00:00Z dateTime"),
        ("wd:Q42", "rdfs:label", "Douglas Adams@en"),
    }
    mixed, _ = read("subject,predicate,object\nQ42,model of,Q5\nBox,P31,Q5\n")
    assert not any("wd:" in word for triple in mixed for word in triple)


@pytest.mark.parametrize(
    ("cell", "expected"),
    [
        ("1,65", None),
        ("4,400,000", "4400000 integer"),
        ("4 400", "4400 integer"),
        ("1e3", "1e3 double"),
        ("abc", None),
        ("-3", "-3 integer"),
        ("44,00", None),
    ],
)
def test_a_number_is_never_guessed_wrong(read, cell, expected):
    found, skipped = read(f'id,size:number\na,"{cell}"\n')
    assert [value for _, predicate, value in found if predicate == "size"] == ([expected] if expected else [])
    assert skipped == ([] if expected else [(2, "cell: no such number")])


@pytest.mark.parametrize(
    ("cell", "expected"),
    [
        ("2019-02-30", "2019-02-30"),
        ("2019-02", "2019-02 gYearMonth"),
        ("1917", "1917 integer"),
        ("-5", "-5 integer"),
        ("01234", "01234"),
        ("2020-01-01T10:00:00Z", "2020-01-01T10:00:00Z dateTime"),
        ("12-34", "12-34"),
        ("1e-3", "1e-3 double"),
    ],
)
def test_a_cell_of_no_told_kind_is_what_it_looks_like(read, cell, expected):
    found, _ = read(f"id,value\na,{cell}\n")
    assert [value for _, predicate, value in found if predicate == "value"] == [expected]


def test_bad_rows_are_counted_and_an_open_quote_costs_one_line(read):
    found, skipped = read(
        '\ufeffid,note\r\na,"two\r\nlines"\r\nb\r\nc,1,2\r\n,,\r\n\r\nd,"open\r\ne,x\0\r\nf,a"b\r\ng,"q"x\r\nh,ok\r\n'
    )
    assert {(subject, value) for subject, predicate, value in found if predicate == "note"} == {
        ("a", "two\nlines"),
        ("h", "ok"),
    }
    assert [line for line, _ in skipped] == [4, 5, 6, 7, 8, 9, 10, 11]


def test_an_open_quote_does_not_swallow_a_large_file(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text('id,note\na,"open\n' + "b,c\n" * 50_000)
    with Source(path) as source:
        found = list(rows(source))
    assert len(found) == 50_002 and found[1] == Skipped(2, "row: quote is not closed", 'a,"open')


def test_rows_that_are_not_utf8_are_counted(tmp_path):
    path = tmp_path / "a.csv"
    path.write_bytes(b"id,note\na,\xe9\nb,\xc3\xa9\n")
    with Source(path) as source:
        assert list(rows(source)) == [(1, ["id", "note"]), Skipped(2, "row: not UTF-8"), (3, ["b", "é"])]


def test_names_stay_apart_as_iris(read):
    found, _ = read("s,p,o\nZoë Müller,a/b,東京\n")
    subjects = {subject for subject, predicate, _ in found if predicate == "a%2Fb"}
    assert subjects == {"Zoë_Müller"}


def test_a_limit_counts_rows(read):
    found, _ = read("id,note\n" + "".join(f"r{at},x\n" for at in range(20)), limit=7)
    assert len({subject for subject, predicate, _ in found if predicate == "note"}) == 7


@pytest.mark.parametrize("data", [b"\n\n", "id,a\n".encode("utf-16")])
def test_a_file_without_a_readable_header_is_refused(tmp_path, data):
    (tmp_path / "a.csv").write_bytes(data)
    with pytest.raises(LoadError):
        list(TableLoader().read(tmp_path / "a.csv", Filters()))


def test_standard_input_is_refused(monkeypatch):
    import io
    import sys

    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"id,a\nb,c\n")))
    with pytest.raises(LoadError, match="read twice"):
        list(TableLoader().read("-", Filters()))
