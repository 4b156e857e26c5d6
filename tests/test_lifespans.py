"""Dates in brackets after a person's name."""

import re

import pytest

from kgstore.store import Store
from kgstore.verifier.claims import Candidate, Label, Mention
from kgstore.verifier.pipeline import Verifier
from kgstore.verifier.read.lifespans import keyed_brackets, lifespans
from kgstore.verifier.values import find_dates

NAME = "Ann Smith"


def claims(text, person=True):
    dates = [Mention(start, end, text[start:end], value=value) for start, end, value in find_dates(text)]
    names = [Mention(*one.span(), one[0]) for one in re.finditer(f"{NAME}|Baronet|Muradî", text)]
    mentions = sorted([*names, *dates], key=lambda one: one.start)
    found = lifespans(text, mentions, lambda mention: person and mention.text == NAME)
    return [(one.relation, one.text, one.tail.value.year) for one in found]


@pytest.mark.parametrize("text, expected", [
    (f"{NAME} (10 December 1815 – 27 November 1852) was a writer.",
     [("date of birth", "10 December 1815", 1815), ("date of death", "27 November 1852", 1852)]),
    (f"{NAME} (born 5 May 1931) was a writer.", [("date of birth", "5 May 1931", 1931)]),
    (f"{NAME} (b. May 5, 1931) was a writer.", [("date of birth", "May 5, 1931", 1931)]),
    (f"{NAME} (1931) was a second marriage.", []),
    (f"{NAME} (died 5 May 1931) was a writer.", [("date of death", "5 May 1931", 1931)]),
    (f"{NAME} (1815–1852) was a writer.",
     [("date of birth", "1815–1852", 1815), ("date of death", "1815–1852", 1852)]),
    (f"{NAME} (May 5, 1931, Rome – June 6, 1990) was a writer.",
     [("date of birth", "May 5, 1931", 1931), ("date of death", "June 6, 1990", 1990)]),
    (f"{NAME} (;4 August 1932–28 October 2010) was a writer.",
     [("date of birth", "4 August 1932", 1932), ("date of death", "28 October 2010", 2010)]),
    (f"{NAME}; 8 May 1753 – 30 July 1811), known as Miguel, was a priest.", []),
    (f"{NAME}, 1st Baronet (19 May 1767–5 January 1816) was an officer.",
     [("date of birth", "19 May 1767", 1767), ("date of death", "5 January 1816", 1816)]),
    (f"{NAME} (San Fernando, Chile, August 29, 1869 – Santiago, Chile, July 23, 1925) was a painter.",
     [("date of birth", "August 29, 1869", 1869), ("date of death", "July 23, 1925", 1925)]),
    (f"{NAME} (Kurdish ʿElî Muradî, عەلی; born 1957) is a musician.", [("date of birth", "1957", 1957)]),
    (f"{NAME} (president 1 May 1990 – 3 May 1994) was a writer.", []),
    (f"{NAME} (reigned 1714–1727) was a king.", []),
    (f"{NAME} (Alien, 1979) was a director.", []),
    (f"{NAME}; 1990 and 1991) were cold.", []),
    (f"{NAME} (see page 7) was born on 5 May 1931.", []),
    (f"{NAME} was born on 5 May 1931.", []),
])
def test_brackets_after_a_name_claim_birth_and_death(text, expected):
    assert claims(text) == expected


@pytest.mark.parametrize("text, born, died", [
    ("(27 January 1756 in Salzburg – 5 December 1791 in Vienna)", ["Salzburg"], ["Vienna"]),
    ("(Salzburg, Austria, 27 January 1756 – Vienna, 5 December 1791)", ["Salzburg"], ["Vienna"]),
    ("(27 January 1756, Vienna - 5 December 1791, Saint-Cloud, France)", ["Vienna"], ["Saint-Cloud"]),
    ("(27 January 1756 in Saint-Cloud, Ile-de-France – 5 December 1791)", ["Saint-Cloud"], []),
    ("(Latin: Vienna; 27 January 1756 – 5 December 1791 near Vienna)", [], []),
    ("(27 January 1756 – 5 December 1791), Vienna", [], []),
])
def test_brackets_about_a_life_claim_its_places(text, born, died):
    text = f"{NAME} {text} was a writer."
    dates = [Mention(start, end, text[start:end], value=value) for start, end, value in find_dates(text)]
    one = Candidate("http://ex/one", "one", 1.0)
    names = [Mention(*found.span(), found[0], (one,)) for found in re.finditer("Salzburg|Vienna|Saint-Cloud", text)]
    mentions = sorted([Mention(0, len(NAME), NAME), *names, *dates], key=lambda one: one.start)
    found = list(lifespans(text, mentions, lambda mention: mention.text == NAME))
    assert [one.text for one in found if one.relation == "place of birth"] == born
    assert [one.text for one in found if one.relation == "place of death"] == died


def test_brackets_after_what_is_no_person_claim_nothing():
    assert claims(f"{NAME} (1914–1918) was a war.", person=False) == []


@pytest.mark.parametrize(
    ("years", "said"),
    [
        ("1990–1998", []),
        ("1990 to 1998", []),
        ("1 May 1990 – 3 May 1998", []),
        ("1931–1998", [1931, 1998]),
        ("1921–1998", [1921, 1998]),
        ("born 1990, died 1998", [1990, 1998]),
        ("born: 5 May 1990, died: 6 May 1998", [1990, 1998]),
    ],
)
def test_who_is_grown_up_when_a_period_begins_held_an_office_then(years, said):
    text = f"{NAME} ({years})"
    dates = [Mention(start, end, text[start:end], value=value) for start, end, value in find_dates(text)]
    found = lifespans(text, [Mention(0, len(NAME), NAME), *dates], lambda mention: True, lambda mention: 1931)
    assert [one.tail.value.year for one in found] == said


@pytest.mark.parametrize(("name", "said"), [("John", []), ("John Smith", [1905, 1919])])
def test_a_given_name_alone_is_that_of_others_too(name, said):
    text = f"{name} (1905–1919)"
    dates = [Mention(start, end, text[start:end], value=value) for start, end, value in find_dates(text)]
    found = lifespans(text, [Mention(0, len(name), name), *dates], lambda mention: True, lambda mention: 1957)
    assert [one.tail.value.year for one in found] == said


def test_each_key_in_brackets_is_the_relation_of_its_value():
    text = f"{NAME} (born: 1931, spouse: Bob; place of birth: Oslo) sings."
    names = [Mention(*one.span(), one[0]) for one in re.finditer(f"{NAME}|1931|Bob|Oslo", text)]
    keys = {"born": "born in", "place of birth": "place of birth"}
    found = [(one.head.text, one.relation, one.tail.text) for one in keyed_brackets(text, names, keys.get)]
    assert found == [(NAME, "born in", "1931"), (NAME, "place of birth", "Oslo")]


def test_a_key_in_brackets_is_the_relation():
    text = f"{NAME} (place of birth: Oslo)"
    mentions = [Mention(0, len(NAME), NAME), Mention(27, 31, "Oslo")]
    (claim,) = keyed_brackets(text, mentions, {"place of birth": "place of birth"}.get)
    assert (claim.head.text, claim.relation, claim.tail.text, claim.text) == (NAME, "place of birth", "Oslo", text)
    assert list(keyed_brackets(text, mentions, {}.get)) == []


def test_a_birth_in_brackets_is_no_publication(small_kg):
    """Nor is "b. March 11, 1952" what he is."""
    with Store(small_kg, read_only=True) as store:
        verifier = Verifier(store, judge="none", reader="none")
        verdicts = verifier.verify("Douglas Adams (b. March 11, 1952) was a writer.").verdicts
    dated = [(one.claim.relation, one.label) for one in verdicts if "1952" in one.claim.tail.text]
    assert dated == [("date of birth", Label.ATTRIBUTABLE)]


def test_a_term_of_office_in_brackets_accuses_nobody(small_kg):
    """Nor does a second key behind "born"."""
    with Store(small_kg, read_only=True) as store:
        verifier = Verifier(store)
        for text in ("Douglas Adams (1978–1985) made radio.", "Douglas Adams (1 May 1978 – 3 May 1985) made radio."):
            assert not [one for one in verifier.verify(text).verdicts if one.label is Label.CONTRADICTORY], text
        verdicts = verifier.verify("Douglas Adams. Born: 11 March 1952. Died: 11 May 2001.").verdicts
    assert [(one.claim.relation, one.label) for one in verdicts] == [
        ("born in", Label.ATTRIBUTABLE), ("died in", Label.ATTRIBUTABLE)
    ]  # fmt: skip


def test_what_stands_behind_a_line_is_read_too(small_kg):
    with Store(small_kg, read_only=True) as store:
        report = Verifier(store).verify("Place of birth of Douglas Adams: Cambridge. Douglas Adams was a writer.")
    assert [one.claim.tail.text for one in report.verdicts] == ["Cambridge", "writer"]
    assert [one.label for one in report.verdicts] == [Label.ATTRIBUTABLE] * 2
    assert report.coverage.sentences == report.coverage.read == 2


@pytest.mark.parametrize(
    ("text", "accused"),
    [
        ("Douglas Adams was older than Bob Roe (born 5 May 1961; died 6 May 1999).", False),
        ("Douglas Adams played Hamlet (1975).", False),
        ("Douglas Adams (born 5 May 1961; died 6 May 1999) was older than Bob Roe.", True),
    ],
)
def test_brackets_behind_a_name_are_about_nobody_else(small_kg, text, accused):
    with Store(small_kg, read_only=True) as store:
        verdicts = Verifier(store).verify(text).verdicts
    assert any(one.label is Label.CONTRADICTORY for one in verdicts) is accused


def test_a_second_date_of_a_line_accuses_nobody(small_kg):
    with Store(small_kg, read_only=True) as store:
        text = "Date of birth of Douglas Adams: 11 March 1952 (old), 12 March 1953 (new)"
        verdicts = Verifier(store).verify(text).verdicts
    assert [one.label for one in verdicts] == [Label.ATTRIBUTABLE, Label.EXTRAPOLATORY]
