"""``verify --method kernel``: what the graph kernel makes of claims about the shipped slice."""

from __future__ import annotations

import pytest

from kgstore.store import Store
from kgstore.verifier.claims import Label, Role
from kgstore.verifier.methods.kea import NAME, PHRASED, THRESHOLD
from kgstore.verifier.pipeline import Verifier
from kgstore.verifier.report.explain import explain
from kgstore.verifier.report.report import report_dict

YES, OPEN, NO = Label.ATTRIBUTABLE, Label.EXTRAPOLATORY, Label.CONTRADICTORY


@pytest.fixture(scope="module")
def verifier(small_kg):
    with Store(small_kg, read_only=True) as store:
        yield Verifier(store, judge="none", method=NAME)


@pytest.mark.parametrize(("text", "label"), [
    ("Douglas Adams was born in Cambridge.", YES),
    ("Brussels is the capital of Belgium.", YES),                   # turned round
    ("Walt Disney was born on 5 December 1901.", YES),
    ("Walt Disney was born in December 1901.", YES),                # less exact, and true
    ("The writer Douglas Adams was 1.96 metres tall.", YES),
    ("Walt Disney died in Paris.", NO),
    ("Douglas Adams died on 11 May 2003.", NO),
    ("Douglas Adams also spoke French.", OPEN),                     # one can speak several
    ("Douglas Adams was not born in Cambridge.", OPEN),             # no graph of the paper denies anything
    ("Douglas Adams was perhaps born in Paris.", OPEN),
    ("Elena Marchetti was born in Rome.", OPEN),
    ("The spouse of Yoko Ono died in London.", OPEN),
])  # fmt: skip
def test_verdicts(verifier, text, label):
    report = verifier.verify(text)
    assert report.label == label
    for verdict in report.verdicts:
        assert verdict.method == NAME and 0.0 <= verdict.scores[NAME] <= 1.0
        assert verdict.evidence or verdict.label is OPEN
        assert abs(sum(verdict.probabilities) - 1) < 1e-9
        assert verdict.confidence == max(verdict.probabilities)


def test_a_place_of_death_supports_no_place_of_birth(verifier):
    report = verifier.verify("Walt Disney was born in Los Angeles.")
    assert report.label != YES and report.verdicts[0].scores[NAME] < THRESHOLD


def test_the_contrast_names_both_sides_and_the_report_keeps_its_schema(verifier):
    report = verifier.verify("Walt Disney died in Paris.")
    found = report_dict(report, verifier.store)["claims"][0]
    assert found["scores"]["kernel"] == report.verdicts[0].scores[NAME]
    assert "Paris" in found["explanation"] and "Los Angeles" in found["explanation"]
    assert report.verdicts[0].reason == (
        "The text says “Walt Disney · place of death · Paris”; "
        "what is known says “Walt Disney · place of death · Los Angeles”."
    )
    assert [item.role for item in report.verdicts[0].evidence] == [Role.CONTRADICTS]


def test_the_score_of_a_text_is_that_of_its_whole_graph(verifier):
    true = verifier.verify("Douglas Adams was born in Cambridge. Brussels is the capital of Belgium.")
    mixed = verifier.verify("Douglas Adams was born in Paris. Brussels is the capital of Belgium.")
    assert true.scores["kernel"] > 0.95 > mixed.scores["kernel"] > 0.2
    assert verifier.verify("Hello there!").scores["kernel"] is None


# -- a language model's words ------------------------------------------------------------------------------------------


class Saying:
    """A language model that has one thing to say."""

    def __init__(self, words: str) -> None:
        self.words = words

    def write(self, task, question, most, schema=None):
        return self.words


@pytest.mark.parametrize(("words", "kept"), [
    ("The text has Walt Disney dying in Paris, while his place of death is Los Angeles.", True),
    ("The text says Paris, but Walt Disney died in Los Angeles, California.", False),   # nobody told it of California
    ("Walt Disney did not die in Paris.", False),                                       # where, then?
    ("In 1966 Walt Disney died in Los Angeles and not in Paris.", False),
    ("", False),
])  # fmt: skip
def test_a_models_words_stay_within_the_evidence(verifier, monkeypatch, words, kept):
    monkeypatch.setitem(verifier.__dict__, "language_model", Saying(words))
    report = verifier.verify("Walt Disney died in Paris.")
    verdict = report.verdicts[0]
    assert verdict.label is NO
    assert verdict.method == (PHRASED if kept else NAME)
    assert (verdict.reason == words) is kept
    assert (explain(verdict, verifier.store) == words) is kept
    assert any("stay plain" in notice for notice in report.notices) is not kept
