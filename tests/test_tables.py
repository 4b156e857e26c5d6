"""Tables: which way round they are, and of whom a cell speaks."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kgstore.verifier.claims import Candidate, Label
from kgstore.verifier.pipeline import Verifier
from kgstore.verifier.read.lines import keyed_lines
from kgstore.verifier.read.tables import is_rule
from tests.plain_graph import plain_store
from tests.test_clauses import mentions
from tests.test_lines import NOUNS

UNKNOWN = "Alien", "Bob Jones"


def lines(text: str) -> list[tuple]:
    """(head, relation, values) of all that a table says; the KG knows every name but `UNKNOWN`."""
    named = [
        one if one.value is not None or one.text in UNKNOWN else replace(one, candidates=(Candidate("x", one.text, 1),))
        for one in mentions(text)
    ]
    found = [one for one in keyed_lines(text, named, NOUNS.__contains__) if one.values]
    return [(one.head and one.head.text, one.relation, [each.text for each in one.values]) for one in found]


@pytest.mark.parametrize(
    ("rows", "found"),
    [
        (["Country | Capital", "-|-", "Norway | Oslo"], [("Norway", "capital", ["Oslo"])]),
        ([" | Norway | NATO", "---|---|---", "Capital | Oslo | Bergen"],
         [("Norway", "capital", ["Oslo"]), ("NATO", "capital", ["Bergen"])]),
        (["Fact | **Norway** | Alien", ":--|:-:|--:", "**Capital** | Oslo | Bergen"],
         [("Norway", "capital", ["Oslo"])]),
        ([" | Norway | NATO", "---|---|---", "Capital |  | Bergen"], [("NATO", "capital", ["Bergen"])]),
        (["Norway | ", "---|---", "Capital | Oslo"], [("Norway", "capital", ["Oslo"])]),
        (["Name | Ann Smith", "---|---", "Born | 1931, Oslo"], [("Ann Smith", "born", ["1931", "Oslo"])]),
        (["Fact | Bob Jones", "---|---", "Capital | Oslo"], [(None, "capital", ["Oslo"])]),
        (["Fact | Bob Jones", "---|---", "Member of | NATO", "Rank | Oslo"], [(None, "member of", ["NATO"])]),
        # about something that nobody knows, and not what the text was about before
        (["Name | Alien", "---|---", "Capital | Oslo"], []),
        (["Alien | ", "---|---", "Capital | Oslo"], []),
        # a row in place of a head
        (["Capital | Oslo", "---|---", "Born | 1931"], [(None, "capital", ["Oslo"]), (None, "born", ["1931"])]),
        # "Bergen" names something, too, and yet the columns are relations
        (["City | Bergen | Capital", "---|---|---", "Norway | Ann Smith | Oslo"], [("Norway", "capital", ["Oslo"])]),
    ],
)  # fmt: skip
def test_who_a_cell_speaks_of(rows, found):
    assert lines("\n".join(f"| {row} |" for row in rows)) == found


@pytest.mark.parametrize(
    ("row", "skipped"),
    [("Rank | Bergen", True), ("1905 | He met Ann Smith", False), ("Later | He met Ann Smith.", False)],
)
def test_only_a_row_that_goes_on_is_left_to_grammar(row, skipped):
    """ "| Member of | NATO |", not understood, was read as one about NATO, and so were the rows below."""
    text = f"| Fact | Bob Jones |\n|---|---|\n| {row} |"
    found = [text[one.start : one.end] for one in keyed_lines(text, mentions(text), NOUNS.__contains__)]
    assert (f"| {row} |" in found) is skipped


@pytest.mark.parametrize(("line", "rules"), [("|:-|-:|", True), ("---", True), ("- |", False), ("a | b", False)])
def test_the_line_below_a_head(line, rules):
    assert is_rule(line, 0, len(line)) is rules


DRUGS = """
ex:Drug rdfs:label "Drug" . ex:treats rdfs:label "treats" .
ex:firm rdfs:label "manufacturer" ; a owl:FunctionalProperty .
ex:p a ex:Drug ; rdfs:label "propranolol" ; ex:treats ex:m ; ex:firm ex:a . ex:m rdfs:label "Migraine" ; a ex:Illness .
ex:q a ex:Drug ; rdfs:label "atenolol" ; ex:firm ex:b . ex:Illness rdfs:label "illness" .
ex:a rdfs:label "Acme" ; a ex:Firm . ex:b rdfs:label "Borg" ; a ex:Firm . ex:Firm rdfs:label "firm" .
"""


@pytest.mark.parametrize(
    "text",
    [
        "propranolol\nTreats: Migraine\nManufacturer: Acme",
        "propranolol. Treats: Migraine. Manufacturer: Acme.",
        "- **propranolol**\n  - Treats: Migraine\n  - Manufacturer: Acme",
        "| propranolol | |\n|---|---|\n| treats | Migraine |\n| manufacturer | Acme |",
        "| | propranolol | atenolol |\n|---|---|---|\n| treats | Migraine | |\n| manufacturer | Acme | Borg |",
    ],
)
def test_a_name_without_a_capital_has_rows_too(tmp_path, text):
    """In a graph of drugs two thirds of the facts in lists were taken for some about what is treated."""
    with plain_store(DRUGS, tmp_path) as store:
        verdicts = Verifier(store, judge="none", reader="none").verify(text).verdicts
    assert {one.label for one in verdicts} == {Label.ATTRIBUTABLE} and len(verdicts) == (3 if "atenolol" in text else 2)


def test_what_is_treated_is_not_what_follows_is_about(tmp_path):
    with plain_store(DRUGS, tmp_path) as store:
        verdicts = Verifier(store, judge="none", reader="none").verify("Treats: Migraine\nManufacturer: Acme").verdicts
    assert not verdicts


def test_two_countries_side_by_side_are_checked_apart(tmp_path):
    graph = """
    ex:Land rdfs:label "country" . ex:seat rdfs:label "capital" ; a owl:FunctionalProperty .
    ex:n a ex:Land ; rdfs:label "Norland" ; ex:seat ex:o . ex:s a ex:Land ; rdfs:label "Sudland" ; ex:seat ex:t .
    ex:o a ex:City ; rdfs:label "Osby" . ex:t a ex:City ; rdfs:label "Torp" . ex:City rdfs:label "city" .
    """
    text = "| | Norland | Sudland |\n|---|---|---|\n| Capital | Osby | Osby |\n"
    with plain_store(graph, tmp_path) as store:
        report = Verifier(store, judge="none", reader="none").verify(text)
    said = [(one.claim.head.text, one.label, text[one.claim.start : one.claim.end]) for one in report.verdicts]
    assert said == [("Norland", Label.ATTRIBUTABLE, "Capital | Osby"), ("Sudland", Label.CONTRADICTORY, "Osby")]
    assert [one.correction.text for one in report.verdicts if one.correction] == ["Torp"]
