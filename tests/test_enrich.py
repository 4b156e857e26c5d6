"""Facts that go with a text, and the text with them."""

from __future__ import annotations

import json

import numpy as np
import pytest

from kgstore.model import Rank
from kgstore.prefixes import expand
from kgstore.store import Store
from kgstore.verifier.claims import Label
from kgstore.verifier.llm.faithful import lost, strange
from kgstore.verifier.methods.enrich import TASK, Enriched, Fact, current, enrich, joined, text_vector
from kgstore.verifier.pipeline import Verifier
from tests.checks import check_report
from tests.test_cli import answer, run

TEXT = "Douglas Adams was an English writer.\n\nCharlie Chaplin was born in London. He was an actor"


class Canned:
    """A model that makes its reply of the question."""

    room = 1000

    def __init__(self, reply) -> None:
        self.reply, self.asked = reply, []

    def size(self, text: str) -> int:
        return len(text)

    def write(self, task, asked: str, most: int, held=None) -> str:
        self.asked.append(asked)
        return self.reply(*asked.removeprefix("Paragraph: ").split("\nFacts:\n"))

    def close(self) -> None:
        pass


@pytest.fixture(scope="module")
def verifier(small_kg):
    with Store(small_kg) as store:
        yield Verifier(store, judge="none")


@pytest.fixture(scope="module")
def plain(verifier) -> Enriched:
    return enrich(TEXT, verifier)


def test_facts_are_stored_about_the_text_s_entities_and_new_to_it(plain, verifier):
    assert len(plain.facts) == 5
    for fact in plain.facts:
        statement = fact.statement
        assert statement in verifier.store.statements(statement.subject.value, statement.predicate.value)
        assert verifier.store.label(statement.subject.value) in fact.sentence
        assert fact.sentence not in TEXT
    told = {verifier.store.label(getattr(fact.statement.value, "value", "")) for fact in plain.facts}
    assert not told & {"London", "actor", "writer"}
    closeness = [fact.similarity for fact in plain.facts]
    assert closeness == sorted(closeness, reverse=True)


def test_sentences_stand_in_the_paragraph_that_names_their_subject(plain):
    first, gap, second = plain.text.partition("\n\n")
    assert gap and first.startswith("Douglas Adams was an English writer. ") and "Chaplin" not in first
    assert second.startswith("Charlie Chaplin was born in London. He was an actor\n") or second == TEXT.split("\n\n")[1]
    for fact in plain.facts:
        assert (fact.at == 0) == ("Douglas Adams" in fact.sentence)


def test_the_degree_grows_and_what_is_added_is_attributable(plain, verifier):
    assert 0 < plain.before < plain.after < 1
    report = verifier.verify(plain.text)
    check_report(report, verifier.store)
    added = [one for one in report.verdicts if one.claim.text not in TEXT]
    assert len(added) >= 3 and all(one.label is Label.ATTRIBUTABLE for one in added)


def test_the_limits_are_kept(verifier):
    few = enrich(TEXT, verifier, n=1, m=3)
    assert len(few.facts) <= 3 and len({fact.statement.predicate for fact in few.facts}) == 1
    assert not enrich("Nobody knows it.", verifier).facts


def test_several_values_make_one_sentence_that_the_rules_can_read(verifier):
    store = verifier.store
    facts = [
        Fact(one, "", 0.5, 0)
        for name in ("P106", "P69")
        for one in store.statements(expand("Q42"), expand(name))[:3]
    ]
    jobs, schools = joined(facts, store).removesuffix(".").split(". ")
    assert jobs.startswith("The occupations of Douglas Adams include ") and jobs.count(",") == jobs.count(" and ") == 1
    assert schools.startswith("Douglas Adams was educated at ") and " and " in schools
    assert [one.label for one in verifier.verify(jobs + ".").verdicts] == [Label.ATTRIBUTABLE] * 3


def test_what_the_text_has_wrong_is_said_and_not_put_beside_it(verifier):
    done = enrich("Douglas Adams was born in London.", verifier, m=20, n=20)
    assert "Cambridge" not in "".join(fact.sentence for fact in done.facts if "place of birth" in fact.sentence)
    assert any("contradicts 1 of the text's claims" in notice for notice in done.notices)


# -- by a language model -----------------------------------------------------------------------------------------------


def test_what_a_model_writes_is_taken_if_it_keeps_to_text_and_facts(verifier):
    def reply(paragraph: str, facts: str) -> str:
        return paragraph.rstrip(".") + ", and: " + " ".join(line.removeprefix("- ") for line in facts.splitlines())

    done = enrich("Douglas Adams was an English writer.", verifier, model=Canned(reply))
    assert done.text.startswith("Douglas Adams was an English writer, and: ") and not done.notices


@pytest.mark.parametrize(
    ("reply", "why"),
    [
        ("Douglas Adams was an English writer from Oslo.", "names Oslo"),
        ("Douglas Adams was an English writer of 12 books.", "names 12"),
        ("Douglas Adams was a writer.", "leaves out English"),
        ("  \n ", "is nothing"),
        ("Douglas Adams was an English writer. " * 40, "is too long"),
    ],
)
def test_what_a_model_invents_or_drops_is_refused(verifier, reply, why):
    text = "Douglas Adams was an English writer."
    done = enrich(text, verifier, model=Canned(lambda *_: reply))
    assert done.text == enrich(text, verifier).text and why in done.notices[0]


def test_what_a_model_turns_into_something_false_is_refused(verifier):
    text = "Charlie Chaplin was born in London. Douglas Adams was a writer."
    done = enrich(text, verifier, model=Canned(lambda *_: f"{text} He was born in London."))
    assert done.text == enrich(text, verifier).text and "contradicted by the KG" in done.notices[-1]


def test_the_statement_closest_to_a_fact_is_news_too(verifier):
    done = enrich("Douglas Adams died in California.", verifier, n=30, m=100)
    added = {verifier.store.label(getattr(fact.statement.value, "value", "")) for fact in done.facts}
    assert "Santa Barbara" in added        # what Factum retrieved for "died in California"
    assert "California" not in added


def test_what_has_ended_and_what_has_a_lesser_rank_is_not_told(verifier):
    germany, know = expand("Q183"), verifier.knowledge
    held, told = verifier.store.statements(germany), list(current(germany, know))
    assert any(map(know.ended, held)) and not any(map(know.ended, told))
    capital = [one.rank for one in held if one.predicate.value == expand("P36")]
    assert {Rank.PREFERRED, Rank.NORMAL} <= set(capital)
    assert {one.rank for one in told if one.predicate.value == expand("P36")} == {Rank.PREFERRED}


def test_no_property_is_added_that_is_about_the_entry(everyday_kg):
    with Store(everyday_kg) as store:
        meta = {store.label(iri) for iri in store.profile.meta}
        assert {"described by source", "topic's main category", "has works in the collection"} <= meta
        described = next(store.match(predicate=expand("wdt:P1343"))).subject.value
        own = Verifier(store, judge="none")
        done = enrich(f"{store.label(described)} and Marie Curie are known.", own, n=100, m=1000)
        assert {described, expand("Q7186")} <= {fact.statement.subject.value for fact in done.facts}
        said = {store.label(fact.statement.predicate.value) for fact in done.facts}
    assert {"place of birth", "award received"} <= said and not said & meta


def test_facts_that_a_model_does_not_take_up_are_counted(verifier):
    text = "Douglas Adams was an English writer."
    done = enrich(text, verifier, model=Canned(lambda paragraph, _: paragraph))
    assert done.text == text and done.notices == ("5 of 5 facts were not taken up by the model",)


def test_the_examples_of_the_task_pass_the_checks():
    for asked, reply in TASK.examples:
        paragraph, facts = asked.removeprefix("Paragraph: ").split("\nFacts:\n")
        assert not strange(reply, [paragraph, facts]) and not lost(reply, paragraph)


def test_a_long_text_has_the_mean_of_its_stretches():
    def embed(texts):
        assert max(map(len, texts)) <= 1000
        return np.array([[1.0, 0.0] if "a" in text else [0.0, 1.0] for text in texts])

    assert text_vector("a. " * 400 + "\n" + "b. " * 400, embed) == pytest.approx([0.5**0.5, 0.5**0.5], abs=0.01)
    assert text_vector("b", embed).tolist() == [0.0, 1.0]


# -- the command -------------------------------------------------------------------------------------------------------


def test_the_command_prints_the_text_and_tells_the_rest(small_kg, plain, tmp_path):
    (tmp_path / "a.txt").write_text(TEXT)
    result = run("enrich", tmp_path / "a.txt", "--kg", small_kg)
    assert result.stdout == plain.text + "\n"
    assert f"FD {plain.before:.3f} before, {plain.after:.3f} after" in result.stderr
    assert result.stderr.count("added (") == 5


def test_as_json_each_fact_is_a_statement_with_its_ids(small_kg, plain, tmp_path):
    done = answer("enrich", "--text", TEXT, "--kg", small_kg)
    assert done["enriched"] == plain.text and done["fd"] == {"before": plain.before, "after": plain.after}
    assert [one["sentence"] for one in done["facts"]] == [fact.sentence for fact in plain.facts]
    assert all(one["statement"].startswith("wds:") and one["subject"].startswith("Q") for one in done["facts"])
    (tmp_path / "b.jsonl").write_text('{"id": 3, "text": "Hello!"}\n')
    [line] = run("enrich", tmp_path / "b.jsonl", "--kg", small_kg, "--format", "jsonl").stdout.splitlines()
    degree = {"before": None, "after": None}
    same = {"text": "Hello!", "enriched": "Hello!"}
    assert json.loads(line) == {"id": 3, **same, "facts": [], "fd": degree, "notices": []}
