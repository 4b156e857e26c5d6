"""Verdicts sentence by sentence: what was told and told again is what the report says of the whole text."""

from __future__ import annotations

from collections import Counter

import pytest

from kgstore.store import Store
from kgstore.verifier.pipeline import Verifier
from kgstore.verifier.report.report import Report, report_dict
from kgstore.verifier.report.told import Telling, Told

ADAMS = "Douglas Adams was born in Cambridge. He died in Paris. His spouse was Jane Belson."
LENNON = "Yoko Ono was married to John Lennon. She was born in London."
TEXTS = {
    "one sentence": "Douglas Adams was born in Paris.",
    "a paragraph": f"{ADAMS} What did he write? {LENNON}",
    "paragraphs": f"{ADAMS}\n\n{LENNON}\n\nShe was the spouse of John Lennon.",
    "she stands elsewhere": "Yoko Ono was married to John Lennon.\n\nShe was born in London.\n\nHe was born in Paris.",
    "a long paragraph": " ".join([ADAMS, LENNON] * 12),
    "a list": "Facts:\n- Douglas Adams was born in Cambridge.\n- He died in Paris.\n\n| a | b |\n|---|---|\n| 1 | 2 |",
    "no sentence end": "Douglas Adams was born in Cambridge " * 60,
    "nothing named": "It rained. Nobody came. The end.",
    "marks": "…!? \u202eDouglas Adams\u202c was born in Cambridge… 🎉🎉 He died in Paris!!!\n\n---\n\n***\n",
    "empty": "",
}


@pytest.fixture(scope="module")
def verifier(small_kg):
    with Store(small_kg) as store:
        yield Verifier(store)


def words(verdicts):
    return Counter((one.claim.start, one.claim.end, one.claim.relation, one.label, one.correction) for one in verdicts)


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS.keys())
def test_what_was_told_is_what_the_report_says(verifier, text):
    *parts, report = verifier.stream(text, "x")
    alone = verifier.verify(text, "x")
    assert isinstance(report, Report)
    assert {**report_dict(report, verifier.store), "timings_ms": {}} == {
        **report_dict(alone, verifier.store), "timings_ms": {}
    }  # fmt: skip
    told: list = []
    for one in parts:
        inside = [verdict for verdict in told if one.start <= verdict.claim.start < one.end]
        assert one.again or not inside
        told = [verdict for verdict in told if verdict not in inside] + list(one.verdicts)
        for verdict in one.verdicts:
            assert one.start <= verdict.claim.start < one.end
            for place in (verdict.claim, verdict.claim.head):
                assert text[place.start : place.end] == place.text
    assert words(told) == words(report.verdicts) or not parts


def test_every_sentence_comes_by_itself_and_in_order(verifier):
    *parts, report = verifier.stream(TEXTS["a paragraph"])
    first = [one for one in parts if not one.again]
    assert len(first) == report.coverage.sentences == 6
    assert all(one.end <= other.start for one, other in zip(first, first[1:], strict=False))
    assert [one.start for one in first if not one.verdicts] == [TEXTS["a paragraph"].index("What did")]


def test_a_sentence_is_decided_when_it_is_asked_for(verifier, monkeypatch):
    asked: list[int] = []
    decide = verifier._judged

    def judged(text, claims, passages):
        asked.append(len(claims))
        return decide(text, claims, passages)

    monkeypatch.setattr(verifier, "_judged", judged)
    coming = verifier.stream(TEXTS["a paragraph"])
    next(coming)
    assert asked == [1]
    next(coming)
    assert asked[1:] == [1, 1], "the first sentence once more, by what stands around it, and the second"


def test_what_was_told_is_not_told_again_unless_it_changes(verifier):
    first, second = verifier.verify(TEXTS["a paragraph"]).verdicts[:2]
    telling, one = Telling(), Told(0, 36, (first,))
    assert list(telling.news(one)) == [one] and not list(telling.news(one))
    assert list(telling.news(Told(37, 54, (second,)))) == [Told(37, 54, (second,))]
    assert list(telling.news(Told(0, 54, (first, second)))) == [], "one sentence or two, the same is said"
    assert list(telling.news(Told(0, 54, (second,)))) == [Told(0, 54, (second,), again=True)]
    assert one.moved(10).start == 10 and one.moved(10).verdicts[0].claim.start == first.claim.start + 10
