"""Parts of the store that others are built of, each asked by itself: no KG is loaded for them."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pyoxigraph as ox
import pytest

from kgstore import ledger
from kgstore.catalog import Catalog, Property
from kgstore.catalog_search import similar, starting
from kgstore.constraints import conflicts_of, disjoint_of
from kgstore.derive import Earlier, derive, ignore
from kgstore.diff import ADDED, REMOVED, changed_lines, changed_statements
from kgstore.duck import connect
from kgstore.errors import InputError, StoreNotFound
from kgstore.graph import Graph
from kgstore.model import Literal, NamedNode, Triple
from kgstore.naming import as_iri, resolve_property
from kgstore.opening import open_kg
from kgstore.prefixes import WELL_KNOWN
from kgstore.profile import RDFS, Profile
from kgstore.remote.counted import Behaviour, folder_of
from kgstore.remote.entities import Entities, about
from kgstore.remote.paths import Paths
from kgstore.shapes import violations
from kgstore.sources import SourceFile, blocks
from kgstore.statements import reader
from kgstore.store import Store
from kgstore.supersede import parted

EX, WD = "http://ex/", WELL_KNOWN["wd"]
LABEL = RDFS.label[0]
TOWNS = f"""
<{EX}ann> <{LABEL}> "Ann Smith" .
<{EX}rome> <{LABEL}> "Rome" .
<{EX}ann> <{EX}bornIn> <{EX}rome> .
<{EX}bob> <{EX}livesIn> <{EX}rome> .
""".strip().splitlines(keepends=True)


def graph_of(*lines: str, path: Path | None = None) -> Graph:
    graph = Graph(path, profile=RDFS)
    graph.bulk_load([line.encode() for line in lines])
    return graph


def triple(subject: str, predicate: str, value: str) -> Triple:
    return Triple(NamedNode(EX + subject), NamedNode(EX + predicate), NamedNode(EX + value))


def test_names_begin_so_or_differ_by_a_slip(tmp_path):
    with connect(tmp_path / "names.duckdb", tmp_path) as db:
        db.execute("CREATE TABLE entity (id INT, iri TEXT)")
        db.execute("CREATE TABLE name (entity INT, fold TEXT, name TEXT, kind TEXT, lang TEXT, prior DOUBLE)")
        for number, name in enumerate(("Cambridge", "Camden Town", "Ann Cambridge", "Rome")):
            db.execute("INSERT INTO entity VALUES (?, ?)", [number, EX + name])
            db.execute("INSERT INTO name VALUES (?, ?, ?, 'label', 'en', 0.5)", [number, name.lower(), name])
        assert [hit.name for hit in starting(db, "cam", 5)] == ["Cambridge", "Camden Town"]
        assert [hit.name for hit in similar(db, "cambrigde", 5)] == ["Cambridge", "Ann Cambridge"]
        assert similar(db, "zork", 5) == []


def test_constraints_exclude_values_but_for_their_exceptions():
    qualifier = "http://www.wikidata.org/prop/qualifier/"
    said = {"P2306": "P40", "P2305": "Q5", "P2303": "Q9"}
    rows = [{"st": "s", "p": "P31", "q": qualifier + name, "what": what} for name, what in said.items()]
    assert conflicts_of(rows) == {("P40", "Q5"): [("P31", frozenset({"Q9"}))]}
    assert disjoint_of([triple("Cat", "p", "Dog")]) == {EX + "Cat": {EX + "Dog"}, EX + "Dog": {EX + "Cat"}}


def test_catalog_and_topology_follow_from_the_graph(tmp_path):
    told: list[str] = []
    graph = graph_of(*TOWNS, path=tmp_path / "graph")
    counts, model = derive(graph, RDFS, tmp_path, ("en",), False, told.append, earlier=Earlier())
    assert counts["entities"] == 3 and model
    assert told[0] == "building the catalog" and not (tmp_path / "graph.copy").exists()
    with Catalog(tmp_path / "catalog.duckdb") as catalog:
        assert catalog.entity(EX + "rome").label == "Rome"
    assert ignore("nobody listens") is None


def test_two_states_differ_in_lines_and_in_statements():
    before, after = Store(), Store()
    before.add([triple("a", "p", "b"), triple("a", "q", "c")], source="one")
    after.add([triple("a", "p", "b"), triple("a", "q", "d")], source="two")
    lines = [(sign, line.split()[2]) for sign, line in changed_lines(before.graph, after.graph)]
    assert lines == [(REMOVED, f"<{EX}c>".encode()), (ADDED, f"<{EX}d>".encode())]
    counts: Counter[str] = Counter()
    found = [(sign, one.value) for sign, one in changed_statements(before, after, counts)]
    assert found == [(REMOVED, NamedNode(EX + "c")), (ADDED, NamedNode(EX + "d"))]
    assert counts == {"triples +": 1, "triples -": 1}


def test_statements_are_read_from_bare_quads():
    quads = ox.Store()
    for one in (triple("a", "p", "b"), Triple(NamedNode(EX + "a"), NamedNode(LABEL), Literal("A"))):
        quads.add(ox.Quad(one.subject, one.predicate, one.object))
    plain = reader(quads, RDFS)
    [only] = plain.of(EX + "a", None, False)
    assert (only.predicate, only.value) == (NamedNode(EX + "p"), NamedNode(EX + "b")), "a label is no statement"
    assert plain.to(EX + "b", EX + "p", 5) == [only]


def test_what_a_newer_source_describes_goes_out_of_the_older_one(tmp_path):
    def source(name: str, *lines: str) -> Path:
        file = SourceFile(tmp_path / name)
        file.write("".join(lines).encode())
        file.mark()
        file.close()
        return tmp_path / name

    statement, value = f"<{WELL_KNOWN['wds']}1>", f"<{WELL_KNOWN['wdv']}1>"
    own = [f"<{WD}Q1> <p> {statement} .\n", f"{statement} <q> {value} .\n", f'{value} <r> "1" .\n']
    old = source("old", *own, f"<{WD}Q2> <p> {value} .\n")
    new = source("new", f'<{WD}Q1> <p> "2" .\n')
    (tmp_path / "parts").mkdir()
    one = parted([old], [new], tmp_path / "parts")[old]
    assert (one.went, one.left) == (2, 2), "the value is shared with Q2 and stays"
    assert b"".join(blocks(one.gone)).decode() == "".join(own[:2])


def test_a_property_goes_by_its_id_or_by_a_name_that_no_other_has():
    class Known:
        profile = Profile("plain")

        def properties(self) -> dict[str, Property]:
            named = {"worksFor": "works for", "employs": "works for", "bornIn": "born in"}
            return {EX + name: Property(EX + name, label) for name, label in named.items()}

    assert as_iri("<no iri>") is None and as_iri(EX + "bornIn") == EX + "bornIn"
    assert resolve_property(Known(), "bornIn").iri == EX + "bornIn"
    with pytest.raises(InputError, match="2 properties are called"):
        resolve_property(Known(), "works for")
    with pytest.raises(InputError, match="nothing in the KG has the property"):
        resolve_property(Known(), EX + "other")


def test_what_is_no_kg_is_not_opened(tmp_path):
    with pytest.raises(StoreNotFound):
        open_kg(tmp_path / "none.kg")
    with pytest.raises(InputError):
        open_kg(Path("sparql+http://"))


def test_rules_of_a_domain_are_checked_on_the_graph(tmp_path):
    pytest.importorskip("pyshacl")
    store, rules = Store(), tmp_path / "rules.ttl"
    store.add([triple("ann", "bornIn", "rome"), triple("ann", "bornIn", "oslo")], source="tests")
    rules.write_text(
        "@prefix sh: <http://www.w3.org/ns/shacl#> . @prefix ex: <http://ex/> . ex:S a sh:NodeShape ; "
        "sh:targetSubjectsOf ex:bornIn ; sh:property [ sh:path ex:bornIn ; sh:maxCount 1 ] ."
    )
    [one] = violations(store, rules)
    assert (one.focus, one.path, one.rule) == (EX + "ann", EX + "bornIn", "MaxCount")
    with pytest.raises(InputError, match="in no format"):
        violations(store, tmp_path / "rules.json")


def test_a_record_of_the_ledger_can_be_counted_anew():
    graph = graph_of(*TOWNS)
    ledger.write(graph, {"name": "a", "sha256": "0", "counts": {"triples": 4}})
    ledger.recount(graph, next(iter(ledger.numbered(graph))), 3)
    assert ledger.read(graph)[0]["counts"] == {"triples": 3}


# -- a graph behind a server, which here is one in this process --------------------------------------------------------


class Here:
    """Answers queries from a graph of ours as an endpoint does, and counts them."""

    url = "http://here/"

    def __init__(self, *lines: str) -> None:
        self.graph, self.asked = graph_of(*lines), 0

    def select(self, query: str) -> list[dict[str, object]]:
        self.asked += 1
        found = self.graph.solutions(query)
        names = [one.value for one in found.variables]
        return [{name: row[name] for name in names if row[name] is not None} for row in found]


def test_entities_of_a_server_come_together_and_once():
    here = Here(*TOWNS)
    entities = Entities(here, RDFS, ("en",))
    assert len(about([EX + "ann"], RDFS, ("en", ""))) == 2
    assert {one.predicate.value for one in entities.matches(EX + "ann", EX + "bornIn")} == {EX + "bornIn"}
    asked = here.asked
    entities.fetch((EX + "ann",))
    assert here.asked == asked and EX + "ann" in entities.whole


def test_ways_between_entities_of_a_server():
    here = Here(*TOWNS)
    properties = [EX + "bornIn", EX + "livesIn"]
    paths = Paths(Entities(here, RDFS, ("en",)), properties, dict.fromkeys(properties, 1))
    [[direct]] = paths.between([EX + "ann"], [EX + "rome"], 1, 4)
    assert direct.property == EX + "bornIn"
    [way] = paths.between([EX + "ann"], [EX + "bob"], 2, 4)
    assert [one.property for one in way] == properties
    with pytest.raises(ValueError, match="max_hops"):
        paths.between([EX + "ann"], [EX + "bob"], 9, 4)


def test_what_was_counted_of_a_server_has_a_name_and_an_age():
    counted = Behaviour(RDFS, {"p": 2, "q": 3}, {}, {}, "2020-01-01T00:00:00+00:00")
    assert counted.triples == 5 and counted.age_days > 365
    assert counted.fingerprint != Behaviour(RDFS, {"p": 2, "q": 4}, {}, {}, counted.made).fingerprint
    assert folder_of("http://a/") != folder_of("http://b/")
