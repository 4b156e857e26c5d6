"""How deep a document nests, watched while it streams by: parsers that call themselves for each level crash or crawl.

Oxigraph's JSON-LD parser ends the whole process at some thousand levels, its Turtle parser at some ten thousand triples
within triples, and its RDF/XML parser needs time that grows with the square of the depth. Real files nest some tens of
levels.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import accumulate

MOST_LEVELS = 500
"""Levels of a JSON-LD or RDF/XML document, and of triples within triples."""
MOST_OPEN = 5_000
"""Times that ``<<`` may be ahead of ``>>`` in Turtle and TriG, where texts may hold either."""
_STEP = {ord("{"): 1, ord("["): 1, ord("}"): -1, ord("]"): -1}
_NO_BRACKET = bytes(set(range(256)) - set(_STEP))
_TAG = re.compile(rb"<!\[CDATA\[|<!--|<\?|</|/>|<", re.DOTALL)
_ENDS = {b"<![CDATA[": b"]]>", b"<!--": b"-->", b"<?": b"?>"}
_LONGEST_MARK = len(b"<![CDATA[")

Watch = Callable[[bytes], bool]
"""Takes the next piece of a document; says whether it nests too deep by now."""


def json_watch() -> Watch:
    """
    >>> watch = json_watch()
    >>> watch(b'{"a": "[[[[' + b"[" * 600), watch(b'", "b": ' + b"[" * 600)
    (False, True)
    """
    depth, inside, held = 0, False, b""

    def watch(piece: bytes) -> bool:
        nonlocal depth, inside, held
        piece = held + piece
        held = piece[len(piece.rstrip(b"\\")) :]  # what a backslash at the end belongs to comes with the next piece
        piece = piece[: len(piece) - len(held)].replace(b"\\\\", b"").replace(b'\\"', b"")
        parts = piece.split(b'"')
        outside = b"".join(parts[1 if inside else 0 :: 2]).translate(None, _NO_BRACKET)
        inside ^= len(parts) % 2 == 0
        levels = list(accumulate(map(_STEP.__getitem__, outside), initial=depth))
        depth = levels[-1]
        return max(levels) > MOST_LEVELS

    return watch


def xml_watch() -> Watch:
    """
    >>> watch = xml_watch()
    >>> watch(b"<a><![CDATA[" + b"<br>" * 600), watch(b"]]>" + b"<b></b><c/>" * 600), watch(b"<b>" * 600)
    (False, False, True)
    """
    depth, until, held = 0, b"", b""

    def watch(piece: bytes) -> bool:
        nonlocal depth, until, held
        piece, at, deepest = held + piece, 0, 0
        if not until and b"<!" not in piece and b"<?" not in piece:  # nothing but tags: the depth at the end will do
            held = piece[len(piece.rstrip(b"</")) :][-2:]
            piece = piece[: len(piece) - len(held)]
            depth = max(0, depth + piece.count(b"<") - 2 * piece.count(b"</") - piece.count(b"/>"))
            return depth > MOST_LEVELS
        while True:
            if until:
                end = piece.find(until, at)
                if end < 0:
                    at = max(at, len(piece) - len(until) + 1)
                    break
                at, until = end + len(until), b""
            mark = _TAG.search(piece, at)
            if mark is None or len(piece) - mark.start() < _LONGEST_MARK:
                at = max(at, len(piece) - 1) if mark is None else mark.start()
                break
            at = mark.end()
            until = _ENDS.get(mark[0], b"")
            if not until:
                depth = max(0, depth + (1 if mark[0] == b"<" else -1))  # "/>" may stand in a text, too
                deepest = max(deepest, depth)
        held = piece[at:]
        return deepest > MOST_LEVELS

    return watch


def turtle_watch() -> Watch:
    """
    >>> watch = turtle_watch()
    >>> watch(b'e:a e:b "1 << 2 << 3" .' * 2000), watch(b"e:a e:b " + b"<<( e:a e:b " * 6000)
    (False, True)
    """
    ahead, held = 0, b""

    def watch(piece: bytes) -> bool:
        nonlocal ahead, held
        piece = held + piece
        held = piece[len(piece.rstrip(b"<>")) :][-3:]  # the rest of ")>>>" may come with the next piece
        piece = piece[: len(piece) - len(held)]
        ahead = max(0, ahead + piece.count(b"<<") - piece.count(b">>"))
        return ahead > MOST_OPEN

    return watch


WATCHES: dict[str, Callable[[], Watch]] = {
    "jsonld": json_watch,
    "rdfxml": xml_watch,
    "turtle": turtle_watch,
    "trig": turtle_watch,
}


def too_deep(line: bytes) -> bool:
    """Does a line of N-Triples or N-Quads hold triples within triples beyond `MOST_LEVELS`?"""
    return line.count(b"<<(") > MOST_LEVELS
