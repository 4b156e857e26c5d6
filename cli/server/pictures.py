"""Pictures of rows: a map where they hold points, a ring of things where they join some."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from kgstore.cli.html.graph import LETTER, fitted
from kgstore.model import Literal

_POINT = re.compile(r"\s*Point\s*\(\s*(-?[\d.]+)\s+(-?[\d.]+)\s*\)\s*", re.IGNORECASE)
NODES = 40
"""Things that a ring has room for."""


@dataclass(frozen=True, slots=True)
class Cell:
    """:param id: of an entity or property; ``words``: the text of anything else"""

    words: str
    id: str = ""
    label: str = ""

    @property
    def name(self) -> str:
        return self.label or self.id or self.words

    @property
    def is_point(self) -> bool:
        return not self.id and _POINT.fullmatch(self.words) is not None


# -- a map -------------------------------------------------------------------------------------------------------------

WORLD = (-1800.0, -900.0, 3600.0, 1800.0)
"""Left, top, width and height in tenths of a degree, as the outline of the land is drawn (html/land.html)."""
LEAST = 400.0
"""Width of a map; its outlines are too coarse for less."""
PIXELS, NAMED = 720, 30
"""Width of a map on a wide screen; points of which names are written beside."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A point on the map.

    :param words: all that its row says
    :param name: what is written beside it, empty where there is no room
    :param at: where that starts, or ends if it stands to the left
    :param id: of the entity that it belongs to
    """

    x: float
    y: float
    words: str
    name: str = ""
    at: tuple[float, float] = (0.0, 0.0)
    left: bool = False
    id: str = ""


@dataclass(frozen=True, slots=True)
class Map:
    """
    :param window: left, top, width, height; ``unit``: what is a pixel on a wide screen
    :param meridians: x of lines from north to south, ``parallels``: y of those from west to east, each ``step`` degrees
    """

    spots: tuple[Spot, ...]
    window: tuple[float, float, float, float]
    meridians: tuple[int, ...]
    parallels: tuple[int, ...]
    step: int

    @property
    def unit(self) -> float:
        return self.window[2] / PIXELS


def points(rows: Sequence[Sequence[Any]], cells: Sequence[Sequence[Cell]]) -> Map | None:
    """Where a row has a point of Earth (WKT: longitude, then latitude), a map of where they lie."""
    found = []
    for row, named in zip(rows, cells, strict=True):
        for term in row:
            match = _POINT.fullmatch(term.value) if isinstance(term, Literal) else None
            if match and abs(float(match[1])) <= 180 and abs(float(match[2])) <= 90:
                others = [cell for cell in named if not cell.is_point]
                id = next((cell.id for cell in others if cell.id), "")
                words = ", ".join(cell.name for cell in others)
                name = next((cell.name for cell in others), "")
                found.append(Spot(round(10 * float(match[1]), 2), round(-10 * float(match[2]), 2), words, name, id=id))
    if not found:
        return None
    found = list(dict.fromkeys(found))
    window = _window(found)
    step = 30 if window[2] > 1800 else 10 if window[2] > 600 else 5
    meridians, parallels = (
        tuple(range(10 * step * math.ceil(low / (10 * step)), math.ceil(low + wide), 10 * step))
        for low, wide in ((window[0], window[2]), (window[1], window[3]))
    )
    return Map(_named(found, window), window, meridians, parallels, step)


def _window(spots: Sequence[Spot]) -> tuple[float, float, float, float]:
    """All points with some room around them, twice as wide as high, and within the world."""
    xs, ys = [one.x for one in spots], [one.y for one in spots]
    wide = max(LEAST, 1.3 * (max(xs) - min(xs)), 2.6 * (max(ys) - min(ys)))
    if wide > 2400:
        return WORLD
    left = min(max((max(xs) + min(xs) - wide) / 2, -1800.0), 1800.0 - wide)
    top = min(max((max(ys) + min(ys) - wide / 2) / 2, -900.0), 900.0 - wide / 2)
    return round(left, 1), round(top, 1), round(wide, 1), round(wide / 2, 1)


def _named(spots: Sequence[Spot], window: tuple[float, float, float, float]) -> tuple[Spot, ...]:
    """The points with names beside them, to the right or else the left, where these cover no other name or point."""
    unit = window[2] / PIXELS
    taken = [(one.x - 5 * unit, one.y - 5 * unit, one.x + 5 * unit, one.y + 5 * unit) for one in spots]
    found = []
    for mine, one in enumerate(spots):
        name = fitted(one.name, 200, 1)[0][0] if mine < NAMED else ""
        wide, high = (LETTER * len(name) + 4) * unit, 15 * unit
        for left in (one.x + 6 * unit, one.x - 6 * unit - wide):
            start = one.x + (8 if left > one.x else -8) * unit
            box = (left, one.y - high / 2, left + wide, one.y + high / 2)
            others = (other for at, other in enumerate(taken) if at != mine)
            inside = window[0] <= left and left + wide <= window[0] + window[2]
            if name and inside and not any(_overlap(box, other) for other in others):
                taken.append(box)
                found.append(Spot(one.x, one.y, one.words, name, (start, one.y + 4.5 * unit), left < one.x, one.id))
                break
        else:
            found.append(Spot(one.x, one.y, one.words, id=one.id))
    return tuple(found)


def _overlap(one: Sequence[float], other: Sequence[float]) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


# -- a ring ------------------------------------------------------------------------------------------------------------

WIDE, NARROW = (640, 200, 1), (296, 104, 2)
"""Width of a ring, of a name beside it, and lines of that: on a screen, and on a telephone."""
LINE, GAP = 16, 9
"""Height of a line; from a thing to its name, and above and below a name."""


@dataclass(frozen=True, slots=True)
class Node:
    """A thing on the ring; its name stands outside, to the right or the left of it."""

    x: float
    y: float
    lines: tuple[str, ...]
    full: str
    right: bool
    id: str = ""


@dataclass(frozen=True, slots=True)
class Edge:
    start: Node
    end: Node
    words: str = ""


@dataclass(frozen=True, slots=True)
class Ring:
    """
    :param words: what a reader who does not see it is told
    :param joined: the properties that join the things, each once
    """

    width: int
    height: float
    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    words: str
    joined: tuple[str, ...] = ()


def rings(edges: Sequence[Sequence[Cell]]) -> tuple[Ring, Ring] | None:
    """The same for a wide screen and for a narrow one; None without edges, or if there are too many things.

    :param edges: from, by what property, to
    """
    order = list(dict.fromkeys(cell for edge in edges for cell in (edge[0], edge[2])))
    if not edges or len(order) > NODES:
        return None
    return ring(order, edges, *WIDE), ring(order, edges, *NARROW)


def ring(order: Sequence[Cell], edges: Sequence[Sequence[Cell]], width: int, room: int, lines: int) -> Ring:
    """Things on an oval, downwards on the right, upwards on the left, each in a row of its own: as the oval bends
    outwards everywhere, no line crosses a name, and no name another one."""
    rows = math.ceil(len(order) / 2)
    height = max(rows * (LINE * lines + GAP), 120.0)
    step = height / rows
    far = width / 2 - room - GAP
    places = {}
    for at, cell in enumerate(order):
        right = at < rows
        y = step * ((at if right else 2 * rows - 1 - at) + 0.5)
        out = far * math.sqrt(1 - (2 * y / height - 1) ** 2)
        x = width / 2 + (out if right else -out)
        broken, full = fitted(cell.name, width / 2 - out - GAP, lines)
        places[cell] = Node(round(x, 1), round(y, 1), broken, full, right, cell.id)
    joined = tuple(Edge(places[edge[0]], places[edge[2]], edge[1].label) for edge in edges)
    words = "; ".join(" ".join(filter(None, (one.start.full, one.words, one.end.full))) for one in joined)
    named = tuple(dict.fromkeys(one.words for one in joined if one.words))
    return Ring(width, height, tuple(places.values()), joined, words, named)
