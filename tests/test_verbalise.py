"""Sentences from statements, and values as they stand in a text."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kgstore.model import BlankNode, Coordinate, Literal, NamedNode, Quantity, Special, Time
from kgstore.verbalise import NOTHING, UNKNOWN, amount_text, plural, time_text, value_text, verbalise

LABELS = {"http://ex/London": "London", "http://ex/cm": "centimetre", "http://ex/Mars": "Mars"}


def label_of(iri: str) -> str:
    return LABELS.get(iri, iri)


@pytest.mark.parametrize(
    ("label", "sentence"),
    [
        ("place of birth", "The place of birth of Ada is X."),
        ("population", "The population of Ada is X."),
        ("spouse", "The spouse of Ada is X."),
        ("mass", "The mass of Ada is X."),
        ("employees", "The employees of Ada are X."),
        ("visitors per year", "The visitors per year of Ada are X."),
        ("languages spoken, written or signed", "The languages spoken, written or signed by Ada are X."),
        ("award received", "The award received by Ada is X."),
        ("position held", "The position held by Ada is X."),
        ("twinned administrative body", "The twinned administrative body of Ada is X."),
        ("speed", "The speed of Ada is X."),
        ("educated at", "Ada was educated at X."),
        ("influenced by", "Ada was influenced by X."),
        ("named after", "Ada is named after X."),
        ("located in time zone", "Ada is located in time zone X."),
        ("said to be the same as", "Ada is said to be the same as X."),
        ("on focus list of", "Ada is on focus list of X."),
        ("member of", "Ada is a member of X."),
        ("owner of", "Ada is an owner of X."),
        ("part of", "Ada is part of X."),
        ("capital of", "Ada is the capital of X."),
        ("different from", "Ada is different from X."),
        ("partially coincident with", "Ada is partially coincident with X."),
        ("this taxon is source of", "Ada is source of X."),
        ("instance of", "Ada is a X."),
        ("has part", "Ada has part X."),
        ("follows", "Ada follows X."),
        ("shares border with", "Ada shares border with X."),
        ("lyrics by", "Ada has lyrics by X."),
        ("archives at", "Ada has archives at X."),
        ("bornIn", "Ada was born in X."),
        ("ex:place_of_birth", "The place of birth of Ada is X."),
        ("foaf:knows", "Ada knows X."),
        ("P19", "The P19 of Ada is X."),
        ("", "The value of Ada is X."),
    ],
)
def test_the_label_s_shape_decides_the_sentence(label, sentence):
    assert verbalise("Ada", label, "X") == sentence


def test_a_kind_takes_the_article_of_its_first_letter():
    assert verbalise("Ada", "instance of", "human") == "Ada is a human."
    assert verbalise("Ada", "instance of", "author") == "Ada is an author."


@pytest.mark.parametrize(
    ("label", "value", "sentence"),
    [
        ("born", "30 November 1975", "Ada was born on 30 November 1975."),
        ("born", "November 1975", "Ada was born in November 1975."),
        ("born", "1975 and 1976", "Ada was born in 1975 and 1976."),
        ("ex:founded", "1994 (statement Q1)", "Ada was founded in 1994 (statement Q1)."),
        ("approved", "the 1930s", "Ada was approved in the 1930s."),
        ("died", "1852-11-27", "Ada died on 1852-11-27."),
        ("joined", "2010", "Ada joined in 2010."),
        ("founded", "Acme", "Ada founded Acme."),
        ("married", "William", "Ada married William."),
        ("speed", "1931", "The speed of Ada is 1931."),
        ("won", "1931", "Ada won 1931."),
        ("scored", "1,931", "The scored of Ada is 1,931."),
        ("date founded", "1994", "The date founded by Ada is 1994."),
    ],
)
def test_a_participle_alone_with_a_date_says_when(label, value, sentence):
    assert verbalise("Ada", label, value) == sentence


def test_a_sentence_has_one_full_stop():
    assert verbalise("Ada", "residence", "Washington, D.C.") == "The residence of Ada is Washington, D.C."


@pytest.mark.parametrize(
    ("label", "value", "sentence"),
    [
        ("spouse", NOTHING, "Ada has no spouse."),
        ("educated at", NOTHING, "Ada was not educated at anything."),
        ("member of", NOTHING, "Ada is not a member of anything."),
        ("follows", NOTHING, 'Ada has no value for "follows".'),
        ("spouse", UNKNOWN, "The spouse of Ada is unknown."),
        ("educated at", UNKNOWN, "Ada was educated at an unknown value."),
    ],
)
def test_special_values_make_sentences_too(label, value, sentence):
    assert verbalise("Ada", label, value) == sentence


def test_qualifiers_stand_in_brackets():
    assert verbalise("Ada", "spouse", "William", [("start time", "1835"), ("place", "London")]) == (
        "The spouse of Ada is William (start time: 1835; place: London)."
    )


@given(st.text(), st.text(), st.text())
def test_any_label_makes_a_sentence_that_holds_subject_and_value(subject, label, value):
    sentence = verbalise(subject, label, value)
    assert subject.strip() in sentence and sentence[-1] in ".!?"
    assert value in (NOTHING, UNKNOWN) or value.strip() in sentence


@pytest.mark.parametrize(
    ("iso", "precision", "text"),
    [
        ("+1931-05-05T00:00:00Z", 11, "5 May 1931"),
        ("+1931-05-00T00:00:00Z", 10, "May 1931"),
        ("+1931-00-00T00:00:00Z", 9, "1931"),
        ("+1931-00-00T00:00:00Z", 8, "the 1930s"),
        ("+1801-00-00T00:00:00Z", 7, "the 19th century"),
        ("+1900-00-00T00:00:00Z", 7, "the 19th century"),
        ("+0201-00-00T00:00:00Z", 7, "the 3rd century"),
        ("-0450-00-00T00:00:00Z", 7, "the 5th century BCE"),
        ("+1150-00-00T00:00:00Z", 7, "the 12th century"),
        ("-1500-00-00T00:00:00Z", 6, "the 2nd millennium BCE"),
        ("-0044-00-00T00:00:00Z", 9, "44 BCE"),
        ("-0044-03-15T00:00:00Z", 11, "15 March 44 BCE"),
        ("+0014-08-19T00:00:00Z", 11, "19 August 14 CE"),
        ("-0447-00-00T00:00:00Z", 8, "the 440s BCE"),
        ("-50000-00-00T00:00:00Z", 5, "about 50,000 BCE"),
        ("+12024-00-00T00:00:00Z", 9, "12024"),
        ("+1931-00-00T00:00:00Z", 11, "1931"),
        ("+1931-05-00T00:00:00Z", 11, "May 1931"),
        ("+1969-07-20T20:17:40Z", 14, "20 July 1969, 20:17:40"),
        ("+1969-07-20T20:17:00Z", 13, "20 July 1969, 20:17"),
        ("no date", 11, "no date"),
    ],
)
def test_a_date_is_as_precise_as_it_is_known(iso, precision, text):
    assert time_text(Time(iso, precision)) == text


@pytest.mark.parametrize(
    ("amount", "text"),
    [
        ("4400000", "4,400,000"), ("165", "165"), ("0.937", "0.937"), ("-1234.50", "-1,234.5"), ("3.00", "3"),
        ("0", "0"), ("1E+3", "1,000"), ("1E+5000", "1E+5000"), ("1E-5000", "1E-5000"), ("100", "100"),
    ],
)  # fmt: skip
def test_an_amount_keeps_its_value(amount, text):
    assert amount_text(Decimal(amount)) == text


@given(st.decimals(allow_nan=False, allow_infinity=False))
def test_an_amount_reads_back(amount):
    assert Decimal(amount_text(amount).replace(",", "")) == amount


@pytest.mark.parametrize(
    ("unit", "many"),
    [
        ("year", "years"), ("metre per second", "metres per second"), ("square kilometre", "square kilometres"),
        ("degree Celsius", "degrees Celsius"), ("degree", "degrees"), ("foot", "feet"), ("inch", "inches"),
        ("percent", "percent"), ("Japanese yen", "Japanese yen"), ("henry", "henries"), ("day", "days"), ("kg", "kgs"),
        ("Q11573", "Q11573"), ("", ""), ("metres", "metres"), ("US dollar", "US dollars"), ("GB", "GB"),
    ],
)  # fmt: skip
def test_units_have_simple_plurals(unit, many):
    assert plural(unit) == many


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (NamedNode("http://ex/London"), "London"),
        (NamedNode("http://ex/unnamed"), "http://ex/unnamed"),
        (Literal("  two\n lines "), "two lines"),
        (Literal("Zürich", language="de"), "Zürich"),
        (Time("+1815-12-10T00:00:00Z"), "10 December 1815"),
        (Quantity(Decimal("4400000")), "4,400,000"),
        (Quantity(Decimal(165), "http://ex/cm"), "165 centimetres"),
        (Quantity(Decimal("1"), "http://ex/cm"), "1 centimetre"),
        (Quantity(Decimal("0.5"), "http://ex/cm"), "0.5 centimetres"),
        (Coordinate(51.50735, -0.12776), "51.5074° N, 0.1278° W"),
        (Coordinate(-33.9, 18.4, 0.1), "33.9° S, 18.4° E"),
        (Coordinate(4.5, 137.4, 0.1, "http://ex/Mars"), "4.5° N, 137.4° E on Mars"),
        (Special.SOME, UNKNOWN),
        (Special.NONE, NOTHING),
        (BlankNode("b"), UNKNOWN),
    ],
    ids=str,
)
def test_every_kind_of_value_has_a_text(value, text):
    assert value_text(value, label_of) == text
