"""A value that a sentence may say of something else than the name beside it accuses nobody."""

from __future__ import annotations

import pytest

from kgstore.verifier.claims import Candidate, Mention, Passage
from kgstore.verifier.reader.others import may_be_others
from kgstore.verifier.values import DateValue


def asked(text: str, tail: str, score: float = 1.0) -> bool:
    """Of Ann Smith, beside the only other name or year of the sentence."""
    at, other = text.index("Ann Smith"), text.index(tail)
    head = Mention(at, at + 9, "Ann Smith", (Candidate("ann", "Ann Smith", score),))
    known = () if tail.isdigit() else (Candidate("other", tail, 1.0),)
    value = DateValue(int(tail)) if tail.isdigit() else None
    place = Mention(other, other + len(tail), tail, known, value)
    passage = Passage(0, len(text), (head, place))
    return may_be_others(text, passage, head, place, {"expedition"}.__contains__)


@pytest.mark.parametrize(
    ("text", "tail", "others"),
    [
        ("In 1828 Ann Smith founded it.", "1828", False),
        ("In 1828, the Ann Smith was launched.", "1828", False),
        ("It was in 1828 that Ann Smith was born.", "1828", False),
        ("A party begun in 1828 had Ann Smith for a member.", "1828", True),
        ("Ann Smith sang, two years after her birth in 1828.", "1828", True),
        ("Ann Smith was born in Graz.", "Graz", False),
        ("Ann Smith was a writer who was born in Graz.", "Graz", False),
        ("Ann Smith, a writer who was born in Graz, sang.", "Graz", False),
        ("Ann Smith has a cousin who, by the way, was born in Graz.", "Graz", True),
        ("Ann Smith has a cousin, one that was born in Graz.", "Graz", True),
        ("The Ann Smith expedition began in Graz.", "Graz", True),
        ("Ann Smith of Bergen was born in Graz.", "Graz", True),
        ("Ann Smith was there; born in Graz.", "Graz", True),
    ],
)
def test_of_whom_a_value_is_said(text, tail, others):
    assert asked(text, tail) is others


def test_a_name_that_may_mean_another_accuses_nobody():
    assert asked("Ann Smith was born in Graz.", "Graz", score=0.6)
