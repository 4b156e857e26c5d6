"""Names with the sort of thing beside them: "Rhine River" where the KG knows the Rhine, and that it is a river."""

from __future__ import annotations

import re

from kgstore.verifier.english.words import entry

_SORTS: dict[str, str] = entry("names.sorts")
"""Sort -> names of the classes that it goes with."""
_FIRST = re.compile(r"(River|Mount|Lake|Island|Mt\.?) (.+)")
_LAST = re.compile(r"(.+) (\w+)")


def without_sort(text: str) -> tuple[int, int, frozenset[str]] | None:
    """Where the name without the sort stands in the text, and the names of classes that the sort goes with.

    >>> start, end, classes = without_sort("Rhine River")
    >>> start, end, sorted(classes), without_sort("Ann Smith")
    (0, 5, ['river', 'stream', 'watercourse'], None)
    """
    if first := _FIRST.fullmatch(text):
        sort, span = first[1].lower(), first.span(2)
    elif last := _LAST.fullmatch(text):
        sort, span = last[2].lower(), last.span(1)
    else:
        return None
    classes = _SORTS.get("mount" if sort.startswith("mt") else sort)
    return (*span, frozenset(one.replace("_", " ") for one in classes.split())) if classes else None
