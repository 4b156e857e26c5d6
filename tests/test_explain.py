"""What is said about a verdict, word for word."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kgstore.verifier.claims import Label, Role
from kgstore.verifier.report.explain import LONGEST_QUOTE, explain
from tests.small_graph import known, small_store, verdict

GOOD, OPEN, BAD = Label.ATTRIBUTABLE, Label.EXTRAPOLATORY, Label.CONTRADICTORY


@pytest.fixture(scope="module")
def store():
    with small_store() as store:
        yield store


def test_an_attributable_claim_is_told_as_the_kg_has_it(store):
    born = known(store, "Q1-born"), Role.SUPPORTS
    one = verdict("Ada was born in London.", "Ada", "was born in", "London", GOOD, born)
    said = explain(one, store)
    assert said.startswith("The KG states that the place of birth of Ada Lovelace is London")
    assert said.endswith(" (statement Q1-born).")


def test_a_contradiction_sets_the_words_of_the_text_beside_the_kg(store):
    born = known(store, "Q1-born"), Role.CONTRADICTS
    one = verdict("Ada was born in Paris.", "Ada", "was born in", "Paris", BAD, born)
    text, _, kg = explain(one, store).partition("; the KG says that ")
    assert text == "The text says “Ada was born in Paris”"
    assert kg == "the place of birth of Ada Lovelace is London (statement Q1-born)."


def test_a_statement_says_when_it_held(store):
    one = verdict("Ada left the club.", "Ada", "left", "club", GOOD, (known(store, "Q1-club"), Role.SUPPORTS))
    assert "(from 1830, statement Q1-club)" in explain(one, store)


def test_values_of_one_property_share_a_clause(store):
    clubs = [(known(store, name), Role.SUPPORTS) for name in ("Q1-club", "Q1-club2")]
    assert explain(verdict("Ada joined clubs.", "Ada", "joined", "clubs", GOOD, *clubs), store) == (
        "The KG states that Ada Lovelace is a member of Analytical Society (from 1830, statement Q1-club) "
        "and Royal Society (statement Q1-club2)."
    )


def test_a_chain_is_told_step_by_step(store):
    steps = (known(store, "Q1-land"), Role.SUPPORTS), (known(store, "Q6-people"), Role.CONTRADICTS)
    said = explain(verdict("Ada was French.", "Ada", "was", "French", BAD, *steps), store)
    assert said.index("country of citizenship") < said.index("demonym")
    assert said.count(", and that ") == 1


def test_a_long_claim_is_given_by_its_three_parts(store):
    text = "Ada Lovelace, " + "of whom so much has been told, " * 8 + "was born in Paris."
    assert len(text) > LONGEST_QUOTE
    one = verdict(text, "Ada Lovelace", "was born in", "Paris", BAD, (known(store, "Q1-born"), Role.CONTRADICTS))
    assert "“Ada Lovelace was born in Paris”" in explain(one, store)


def test_an_unknown_name_is_the_reason(store):
    one = verdict("Zed was born in Paris.", "Zed", "was born in", "Paris", OPEN, head_is=None, asks="P19")
    assert explain(one, store) == "The KG has no entity that “Zed” clearly names, so this cannot be checked."


def test_of_a_pronoun_the_reason_is_whom_it_means(store):
    one = verdict("He was born in Paris.", "He", "was born in", "Paris", OPEN, head_is=None, asks="P19")
    assert explain(one, store) == "Whom “He” means is not sure, so this cannot be checked."
    known = replace(one, claim=replace(one.claim, head=replace(one.claim.head, means="Zed")))
    assert explain(known, store) == "The KG has no entity that “Zed” clearly names, so this cannot be checked."


def test_a_relation_without_a_property_is_the_reason(store):
    one = verdict("Ada sued Paris.", "Ada", "sued", "Paris", OPEN, tail_is="Q3")
    assert explain(one, store) == "No property of the KG fits “sued”, so this cannot be checked."


def test_silence_of_the_kg_is_the_reason(store):
    one = verdict("Ada worked for Paris.", "Ada", "worked for", "Paris", OPEN, asks="P108", tail_is="Q3")
    assert explain(one, store) == "The KG has no “employer” for Ada Lovelace."


def test_other_values_are_listed_where_there_can_be_several(store):
    clubs = [(known(store, name), Role.RELATED) for name in ("Q1-club", "Q1-club2")]
    one = verdict("Ada joined the Byron family.", "Ada", "joined", "Byron family", OPEN, *clubs, tail_is="Q15")
    assert explain(one, store) == (
        "Under “member of” the KG lists Analytical Society and Royal Society for Ada Lovelace; "
        "there can be more, and Byron family is not mentioned."
    )
    assert "it has no entity that “Byron family” clearly names" in explain(replace(one, tail=None), store)


def test_a_date_finer_than_the_stored_one_is_said_to_be(store):
    year = (known(store, "Q4-date"), Role.RELATED)
    text = "Babbage was born on 26 December 1791."
    one = verdict(text, "Babbage", "was born on", "26 December 1791", OPEN, year, head_is="Q4")
    assert explain(one, store) == (
        "The KG gives the “date of birth” of Charles Babbage only as 1791, which does not decide “26 December 1791”."
    )


def test_a_hedged_claim_is_not_taken_for_an_assertion(store):
    born = known(store, "Q1-born"), Role.RELATED
    text = "Ada may be from Paris."
    said = explain(verdict(text, "Ada", "from", "Paris", OPEN, born, hedged=True), store)
    assert said.startswith("The text does not assert “Ada may be from Paris”; the KG says that the place")


def test_the_deciders_own_reason_is_used_where_the_evidence_tells_nothing(store):
    one = verdict("Ada sued Paris.", "Ada", "sued", "Paris", OPEN, asks=None, reason="two properties fit equally well")
    assert explain(one, store) == "Two properties fit equally well."


@pytest.mark.parametrize("label", list(Label))
def test_there_is_always_a_sentence(store, label):
    said = explain(verdict("Ada is X.", "Ada", "is", "X", label, asks="P106"), store)
    assert said[0].isupper() and said.endswith(".")


def test_a_better_reason_than_other_values_is_given(store):
    born = known(store, "Q1-born"), Role.RELATED
    text = "Ada was born in Soho."
    one = verdict(text, "Ada", "was born in", "Soho", OPEN, born, tail_is="Q3", reason="Soho is finer")
    assert explain(replace(one, method="rule:finer"), store) == "Soho is finer."
    assert "not mentioned" in explain(replace(one, method="rule:multi-hop"), store)


@pytest.mark.parametrize("label", list(Label))
def test_what_several_statements_say_together_is_told_with_them(store, label):
    role = {GOOD: Role.SUPPORTS, BAD: Role.CONTRADICTS}.get(label, Role.RELATED)
    reason = "the date of birth of Ada is later than that of Babbage"
    dates = [(known(store, name), role) for name in ("Q1-date", "Q4-date")]
    one = verdict("Ada was born before Babbage.", "Ada", "was born before", "Babbage", label, *dates, reason=reason)
    told = explain(replace(one, method="rule:comparison"), store)
    assert "later than that of Babbage" in told
    assert label is OPEN or "10 December 1815" in told
