"""Parts of the loaders, each asked by itself: rows, documents and edges into N-Triples, and what is said of a load."""

from __future__ import annotations

import gzip

import pytest

from kgstore.errors import InputError
from kgstore.loaders import kgtk
from kgstore.loaders.filters import Filters
from kgstore.loaders.mirror import Mirror, Part
from kgstore.loaders.protocol import Block, Skipped
from kgstore.loaders.sources import Source
from kgstore.loaders.summary import Event, Summary
from kgstore.loaders.summary import ignore as told_to_nobody
from kgstore.loaders.table_maker import LABEL, Maker
from kgstore.loaders.table_names import Names
from kgstore.loaders.values import BadValue
from kgstore.loaders.wikibase import Writer, predicates
from kgstore.profile import RDFS
from tests.test_store_parts import EX, TOWNS, Here


def maker() -> Maker:
    return Maker(EX, Names(), [], None, "en")


def test_a_row_of_a_table_of_triples_becomes_lines():
    made = maker()
    made.row("Ann Smith", "", [(made.column("born in"), "Rome"), (made.column("age"), "12")], ["Person"])
    made.rows += 1
    block = made.block(3, 99)
    assert b"Ann" in block.data and b"Rome" in block.data and block.entities == 1
    assert LABEL.encode() in block.data and block.triples == len(block.data.splitlines())
    with pytest.raises(BadValue, match="no subject"):
        made.row("", "", [], [])


def test_a_document_of_wikidata_becomes_direct_triples():
    writer, left = Writer(Filters()), []
    value = {"type": "wikibase-entityid", "value": {"entity-type": "item", "id": "Q2"}}
    snak = {"snaktype": "value", "property": "P1", "datatype": "wikibase-item", "datavalue": value}
    document = {
        "id": "Q1", "type": "item", "labels": {"en": {"language": "en", "value": "Ann"}},
        "claims": {"P1": [{"type": "statement", "id": "Q1$1", "rank": "normal", "mainsnak": snak}]},
    }  # fmt: skip
    written = writer.write(document, lambda *skipped: left.append(skipped))
    assert (written.id, written.kept, written.statements) == ("Q1", True, 1) and not left
    lines = writer.take().decode()
    assert f"<http://www.wikidata.org/entity/Q1> {predicates('P1').direct} " in lines and '"Ann"@en' in lines
    assert writer.take() == b""
    with pytest.raises(BadValue, match="no readable id"):
        writer.write({"id": "L1"}, lambda *skipped: None)


def test_edges_of_kgtk_are_read_and_bad_ones_named(tmp_path):
    path = tmp_path / "edges.tsv"
    path.write_text("id\tnode1\tlabel\tnode2\ne1\tQ1\tP1\tQ2\ne2\tQ1\tP2\t^never\n", encoding="utf-8")
    with Source(path) as source:
        found = list(kgtk.read(source, maker(), Filters()))
    [block] = [one for one in found if isinstance(one, Block)]
    [bad] = [one for one in found if isinstance(one, Skipped)]
    assert b"/prop/direct/P1>" in block.data and bad.line == 3 and bad.reason.startswith("row: ")


def test_a_load_says_what_it_did_and_left_out():
    whole, one = Summary(), Summary(entities=2, triples=5)
    for line in range(7):
        one.count("a.nt", Skipped(line, "line: no triple"))
    one.count("a.nt", Skipped(None, "filter: other language", count=3))
    whole.add(one)
    again = Summary.resumed(whole.counts())
    assert (again.entities, again.triples) == (2, 5) and whole.files == 1
    assert again.faults() == {"line: no triple": 7} and len(again.skipped["line: no triple"].where) == 5
    assert Event("read", triples=10, seconds=2.0).rate == 5.0 and told_to_nobody(Event("read")) is None


def test_a_mirror_keeps_what_arrived_and_asks_for_the_rest(tmp_path):
    here, told = Here(*TOWNS), []
    part = Part(entities=(EX + "ann",), hops=1)
    mirror = Mirror(here, RDFS, ("en",), tmp_path / "kept", 0, told.append)
    files = mirror.copy(part)
    lines = [line for file in files for line in gzip.decompress(file.read_bytes()).decode().splitlines()]
    assert {line.strip() for line in TOWNS[:3]} <= set(lines) and mirror.entities == 2 and told
    asked = here.asked
    assert Mirror(here, RDFS, ("en",), tmp_path / "kept", 0, told.append).copy(part) == files
    assert here.asked == asked, "all of it was there"
    with pytest.raises(InputError, match="another mirror"):
        Mirror(here, RDFS, ("en",), tmp_path / "kept", 0, told.append).copy(Part(entities=(EX + "bob",)))
    with pytest.raises(InputError, match="nothing at the endpoint"):
        Mirror(here, RDFS, ("en",), tmp_path / "other", 0, told.append).copy(Part(classes=(EX + "None",)))
