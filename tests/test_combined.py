"""Rules and a language model together: what of the model's claims is added, and what is not, and why."""

from __future__ import annotations

import pytest

from kgstore.store import Store
from kgstore.verifier.claims import Claim
from kgstore.verifier.link.claims import unlinked
from kgstore.verifier.llm.combined import CombinedExtractor, relation_stands, supported
from kgstore.verifier.llm.extractor import LlmExtractor
from kgstore.verifier.llm.prompts import Triple, written
from kgstore.verifier.llm.reply import Found, to_propositions
from kgstore.verifier.pipeline import Verifier
from kgstore.verifier.read.proposition import Proposition
from tests.checks import check_report
from tests.test_llama_extractor import Canned

TEXT = "Mira Holt was born in Graz, where she ran the Lang Theatre with Emil Roth until 1960."


def read(text: str, *facts: Triple) -> list[Claim]:
    said, _ = to_propositions(text, [Found(*fact) for fact in facts])
    return [unlinked(text, one) for one in said]


def added(text: str, known: list[Triple], *more: Triple) -> tuple[list[str], dict[str, int]]:
    claims, left_out = supported(text, read(text, *known), read(text, *more))
    return [claim.tail.text for claim in claims], dict(left_out)


def test_what_the_rules_did_not_find_is_added():
    assert added(TEXT, [("Mira Holt", "was born in", "Graz")], ("Mira Holt", "ran", "Lang Theatre")) == (
        ["Lang Theatre"],
        {},
    )


def test_what_the_rules_have_stays_theirs_in_whatever_words_and_direction():
    known = [("Mira Holt", "was born in", "Graz")]
    assert added(TEXT, known, ("Mira Holt", "birthplace", "Graz"), ("Graz", "was born", "Mira Holt")) == ([], {})


def test_a_noun_that_names_a_known_relation_is_no_tail():
    text = "The Glass Harbour is a production of Bering Pictures."
    known = [("The Glass Harbour", "is a production of", "Bering Pictures")]
    assert added(text, known, ("The Glass Harbour", "is a", "production")) == ([], {"read otherwise by the rules": 1})


def test_what_a_definite_noun_says_of_its_name_is_added():
    text = "Mira Holt sang. The Austrian chemist died in Bern."
    more = [("Mira Holt", "has nationality", "Austrian"), ("Mira Holt", "is a", "chemist")]
    assert added(text, [("Mira Holt", "died in", "Bern")], *more)[0] == ["Austrian"]   # no KG here knows "chemist"


def test_a_tail_that_the_rules_give_to_another_head_is_left_out():
    assert added(TEXT, [("Mira Holt", "was born in", "Graz")], ("Emil Roth", "was born in", "Graz")) == (
        [],
        {"read otherwise by the rules": 1},
    )


def test_the_model_itself_may_not_say_the_same_twice():
    fact = ("Mira Holt", "ran", "Lang Theatre")
    assert len(added(TEXT, [], fact, ("Lang Theatre", "ran", "Mira Holt"))[0]) == 1


@pytest.mark.parametrize(
    "text",
    [
        "Mira Holt did not live in Graz.",
        "Mira Holt, who never saw Bern, lived in Graz.",
        "Did Mira Holt live in Graz?",
        "Mira Holt may have lived in Graz.",
        "Luc Petit claims Mira Holt lived in Graz.",
        "Luc Petit said that Mira Holt lived in Graz.",
        "It is a myth that Mira Holt lived in Graz.",
        "If Mira Holt lived in Graz, Luc Petit knew her.",
        "It is wrong that Mira Holt lived in Graz.",
    ],
)
def test_nothing_comes_from_a_sentence_that_denies_doubts_reports_or_asks(text):
    assert added(text, [], ("Mira Holt", "lived in", "Graz")) == ([], {"denied, doubted, reported or asked": 1})


def test_a_denial_in_another_sentence_does_not_matter():
    text = "Mira Holt did not sing. She lived in Graz."
    assert added(text, [], ("Mira Holt", "lived in", "Graz"))[0] == ["Graz"]


def test_a_relation_must_stand_in_the_sentence_or_be_implied():
    assert added(TEXT, [], ("Mira Holt", "owned", "Lang Theatre")) == ([], {"relation not in the text": 1})
    assert relation_stands("has nationality", "Mira Holt, an Austrian chemist, sang.")
    assert relation_stands("was educated at", "Her education took her to Basel.")
    assert not relation_stands("married", "Mira Holt met Emil Roth.")


def test_the_head_must_be_named_or_meant_in_the_sentence():
    text = "Mira Holt sang. The theatre in Graz closed in 1960."
    assert added(text, [], ("Mira Holt", "closed in", "1960")) == ([], {"head not in the sentence of the tail": 1})


def test_what_no_kg_could_name_is_left_out():
    text = "Mira Holt was remembered as a generous host."
    assert added(text, [], ("Mira Holt", "was remembered as", "a generous host")) == (
        [],
        {"about nothing that a KG could name": 1},
    )


@pytest.fixture(scope="module")
def store(small_kg):
    with Store(small_kg) as store:
        yield store


def combined(store: Store, *facts: Triple, reply: str | None = None) -> Verifier:
    verifier = Verifier(store)
    model = Canned(facts=[written(facts) if reply is None else reply])
    verifier.extractor = CombinedExtractor(verifier.rules, LlmExtractor(model, verifier.rules))
    return verifier


def test_claims_of_both_are_judged_in_reading_order_with_exact_spans(store):
    text = "Douglas Adams was born in Cambridge. London? Cambridge saw the birth of Douglas Adams."
    report = combined(store, ("Douglas Adams", "was born in", "Cambridge")).verify(text)
    check_report(report, store)
    assert [one.claim.start for one in report.verdicts] == sorted(one.claim.start for one in report.verdicts)
    assert not report.notices


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("Douglas Adams was not born in London.", ("Douglas Adams", "was born in", "London")),
        ("Was Douglas Adams born in London?", ("Douglas Adams", "was born in", "London")),
        ("Some believe Douglas Adams was born in London.", ("Douglas Adams", "was born in", "London")),
        ("Douglas Adams was born in Cambridge, not in London.", ("Douglas Adams", "was born in", "London")),
        ("Douglas Adams was born in Cambridge.", ("Douglas Adams", "died in", "Cambridge")),
        ("Douglas Adams was born in Cambridge.", ("Cambridge", "was born in", "Douglas Adams")),
    ],
)
def test_a_model_that_misreads_a_text_accuses_nobody(store, text, fact):
    report = combined(store, fact).verify(text)
    assert "contradictory" not in {one.label for one in report.verdicts}
    rules = Verifier(store).verify(text)
    assert [one.label for one in report.verdicts] == [one.label for one in rules.verdicts]


class Silent:
    """Rules that find nothing."""

    notices = ()

    def extract(self, text: str) -> list[Claim]:
        return []

    def linked(self, text: str, propositions: list[Proposition]) -> list[Claim]:
        return [unlinked(text, one) for one in propositions]


@pytest.mark.parametrize(("said", "count"), [("yes", 1), ("no", 0)])
def test_what_is_added_was_asked_about_once_more(said, count):
    model = Canned(facts=[written([("Mira Holt", "ran", "Lang Theatre")])], check=[f'["{said}"]'])
    extractor = CombinedExtractor(Silent(), LlmExtractor(model, Silent()))
    assert len(extractor.extract(TEXT)) == count
    assert model.asked[1:] == [("check", f"Text: {TEXT}\n1. Mira Holt ran Lang Theatre", 1)]
    assert bool(extractor.notices) is (said == "no")


def test_a_useless_reply_leaves_the_rules_claims_and_that_is_said(store):
    text = "Douglas Adams was born in Cambridge."
    verifier = combined(store, reply="sorry")
    assert [one.label for one in verifier.verify(text).verdicts] == ["attributable"]
    assert verifier.extractor.notices == [
        "llama: the model's reply is not a list of facts; the text has the claims of the rules only"
    ]
