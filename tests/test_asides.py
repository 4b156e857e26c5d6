"""What a sentence says beside what it tells is no claim."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kgstore.verifier.claims import Candidate, Claim, Label, Mention, Passage, Verdict
from kgstore.verifier.decide.tier import Tier
from kgstore.verifier.kg.align import Aligner
from kgstore.verifier.pipeline import Verifier
from kgstore.verifier.reader.asides import without_asides
from kgstore.verifier.reader.assertions import METHOD
from tests.plain_graph import plain_store
from tests.test_reader import COUNTED


@pytest.fixture(scope="module")
def counted(tmp_path_factory):
    with plain_store(COUNTED, tmp_path_factory.mktemp("asides")) as store:
        yield store


def test_what_is_said_to_the_reader_of_a_text_is_no_claim_beside_what_is_decided(counted):
    verifier = Verifier(counted, judge="none", reader="none")
    report = verifier.verify("You find the place easily, and Northfield has a population of 5,000.")
    assert [one.claim.head.text for one in report.verdicts] == ["Northfield"]
    report = verifier.verify("We all remember the place.")
    assert not report.verdicts and [one.why for one in report.coverage.unread] == ["opinion, instruction or greeting"]


def test_what_people_do_with_what_is_told_of_a_name_is_no_claim_beside_it(counted):
    text = "In Northfield people pay with Crowns and visit Westhaven, and so does her brother."
    field, people, crowns, other, brother = (
        Mention(text.index(name), text.index(name) + len(name), name)
        for name in ("Northfield", "people", "Crowns", "Westhaven", "brother")
    )
    verdicts = [
        Verdict(Claim(3, 36, "", field, "currency", crowns), Label.ATTRIBUTABLE, (1.0, 0.0, 0.0), "reader:statement"),
        Verdict(Claim(14, 36, "", people, "pay with", crowns), Label.EXTRAPOLATORY, (0.0, 1.0, 0.0), "rule:open"),
        Verdict(Claim(14, 56, "", people, "visit", other), Label.EXTRAPOLATORY, (0.0, 1.0, 0.0), "rule:open"),
        Verdict(Claim(14, 81, "", brother, "pays with", crowns), Label.EXTRAPOLATORY, (0.0, 1.0, 0.0), "rule:open"),
    ]
    kept = without_asides(verdicts, [Passage(0, len(text), ())], Aligner(counted))
    assert [one.claim.relation for one in kept] == ["currency", "visit", "pays with"]


def test_a_remark_that_no_graph_could_hold_is_no_claim_beside_what_is_decided(counted):
    def relations(text: str) -> list[str]:
        return [one.claim.relation for one in Verifier(counted, judge="none", reader="none").verify(text).verdicts]

    assert relations("Northfield has a population of 5,000 and keeps quite a few desks.") == ["has population of"]
    assert len(relations("Northfield keeps quite a few desks.")) == 1


@pytest.mark.parametrize(("method", "left"), [(METHOD, ["composer"]), ("rule:open", ["composer", "made music for"])])
def test_what_the_reader_denies_goes_where_the_same_two_are_decided_otherwise(counted, method, left):
    text = "Ann Smith made music for Grey Dunes."
    ann, dunes = Mention(0, 9, "Ann Smith", (Candidate("a", "Ann Smith", 1.0),)), Mention(25, 35, "Grey Dunes")
    open_ = Claim(0, 35, text[:-1], ann, "made music for", dunes)
    decided = Claim(0, 35, text[:-1], replace(dunes, candidates=(Candidate("d", "Grey Dunes", 1.0),)), "composer", ann)
    verdicts = [
        Verdict(decided, Label.ATTRIBUTABLE, (1.0, 0.0, 0.0), "reader:statement"),
        Verdict(open_, Label.EXTRAPOLATORY, (0.0, 1.0, 0.0), method),
    ]
    kept = without_asides(verdicts, [Passage(0, len(text), (ann, dunes))], Aligner(counted))
    assert [one.claim.relation for one in kept] == left


@pytest.mark.parametrize(("noun", "kept"), [("population", ["population"]), ("harbour", ["population", "has"])])
def test_the_name_of_a_relation_that_is_decided_is_no_claim_beside_it(counted, noun, kept):
    text = f"Northfield has 5,000 for a {noun}."
    field, number, word = (
        Mention(text.index(name), text.index(name) + len(name), name, (Candidate("f", name, 1.0),))
        for name in ("Northfield", "5,000", noun)
    )
    claims = Claim(0, 20, "", field, "population", number), Claim(0, 30, "", field, "has", word)
    verdicts = [
        Verdict(claims[0], Label.ATTRIBUTABLE, (1.0, 0.0, 0.0), "rule:number", relation="http://example.org/people"),
        Verdict(claims[1], Label.EXTRAPOLATORY, (0.0, 1.0, 0.0), Tier.SEVERAL_VALUES),
    ]
    found = without_asides(verdicts, [Passage(0, len(text), ())], Aligner(counted))
    assert [one.claim.relation for one in found] == kept
