"""A text in stretches that can be worked on one by one, so that a long text costs time in proportion to its length."""

from __future__ import annotations

from collections.abc import Iterator


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
