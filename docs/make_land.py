"""Write the coastlines of the map of the live page anew, from the file land-110m.json of the npm package world-atlas.

Run:    npm pack world-atlas@2.0.2 && tar xzf world-atlas-2.0.2.tgz && python docs/make_land.py package/land-110m.json

Natural Earth, whose outlines these are, is in the public domain; world-atlas, which has them as TopoJSON, is under ISC.
A unit of the path is a tenth of a degree, x to the east and y to the south.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

TARGET = Path(__file__).parent.parent / "cli" / "server" / "html" / "land.html"
HALF = 1800
"""From the middle of the map to its edge."""
Points = list[tuple[int, int]]


def arcs(atlas: dict[str, Any]) -> list[Points]:
    """The lines of the file, https://github.com/topojson/topojson-specification"""
    (east, north), (left, low) = atlas["transform"]["scale"], atlas["transform"]["translate"]
    found = []
    for arc in atlas["arcs"]:
        x = y = 0
        line = []
        for dx, dy in arc:
            x, y = x + dx, y + dy
            line.append((round(10 * (x * east + left)), round(-10 * (y * north + low))))
        found.append(line)
    return found


def rings(atlas: dict[str, Any]) -> list[Points]:
    """The outlines of all land, and of what is no land inside of it."""
    lines = arcs(atlas)
    [land] = atlas["objects"]["land"]["geometries"]
    found = []
    for ring in (ring for polygon in land["arcs"] for ring in polygon):
        points: Points = []
        for at in ring:
            line = lines[at] if at >= 0 else lines[~at][::-1]
            points += line[1:] if points else line
        found.append([one for one, before in zip(points, [None, *points], strict=False) if one != before])
    return found


def cut(ring: Points) -> list[Points]:
    """The parts of a ring that goes over an edge of the map, which is where the date changes."""
    parts: list[Points] = [[]]
    for one in ring:
        if parts[-1] and abs(one[0] - parts[-1][-1][0]) > HALF:
            parts.append([])
        parts[-1].append(one)
    if len(parts) > 1:
        first, last = parts[0], parts.pop()
        if abs(first[0][0] - last[-1][0]) <= HALF:
            parts[0] = [*last, *first[1:]]
        else:
            parts.append(last)
    whole = [part for part in parts if len(part) > 2]
    return [_to_the_pole(part) for part in whole]


def _to_the_pole(part: Points) -> Points:
    """The coast of Antarctica leads from one edge of the map to the other; the land is below it."""
    (x, _), (end, _) = part[0], part[-1]
    across = abs(x - end) > HALF
    return [(x, HALF // 2), *part, (end, HALF // 2)] if across else part


def path(points: Points) -> str:
    """
    >>> path([(10, 10), (20, 10), (20, -5), (10, 10)])
    'M10,10l10,0 0,-15z'
    """
    (x, y), *rest = points[:-1] if points[0] == points[-1] else points
    words = [f"M{x},{y}l"]
    for one in rest:
        words.append(f"{one[0] - x},{one[1] - y} ")
        x, y = one
    return "".join(words).rstrip() + "z"


if __name__ == "__main__":
    atlas = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    drawn = "\n".join(path(part) for ring in rings(atlas) for part in cut(ring))
    TARGET.write_text(f'<path class="land" d="{drawn}"/>\n', encoding="utf-8")
