"""A text in stretches that can be worked on one by one, so that a long text costs time in proportion to its length."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kgstore.verifier.llm.windows import sentences


def paragraphs(text: str, limit: int = 4000) -> Iterator[tuple[int, int]]:
    """Stretches between line breaks, cut after a full stop (or a space) where they get longer than ``limit``."""
    start = 0
    for line in text.splitlines(keepends=True):
        begin, end = start, start + len(line)
        start = end
        while end - begin > limit:
            cut = max(text.rfind(mark, begin + 1, begin + limit) for mark in (". ", "? ", "! "))
            if cut <= begin:
                cut = text.rfind(" ", begin + 1, begin + limit)
            if cut <= begin:
                cut = begin + limit - 1
            yield begin, cut + 1
            begin = cut + 1
        if text[begin:end].strip():
            yield begin, end


def outside(text: str, start: int, end: int, known: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """What is left of a paragraph, as stretches of whole sentences, where some of it is known already.

    >>> text = "Capital: Oslo. It is old. It is large."
    >>> [text[a:b] for a, b in outside(text, 0, len(text), [(0, 13)])]
    ['It is old. It is large.']
    """
    if not known:
        yield start, end
        return
    left: list[tuple[int, int]] = []
    for first, last in sentences(text[start:end]):
        first, last = start + first, start + last
        if any(begin < last and first < max(stop, begin + 1) for begin, stop in known):
            yield from left
            left = []
        else:
            left = [(left[0][0] if left else first, last)]
    yield from left
