"""Dates in text: found at their exact span, and compared with stored times."""

from __future__ import annotations

import calendar
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kgstore.model import Time
from kgstore.verifier.values import Agreement, DateValue, compare_date, find_dates

SAME, COARSER, FINER, UNKNOWN, DIFFERENT = (
    Agreement.SAME, Agreement.COARSER, Agreement.FINER, Agreement.UNKNOWN, Agreement.DIFFERENT)


def only(text: str) -> tuple[str, DateValue]:
    found = find_dates(text)
    assert len(found) == 1, found
    start, end, value = found[0]
    return text[start:end], value


def ordinal(number: int) -> str:
    ending = "th" if number in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


DAY_STYLES = {
    "day first": lambda d: f"{d.day} {calendar.month_name[d.month]} {d.year}",
    "month first": lambda d: f"{calendar.month_name[d.month]} {d.day}, {d.year}",
    "ordinal": lambda d: f"{ordinal(d.day)} of {calendar.month_name[d.month]}, {d.year}",
    "ordinal without of": lambda d: f"{ordinal(d.day)} {calendar.month_name[d.month]} {d.year}",
    "month and ordinal": lambda d: f"{calendar.month_name[d.month]} {ordinal(d.day)}, {d.year}",
    "short month": lambda d: f"{d.day:02} {calendar.month_abbr[d.month]} {d.year}",
    "short month with point": lambda d: f"{calendar.month_abbr[d.month]}. {d.day}, {d.year}",
    "iso": lambda d: d.isoformat(),
    "slashes": lambda d: f"{d.day:02}/{d.month:02}/{d.year}",
    "american slashes": lambda d: f"{d.month:02}/{d.day:02}/{d.year}",
    "points": lambda d: f"{d.day}.{d.month}.{d.year}",
    "year first": lambda d: f"{d.year} {calendar.month_name[d.month]} {d.day}",
    "hyphens": lambda d: f"{d.day}-{calendar.month_abbr[d.month]}-{d.year}",
}
FRAMES = ["{}", "She was born on {}.", "Opened {}, it closed later.", "It began ({}) in Rome", "the {} performance"]
dates = st.dates(min_value=date(1000, 1, 1), max_value=date(2150, 12, 31))


@given(day=dates, style=st.sampled_from(sorted(DAY_STYLES)), frame=st.sampled_from(FRAMES))
def test_a_day_in_any_style_is_found_at_its_span_and_is_the_same_day(day, style, frame):
    written = DAY_STYLES[style](day)
    text, value = only(frame.format(written))
    assert text == written
    assert value.certain
    assert value.precision == 11
    assert compare_date(value, Time(f"+{day.isoformat()}T00:00:00Z")) is SAME
    assert compare_date(value, Time(f"+{day:%Y-%m}-00T00:00:00Z", 10)) in (FINER, SAME)
    assert compare_date(value, Time(f"+{day:%Y}-00-00T00:00:00Z", 9)) is FINER


@given(day=dates)
def test_a_month_and_a_year_are_coarser_than_the_day_that_lies_in_them(day):
    stored = Time(f"+{day.isoformat()}T00:00:00Z")
    month = f"{calendar.month_name[day.month]} {day.year}"
    text, value = only(f"It ended in {month}.")
    assert (text, value.precision, compare_date(value, stored)) == (month, 10, COARSER)
    text, value = only(f"It ended in {day.year}.")
    assert (text, value.precision, compare_date(value, stored)) == (str(day.year), 9, COARSER)


@given(day=dates, other=dates)
def test_another_year_is_different(day, other):
    if abs(day.year - other.year) > 1:
        assert compare_date(DateValue(other.year), Time(f"+{day.isoformat()}T00:00:00Z")) is DIFFERENT


@pytest.mark.parametrize(("text", "span", "first", "last", "precision"), [
    ("built in the 1930s", "1930s", 1930, 1939, 8),
    ("built in the 1930's", "1930's", 1930, 1939, 8),
    ("the mid-1930s", "1930s", 1930, 1939, 8),
    ("the 1800s", "1800s", 1800, 1899, 7),
    ("in the 19th century", "19th century", 1801, 1900, 7),
    ("a nineteenth-century house", "nineteenth-century", 1801, 1900, 7),
    ("the twenty-first century", "twenty-first century", 2001, 2100, 7),
    ("the 5th century BC", "5th century BC", -500, -401, 7),
    ("the 2nd millennium BCE", "2nd millennium BCE", -2000, -1001, 6),
    ("from 1914–1918", "1914–1918", 1914, 1918, 9),
    ("in 1914-18 they", "1914-18", 1914, 1918, 9),
    ("from 500-450 BC", "500-450 BC", -500, -450, 9),
])
def test_spans_of_years(text, span, first, last, precision):
    found, value = only(text)
    assert (found, value.year, value.last_year, value.precision) == (span, first, last, precision)


@pytest.mark.parametrize(("text", "span", "year", "month", "day"), [
    ("He died on 15 March 44 BC.", "15 March 44 BC", -44, 3, 15),
    ("in 44 BCE", "44 BCE", -44, None, None),
    ("in 44 B.C. he", "44 B.C.", -44, None, None),
    ("in AD 79", "AD 79", 79, None, None),
    ("in 79 AD", "79 AD", 79, None, None),
    ("in the year 476", "476", 476, None, None),
    ("on Monday, September 11, 2001", "September 11, 2001", 2001, 9, 11),
    ("MARCH 1998", "MARCH 1998", 1998, 3, None),
    ("in 2003-11", "2003-11", 2003, 11, None),
])
def test_other_ways_to_write_a_date(text, span, year, month, day):
    found, value = only(text)
    assert (found, value.year, value.month, value.day) == (span, year, month, day)


@pytest.mark.parametrize("text", [
    "", "no date here", "It has 1,931 rooms", "page 488-496", "at 12:30", "192.134.30.0/24", "31/31/1999",
    "version 1.1999.2", "Q1931", "1931.5 metres", "$1999", "the A1931 road", "5 people in May",
])
def test_what_is_no_date_is_not_found(text):
    assert find_dates(text) == []


@pytest.mark.parametrize(("text", "certain"), [
    ("It opened in 1931.", True), ("Since 1931 he has", True), ("Alfie (1966)", True), ("a 1966 film", True),
    ("a 2003 American film", True), ("the 1500 American soldiers", False), ("a 2000 Watt lamp", False),
    ("between 1914 and 1918", None), ("the summer of 1984", True),
    ("The date of birth is 1800.", False), ("1200 people", False), ("in 1500 metres", False), ("1998 RS52", False),
])
def test_a_bare_number_is_a_certain_year_only_in_context(text, certain):
    assert all(value.certain is (certain is None or certain) for _, _, value in find_dates(text))
    assert find_dates(text)


def test_day_and_month_that_can_be_swapped_keep_both_readings():
    _, value = only("on 09/01/1951")
    assert (value.day, value.month) == (9, 1)
    assert value.swap is not None
    assert (value.swap.day, value.swap.month) == (1, 9)
    assert only("on 17/11/2003")[1].swap is None
    assert only("on 11/17/2003")[1].month == 11


def test_words_before_a_date_are_outside_its_span_and_kept():
    assert only("about circa 1800")[1].approximate
    assert only("in early 1931") == ("1931", DateValue(1931, part="early"))
    assert only("the late 19th century")[1].part == "late"
    assert only("at the end of the 1930s")[1].part == "late"


@pytest.mark.parametrize(("claimed", "stored", "agreement"), [
    (DateValue(1642, 12, 25, 11), Time("+1642-12-25T00:00:00Z", 11, "julian"), SAME),
    (DateValue(1643, 1, 4, 11), Time("+1642-12-25T00:00:00Z", 11, "julian"), SAME),
    (DateValue(1642, 12, 25, 11), Time("+1643-01-04T00:00:00Z", 11), SAME),
    (DateValue(1642), Time("+1643-01-04T00:00:00Z", 11), COARSER),
    (DateValue(1642, 12, 24, 11), Time("+1643-01-04T00:00:00Z", 11), UNKNOWN),
    (DateValue(1642, 12, 23, 11), Time("+1643-01-04T00:00:00Z", 11), DIFFERENT),
    (DateValue(1582, 10, 15, 11), Time("+1582-10-05T00:00:00Z", 11, "julian"), SAME),
    (DateValue(1900, 2, 29, 11), Time("+1900-03-13T00:00:00Z", 11), SAME),
    (DateValue(1990, 4, 9, 11), Time("+1990-04-22T00:00:00Z", 11), DIFFERENT),
])
def test_either_calendar_is_right(claimed, stored, agreement):
    assert compare_date(claimed, stored) is agreement


WASHINGTON = Time("+1732-02-22T00:00:00Z", 11)


@pytest.mark.parametrize(("claimed", "stored", "agreement"), [
    (DateValue(1732, 2, 22, 11), WASHINGTON, SAME),
    (DateValue(1732, 2, 11, 11), WASHINGTON, SAME),
    (DateValue(1731, 2, 11, 11), WASHINGTON, UNKNOWN),
    (DateValue(1731, 2, None, 10), WASHINGTON, UNKNOWN),
    (DateValue(1731), WASHINGTON, UNKNOWN),
    (DateValue(1733), WASHINGTON, DIFFERENT),
    (DateValue(1733), Time("+1732-02-11T00:00:00Z", 11, "julian"), UNKNOWN),
    (DateValue(1730), WASHINGTON, DIFFERENT),
    (DateValue(1731, 2, 3, 11), WASHINGTON, DIFFERENT),
    (DateValue(1731, 5, 11, 11), WASHINGTON, DIFFERENT),
    (DateValue(1731), Time("+1732-06-22T00:00:00Z", 11), DIFFERENT),
    (DateValue(1731), Time("+1732-00-00T00:00:00Z", 9), DIFFERENT),
    (DateValue(1831), Time("+1832-02-22T00:00:00Z", 11), DIFFERENT),
])
def test_where_the_year_began_in_march_the_one_before_is_not_wrong(claimed, stored, agreement):
    assert compare_date(claimed, stored) is agreement


@pytest.mark.parametrize(("text", "stored", "agreement"), [
    ("in the 1930s", Time("+1931-05-05T00:00:00Z"), COARSER),
    ("in the 1930s", Time("+1930-00-00T00:00:00Z", 8), SAME),
    ("in the 1930s", Time("+1940-00-00T00:00:00Z", 9), DIFFERENT),
    ("in 1935", Time("+1930-00-00T00:00:00Z", 8), FINER),
    ("in 1945", Time("+1930-00-00T00:00:00Z", 8), DIFFERENT),
    ("in the 19th century", Time("+1900-00-00T00:00:00Z", 7), SAME),
    ("in the 19th century", Time("+1850-00-00T00:00:00Z", 7), SAME),
    ("in the 19th century", Time("+1900-00-00T00:00:00Z", 9), COARSER),
    ("in the 19th century", Time("+1800-00-00T00:00:00Z", 7), UNKNOWN),      # often entered for "the 1800s"
    ("in the 17th century", Time("+1850-00-00T00:00:00Z", 7), DIFFERENT),
    ("in the 1800s", Time("+1850-00-00T00:00:00Z", 7), UNKNOWN),
    ("in 1850", Time("+1850-00-00T00:00:00Z", 7), FINER),
    ("in the 5th century BC", Time("-0450-00-00T00:00:00Z", 9), COARSER),
    ("in 44 BC", Time("-0044-03-15T00:00:00Z", 11), COARSER),
    ("in 44 BC", Time("+0044-00-00T00:00:00Z", 9), DIFFERENT),
    ("in the 440s BC", Time("-0440-00-00T00:00:00Z", 8), SAME),
    ("circa 1800", Time("+1801-00-00T00:00:00Z", 9), COARSER),
    ("circa 1800", Time("+1806-00-00T00:00:00Z", 9), UNKNOWN),
    ("circa 1800", Time("+1830-00-00T00:00:00Z", 9), DIFFERENT),
    ("circa 1200", Time("+1204-00-00T00:00:00Z", 9), COARSER),
    ("in early 1931", Time("+1931-02-03T00:00:00Z"), COARSER),
    ("in early 1931", Time("+1931-11-03T00:00:00Z"), UNKNOWN),
    ("in early 1931", Time("+1932-02-03T00:00:00Z"), DIFFERENT),
    ("in late 1931", Time("+1931-00-00T00:00:00Z", 9), FINER),
    ("in 1914–1918", Time("+1916-00-00T00:00:00Z", 9), COARSER),
    ("in May 1931", Time("+1931-05-00T00:00:00Z", 10), SAME),
    ("in May 1931", Time("+1931-00-00T00:00:00Z", 9), FINER),
    ("in 1931", Time("+1931-05-05T12:30:00Z", 14), COARSER),
    ("09/01/1951", Time("+1951-09-01T00:00:00Z"), SAME),
    ("09/01/1951", Time("+1951-01-09T00:00:00Z"), SAME),
    ("09/01/1951", Time("+1951-01-10T00:00:00Z"), DIFFERENT),
    ("in 1931", Time("+0000-00-00T00:00:00Z", 9), UNKNOWN),
    ("in 1931", Time("+1931-00-00T00:00:00Z", 11), SAME),                    # precision that the date does not reach
    ("in 44 BC", Time("-4500000000-00-00T00:00:00Z", 3), DIFFERENT),
    ("in 44 BC", Time("-0050-00-00T00:00:00Z", 6), FINER),
])
def test_agreement(text, stored, agreement):
    assert compare_date(only(text)[1], stored) is agreement


def test_every_text_is_survived():
    @given(st.text(alphabet="0123456789 -–/.,:'ABCDMaychrtnsuye½", max_size=40))
    def run(text):
        ends = [0]
        for start, end, value in find_dates(text):
            assert ends[-1] <= start < end <= len(text)
            ends.append(end)
            compare_date(value, Time("+1931-05-05T00:00:00Z"))
    run()
