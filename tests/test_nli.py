"""The judge as a tier: what is asked of it, and what may follow from its answers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import pytest

from kgstore.prefixes import expand
from kgstore.store import Store
from kgstore.verifier.claims import Candidate, Claim, Evidence, Hop, Label, Measure, MeasureKind, Mention, Role, Verdict
from kgstore.verifier.decide.grounds import Ground, grounds, premise, sentence
from kgstore.verifier.decide.nli import Question, is_open, questions, second_opinions
from kgstore.verifier.judges.hypothesis import hypothesis
from kgstore.verifier.link.said import with_said
from kgstore.verifier.pipeline import Verifier
from kgstore.verifier.report.report import report_dict
from kgstore.verifier.values import find_dates
from tests.checks import check_report
from tests.test_cli import refused, run

BREATH = "Douglas Adams cried for the first time in Cambridge."
ADAMS, CAMBRIDGE = "Q42", "Q350"
YES, PERHAPS, NO = (0.98, 0.01, 0.01), (0.1, 0.8, 0.1), (0.01, 0.01, 0.98)


class Says:
    """A judge that answers by a rule, and remembers what it was asked."""

    def __init__(self, answer: Callable[[str, str], tuple[float, float, float]]) -> None:
        self.answer, self.asked = answer, []

    def judge(self, pairs: Sequence[tuple[str, str]]) -> np.ndarray:
        self.asked.append(list(pairs))
        return np.array([self.answer(*pair) for pair in pairs], np.float32).reshape(-1, 3)


def always(answer: tuple[float, float, float]) -> Says:
    return Says(lambda premise, hypothesis: answer)


@pytest.fixture(scope="module")
def base(small_kg):
    """A verifier without a judge: what it knows of the slice."""
    with Store(small_kg) as store:
        yield Verifier(store, judge="none")


def held(base: Verifier, verdict: Verdict) -> list[Ground]:
    return grounds(verdict, base.knowledge, base.aligner)


def ask(base: Verifier, text: str, verdicts: Sequence[Verdict]) -> dict[int, Question]:
    return questions(text, verdicts, base.knowledge, base.aligner)


def mention(base: Verifier, text: str, words: str, *items: str, score: float = 1.0) -> Mention:
    start = text.index(words)
    candidates = tuple(Candidate(expand(item), base.store.label(expand(item)), score) for item in items)
    dates = [value for a, b, value in find_dates(words) if (a, b) == (0, len(words))]
    return Mention(start, start + len(words), words, candidates, None if items else next(iter(dates), None))


def open_verdict(base: Verifier, text: str, head: str, relation: str, tail: str, **parts) -> Verdict:
    """An undecided verdict on a claim that is the whole text. A name with its item: ``Douglas Adams/Q42``."""
    score = parts.pop("score", 1.0)
    first, last = (mention(base, text, *words.split("/"), score=score) for words in (head, tail))
    claim = with_said(text, Claim(0, len(text) - 1, text[:-1], first, relation, last, **parts))
    ends = [next(iter(one.candidates), None) for one in (first, last)]
    return Verdict(claim, Label.EXTRAPOLATORY, (0.1, 0.8, 0.1), "rule:open", head=ends[0], tail=ends[1])


@pytest.fixture
def breath(base) -> Verdict:
    return open_verdict(base, BREATH, f"Douglas Adams/{ADAMS}", "cried for the first time in", f"Cambridge/{CAMBRIDGE}")


def heard(base: Verifier, text: str, verdict: Verdict, judge: Says) -> Verdict:
    return second_opinions([verdict], ask(base, text, [verdict]), judge)[0]


# -- what the judge may decide -----------------------------------------------------------------------------------------


def test_a_claim_that_follows_from_a_statement_with_both_ends_is_attributable(base, breath):
    verdict = heard(base, BREATH, breath, always(YES))
    assert (verdict.label, verdict.method, verdict.why_not) == (Label.ATTRIBUTABLE, "nli", None)
    (evidence,) = verdict.evidence
    assert evidence.role is Role.SUPPORTS
    assert sentence(evidence.statement, base.store) == "The place of birth of Douglas Adams is Cambridge."
    assert verdict.scores["nli_entails"] == pytest.approx(0.98)


def test_of_several_statements_the_one_from_which_it_follows_is_the_evidence(base):
    text = "Germany has much to do with Berlin."
    verdict = open_verdict(base, text, "Germany/Q183", "has much to do with", "Berlin/Q64")
    assert len(held(base, verdict)) > 1
    judge = Says(lambda premise, _: YES if "capital" in premise else PERHAPS)
    decided = heard(base, text, verdict, judge)
    assert "capital" in base.store.label(decided.evidence[0].statement.predicate.value)
    assert decided.relation == decided.evidence[0].statement.predicate.value


def test_all_premises_must_agree(base, breath):
    for answer in (
        lambda premise, _: YES if "\n" in premise else PERHAPS,
        lambda premise, _: PERHAPS if "\n" in premise else YES,
    ):
        verdict = heard(base, BREATH, breath, Says(answer))
        assert (verdict.label, verdict.method, verdict.evidence) == (breath.label, breath.method, breath.evidence)


def test_an_undecided_claim_keeps_the_judge_s_probabilities(base, breath):
    verdict = heard(base, BREATH, breath, always(PERHAPS))
    assert verdict == replace(breath, scores={"nli_entails": 0.1, "nli_neutral": 0.8, "nli_contradicts": 0.1})


def test_a_date_that_a_statement_holds_is_a_ground(base):
    text = "Douglas Adams cried for the first time in 1952."
    verdict = open_verdict(base, text, f"Douglas Adams/{ADAMS}", "cried for the first time in", "1952")
    ground = held(base, verdict)[0]
    assert sentence(ground.statements[0], base.store) == "The date of birth of Douglas Adams is 11 March 1952."
    assert ground.text == "The date of birth of Douglas Adams is 1952."
    assert heard(base, text, verdict, always(YES)).label is Label.ATTRIBUTABLE


def test_a_claim_of_two_steps_may_rest_on_two_statements(base):
    text = "The birthplace of Douglas Adams belongs with the United Kingdom."
    ends = f"Douglas Adams/{ADAMS}", "belongs with", "United Kingdom/Q145"
    plain = open_verdict(base, text, *ends)
    chained = open_verdict(base, text, *ends, bridge=(Hop("birthplace", definite=True),))
    assert all(len(ground.statements) == 1 for ground in held(base, plain))
    (ground,) = held(base, chained)  # his citizenship is another property than the one that is named
    assert ground.text .split("\n") == [
        "The place of birth of Douglas Adams is Cambridge.", "The country of Cambridge is United Kingdom."
    ]  # fmt: skip


def test_without_a_statement_that_holds_both_ends_nothing_is_asked(base):
    text = "Douglas Adams had his birth and baptism in Berlin."
    verdict = open_verdict(base, text, f"Douglas Adams/{ADAMS}", "had birth and baptism in", "Berlin/Q64")
    assert ask(base, text, [verdict]) == {}


def test_words_that_name_a_property_leave_nothing_to_judge(base):
    for relation in ("was influenced by", "was educated at"):
        text = f"Douglas Adams {relation} Cambridge."
        verdict = open_verdict(base, text, f"Douglas Adams/{ADAMS}", relation, f"Cambridge/{CAMBRIDGE}")
        assert held(base, verdict) == []


def test_an_amount_with_a_unit_is_held_by_amounts_only(base):
    text = "Berlin has much to do with {}."
    bare, metres = (
        open_verdict(base, text.format(tail), "Berlin/Q64", "has much to do with", tail) for tail in ("30", "30 metres")
    )
    codes = [sentence(ground.statements[0], base.store) for ground in held(base, bare)]
    assert "The local dialing code of Berlin is 030." in codes or codes == []
    assert held(base, metres) == []


# -- contradictions ----------------------------------------------------------------------------------------------------


@pytest.fixture
def doubted(base, breath) -> tuple[str, Verdict]:
    """A contradiction that the rules saw and withheld: the words might mean something else."""
    text = "Douglas Adams had his birth and baptism in Berlin."
    verdict = open_verdict(base, text, f"Douglas Adams/{ADAMS}", "had birth and baptism in", "Berlin/Q64")
    (born,) = held(base, breath)[0].statements
    evidence = (Evidence(born, Role.RELATED),)
    return text, replace(verdict, method="rule:ambiguous", evidence=evidence, relation=born.predicate.value)


def test_the_judge_confirms_a_contradiction_that_the_rules_withheld(base, doubted):
    text, verdict = doubted
    decided = heard(base, text, verdict, always(NO))
    assert (decided.label, decided.method) == (Label.CONTRADICTORY, "nli")
    assert [one.role for one in decided.evidence] == [Role.CONTRADICTS]
    assert decided.reason


def test_the_judge_alone_accuses_nobody(base, doubted):
    text, verdict = doubted
    for open_one in (
        replace(verdict, method="rule:several-values"),
        replace(verdict, method="rule:open"),
        replace(verdict, claim=replace(verdict.claim, relation="is")),
        replace(verdict, claim=replace(verdict.claim, relation="cried for the first time in")),
        replace(verdict, head=replace(verdict.head, score=0.5)),
        replace(verdict, tail=replace(verdict.tail, score=0.5)),
    ):
        assert heard(base, text, open_one, always(NO)) == open_one
    assert heard(base, text, verdict, always((0.0, 0.2, 0.8))).label is Label.EXTRAPOLATORY


def test_where_a_statement_holds_both_ends_nobody_is_accused(base, breath):
    verdict = replace(breath, method="rule:ambiguous")
    assert heard(base, BREATH, verdict, always(NO)).label is Label.EXTRAPOLATORY


# -- what is left alone ------------------------------------------------------------------------------------------------


def test_only_open_claims_that_are_asserted_and_linked_are_judged(base, breath):
    claim = breath.claim
    unlinked = replace(claim.tail, candidates=(), text="Zorkville")
    left = [
        replace(breath, label=Label.ATTRIBUTABLE),
        replace(breath, label=Label.CONTRADICTORY),
        replace(breath, head=None),
        replace(breath, why_not="entity not found"),
        replace(breath, claim=replace(claim, negated=True)),
        replace(breath, claim=replace(claim, hedged=True)),
        replace(breath, claim=replace(claim, when=find_dates("1952")[0][2])),
        replace(breath, head=replace(breath.head, score=0.4)),
        replace(breath, claim=replace(claim, measure=Measure(MeasureKind.COUNT, ("children",)))),
        replace(breath, claim=replace(claim, tail=unlinked), tail=None),
    ]
    assert is_open(breath) and not any(map(is_open, left))
    assert ask(base, BREATH, left) == {}


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("Today Douglas Adams cried for the first time in Cambridge.", True),
        ("2nd Douglas Adams cried for the first time in Cambridge.", False),
        ("Then John Douglas Adams cried for the first time in Cambridge.", False),
        ("Douglas Adams Memorial cried for the first time in Cambridge.", False),
        ("Douglas Adams cried for the first time in Cambridge Springs.", False),
    ],
)
def test_a_part_of_a_longer_name_is_not_judged(base, text, asked):
    ends = f"Douglas Adams/{ADAMS}", "cried for the first time in", f"Cambridge/{CAMBRIDGE}"
    verdict = open_verdict(base, text, *ends)
    assert bool(ask(base, text, [verdict])) is asked


def test_a_text_is_judged_in_one_call_and_claims_keep_their_places(base, breath):
    verdicts = [replace(breath, head=None), breath, replace(breath, label=Label.CONTRADICTORY), breath]
    judge = always(YES)
    found = second_opinions(verdicts, ask(base, BREATH, verdicts), judge)
    assert [one.method for one in found] == ["rule:open", "nli", "rule:open", "nli"]
    assert len(judge.asked) == 1


def test_premises_are_few_statements_of_the_kg_and_no_deprecated_ones(base):
    text = "Plato smelled of Athens."
    verdict = open_verdict(base, text, "Plato/Q859", "smelled of", "Athens/Q1524")
    lines = premise(verdict, held(base, verdict), base.knowledge).split("\n")
    assert 1 < len(lines) <= 6 and len(set(lines)) == len(lines)
    known = [one for name in ("Q859", "Q1524") for one in base.store.statements(expand(name))]
    assert set(lines) <= {sentence(one, base.store) for one in known if one.rank != "deprecated"}


# -- in the pipeline ---------------------------------------------------------------------------------------------------


def test_reports_hold_what_the_judge_said(base, breath, monkeypatch):
    verifier = Verifier(base.store, judge="none", reader="none")
    assert verifier.second is None
    verifier.named_judge, verifier.second = None, always(YES)
    monkeypatch.setattr(verifier, "_decided", lambda claim: breath)
    report = verifier.verify(BREATH)
    check_report(report, base.store)
    (claim,) = report_dict(report, base.store)["claims"]
    assert (claim["label"], claim["method"]) == ("attributable", "nli")
    assert claim["scores"]["nli"] == pytest.approx([0.98, 0.01, 0.01])
    verifier.without = frozenset(("nli",))
    assert verifier.verify(BREATH).verdicts[0].label is Label.EXTRAPOLATORY


def test_what_the_rules_decide_is_not_judged(base):
    verifier = Verifier(base.store)
    verifier.second = Says(lambda premise, hypothesis: pytest.fail("asked"))
    for text in ("Douglas Adams was born in Cambridge.", "Douglas Adams was born in Toronto.", "He was in Zorkville."):
        verifier.verify(text)


def test_a_default_judge_that_is_not_there_is_mentioned_only_if_it_was_asked_for(base, monkeypatch):
    monkeypatch.setattr("kgstore.verifier.judges.opening.shipped", lambda: False)
    assert not Verifier(base.store).verify(BREATH).notices
    (notice,) = Verifier(base.store, judge="default").verify(BREATH).notices
    assert "judge" in notice


# -- hypotheses --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "head", "relation", "tail", "said"),
    [
        ("She won the medal.", "She", "won", "medal", "Ada Lovelace won the medal."),
        ("Her father was Lord Byron.", "Her", "father", "Lord Byron", "Ada Lovelace's father was Lord Byron."),
        ("Many admired her in London.", "her", "admired in", "London", "Many admired Ada Lovelace in London."),
        ("The countess lived in London.", "countess", "lived in", "London", "Ada Lovelace lived in London."),
        ("In 1843 the countess wrote it.", "countess", "wrote in", "1843", "In 1843 Ada Lovelace wrote it."),
    ],
)
def test_a_pronoun_or_description_becomes_the_name(text, head, relation, tail, said):
    first, last = (Mention(text.index(one), text.index(one) + len(one), one) for one in (head, tail))
    claim = Claim(0, len(text) - 1, text[:-1], replace(first, refers_to=(0, 1)), relation, last)
    assert hypothesis(text, claim, "Ada Lovelace", None) == said


def test_words_that_say_another_claim_as_well_are_not_taken_whole():
    text = "Ada, an English poet, was born in London."
    head, tail, job = (Mention(text.index(one), text.index(one) + len(one), one) for one in ("Ada", "London", "poet"))
    born = Claim(0, len(text) - 1, text[:-1], head, "was born in", tail)
    poet = Claim(5, 20, text[5:20], head, "is", job)
    assert hypothesis(text, born, "Ada Lovelace", None, [poet]) == "Ada Lovelace was born in London."
    assert hypothesis(text, poet, "Ada Lovelace", None, [born]) == "Ada Lovelace, an English poet."


def test_a_name_that_ends_in_a_full_stop_has_one():
    text = "Acme s.r.o. makes anvils."
    claim = Claim(0, 24, text[:-1], Mention(0, 10, "Acme s.r.o"), "makes", Mention(18, 24, "anvils"))
    assert hypothesis(text, claim, "Acme s.r.o.", None) == "Acme s.r.o. makes anvils."


def test_a_pronoun_at_the_other_end_becomes_a_name_too():
    text = "Horner wrote it."
    tail = Mention(13, 15, "it", refers_to=(0, 1))
    claim = Claim(0, 15, text[:-1], Mention(0, 6, "Horner"), "wrote", tail)
    assert hypothesis(text, claim, "James Horner", "Aliens") == "James Horner wrote Aliens."


# -- on the command line -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("command", ["verify", "correct"])
def test_commands_take_a_judge(small_kg, command):
    assert run(command, "--text", BREATH, "--kg", small_kg, "--judge", "none").exit_code == 0
    said = refused(command, "--text", BREATH, "--kg", small_kg, "--judge", "nowhere")
    assert "nowhere" in said and "--judge none" in said
    assert "nowhere" in refused("verify", __file__, __file__, "--jobs", 2, "--kg", small_kg, "--judge", "nowhere")
