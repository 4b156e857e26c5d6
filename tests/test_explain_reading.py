"""How a text was read, stage by stage, as values and on the command line."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from kgstore.cli.main import main
from kgstore.store import Store
from kgstore.verifier.explained import explained, explained_without_kg
from kgstore.verifier.pipeline import Verifier

CLEFT = "It was in Ulm that Albert Einstein was born."
MARRIED = "Lou Reed was a musician. He was married to Laurie Anderson until 2013."


@pytest.fixture(scope="module")
def verifier(small_kg):
    with Store(small_kg) as store:
        yield Verifier(store)


def test_every_stage_is_shown(verifier):
    (one,) = explained(CLEFT, verifier)
    assert CLEFT[one.start : one.end] == one.text == CLEFT
    assert [(token.text, token.role) for token in one.parse][:3] == [("It", "nsubj"), ("was", "ROOT"), ("in", "prep")]
    assert one.shapes == ("cleft",)
    assert [(said.head, said.relation, said.tail) for said in one.propositions] == [
        ("Albert Einstein", "was born in", "Ulm")
    ]
    (claim,) = one.claims
    assert claim.said == one.propositions[0] and claim.heads[0].label == "Albert Einstein"


def test_what_the_reader_was_asked_stands_beside_its_sentence(verifier):
    first, second = explained(MARRIED, verifier)
    assert second.claims[0].said.head == "He = Lou Reed" and second.claims[0].said.remarks == ("until 2013",)
    asked = {(one.head, one.relation, one.tail): one.probability for one in second.asked}
    assert asked["He", "spouse", "Laurie Anderson"] > 0.5 and all(0 <= share <= 1 for share in asked.values())
    assert not any(one.tail == "Laurie Anderson" for one in first.asked)


def test_the_claims_are_those_of_the_verifier(verifier):
    text = f"{CLEFT} {MARRIED}\n\nBorn: 1879\n\nHe may not have met Ann."
    shown = [claim.said for one in explained(text, verifier) for claim in one.claims]
    assert [(one.relation, one.tail) for one in shown] == [
        (claim.relation, claim.tail.text) for claim in verifier.claims(text)
    ]


def test_grammar_alone_needs_no_kg():
    (one,) = explained_without_kg(CLEFT)
    assert one.shapes == ("cleft",) and one.claims == one.asked == ()
    assert [(said.head, said.tail) for said in one.propositions] == [("Albert Einstein", "Ulm")]


def test_on_the_command_line(small_kg):
    shown = CliRunner().invoke(main, ["explain-reading", CLEFT, "--kg", str(small_kg)])
    assert shown.exit_code == 0 and "cleft" in shown.output and "Albert Einstein | was born in | Ulm" in shown.output
    given = ["explain-reading", "-", "--kg", str(small_kg), "--format", "json"]
    found = json.loads(CliRunner().invoke(main, given, input=MARRIED).stdout)
    assert [one["text"] for one in found] == [MARRIED[:24], MARRIED[25:]]
    alone = CliRunner().invoke(main, ["explain-reading", CLEFT, "--no-kg"])
    assert alone.exit_code == 0 and "propositions" in alone.output and "claims" not in alone.output


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Two years later Lou Reed moved to Oslo.", [("Lou Reed", "Oslo")]),
        (
            "Lou Reed's wife, Laurie Anderson, sang in Oslo.",
            [("Laurie Anderson", "Oslo"), ("Lou Reed", "Laurie Anderson")],
        ),
        ("If you like Lou Reed, you can buy it.", []),
    ],
)
def test_what_is_no_value_and_who_is_nobody(verifier, text, said):
    (one,) = explained(text, verifier)
    assert [(claim.said.head, claim.said.tail) for claim in one.claims] == said
