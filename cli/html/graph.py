"""Small pictures of statements: boxes one below the other, joined by arrows. The template draws them.

All lengths are in pixels at full size. Words are measured by guess, since nothing here knows the reader's fonts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from unicodedata import combining, east_asian_width

Json = Mapping[str, Any]

WIDTH = 320
"""Of every picture: what a telephone has room for."""

LETTER, LINE, PADDING, ARROW, COLUMN = 7.0, 17, 9, 34, 20
"""Width of a letter; height of a line; space around words; length of an arrow; from a box's edge to its arrow."""

EDGE_LETTER, EDGE_LINE = 6.3, 14
"""Of the words beside an arrow."""

LONGEST_PATH = 6
"""Statements in a picture; a longer chain is given in words only."""


@dataclass(frozen=True, slots=True)
class Box:
    """:param claimed: only the text says so; ``full``: the words that ``lines`` may have cut short"""

    x: float
    y: float
    width: float
    lines: tuple[str, ...]
    full: str
    claimed: bool = False

    @property
    def height(self) -> float:
        return 2 * PADDING + LINE * len(self.lines) - 4


@dataclass(frozen=True, slots=True)
class Arrow:
    """Straight down from ``y`` to ``end``, or up if the statement is read against its direction."""

    x: float
    y: float
    end: float
    lines: tuple[str, ...]
    up: bool = False
    claimed: bool = False


@dataclass(frozen=True, slots=True)
class Graph:
    """:param words: what a reader who does not see the picture is told"""

    height: float
    boxes: tuple[Box, ...]
    arrows: tuple[Arrow, ...]
    words: str


def path_graph(steps: Sequence[Json]) -> Graph | None:
    """A chain of statements, from top to bottom; None if they are no chain, or too many for a picture."""
    walked = _walk(steps)
    return None if walked is None or not 0 < len(steps) <= LONGEST_PATH else _column(walked)[0]


def contrast(claim: Json, report: Json) -> Graph | None:
    """What the KG says beside what the text says, for a contradicted claim whose correction replaces its tail.

    None for any other claim, and where the report does not make plain that the statements start at the claim's head: a
    wrong picture would be worse than none.
    """
    against = [one for one in claim["evidence"] if one["role"] == "contradicts"]
    edit, (head, relation, tail) = claim.get("correction"), claim["triple"]
    if claim["label"] != "contradictory" or not against or not edit:
        return None
    replaced = report["text"][edit["start"] : edit["end"]].strip()
    if not replaced or not tail or not (tail in replaced or replaced in tail):
        return None
    steps = [one for one in claim["evidence"] if one["role"] == "supports"] + against[:1]
    walked = _walk(steps, _entity(head, report))
    same = {(one["subject"], one["predicate"]) for one in against}
    if walked is None or len(steps) > LONGEST_PATH or len(same) > 1:
        return None
    if walked[-1][1]:  # read backwards: what the text says is the subject, not the value
        return None
    others = f" and {len(against) - 1} more" if len(against) > 1 else ""
    known, prop, said = against[0]["labels"][2] + others, against[0]["labels"][1], relation.rpartition(" > ")[2]
    graph, bottom = _column([*walked[:-1], (walked[-1][0], False, None)])
    half = (WIDTH - PADDING) / 2
    spoken = "the KG says", *_beside(prop, half, 2)
    claimed = "the text says", *_beside(said, half, 2)
    end = bottom + max(_length(spoken), _length(claimed))
    arrows = Arrow(COLUMN, bottom, end, spoken), Arrow(half + PADDING + COLUMN, bottom, end, claimed, claimed=True)
    left = Box(1, end, half, *fitted(known, half))
    other = Box(half + PADDING, end, half - 1, *fitted(tail, half), claimed=True)
    return Graph(
        max(left.y + left.height, other.y + other.height) + 1,
        (*graph.boxes, left, other),
        (*graph.arrows, *arrows),
        "; ".join(filter(None, (graph.words, f"the KG says {prop}: {known}", f"the text says {said}: {tail}"))),
    )


_Step = tuple[str, bool, Json | None]
"""The words of where a step starts, whether it goes against its statement, and the statement."""


def _walk(steps: Sequence[Json], start: str | None = "") -> list[_Step] | None:
    """The steps one after the other; None if one does not start where the last one ended.

    :param start: id of where they have to start; empty for either end of the first, None if it is not known
    """
    if start is None or not steps:
        return None
    at = start or _first(steps)
    walked: list[_Step] = []
    for step in steps:
        if at == step["subject"]:
            walked.append((step["labels"][0], False, step))
            at = step["object"]
        elif at == step["object"]:
            walked.append((step["labels"][2], True, step))
            at = step["subject"]
        else:
            return None
    return walked


def _first(steps: Sequence[Json]) -> str:
    ends = steps[0]["subject"], steps[0]["object"]
    if len(steps) > 1 and ends[0] in (steps[1]["subject"], steps[1]["object"]):
        return ends[1]
    return ends[0]


def _column(walked: Sequence[_Step]) -> tuple[Graph, float]:
    """Boxes and arrows for the steps, a step without a statement being a box with nothing below; and where it ends."""
    boxes: list[Box] = []
    arrows: list[Arrow] = []
    words: list[str] = []
    y = 1.0
    names = [name for name, _, _ in walked]
    _, backwards, last = walked[-1]
    if last is not None:
        names.append(last["labels"][0 if backwards else 2])
    for at, name in enumerate(names):
        boxes.append(Box(1, y, WIDTH - 2, *fitted(name, WIDTH)))
        y += boxes[-1].height
        step = walked[at][2] if at < len(walked) else None
        if step is not None:
            lines = _beside(step["labels"][1], WIDTH, 1)
            arrows.append(Arrow(COLUMN, y, y + _length(lines), lines, up=walked[at][1]))
            words.append(", ".join(step["labels"]))
            y += _length(lines)
    return Graph(y + 1, tuple(boxes), tuple(arrows), "; ".join(words)), y


def _entity(name: str, report: Json) -> str | None:
    wanted = name.split()
    return next((one["id"] for one in report.get("entities") or () if one["text"].split() == wanted), None)


def _length(lines: Sequence[str]) -> float:
    return ARROW + EDGE_LINE * (len(lines) - 1)


def _beside(words: str, width: float, most: int) -> tuple[str, ...]:
    """Lines beside the arrow of a box of that width."""
    return fitted(words, width - COLUMN, most, EDGE_LETTER)[0]


def fitted(words: str, width: float, most: int = 2, letter: float = LETTER) -> tuple[tuple[str, ...], str]:
    """At most so many lines, broken between words if possible, with an ellipsis if they end too soon; and the whole.

    >>> fitted("languages spoken, written or signed", 180)[0]
    ('languages spoken,', 'written or signed')
    >>> fitted("Llanfairpwllgwyngyllgogerychwyrndrobwll", 160, 1)[0]
    ('Llanfairpwllgwyngyl…',)
    """
    whole = " ".join(words[: 20 * WIDTH].split())
    rest, lines = whole, list[str]()
    while rest and len(lines) < most:
        fits = _fits(rest, (width - 2 * PADDING) / letter)
        if fits < len(rest) and len(lines) + 1 == most:
            lines.append(rest[: max(1, fits - 1)].rstrip() + "…")
            break
        cut = fits if fits == len(rest) else rest.rfind(" ", 1, fits + 1)
        cut = cut if cut > 0 else fits
        lines.append(rest[:cut].rstrip())
        rest = rest[cut:].lstrip()
    return tuple(lines) or ("",), whole


def shortened(words: str, width: float) -> tuple[str, str]:
    """One line for a box of that width, and the whole."""
    lines, whole = fitted(words, width, 1)
    return lines[0], whole


def _fits(words: str, width: float) -> int:
    """How many characters of it, at least one, are no wider than so many Latin letters."""
    used = 0.0
    for at, character in enumerate(words):
        used += 0 if combining(character) else (2 if east_asian_width(character) in "WF" else 1)
        if used > width:
            return max(1, at)
    return len(words)
