"""Who is linked to whom: adjacency in memory-mapped arrays, and the best ways from one entity to another.

Entities have the catalog's numbers. For entity ``i`` the slice ``start[i]:start[i + 1]`` of ``other`` holds its
neighbours in both directions, ascending; the same slice of ``link`` holds ``2 * property + 1`` where the edge leads to
``i``, else ``2 * property``. Links to properties (``wd:P31``) are left out: they say nothing about the world.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, product
from pathlib import Path
from typing import Self

import numpy as np

from kgstore.errors import IndexMissing
from kgstore.lines import Lines, open_array

HUB = 100_000
"""From so many edges on an entity is a hub: for ways of three hops its neighbours are not listed. It is still found as
a step, because it is asked whether the entities on the other side are among its neighbours; only where these are more
than `HUB` as well is the way left out."""
LISTED = 5_000_000
"""So many edges are listed at most for one answer, those of the least connected entities first. Ways of one or two
hops, and everything in a graph without hubs and with ends of ordinary size, are exact."""
MAX_HOPS = 3
_DENSE = 200_000


@dataclass(frozen=True, slots=True)
class Edge:
    """A statement between two entities, as it stands in the graph."""

    subject: str
    property: str
    object: str


class Topology:
    """A finished topology, for reading; the catalog that `kgstore.topology_build` made it with must lie where it lay.

    :raises IndexMissing: if there is none in this folder
    """

    def __init__(self, folder: Path) -> None:
        self.folder = Path(folder)
        try:
            meta = json.loads((self.folder / "topology.json").read_text(encoding="utf-8"))
            self._start, self._other, self._link = (
                open_array(self.folder / f"{name}.npy") for name in ("start", "other", "link")
            )
            self._entities = Lines(self.folder / meta["catalog"] / "entities.txt")
        except FileNotFoundError:
            raise IndexMissing(self.folder.parent, "topology") from None
        self._properties: list[str] = meta["properties"]
        self._uses: list[int] = meta["uses"]
        self._marks: list[np.ndarray] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the files. Twice is harmless."""
        self._start = np.zeros(1, np.int64)
        self._other = self._link = np.empty(0, np.uint32)
        self._entities.close()

    def __len__(self) -> int:
        """Number of edges."""
        return len(self._other) // 2

    # -- for callers ------------------------------------------------------------------------------

    def paths(
        self, sources: Sequence[str], targets: Sequence[str], max_hops: int = MAX_HOPS, k: int = 4
    ) -> list[tuple[Edge, ...]]:
        """The ``k`` best ways from any source to any target, best first; edges may be walked against their direction.

        The shortest are best; among those of one length the ones whose inner entities have the fewest edges in sum, so
        that a way over a hub ("both are human") comes last. A way passes no source or target in between. Where two
        entities on a way are linked by several statements, ways of one hop come once for each, longer ones with the
        rarest property.

        :param max_hops: 1 to 3
        """
        if not 1 <= max_hops <= MAX_HOPS:
            raise ValueError(f"max_hops must be 1 to {MAX_HOPS}, not {max_hops}")
        from_ = self._numbers(sources)
        to = self._numbers(targets, without=frozenset(from_.tolist()))
        if k < 1 or not len(from_) or not len(to):
            return []
        direct = (edge for a, b in self._direct(from_, to) for edge in self._between(a, b))
        found: list[tuple[Edge, ...]] = [(edge,) for edge in islice(direct, k)]
        if len(found) < k and max_hops >= 2:
            found += self._longer(from_, to, max_hops, k - len(found))
        return found

    def neighbours(self, iri: str, limit: int = 50) -> list[Edge]:
        """Statements between an entity and others, either way round; those with the least known others first."""
        number = self._numbers((iri,))
        if not len(number):
            return []
        at = slice(*self._start[number[0]:number[0] + 2].tolist())
        order = np.argsort(-self._other[at].astype(np.int64), kind="stable")[:limit]
        others, links = self._other[at][order].tolist(), self._link[at][order].tolist()
        return [self._edge(int(number[0]), b, link) for b, link in zip(others, links, strict=True)]

    # -- the search -------------------------------------------------------------------------------

    def _longer(self, from_: np.ndarray, to: np.ndarray, max_hops: int, k: int) -> list[tuple[Edge, ...]]:
        ends = np.concatenate((from_, to))
        left, right = (self._around(one, ends) for one in (from_, to))
        found: list[tuple[Edge, ...]] = []
        if not len(left) or not len(right):
            return found
        few, many = (left, right) if len(left) <= len(right) else (right, left)
        middle = few[_among(few, many)]
        for m in _smallest(self._degree(middle), k, middle).tolist():
            found += self._spelled(from_, (m,), to)
            if len(found) >= k:
                return found[:k]
        if max_hops >= 3:
            a, b = self._bridges(left, right)
            cost = self._degree(a) + self._degree(b)
            for at in _smallest(cost, k, np.arange(len(a))).tolist():
                found += self._spelled(from_, (int(a[at]), int(b[at])), to)
                if len(found) >= k:
                    break
        return found[:k]

    def _around(self, numbers: np.ndarray, without: np.ndarray) -> np.ndarray:
        """All neighbours of some entities, ascending, each once."""
        parts = [self._other[self._start[n]:self._start[n + 1]] for n in numbers]
        every = parts[0] if len(parts) == 1 else np.sort(np.concatenate(parts))
        if len(every):
            keep = np.empty(len(every), bool)
            keep[0] = True
            np.not_equal(every[1:], every[:-1], out=keep[1:])
            for end in without:
                low, high = np.searchsorted(every, (end, end + 1))
                keep[low:high] = False
            every = every[keep]
        return every.astype(np.int64)

    def _bridges(self, left: np.ndarray, right: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """All linked pairs of one of ``left`` and one of ``right``, each pair once."""
        work = [int(np.minimum(self._degree(side), HUB).sum()) for side in (left, right)]
        swap = work[0] > work[1]
        near, far = (right, left) if swap else (left, right)
        a, b = self._into(near, far)
        fresh = a != b
        return (b[fresh], a[fresh]) if swap else (a[fresh], b[fresh])

    def _into(self, near: np.ndarray, far: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        degree = self._degree(near)
        hubs, usual = near[degree > HUB], near[degree <= HUB]
        parts = [self._listed(usual, far)]
        if len(far) <= HUB:
            for hub in hubs.tolist():
                hit = far[_among(far, self._other[self._start[hub]:self._start[hub + 1]])]
                parts.append((np.full(len(hit), hub), hit))
        return np.concatenate([a for a, _ in parts]), np.concatenate([b for _, b in parts])

    def _listed(self, near: np.ndarray, far: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        begin, count = self._start[near], self._degree(near)
        ends = np.cumsum(count)
        if len(ends) and ends[-1] > LISTED:
            least = np.argsort(count, kind="stable")
            near = near[np.sort(least[np.cumsum(count[least]) <= LISTED])]
            begin, count = self._start[near], self._degree(near)
            ends = np.cumsum(count)
        total = int(ends[-1]) if len(ends) else 0
        at = np.repeat(begin - (ends - count), count)
        at += np.arange(total)
        other = self._other[at]
        hit = np.flatnonzero(self._is_in(far)(other))
        b = other[hit].astype(np.int64)
        a = near[np.searchsorted(ends, hit, side="right")]
        if len(a):
            fresh = np.empty(len(a), bool)
            fresh[0] = True
            fresh[1:] = (a[1:] != a[:-1]) | (b[1:] != b[:-1])
            a, b = a[fresh], b[fresh]
        return a, b

    def _is_in(self, numbers: np.ndarray) -> Callable[[np.ndarray], np.ndarray]:
        if len(numbers) > _DENSE:
            return lambda asked: _among(asked, numbers)

        def marked(asked: np.ndarray) -> np.ndarray:
            try:
                marks = self._marks.pop()
            except IndexError:
                marks = np.zeros(len(self._start) - 1, bool)
            marks[numbers] = True
            answer = marks[asked]
            marks[numbers] = False
            self._marks.append(marks)
            return answer

        return marked

    def _degree(self, numbers: np.ndarray) -> np.ndarray:
        return self._start[numbers + 1] - self._start[numbers]

    # -- numbers to names -------------------------------------------------------------------------

    def _numbers(self, iris: Sequence[str], without: frozenset[int] = frozenset()) -> np.ndarray:
        found = {row for _, row, _ in self._entities.find(list(dict.fromkeys(iris)))}
        return np.array(sorted(found - without), np.int64)

    def _iri(self, number: int) -> str:
        return self._entities[number][0]

    def _edge(self, a: int, b: int, link: int) -> Edge:
        subject, object_ = (b, a) if link & 1 else (a, b)
        return Edge(self._iri(subject), self._properties[link >> 1], self._iri(object_))

    def _links(self, a: int, b: int) -> list[int]:
        """Links between two entities as seen from the first one; found on the side that has fewer."""
        start = self._start
        turned = start[b + 1] - start[b] < start[a + 1] - start[a]
        here, there = (b, a) if turned else (a, b)
        begin, end = int(start[here]), int(start[here + 1])
        low, high = np.searchsorted(self._other[begin:end], (there, there + 1)).tolist()
        return [link ^ turned for link in self._link[begin + low:begin + high].tolist()]

    def _between(self, a: int, b: int) -> list[Edge]:
        return [self._edge(a, b, link) for link in self._links(a, b)]

    def _direct(self, from_: np.ndarray, to: np.ndarray) -> Iterator[tuple[int, int]]:
        for a, b in product(from_.tolist(), to.tolist()):
            if self._links(a, b):
                yield a, b

    def _spelled(self, from_: np.ndarray, inner: tuple[int, ...], to: np.ndarray) -> list[tuple[Edge, ...]]:
        """Every choice of a source and a target for a way whose inner entities are known."""
        first = [edge for a in from_.tolist() if (edge := self._best(a, inner[0]))]
        last = [edge for b in to.tolist() if (edge := self._best(inner[-1], b))]
        middle = [edge for a, b in zip(inner, inner[1:], strict=False) if (edge := self._best(a, b))]
        return [(begin, *middle, end) for begin, end in product(first, last)]

    def _best(self, a: int, b: int) -> Edge | None:
        links = self._links(a, b)
        return self._edge(a, b, min(links, key=lambda link: (self._uses[link >> 1], link))) if links else None


def _among(asked: np.ndarray, ascending: np.ndarray) -> np.ndarray:
    """Which of the numbers are in an ascending, not empty array."""
    at = np.searchsorted(ascending, asked.astype(ascending.dtype, copy=False))
    at[at == len(ascending)] = 0
    return ascending[at] == asked


def _smallest(cost: np.ndarray, k: int, values: np.ndarray) -> np.ndarray:
    """Values of the ``k`` least costs, ascending; of equal ones the first."""
    if len(cost) > 4 * k:
        limit = np.partition(cost, k - 1)[k - 1]
        near = np.flatnonzero(cost <= limit)
        cost, values = cost[near], values[near]
    return values[np.argsort(cost, kind="stable")[:k]]
