"""Corrections: what is replaced, in which style, and that only verified edits are offered."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import pytest

from kgstore.model import NamedNode, Quantity, Rank, Time
from kgstore.prefixes import expand
from kgstore.verifier.claims import Candidate, Claim, Correction, Hop, Label, Role
from kgstore.verifier.report.correct import apply, correct, correct_text, correction
from kgstore.verifier.report.report import Report
from kgstore.verifier.values.formatting import amount_like, date_like
from tests.small_graph import LABELS, known, mention, small_store, verdict

BAD = Label.CONTRADICTORY


@pytest.fixture(scope="module")
def store():
    with small_store() as store:
        yield store


@pytest.mark.parametrize(
    ("text", "tail", "tail_is", "fact", "after"),
    [
        ("Ada was born in Paris.", "Paris", "Q3", "Q1-born", "Ada was born in London."),
        ("Ada was a citizen of the United States of America.", "United States of America", "Q7", "Q1-land",
         "Ada was a citizen of Germany."),
        ("Ada was a citizen of the United States of America.", "the United States of America", "Q7", "Q1-land",
         "Ada was a citizen of Germany."),
        ("Ada was a poet.", "poet", "Q9", "Q1-job", "Ada was an actor."),
        ("Ada was a poet.", "a poet", "Q9", "Q1-job", "Ada was an actor."),
        ("Ada was a French writer.", "French", "Q12", "Q1-land", "Ada was a German writer."),
        ("Ada was born on 5 May 1931.", "5 May 1931", None, "Q1-date", "Ada was born on 10 December 1815."),
        ("Ada was born on May 5th, 1931.", "May 5th, 1931", None, "Q1-date", "Ada was born on December 10th, 1815."),
        ("Ada was born in 1931.", "1931", None, "Q1-date", "Ada was born in 1815."),
        ("Ada was born in May 1931.", "May 1931", None, "Q1-date", "Ada was born in December 1815."),
    ],
)  # fmt: skip
def test_the_value_of_the_kg_takes_the_place_and_the_style_of_the_wrong_one(store, text, tail, tail_is, fact, after):
    one = verdict(text, "Ada", "?", tail, BAD, (known(store, fact), Role.CONTRADICTS), tail_is=tail_is)
    assert correct(text, [one], store)[0] == after


@pytest.mark.parametrize(
    ("text", "head_is", "tail", "tail_is", "fact", "after"),
    [
        ("X is from Germany.", "Q4", "Germany", "Q6", "Q4-land", "X is from the United States of America."),
        ("X was born on 26 December 1792.", "Q4", "26 December 1792", None, "Q4-date", "X was born in 1791."),
        ("X is 4,910 metres high.", "Q10", "4,910 metres", None, "Q10-high", "X is 4,810 metres high."),
        ("X is 4910 m high.", "Q10", "4910 m", None, "Q10-high", "X is 4810 m high."),
        ("X is 12,000 feet high.", "Q10", "12,000 feet", None, "Q10-high", "X is 15,800 feet high."),
        ("X has 4.4 million people.", "Q2", "4.4 million", None, "Q2-people", "X has 8.87 million people."),
        ("X has about 4,400,000 people.", "Q2", "4,400,000", None, "Q2-people", "X has about 8,900,000 people."),
    ],
)
def test_articles_prepositions_and_units_fit_the_new_value(store, text, head_is, tail, tail_is, fact, after):
    one = verdict(text, "X", "?", tail, BAD, (known(store, fact), Role.CONTRADICTS), head_is=head_is, tail_is=tail_is)
    if "about" in text:
        value = replace(one.claim.tail.value, approximate=True)
        one = replace(one, claim=replace(one.claim, tail=replace(one.claim.tail, value=value)))
    assert correct(text, [one], store)[0] == after


def test_a_statement_about_the_tail_replaces_the_head(store):
    text = "London is the capital of France."
    against = known(store, "Q12-capital"), Role.CONTRADICTS
    one = verdict(text, "London", "is the capital of", "France", BAD, against, head_is="Q2", tail_is="Q12")
    assert correct(text, [one], store) == ("Paris is the capital of France.", [Correction(0, 6, "Paris")])


def test_a_statement_read_backwards_gives_its_subject(store):
    text = "Lord Byron was the father of Charles Babbage."
    against = known(store, "Q1-father"), Role.CONTRADICTS
    one = verdict(text, "Lord Byron", "was the father of", "Charles Babbage", BAD, against, head_is="Q5", tail_is="Q4")
    assert correct(text, [one], store)[0] == "Lord Byron was the father of Ada Lovelace."


def test_of_several_values_the_preferred_or_latest_is_taken(store):
    text = "X has 12 people."
    base = known(store, "Q2-people")

    def in_year(year: int, amount: int, **more):
        times = ((NamedNode(expand("P585")), Time(f"+{year}-00-00T00:00:00Z", 9)),)
        return replace(base, value=Quantity(Decimal(amount)), qualifiers=times, **more), Role.CONTRADICTS

    values = [in_year(1984, 84), in_year(2016, 16), in_year(1992, 92)]
    one = verdict(text, "X", "has", "12", BAD, *values, head_is="Q2")
    assert correct(text, [one], store)[0] == "X has 16 people."
    one = verdict(text, "X", "has", "12", BAD, *values, in_year(1950, 50, rank=Rank.PREFERRED), head_is="Q2")
    assert correct(text, [one], store)[0] == "X has 50 people."


def test_at_the_end_of_a_chain_only_the_tail_is_replaced(store):
    text = "The daughter of Lord Byron was born in Paris."
    steps = (known(store, "Q1-father"), Role.SUPPORTS), (known(store, "Q1-born"), Role.CONTRADICTS)
    one = verdict(text, "Lord Byron", "was born in", "Paris", BAD, *steps, head_is="Q5", tail_is="Q3")
    one = replace(one, claim=replace(one.claim, bridge=(Hop("daughter"),)))
    assert correct(text, [one], store)[0] == "The daughter of Lord Byron was born in London."


def test_a_right_end_is_not_replaced_by_its_other_name(store):
    against = known(store, "Q1-club"), Role.CONTRADICTS  # the year is what is wrong
    text = "Ada joined the Analytics in 1850."
    assert correct(text, [verdict(text, "Ada", "joined", "Analytics", BAD, against, tail_is="Q13")], store)[1] == []


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("Ada was not born in London.", "Ada was born in London."),
        ("Ada wasn't born in London.", "Ada was born in London."),
        ("Ada did not come from London.", None),
    ],
)
def test_a_wrong_denial_loses_its_not_where_the_grammar_allows(store, text, after):
    born = known(store, "Q1-born"), Role.CONTRADICTS
    one = verdict(text, "Ada", "?", "London", BAD, born, tail_is="Q2", negated=True)
    assert correct(text, [one], store)[0] == (after or text)


def test_what_is_not_contradicted_is_left_alone(store):
    text = "Ada was born in Paris."
    for label in (Label.ATTRIBUTABLE, Label.EXTRAPOLATORY):
        one = verdict(text, "Ada", "was born in", "Paris", label, (known(store, "Q1-born"), Role.RELATED), tail_is="Q3")
        assert correct(text, [one], store) == (text, [])


def test_a_pronoun_an_unfit_unit_and_a_nameless_value_are_not_replaced(store):
    against = known(store, "Q1-born"), Role.CONTRADICTS
    one = verdict("Ada was born there.", "Ada", "was born", "there", BAD, against)
    pronoun = replace(one, claim=replace(one.claim, tail=replace(one.claim.tail, refers_to=(0, 3))))
    assert correction("Ada was born there.", pronoun, store) is None
    high = known(store, "Q10-high"), Role.CONTRADICTS
    text = "X weighs 12 kilograms."
    assert correction(text, verdict(text, "X", "weighs", "12 kilograms", BAD, high, head_is="Q10"), store) is None
    nameless = replace(against[0], value=type(against[0].subject)(expand("Q404")))
    text = "Ada was born in Paris."
    assert correction(text, verdict(text, "Ada", "?", "Paris", BAD, (nameless, Role.CONTRADICTS)), store) is None


def test_two_edits_never_overlap_and_the_surer_one_stays(store):
    text = "Ada was born in Paris."
    against = known(store, "Q1-born"), Role.CONTRADICTS
    sure = verdict(text, "Ada", "was born in", "Paris", BAD, against, tail_is="Q3")
    unsure = verdict(text, "Ada", "was", "born in Paris", BAD, (known(store, "Q1-job"), Role.CONTRADICTS))
    unsure = replace(unsure, probabilities=(0.2, 0.2, 0.6))
    assert correct(text, [unsure, sure, sure], store)[1] == [Correction(16, 21, "London")]


def test_edits_are_made_from_the_end_so_that_offsets_stay_true():
    assert apply("a b c", [Correction(0, 1, "long"), Correction(4, 5, "")]) == "long b "


@pytest.mark.parametrize(
    ("original", "shown"),
    [
        ("5 May 1931", "10 December 1815"),
        ("05 May 1931", "10 December 1815"),
        ("5th of May 1931", "10th of December 1815"),
        ("the 5th of May, 1931", "the 10th of December, 1815"),
        ("MAY 5, 1931", "DECEMBER 10, 1815"),
        ("Oct. 5, 1931", "Dec. 10, 1815"),
        ("5 Oct 1931", "10 Dec 1815"),
        ("1931-05-05", "1815-12-10"),
        ("1931-05", "1815-12"),
        ("05.05.1931", "10.12.1815"),
        ("25/05/1931", "10/12/1815"),
        ("05/25/1931", "12/10/1815"),
        ("05/06/1931", "10 December 1815"),
        ("1931 May 5", "1815 December 10"),
        ("the 1930s", "the 1810s"),
        ("20th century", "19th century"),
        ("44 BC", None),
        ("1914-1918", None),
    ],
)
def test_a_date_keeps_its_style(original, shown):
    assert date_like(original, Time("+1815-12-10T00:00:00Z", 11)) == shown


@pytest.mark.parametrize(
    ("original", "stored", "shown"),
    [
        ("5 May 1931", Time("+1815-12-00T00:00:00Z", 10), "December 1815"),
        ("5 May 1931", Time("+1815-00-00T00:00:00Z", 9), "1815"),
        ("May 1931", Time("+1815-00-00T00:00:00Z", 9), "1815"),
        ("05.05.1931", Time("+1815-00-00T00:00:00Z", 9), "1815"),
        ("1931-05-05", Time("+1815-00-00T00:00:00Z", 9), "1815"),
        ("15 March 44 BC", Time("-0063-09-23T00:00:00Z", 11), "23 September 63 BC"),
        ("1931", Time("+1810-00-00T00:00:00Z", 8), None),
    ],
)
def test_a_date_shows_no_more_than_the_kg_has(original, stored, shown):
    assert date_like(original, stored) == shown


@pytest.mark.parametrize(
    ("original", "unit", "stored", "names", "shown"),
    [
        ("14,976", "", "21500", (), "21,500"),
        ("14976", "", "21500", (), "21500"),
        ("14 976", "", "21500", (), "21 500"),
        ("976", "", "21500", (), "21,500"),
        ("0.2047 percent", "percent", "0.2908", ("percent",), "0.2908 percent"),
        ("165 cm", "cm", "1.8", ("metre",), "180 cm"),
        ("165 centimetres", "centimetre", "1.803", ("metre",), "180 centimetres"),
        ("2 minutes", "minute", "1", ("minute",), "1 minute"),
        ("1 minute", "minute", "90", ("minute",), "90 minutes"),
        ("8,367 square kilometres", "square kilometre", "2789", ("square kilometre",), "2,789 square kilometres"),
        ("2 square kilometres", "square kilometre", "1", ("square kilometre",), "1 square kilometre"),
        ("68 °F", "°F", "25", ("degree Celsius",), "77 °F"),
        ("$4.4 million", "$", "5100000", ("United States dollar",), "$5.1 million"),
        ("5 km", "km", "70", ("kilogram",), None),
        ("5 km", "km", "70", (), None),
        ("five", "", "70", (), None),
    ],
)
def test_an_amount_keeps_grouping_scale_and_unit(original, unit, stored, names, shown):
    unit_iri = expand("Q11") if names else None
    assert amount_like(original, unit, Quantity(Decimal(stored), unit_iri), names) == shown


# -- verified again ----------------------------------------------------------------------------------------------------


class Judge:
    """Finds "X was born in Y" and "X was a(n) Y"; the KG supports London and, if told, actor."""

    def __init__(self, store, supports=("London", "actor")) -> None:
        self.store, self.supports, self.calls = store, supports, []

    def __call__(self, text: str) -> Report:
        self.calls.append(text)
        verdicts = []
        for words, name, fact in (("born in Paris", "Q3", "Q1-born"), ("born in London", "Q2", "Q1-born"),
                                  ("a poet", "Q9", "Q1-job"), ("an actor", "Q8", "Q1-job")):  # fmt: skip
            if words not in text:
                continue
            tail = mention(text, LABELS[name], name)
            label = Label.ATTRIBUTABLE if tail.text in self.supports else BAD
            role = Role.SUPPORTS if tail.text in self.supports else Role.CONTRADICTS
            one = verdict("Ada is.", "Ada", "is", "is", label, (known(self.store, fact), role))
            head, start = mention(text, "Ada", "Q1"), tail.start - 5
            claim = Claim(start, tail.end, text[start : tail.end], head, "is", tail)
            verdicts.append(replace(one, claim=claim, tail=Candidate(expand(name), LABELS[name], 0.9)))
        return Report(text, tuple(verdicts))


def test_a_corrected_text_is_verified_before_it_is_offered(store):
    judge = Judge(store)
    done = correct_text("Ada was a poet, born in Paris.", judge, store)
    assert done.text == "Ada was an actor, born in London."
    assert [edit.text for edit in done.corrections] == ["an actor", "London"]
    assert (done.withheld, done.report.label, judge.calls[-1]) == (0, "attributable", done.text)


def test_an_edit_that_does_not_verify_is_withheld_and_the_others_stay(store):
    done = correct_text("Ada was a poet, born in Paris.", Judge(store, supports=("London",)), store)
    assert done.text == "Ada was a poet, born in London."
    assert [edit.text for edit in done.corrections] == ["London"]
    assert done.withheld == 1


def test_a_text_without_contradiction_is_verified_once_and_kept(store):
    judge = Judge(store)
    done = correct_text("Ada was born in London.", judge, store)
    assert (done.text, done.corrections, done.withheld, len(judge.calls)) == ("Ada was born in London.", (), 0, 1)
