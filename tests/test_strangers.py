"""What a sentence says of somebody whom the KG does not know is not borne out by what the KG says of others."""

from __future__ import annotations

import pytest

from kgstore.store import Store
from kgstore.verifier.claims import Label, Mention, Passage
from kgstore.verifier.pipeline import Verifier
from kgstore.verifier.reader.strangers import is_apposed, is_somebody, joined, rivals


@pytest.fixture(scope="module")
def verifier(everyday_kg):
    with Store(everyday_kg) as store:
        yield Verifier(store)


def told(verifier: Verifier, text: str, kind: str) -> list[Label]:
    """How what a text says by one property was judged."""
    called = verifier.store.label
    pairs = [(one, item.statement.predicate.value) for one in verifier.verify(text).verdicts for item in one.evidence]
    return [one.label for one, relation in pairs if called(relation) == kind]


@pytest.mark.parametrize(
    "text",
    [
        "The brother of Julian Huxley, Tom Amsel, was a sculptor who died in London.",
        "Julian Huxley was followed by Tom Amsel, a sculptor who died in London.",
        "The biographer of Julian Huxley, Tom Amsel, died in London.",
        "According to Tom Amsel, a writer, Julian Huxley was a genius.",
    ],
)
def test_what_a_stranger_did_supports_nothing_of_somebody_known(verifier, text):
    assert not any(Label.ATTRIBUTABLE in told(verifier, text, kind) for kind in ("place of death", "occupation"))


def test_beside_a_stranger_the_known_keep_what_is_said_of_them(verifier):
    text = "Julian Huxley, a friend of Tom Amsel, died in London."
    assert told(verifier, text, "place of death") == [Label.ATTRIBUTABLE]


def named(text: str, name: str) -> Mention:
    return Mention(text.index(name), text.index(name) + len(name), name)


@pytest.mark.parametrize(
    ("text", "side_by_side"),
    [
        ("Ann Roe and Bob Poe sang", True),
        ("Ann Roe, Bob Poe and Cy Low sang", True),
        ("Ann Roe, Bob Poe, Cy Low, and Dan Orr sang", True),
        ("The wife of Ann Roe, Bob Poe, sang", False),
        ("Ann Roe met Bob Poe", False),
    ],
)
def test_a_comma_joins_two_names_only_in_a_list(text, side_by_side):
    one, other = named(text, "Ann Roe"), named(text, "Bob Poe")
    assert joined(text, one, other) is joined(text, other, one) is side_by_side


@pytest.mark.parametrize(
    ("text", "name", "somebody"),
    [
        ("Ann met Bob Poe.", "Bob Poe", True),
        ("Ann wrote “Bob Poe”.", "Bob Poe", False),
        ("Ann left in March.", "March", False),
        ("Ann met 12 men.", "12", False),
        ("Ann saw The Ring.", "The Ring", False),
    ],
)
def test_titles_months_and_amounts_are_nobody(text, name, somebody):
    assert is_somebody(text, named(text, name)) is somebody


def test_what_stands_in_apposition_is_told_of_the_name_before_it():
    text = "Bob Poe, a tall singer, met Ann Roe."
    bob, singer, ann = (named(text, one) for one in ("Bob Poe", "singer", "Ann Roe"))
    assert is_apposed(text, bob, singer) and not is_apposed(text, bob, ann) and not is_apposed(text, singer, bob)


def test_another_form_of_a_name_is_no_rival():
    text = "Kazuhiro Wada (Wada Kazuhiro), known as Kaz, met Bob Poe in Gifu."
    head, tail = named(text, "Kazuhiro Wada"), named(text, "Gifu")
    kaz = Mention(text.index("Kaz,"), text.index(", met"), "Kaz")
    unknown = (named(text, "Wada Kazuhiro"), kaz, named(text, "Bob Poe"), tail)
    assert [one.text for one in rivals(text, Passage(0, len(text), (), unknown=unknown), head, tail)] == ["Bob Poe"]


def test_what_no_property_says_is_not_put_down_to_one(verifier):
    (verdict,) = verifier.verify("Marie Curie moved to Paris.").verdicts
    assert verdict.reason == "no property of the KG fits “moved to”"  # it was a driving side
