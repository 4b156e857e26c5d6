"""The comparison of KEA Explain: the paper's worked example, clustering, the kernel beside GraKeL, and the settings."""

from __future__ import annotations

import importlib.util
import math
import warnings
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kgstore.embedding import load_embedder
from kgstore.errors import InputError
from kgstore.verifier.kernel.clusters import _clusters, merged
from kgstore.verifier.kernel.compare import DEFAULT, PAPER, likeness, select
from kgstore.verifier.kernel.graphs import Shape, graph_of
from kgstore.verifier.kernel.label_similarity import Labels
from kgstore.verifier.kernel.memory import Memory
from kgstore.verifier.kernel.pairs import Action, Part, contradictory_pairs, contrast, edits
from kgstore.verifier.kernel.threshold import corrupted, mixture_threshold, null_threshold
from kgstore.verifier.kernel.wl import patterns, product, similarity

EURO = [("France", "capital", "Paris"), ("France", "currency", "Euro")]
FRANC = [("France", "capital", "Paris"), ("France", "currency", "Franc")]
GRAKEL = importlib.util.find_spec("grakel") is not None


@pytest.fixture(scope="module")
def embedder():
    return Memory(load_embedder())


# -- the kernel --------------------------------------------------------------------------------------------------------


def test_the_worked_example_of_the_paper():
    one, other = (graph_of(triples, Shape.RELATIONS) for triples in (EURO, FRANC))
    a, b = patterns((one, other), 2)
    shared = [sum(1 for pattern in a if pattern in b and pattern[0] == i) for i in range(3)]
    assert shared == [4, 3, 2]
    assert (product(a, b), product(a, a), product(b, b)) == (9, 15, 15)
    assert similarity(one, other, 2) == 0.6


def triples(labels: str = "abcd", relations: str = "rs"):
    names = st.sampled_from(labels)
    return st.lists(st.tuples(names, st.sampled_from(relations), names), min_size=1, max_size=8)


def grakel_similarity(one, other, iterations: int) -> float:
    """Of our own graphs, as GraKeL has it."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from grakel import Graph
        from grakel.kernels import WeisfeilerLehman

        graphs = [
            Graph(
                {i: {n: 1.0 for _, n in near} for i, near in enumerate(graph.near)},
                node_labels=dict(enumerate(graph.labels)),
            )
            for graph in (one, other)
        ]
        return float(WeisfeilerLehman(n_iter=iterations, normalize=True).fit_transform(graphs)[0, 1])


@pytest.mark.skipif(not GRAKEL, reason="GraKeL is the reference, and no part of the program")
@settings(max_examples=25, deadline=None)
@given(triples(), triples(), st.sampled_from([Shape.ENTITIES, Shape.RELATIONS]), st.integers(1, 5))
def test_the_kernel_is_that_of_grakel(first, second, shape, iterations):
    one, other = graph_of(first, shape), graph_of(second, shape)
    assert math.isclose(similarity(one, other, iterations), grakel_similarity(one, other, iterations), abs_tol=1e-9)


@pytest.mark.skipif(not GRAKEL, reason="GraKeL is not installed")
@pytest.mark.parametrize("name", ["ShortestPath", "PyramidMatch", "WeisfeilerLehman", "RandomWalkLabeled"])
def test_kernels_of_grakel_by_name(embedder, name):
    setting = replace(PAPER, kernel=name, shape=Shape.RELATIONS)
    same, other = (likeness(EURO, known, embedder, setting).score for known in (EURO, FRANC))
    assert math.isclose(same, 1.0) and 0.0 <= other < 1.0


@pytest.mark.skipif(not GRAKEL, reason="GraKeL is not installed")
@pytest.mark.parametrize(("name", "why"), [("Nothing", "has no kernel Nothing"), ("GraphHopper", "cannot compare")])
def test_a_kernel_that_does_not_fit_is_refused(embedder, name, why):
    with pytest.raises(InputError, match=why):
        likeness(EURO, FRANC, embedder, replace(PAPER, kernel=name))


@settings(max_examples=40, deadline=None)
@given(triples(), triples(), st.sampled_from(list(Shape)))
def test_the_kernel_is_symmetric_and_1_for_the_same(first, second, shape):
    one, other = graph_of(first, shape), graph_of(second, shape)
    assert math.isclose(similarity(one, other), similarity(other, one), abs_tol=1e-12)
    assert 0.0 <= similarity(one, other) <= 1 + 1e-12
    assert math.isclose(similarity(one, graph_of(list(reversed(first)), shape)), 1.0)


def test_relations_direction_and_second_edges_count_in_labelled_edges_only():
    married, met, turned = [("A", "married", "B")], [("A", "met", "B")], [("B", "married", "A")]
    both = [*married, *met]
    for other in (met, turned, both):
        assert similarity(graph_of(married, Shape.EDGES), graph_of(other, Shape.EDGES)) < 1
    assert similarity(graph_of(married, Shape.ENTITIES), graph_of(both, Shape.ENTITIES)) == 1
    assert similarity(graph_of(married, Shape.RELATIONS), graph_of(turned, Shape.RELATIONS)) == 1


def test_an_empty_graph_is_like_nothing():
    assert similarity(graph_of([], Shape.EDGES), graph_of(EURO, Shape.EDGES)) == 0.0


# -- labels ------------------------------------------------------------------------------------------------------------


def test_synonyms_are_merged_and_numbers_never(embedder):
    labels = ["film director", "movie director", "director of films", "1970", "1971", "born in 1970", "born in 1971"]
    names = merged(Labels(labels, embedder), 0.99)
    assert names["movie director"] == names["director of films"] == names["film director"] == "film director"
    assert len({names[one] for one in ("1970", "1971", "born in 1970", "born in 1971")}) >= 2
    assert names["1970"] != names["1971"] and names["born in 1970"] != names["born in 1971"]


@settings(deadline=None)
@given(st.integers(2, 30), st.integers(0, 999), st.sampled_from([0.1, 0.35, 0.5, 0.9]), st.booleans())
def test_clusters_are_those_of_a_flat_cut_through_the_tree(number, seed, distance, ties):
    import fastcluster
    from scipy.cluster.hierarchy import fcluster, linkage

    apart = np.random.default_rng(seed).random((number, number)).round(1 if ties else 6)
    apart = (apart + apart.T) / 2
    tree = fastcluster.linkage if ties else linkage  # of equal distances each takes another one first
    cut = fcluster(tree(apart[np.triu_indices(number, 1)], "average"), distance, "distance")
    assert {frozenset(one) for one in _clusters(apart, distance)} == {
        frozenset(np.flatnonzero(cut == one).tolist()) for one in cut
    }


def test_two_known_entities_are_two_however_close_their_names(embedder):
    names = {"France", "Germany"}
    labels = Labels(["France", "Germany", "the French republic"], embedder, names)
    assert merged(labels, 0.9)["France"] != merged(labels, 0.9)["Germany"]
    assert labels.between(["France"], ["Germany"])[0, 0] == 0.0
    assert labels.between(["France"], ["the French republic"])[0, 0] > 0.5


def test_a_memory_embeds_each_text_once():
    class Counting:
        dim, fingerprint, asked = 2, "x", 0

        def embed(self, texts):
            self.asked += len(texts)
            return np.ones((len(texts), 2), np.float32)

    counting = Counting()
    memory = Memory(counting)
    memory.embed(["a", "b", "a"])
    memory.embed(["b", "c"])
    assert counting.asked == 3


# -- the comparison ----------------------------------------------------------------------------------------------------


def test_the_closest_known_triple_is_selected(embedder):
    known = [("Ada", "occupation", "writer"), ("Ada", "place of birth", "London"), ("Bob", "place of birth", "London")]
    chosen, cosines = select([("Ada", "was born in", "London")], known, embedder)
    assert chosen == [1] and 0.5 < cosines[0] <= 1


def test_what_is_known_word_for_word_scores_1_and_a_wrong_value_less(embedder):
    known = [*EURO, ("France", "continent", "Europe"), ("Italy", "capital", "Rome")]
    wrong = [EURO[0], ("France", "currency", "Yen")]
    for setting in (PAPER, DEFAULT):
        right = likeness(EURO, known, embedder, setting)
        assert math.isclose(right.score, 1.0, abs_tol=1e-6) and right.selected == (0, 1)
        found = likeness(wrong, known, embedder, setting)
        assert found.score < right.score and found.each[1] < found.each[0]


def test_a_wrong_relation_is_seen_by_default_and_not_in_the_papers_setting(embedder):
    claim, known = [("Ada", "divorced", "Bob")], [("Ada", "employs", "Bob")]
    assert likeness(claim, known, embedder, PAPER).score == 1.0
    assert likeness(claim, known, embedder, DEFAULT).score < 0.9


def test_without_anything_known_the_score_is_0(embedder):
    found = likeness(EURO, [], embedder)
    assert (found.score, found.each, found.selected) == (0.0, (0.0, 0.0), (None, None))
    assert likeness([], EURO, embedder).each == ()


# -- pairs and edits ---------------------------------------------------------------------------------------------------


def test_a_contradictory_pair_agrees_in_two_parts(embedder):
    claim = [("France", "capital", "Rome"), ("France", "capital", "Paris"), ("Mars", "moon", "Phobos")]
    known = [("France", "capital city", "Paris")]
    assert [(one.claim, one.differs) for one in contradictory_pairs(claim, known, embedder)] == [(0, Part.TAIL)]


def test_years_differ_however_close_their_vectors_are(embedder):
    claim, known = [("Space Invaders", "developed in", "1970")], [("Space Invaders", "developed in", "1978")]
    pair = contradictory_pairs(claim, known, embedder)[0]
    assert pair.differs is Part.TAIL and pair.cosines[2] == 0.0


@pytest.mark.parametrize("tail", ["1978", "Paris", "5 May 1931"])
def test_the_same_said_less_exactly_is_no_pair(embedder, tail):
    claim = [("A", "date or place", tail)]
    assert not contradictory_pairs(claim, [("A", "date or place", f"April {tail} France")], embedder)


def test_algorithm_1_deletes_what_is_wrong_and_adds_what_is_right(embedder):
    claim, known = [("France", "capital", "Rome"), EURO[1]], [("France", "capital city", "Paris"), EURO[1]]
    found = edits(claim, known, embedder)
    assert found == [(Action.DELETE, claim[0]), (Action.ADD, known[0])]
    said, known_ = "“France · capital · Rome”", "“France · capital city · Paris”"
    assert contrast(found) == f"The text says {said}; what is known says {known_}."


@settings(max_examples=15, deadline=None)
@given(triples(), triples())
def test_edits_of_a_graph_and_itself_are_none_and_turn_round(embedder, first, second):
    assert edits(first, first, embedder) == []
    there, back = edits(first, second, embedder), edits(second, first, embedder)
    assert {one for action, one in there if action is Action.ADD} == {
        one for action, one in back if action is Action.DELETE
    }


# -- thresholds without labels -----------------------------------------------------------------------------------------


def test_a_mixture_is_cut_between_its_parts():
    chance = np.random.default_rng(3)
    scores = np.clip(np.concatenate([chance.normal(0.3, 0.1, 40), chance.normal(0.9, 0.04, 400)]), 0, 1)
    found = mixture_threshold(scores.tolist())
    assert found is not None and 0.55 < found < 0.85
    assert mixture_threshold([0.5] * 100) is None and mixture_threshold([0.1, 0.9]) is None


def test_corrupted_graphs_are_wrong_in_one_tail():
    graphs = [[("a", "r", "b"), ("a", "s", "c")], [("d", "r", "e")], []]
    found = corrupted(graphs)
    assert found[2] == [] and found == corrupted(graphs)
    for old, new in zip(graphs[:2], found[:2], strict=True):
        changed = [(one, other) for one, other in zip(old, new, strict=True) if one != other]
        assert len(changed) == 1 and changed[0][0][:2] == changed[0][1][:2]
        assert changed[0][1][2] not in {tail for *_, tail in old}


def test_the_null_threshold_flags_most_wrong_graphs(embedder):
    pairs = [([(name, "born in", town)], [(name, "born in", town)]) for name, town in zip("ABCDEF", (
        "London", "Paris", "Rome", "Oslo", "Cairo", "Lima"), strict=True)]
    found = null_threshold(pairs, embedder)
    assert found is not None and 0.1 < found < 1.0
    assert null_threshold(pairs[:1], embedder) is None
