"""Where the triples around a question come from: a file of triples, or a KG. Both look the same to `subgraph`."""

from __future__ import annotations

import gzip
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import NamedTuple, Protocol

from kgstore.errors import InputError, LoadError

MAX_HOPS = 3


class Triple(NamedTuple):
    """Two nodes and what joins them. Nodes are keys: a name where names are all there is, else an IRI."""

    head: str
    relation: str
    tail: str

    def other(self, node: str) -> str:
        """The end that is not ``node``."""
        return self.tail if node == self.head else self.head


class Knowledge(Protocol):
    """What `subgraph.prepare` asks of a graph."""

    def linked(self, question: str) -> list[str]:
        """Nodes that a question names, in reading order."""
        ...

    def nodes(self, name: str) -> list[str]:
        """Nodes of exactly this name."""
        ...

    def touching(self, node: str) -> Sequence[Triple]:
        """Triples with the node at either end, in an order that does not change."""
        ...

    def shortest(self, source: str, target: str) -> list[Triple]:
        """The triples of all shortest paths of at most 3 hops, walked in any direction, nearest the source first."""
        ...

    def words(self, triple: Triple) -> tuple[str, str, str]:
        """Head, relation and tail as a model reads them."""
        ...

    def relevance(self, question: str) -> Callable[[Triple], float] | None:
        """How well a triple's relation fits a question; None if its order says enough."""
        ...


class TripleList:
    """Triples in memory, as ``head|relation|tail`` lines or given outright; nodes are their names.

    >>> graph = TripleList([("Ada", "born_in", "London"), ("London", "part_of", "England")])
    >>> graph.shortest("Ada", "England")
    [Triple(head='Ada', relation='born_in', tail='London'), Triple(head='London', relation='part_of', tail='England')]
    >>> graph.linked("where was ada born")
    ['Ada']
    """

    def __init__(self, triples: Iterable[tuple[str, str, str]]) -> None:
        self._at: dict[str, list[Triple]] = defaultdict(list)
        for triple in dict.fromkeys(Triple(*one) for one in triples):
            self._at[triple.head].append(triple)
            if triple.tail != triple.head:
                self._at[triple.tail].append(triple)
        self._named: dict[str, list[str]] = defaultdict(list)
        for node in self._at:
            self._named[_key(node)].append(node)
        self._longest = max((len(_words(node)) for node in self._at), default=0)

    def linked(self, question: str) -> list[str]:
        """The longest names first; a name inside a longer one does not count, nor do words in brackets around it.

        A name in the case of the question goes before one that differs in case.
        """
        words = _words(question)
        found: list[tuple[int, list[str]]] = []
        taken: set[int] = set()
        for length in range(min(self._longest, len(words)), 0, -1):
            for start in range(len(words) - length + 1):
                span = range(start, start + length)
                nodes = self._named.get(" ".join(words[start : start + length]).casefold(), [])
                if nodes and not taken & set(span):
                    taken |= set(span)
                    exact = [node for node in nodes if node in question]
                    found.append((start, exact or nodes))
        return list(dict.fromkeys(node for _, nodes in sorted(found) for node in nodes))

    def nodes(self, name: str) -> list[str]:
        return [name] if name in self._at else list(self._named.get(_key(name), []))

    def touching(self, node: str) -> Sequence[Triple]:
        return self._at.get(node, [])

    def shortest(self, source: str, target: str) -> list[Triple]:
        if source == target:
            return []
        distance, edge = {source: 0}, [source]
        while edge and target not in distance and distance[edge[0]] < MAX_HOPS:
            step = distance[edge[0]] + 1
            new = dict.fromkeys(one.other(node) for node in edge for one in self._at[node])
            edge = [node for node in new if node not in distance]
            distance.update(dict.fromkeys(edge, step))
        if target not in distance:
            return []
        found: list[Triple] = []
        behind = [target]
        for step in range(distance[target], 0, -1):
            here = [
                (one, one.other(node))
                for node in behind
                for one in self._at[node]
                if distance.get(one.other(node)) == step - 1
            ]
            found = [one for one, _ in here] + found
            behind = list(dict.fromkeys(node for _, node in here))
        return list(dict.fromkeys(found))

    def words(self, triple: Triple) -> tuple[str, str, str]:
        head, relation, tail = triple
        return head, relation, tail

    def relevance(self, question: str) -> None:
        return None


def read_triples(path: Path) -> TripleList:
    """A text file, gzipped or not, with one ``head|relation|tail`` (or tab-separated) a line.

    :raises LoadError: if it cannot be read
    :raises InputError: naming the first line that has not three parts
    """
    try:
        with gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else path.open(encoding="utf-8") as file:
            lines = file.read().splitlines()
    except (OSError, UnicodeDecodeError, EOFError) as error:
        raise LoadError(path, str(error)) from None
    triples = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        parts = tuple(part.strip() for part in line.split("\t" if "\t" in line else "|"))
        if len(parts) != 3 or not all(parts):
            raise InputError(f"{path}, line {number} has not three parts", "write head|relation|tail, or use tabs")
        triples.append(parts)
    return TripleList(triples)


def _words(text: str) -> list[str]:
    return re.findall(r"\w+|[^\w\s]", text)


def _key(name: str) -> str:
    return " ".join(_words(name)).casefold()
