"""A value that a sentence may say of something else than the name beside it accuses nobody."""

from __future__ import annotations

import pytest

from kgstore.verifier.claims import Candidate, Mention, Passage
from kgstore.verifier.reader.others import LINKED, may_be_others
from kgstore.verifier.values import DateValue


@pytest.mark.parametrize(
    ("text", "others"),
    [
        ("In 1828 Ann Smith founded it.", False),
        ("In 1828, the Ann Smith was launched.", False),
        ("It was in 1828 that Ann Smith was born.", False),
        ("Oslo saw Ann Smith in 1828.", True),
        ("Ann Smith sang, two years after her birth in 1828.", True),
        ("The Ann Smith zoo, founded in 1828, is closed.", True),
        ("The Ann Smith gazebo was built in 1828.", True),
        ("Ann Smith has been known since 1828.", False),
        ("It is Ann Smith who was born in 1828.", False),
        ("At Acme, which Ann Smith left in 1828, all went on.", True),
    ],
)
def test_of_whom_a_date_is_said(text, others):
    def place(name: str, value: DateValue | None = None) -> Mention:
        at = text.index(name)
        return Mention(at, at + len(name), name, () if value else (Candidate(name, name, 1.0),), value)

    named = [place(name) for name in ("Ann Smith", "Oslo") if name in text]
    year = place("1828", DateValue(1828))
    assert may_be_others(text, Passage(0, len(text), (*named, year)), named[0], year, {"zoo"}.__contains__) is others


@pytest.mark.parametrize("score", [0.6, 0.8])
def test_a_name_that_may_mean_another_accuses_nobody(score):
    text = "Ann Smith was born in Graz."
    ann = Mention(0, 9, "Ann Smith", (Candidate("ann", "Ann Smith", score),))
    graz = Mention(22, 26, "Graz", (Candidate("graz", "Graz", 1.0),))
    assert may_be_others(text, Passage(0, len(text), (ann, graz)), ann, graz, {"zoo"}.__contains__) is (score < LINKED)
