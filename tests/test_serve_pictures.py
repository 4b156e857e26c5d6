"""Pictures of rows: names never cover one another, points lie where they belong."""

from __future__ import annotations

from itertools import combinations

import pytest

from kgstore.cli.server.pictures import LINE, NARROW, NODES, WIDE, WORLD, Cell, points, ring, rings
from kgstore.cli.server.templates import HERE
from kgstore.model import Literal

LONG = "Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogogoch of the north and of the south"
NAMES = ["Ann", "Bob Dylan", LONG, "東京都庁舎", "The Hitchhiker's Guide to the Galaxy", "–"]


def things(many: int) -> list[Cell]:
    return [Cell("", f"Q{at}", f"{at} {NAMES[at % len(NAMES)]}") for at in range(many)]


def boxes(found) -> list[tuple[float, float, float, float]]:
    """Where the names stand, at most: a letter is seven pixels wide, a wide one twice that."""
    places = []
    for node in found.nodes:
        wide = max(sum(14 if ord(letter) > 0x2E80 else 7 for letter in line) for line in node.lines)
        left = node.x + 9 if node.right else node.x - 9 - wide
        high = LINE * len(node.lines)
        places.append((left, node.y - high / 2, left + wide, node.y + high / 2))
    return places


@pytest.mark.parametrize("many", [2, 3, 4, 7, 18, 33, NODES])
@pytest.mark.parametrize("shape", [WIDE, NARROW], ids=["wide", "narrow"])
def test_names_on_a_ring_stay_inside_and_cover_nothing(many, shape):
    cells = things(many)
    found = ring(cells, [[a, Cell("", "P1", "knows"), b] for a, b in combinations(cells, 2)], *shape)
    places = boxes(found)
    for left, top, right, bottom in places:
        assert left >= 0 and right <= found.width and top >= -1 and bottom <= found.height + 1
    for one, other in combinations(places, 2):
        assert one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]
    for edge in found.edges:
        for node, (left, top, right, bottom) in zip(found.nodes, places, strict=True):
            for step in range(1, 20):
                x = edge.start.x + (edge.end.x - edge.start.x) * step / 20
                y = edge.start.y + (edge.end.y - edge.start.y) * step / 20
                assert not (left < x < right and top + 4 < y < bottom - 4), (edge, node)


def test_two_things_of_one_name_stay_two():
    one, other = Cell("", "Q1", "Dune"), Cell("", "Q2", "Dune")
    wide, narrow = rings([[one, Cell("", "P1", "based on"), other]])
    assert len(wide.nodes) == len(narrow.nodes) == 2
    assert (wide.words, wide.joined) == ("Dune based on Dune", ("based on",))


def test_a_ring_is_drawn_of_few_things_only():
    cells = things(NODES + 1)
    assert rings([[cells[0], Cell(""), cell] for cell in cells]) is None and rings([]) is None


def mapped(*places: tuple[str, float, float]):
    rows = [(None, Literal(f"Point({east} {north})")) for _, east, north in places]
    cells = [(Cell("", f"Q-{name}", name), Cell(row[1].value)) for (name, *_), row in zip(places, rows, strict=True)]
    return points(rows, cells)


def test_a_map_shows_where_the_points_are():
    found = mapped(("Paris", 2.35, 48.86), ("Lyon", 4.83, 45.76), ("Lyon", 4.83, 45.76))
    left, top, wide, high = found.window
    assert len(found.spots) == 2 and wide == 2 * high == 400
    assert all(left < one.x < left + wide and top < one.y < top + high for one in found.spots)
    assert [(one.name, one.id, one.words) for one in found.spots][0] == ("Paris", "Q-Paris", "Paris")
    assert found.step == 5 and all(left <= x <= left + wide and x % 50 == 0 for x in found.meridians)


def test_points_all_over_are_shown_on_the_whole_world():
    found = mapped(("Fiji", 178.0, -18.0), ("Samoa", -172.0, -13.5), ("North Pole", 0.0, 90.0))
    assert found.window == WORLD and found.step == 30
    assert mapped(("nowhere", 200.0, 0.0)) is None and mapped(("Mars", 0.0, 91.0)) is None


def test_a_map_near_an_edge_stays_within_the_world():
    for place in (("Fiji", 178.0, -18.0), ("Pole", 0.0, 90.0), ("McMurdo", 166.7, -77.8)):
        left, top, wide, high = mapped(place).window
        assert left >= -1800 and left + wide <= 1800 and top >= -900 and top + high <= 900


def test_names_on_a_map_cover_no_other_name():
    found = mapped(*((f"Place {at} of this name", 2 + at % 5, 45 + at // 5 / 3) for at in range(30)))
    named = [one for one in found.spots if one.name]
    assert named and len(named) < 30
    unit = found.unit
    places = []
    for one in named:
        left = one.at[0] - (7 * len(one.name) * unit if one.left else 0)
        places.append((left, one.at[1], left + 7 * len(one.name) * unit, one.at[1]))
    for one, other in combinations(places, 2):
        assert one[2] <= other[0] or other[2] <= one[0] or abs(one[1] - other[1]) >= 13 * unit


def test_the_outline_of_the_land_covers_the_world_and_nothing_beside_it():
    path = (HERE / "html" / "land.html").read_text(encoding="utf-8")
    assert path.startswith('<path class="land" d="M') and len(path) < 30_000
    xs, ys = [], []
    for ring_ in path.split('d="')[1].split('"')[0].split("M")[1:]:
        start, _, rest = ring_.strip().removesuffix("z").partition("l")
        x, y = map(int, start.split(","))
        for step in ["0,0", *rest.split()]:
            dx, dy = map(int, step.split(","))
            x, y = x + dx, y + dy
            xs.append(x)
            ys.append(y)
    assert (min(xs), max(xs)) == (-1800, 1800) and min(ys) > -900 and max(ys) == 900
