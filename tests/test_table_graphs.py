"""Tables that are graphs: nodes and edges, qualifiers of triples, and names that other tables or the KG explain."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import pyoxigraph as ox
import pytest

from kgstore.graph import Graph
from kgstore.loaders.filters import Filters
from kgstore.loaders.graph_names import GraphNames
from kgstore.loaders.headers import layout_of
from kgstore.loaders.protocol import Block, Skipped
from kgstore.loaders.table import TableLoader
from kgstore.loaders.table_names import names_of
from kgstore.model import Literal, NamedNode, Quantity, Time, Triple
from kgstore.prefixes import WELL_KNOWN
from kgstore.profile import RDFS

BASE = "urn:kgstore:kg/"
RDFS_LABEL = NamedNode(WELL_KNOWN["rdfs"] + "label")


def written(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def graph_of(*paths: Path, known: GraphNames | None = None) -> tuple[Graph, list[str]]:
    graph, skipped = Graph(profile=RDFS), []
    names = {path: names_of(path) for path in paths}
    for path in paths:
        beside = [one for other, one in names.items() if other != path]
        for item in TableLoader("kg", beside=beside, known=known).read(path, Filters()):
            if isinstance(item, Block):
                graph.bulk_load([item.data])
            elif isinstance(item, Skipped):
                skipped.append(item.reason)
    return graph, skipped


def facts(graph: Graph, subject: str, predicate: str) -> set[tuple[str, tuple[tuple[str, str], ...]]]:
    """Values with their qualifiers, by the last parts of their names."""
    return {
        (last(one.value), tuple((last(name), str(getattr(value, "value", value))) for name, value in one.qualifiers))
        for one in graph.statements(BASE + subject, predicate if ":" in predicate else BASE + predicate)
    }


def last(term) -> str:
    return str(getattr(term, "value", term)).rpartition("/")[2]


def labels(graph: Graph, subject: str) -> set[str]:
    return {triple.object.value for triple in graph.match(BASE + subject, RDFS_LABEL.value)}


@pytest.mark.parametrize(
    ("header", "roles", "columns"),
    [
        (":START_ID(Person),:TYPE,:END_ID(Firm),since:int", {"subject": 0, "predicate": 1, "object": 2}, [3]),
        ("source,target,type,weight", {"subject": 0, "object": 1, "predicate": 2}, [3]),
        ("subject,predicate,object,lang,note", {"subject": 0, "predicate": 1, "object": 2, "lang": 3}, [4]),
        ("personId:ID(Person),name,born:int,:LABEL", {}, [1, 2]),
        ("id,source,type", {}, [1, 2]),
    ],
)
def test_a_header_says_what_its_columns_are(header, roles, columns):
    layout = layout_of(header.split(","))
    assert layout.roles == roles and list(layout.columns) == columns


def test_a_property_graph_of_nodes_and_edges(tmp_path):
    nodes = written(
        tmp_path / "nodes.csv",
        "personId:ID(Person),name,born:int,skills:string[],active:boolean,:LABEL\n"
        "1,Ada Lovelace,1815,maths;poetry,false,Person;Author\n2,Charles Babbage,1791,,,Person\n",
    )
    firms = written(tmp_path / "firms.csv", "firmId:ID(Firm),name,:LABEL\n1,Engines Ltd,Firm\n")
    edges = written(
        tmp_path / "edges.csv",
        ":START_ID(Person),:END_ID(Firm),:TYPE,from,until,role\n1,1,WORKS_FOR,1840-05-01,1843,analyst\n2,1,WORKS_FOR,,,\n",
    )
    graph, skipped = graph_of(nodes, firms, edges)
    assert not skipped
    assert labels(graph, "Person%2F1") == {"Ada Lovelace"} and labels(graph, "Firm%2F1") == {"Engines Ltd"}
    assert facts(graph, "Person%2F1", WELL_KNOWN["rdf"] + "type") == {("Person", ()), ("Author", ())}
    assert facts(graph, "Person%2F1", "skills") == {("maths", ()), ("poetry", ())}
    (born,) = graph.statements(BASE + "Person%2F1", BASE + "born")
    assert isinstance(born.value, Time) and born.value.precision == 9
    (works,) = graph.statements(BASE + "Person%2F1", BASE + "WORKS_FOR")
    assert last(works.value) == "Firm%2F1" and labels(graph, "WORKS_FOR") == {"works for"}
    said = {last(name): str(value) for name, value in works.qualifiers}
    assert said.keys() == {"startDate", "endDate", "role"} and "1840-05-01" in said["startDate"]
    assert facts(graph, "Person%2F2", "WORKS_FOR") == {("Firm%2F1", ())}


def test_edges_alone_name_their_ends(tmp_path):
    edges = written(tmp_path / "edges.csv", "source,target,type\nAda,Charles,knows\n")
    graph, _ = graph_of(edges)
    assert facts(graph, "Ada", "knows") == {("Charles", ())} and labels(graph, "Charles") == {"Charles"}


def test_one_triple_with_two_sets_of_qualifiers_is_two_statements(tmp_path):
    graph, _ = graph_of(
        written(tmp_path / "a.csv", "s,p,o,since,until\nAda,member of,Club,1830,1832\nAda,member of,Club,1840,\n")
    )
    found = graph.statements(BASE + "Ada", BASE + "member_of")
    assert sorted(len(one.qualifiers) for one in found) == [1, 2] and len({one.value for one in found}) == 1


def test_qualifiers_of_wikidata_triples_become_statements(tmp_path):
    path = written(tmp_path / "a.csv", "s,p,o,P580,note\nQ42,P69,Q691283,1971,x\n")
    items = list(TableLoader("kg").read(path, Filters()))
    graph = Graph()
    graph.bulk_load([item.data for item in items if isinstance(item, Block)])
    (statement,) = graph.statements(WELL_KNOWN["wd"] + "Q42", WELL_KNOWN["wd"] + "P69")
    assert statement.id is not None and [last(name) for name, _ in statement.qualifiers] == ["P580"]
    assert [item.reason for item in items if isinstance(item, Skipped)] == [
        "cell: a qualifier of a Wikidata statement needs a property id"
    ]


def test_names_are_shared_by_the_tables_of_a_load_whatever_their_order(tmp_path):
    people = written(tmp_path / "people.csv", "id,name,city\np1,Ada,London\n")
    places = written(tmp_path / "places.csv", "id,name\nc1,London\n")
    for order in ((people, places), (places, people)):
        graph, _ = graph_of(*order)
        assert facts(graph, "p1", "city") == {("c1", ())}


def test_a_cell_names_what_the_kg_holds_if_it_is_one_thing(tmp_path):
    graph = Graph(profile=RDFS)
    for iri, label, tag in (
        ("http://ex/london", "London", "en"),
        ("http://ex/a", "Springfield", ""),
        ("http://ex/b", "Springfield", "en"),
    ):
        graph.add([Triple(NamedNode(iri), RDFS_LABEL, Literal(label, language=tag or None))])
    kind = NamedNode(WELL_KNOWN["rdf"] + "type")
    graph.add([Triple(NamedNode("http://ex/owner"), kind, NamedNode(WELL_KNOWN["rdf"] + "Property"))])
    graph.add([Triple(NamedNode("http://ex/owner"), RDFS_LABEL, Literal("owner", language="en"))])
    path = written(tmp_path / "a.csv", "id,city,home,role\np1,London,Springfield,owner\n")
    found, _ = graph_of(path, known=GraphNames(graph, ("en",)))
    assert facts(found, "p1", "city") == {("london", ())}
    assert facts(found, "p1", "home") == {("Springfield", ())} and facts(found, "p1", "role") == {("owner", ())}
    (city,) = found.statements(BASE + "p1", BASE + "city")
    assert city.value == NamedNode("http://ex/london")


def test_a_number_is_an_id_only_where_the_header_says_so(tmp_path):
    graph, _ = graph_of(written(tmp_path / "a.csv", "id,name,age,boss@entity\n36,Ada,41,41\n41,Eve,36,\n"))
    (age,) = graph.statements(BASE + "36", BASE + "age")
    (boss,) = graph.statements(BASE + "36", BASE + "boss")
    assert not isinstance(age.value, NamedNode) and boss.value == NamedNode(BASE + "41")


def test_edges_need_the_kind_of_edge(tmp_path):
    graph, _ = graph_of(written(tmp_path / "a.csv", ":START_ID,:END_ID,weight\na,b,1\n"))
    (weight,) = graph.statements(BASE + "a", BASE + "weight")
    assert weight.value == Quantity(Decimal(1))


def test_turtle_and_table_write_the_same_reification(tmp_path):
    path = written(tmp_path / "a.csv", "s,p,o,role\nAda,works for,Engines,analyst\n")
    (block,) = (item for item in TableLoader("kg").read(path, Filters()) if isinstance(item, Block))
    predicates = {last(quad.predicate) for quad in ox.parse(block.data, format=ox.RdfFormat.N_TRIPLES)}
    assert {"22-rdf-syntax-ns#subject", "22-rdf-syntax-ns#predicate", "22-rdf-syntax-ns#object"} <= predicates


def test_a_name_is_said_once(tmp_path):
    path = written(tmp_path / "a.csv", "id,dept@entity,type\n" + "".join(f"p{n},Sales,clerk\n" for n in range(9)))
    (block,) = (item for item in TableLoader("kg").read(path, Filters()) if isinstance(item, Block))
    assert block.data.count(b'"Sales"@en') == block.data.count(b'"clerk"@en') == 1
