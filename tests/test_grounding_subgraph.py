"""Subgraphs: the paper's scoring example, paths, expansion, and the two kinds of graphs they come from."""

from __future__ import annotations

import gzip

import pytest

from kgstore.errors import InputError, LoadError
from kgstore.store import Store
from kgstore.verifier.grounding.knowledge import Triple, TripleList, read_triples
from kgstore.verifier.grounding.store_graph import StoreGraph
from kgstore.verifier.grounding.subgraph import prepare, score, with_path

FILMS = [
    ("Titanic", "hasGenre", "Romance"),
    ("Titanic", "directedBy", "James_Cameron"),
    ("Romance", "isGenreOf", "Notebook"),
    ("James_Cameron", "nationality", "American"),
]
WD = "http://www.wikidata.org/entity/"


@pytest.mark.parametrize(("triple", "expected"), list(zip(FILMS, (5, 5, 2, 0), strict=True)), ids=str)
def test_scores_of_the_papers_example(triple, expected):
    assert score(Triple(*triple), {"Titanic", "Romance"}, {"Titanic"}, {"Romance"}) == expected


def test_paths_come_first_then_what_scores_best_then_from_the_start_again():
    found = prepare(TripleList(FILMS), ["Titanic"], ["Romance"], k=7)
    assert [triple.relation for triple in found.triples] == ["hasGenre", "directedBy", "isGenreOf"] * 2 + ["hasGenre"]
    assert found.path == (True, False, False, True, False, False, True)
    assert found.scores[:3] == (5, 5, 2)


def test_paths_are_never_cut():
    starred = [("Film", "starred", f"Actor {n}") for n in range(6)]
    found = prepare(TripleList(starred), ["Film"], [f"Actor {n}" for n in range(6)], k=3)
    assert len(found.triples) == 6 and all(found.path)


def test_all_shortest_paths_are_found_in_any_direction_up_to_three_steps():
    edges = ["a r b", "c r b", "a s d", "c s d", "c t e", "e t f"]
    graph = TripleList(tuple(edge.split()) for edge in edges)
    assert {" ".join(one) for one in graph.shortest("a", "c")} == set(edges[:4])
    assert [one.tail for one in graph.shortest("b", "f")] == ["b", "e", "f"]
    assert graph.shortest("a", "f") == []
    assert graph.shortest("a", "a") == []


def test_without_an_answer_there_is_no_path():
    found = prepare(TripleList(FILMS), ["Titanic"], [], k=2)
    assert found.path == (False, False) and len(found.triples) == 2
    named = with_path(found, ["Titanic"], ["James_Cameron"])
    assert named.triples == found.triples and named.path == (False, True)


def test_nothing_known_gives_nothing():
    assert prepare(TripleList(FILMS), ["Jaws"], ["Romance"]).triples == ()


def test_the_longest_names_in_a_question_are_linked():
    graph = TripleList([("The Big House", "is", "film"), ("House", "is", "film"), ("Big", "is", "film")])
    assert graph.linked("who made the big house") == ["The Big House"]
    assert graph.linked("is House like Big") == ["House", "Big"]


def test_a_name_in_the_questions_case_goes_before_others():
    graph = TripleList([("mother", "is", "tag"), ("Mother", "is", "film")])
    assert graph.linked("who directed Mother") == ["Mother"]


def test_files_of_triples_may_have_tabs_or_be_gzipped(tmp_path):
    (tmp_path / "kb.txt").write_text("Ada|born_in|London\n\n", encoding="utf-8")
    (tmp_path / "kb.tsv.gz").write_bytes(gzip.compress(b"Ada\tborn_in\tLondon\n"))
    for name in ("kb.txt", "kb.tsv.gz"):
        assert read_triples(tmp_path / name).touching("London") == [("Ada", "born_in", "London")]


def test_a_line_without_three_parts_is_named(tmp_path):
    (tmp_path / "kb.txt").write_text("Ada|born_in|London\nAda|London\n", encoding="utf-8")
    with pytest.raises(InputError, match="line 2"):
        read_triples(tmp_path / "kb.txt")
    with pytest.raises(LoadError):
        read_triples(tmp_path / "none.txt")


@pytest.fixture
def graph(small_kg):
    with Store(small_kg) as store:
        yield StoreGraph(store)


def test_a_kg_links_questions_and_finds_paths_to_entities_and_dates(graph):
    asked = graph.linked("Where was Douglas Adams born?")
    assert asked == [WD + "Q42"]
    place = prepare(graph, asked, graph.nodes("Cambridge"))
    assert ("Douglas Adams", "place of birth", "Cambridge") in {graph.words(one) for one in place.triples[:4]}
    day = prepare(graph, asked, graph.nodes("11 May 2001"))
    assert graph.words(day.triples[0]) == ("Douglas Adams", "date of death", "11 May 2001")
    assert day.path[0] and len(day.triples) == 20


def test_of_a_kg_relations_that_fit_the_question_come_first_and_nameless_things_not_at_all(graph):
    question = "Where was Douglas Adams born?"
    found = prepare(graph, graph.linked(question), [], relevance=graph.relevance(question))
    words = [graph.words(one) for one in found.triples]
    assert ("Douglas Adams", "place of birth", "Cambridge") in words[:4]
    assert not [tail for _, _, tail in words if tail.startswith("Q") and tail[1:].isdigit()]


def test_a_kg_finds_paths_of_several_steps(graph):
    [city] = [node for node in graph.nodes("Cambridge") if node.startswith(WD)][:1]
    country = WD + "Q145"
    way = graph.shortest(WD + "Q42", country)
    assert way and all(country in (one.head, one.tail) or one.head.startswith(WD) for one in way)
    assert graph.shortest(WD + "Q42", city)[0].head == WD + "Q42"
