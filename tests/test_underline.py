"""Errors underlined in a text: the marks stand below what they are about, whatever the width."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.text import Text

from kgstore.cli.underline import errors, underlined, wrapped


def shown(text: str, marks: list[tuple[int, int, str]], width: int = 40) -> list[str]:
    return [line.plain for line in underlined(Text(text), marks, width)]


def test_two_errors_of_a_line_share_a_row_if_their_corrections_leave_room():
    assert shown("a b c", [(0, 1, ""), (4, 5, "x")]) == ["a b c", "^   ^ x"]
    assert shown("a b c", [(0, 1, "long"), (2, 3, "x")]) == ["a b c", "^ long", "  ^ x"]


def test_an_error_that_goes_on_in_the_next_line_is_marked_in_both():
    assert shown("one two three", [(4, 13, "x")], 8) == ["one two", "    ^^^", "three", "^^^^^ x"]


def test_wide_characters_move_the_marks():
    assert shown("東京 is big", [(6, 9, "")]) == ["東京 is big", "        ^^^"]


def test_lines_of_the_text_stay_lines():
    assert shown("a\n\nb", [(3, 4, "c")]) == ["a", "", "b", "^ c"]


@given(st.text(alphabet="ab 東\n", max_size=60), st.integers(2, 20))
def test_wrapping_loses_nothing_but_blanks_and_fits_where_it_can(text, width):
    lines = [text[start:end] for start, end in wrapped(text, width)]
    assert re.sub(r"\s", "", "".join(lines)) == re.sub(r"\s", "", text)
    assert all(cell_len(line) <= width or " " not in line.strip() for line in lines)


@pytest.mark.parametrize(
    ("edit", "marks"),
    [
        (None, [(0, 9, "")]),
        ({"start": 4, "end": 9, "text": "x"}, [(4, 9, "x")]),
        ({"start": 4, "end": 4, "text": "not "}, [(0, 9, "")]),
    ],
)
def test_what_is_marked_is_what_the_correction_replaces(edit, marks):
    claims = [{"label": "contradictory", "start": 0, "end": 9, "correction": edit}, {"label": "attributable"}]
    assert errors({"claims": claims}) == marks
