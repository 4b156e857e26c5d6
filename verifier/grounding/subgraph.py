"""The triples that a model is shown: all shortest paths from question to answer, then the best of what lies around.

Source: GGA, sections 5 and 4.2 and appendix A. The appendix gives a formula and an example that do not agree where an
end of a triple is in several sets at once; `score` counts so that the example comes out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import cycle, islice

from kgstore.verifier.grounding.knowledge import Knowledge, Triple

TRIPLES = 20
"""K: how many triples a model is shown."""
_PATH, _END = 3, 2


@dataclass(frozen=True, slots=True)
class Subgraph:
    """Triples in the order in which a model reads them.

    :param triples: K of them, or more where the paths alone are more; from the start again where there are fewer
    :param path: for each, whether it lies on a shortest path from a question entity to an answer
    :param scores: the connectivity of each
    """

    triples: tuple[Triple, ...]
    path: tuple[bool, ...]
    scores: tuple[int, ...]

    @property
    def distinct(self) -> tuple[Triple, ...]:
        """Each triple once: the target expansion set, paths included."""
        return tuple(dict.fromkeys(self.triples))


def score(triple: Triple, path: Iterable[str], question: Iterable[str], answers: Iterable[str]) -> int:
    """How closely a triple is tied to the path: 3 for an entity of the path before its answer, 2 for an end of it.

    An end of the path is a question entity or an answer; touching both counts once, and an answer is no entity "before"
    itself. With a path from Titanic to Romance:

    >>> sets = {"Titanic", "Romance"}, {"Titanic"}, {"Romance"}
    >>> score(Triple("Titanic", "hasGenre", "Romance"), *sets), score(Triple("Romance", "isGenreOf", "Notebook"), *sets)
    (5, 2)
    """
    ends, answers = {triple.head, triple.tail}, set(answers)
    on_path = bool(ends & (set(path) - answers))
    at_end = bool(ends & (set(question) | answers))
    return _PATH * on_path + _END * at_end


def prepare(
    graph: Knowledge,
    question: Sequence[str],
    answers: Sequence[str],
    k: int = TRIPLES,
    relevance: Callable[[Triple], float] | None = None,
) -> Subgraph:
    """The subgraph of a question.

    :param question: nodes that the question names; if there are none, nothing is found
    :param answers: nodes of the right answers, or of an answer to be looked at. Without them there is no path, and the
        triples around the question's nodes are all there is
    :param k: how many triples, at least 1
    :param relevance: of triples with the same score those with the highest come first; without it they stay in the
        graph's order
    """
    if k < 1:
        raise ValueError(f"k must be at least 1, not {k}")
    paths = list(dict.fromkeys(t for node in question for answer in answers for t in graph.shortest(node, answer)))
    nodes = list(dict.fromkeys([*question, *(end for triple in paths for end in (triple.head, triple.tail))]))
    around = dict.fromkeys(triple for node in nodes for triple in graph.touching(node))
    for triple in paths:
        around.pop(triple, None)
    reached = set(nodes) & set(answers)
    scores = {triple: score(triple, nodes, question, reached) for triple in (*paths, *around)}
    order = {triple: relevance(triple) if relevance else 0.0 for triple in around}
    best = sorted(around, key=lambda triple: (-scores[triple], -order[triple]))  # stable
    kept = [*paths, *best[: max(0, k - len(paths))]]
    shown = tuple(islice(cycle(kept), max(k, len(kept)))) if kept else ()
    on_path = set(paths)
    return Subgraph(shown, tuple(one in on_path for one in shown), tuple(scores[one] for one in shown))


def with_path(graph: Subgraph, question: Sequence[str], answers: Sequence[str]) -> Subgraph:
    """The same triples, with the shortest paths among them to other answers, such as those that a model gave."""
    from kgstore.verifier.grounding.knowledge import TripleList

    among = TripleList(graph.distinct)
    path = {triple for node in question for answer in answers for triple in among.shortest(node, answer)}
    return Subgraph(graph.triples, tuple(one in path for one in graph.triples), graph.scores)
