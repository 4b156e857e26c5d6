"""The JSON report: its schema, its labels, and that its evidence is in the KG."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from jsonschema import Draft202012Validator

from kgstore.model import NamedNode, Rank
from kgstore.prefixes import expand
from kgstore.verifier.claims import Correction, Label, Role
from kgstore.verifier.decide.combine import Combination
from kgstore.verifier.pipeline import Verifier
from kgstore.verifier.report.report import SCHEMA_FILE, EvidenceNotInKg, Report, report_dict, report_json
from tests.plain_graph import plain_store
from tests.small_graph import known, mention, small_store, verdict

TEXT = "Ada Lovelace was born in Paris."
KG = {"name": "small", "generation": "000003", "fingerprint": "minilm"}


@pytest.fixture(scope="module")
def store():
    with small_store() as store:
        yield store


@pytest.fixture
def wrong(store):
    born = known(store, "Q1-born")
    against = born, Role.CONTRADICTS
    one = verdict(TEXT, "Ada Lovelace", "was born in", "Paris", Label.CONTRADICTORY, against, tail_is="Q3")
    scores = {"tms": 0.8, "nli_entails": 0.1, "nli_neutral": 0.2, "nli_contradicts": 0.7}
    return replace(one, correction=Correction(25, 30, "London"), scores=scores, paths=((born,),))


def right(store):
    job = known(store, "Q1-job"), Role.SUPPORTS
    text = "Ada Lovelace was an actor."
    return verdict(text, "Ada Lovelace", "was", "actor", Label.ATTRIBUTABLE, job, tail_is="Q8")


def undecided():
    return verdict("She met Zed.", "She", "met", "Zed", Label.EXTRAPOLATORY, head_is=None)


def test_a_report_fits_its_schema(store, wrong):
    people = (mention(TEXT, "Ada Lovelace", "Q1"), mention(TEXT, "Paris"))
    verdicts = (wrong, right(store), undecided())
    report = Report(TEXT, verdicts, people, KG, {"kas": 0.083}, {"link": 1.5}, "t1", ("cut off",))
    check(report_dict(report, store))
    check(report_dict(Report(""), store))


def test_features_and_their_weights_are_in_the_report(store, wrong):
    weighed = Combination({"contradictory": (-1.0, 0.0, 1.0)}).weigh(wrong)
    data = report_dict(Report(TEXT, (weighed,)), store)
    check(data)
    assert data["claims"][0]["features"]["contradictory"] == {"value": 1.0, "weights": [-1.0, 0.0, 1.0]}
    data["claims"][0]["features"]["contradictory"]["weights"].pop()
    with pytest.raises(AssertionError, match="contradictory.weights"):
        check(data)


def test_the_schema_check_of_these_tests_finds_faults(store, wrong):
    data = report_dict(Report(TEXT, (wrong,)), store)
    data["claims"][0]["evidence"][0]["rank"] = "best"
    with pytest.raises(AssertionError, match="rank"):
        check(data)


def test_json_is_one_line_of_utf8_that_says_the_same(store, wrong):
    report = Report("Zoë. " + TEXT, (wrong,), kg=KG)
    line = report_json(report, store)
    assert b"\n" not in line
    assert "Zoë".encode() in line
    assert json.loads(line) == report_dict(report, store) == json.loads(report_json(report, store, indent=True))


@pytest.mark.parametrize(
    ("labels", "worst"),
    [
        ((), "no_claims"),
        ((Label.ATTRIBUTABLE,), "attributable"),
        ((Label.ATTRIBUTABLE, Label.EXTRAPOLATORY), "extrapolatory"),
        ((Label.CONTRADICTORY, Label.EXTRAPOLATORY, Label.ATTRIBUTABLE), "contradictory"),
    ],
)
def test_the_label_of_a_text_is_the_worst_of_its_claims(labels, worst):
    assert Report("", tuple(replace(undecided(), label=label) for label in labels)).label == worst


def test_evidence_has_ids_words_qualifiers_and_references(store):
    club = known(store, "Q1-club"), Role.SUPPORTS
    text = "Ada Lovelace joined the Analytical Society."
    one = verdict(text, "Ada Lovelace", "joined", "Analytical Society", Label.ATTRIBUTABLE, club, tail_is="Q13")
    (claim,) = report_dict(Report(text, (one,)), store)["claims"]
    assert claim["triple"] == ["Ada Lovelace", "joined", "Analytical Society"]
    assert claim["evidence"] == [
        {
            "subject": "Q1",
            "predicate": "P463",
            "object": "Q13",
            "labels": ["Ada Lovelace", "member of", "Analytical Society"],
            "statement": "wds:Q1-club",
            "rank": "normal",
            "qualifiers": [{"property": "P580", "label": "start time", "object": "1830", "value": "1830"}],
            "references": [
                [{"property": "P248", "label": "stated in", "object": "Q4", "value": "Charles Babbage"}]
            ],
            "role": "supports",
        }
    ]


@pytest.mark.parametrize(
    "change",
    [
        {"value": NamedNode(expand("Q3"))},
        {"id": expand("wds:Q1-made-up")},
        {"rank": Rank.PREFERRED},
        {"subject": NamedNode(expand("Q99"))},
    ],
)
def test_evidence_that_the_kg_does_not_hold_ends_the_program(store, wrong, change):
    invented = replace(wrong.evidence[0].statement, **change)
    with pytest.raises(EvidenceNotInKg, match="bug"):
        report_dict(Report(TEXT, (replace(wrong, evidence=(replace(wrong.evidence[0], statement=invented),)),)), store)
    with pytest.raises(EvidenceNotInKg):
        report_dict(Report(TEXT, (replace(wrong, paths=((invented,),)),)), store)


def test_probabilities_sum_to_one_and_confidence_is_that_of_the_label(store, wrong):
    (claim,) = report_dict(Report(TEXT, (replace(wrong, probabilities=(0.1, 0.2, 0.6999)),)), store)["claims"]
    assert sum(claim["probabilities"].values()) == pytest.approx(1, abs=1e-12)
    assert claim["confidence"] == claim["probabilities"]["contradictory"] == pytest.approx(0.7, abs=1e-3)


def test_only_linked_mentions_are_entities_and_a_pronoun_stands_for_its_name(store):
    text = "Ada Lovelace was a poet. She was an actor."
    she = replace(mention(text, "She", "Q1"), refers_to=(0, 12))
    one = replace(right(store), claim=replace(right(store).claim, head=she))
    data = report_dict(Report(text, (one,), (mention(text, "Ada Lovelace", "Q1"), mention(text, "poet"))), store)
    assert data["claims"][0]["triple"][0] == "Ada Lovelace"
    assert [(entity["id"], entity["text"]) for entity in data["entities"]] == [("Q1", "Ada Lovelace")]


def test_notices_appear_only_where_there_are_any(store):
    assert "notices" not in report_dict(Report("x"), store)
    assert report_dict(Report("x", notices=("read by rules",)), store)["notices"] == ["read by rules"]


SCHEMA = Draft202012Validator(json.loads(SCHEMA_FILE.read_text()))


def check(value):
    SCHEMA.check_schema(SCHEMA.schema)
    faults = [f"{one.json_path}: {one.message}" for one in SCHEMA.iter_errors(value)]
    assert not faults, faults


def test_a_date_is_given_as_iso_8601_as_far_as_it_is_known(tmp_path):
    graph = """
    ex:ann rdfs:label "Ann Smith" ; ex:born "1951-05-07"^^xsd:date . ex:born rdfs:label "date of birth" .
    """
    with plain_store(graph, tmp_path) as store:
        report = report_dict(Verifier(store, judge="none", reader="none").verify("Ann Smith was born in 1951."), store)
    (fact,) = report["claims"][0]["evidence"]
    assert (fact["object"], fact["labels"][2]) == ("1951-05-07", "7 May 1951")
