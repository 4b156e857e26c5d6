"""Amounts in text: found at their exact span, and compared with stored quantities."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from kgstore.model import Quantity
from kgstore.verifier.values import Agreement, Amount, as_year, compare_amount, find_amounts, in_unit
from kgstore.verifier.values.units import readings

SAME, COARSER, FINER, UNKNOWN, DIFFERENT = (
    Agreement.SAME, Agreement.COARSER, Agreement.FINER, Agreement.UNKNOWN, Agreement.DIFFERENT)
NAMES = {
    "u:metre": ["metre", "m"], "u:foot": ["foot", "ft"], "u:km": ["kilometre", "km"], "u:mile": ["mile", "m"],
    "u:km2": ["square kilometre", "km²"], "u:mi2": ["square mile"], "u:cm": ["centimetre"], "u:kg": ["kilogram"],
    "u:min": ["minute"], "u:year": ["year", "a"], "u:old": ["years old", "year old"], "u:percent": ["percent", "%"],
    "u:usd": ["United States dollar", "$", "dollar"], "u:cad": ["Canadian dollar", "$", "dollar"], "u:eur": ["euro"],
    "u:gbp": ["pound sterling", "pound", "£"], "u:human": ["human", "people"], "u:c": ["degree Celsius", "°C"],
    "u:f": ["degree Fahrenheit"], "u:degree": ["degree", "°"], "u:verst2": ["square verst", "versta²"],
    "u:odd": ["Scoville heat unit", "SHU"], "u:m3s": ["cubic metre per second"], "u:acre": ["acre"],
    "u:ha": ["hectare"], "u:volt": ["volt"],
}


def names(unit: str) -> list[str]:
    return NAMES[unit]


def only(text: str) -> tuple[str, Amount]:
    found = find_amounts(text)
    assert len(found) == 1, found
    start, end, amount = found[0]
    return text[start:end], amount


def agree(text: str, amount: str, unit: str | None = None, *bounds: str) -> Agreement:
    stored = Quantity(Decimal(amount), unit, *map(Decimal, bounds))
    return compare_amount(only(text)[1], stored, names)


@pytest.mark.parametrize(("text", "span", "value", "unit", "noun"), [
    ("It has 4,400,000 people.", "4,400,000", "4400000", "", "people"),
    ("It has 4.4 million people.", "4.4 million", "4400000", "", "people"),
    ("13 866 375 inhabitants", "13 866 375", "13866375", "", "inhabitants"),
    ("5.673.000.000 euros", "5.673.000.000 euros", "5673000000", "euro", ""),
    ("He is 1.63 metres tall.", "1.63 metres", "1.63", "metre", ""),
    ("He is 5 ft 4 in tall.", "5 ft 4 in", "64", "in", ""),
    ("He is 5'4\" tall.", "5'4\"", "64", '"', ""),
    ("a 6-foot-2 man", "6-foot-2", "74", "inch", ""),
    ("It cost €3 billion.", "€3 billion", "3000000000", "€", ""),
    ("It cost $12m.", "$12m", "12000000", "$", ""),
    ("It cost $1.2B in all", "$1.2B", "1200000000", "$", ""),
    ("It lost -$5 million", "-$5 million", "-5000000", "$", ""),
    ("It cost USD 12 million.", "USD 12 million", "12000000", "USD", ""),
    ("430 million US dollars.", "430 million US dollars", "430000000", "US dollar", ""),
    ("12 million U.S. dollars.", "12 million U.S. dollars", "12000000", "U.S. dollar", ""),
    ("12 billion pounds sterling", "12 billion pounds sterling", "12000000000", "pound sterling", ""),
    ("declination of -34.34 degree", "-34.34 degree", "-34.34", "degree", ""),
    ("minus 30 degrees Celsius", "minus 30 degrees Celsius", "-30", "degree Celsius", ""),
    ("It is −30 °C there", "−30 °C", "-30", "°C", ""),
    ("It has seven floors.", "seven", "7", "", "floors"),
    ("He has a dozen children", "a dozen", "12", "", "children"),
    ("It ran for twenty-one seasons.", "twenty-one", "21", "", "seasons"),
    ("one hundred and twenty-one thousand people", "one hundred and twenty-one thousand", "121000", "", "people"),
    ("two and a half million people", "two and a half million", "2500000", "", "people"),
    ("half a million people", "half a million", "500000", "", "people"),
    ("2½ hours", "2½ hours", "2.5", "hour", ""),
    ("2 hours and 5 minutes", "2 hours and 5 minutes", "125", "minute", ""),
    ("1 h 30 min", "1 h 30 min", "90", "min", ""),
    ("a 90-minute film", "90-minute", "90", "minute", ""),
    ("a three-storey building", "three", "3", "", "storey"),
    ("the 21-year-old singer", "21-year-old", "21", "year old", ""),
    ("632 square miles", "632 square miles", "632", "square mile", ""),
    ("20km2 in all", "20km2", "20", "km2", ""),
    ("36 m³/s", "36 m³/s", "36", "m³/s", ""),
    ("100 kilometres per hour", "100 kilometres per hour", "100", "kilometre per hour", ""),
    ("12 %", "12 %", "12", "%", ""),
    ("12% of it", "12%", "12", "%", ""),
    ("20 per cent", "20 per cent", "20", "per cent", ""),
    ("1.4 × 10^21 kg", "1.4 × 10^21 kg", "1.4E21", "kg", ""),
    ("1.4×10²¹ kg", "1.4×10²¹ kg", "1.4E21", "kg", ""),
    ("36 total points in his career", "36", "36", "", "total points"),
    ("12k followers", "12k", "12000", "", "followers"),
    ("5 in all", "5", "5", "", ""),
    ("A capacity of 18.", "18", "18", "", ""),
])
def test_amounts_are_found_at_their_span(text, span, value, unit, noun):
    found, amount = only(text)
    assert (found, amount.value, amount.unit, amount.noun) == (span, Decimal(value), unit, noun)


@pytest.mark.parametrize("text", [
    "", "no number", "HK-29", "pages 488-496", "192.134.30.0/24", "UTC+07:00", "the 21st century", "1934VQ",
    "the 1930s", "12:30", "on 1 January 1990", "one of the best", "no one", "Seven Samurai and Ocean's Eleven",
    "hundreds of people", "in the seventy thousands",
    "a few thousand", "2,3-hexanedione", "in 1990", "9 a.m.", "the A28 motorway", "10–12 km",
])
def test_what_is_no_amount_is_not_found(text):
    assert find_amounts(text) == []


@pytest.mark.parametrize(("text", "approximate", "bound"), [
    ("about 1,200 people", True, ""),
    ("roughly $430 million", True, ""), ("nearly 400 km", True, ""), ("~ 300", True, ""),
    ("300 people or so", True, ""), ("over 300 people", False, "more than"), ("more than €12m", False, "more than"),
    ("at least 20 episodes", False, "at least"), ("up to 5 km", False, "at most"), ("fewer than 5", False, "less than"),
    ("no fewer than 5", False, "at least"),
    ("300+ people", False, "at least"), ("300 people or more", False, "at least"),
    ("300 people", False, ""),
])
def test_words_around_a_number_say_how_exact_it_is(text, approximate, bound):
    amount = only(text)[1]
    assert (amount.approximate, amount.bound) == (approximate, bound)


@pytest.mark.parametrize(("text", "digits", "step"), [
    ("14,976", 5, "1"), ("1.63", 3, "0.01"), ("1.60", 3, "0.01"), ("4.4 million", 2, "100000"),
    ("30,000", 1, "1"), ("0.05", 1, "0.01"), ("0", 1, "1"),
])
def test_digits_and_step_say_how_it_was_rounded(text, digits, step):
    amount = only(text)[1]
    assert (amount.digits, amount.step) == (digits, Decimal(step))


LENGTHS = ["metre", "kilometre", "foot", "mile", "yard", "centimetre", "inch"]
AREAS = ["square kilometre", "square mile", "hectare", "acre", "square metre"]
PLURALS = {"foot": "feet", "inch": "inches"}


def plural(unit: str) -> str:
    *before, last = unit.split()
    return " ".join((*before, PLURALS.get(last, last + "s")))


pairs = st.sampled_from([LENGTHS, AREAS]).flatmap(lambda units: st.tuples(*[st.sampled_from(units)] * 2))


@given(value=st.decimals("1", "1000000", places=2), pair=pairs, digits=st.integers(3, 5), about=st.booleans())
def test_an_amount_that_was_converted_and_rounded_is_the_same(value, pair, digits, about):
    source, target = pair
    exact = value * readings(source)[0].factor / readings(target)[0].factor
    assume(Decimal("0.01") < exact < 10**9)
    rounded = exact.quantize(Decimal(1).scaleb(exact.adjusted() - digits + 1), ROUND_HALF_UP)
    written = f"{rounded:,f} {plural(target)}"
    text, amount = only(f"It is {'about ' if about else ''}{written} in size.")
    assert text == written
    agreement = compare_amount(amount, Quantity(value, source), lambda name: [name])
    assert agreement in ((SAME,) if about or rounded < 100 else (SAME, COARSER))


@given(value=st.integers(1, 10**12), change=st.integers(1, 10**6))
def test_a_whole_number_written_in_full_must_be_equal(value, change):
    assume(value % 10)
    assert agree(f"It has {value:,} rooms.", str(value)) is SAME
    other = value + change
    if other % 1000 and change * 50 > value:
        assert agree(f"It has {value:,} rooms.", str(other)) is DIFFERENT


@given(value=st.integers(1000, 10**9), digits=st.integers(2, 3))
def test_about_a_rounded_number_is_the_same(value, digits):
    rounded = int(Decimal(value).quantize(Decimal(1).scaleb(len(str(value)) - digits), ROUND_HALF_UP).scaleb(0))
    assert agree(f"About {rounded:,} people live there.", str(value)) is SAME
    assert agree(f"About {rounded * 2:,} people live there.", str(value)) is DIFFERENT


@pytest.mark.parametrize(("text", "stored", "agreement"), [
    ("14,976 people", ("14976",), SAME),
    ("14,976 people", ("14977",), DIFFERENT),
    ("14,976 people", ("14980", None, "14900", "15000"), SAME),
    ("560,000 people", ("563803",), COARSER),
    ("about 560,000 people", ("563803",), SAME),
    ("about 600,000 people", ("563803",), UNKNOWN),
    ("about 350,000 people", ("195175",), DIFFERENT),
    ("430 million US dollars", ("429632142", "u:usd"), SAME),
    ("0.4 million people", ("429632",), SAME),
    ("50,360 seats", ("50000",), FINER),
    ("3 children", ("2",), DIFFERENT),
    ("60.4071 years", ("60.407", "u:year"), FINER),
    ("60.41 years", ("60.407", "u:year"), SAME),
    ("34.94 years", ("60.407", "u:year"), DIFFERENT),
    ("241 metres", ("241.9", "u:metre"), UNKNOWN),
    ("241 metres", ("394", "u:metre"), DIFFERENT),
    ("88.6 feet", ("27", "u:metre"), SAME),
    ("89 feet", ("27", "u:metre"), SAME),
    ("190 feet", ("27", "u:metre"), DIFFERENT),
    ("5 ft 5 in", ("165", "u:cm"), SAME),
    ("1.65 m", ("165", "u:cm"), SAME),
    ("540 square miles", ("1398", "u:km2"), SAME),
    ("190 sq mi", ("632", "u:mi2"), DIFFERENT),
    ("190 sq mi", ("1637", "u:km2"), DIFFERENT),
    ("1.5 hours", ("90", "u:min"), SAME),
    ("2 hours and 5 minutes", ("125", "u:min"), SAME),
    ("104 kg", ("104", "u:metre"), UNKNOWN),
    ("86 degrees Fahrenheit", ("30", "u:c"), SAME),
    ("30 °C", ("86", "u:f"), SAME),
    ("80 degrees Fahrenheit", ("30", "u:c"), DIFFERENT),
    ("30 degrees", ("30", "u:c"), SAME),
    ("86 degrees", ("30", "u:c"), SAME),
    ("12 degrees", ("30", "u:c"), UNKNOWN),
    ("12 degrees", ("30", "u:degree"), DIFFERENT),
    ("$12 million", ("12000000", "u:usd"), SAME),
    ("$12 million", ("24000000", "u:usd"), DIFFERENT),
    ("$12 million", ("24000000", "u:cad"), UNKNOWN),
    ("12 million pounds", ("24000000", "u:gbp"), DIFFERENT),
    ("24 million pounds", ("24000000", "u:gbp"), SAME),
    ("12 million euros", ("24000000", "u:usd"), UNKNOWN),
    ("213,193,370", ("710644566", "u:usd"), UNKNOWN),
    ("710,644,566", ("710644566", "u:usd"), SAME),
    ("An age of 21", ("21", "u:old"), SAME),
    ("An age of 11", ("18", "u:old"), DIFFERENT),
    ("11 years old", ("29", "u:old"), DIFFERENT),
    ("35 people", ("35", "u:human"), SAME),
    ("35 women", ("36", "u:human"), DIFFERENT),
    ("35 apples", ("36", "u:metre"), UNKNOWN),
    ("700 Scoville heat units", ("700", "u:odd"), SAME),
    ("700 Scoville heat units", ("17500", "u:odd"), DIFFERENT),
    ("91.69 u", ("50.94",), DIFFERENT),
    ("91.69", ("50.94",), DIFFERENT),
    ("1.75 m", ("2.27",), DIFFERENT),
    ("1.75 m", ("175",), UNKNOWN),
    ("1.75 m", ("1E-400",), DIFFERENT),
    ("1.75 m", ("5.74",), UNKNOWN),
    ("12 million euros", ("17000000",), UNKNOWN),
    ("about 1.75 m", ("2.27",), UNKNOWN),
    ("0.2047 percent", ("0.2908", "u:percent"), DIFFERENT),
    ("0.2047 percent", ("0", "u:percent"), DIFFERENT),
    ("240 V", ("220", "u:volt"), DIFFERENT),
    ("3 square versts", ("3", "u:verst2"), SAME),
    ("12 m³/s", ("12", "u:m3s"), SAME),
    ("247 acres", ("100", "u:ha"), SAME),
    ("over 300 people", ("312",), COARSER),
    ("over 300 people", ("300",), UNKNOWN),
    ("just over 300 people", ("312",), COARSER),
    ("just over 300 people", ("2000",), UNKNOWN),
    ("over 300 people", ("200",), DIFFERENT),
    ("at least 3 children", ("3",), SAME),
    ("at least 4 children", ("3",), DIFFERENT),
    ("at most 3 children", ("2",), COARSER),
    ("less than 3 km", ("2", "u:mile"), DIFFERENT),
    ("more than 3 km", ("2", "u:mile"), COARSER),
])
def test_agreement(text, stored, agreement):
    assert agree(text, *stored) is agreement


def test_a_stored_amount_can_be_said_in_the_unit_of_the_text():
    assert in_unit(Quantity(Decimal("165"), "u:cm"), "metre", names) == Decimal("1.65")
    assert in_unit(Quantity(Decimal("165"), "u:cm"), "kg", names) is None
    assert in_unit(Quantity(Decimal("165")), "kg", names) is None


@pytest.mark.parametrize(("text", "year"), [
    ("The date of birth is 1800.", 1800), ("1800 people", None), ("1.5", None), ("18 km", None), ("about 1800", 1800),
])
def test_a_bare_number_can_be_read_as_a_year(text, year):
    date = as_year(only(text)[1])
    assert (date and date.year) == year


@given(st.text(alphabet="0123456789 -–/.,:'\"$€mkftinb½×^%ehundrtosaw", max_size=40))
def test_every_text_is_survived(text):
    last = 0
    for start, end, amount in find_amounts(text):
        assert last <= start < end <= len(text)
        last = end
        compare_amount(amount, Quantity(Decimal(5), "u:metre"), names)


def test_a_number_in_quotation_marks_is_none_of_inches():
    found = find_amounts('"born": "1931", a 24" screen')
    assert [(int(one.value), one.unit) for _, _, one in found] == [(1931, ""), (24, '"')]
