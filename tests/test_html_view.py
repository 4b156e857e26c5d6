"""What a page works out of a report: pieces of the text, corrections, reasons, pictures."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kgstore.cli.html.graph import WIDTH, contrast, path_graph
from kgstore.cli.html.view import UNDECIDED, all_changes, change, pieces, reasons
from tests.html_pages import claim, entity, report, statement

SPANS = st.lists(st.tuples(st.integers(0, 12), st.integers(0, 12), st.sampled_from(["attributable", "contradictory"])))


@settings(deadline=None)
@given(SPANS)
def test_pieces_make_up_the_text_and_know_their_claims(spans):
    text = "abcdefghijkl"
    claims = [claim(min(a, b), max(a, b), label) for a, b, label in spans]
    at, ended = 0, []
    for piece in pieces(text, claims):
        assert text[at : at + len(piece.text)] == piece.text
        over = {n for n, one in enumerate(claims, 1) if one["start"] <= at and at + len(piece.text) <= one["end"]}
        at += len(piece.text)
        if piece.text:
            assert set(piece.claims) == {n for n in over if claims[n - 1]["start"] < claims[n - 1]["end"]}
        assert all(claims[number - 1]["end"] == at for number in piece.ends)
        labels = {claims[number - 1]["label"] for number in piece.claims}
        assert piece.label == ("contradictory" if "contradictory" in labels else "attributable" if labels else "")
        ended += piece.ends
    assert at == len(text) and sorted(ended) == list(range(1, len(claims) + 1))


def edit(start: int, end: int, new: str) -> dict:
    return {"correction": {"start": start, "end": end, "text": new}}


def test_all_corrections_together_keep_the_rest_of_the_text():
    text = "Ada died in Rome in 1850, says Bob."
    sure, unsure = claim(0, 24, **edit(12, 16, "London")), claim(0, 24, **edit(9, 24, "1852"), confidence=0.5)
    year = claim(0, 24, **edit(20, 24, "1852"), confidence=0.8)
    changes, left_out = all_changes(text, [unsure, year, sure, dict(sure)])
    assert "".join(one.before + one.old + one.after for one in changes) == text
    assert "".join(one.before + one.new + one.after for one in changes) == "Ada died in London in 1852, says Bob."
    assert left_out == 1
    assert all_changes(text, [claim(0, 5)]) == ([], 0)


def test_a_correction_outside_its_claim_is_shown_among_the_words_around_it():
    text = "x" * 100 + " Rome " + "y" * 100
    shown = change(text, claim(0, 10, **edit(101, 105, "Oslo")))
    assert (shown.before[-3:], shown.old, shown.new, shown.after[:3]) == ("xx ", "Rome", "Oslo", " yy")
    assert len(shown.before) == len(shown.after) == 40


def test_reasons_are_grouped_and_the_commonest_comes_first():
    open_ones = ["no statement in the KG", "not sure enough: 0.71 < 0.80", None, "not sure enough: 0.60 < 0.80"]
    claims = [claim(0, 1, "extrapolatory", why_not=why) for why in open_ones]
    found = reasons([claim(0, 1), *claims])
    assert found == [("not sure enough", (3, 5)), ("no statement in the KG", (2,)), (UNDECIDED, (4,))]


# -- pictures ----------------------------------------------------------------------------------------------------------

TEXT = "The spouse of Yoko died in London."
ON_THE_WAY = statement("Yoko", "spouse", "John", "supports")
AGAINST = statement("John", "place of death", "New York", "contradicts")


def wrong(**more) -> dict:
    chain = {"triple": ["Yoko", "spouse > died in", "London"], "evidence": [ON_THE_WAY, AGAINST]}
    return claim(0, 33, **{"label": "contradictory", **chain, **edit(27, 33, "New York"), **more})


def pictured(one: dict, *entities: dict):
    return contrast(one, report(TEXT, one, entities=list(entities or [entity("Yoko", "YOKO")])))


def test_the_text_stands_beside_the_kg_where_they_part():
    graph = pictured(wrong())
    assert [(" ".join(box.lines), box.claimed) for box in graph.boxes] == [
        ("Yoko", False), ("John", False), ("New York", False), ("London", True),
    ]  # fmt: skip
    known, claimed = graph.boxes[2:]
    assert known.y == claimed.y and known.x + known.width < claimed.x and claimed.x + claimed.width <= WIDTH
    assert graph.words == "Yoko, spouse, John; the KG says place of death: New York; the text says died in: London"


def test_several_values_are_counted():
    other = statement("John", "place of death", "Paris", "contradicts")
    graph = pictured(wrong(evidence=[ON_THE_WAY, AGAINST, other]))
    assert " ".join(graph.boxes[2].lines) == "New York and 1 more"


@pytest.mark.parametrize(
    "one",
    [
        wrong(label="extrapolatory"),
        wrong(correction=None),
        wrong(**edit(0, 10, "The friend")),                         # not the tail
        wrong(**edit(20, 20, "not ")),
        wrong(evidence=[AGAINST]),                                  # starts elsewhere
        wrong(evidence=[ON_THE_WAY]),
        wrong(evidence=[statement("London", "mayor", "Yoko", "contradicts")]),     # read backwards
        wrong(evidence=[ON_THE_WAY, AGAINST, statement("John", "date of death", "1980", "contradicts")]),
    ],
)  # fmt: skip
def test_no_picture_where_it_might_be_wrong(one):
    assert pictured(one) is None


def test_no_picture_where_the_head_is_not_known():
    assert pictured(wrong(), entity("John", "JOHN")) is None


def test_a_path_is_walked_in_its_order_and_arrows_keep_their_direction():
    steps = [statement("Band", "producer", "Tom"), statement("Film", "cast", "Tom"), statement("Film", "cast", "Abe")]
    graph = path_graph(steps)
    assert [" ".join(box.lines) for box in graph.boxes] == ["Band", "Tom", "Film", "Abe"]
    assert [arrow.up for arrow in graph.arrows] == [False, True, False]
    ends = [(upper.y + upper.height, lower.y) for upper, lower in zip(graph.boxes, graph.boxes[1:], strict=False)]
    assert [(arrow.y, arrow.end) for arrow in graph.arrows] == ends
    assert graph.boxes[-1].y + graph.boxes[-1].height <= graph.height


def test_statements_that_are_no_chain_have_no_picture():
    assert path_graph([statement("a", "b", "c"), statement("d", "e", "f")]) is None
    assert path_graph([]) is None
    assert path_graph([statement(f"n{at}", "p", f"n{at + 1}") for at in range(7)]) is None


@given(st.text(min_size=1), st.text())
def test_any_words_fit_into_their_boxes(name, other):
    steps = [statement(name, other, other + "!")]
    graph = path_graph(steps)
    for lines in (*(box.lines for box in graph.boxes), *(arrow.lines for arrow in graph.arrows)):
        assert 1 <= len(lines) <= 2 and all(len(line) < 400 for line in lines)
