"""Names with the sort of thing beside them: "Rhine River" where the KG knows the Rhine, and that it is a river."""

from __future__ import annotations

import re

_SORTS = {
    "river": "river watercourse stream",
    "creek": "river watercourse stream creek",
    "stream": "river watercourse stream",
    "mount": "mountain volcano hill massif",
    "mountain": "mountain volcano hill massif",
    "peak": "mountain volcano peak",
    "mountains": "mountain_range mountain massif",
    "hills": "mountain_range hill",
    "range": "mountain_range",
    "lake": "lake reservoir body_of_water",
    "reservoir": "reservoir lake body_of_water",
    "dam": "dam",
    "island": "island",
    "islands": "archipelago island_group island",
    "desert": "desert",
    "sea": "sea body_of_water",
    "records": "record_label",
    "magazine": "magazine periodical",
    "newspaper": "newspaper periodical",
    "county": "county",
    "province": "province",
    "volcano": "volcano mountain",
    "galaxy": "galaxy spiral_galaxy",
}
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
